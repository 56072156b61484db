"""Random actuators of every kind, and their defaults, for a random model."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

from conformance.draw import Draw, text

__all__ = ["add_actuators"]

Node = ElementTree.Element
Attributes = dict[str, str]
PLAIN = ["motor", "position", "velocity", "intvelocity", "cylinder", "damper"]
HOLDS = ("body", "frame", "replicate", "worldbody")


def add_actuators(root: Node, draw: Draw) -> None:
    """Add actuator defaults, and actuators on joints, sites and bodies of the model."""
    world = root.find("worldbody")
    assert world is not None
    targets = Targets(world, [node for node in root.iterfind("tendon/*") if node.get("name")])
    classes = _defaults(root, draw)
    section = ElementTree.SubElement(root, "actuator")
    for number in range(draw.whole(1, 8)):
        tag = draw.pick(list(OWN))
        target = targets.pick(tag, draw)
        if target is None:
            continue
        attributes = target | _common(tag, draw) | OWN[tag](draw)
        if draw.chance(0.7):
            attributes["name"] = f"actuator{number}"
        if tag not in ("general", "orientation") and draw.chance(0.5):
            attributes["class"] = draw.pick(classes)
        if tag == "muscle":
            attributes["lengthrange"] = text(0.5, 0.5 + draw.real(0.1, 2))
        if tag in ("damper", "adhesion"):
            attributes["ctrlrange"] = text(0, draw.real(0.5, 2))
        ElementTree.SubElement(section, tag, attributes)


class Targets:
    """Joints, sites, bodies and tendons by name, each with the replicates around it."""

    def __init__(self, world: Node, tendons: list[Node]) -> None:
        self.tendons = [node.attrib["name"] for node in tendons]
        self.joints: dict[str, list[str]] = {}
        self.sites: list[tuple[str, tuple[int, ...]]] = []
        self.bodies: list[str] = []
        self._gather(world, ())

    def _gather(self, node: Node, around: tuple[int, ...]) -> None:
        for child in node:
            if child.tag in ("joint", "freejoint"):
                kind = "free" if child.tag == "freejoint" else child.get("type", "hinge")
                names = self.joints.setdefault(kind, [])
                count = sum(map(len, self.joints.values()))
                names.append(child.attrib.setdefault("name", f"moved {count} here"))
            elif child.tag == "site":
                name = child.attrib.setdefault("name", f"marked {len(self.sites)} here")
                self.sites.append((name, around))
            elif child.tag in HOLDS:
                if child.tag == "body" and "name" in child.attrib:
                    self.bodies.append(child.attrib["name"])
                inner = (*around, id(child)) if child.tag == "replicate" else around
                self._gather(child, inner)

    def pick(self, tag: str, draw: Draw) -> Attributes | None:
        """Something that an actuator of this kind can act on."""
        if tag == "adhesion":
            return {"body": draw.pick(self.bodies)} if self.bodies else None
        pairs = [(a, b) for a, at in self.sites for b, other in self.sites if at == other]
        if tag == "orientation":
            balls = [{"joint": name} for name in self.joints.get("ball", [])]
            choices = balls + [{"site": a, "refsite": b} for a, b in pairs]
            return draw.pick(choices) if choices else None
        if self.tendons and draw.chance(0.25):
            return {"tendon": draw.pick(self.tendons)}
        if pairs and tag != "muscle" and draw.chance(0.4):
            first, second = draw.pick(pairs)
            return draw.pick(
                (
                    {"site": first},
                    {"site": first, "refsite": second},
                    {
                        "cranksite": first,
                        "slidersite": second,
                        "cranklength": text(draw.real(1, 3)),
                    },
                )
            )
        names = [name for found in self.joints.values() for name in found]
        return {draw.pick(("joint", "joint", "jointinparent")): draw.pick(names)} if names else None


def _defaults(root: Node, draw: Draw) -> list[str]:
    """Actuator defaults of the main class and of two new ones, one within the other."""
    main = root.find("default")
    assert main is not None
    outer = ElementTree.SubElement(main, "default", {"class": "driven"})
    inner = ElementTree.SubElement(outer, "default", {"class": "driven more"})
    special = [tag for tag in OWN if tag not in ("orientation", "adhesion")]
    for node, probability in ((main, 0.3), (outer, 0.6), (inner, 0.6)):
        if draw.chance(probability):
            # all actuators inherit from main, so it has nothing that excludes some of them
            tag = draw.pick(PLAIN if node is main else special)
            attributes = _common(tag, draw) | OWN[tag](draw)
            for name in ("tausmooth", "inheritrange", "actrange"):
                attributes.pop(name, None)
            # classes are shared by actuators on joints and on sites
            for name in ("damping", "armature"):
                attributes.pop(name, None)
            ElementTree.SubElement(node, tag, attributes)
    return ["driven", "driven more"]


def _common(tag: str, draw: Draw) -> Attributes:
    found: Attributes = {}
    if draw.chance(0.3):
        found["group"] = str(draw.whole(0, 6))
    if draw.chance(0.2):
        found |= {"nsample": str(draw.whole(1, 5)), "delay": text(draw.real(0, 0.1))}
        found["interp"] = draw.pick(("zoh", "linear", "cubic"))
    if draw.chance(0.1):
        found["user"] = draw.vector(2, draw.whole(1, 3))
    if draw.chance(0.4) and tag != "orientation":
        found["ctrlrange"] = text(draw.real(0, 0.5), draw.real(1, 2))
        if tag not in ("damper", "adhesion"):
            found["ctrllimited"] = draw.pick(("true", "true", "false"))
    if tag not in ("orientation", "adhesion") and draw.chance(0.5):
        found["gear"] = draw.vector(3, draw.whole(1, 6))
    return found


def _servo(draw: Draw) -> Attributes:
    found = {"kp": text(draw.real(0.5, 50))}
    if draw.chance(0.7):
        found[draw.pick(("kv", "dampratio"))] = text(draw.real(0, 2))
    return found


def _general(draw: Draw) -> Attributes:
    found: Attributes = {}
    if draw.chance(0.5):
        found["gaintype"] = draw.pick(("fixed", "affine", "user"))
        found["biastype"] = draw.pick(("none", "affine", "user"))
    if draw.chance(0.5):
        found["dyntype"] = draw.pick(("none", "integrator", "filter", "filterexact", "user"))
        found["dynprm"] = draw.positive(0.1, 1, draw.whole(1, 10))
    for name in ("gainprm", "biasprm"):
        if draw.chance(0.5):
            found[name] = draw.vector(5, draw.whole(1, 10))
    if draw.chance(0.3):
        found["actearly"] = "true"
    return found


def _position(draw: Draw) -> Attributes:
    return _servo(draw) | ({"timeconst": text(draw.real(0, 0.5))} if draw.chance(0.4) else {})


def _pid(draw: Draw) -> Attributes:
    found = _servo(draw)
    for name in ("ki", "imax", "slewmax"):
        if draw.chance(0.4):
            found[name] = text(draw.real(0.1, 2))
    if draw.chance(0.4):
        found["input"] = draw.pick(("pos", "pos vel", "pos ff", "pos vel ff"))
    if draw.chance(0.3):
        found["velrange"] = "-1 2"
    if draw.chance(0.2):
        found |= {"posrange": "-2 1", "ctrllimited": "true"}
    return found


def _cylinder(draw: Draw) -> Attributes:
    size = draw.pick(("area", "diameter"))
    found = {size: text(draw.real(0.1, 1)), "timeconst": text(draw.real(0.1, 2))}
    return found | ({"bias": draw.vector(2)} if draw.chance(0.5) else {})


def _muscle(draw: Draw) -> Attributes:
    found: Attributes = {}
    ranges = {"force": (1, 100), "scale": (50, 300), "lmin": (0.2, 0.8), "lmax": (1.1, 2)}
    for name, (low, high) in ranges.items():
        if draw.chance(0.4):
            found[name] = text(draw.real(low, high))
    if draw.chance(0.3):
        found["tausmooth"] = text(draw.real(0, 0.2))
    return found


def _dcmotor(draw: Draw) -> Attributes:
    found = {"resistance": text(draw.real(0.5, 3)), "motorconst": draw.positive(0.1, 2, 2)}
    parts = {"saturation": 3, "inductance": 2, "cogging": 3, "lugre": 5}
    for name, count in parts.items():
        if draw.chance(0.3):
            found[name] = draw.positive(0.1, 2, draw.whole(1, count))
    if draw.chance(0.3):
        found["thermal"] = draw.positive(0.1, 2, 6)
    if draw.chance(0.3):
        found |= {"input": "pos vel", "controller": draw.positive(0.1, 2, 6)}
    return found


OWN: dict[str, Callable[[Draw], Attributes]] = {
    "general": _general,
    "motor": lambda draw: {},
    "position": _position,
    "velocity": lambda draw: {"kv": text(draw.real(0.1, 5))},
    "intvelocity": _servo,
    "orientation": _servo,
    "pid": _pid,
    "damper": lambda draw: {"kv": text(draw.real(0.1, 5)), "ctrlrange": "0 1"},
    "cylinder": _cylinder,
    "muscle": _muscle,
    "adhesion": lambda draw: {"gain": text(draw.real(0.1, 5)), "ctrlrange": "0 1"},
    "dcmotor": _dcmotor,
}
