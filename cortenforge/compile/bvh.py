"""Trees of boxes around the geoms of each body, for a quick first look for contacts.

A tree is split at the median along the longest edge of its box, until each box holds one geom.
Boxes are aligned with the body's inertial frame.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cmp_to_key
from itertools import product

import numpy as np

from cortenforge.compile.rotation import EPS

Arrays = dict[str, np.ndarray]
CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))


@dataclass
class Leaves:
    """What a tree is built of: numbers for its nodes, centres to sort by, lowest and highest."""

    number: np.ndarray
    centre: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass
class Boxes:
    """Nodes of one tree, each before its children."""

    depth: list[int] = field(default_factory=list)
    child: list[list[int]] = field(default_factory=list)
    nodeid: list[int] = field(default_factory=list)
    aabb: list[np.ndarray] = field(default_factory=list)


def body_bvh_arrays(arrays: Arrays) -> tuple[Arrays, dict[str, int]]:
    """Trees of all bodies, one after the other, and their sizes."""
    trees = [_body_boxes(body, arrays) for body in range(len(arrays["body_parentid"]))]
    count = np.array([len(boxes.depth) for boxes in trees], np.int32)
    total = int(count.sum())
    start = np.cumsum(count) - count
    result = {
        "body_bvhadr": np.where(count > 0, start, -1).astype(np.int32),
        "body_bvhnum": count,
        "bvh_depth": np.array([n for boxes in trees for n in boxes.depth], np.int32),
        "bvh_child": np.array([n for boxes in trees for n in boxes.child], np.int32),
        "bvh_nodeid": np.array([n for boxes in trees for n in boxes.nodeid], np.int32),
        "bvh_aabb": np.array([box for boxes in trees for box in boxes.aabb], np.float64),
    }
    result["bvh_child"] = result["bvh_child"].reshape(total, 2)
    result["bvh_aabb"] = result["bvh_aabb"].reshape(total, 6)
    return result, {"nbvh": total, "nbvhstatic": total, "nbvhdynamic": 0}


def _body_boxes(body: int, arrays: Arrays) -> Boxes:
    """The tree of one body; geoms that cannot touch anything are not in it."""
    start, count = int(arrays["body_geomadr"][body]), int(arrays["body_geomnum"][body])
    geoms = np.arange(start, start + count) if count else np.zeros(0, int)
    solid = (arrays["geom_contype"][geoms] | arrays["geom_conaffinity"][geoms]) != 0
    geoms = geoms[solid]
    boxes = Boxes()
    if len(geoms):
        leaves = _leaves(geoms, arrays["body_ipos"][body], arrays["body_iquat"][body], arrays)
        build(leaves, boxes)
    return boxes


def _leaves(geoms: np.ndarray, ipos: np.ndarray, iquat: np.ndarray, arrays: Arrays) -> Leaves:
    """Boxes of geoms, turned into the inertial frame of their body."""
    away = np.array([1.0, -1.0, -1.0, -1.0]) * iquat
    pos, aabb = arrays["geom_pos"][geoms] - ipos, arrays["geom_aabb"][geoms]
    corners = aabb[:, None, :3] + CORNERS * aabb[:, None, 3:]
    turned = _rotate(arrays["geom_quat"][geoms][:, None, :], corners) + pos[:, None, :]
    points = _rotate(away, turned)
    return Leaves(geoms, _rotate(away, pos), points.min(axis=1), points.max(axis=1))


def _rotate(quat: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors turned by quaternions; shapes are broadcast."""
    w, axis = quat[..., :1], quat[..., 1:]
    twice = 2 * np.cross(axis, vectors)
    return np.asarray(vectors + w * twice + np.cross(axis, twice))


def build(leaves: Leaves, boxes: Boxes) -> None:
    """Fill in the nodes of a tree, depth first, left before right."""
    stack = [(list(range(len(leaves.number))), 0, -1, 0)]
    while stack:
        members, depth, parent, side = stack.pop()
        low, high = _span(leaves, members)
        index = len(boxes.depth)
        if parent >= 0:
            boxes.child[parent][side] = index
        boxes.depth.append(depth)
        boxes.child.append([-1, -1])
        boxes.aabb.append(np.concatenate(((high + low) / 2, (high - low) / 2)))
        boxes.nodeid.append(int(leaves.number[members[0]]) if len(members) == 1 else -1)
        if len(members) == 1:
            continue
        ordered = _sorted_along(leaves, members, _longest(high - low))
        half = len(members) // 2
        stack.append((ordered[half:], depth + 1, index, 1))
        stack.append((ordered[:half], depth + 1, index, 0))


def _span(leaves: Leaves, members: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner of a box around leaves; flat boxes get a little thickness."""
    low, high = leaves.low[members].min(axis=0), leaves.high[members].max(axis=0)
    flat = np.abs(low - high) < EPS
    return np.where(flat, low - EPS, low), np.where(flat, high + EPS, high)


def _longest(edges: np.ndarray) -> int:
    """Axis of the longest edge; a later one must be longer by a margin."""
    axis = 1 if edges[1] >= edges[0] + EPS else 0
    return 2 if edges[2] >= edges[axis] + EPS else axis


def _sorted_along(leaves: Leaves, members: list[int], axis: int) -> list[int]:
    """Leaves sorted along an axis; those at the same place keep their order in the body."""
    place = leaves.centre[:, axis]

    def compare(a: int, b: int) -> int:
        if abs(place[a] - place[b]) > EPS:
            return -1 if place[a] < place[b] else 1
        return a - b

    return sorted(members, key=cmp_to_key(compare))
