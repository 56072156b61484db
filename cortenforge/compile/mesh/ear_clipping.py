"""Triangulation of polygonal faces, as MuJoCo's OBJ reader does it.

Quads are split along their shorter diagonal; of larger faces, ears are clipped
(`ear_clipping_kernels`).
"""

from __future__ import annotations

import numpy as np

from cortenforge.compile.mesh.ear_clipping_kernels import polygon_triangles
from cortenforge.compile.mesh.raw_mesh import MeshError

EPSILON = np.finfo(np.float32).eps
#: tests for all faces of a mesh; they take some seconds
MOST_TESTS = 2 * 10**8


def triangulate_faces(index: np.ndarray, counts: np.ndarray, vert: np.ndarray) -> np.ndarray:
    """Positions in `index` of the corners of triangles; faces of two corners are dropped."""
    if np.all(counts == 3):
        return np.arange(len(index))
    start = np.cumsum(counts) - counts
    large = np.flatnonzero(counts > 4)
    clipped = _clip_faces([vert[index[start[face] : start[face] + counts[face]]] for face in large])
    made = np.maximum(counts - 2, 0)
    made[large] = [len(triangles) for triangles in clipped]
    result = np.zeros((int(made.sum()), 3), np.int64)
    place = np.cumsum(made) - made
    threes = np.flatnonzero(counts == 3)
    result[place[threes]] = start[threes, None] + np.arange(3)
    fours = np.flatnonzero(counts == 4)
    if len(fours):
        first, second = _split_quads(vert[index[start[fours, None] + np.arange(4)]])
        result[place[fours]] = start[fours, None] + first
        result[place[fours] + 1] = start[fours, None] + second
    for face, triangles in zip(large.tolist(), clipped, strict=True):
        result[place[face] : place[face] + len(triangles)] = start[face] + triangles
    return result.ravel()


def _split_quads(quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two triangles of each quad, split along its shorter diagonal."""
    a, b = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    shorter = a[:, 0] * a[:, 0] + a[:, 1] * a[:, 1] + a[:, 2] * a[:, 2] < (
        b[:, 0] * b[:, 0] + b[:, 1] * b[:, 1] + b[:, 2] * b[:, 2]
    )
    first = np.where(shorter[:, None], [0, 1, 2], [0, 1, 3])
    second = np.where(shorter[:, None], [0, 2, 3], [1, 2, 3])
    return first, second


def _clip_faces(faces: list[np.ndarray]) -> list[np.ndarray]:
    """Triangles of faces with the given corners, clipped in coordinate planes."""
    if not faces:
        return []
    counts = np.array([len(points) for points in faces])
    flat = np.concatenate([points[:, _projection_axes(points)] for points in faces])
    triangles, done = polygon_triangles(counts, flat, MOST_TESTS)
    if done < len(faces):
        raise MeshError(
            f"a face of {counts[done]} corners: more than {MOST_TESTS} tests would be needed to "
            "cut the faces of this mesh into triangles; export it with triangles"
        )
    return triangles


def _projection_axes(points: np.ndarray) -> list[int]:
    count = len(points)
    for k in range(count):
        a, b, c = points[k], points[(k + 1) % count], points[(k + 2) % count]
        x, y, z = np.abs(np.cross(b - a, c - b))
        if max(x, y, z) > EPSILON:
            if x > y and x > z:
                return [1, 2]
            return [0, 1] if z > x and z > y else [0, 2]
    return [1, 2]
