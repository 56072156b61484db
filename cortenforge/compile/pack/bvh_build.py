"""How a tree of boxes is grown: kernels that split leaves at the median, again and again.

Which leaves go left is decided by a partial sort.  Where places are not numbers (triangles without
area have no circumscribed circle) or tie within a margin, the order is no order, and the outcome
depends on every step of that sort: so it takes the steps of the C++ library of MuJoCo's wheels.
"""

from __future__ import annotations

import numpy as np

from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.kernel.load.run import run_on

EPS = 1e-14
#: ranges up to this size are sorted as a whole
FEW = 7
#: a tree of n leaves is about log2(n) deep, and waiting nodes are one a level
DEEPEST = 64
WAITING = 4
#: fewer leaves than this are quicker done in Python than a compiled function is loaded
SMALL = 100

SIZES = StructLayout(
    "TreeSizes",
    [
        ("ntree", "size", (), True),
        ("nleaf", "size", (), True),
        ("leaf_count", "int", (), False),
        ("place", "real", (), False),
        ("low", "real", (), False),
        ("high", "real", (), False),
    ],
    constant=True,
)
NODES = StructLayout(
    "TreeNodes",
    [
        ("order", "int", (), False),
        ("waiting", "int", (), False),
        ("depth", "int", (), False),
        ("child", "int", (), False),
        ("leaf", "int", (), False),
        ("box", "real", (), False),
    ],
    constant=False,
)


@kernel
def before(m, axis: int, a: int, b: int):
    """Whether leaf a is before leaf b along an axis; in the same place their numbers decide."""
    gap = m.place[axis * m.nleaf + a] - m.place[axis * m.nleaf + b]
    if abs(gap) > EPS:
        return gap < 0.0
    return a < b


@kernel
def exchange(d, i: int, j: int):
    """Exchange two entries of the order."""
    kept = d.order[i]
    d.order[i] = d.order[j]
    d.order[j] = kept


@kernel
def order_three(m, d, axis: int, i: int, j: int, k: int):
    """Sort three entries of the order; returns how many exchanges it took."""
    if not before(m, axis, d.order[j], d.order[i]):
        if not before(m, axis, d.order[k], d.order[j]):
            return 0
        exchange(d, j, k)
        if before(m, axis, d.order[j], d.order[i]):
            exchange(d, i, j)
        return 1
    if before(m, axis, d.order[k], d.order[j]):
        exchange(d, i, k)
        return 1
    exchange(d, i, j)
    if before(m, axis, d.order[k], d.order[j]):
        exchange(d, j, k)
    return 1


@kernel
def order_few(m, d, axis: int, first: int, last: int):
    """Sort a short range of the order by looking for the lowest, one after the other."""
    if last - first == 3:
        order_three(m, d, axis, first, first + 1, last - 1)
        return
    for i in range(first, last - 1):
        lowest = i
        for j in range(i + 1, last):
            if before(m, axis, d.order[j], d.order[lowest]):
                lowest = j
        if lowest != i:
            exchange(d, i, lowest)


@kernel
def is_ordered(m, d, axis: int, first: int, last: int):
    """Whether a range of the order is sorted already."""
    i = first + 1
    while i < last and not before(m, axis, d.order[i], d.order[i - 1]):
        i += 1
    return i >= last


@kernel
def split(m, d, axis: int, first: int, nth: int, last: int):
    """Bring the nth entry of a range to its place, lower ones before it.  As std::nth_element."""
    while last - first > FEW:
        pivot = first + (last - first) // 2
        moved = order_three(m, d, axis, first, pivot, last - 1)
        # of two different leaves one is always before the other, so first is before the pivot:
        # neither search below can leave the range
        i = first + 1
        j = last - 1
        while i < j:
            while before(m, axis, d.order[i], d.order[pivot]):
                i += 1
            j -= 1
            while not before(m, axis, d.order[j], d.order[pivot]):
                j -= 1
            if i >= j:
                break
            exchange(d, i, j)
            moved += 1
            if pivot == i:
                pivot = j
            i += 1
        if i != pivot and before(m, axis, d.order[pivot], d.order[i]):
            exchange(d, i, pivot)
            moved += 1
        if nth == i:
            return
        # nothing had to move: the rest may be in order, too
        if moved == 0 and nth < i and is_ordered(m, d, axis, first, i):
            return
        if moved == 0 and nth > i and is_ordered(m, d, axis, i, last):
            return
        if nth < i:
            last = i
        else:
            first = i + 1
    order_few(m, d, axis, first, last)


