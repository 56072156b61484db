"""The sections around the worldbody of a random model: compiler, option, defaults, keyframes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree

import numpy as np

from conformance import elements
from conformance.draw import Draw, text
from conformance.sensors import add_sensors

__all__ = ["Choices", "write_sections"]

Node = ElementTree.Element
POSITIONS = {"free": 7, "ball": 4, "slide": 1, "hinge": 1}
VELOCITIES = {"free": 6, "ball": 3, "slide": 1, "hinge": 1}
HARMLESS_FLAGS = (
    "clampctrl",
    "warmstart",
    "filterparent",
    "actuation",
    "refsafe",
    "sensor",
    "midphase",
    "autoreset",
    "nativeccd",
    "island",
    "multiccd",
)


@dataclass
class Choices:
    """Decisions that several sections of one model share."""

    autolimits: bool = True
    inertiafromgeom: str = "auto"
    grouprange: tuple[int, int] | None = None
    balanceinertia: bool = False
    nocontact: str = "masks"  # how contact is ruled out: "masks", "flag" or "constraint"
    limits: bool = False
    frictionloss: bool = False
    fluid: bool = False
    classes: list[str] = field(default_factory=list)
    shape_class: str = ""

    @staticmethod
    def random(draw: Draw) -> Choices:
        draw.degrees = draw.chance(0.5)
        return Choices(
            autolimits=draw.chance(0.8),
            inertiafromgeom=draw.pick(("auto", "auto", "true", "false")),
            grouprange=draw.pick((None, None, (0, 2), (1, 4))),
            balanceinertia=draw.chance(0.15),
            nocontact=draw.pick(("masks", "masks", "flag", "constraint")),
            limits=draw.chance(0.3),
            frictionloss=draw.chance(0.15),
            fluid=draw.chance(0.35),
            classes=["soft", "stiff", "stiffer"] if draw.chance(0.6) else [],
            shape_class="pill" if draw.chance(0.4) else "",
        )


def write_sections(root: Node, world: Node, draw: Draw, choices: Choices, integrator: str) -> None:
    """Put every section into the document, in an order MuJoCo accepts."""
    root.append(_compiler(draw, choices))
    root.append(_option(draw, choices, integrator))
    if draw.chance(0.2):
        root.append(_size(draw))
    if draw.chance(0.2):
        root.append(_statistic(draw))
    if draw.chance(0.2):
        root.append(_visual(draw))
    root.append(_default(draw, choices))
    root.append(world)
    if draw.chance(0.3):
        root.append(_custom(draw, world))
    if draw.chance(0.35):
        root.append(_keyframes(draw, world))
    if draw.chance(0.4):
        add_sensors(root, draw)
        _switch_sensors_off(root)


def _switch_sensors_off(root: Node) -> None:
    """Keep the physics of sensors out of the run; without sensors there is nothing to do."""
    option = root.find("option")
    if option is None or root.find("sensor") is None:
        return
    flag = option.find("flag")
    if flag is None:
        flag = ElementTree.SubElement(option, "flag")
    flag.set("sensor", "disable")


# ---------------------------------------------------------------------- compiler, option


def _compiler(draw: Draw, choices: Choices) -> Node:
    attributes: dict[str, str] = {}
    if not draw.degrees or draw.chance(0.3):
        attributes["angle"] = "degree" if draw.degrees else "radian"
    if not choices.autolimits:
        attributes["autolimits"] = "false"
    if draw.chance(0.4):
        attributes["eulerseq"] = draw.pick(("zyx", "XYZ", "ZYX", "zxz", "xYz", "ZXy"))
    if choices.inertiafromgeom != "auto":
        attributes["inertiafromgeom"] = choices.inertiafromgeom
    if choices.grouprange is not None:
        attributes["inertiagrouprange"] = "{} {}".format(*choices.grouprange)
    if choices.balanceinertia:
        attributes["balanceinertia"] = "true"
    extras = {
        "boundmass": (0.15, lambda: text(draw.real(0.1, 1.5))),
        "boundinertia": (0.15, lambda: text(draw.real(0.001, 0.02))),
        "settotalmass": (0.12, lambda: text(draw.real(30, 90))),
        "alignfree": (0.2, lambda: "true"),
        "fusestatic": (0.2, lambda: "true"),
        "saveinertial": (0.1, lambda: "true"),
        "usethread": (0.1, lambda: "false"),
    }
    # visual geoms cannot be dropped when the inertia must come from them
    if choices.inertiafromgeom != "true":
        extras["discardvisual"] = (0.12, lambda: "true")
    for name, (probability, make) in extras.items():
        if draw.chance(probability):
            attributes[name] = make()
    return ElementTree.Element("compiler", attributes)


def _option(draw: Draw, choices: Choices, integrator: str) -> Node:
    attributes = {"timestep": draw.pick(("0.0005", "0.001", "0.002", "0.002"))}
    if integrator != "Euler" or draw.chance(0.2):
        attributes["integrator"] = integrator
    if draw.chance(0.4):
        attributes["gravity"] = draw.vector(10)
    if choices.fluid:
        attributes |= _fluid(draw)
    extras = {
        "magnetic": lambda: draw.vector(1),
        "impratio": lambda: text(draw.real(1, 10)),
        "tolerance": lambda: "1e-10",
        "ls_tolerance": lambda: "0.02",
        "cone": lambda: draw.pick(("pyramidal", "elliptic")),
        "jacobian": lambda: draw.pick(("dense", "sparse", "auto")),
        "solver": lambda: draw.pick(("PGS", "CG", "Newton")),
        "iterations": lambda: str(draw.whole(1, 200)),
        "ls_iterations": lambda: str(draw.whole(1, 100)),
        "noslip_iterations": lambda: str(draw.whole(0, 3)),
        "o_margin": lambda: "0.01",
        "o_solref": lambda: "0.03 0.9",
        "o_friction": lambda: draw.positive(0.1, 1, draw.whole(1, 5)),
        "actuatorgroupdisable": lambda: draw.pick(("1", "0 3")),
    }
    attributes |= {name: make() for name, make in extras.items() if draw.chance(0.06)}
    option = ElementTree.Element("option", attributes)
    flags = _flags(draw, choices)
    if flags:
        ElementTree.SubElement(option, "flag", flags)
    return option


def _fluid(draw: Draw) -> dict[str, str]:
    """Air to something thicker than water, sometimes windy."""
    attributes = {}
    if draw.chance(0.8):
        attributes["density"] = text(draw.pick((1.2, 50.0, draw.real(1, 300))))
    if draw.chance(0.7):
        attributes["viscosity"] = text(draw.pick((0.00002, 0.05, draw.real(0.001, 0.3))))
    if draw.chance(0.5):
        attributes["wind"] = draw.vector(3)
    return attributes


def _flags(draw: Draw, choices: Choices) -> dict[str, str]:
    off: list[str] = []
    if choices.nocontact == "flag":
        off.append("contact")
    if choices.nocontact == "constraint":
        off.append("constraint")
    else:
        off += ["limit"] * choices.limits + ["frictionloss"] * choices.frictionloss
    rates = {"gravity": 0.12, "spring": 0.12, "damper": 0.12, "eulerdamp": 0.25}
    rates |= dict.fromkeys(HARMLESS_FLAGS, 0.03)
    off += [name for name, rate in rates.items() if draw.chance(rate)]
    flags = dict.fromkeys(off, "disable")
    if draw.chance(0.5):
        flags["energy"] = "enable"
    return flags


def _size(draw: Draw) -> Node:
    attributes = {"nuserdata": str(draw.whole(0, 5))}
    for kind in ("body", "jnt", "geom", "site", "cam"):
        if draw.chance(0.3):
            attributes[f"nuser_{kind}"] = str(draw.whole(3, 5))
    return ElementTree.Element("size", attributes)


def _statistic(draw: Draw) -> Node:
    extras = {
        "meaninertia": lambda: text(draw.real(0.1, 2)),
        "meanmass": lambda: text(draw.real(0.1, 2)),
        "meansize": lambda: text(draw.real(0.1, 2)),
        "extent": lambda: text(draw.real(0.5, 5)),
        "center": lambda: draw.vector(1),
    }
    attributes = {name: make() for name, make in extras.items() if draw.chance(0.4)}
    return ElementTree.Element("statistic", attributes)


def _visual(draw: Draw) -> Node:
    visual = ElementTree.Element("visual")
    groups = {
        "global": {"fovy": "60", "azimuth": text(draw.real(0, 180)), "offwidth": "800"},
        "quality": {"shadowsize": "2048", "numslices": "20"},
        "headlight": {"ambient": draw.positive(0, 1, 3), "active": "0"},
        "map": {"znear": "0.02", "force": text(draw.real(0.001, 0.1))},
        "scale": {"framelength": "0.7", "com": text(draw.real(0.1, 1))},
        "rgba": {"haze": draw.rgba(), "joint": draw.rgba()},
    }
    for tag, attributes in groups.items():
        if draw.chance(0.5):
            ElementTree.SubElement(visual, tag, attributes)
    return visual


# ---------------------------------------------------------------------- default classes


def _default(draw: Draw, choices: Choices) -> Node:
    """A main class, and nested ones: soft, stiff > stiffer, pill."""
    main = ElementTree.Element("default")
    if draw.chance(0.3):
        main.set("class", "main")
    if choices.nocontact == "masks":
        ElementTree.SubElement(main, "geom", contype="0", conaffinity="0")
    if draw.chance(0.3):
        ElementTree.SubElement(main, "joint", elements.joint_class(draw))
    if choices.classes:
        for name, parent in (("soft", main), ("stiff", main), ("stiffer", None)):
            holder = main.find("default[@class='stiff']") if parent is None else parent
            assert holder is not None
            _default_class(draw, holder, name)
    if choices.shape_class:
        pill = ElementTree.SubElement(main, "default", {"class": choices.shape_class})
        ElementTree.SubElement(pill, "geom", type="capsule", size="0.1 0.15")
    return main


def _default_class(draw: Draw, parent: Node, name: str) -> None:
    node = ElementTree.SubElement(parent, "default", {"class": name})
    ElementTree.SubElement(node, "joint", elements.joint_class(draw))
    if draw.chance(0.6):
        ElementTree.SubElement(node, "geom", density=text(draw.real(400, 1200)), rgba=draw.rgba())
    if draw.chance(0.4):
        ElementTree.SubElement(node, "site", rgba=draw.rgba(), group=str(draw.whole(0, 5)))
    if draw.chance(0.3):
        ElementTree.SubElement(node, "camera", ipd="0.07")
    if draw.chance(0.3):
        ElementTree.SubElement(node, "light", diffuse="0.2 0.3 0.4", castshadow="false")


# ---------------------------------------------------------------------- custom, keyframes


def _custom(draw: Draw, world: Node) -> Node:
    custom = ElementTree.Element("custom")
    length = draw.whole(1, 4)
    numeric = ElementTree.SubElement(custom, "numeric", name="gains", data=draw.vector(2, length))
    if draw.chance(0.4):
        numeric.set("size", str(length + draw.whole(0, 3)))
    ElementTree.SubElement(custom, "text", name="note", data="drawn at random")
    names = [body.get("name") for body in world.findall("body") if body.get("name")]
    if names:
        group = ElementTree.SubElement(custom, "tuple", name="group")
        attributes = {"objtype": "body", "objname": str(draw.pick(names)), "prm": "0.5"}
        ElementTree.SubElement(group, "element", attributes)
    return custom


def _keyframes(draw: Draw, world: Node) -> Node:
    section = ElementTree.Element("keyframe")
    for number in range(draw.whole(1, 3)):
        key = ElementTree.SubElement(section, "key")
        if draw.chance(0.7):
            key.set("name", f"key{number}")
        if draw.chance(0.5):
            key.set("time", text(draw.real(0, 3)))
        kinds = list(_joint_kinds(world))
        if kinds and draw.chance(0.8):
            key.set("qpos", " ".join(_key_position(draw, kind) for kind in kinds))
        if kinds and draw.chance(0.5):
            key.set("qvel", text(*draw.rng.normal(size=sum(VELOCITIES[kind] for kind in kinds))))
        mocaps = _count_mocap(world)
        if mocaps and draw.chance(0.5):
            key.set("mpos", text(*draw.rng.normal(size=3 * mocaps)))
            key.set("mquat", text(*draw.rng.normal(size=4 * mocaps)))
    return section


def _key_position(draw: Draw, kind: str) -> str:
    values = draw.rng.normal(size=POSITIONS[kind]) * 0.5
    if kind in ("free", "ball") and draw.chance(0.5):
        values[-4:] /= np.linalg.norm(values[-4:])
    return text(*values)


def _joint_kinds(node: Node) -> Iterator[str]:
    """Kinds of the joints in the order of qpos, replicas included."""
    for child in node:
        if child.tag == "freejoint":
            yield "free"
        elif child.tag == "joint":
            yield child.get("type", "hinge")
    for child in node:
        copies = int(child.get("count", "1")) if child.tag == "replicate" else 1
        if child.tag in ("body", "frame", "replicate"):
            for _ in range(copies):
                yield from _joint_kinds(child)


def _count_mocap(node: Node) -> int:
    """Mocap bodies, replicas included."""
    own = int(node.get("mocap") == "true")
    copies = int(node.get("count", "1")) if node.tag == "replicate" else 1
    return own + copies * sum(_count_mocap(child) for child in node)
