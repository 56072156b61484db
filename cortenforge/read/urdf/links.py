"""Links to bodies: inertia, collision geoms, visual geoms, colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.errors import UrdfError
from cortenforge.grammar.node import Node
from cortenforge.read.urdf.grammar import MOMENTS, RULES, SHAPES
from cortenforge.read.urdf.meshes import MeshTable
from cortenforge.read.urdf.nodes import (
    UniqueNames,
    UnusedNotes,
    exact_text,
    note_unused_children,
    only_child,
    origin_attributes,
    origin_pose,
    real_attribute,
    real_attributes,
    required_child,
    typed_attributes,
)


@dataclass
class LinkContext:
    """What links share: colours by material, meshes, names of geoms."""

    notes: UnusedNotes
    meshes: MeshTable
    names: UniqueNames
    colours: dict[str, np.ndarray]
    keep_visual: bool


def named_colours(root: Node, notes: UnusedNotes) -> dict[str, np.ndarray]:
    """Colours of all named materials anywhere in the file; the first of a name counts."""
    colours: dict[str, np.ndarray] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        pending.extend(reversed(node.children))
        name = node.attributes.get("name")
        if node.tag != "material" or name is None or name in colours:
            continue
        color = only_child(node, "color")
        if color is not None:
            colours[name] = real_attributes(typed_attributes(color, notes), "rgba")
    return colours


def link_body(link: Node, looks: LinkContext) -> Node:
    """A link as a body; its place comes from the joint above it."""
    name = str(typed_attributes(link, looks.notes)["name"])
    note_unused_children(link, looks.notes)
    body = Node("body", link.where, {"name": name} if name else {})
    inertial = only_child(link, "inertial")
    if inertial is not None:
        body.children.append(_inertial_node(inertial, looks.notes))
    colour: np.ndarray | None = None
    for node in link.children:
        if node.tag == "visual":
            colour = _visual_colour(node, looks, colour)
        if node.tag == "collision" or (node.tag == "visual" and looks.keep_visual):
            body.children.append(_geom_node(node, looks, colour))
    return body


def _inertial_node(node: Node, notes: UnusedNotes) -> Node:
    """Mass and inertia; a zero matrix means unknown, and stays zero."""
    note_unused_children(node, notes)
    mass = real_attribute(typed_attributes(required_child(node, "mass"), notes), "value")
    moments = typed_attributes(required_child(node, "inertia"), notes)
    full = [real_attribute(moments, name) for name in MOMENTS]
    origin = origin_pose(node, notes)
    made = {"pos": exact_text(*real_attributes(origin, "xyz")), "mass": exact_text(mass)}
    if any(full):
        # MJCF takes a full matrix in the body's axes only
        made["fullinertia"] = exact_text(*_rotated_inertia(full, real_attributes(origin, "rpy")))
    else:
        made |= {"euler": exact_text(*real_attributes(origin, "rpy")), "diaginertia": "0 0 0"}
    return Node("inertial", node.where, made)


def _rotated_inertia(full: list[float], rpy: np.ndarray) -> list[float]:
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


def _visual_colour(
    visual: Node, looks: LinkContext, before: np.ndarray | None
) -> np.ndarray | None:
    """Colour from here on: the material's own, that of its name, or the one before."""
    material = only_child(visual, "material")
    if material is None:
        return before
    note_unused_children(material, looks.notes)
    color = only_child(material, "color")
    if color is not None:
        return real_attributes(typed_attributes(color, looks.notes), "rgba")
    name = material.attributes.get("name")
    if name is None:
        raise UrdfError("a material needs a name or a <color>", material.where, attribute="name")
    if name not in looks.colours:
        looks.notes.remark(f"no material '{name}' has a colour", material.where)
    return looks.colours.get(name, before)


def _geom_node(node: Node, looks: LinkContext, colour: np.ndarray | None) -> Node:
    """A visual or collision element as a geom."""
    notes = looks.notes
    name = str(typed_attributes(node, notes).get("name") or "")
    note_unused_children(node, notes)
    geom = Node("geom", node.where, {**_shape_attributes(required_child(node, "geometry"), looks)})
    geom.attributes.update(origin_attributes(node, notes))
    # MuJoCo takes a negative red for no colour
    if colour is not None and colour[0] >= 0:
        geom.attributes["rgba"] = exact_text(*colour)
    if node.tag == "visual":
        geom.attributes |= {"contype": "0", "conaffinity": "0", "group": "1", "density": "0"}
    name = looks.names.take(name, node.where)
    if name:
        geom.attributes["name"] = name
    return geom


def _shape_attributes(geometry: Node, looks: LinkContext) -> dict[str, str]:
    """Type and size of a geom; MJCF counts lengths from the middle."""
    note_unused_children(geometry, looks.notes)
    found = [node for tag in SHAPES if (node := only_child(geometry, tag)) is not None]
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
    values = typed_attributes(shape, looks.notes, RULES[shape.tag])
    if shape.tag == "mesh":
        scale = real_attributes(values, "scale")
        return {"type": "mesh", "mesh": looks.meshes.use(shape, str(values["filename"]), scale)}
    if shape.tag == "box":
        return {"type": "box", "size": exact_text(*real_attributes(values, "size") / 2)}
    size = [real_attribute(values, "radius")]
    if "length" in values:
        size.append(real_attribute(values, "length") / 2)
    return {"type": shape.tag, "size": exact_text(*size)}
