"""Signed distances of points from a triangle mesh, by its bounding volume hierarchy.

    |d| = min over triangles of |p - q|,   sign(d) = sign((p - q).n)

q is the nearest point, n the pseudonormal of the feature that q lies on: a face's normal, the sum
of both at an edge, the sum weighted by angles at a vertex. The left child is searched first and a
later triangle must be strictly nearer, as in MuJoCo. Products are added by `rounded_sum`, which is
not fused, so that ties are decided alike.

Source: Baerentzen and Aanaes, "Signed distance computation using the angle weighted pseudonormal",
IEEE Trans. Visualization and Computer Graphics 11(3), 2005.
"""

from __future__ import annotations

import math

import numpy as np

from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.kernel.load.run import run_on

FAR = 1e20
TINY = 1e-12
STACK_SIZE = 128
# features of a triangle that its nearest point can lie on
INSIDE, EDGE_AB, EDGE_BC, EDGE_CA, CORNER_A, CORNER_B, CORNER_C = range(7)
PARTS = 7

MESH_LAYOUT = StructLayout(
    "DistanceMesh",
    [
        ("npoint", "size", (), True),
        ("point", "real", (), False),
        ("vert", "real", (), False),
        ("face", "int", (), False),
        ("box", "real", (), False),
        ("child", "int", (), False),
        ("leaf", "int", (), False),
        ("normal", "real", (), False),
    ],
    constant=True,
)
FOUND_LAYOUT = StructLayout(
    "DistanceFound",
    [
        ("waiting", "int", (), False),
        ("best", "real", (), False),
        ("nearest", "int", (), False),
        ("distance", "real", (), False),
    ],
    constant=False,
)
Arrays = dict[str, np.ndarray]


@kernel
def rounded_sum(a, b):
    """Sum of two numbers, rounded by itself: never fused with a product."""
    return a + b


@kernel
def rounded_dot(ax, ay, az, bx, by, bz):
    """Scalar product with each product rounded."""
    return rounded_sum(rounded_sum(ax * bx, ay * by), az * bz)


@kernel
def squared_box_distance(m, node: int, x, y, z):
    """Squared distance of a point from a node's box."""
    total = 0.0
    for k in range(3):
        at = x if k == 0 else y if k == 1 else z
        low = m.box[6 * node + k] - m.box[6 * node + 3 + k]
        high = rounded_sum(m.box[6 * node + k], m.box[6 * node + 3 + k])
        gap = max(low - at, at - high)
        if gap > 0.0:
            total = rounded_sum(total, gap * gap)
    return total


@kernel
def corner_coordinate(m, f: int, i: int, k: int):
    """Coordinate k of corner i of triangle f."""
    return m.vert[3 * m.face[3 * f + i] + k]


@kernel
def nearest_point_coordinate(m, f: int, u, v, part: int, k: int):
    """Coordinate k of a triangle's nearest point, computed from the feature it lies on."""
    near = corner_coordinate(m, f, 0, k)
    if part == CORNER_B:
        return corner_coordinate(m, f, 1, k)
    if part == CORNER_C:
        return corner_coordinate(m, f, 2, k)
    if part == EDGE_BC:
        return rounded_sum(
            corner_coordinate(m, f, 1, k),
            v * (corner_coordinate(m, f, 2, k) - corner_coordinate(m, f, 1, k)),
        )
    near = rounded_sum(near, u * (corner_coordinate(m, f, 1, k) - corner_coordinate(m, f, 0, k)))
    return rounded_sum(near, v * (corner_coordinate(m, f, 2, k) - corner_coordinate(m, f, 0, k)))


@kernel
def squared_triangle_distance(m, f: int, u, v, part: int, x, y, z):
    """Squared distance of a point from a triangle's nearest point."""
    total = 0.0
    for k in range(3):
        at = x if k == 0 else y if k == 1 else z
        gap = at - nearest_point_coordinate(m, f, u, v, part, k)
        total = rounded_sum(total, gap * gap)
    return total


@kernel
def nearest_triangle_part(m, f: int, x, y, z):
    """Nearest point of a triangle: (u, v, part), barycentric coordinates and feature."""
    ax = corner_coordinate(m, f, 0, 0)
    ay = corner_coordinate(m, f, 0, 1)
    az = corner_coordinate(m, f, 0, 2)
    bx = corner_coordinate(m, f, 1, 0)
    by = corner_coordinate(m, f, 1, 1)
    bz = corner_coordinate(m, f, 1, 2)
    cx = corner_coordinate(m, f, 2, 0)
    cy = corner_coordinate(m, f, 2, 1)
    cz = corner_coordinate(m, f, 2, 2)
    # offsets from each corner, projected onto two edges
    d1 = rounded_dot(bx - ax, by - ay, bz - az, x - ax, y - ay, z - az)
    d2 = rounded_dot(cx - ax, cy - ay, cz - az, x - ax, y - ay, z - az)
    if d1 <= 0.0 and d2 <= 0.0:
        return 0.0, 0.0, CORNER_A
    d3 = rounded_dot(bx - ax, by - ay, bz - az, x - bx, y - by, z - bz)
    d4 = rounded_dot(cx - ax, cy - ay, cz - az, x - bx, y - by, z - bz)
    if d3 >= 0.0 and d4 <= d3:
        return 1.0, 0.0, CORNER_B
    vc = rounded_sum(d1 * d4, -(d3 * d2))
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return d1 / (d1 - d3), 0.0, EDGE_AB
    d5 = rounded_dot(bx - ax, by - ay, bz - az, x - cx, y - cy, z - cz)
    d6 = rounded_dot(cx - ax, cy - ay, cz - az, x - cx, y - cy, z - cz)
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 1.0, CORNER_C
    vb = rounded_sum(d5 * d2, -(d1 * d6))
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return 0.0, d2 / (d2 - d6), EDGE_CA
    va = rounded_sum(d3 * d6, -(d5 * d4))
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        w = (d4 - d3) / rounded_sum(d4 - d3, d5 - d6)
        return 1.0 - w, w, EDGE_BC
    whole = 1.0 / rounded_sum(rounded_sum(va, vb), vc)
    return vb * whole, vc * whole, INSIDE


