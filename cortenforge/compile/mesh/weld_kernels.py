"""Welding of points with the same coordinates, by an open-addressed hash table of points.

Source: Knuth, The Art of Computer Programming, volume 3, section 6.4, for linear probing.
"""

from __future__ import annotations

import numpy as np

from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.kernel.load.run import run_on

#: with fewer points, the kernel runs as plain Python
MAX_PLAIN_POINTS = 100
#: place of the table without a point
FREE = -1
#: factors of a hash; 64 bits hold its sum for numbers of 32 bits
FACTOR_X, FACTOR_Y, FACTOR_Z = 73856093, 19349663, 83492791

POINT_LAYOUT = StructLayout(
    "WeldPoints",
    [
        ("npoint", "size", (), True),
        ("ntable", "size", (), True),
        ("bits", "int", (), False),
    ],
    constant=True,
)
WELD_LAYOUT = StructLayout(
    "WeldedPoints",
    [
        ("table", "int", (), False),
        ("first", "int", (), False),
        ("index", "int", (), False),
    ],
    constant=False,
)


@kernel
def same_point(m, i: int, j: int):
    """Whether two points have the same bits."""
    return (
        m.bits[3 * i] == m.bits[3 * j]
        and m.bits[3 * i + 1] == m.bits[3 * j + 1]
        and m.bits[3 * i + 2] == m.bits[3 * j + 2]
    )


@kernel(entry=True)
def weld_points(m, d, count: int):
    """Number points by their first appearance; returns how many differ.

    first: the first appearance of each different point;  index: the number of each point.
    """
    found = 0
    for i in range(m.npoint):
        code = m.bits[3 * i] * FACTOR_X + m.bits[3 * i + 1] * FACTOR_Y
        place = (code + m.bits[3 * i + 2] * FACTOR_Z) % m.ntable
        while d.table[place] != FREE and not same_point(m, i, d.first[d.table[place]]):
            place = place + 1 if place + 1 < m.ntable else 0
        if d.table[place] == FREE:
            d.table[place] = found
            d.first[found] = i
            found += 1
        d.index[i] = d.table[place]
    return found


@registered(lambda: [weld_points])
def weld_linker() -> Linker:
    """Loads and compiles the kernels of this module."""
    return Linker(POINT_LAYOUT, WELD_LAYOUT)


def merge_vertices(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points without duplicates, in order of first appearance, and the index of each point.

    points: `(n, 3)` in single precision. Zeros of different signs differ.
    """
    count = len(points)
    # odd, so that coordinates that end with zero bits are spread
    size = 2 * count + 1
    given = {
        "npoint": count,
        "ntable": size,
        "bits": np.ascontiguousarray(points, np.float32).view(np.int32),
    }
    made = {
        "table": np.full(size, FREE, np.int32),
        "first": np.zeros(count, np.int32),
        "index": np.zeros(count, np.int32),
    }
    found = run_on(weld_points, weld_linker, given, made, small=count < MAX_PLAIN_POINTS)
    return points[made["first"][:found]], made["index"]
