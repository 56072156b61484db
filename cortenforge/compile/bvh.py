"""Trees of boxes around the geoms of each body, for a quick first look for contacts.

A tree is split at the median along the longest edge of its box, until each box holds one geom.
Boxes are aligned with the body's inertial frame.  All trees grow at once, level by level.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from cortenforge.compile.rotation import EPS

Arrays = dict[str, np.ndarray]
CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))


@dataclass
class Leaves:
    """What trees are built of: numbers for their leaves, centres to sort by, lowest and highest.

    `count` says how many leaves, one after the other, each tree has.
    """

    count: np.ndarray
    number: np.ndarray
    centre: np.ndarray
    low: np.ndarray
    high: np.ndarray


def body_bvh_arrays(arrays: Arrays) -> tuple[Arrays, dict[str, int]]:
    """Trees of all bodies, one after the other, and their sizes."""
    leaves = _geom_leaves(arrays)
    result = build(leaves)
    count, start = node_counts(leaves)
    result["body_bvhadr"] = np.where(count > 0, start, -1).astype(np.int32)
    result["body_bvhnum"] = count.astype(np.int32)
    total = int(count.sum())
    return result, {"nbvh": total, "nbvhstatic": total, "nbvhdynamic": 0}


def _geom_leaves(arrays: Arrays) -> Leaves:
    """Boxes of all geoms that can touch something, in the inertial frames of their bodies."""
    geoms = np.flatnonzero((arrays["geom_contype"] | arrays["geom_conaffinity"]) != 0)
    body = arrays["geom_bodyid"][geoms]
    away = np.array([1.0, -1.0, -1.0, -1.0]) * arrays["body_iquat"][body]
    pos = arrays["geom_pos"][geoms] - arrays["body_ipos"][body]
    aabb, quat = arrays["geom_aabb"][geoms], arrays["geom_quat"][geoms]
    corners = aabb[:, None, :3] + CORNERS * aabb[:, None, 3:]
    turned = _rotate(quat[:, None, :], corners) + pos[:, None, :]
    points = _rotate(away[:, None, :], turned)
    count = np.bincount(body, minlength=len(arrays["body_parentid"]))
    return Leaves(count, geoms, _rotate(away, pos), points.min(axis=1), points.max(axis=1))


def with_mesh_bvh(
    bodies: Arrays, meshes: list[tuple[np.ndarray, np.ndarray]]
) -> tuple[Arrays, dict[str, int]]:
    """Trees of bodies, and behind them the trees of meshes: each has vertices and faces."""
    parts = [_face_leaves(vertices, faces) for vertices, faces in meshes]
    if not parts:
        return bodies, {}
    leaves = Leaves(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("count", "number", "centre", "low", "high")
        )
    )
    nodes = build(leaves)
    count, start = node_counts(leaves)
    result = bodies | {name: np.concatenate((bodies[name], nodes[name])) for name in nodes}
    adr = np.where(count > 0, start + len(bodies["bvh_depth"]), -1)
    result |= {"mesh_bvhadr": adr.astype(np.int32), "mesh_bvhnum": count.astype(np.int32)}
    total = len(result["bvh_depth"])
    return result, {"nbvh": total, "nbvhstatic": total}


def _face_leaves(vertices: np.ndarray, faces: np.ndarray) -> Leaves:
    """Boxes of a mesh's triangles, sorted by the centres of their circumscribed circles."""
    points = vertices[faces]
    a, b = points[:, 0] - points[:, 2], points[:, 1] - points[:, 2]
    normal = np.cross(a, b)
    square_a, square_b, square_n = (np.sum(v * v, axis=1, keepdims=True) for v in (a, b, normal))
    centre = np.cross(square_a * b - square_b * a, normal) / (2 * square_n) + points[:, 2]
    number = np.arange(len(faces))
    count = np.array([len(faces)])
    return Leaves(count, number, centre, points.min(axis=1), points.max(axis=1))


def _rotate(quat: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors turned by quaternions; shapes are broadcast."""
    w, axis = quat[..., :1], quat[..., 1:]
    twice = 2 * np.cross(axis, vectors)
    return np.asarray(vectors + w * twice + np.cross(axis, twice))


def node_counts(leaves: Leaves) -> tuple[np.ndarray, np.ndarray]:
    """How many nodes each tree has, and where they start."""
    count = np.where(leaves.count > 0, 2 * leaves.count - 1, 0)
    return count, np.cumsum(count) - count


def build(leaves: Leaves) -> Arrays:
    """Nodes of all trees, in each tree depth first and left before right.

    A tree of n leaves has 2n - 1 nodes, so that the place of every node is known from counts.
    """
    count, root = node_counts(leaves)
    total = int(count.sum())
    result = {
        "bvh_depth": np.zeros(total, np.int32),
        "bvh_child": np.full((total, 2), -1, np.int32),
        "bvh_nodeid": np.full(total, -1, np.int32),
        "bvh_aabb": np.zeros((total, 6)),
    }
    # nodes of the present level: how many leaves, which node, root; and leaves, node by node
    size, index, base = (part[count > 0] for part in (leaves.count, root, root))
    members = np.arange(len(leaves.number))
    depth = 0
    while len(size):
        start = np.cumsum(size) - size
        low = np.minimum.reduceat(leaves.low[members], start, axis=0)
        high = np.maximum.reduceat(leaves.high[members], start, axis=0)
        flat = np.abs(low - high) < EPS
        low, high = np.where(flat, low - EPS, low), np.where(flat, high + EPS, high)
        result["bvh_depth"][index] = depth
        result["bvh_aabb"][index] = np.concatenate(((high + low) / 2, (high - low) / 2), axis=1)
        alone = size == 1
        result["bvh_nodeid"][index[alone]] = leaves.number[members[start[alone]]]

        members = members[np.repeat(~alone, size)]
        size, index, base, edges = (part[~alone] for part in (size, index, base, high - low))
        members = _sorted_along(leaves, members, np.repeat(np.arange(len(size)), size), edges)
        half = size // 2
        children = np.stack((index + 1, index + 2 * half), axis=1)
        result["bvh_child"][index] = children - base[:, None]
        size = np.stack((half, size - half), axis=1).ravel()
        index, base = children.ravel(), np.repeat(base, 2)
        depth += 1
    return result


def _longest(edges: np.ndarray) -> np.ndarray:
    """Axis of the longest edge; a later one must be longer by a margin."""
    axis = np.where(edges[:, 1] >= edges[:, 0] + EPS, 1, 0)
    longest = np.where(axis == 1, edges[:, 1], edges[:, 0])
    return np.where(edges[:, 2] >= longest + EPS, 2, axis)


def _sorted_along(
    leaves: Leaves, members: np.ndarray, node: np.ndarray, edges: np.ndarray
) -> np.ndarray:
    """Leaves of each node sorted along its longest edge; at the same place, in their order."""
    place = leaves.centre[members, _longest(edges)[node]]
    order = np.lexsort((place, node))
    apart = (np.diff(place[order]) > EPS) | (np.diff(node[order]) != 0)
    group = np.cumsum(np.concatenate(([True], apart)))[: len(order)]
    return np.asarray(members[order[np.lexsort((members[order], group))]])
