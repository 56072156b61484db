"""Random models with actuators of every kind that the engine steps, and nothing else new."""

from __future__ import annotations

from xml.etree import ElementTree

from conformance.actuators import OWN, add_actuators
from conformance.draw import Draw, text
from conformance.generate import smooth_tree, written

__all__ = ["driven_model"]

Node = ElementTree.Element
#: seeds of what is added, apart from those of the tree
ADDED = 2 * 10**6
#: bodies that get a site to act on
MARKED = 4


def driven_model(seed: int, integrator: str = "Euler", *, delayed: bool = False) -> str:
    """MJCF text of a random contact-free model with actuators.

    delayed: some of them get their controls late.

    >>> "<actuator>" in driven_model(3)
    True
    """
    root, draw = smooth_tree(seed, integrator), Draw(seed + ADDED)
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
    for node in root.iter():
        if node.tag in OWN:
            _make_steppable(node, draw, delayed)
    for section in root.iter("actuator"):
        for node in section.findall("adhesion"):
            section.remove(node)
    _limit_joints(root, draw)
    return written(root)


def _make_steppable(node: Node, draw: Draw, delayed: bool) -> None:
    """Take away what the engine cannot do yet, and what no step is short enough for."""
    for name in () if delayed else ("nsample", "delay", "interp"):
        node.attrib.pop(name, None)
    for name in ("gaintype", "biastype", "dyntype"):
        if node.get(name) == "user":
            del node.attrib[name]
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
