"""Bounding volume hierarchies (BVH): axis-aligned boxes around geoms of bodies, faces of meshes.

A node is split at the median along the longest edge of its box, until each box holds one leaf.
Boxes of geoms are aligned with the inertial frame of the body, those of faces with the mesh frame.
Faces are sorted by the centres of their circumscribed circles; with a = p - r, b = q - r,

    centre = r + (|a|^2 b - |b|^2 a) x (a x b) / (2 |a x b|^2)
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from cortenforge.compile.mesh.surface_kernels import face_leaves
from cortenforge.compile.pack.bvh_kernels import bvh_nodes, ordered_bvh_nodes
from cortenforge.quaternions import conjugate_quats, rotate_vectors

Arrays = dict[str, np.ndarray]
BOX_CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))


@dataclass
class BvhLeaves:
    """Leaves of trees: ids, points to sort them by, lowest and highest corners of boxes.

    Points are (3, leaves), corners (leaves, 3); `count` is the number of leaves of each tree.
    """

    count: np.ndarray
    number: np.ndarray
    place: np.ndarray
    low: np.ndarray
    high: np.ndarray


def all_bvh_arrays(bodies: Arrays, meshes: list[Arrays]) -> tuple[Arrays, dict[str, int]]:
    """Arrays of the trees of all bodies, then of meshes; and their sizes."""
    leaves = _geom_leaves(bodies)
    parts = [bvh_node_arrays(leaves), *meshes]
    result = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    total = len(result["bvh_depth"])
    for kind, count, start in (
        ("body", node_counts(leaves.count), 0),
        (
            "mesh",
            np.array([len(mesh["bvh_depth"]) for mesh in meshes], int),
            len(parts[0]["bvh_depth"]),
        ),
    ):
        first = np.cumsum(count) - count + start
        result[f"{kind}_bvhadr"] = np.where(count > 0, first, -1).astype(np.int32)
        result[f"{kind}_bvhnum"] = count.astype(np.int32)
    return result, {"nbvh": total, "nbvhstatic": total, "nbvhdynamic": 0}


def face_tree(vert: np.ndarray, face: np.ndarray) -> Arrays:
    """The tree over the faces of a mesh."""
    return _node_arrays(bvh_nodes(np.array([len(face)]), *face_leaves(vert, face)))


def leaf_order(tree: Arrays) -> np.ndarray:
    """Faces in the order of a tree's leaves, from which `ordered_face_tree` makes the tree."""
    number = tree["bvh_nodeid"]
    order: np.ndarray = number[number >= 0]
    return order


def ordered_face_tree(vert: np.ndarray, face: np.ndarray, order: np.ndarray) -> Arrays:
    """The tree over the faces of a mesh, whose leaves are in this order."""
    _, low, high = face_leaves(vert, face)
    return _node_arrays(ordered_bvh_nodes(order, low, high))


def _geom_leaves(arrays: Arrays) -> BvhLeaves:
    """Boxes of all geoms that can collide, in the inertial frames of their bodies."""
    geoms = np.flatnonzero((arrays["geom_contype"] | arrays["geom_conaffinity"]) != 0)
    body = arrays["geom_bodyid"][geoms]
    place = rotate_vectors(
        _to_inertial_frame(arrays, body), arrays["geom_pos"][geoms] - arrays["body_ipos"][body]
    )
    count = np.bincount(body, minlength=len(arrays["body_parentid"]))
    low, high = geom_boxes_in_inertial_frames(arrays, geoms)
    return BvhLeaves(count, geoms, place.T, low, high)


def geom_boxes_in_inertial_frames(
    arrays: Arrays, geoms: Any = slice(None)
) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corners of geoms in the inertial frames of their bodies (geoms, 3)."""
    body = arrays["geom_bodyid"][geoms]
    pos = arrays["geom_pos"][geoms] - arrays["body_ipos"][body]
    aabb, quat = arrays["geom_aabb"][geoms], arrays["geom_quat"][geoms]
    corners = aabb[:, None, :3] + BOX_CORNERS * aabb[:, None, 3:]
    turned = rotate_vectors(quat[:, None, :], corners) + pos[:, None, :]
    points = rotate_vectors(_to_inertial_frame(arrays, body)[:, None, :], turned)
    return points.min(axis=1), points.max(axis=1)


def _to_inertial_frame(arrays: Arrays, body: np.ndarray) -> np.ndarray:
    """Quaternions from bodies to their inertial frames (conjugates of body_iquat)."""
    return conjugate_quats(arrays["body_iquat"][body])


def node_counts(leaf_count: np.ndarray) -> np.ndarray:
    """How many nodes trees have."""
    result: np.ndarray = np.maximum(2 * leaf_count - 1, 0)
    return result


def bvh_node_arrays(leaves: BvhLeaves) -> Arrays:
    """Nodes of all trees, in each tree depth first and left before right."""
    made = bvh_nodes(leaves.count, leaves.place, leaves.low, leaves.high)
    leaf = made["leaf"]
    if len(leaf):
        made["leaf"] = np.where(leaf >= 0, leaves.number[leaf], -1).astype(np.int32)
    return _node_arrays(made)


def _node_arrays(made: Arrays) -> Arrays:
    """Nodes under the names of Model fields."""
    return {
        "bvh_depth": made["depth"],
        "bvh_child": made["child"],
        "bvh_nodeid": made["leaf"],
        "bvh_aabb": made["box"],
    }
