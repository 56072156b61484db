"""Triangulation of polygonal faces by ear clipping, as MuJoCo's OBJ reader does it.

An ear is a convex corner whose triangle contains no other corner; ears are cut off one by one.
Source: Meisters, "Polygons have ears", American Mathematical Monthly 82, 1975.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from cortenforge.compile.mesh.raw_mesh import MeshError
from cortenforge.kernel.load.cache import has_compiler

EPSILON = np.finfo(np.float32).eps
HALF = np.float32(0.5)
#: with more tests expected, the compiled search is worth loading, where there is a compiler
FEW = 10**5
#: tests for all faces of a mesh; they take some seconds
MOST_TESTS = 2 * 10**8

#: type of `clip_ears`, as Python or compiled
Search = Callable[[np.ndarray, np.ndarray, np.ndarray, int], tuple[int, int]]


def triangulate_faces(index: np.ndarray, counts: np.ndarray, vert: np.ndarray) -> np.ndarray:
    """Positions in `index` of the corners of triangles; faces of two corners are dropped."""
    if np.all(counts == 3):
        return np.arange(len(index))
    start = np.cumsum(counts) - counts
    cut: dict[int, np.ndarray] = {}
    many, tests = counts[counts > 4], MOST_TESTS
    search = _compiled() if np.sum(many * many) > FEW and has_compiler() else clip_ears
    made = np.maximum(counts - 2, 0)
    for face in np.flatnonzero(counts > 4):
        corners = index[start[face] : start[face] + counts[face]]
        triangles, tests = _clip_polygon(vert[corners], search, tests)
        cut[int(face)] = start[face] + triangles
        made[face] = len(cut[int(face)])
    result = np.zeros((int(made.sum()), 3), np.int64)
    place = np.cumsum(made) - made
    threes = np.flatnonzero(counts == 3)
    result[place[threes]] = start[threes, None] + np.arange(3)
    fours = np.flatnonzero(counts == 4)
    if len(fours):
        first, second = _split_quads(vert[index[start[fours, None] + np.arange(4)]])
        result[place[fours]] = start[fours, None] + first
        result[place[fours] + 1] = start[fours, None] + second
    for number, triangles in cut.items():
        result[place[number] : place[number] + len(triangles)] = triangles
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


def _clip_polygon(points: np.ndarray, search: Search, tests: int) -> tuple[np.ndarray, int]:
    """Triangles of a polygon, clipped in a coordinate plane; and the tests left over."""
    axes = _projection_axes(points)
    x, y = (np.ascontiguousarray(points[:, axis]) for axis in axes)
    triangles = np.zeros((len(points), 3), np.int64)
    made, left = search(x, y, triangles, tests)
    if left < 0:
        raise MeshError(
            f"a face of {len(points)} corners: more than {MOST_TESTS} tests would be needed to cut "
            "the faces of this mesh into triangles; export it with triangles"
        )
    return triangles[:made], left


@cache
def _compiled() -> Search:
    """The search for ears, compiled; the compiler is imported when needed."""
    from numba import njit

    return njit(cache=True)(clip_ears)


def clip_ears(x: np.ndarray, y: np.ndarray, triangles: np.ndarray, tests: int) -> tuple[int, int]:
    """Cut ears off a polygon one by one; returns (triangles made, tests left).

    A test is whether one corner is inside of an ear; without tests left the search ends.
    """
    count = len(x)
    left = np.arange(count)
    made, guess, tries, before = 0, 0, count, count
    while count > 3 and tries > 0 and tests >= 0:
        if guess >= count:
            guess -= count
        if before != count:
            before = tries = count
        else:
            tries -= 1
        a, b, c = left[guess], left[(guess + 1) % count], left[(guess + 2) % count]
        turn = (x[b] - x[a]) * (y[c] - y[b]) - (y[b] - y[a]) * (x[c] - x[b])
        tests -= 1
        free = not turn * ((x[a] * y[b] - y[a] * x[b]) * HALF) < 0
        k = 3
        while free and k < count:
            place = guess + k
            other = left[place if place < count else place - count]
            odd = False
            first, second = c, a
            for _ in range(3):
                # whether a ray from the other corner crosses an edge of the ear
                if (y[second] > y[other]) != (y[first] > y[other]):
                    along = (x[first] - x[second]) * (y[other] - y[second])
                    if x[other] < along / (y[first] - y[second]) + x[second]:
                        odd = not odd
                first, second = second, b if second == a else c
            free = not odd
            tests -= 1
            k += 1
        if free:
            triangles[made, 0], triangles[made, 1], triangles[made, 2] = a, b, c
            made += 1
            count -= 1
            for place in range((guess + 1) % (count + 1), count):
                left[place] = left[place + 1]
        else:
            guess += 1
    if count == 3:
        triangles[made, 0], triangles[made, 1], triangles[made, 2] = left[0], left[1], left[2]
        made += 1
    return made, tests


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
