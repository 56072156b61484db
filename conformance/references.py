"""What refers to objects of all kinds in a random model: tuples, and states in keyframes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from conformance.draw import Draw, text

__all__ = ["add_tuples", "fill_keyframes", "named_outside"]

Node = ElementTree.Element
#: tags of elements in the tree whose object type is called otherwise
KINDS = {"freejoint": "joint"}
OBJECTS = ("body", "joint", "geom", "site", "camera", "light")
#: other places of objects, and what those are called that are not called like their section
SECTIONS: dict[str, dict[str, str]] = {
    "asset": {tag: tag for tag in ("mesh", "hfield", "texture", "material")},
    "contact": {"pair": "pair", "exclude": "exclude"},
    "tendon": {},
    "equality": {},
    "actuator": {},
    "sensor": {},
}


def named_outside(root: Node) -> Iterator[tuple[str, str]]:
    """Type and name of every object that has no replicas, so that its name stays what it is."""
    world = root.find("worldbody")
    assert world is not None
    joined: set[str | None] = set()
    for copies in world.iter("replicate"):
        joined |= {node.get("name") for node in copies.iter() if "name" in node.attrib}
    for node in world.iter():
        kind = KINDS.get(node.tag, node.tag)
        if kind in OBJECTS and "name" in node.attrib and node.get("name") not in joined:
            yield kind, node.attrib["name"]
    # in this order, each can refer to those before it and has replicas if they have
    for place, kinds in SECTIONS.items():
        for node in root.iterfind(f"{place}/*"):
            name = node.get("name")
            if any(value in joined for inner in node.iter() for value in inner.attrib.values()):
                joined.add(name)
            elif name:
                yield kinds.get(node.tag, place), name


def add_tuples(root: Node, draw: Draw) -> None:
    """Groups of anything that has a name, groups of groups among them."""
    if draw.chance(0.5):
        return
    # in a tuple, MuJoCo takes a name with blanks for several
    found = [(kind, name) for kind, name in named_outside(root) if " " not in name]
    custom = ElementTree.SubElement(root, "custom")
    ElementTree.SubElement(custom, "numeric", name="level", data=draw.vector(1, 2))
    ElementTree.SubElement(custom, "text", name="remark", data=draw.pick(("a b", "é", "x")))
    found += [("numeric", "level"), ("text", "remark")]
    if root.find(".//replicate") is not None:
        # MuJoCo copies a tuple with every replicate unless all it names stands in the tree
        found = [(kind, name) for kind, name in found if kind in OBJECTS]
    if not found:
        return
    for number in range(draw.whole(1, 3)):
        group = ElementTree.SubElement(custom, "tuple", name=f"tuple{number}")
        for _ in range(draw.whole(1, 4)):
            kind, name = draw.pick(found)
            attributes = {"objtype": kind, "objname": name}
            if draw.chance(0.5):
                attributes["prm"] = text(draw.real(-1, 1))
            ElementTree.SubElement(group, "element", attributes)
        if root.find(".//replicate") is None:
            found.append(("tuple", f"tuple{number}"))


def fill_keyframes(root: Node, draw: Draw, sizes: Any) -> None:
    """Keyframes of any part of the state; `sizes` has nq, nv, nu, na and nmocap."""
    section = root.find("keyframe")
    if section is None:
        if draw.chance(0.6):
            return
        section = ElementTree.SubElement(root, "keyframe")
        ElementTree.SubElement(section, "key", time="0.5")
    counts = {"qpos": sizes.nq, "qvel": sizes.nv, "ctrl": sizes.nu, "act": sizes.na}
    counts |= {"mpos": 3 * sizes.nmocap, "mquat": 4 * sizes.nmocap}
    for key in section:
        for name, count in counts.items():
            key.attrib.pop(name, None)
            if count and draw.chance(0.6):
                key.set(name, text(*draw.rng.normal(size=count)))