@kernel
def enclose(m, d, node: int, first: int, last: int):
    """The box around some leaves; returns the axis along which it is longest."""
    longest = 0.0
    axis = 0
    for k in range(3):
        low = m.low[k * m.nleaf + d.order[first]]
        high = m.high[k * m.nleaf + d.order[first]]
        for i in range(first + 1, last):
            low = min(low, m.low[k * m.nleaf + d.order[i]])
            high = max(high, m.high[k * m.nleaf + d.order[i]])
        if abs(low - high) < EPS:
            low -= EPS
            high += EPS
        d.box[6 * node + k] = (high + low) / 2.0
        d.box[6 * node + 3 + k] = (high - low) / 2.0
        # a later axis must be longer by a margin
        if k == 0 or high - low >= longest + EPS:
            longest = high - low
            axis = k
    return axis


@kernel
def remember(d, top: int, first: int, last: int, depth: int, parent: int):
    """Put leaves aside for a node that is made later; returns how many are waiting."""
    d.waiting[WAITING * top] = first
    d.waiting[WAITING * top + 1] = last
    d.waiting[WAITING * top + 2] = depth
    d.waiting[WAITING * top + 3] = parent
    return top + 1


@kernel
def grow(m, d, root: int, start: int, count: int):
    """One tree: depth first, left before right.  Mirrors mjCBoundingVolumeHierarchy::MakeBVH."""
    node = root
    top = remember(d, 0, start, start + count, 0, -1)
    while top > 0:
        top -= 1
        first = d.waiting[WAITING * top]
        last = d.waiting[WAITING * top + 1]
        depth = d.waiting[WAITING * top + 2]
        parent = d.waiting[WAITING * top + 3]
        axis = enclose(m, d, node, first, last)
        d.depth[node] = depth
        if parent >= 0:
            d.child[parent] = node - root
        if last - first == 1:
            d.leaf[node] = d.order[first]
        else:
            middle = first + (last - first) // 2
            split(m, d, axis, first, middle, last)
            top = remember(d, top, middle, last, depth + 1, 2 * node + 1)
            top = remember(d, top, first, middle, depth + 1, 2 * node)
        node += 1
    return node


@kernel(entry=True)
def grow_trees(m, d, count: int):
    """All trees, one after the other."""
    node = 0
    start = 0
    for t in range(m.ntree):
        if m.leaf_count[t] > 0:
            node = grow(m, d, node, start, m.leaf_count[t])
        start += m.leaf_count[t]
    return node


@registered(lambda: [grow_trees])
def tree_linker() -> Linker:
    """Loads and compiles the kernels of this module."""
    return Linker(SIZES, NODES)


def grown(
    leaf_count: np.ndarray, place: np.ndarray, low: np.ndarray, high: np.ndarray
) -> dict[str, np.ndarray]:
    """Nodes of trees over leaves that are given one tree after the other (3, leaves)."""
    leaves = place.shape[1]
    total = int(np.maximum(2 * leaf_count - 1, 0).sum())
    given = {
        "ntree": len(leaf_count),
        "nleaf": leaves,
        "leaf_count": np.ascontiguousarray(leaf_count, np.int32),
        "place": np.ascontiguousarray(place, np.float64),
        "low": np.ascontiguousarray(low, np.float64),
        "high": np.ascontiguousarray(high, np.float64),
    }
    made = {
        "order": np.arange(leaves, dtype=np.int32),
        "waiting": np.zeros(WAITING * DEEPEST, np.int32),
        "depth": np.zeros(total, np.int32),
        "child": np.full((total, 2), -1, np.int32),
        "leaf": np.full(total, -1, np.int32),
        "box": np.zeros((total, 6)),
    }
    run_on(grow_trees, tree_linker, given, made, small=leaves < SMALL)
    return made
