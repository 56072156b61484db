"""Ear clipping of polygons: kernels.

An ear is a corner b between a and c that is convex, and in whose triangle no other corner is:

    convex: ((b - a) x (c - b)) (a x b) / 2 >= 0,   inside: a ray crosses an odd number of edges

MuJoCo's OBJ reader computes in single precision, and polygons without area depend on how it rounds:
every operation is rounded to 24 bits here. Sources: Meisters, "Polygons have ears", American
Mathematical Monthly 82, 1975; Dekker, "A floating-point technique for extending the available
precision", Numerische Mathematik 18, 1971, for the rounding (Veltkamp's).
"""

from __future__ import annotations

import numpy as np

from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.kernel.load.run import run_on

#: 2^(53 - 24) + 1
SPLIT = 536870913.0
#: with more tests expected, the compiled kernel is worth loading
MAX_PLAIN_TESTS = 10**5

POLYGON_LAYOUT = StructLayout(
    "Polygons",
    [
        ("npolygon", "size", (), True),
        ("first", "int", (), False),
        ("count", "int", (), False),
        ("x", "single", (), False),
        ("y", "single", (), False),
    ],
    constant=True,
)
TRIANGLE_LAYOUT = StructLayout(
    "PolygonTriangles",
    [
        ("left", "int", (), False),
        ("corner", "int", (), False),
        ("made", "int", (), False),
        ("tests", "int", (), False),
    ],
    constant=False,
)


@kernel
def rounded_to_single(value):
    """A number rounded to the 24 bits of single precision."""
    scaled = SPLIT * value
    return scaled - (scaled - value)


@kernel
def single_product(a, b):
    """a b in single precision."""
    return rounded_to_single(a * b)


@kernel
def single_difference(a, b):
    """a - b in single precision."""
    return rounded_to_single(a - b)


@kernel
def ray_crosses(m, i: int, j: int, k: int):
    """1 if a ray from corner k, along x, crosses the edge from corner i to corner j, else 0."""
    crosses = 0
    above_i = 1 if m.y[i] > m.y[k] else 0
    above_j = 1 if m.y[j] > m.y[k] else 0
    if above_i != above_j:
        along = single_product(single_difference(m.x[i], m.x[j]), single_difference(m.y[k], m.y[j]))
        away = rounded_to_single(along / single_difference(m.y[i], m.y[j]))
        if m.x[k] < rounded_to_single(away + m.x[j]):
            crosses = 1
    return crosses


@kernel
def is_convex(m, a: int, b: int, c: int):
    """Whether the polygon turns at corner b as the triangle of a, b and the origin does."""
    turn = single_difference(
        single_product(single_difference(m.x[b], m.x[a]), single_difference(m.y[c], m.y[b])),
        single_product(single_difference(m.y[b], m.y[a]), single_difference(m.x[c], m.x[b])),
    )
    area = 0.5 * single_difference(single_product(m.x[a], m.y[b]), single_product(m.y[a], m.x[b]))
    return not single_product(turn, area) < 0.0


@kernel
def is_ear(m, d, start: int, guess: int, count: int):
    """Whether the corner after `guess` of the corners that are left is an ear.

    Counts tests: one for the corner, one for each other corner.
    """
    a = start + d.left[guess]
    b = start + d.left[(guess + 1) % count]
    c = start + d.left[(guess + 2) % count]
    d.tests[0] -= 1
    free = is_convex(m, a, b, c)
    k = 3
    while free and k < count:
        other = start + d.left[(guess + k) % count]
        crossed = ray_crosses(m, c, a, other) + ray_crosses(m, a, b, other)
        free = (crossed + ray_crosses(m, b, c, other)) % 2 == 0
        d.tests[0] -= 1
        k += 1
    return free


@kernel
def add_triangle(m, d, polygon: int, guess: int, count: int):
    """Add the triangle of three successive corners that are left."""
    at = 3 * (m.first[polygon] + d.made[polygon])
    for k in range(3):
        d.corner[at + k] = d.left[(guess + k) % count]
    d.made[polygon] += 1


@kernel
def clip_ears(m, d, polygon: int):
    """Cut ears off a polygon until three corners are left, or no ear is found in a round."""
    count = m.count[polygon]
    for k in range(count):
        d.left[k] = k
    guess, tries, before = 0, count, count
    while count > 3 and tries > 0 and d.tests[0] >= 0:
        if guess >= count:
            guess -= count
        if before != count:
            before = count
            tries = count
        else:
            tries -= 1
        if is_ear(m, d, m.first[polygon], guess, count):
            add_triangle(m, d, polygon, guess, count)
            count -= 1
            for place in range((guess + 1) % (count + 1), count):
                d.left[place] = d.left[place + 1]
        else:
            guess += 1
    if count == 3:
        add_triangle(m, d, polygon, 0, 3)


@kernel(entry=True)
def clip_ears_of_all(m, d, count: int):
    """Triangles of all polygons, until tests run out; returns the number of polygons done."""
    done = 0
    while done < m.npolygon and d.tests[0] >= 0:
        clip_ears(m, d, done)
        if d.tests[0] >= 0:
            done += 1
    return done


@registered(lambda: [clip_ears_of_all])
def polygon_linker() -> Linker:
    """Loads and compiles the kernels of this module."""
    return Linker(POLYGON_LAYOUT, TRIANGLE_LAYOUT)


def polygon_triangles(
    counts: np.ndarray, points: np.ndarray, most_tests: int
) -> tuple[list[np.ndarray], int]:
    """Triangles `(n, 3)` of polygons: indices of their corners.

    counts: corners of each polygon;  points: all corners in a plane, `(n, 2)`, single precision.
    Returns (triangles of each polygon, polygons done): fewer than given if `most_tests` run out.
    """
    first = np.cumsum(counts) - counts
    given = {
        "npolygon": len(counts),
        "first": first.astype(np.int32),
        "count": counts.astype(np.int32),
        "x": np.ascontiguousarray(points[:, 0], np.float32),
        "y": np.ascontiguousarray(points[:, 1], np.float32),
    }
    made = {
        "left": np.zeros(int(counts.max(initial=0)), np.int32),
        "corner": np.zeros((len(points), 3), np.int32),
        "made": np.zeros(len(counts), np.int32),
        "tests": np.array([most_tests], np.int32),
    }
    few = int(np.sum(counts * counts)) <= MAX_PLAIN_TESTS
    done = run_on(clip_ears_of_all, polygon_linker, given, made, small=few)
    parts = zip(first.tolist(), made["made"].tolist(), strict=True)
    return [made["corner"][start : start + n] for start, n in parts], done
