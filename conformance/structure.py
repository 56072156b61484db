"""More of a random model's tree: replicates in replicates, bodies that are led, sites of meshes."""

from __future__ import annotations

from xml.etree import ElementTree

from conformance import elements
from conformance.draw import Draw, text

__all__ = ["add_structure"]

Node = ElementTree.Element


def add_structure(root: Node, draw: Draw) -> None:
    """Things that a smooth model has seldom or never."""
    world = root.find("worldbody")
    assert world is not None
    if draw.chance(0.3):
        _grid(world, draw)
    if draw.chance(0.3):
        _led(world, draw)
    meshes = [node.attrib["name"] for node in root.iterfind("asset/mesh")]
    for node in [*world.iter("body")]:
        if meshes and draw.chance(0.2):
            name = f"{draw.pick(meshes)} in {len(world.findall('.//site'))}"
            shape = {"type": "mesh", "mesh": draw.pick(meshes), "name": name}
            ElementTree.SubElement(node, "site", shape | draw.pose(0.2))


def _replicate(parent: Node, draw: Draw, sep: str) -> Node:
    attributes = {"count": str(draw.whole(1, 3)), "sep": sep, "offset": draw.vector(0.4)}
    if draw.chance(0.5):
        attributes["euler"] = text(*(draw.angle(-1, 1) for _ in range(3)))
    return ElementTree.SubElement(parent, "replicate", attributes)


def _grid(world: Node, draw: Draw) -> None:
    """A replicate in a frame in a replicate, with a body that has some of everything."""
    frame = ElementTree.SubElement(_replicate(world, draw, "-"), "frame", draw.pose(0.3))
    body = ElementTree.SubElement(_replicate(frame, draw, "_"), "body", name="cell")
    body.attrib |= draw.pose(0.3)
    for i in range(draw.whole(0, 2)):
        hinge = elements.joint(draw, "hinge", draw.axis(), limits=False, autolimits=True)
        ElementTree.SubElement(body, "joint", hinge | {"name": f"cell turn {i}"})
    geom = elements.geom(draw, draw.pick(tuple(elements.SIZES)), fluid=False)
    # masses that no setting can take away
    geom.pop("density", None)
    geom |= {"name": "cell shape", "mass": "1", "group": "2"}
    ElementTree.SubElement(body, "geom", geom)
    if draw.chance(0.6):
        ElementTree.SubElement(body, "site", elements.site(draw) | {"name": "cell mark"})
    if draw.chance(0.3):
        ElementTree.SubElement(body, "camera", elements.camera(draw, []) | {"name": "cell eye"})
    # with inertia from nothing but what is written
    inertial = elements.inertial(draw, balance=False)
    ElementTree.SubElement(body, "inertial", inertial)


def _led(world: Node, draw: Draw) -> None:
    """A mocap body, and a static one in it."""
    body = ElementTree.SubElement(world, "body", draw.pose(1) | {"name": "led", "mocap": "true"})
    ElementTree.SubElement(body, "geom", elements.geom(draw, "box", fluid=False))
    # without a mass it could not be fused
    pose = draw.pose(0.3) | {"name": "led along", "fuse": "false"}
    inner = ElementTree.SubElement(body, "body", pose)
    ElementTree.SubElement(inner, "site", elements.site(draw) | {"name": "led mark"})
