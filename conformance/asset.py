"""Assets of random models: builtin textures, materials, height fields, and who uses them."""

from __future__ import annotations

from xml.etree import ElementTree

from conformance.draw import Draw, text

__all__ = ["add_assets"]

Node = ElementTree.Element
ROLES = (
    "rgb",
    "normal",
    "occlusion",
    "roughness",
    "metallic",
    "opacity",
    "emissive",
    "orm",
    "rgba",
)
SHINE = ("emission", "specular", "shininess", "reflectance", "metallic", "roughness")
#: seeds of assets, apart from those of the models that they are added to
SEEDS = 1_000_000


def add_assets(root: Node, seed: int) -> None:
    """Give a random model assets at times; the model is the same as without them otherwise."""
    draw = Draw(SEEDS + seed)
    world = root.find("worldbody")
    if world is None or draw.chance(0.5):
        return
    section = ElementTree.Element("asset")
    textures = [_texture(section, draw, i) for i in range(draw.whole(0, 3))]
    materials = [_material(section, draw, i, textures) for i in range(draw.whole(0, 3))]
    hills = [_hfield(section, draw, i) for i in range(draw.pick((0, 0, 1, 2)))]
    root.insert(list(root).index(world), section)
    for hill in hills:
        pose = {"pos": draw.vector(2), "contype": "0", "conaffinity": "0"}
        ElementTree.SubElement(world, "geom", {"type": "hfield", "hfield": hill} | pose)
    for node in [*world.iter("geom"), *world.iter("site")]:
        if materials and draw.chance(0.4):
            node.set("material", draw.pick(materials))
    # MuJoCo looks for a replica of the texture when the light is replicated
    replicated = {light for copies in world.iter("replicate") for light in copies.iter("light")}
    for node in world.iter("light"):
        if node not in replicated and textures and draw.chance(0.3):
            node.set("texture", draw.pick(textures))


def _texture(section: Node, draw: Draw, number: int) -> str:
    kind = draw.pick(("2d", "cube", "skybox"))
    attributes = {
        "name": f"texture{number}",
        "type": kind,
        "builtin": draw.pick(("gradient", "checker", "flat")),
        "mark": draw.pick(("none", "edge", "cross", "random")),
        "width": str(draw.whole(1, 40)),
    }
    if kind == "2d" or draw.chance(0.3):
        attributes["height"] = str(draw.whole(1, 40))
    for name in ("rgb1", "rgb2", "markrgb"):
        if draw.chance(0.7):
            attributes[name] = draw.positive(0, 1, 3)
    if draw.chance(0.5):
        attributes["random"] = text(draw.real(0, 0.3))
    if draw.chance(0.2):
        attributes["colorspace"] = draw.pick(("auto", "linear", "sRGB"))
    ElementTree.SubElement(section, "texture", attributes)
    return attributes["name"]


def _material(section: Node, draw: Draw, number: int, textures: list[str]) -> str:
    node = ElementTree.SubElement(section, "material", name=f"material{number}")
    for name in SHINE:
        if draw.chance(0.3):
            node.set(name, text(draw.real(0, 1)))
    if draw.chance(0.6):
        node.set("rgba", draw.rgba())
    if draw.chance(0.3):
        node.set("texrepeat", draw.positive(1, 5, 2))
        node.set("texuniform", draw.flag())
    if textures and draw.chance(0.4):
        node.set("texture", draw.pick(textures))
    elif textures:
        for _ in range(draw.whole(0, 3)):
            layer = {"role": draw.pick(ROLES), "texture": draw.pick(textures)}
            ElementTree.SubElement(node, "layer", layer)
    return f"material{number}"


def _hfield(section: Node, draw: Draw, number: int) -> str:
    rows, columns = draw.whole(2, 6), draw.whole(2, 6)
    attributes = {
        "name": f"hill{number}",
        "nrow": str(rows),
        "ncol": str(columns),
        "size": draw.positive(0.1, 3, 4),
    }
    if draw.chance(0.8):
        attributes["elevation"] = draw.vector(3, rows * columns)
    ElementTree.SubElement(section, "hfield", attributes)
    return attributes["name"]
