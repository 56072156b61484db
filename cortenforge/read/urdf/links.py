"""Links to bodies: inertia, shapes for collision, shapes to look at, colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.errors import UrdfError
from cortenforge.grammar.node import Node
from cortenforge.read.urdf.grammar import MOMENTS, RULES, SHAPES
from cortenforge.read.urdf.meshes import MeshTable
from cortenforge.read.urdf.nodes import (
    Names,
    Notes,
    attributes,
    child,
    needed,
    note_children,
    number,
    placed,
    pose,
    vector,
    words,
)


@dataclass
class Looks:
    """What links share: colours by material, meshes, names of geoms."""

    notes: Notes
    meshes: MeshTable
    names: Names
    colours: dict[str, np.ndarray]
    keep_visual: bool


def find_colours(root: Node, notes: Notes) -> dict[str, np.ndarray]:
    """Colours of all named materials anywhere in the file; the first of a name counts."""
    colours: dict[str, np.ndarray] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        pending.extend(reversed(node.children))
        name = node.attributes.get("name")
        if node.tag != "material" or name is None or name in colours:
            continue
        color = child(node, "color")
        if color is not None:
            colours[name] = vector(attributes(color, notes), "rgba")
    return colours


def body_of(link: Node, looks: Looks) -> Node:
    """A link as a body; its place comes from the joint above it."""
    name = str(attributes(link, looks.notes)["name"])
    note_children(link, looks.notes)
    body = Node("body", link.where, {"name": name} if name else {})
    inertial = child(link, "inertial")
    if inertial is not None:
        body.children.append(_inertial(inertial, looks.notes))
    colour: np.ndarray | None = None
    for node in link.children:
        if node.tag == "visual":
            colour = _colour(node, looks, colour)
        if node.tag == "collision" or (node.tag == "visual" and looks.keep_visual):
            body.children.append(_geom(node, looks, colour))
    return body


def _inertial(node: Node, notes: Notes) -> Node:
    """Mass and inertia; a matrix of zeros means that nobody knew, and stays zero."""
    note_children(node, notes)
    mass = number(attributes(needed(node, "mass"), notes), "value")
    moments = attributes(needed(node, "inertia"), notes)
    full = [number(moments, name) for name in MOMENTS]
    origin = pose(node, notes)
    made = {"pos": words(*vector(origin, "xyz")), "mass": words(mass)}
    if any(full):
        # MJCF takes a full matrix in the body's axes only
        made["fullinertia"] = words(*_turned(full, vector(origin, "rpy")))
    else:
        made |= {"euler": words(*vector(origin, "rpy")), "diaginertia": "0 0 0"}
    return Node("inertial", node.where, made)


def _turned(full: list[float], rpy: np.ndarray) -> list[float]:
    """A symmetric matrix xx yy zz xy xz yz seen from axes that roll, pitch and yaw lead back to."""
    if not rpy.any():
        return full
    xx, yy, zz, xy, xz, yz = full
    (cx, cy, cz), (sx, sy, sz) = np.cos(rpy), np.sin(rpy)
    roll = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    pitch = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    yaw = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    turn = yaw @ pitch @ roll
    seen = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
    return [float(seen[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]


def _colour(visual: Node, looks: Looks, before: np.ndarray | None) -> np.ndarray | None:
    """Colour from here on: the material's own, that of its name, or the one before."""
    material = child(visual, "material")
    if material is None:
        return before
    note_children(material, looks.notes)
    color = child(material, "color")
    if color is not None:
        return vector(attributes(color, looks.notes), "rgba")
    name = material.attributes.get("name")
    if name is None:
        raise UrdfError("a material needs a name or a <color>", material.where, attribute="name")
    if name not in looks.colours:
        looks.notes.remark(f"no material '{name}' has a colour", material.where)
    return looks.colours.get(name, before)


def _geom(node: Node, looks: Looks, colour: np.ndarray | None) -> Node:
    """A visual or collision element as a geom."""
    notes = looks.notes
    name = str(attributes(node, notes).get("name") or "")
    note_children(node, notes)
    geom = Node("geom", node.where, {**_shape(needed(node, "geometry"), looks)})
    geom.attributes.update(placed(node, notes))
    # MuJoCo takes a negative red for no colour
    if colour is not None and colour[0] >= 0:
        geom.attributes["rgba"] = words(*colour)
    if node.tag == "visual":
        geom.attributes |= {"contype": "0", "conaffinity": "0", "group": "1", "density": "0"}
    name = looks.names.take(name, node.where)
    if name:
        geom.attributes["name"] = name
    return geom


def _shape(geometry: Node, looks: Looks) -> dict[str, str]:
    """Type and size of a geom; MJCF counts lengths from the middle."""
    note_children(geometry, looks.notes)
    found = [node for tag in SHAPES if (node := child(geometry, tag)) is not None]
    if not found:
        raise UrdfError(
            "expected a shape that is known here",
            geometry.where,
            got=None,
            hint=f"one of {', '.join(f'<{tag}>' for tag in SHAPES)}",
        )
    for extra in found[1:]:
        looks.notes.leave_out(extra.tag, extra.where)
    shape = found[0]
    values = attributes(shape, looks.notes, RULES[shape.tag])
    if shape.tag == "mesh":
        scale = vector(values, "scale")
        return {"type": "mesh", "mesh": looks.meshes.use(shape, str(values["filename"]), scale)}
    if shape.tag == "box":
        return {"type": "box", "size": words(*vector(values, "size") / 2)}
    size = [number(values, "radius")]
    if "length" in values:
        size.append(number(values, "length") / 2)
    return {"type": shape.tag, "size": words(*size)}
