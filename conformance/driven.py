"""Random models with actuators of every kind that the engine steps, and nothing else new."""

from __future__ import annotations

from xml.etree import ElementTree

from conformance.actuators import OWN, add_actuators
from conformance.draw import Draw, text
from conformance.generate import smooth_tree, written
from conformance.sensors import add_sensors, keep_smooth_sensors
from conformance.wiring import Wires

__all__ = ["driven_model", "pulled_model"]

Node = ElementTree.Element
#: seeds of what is added, apart from those of the tree
ADDED = 2 * 10**6
#: bodies that get a site to act on
MARKED = 4


#: what pulls at tendons
PULLING = ("motor", "position", "velocity", "pid", "damper", "muscle", "dcmotor", "general")


def driven_model(seed: int, integrator: str = "Euler", *, delayed: bool = False) -> str:
    """MJCF text of a random contact-free model with actuators.

    delayed: some of them get their controls late.

    >>> "<actuator>" in driven_model(3)
    True
    """
    root, draw = smooth_tree(seed, integrator), Draw(seed + ADDED)
    _drive(root, draw, delayed=delayed)
    return written(root)


def pulled_model(seed: int, integrator: str = "Euler") -> str:
    """The same with tendons, actuators on them, and sensors.

    >>> 'tendon="' in pulled_model(3)
    True
    """
    root, draw = smooth_tree(seed, integrator), Draw(seed + 2 * ADDED)
    if root.find("default") is None:
        ElementTree.SubElement(root, "default")
    Wires(draw, root).tendons()
    for tendon in root.iterfind("tendon/*"):
        # constraints
        for name in ("range", "limited", "frictionloss"):
            tendon.attrib.pop(name, None)
    _drive(root, draw, pulling=True)
    add_sensors(root, draw, most=30)
    keep_smooth_sensors(root)
    for section in root.iterfind("sensor"):
        for sensor in section.findall("camprojection"):
            # of a site in its camera's plane, rounding alone says on which side it is
            section.remove(sensor)
    return written(root)


def _drive(root: Node, draw: Draw, *, pulling: bool = False, delayed: bool = False) -> None:
    """Add actuators, with what they act on."""
    compiler, world = root.find("compiler"), root.find("worldbody")
    assert compiler is not None and world is not None
    draw.degrees = compiler.get("angle") != "radian"
    if root.find("default") is None:
        ElementTree.SubElement(root, "default")
    for number, body in enumerate(list(world.iter("body"))[:MARKED]):
        pose = {"pos": draw.vector(0.3, 3), "quat": draw.vector(1, 4)}
        ElementTree.SubElement(body, "site", {"name": f"driven {number}", **pose})
    # numbers of controls and activations would have to fit
    for keys in root.findall("keyframe"):
        root.remove(keys)
    add_actuators(root, draw)
    if pulling:
        _pull(root, draw)
    for node in root.iter():
        if node.tag in OWN:
            _make_steppable(node, draw, delayed)
    for section in root.iter("actuator"):
        for node in section.findall("adhesion"):
            section.remove(node)
    _limit_joints(root, draw)


def _pull(root: Node, draw: Draw) -> None:
    """One or two actuators on each tendon that has a name, some with damping and inertia."""
    section = root.find("actuator")
    assert section is not None
    for tendon in root.iterfind("tendon/*"):
        for _ in range(draw.whole(1, 2) if "name" in tendon.attrib else 0):
            tag = draw.pick(PULLING)
            attributes = {"tendon": tendon.attrib["name"], **OWN[tag](draw)}
            if tag == "muscle":
                attributes["lengthrange"] = text(0.3, 0.3 + draw.real(0.1, 2))
            if draw.chance(0.5):
                attributes["gear"] = draw.vector(2, 1)
            if draw.chance(0.3) and tag != "dcmotor":
                attributes["forcelimited"] = "true"
                attributes["forcerange"] = text(-draw.real(0.1, 3), draw.real(0.1, 3))
            if draw.chance(0.3):
                attributes["damping"] = draw.positive(0, 1, draw.whole(1, 3))
            if draw.chance(0.3) and tendon.find("geom") is None:
                attributes["armature"] = text(draw.real(0.005, 0.03))
            # numbers first: replicas put theirs behind a name, and must not make another of it
            attributes["name"] = f"{len(section)} pulling"
            ElementTree.SubElement(section, tag, attributes)


def _make_steppable(node: Node, draw: Draw, delayed: bool) -> None:
    """Take away what the engine cannot do yet, and what no step is short enough for."""
    for name in () if delayed else ("nsample", "delay", "interp"):
        node.attrib.pop(name, None)
    for name in ("gaintype", "biastype", "dyntype"):
        if node.get(name) == "user":
            del node.attrib[name]
    if node.tag == "muscle" and "tendon" in node.attrib:
        # by default, a muscle that hardly moves anything is as much stronger
        node.attrib.setdefault("force", text(draw.real(1, 30)))
    if "thermal" in node.attrib:
        # far below its reference temperature, a winding would have no resistance
        *others, reference, _ = map(float, node.attrib["thermal"].split())
        node.set("thermal", text(*others, reference, reference + 0.1))
    if "lugre" in node.attrib:
        # without friction, bristles lose their bend at a rate of 1e15
        node.set("lugre", draw.positive(0.5, 2, 5))


def _limit_joints(root: Node, draw: Draw) -> None:
    """Limits of the force that actuators have on joints, and gravity compensation by them."""
    for joint in root.iterfind("worldbody//joint"):
        if joint.get("type", "hinge") not in ("hinge", "slide"):
            continue
        if draw.chance(0.3):
            joint.set("actuatorfrclimited", "true")
            joint.set("actuatorfrcrange", text(-draw.real(0.1, 5), draw.real(0.1, 5)))
        if draw.chance(0.3):
            joint.set("actuatorgravcomp", "true")
