"""Trees of boxes around the geoms of each body, for a quick first look for contacts.

A tree is split at the median along the longest edge of its box, until each box holds one geom.
Boxes are aligned with the body's inertial frame.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cmp_to_key
from itertools import pairwise, product

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
    box: np.ndarray  # centre and half sizes of each alone


@dataclass
class Boxes:
    """Nodes of one tree, each before its children."""

    depth: list[int] = field(default_factory=list)
    child: list[list[int]] = field(default_factory=list)
    nodeid: list[int] = field(default_factory=list)
    aabb: list[np.ndarray] = field(default_factory=list)


def body_bvh_arrays(arrays: Arrays) -> tuple[Arrays, dict[str, int]]:
    """Trees of all bodies, one after the other, and their sizes."""
    leaves = _leaves(arrays)
    bounds = np.searchsorted(arrays["geom_bodyid"][leaves.number], np.arange(_bodies(arrays) + 1))
    trees = [build(leaves, int(a), int(b)) for a, b in pairwise(bounds)]
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


def _bodies(arrays: Arrays) -> int:
    return len(arrays["body_parentid"])


def _leaves(arrays: Arrays) -> Leaves:
    """Boxes of all geoms that can touch something, in the inertial frames of their bodies."""
    geoms = np.flatnonzero((arrays["geom_contype"] | arrays["geom_conaffinity"]) != 0)
    body = arrays["geom_bodyid"][geoms]
    away = np.array([1.0, -1.0, -1.0, -1.0]) * arrays["body_iquat"][body]
    pos = arrays["geom_pos"][geoms] - arrays["body_ipos"][body]
    aabb, quat = arrays["geom_aabb"][geoms], arrays["geom_quat"][geoms]
    corners = aabb[:, None, :3] + CORNERS * aabb[:, None, 3:]
    turned = _rotate(quat[:, None, :], corners) + pos[:, None, :]
    points = _rotate(away[:, None, :], turned)
    low, high = points.min(axis=1), points.max(axis=1)
    return Leaves(geoms, _rotate(away, pos), low, high, _box(*_thick(low, high)))


def _rotate(quat: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors turned by quaternions; shapes are broadcast."""
    w, axis = quat[..., :1], quat[..., 1:]
    twice = 2 * np.cross(axis, vectors)
    return np.asarray(vectors + w * twice + np.cross(axis, twice))


def build(leaves: Leaves, first: int, last: int) -> Boxes:
    """The tree of leaves first to last - 1: nodes depth first, left before right."""
    boxes = Boxes()
    stack = [(np.arange(first, last), 0, -1, 0)] if last > first else []
    while stack:
        members, depth, parent, side = stack.pop()
        index = len(boxes.depth)
        if parent >= 0:
            boxes.child[parent][side] = index
        boxes.depth.append(depth)
        boxes.child.append([-1, -1])
        if len(members) == 1:
            boxes.nodeid.append(int(leaves.number[members[0]]))
            boxes.aabb.append(leaves.box[members[0]])
            continue
        low, high = _thick(leaves.low[members].min(axis=0), leaves.high[members].max(axis=0))
        boxes.nodeid.append(-1)
        boxes.aabb.append(_box(low, high))
        ordered = _sorted_along(leaves, members, _longest(high - low))
        half = len(members) // 2
        stack.append((ordered[half:], depth + 1, index, 1))
        stack.append((ordered[:half], depth + 1, index, 0))
    return boxes


def _thick(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corners; flat boxes get a little thickness."""
    flat = np.abs(low - high) < EPS
    return np.where(flat, low - EPS, low), np.where(flat, high + EPS, high)


def _box(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Centre and half sizes of boxes from their corners."""
    return np.concatenate(((high + low) / 2, (high - low) / 2), axis=-1)


def _longest(edges: np.ndarray) -> int:
    """Axis of the longest edge; a later one must be longer by a margin."""
    axis = 1 if edges[1] >= edges[0] + EPS else 0
    return 2 if edges[2] >= edges[axis] + EPS else axis


def _sorted_along(leaves: Leaves, members: np.ndarray, axis: int) -> np.ndarray:
    """Leaves sorted along an axis; those at the same place keep their order in the body."""
    place = leaves.centre[:, axis]
    ordered = members[np.argsort(place[members])]
    if (np.diff(place[ordered]) > EPS).all():
        return ordered

    def compare(a: int, b: int) -> int:
        if abs(place[a] - place[b]) > EPS:
            return -1 if place[a] < place[b] else 1
        return a - b

    return np.array(sorted(members.tolist(), key=cmp_to_key(compare)))
