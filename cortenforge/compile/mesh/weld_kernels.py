"""Rows of numbers that are the same, by an open-addressed hash table: points of a mesh are welded.

Source: Knuth, The Art of Computer Programming, volume 3, section 6.4, for linear probing.
"""

from __future__ import annotations

import numpy as np

from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.kernel.load.run import run_on

#: with fewer rows, the kernel runs as plain Python
MAX_PLAIN_ROWS = 100
#: place of the table without a row
FREE = -1
#: factor of a hash, and the bits that are kept of each sum: 64 hold the next product
FACTOR = 73856093
HASH_MASK = 2**31 - 1

ROW_LAYOUT = StructLayout(
    "WeldRows",
    [
        ("nrow", "size", (), True),
        ("width", "size", (), True),
        ("ntable", "size", (), True),
        ("bits", "int", (), False),
    ],
    constant=True,
)
WELD_LAYOUT = StructLayout(
    "WeldedRows",
    [
        ("table", "int", (), False),
        ("first", "int", (), False),
        ("index", "int", (), False),
    ],
    constant=False,
)


@kernel
def are_same_rows(m, i: int, j: int):
    """Whether two rows have the same bits."""
    k = 0
    while k < m.width and m.bits[m.width * i + k] == m.bits[m.width * j + k]:
        k += 1
    return k == m.width


@kernel
def hash_of_row(m, i: int):
    """A number from the bits of a row, the upper ones included."""
    code = 0
    for k in range(m.width):
        code = (code ^ m.bits[m.width * i + k]) * FACTOR
        code = (code ^ (code >> 29)) & HASH_MASK
    return code


@kernel(entry=True)
def weld_rows(m, d, count: int):
    """Number rows by their first appearance; returns how many differ.

    first: the first appearance of each different row;  index: the number of each row.
    """
    found = 0
    for i in range(m.nrow):
        place = hash_of_row(m, i) % m.ntable
        while d.table[place] != FREE and not are_same_rows(m, i, d.first[d.table[place]]):
            place = place + 1 if place + 1 < m.ntable else 0
        if d.table[place] == FREE:
            d.table[place] = found
            d.first[found] = i
            found += 1
        d.index[i] = d.table[place]
    return found


@registered(lambda: [weld_rows])
def weld_linker() -> Linker:
    """Loads and compiles the kernels of this module."""
    return Linker(ROW_LAYOUT, WELD_LAYOUT)


def number_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(first appearance of each different row, number of each row), in order of first appearance.

    rows: `(n, k)`, compared by their bits. Zeros of different signs differ.
    """
    count = len(rows)
    bits = np.ascontiguousarray(rows).view(np.int32)
    # odd, so that hashes that end with zero bits are spread
    size = 2 * count + 1
    given = {"nrow": count, "width": bits.shape[1], "ntable": size, "bits": bits}
    made = {
        "table": np.full(size, FREE, np.int32),
        "first": np.zeros(count, np.int32),
        "index": np.zeros(count, np.int32),
    }
    found = run_on(weld_rows, weld_linker, given, made, small=count < MAX_PLAIN_ROWS)
    return made["first"][:found], made["index"]


def merge_vertices(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points without duplicates, in order of first appearance, and the index of each point.

    points: `(n, 3)` in single precision. Zeros of different signs differ.
    """
    first, index = number_rows(np.asarray(points, np.float32))
    return points[first], index
