"""Random models that attach another random model, wholly or in part, once or twice."""

from __future__ import annotations

from xml.etree import ElementTree

from conformance.draw import Draw
from conformance.generate import random_model

__all__ = ["attached_model"]

Node = ElementTree.Element
#: between the seeds of a model and of what it attaches
APART = 5000
FILE = "part.xml"


def attached_model(seed: int) -> tuple[str, dict[str, bytes]]:
    """MJCF text, and the file that it attaches; what MuJoCo refuses of it has to be refused."""
    draw = Draw(seed + 2 * 10**6)
    root, part = (ElementTree.fromstring(random_model(n)) for n in (seed, seed + APART))
    world = root.find("worldbody")
    assert world is not None
    model = ElementTree.SubElement(ElementTree.SubElement(root, "asset"), "model", name="part")
    model.set("file", FILE)
    for number in range(draw.whole(1, 2)):
        holder = ElementTree.SubElement(world, "frame", draw.pose(1)) if draw.chance(0.5) else world
        attributes = {"model": "part", "prefix": f"part {number}/"} | _what(part, draw)
        ElementTree.SubElement(holder, "attach", attributes)
    # settings that differ are refused by other policies than the first
    _policy(root, draw.pick(("warning", "warning", "warning", "merge")))
    _policy(part, "warning")
    for document in (root, part):
        _avoid_faults(document)
        # what is attached makes a model's states longer
        for keys in document.findall("keyframe") if draw.chance(0.8) else ():
            document.remove(keys)
    return _text(root), {FILE: _text(part).encode()}


def _what(part: Node, draw: Draw) -> dict[str, str]:
    """A body or a frame by its name, or all of the model."""
    kind = draw.pick(("body", "body", "frame", ""))
    copied = {node for copies in part.iter("replicate") for node in copies.iter(kind)}
    names = [
        node.attrib["name"]
        for node in part.iterfind(f"worldbody//{kind}" if kind else "none")
        if "name" in node.attrib and node not in copied
    ]
    return {kind: draw.pick(names)} if names else {}


def _avoid_faults(document: Node) -> None:
    """Leave out where MuJoCo goes wrong and CortenForge does not follow.

    Angles of attached bodies that are fused are taken in the units of the model around them; the
    inertia matrix may lose its sign when armature of a tendon couples the branches of a tree.
    """
    for compiler in document.iter("compiler"):
        compiler.attrib.pop("fusestatic", None)
    for tag in ("tendon", "fixed", "spatial"):
        for tendon in document.iter(tag):
            tendon.attrib.pop("armature", None)


def _policy(document: Node, conflict: str) -> None:
    compiler = document.find("compiler")
    assert compiler is not None
    compiler.set("conflict", conflict)


def _text(root: Node) -> str:
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode")