@kernel
def find_nearest_triangle(m, d, x, y, z):
    """Find the nearest triangle: it and its feature to `nearest`, distance^2, u, v to `best`."""
    d.best[0] = FAR
    d.nearest[0] = -1
    d.waiting[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = d.waiting[top]
        if squared_box_distance(m, node, x, y, z) >= d.best[0]:
            continue
        if m.leaf[node] >= 0:
            u, v, part = nearest_triangle_part(m, m.leaf[node], x, y, z)
            square = squared_triangle_distance(m, m.leaf[node], u, v, part, x, y, z)
            if square < d.best[0]:
                d.best[0] = square
                d.best[1] = u
                d.best[2] = v
                d.nearest[0] = m.leaf[node]
                d.nearest[1] = part
        else:
            d.waiting[top] = m.child[2 * node + 1]
            d.waiting[top + 1] = m.child[2 * node]
            top += 2


@kernel
def surface_side(m, d, x, y, z):
    """1 on the side to which the nearest feature's normal points, -1 on the other."""
    f = d.nearest[0]
    part = d.nearest[1]
    height = 0.0
    for k in range(3):
        at = x if k == 0 else y if k == 1 else z
        gap = at - nearest_point_coordinate(m, f, d.best[1], d.best[2], part, k)
        height = rounded_sum(height, gap * m.normal[3 * (PARTS * f + part) + k])
    return 1.0 if height > TINY * math.sqrt(d.best[0]) else -1.0


@kernel(entry=True)
def write_signed_distances(m, d, count: int):
    """Signed distances of all points."""
    for i in range(m.npoint):
        x = m.point[3 * i]
        y = m.point[3 * i + 1]
        z = m.point[3 * i + 2]
        find_nearest_triangle(m, d, x, y, z)
        d.distance[i] = surface_side(m, d, x, y, z) * math.sqrt(d.best[0])
    return 0


@registered(lambda: [write_signed_distances])
def distance_linker() -> Linker:
    """Linker of the kernels of this module."""
    return Linker(MESH_LAYOUT, FOUND_LAYOUT)


def signed_distances(
    points: np.ndarray, vert: np.ndarray, face: np.ndarray, tree: Arrays
) -> np.ndarray:
    """Distances of points (n, 3) from a mesh, negative inside."""
    given = {
        "npoint": len(points),
        "point": np.ascontiguousarray(points, np.float64).ravel(),
        "vert": np.ascontiguousarray(vert, np.float64).ravel(),
        "face": np.ascontiguousarray(face, np.int32).ravel(),
        "box": np.ascontiguousarray(tree["bvh_aabb"], np.float64).ravel(),
        "child": np.ascontiguousarray(tree["bvh_child"], np.int32).ravel(),
        "leaf": np.ascontiguousarray(tree["bvh_nodeid"], np.int32).ravel(),
        "normal": _part_normals(vert, face).ravel(),
    }
    found = {
        "waiting": np.zeros(STACK_SIZE, np.int32),
        "best": np.zeros(3),
        "nearest": np.zeros(2, np.int32),
        "distance": np.zeros(len(points)),
    }
    run_on(write_signed_distances, distance_linker, given, found, small=False)
    return found["distance"]


def _part_normals(vert: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Unit pseudonormals of the features of each triangle (faces, features, 3)."""
    points = vert[face]
    edge = np.roll(points, -1, axis=1) - points
    normals = np.empty((len(face), PARTS, 3))
    normals[:, INSIDE] = own = _unit(np.cross(edge[:, 0], edge[:, 1]))
    low, high = np.sort([face, np.roll(face, -1, axis=1)], axis=0).astype(np.int64)
    _, which = np.unique((low * len(vert) + high).ravel(), return_inverse=True)
    normals[:, EDGE_AB:CORNER_A] = _summed_directions(which.ravel(), np.repeat(own, 3, axis=0))
    along = _unit(edge)
    inner = np.einsum("ijk,ijk->ij", along, -np.roll(along, 1, axis=1))
    angle = np.arccos(np.clip(inner, -1, 1))
    normals[:, CORNER_A:] = _summed_directions(
        face.ravel(), (angle[..., None] * own[:, None]).reshape(-1, 3)
    )
    return normals


def _summed_directions(which: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Unit sums of vectors of the same index `which`, for each vector."""
    total = np.stack([np.bincount(which, vectors[:, k]) for k in range(3)], axis=1)
    return _unit(total)[which].reshape(-1, 3, 3)


def _unit(vectors: np.ndarray) -> np.ndarray:
    length = np.sqrt(np.sum(vectors * vectors, axis=-1, keepdims=True))
    return vectors / np.where(length == 0, 1.0, length)
