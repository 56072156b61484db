"""Default classes for every kind of element, nested, and who belongs to them."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

from conformance import elements
from conformance.draw import Draw, text

__all__ = ["add_classes"]

Node = ElementTree.Element
Attributes = dict[str, str]
#: new classes and those that they stand in
NESTED = {"outer": "main", "middle": "outer", "inner": "middle", "beside": "outer"}


def add_classes(root: Node, draw: Draw) -> None:
    """Four classes with elements of many kinds; elements and bodies pick one now and then."""
    main = root.find("default")
    assert main is not None
    made = {"main": main}
    for name, parent in NESTED.items():
        made[name] = ElementTree.SubElement(made[parent], "default", {"class": name})
    for node in made.values():
        present = {child.tag for child in node}
        for tag, make in KINDS.items():
            if tag not in present and draw.chance(0.1 if node is main else 0.5):
                # elements come before nested classes at times, and after them at others
                node.insert(draw.whole(0, len(node)), ElementTree.Element(tag, make(draw)))
    names = list(NESTED)
    for node in _members(root):
        if "class" not in node.attrib and draw.chance(0.25):
            node.set("class", draw.pick(names))
    world = root.find("worldbody")
    assert world is not None
    for node in (*world.iter("body"), *world.iter("frame")):
        if "childclass" not in node.attrib and draw.chance(0.15):
            node.set("childclass", draw.pick(names))


def _members(root: Node) -> list[Node]:
    """Elements that can have a class."""
    found = []
    for place, tags in (
        ("worldbody", ("joint", "geom", "site", "camera", "light")),
        ("asset", ("mesh", "material")),
        ("contact", ("pair",)),
    ):
        for section in root.iterfind(place):
            found += [node for node in section.iter() if node.tag in tags]
    for place in ("tendon", "equality"):
        found += [node for section in root.iterfind(place) for node in section]
    return found


def _geom(draw: Draw) -> Attributes:
    """Nothing that could take the mass from a body that needs it."""
    makers = {
        "rgba": draw.rgba,
        "friction": lambda: draw.positive(0.1, 1, draw.whole(1, 3)),
        "condim": lambda: draw.pick(("1", "3", "4", "6")),
        "priority": lambda: str(draw.whole(0, 3)),
        "solref": lambda: draw.positive(0.01, 0.1, draw.whole(1, 2)),
        "solmix": lambda: text(draw.real(0.1, 2)),
        "margin": lambda: text(draw.real(0, 0.01)),
        "gap": lambda: text(draw.real(0, 0.01)),
        "density": lambda: text(draw.real(300, 1500)),
        "contype": lambda: str(draw.whole(0, 3)),
        "conaffinity": lambda: str(draw.whole(0, 3)),
        "user": lambda: draw.vector(1, draw.whole(1, 3)),
    }
    return _chosen(draw, makers)


def _site(draw: Draw) -> Attributes:
    makers = {
        "rgba": draw.rgba,
        "group": lambda: str(draw.whole(0, 5)),
        "size": lambda: draw.positive(0.01, 0.1, 3),
        "user": lambda: draw.vector(1, draw.whole(1, 3)),
    }
    return _chosen(draw, makers)


def _light(draw: Draw) -> Attributes:
    makers = {
        "castshadow": draw.flag,
        "active": draw.flag,
        "diffuse": lambda: draw.positive(0, 1, 3),
        "ambient": lambda: draw.positive(0, 1, 3),
        "specular": lambda: draw.positive(0, 1, 3),
        "type": lambda: draw.pick(("spot", "directional", "point")),
        "dir": lambda: draw.vector(1),
        "pos": lambda: draw.vector(1),
        "cutoff": lambda: text(draw.real(20, 80)),
        "attenuation": lambda: draw.positive(0.1, 1, 3),
    }
    return _chosen(draw, makers)


def _camera(draw: Draw) -> Attributes:
    makers = {
        "ipd": lambda: text(draw.real(0.05, 0.1)),
        "user": lambda: draw.vector(1, draw.whole(1, 3)),
        "pos": lambda: draw.vector(1),
    }
    return _chosen(draw, makers)


def _mesh(draw: Draw) -> Attributes:
    makers = {
        "scale": lambda: draw.positive(0.5, 1.5, 3),
        "maxhullvert": lambda: str(draw.whole(6, 20)),
        "inertia": lambda: draw.pick(("convex", "exact", "legacy", "shell")),
    }
    return _chosen(draw, makers)


def _material(draw: Draw) -> Attributes:
    names = ("emission", "specular", "shininess", "reflectance", "metallic", "roughness")
    makers: dict[str, Callable[[], str]] = dict.fromkeys(names, lambda: text(draw.real(0, 1)))
    return _chosen(draw, makers | {"rgba": draw.rgba, "texuniform": draw.flag})


def _pair(draw: Draw) -> Attributes:
    makers = {
        "condim": lambda: draw.pick(("1", "3", "4", "6")),
        "friction": lambda: draw.positive(0.1, 1, draw.whole(1, 5)),
        "solref": lambda: draw.positive(0.01, 0.1, draw.whole(1, 2)),
        "margin": lambda: text(draw.real(0, 0.1)),
        "gap": lambda: text(draw.real(0, 0.1)),
        "adhesion": lambda: text(draw.real(0, 2)),
    }
    return _chosen(draw, makers)


def _equality(draw: Draw) -> Attributes:
    makers = {
        "active": draw.flag,
        "solref": lambda: draw.positive(0.01, 0.1, draw.whole(1, 2)),
        "solimp": lambda: text(0.8, 0.9, 0.002),
    }
    return _chosen(draw, makers)


def _tendon(draw: Draw) -> Attributes:
    makers = {
        "width": lambda: text(draw.real(0.001, 0.02)),
        "rgba": draw.rgba,
        "group": lambda: str(draw.whole(0, 5)),
        "stiffness": lambda: draw.positive(0, 10, draw.whole(1, 3)),
        "damping": lambda: draw.positive(0, 1, draw.whole(1, 3)),
        "frictionloss": lambda: text(draw.real(0, 1)),
        "margin": lambda: text(draw.real(0, 0.1)),
        "solreflimit": lambda: draw.positive(0.01, 0.1, draw.whole(1, 2)),
        "springlength": lambda: draw.pick(("0.3", "0.1 0.4", "-1")),
        "user": lambda: draw.vector(1, draw.whole(1, 3)),
    }
    return _chosen(draw, makers)


def _chosen(draw: Draw, makers: dict[str, Callable[[], str]]) -> Attributes:
    return {name: make() for name, make in makers.items() if draw.chance(0.3)}


KINDS: dict[str, Callable[[Draw], Attributes]] = {
    "joint": elements.joint_class,
    "geom": _geom,
    "site": _site,
    "camera": _camera,
    "light": _light,
    "mesh": _mesh,
    "material": _material,
    "pair": _pair,
    "equality": _equality,
    "tendon": _tendon,
}
