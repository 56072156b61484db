"""Kernels that build bounding volume hierarchies: leaves are split at the median, recursively.

A partial sort (nth_element) decides which leaves go left.  Where points are NaN (triangles without
area have no circumscribed circle) or tie within a margin, they are not strictly ordered, and the
result depends on every step of the sort: so it takes the steps of the C++ library (libc++) of
MuJoCo's wheels.
"""

from __future__ import annotations

import numpy as np

from cortenforge.kernel import kernel, vec3
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.kernel.load.run import run_on

BVH_EPS = 1e-14
#: ranges up to this size are sorted as a whole
MAX_SELECTION_SORT = 7
#: a tree of n leaves is about log2(n) deep, and waiting nodes are one a level
MAX_BVH_DEPTH = 64
STACK_WORDS = 4
#: fewer leaves than this take less time in Python than loading a compiled function
MAX_PLAIN_LEAVES = 100

BVH_INPUT_LAYOUT = StructLayout(
    "TreeSizes",
    [
        ("ntree", "size", (), True),
        ("nleaf", "size", (), True),
        ("leaf_count", "int", (), False),
        ("place", "real", (), False),
        ("low", "vec3", (), False),
        ("high", "vec3", (), False),
    ],
    constant=True,
)
BVH_NODE_LAYOUT = StructLayout(
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
def leaf_precedes(m, axis: int, a: int, b: int):
    """Whether leaf a is before leaf b along an axis; ties are broken by their ids."""
    gap = m.place[axis * m.nleaf + a] - m.place[axis * m.nleaf + b]
    if abs(gap) > BVH_EPS:
        return gap < 0.0
    return a < b


@kernel
def swap_leaves(d, i: int, j: int):
    """Swap two entries of the order."""
    kept = d.order[i]
    d.order[i] = d.order[j]
    d.order[j] = kept


@kernel
def sort_three_leaves(m, d, axis: int, i: int, j: int, k: int):
    """Sort three entries of the order; returns 0 if nothing was swapped, else 1."""
    if not leaf_precedes(m, axis, d.order[j], d.order[i]):
        if not leaf_precedes(m, axis, d.order[k], d.order[j]):
            return 0
        swap_leaves(d, j, k)
        if leaf_precedes(m, axis, d.order[j], d.order[i]):
            swap_leaves(d, i, j)
        return 1
    if leaf_precedes(m, axis, d.order[k], d.order[j]):
        swap_leaves(d, i, k)
        return 1
    swap_leaves(d, i, j)
    if leaf_precedes(m, axis, d.order[k], d.order[j]):
        swap_leaves(d, j, k)
    return 1


@kernel
def selection_sort_leaves(m, d, axis: int, first: int, last: int):
    """Selection sort of a short range of the order."""
    if last - first == 3:
        sort_three_leaves(m, d, axis, first, first + 1, last - 1)
        return
    for i in range(first, last - 1):
        lowest = i
        for j in range(i + 1, last):
            if leaf_precedes(m, axis, d.order[j], d.order[lowest]):
                lowest = j
        if lowest != i:
            swap_leaves(d, i, lowest)


@kernel
def leaves_are_sorted(m, d, axis: int, first: int, last: int):
    """Whether a range of the order is sorted already."""
    i = first + 1
    while i < last and not leaf_precedes(m, axis, d.order[i], d.order[i - 1]):
        i += 1
    return i >= last


@kernel
def nth_element(m, d, axis: int, first: int, nth: int, last: int):
    """Partial sort: the nth entry of a range at its place, as std::nth_element of libc++."""
    while last - first > MAX_SELECTION_SORT:
        pivot = first + (last - first) // 2
        moved = sort_three_leaves(m, d, axis, first, pivot, last - 1)
        # of two different leaves one is always before the other, so first is before the pivot:
        # neither search below can leave the range
        i = first + 1
        j = last - 1
        while i < j:
            while leaf_precedes(m, axis, d.order[i], d.order[pivot]):
                i += 1
            j -= 1
            while not leaf_precedes(m, axis, d.order[j], d.order[pivot]):
                j -= 1
            if i >= j:
                break
            swap_leaves(d, i, j)
            moved += 1
            if pivot == i:
                pivot = j
            i += 1
        if i != pivot and leaf_precedes(m, axis, d.order[pivot], d.order[i]):
            swap_leaves(d, i, pivot)
            moved += 1
        if nth == i:
            return
        # nothing had to move: the rest may be in order, too
        if moved == 0 and nth < i and leaves_are_sorted(m, d, axis, first, i):
            return
        if moved == 0 and nth > i and leaves_are_sorted(m, d, axis, i, last):
            return
        if nth < i:
            last = i
        else:
            first = i + 1
    selection_sort_leaves(m, d, axis, first, last)


@kernel
def lower_corner(a, b):
    """The lower one of two points along each axis."""
    return vec3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z))


@kernel
def upper_corner(a, b):
    """The upper one of two points along each axis."""
    return vec3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z))


@kernel
def write_box_edge(d, node: int, axis: int, low, high):
    """Centre and half size of a node's box along an axis; returns the size."""
    if abs(low - high) < BVH_EPS:
        low -= BVH_EPS
        high += BVH_EPS
    d.box[6 * node + axis] = (high + low) / 2.0
    d.box[6 * node + 3 + axis] = (high - low) / 2.0
    return high - low


@kernel
def bounding_box_of_leaves(m, d, node: int, first: int, last: int):
    """Set the box of a node around a range of leaves; returns the axis of its longest edge."""
    low = m.low[d.order[first]]
    high = m.high[d.order[first]]
    for i in range(first + 1, last):
        low = lower_corner(low, m.low[d.order[i]])
        high = upper_corner(high, m.high[d.order[i]])
    longest = write_box_edge(d, node, 0, low.x, high.x)
    y = write_box_edge(d, node, 1, low.y, high.y)
    z = write_box_edge(d, node, 2, low.z, high.z)
    # a later axis must be longer by a margin
    axis = 0
    if y >= longest + BVH_EPS:
        longest = y
        axis = 1
    if z >= longest + BVH_EPS:
        axis = 2
    return axis


@kernel
def push_node(d, top: int, first: int, last: int, depth: int, parent: int):
    """Push a range of leaves for a later node on the stack; returns the new stack size."""
    d.waiting[STACK_WORDS * top] = first
    d.waiting[STACK_WORDS * top + 1] = last
    d.waiting[STACK_WORDS * top + 2] = depth
    d.waiting[STACK_WORDS * top + 3] = parent
    return top + 1


@kernel
def build_bvh(m, d, root: int, start: int, count: int):
    """One tree: depth first, left before right.  Mirrors mjCBoundingVolumeHierarchy::MakeBVH."""
    node = root
    top = push_node(d, 0, start, start + count, 0, -1)
    while top > 0:
        top -= 1
        first = d.waiting[STACK_WORDS * top]
        last = d.waiting[STACK_WORDS * top + 1]
        depth = d.waiting[STACK_WORDS * top + 2]
        parent = d.waiting[STACK_WORDS * top + 3]
        axis = bounding_box_of_leaves(m, d, node, first, last)
        d.depth[node] = depth
        if parent >= 0:
            d.child[parent] = node - root
        if last - first == 1:
            d.leaf[node] = d.order[first]
        else:
            middle = first + (last - first) // 2
            nth_element(m, d, axis, first, middle, last)
            top = push_node(d, top, middle, last, depth + 1, 2 * node + 1)
            top = push_node(d, top, first, middle, depth + 1, 2 * node)
        node += 1
    return node


@kernel(entry=True)
def build_bvhs(m, d, count: int):
    """Build all trees, one after the other; returns the number of nodes."""
    node = 0
    start = 0
    for t in range(m.ntree):
        if m.leaf_count[t] > 0:
            node = build_bvh(m, d, node, start, m.leaf_count[t])
        start += m.leaf_count[t]
    return node


@kernel
def place_nodes(m, d):
    """Nodes of a tree whose leaves are in order, with the boxes of leaves; returns their number."""
    node = 0
    top = push_node(d, 0, 0, m.nleaf, 0, -1)
    while top > 0:
        top -= 1
        first = d.waiting[STACK_WORDS * top]
        last = d.waiting[STACK_WORDS * top + 1]
        depth = d.waiting[STACK_WORDS * top + 2]
        parent = d.waiting[STACK_WORDS * top + 3]
        d.depth[node] = depth
        if parent >= 0:
            d.child[parent] = node
        if last - first == 1:
            leaf = d.order[first]
            d.leaf[node] = leaf
            low = m.low[leaf]
            high = m.high[leaf]
            d.box[6 * node] = low.x
            d.box[6 * node + 1] = low.y
            d.box[6 * node + 2] = low.z
            d.box[6 * node + 3] = high.x
            d.box[6 * node + 4] = high.y
            d.box[6 * node + 5] = high.z
        else:
            middle = first + (last - first) // 2
            top = push_node(d, top, middle, last, depth + 1, 2 * node + 1)
            top = push_node(d, top, first, middle, depth + 1, 2 * node)
        node += 1
    return node


@kernel(entry=True)
def restore_bvh(m, d, count: int):
    """One tree from the order of its leaves, as `build_bvh` makes it; returns its nodes.

    Boxes are joined from the leaves up: a child is behind its parent.
    """
    total = place_nodes(m, d)
    for i in range(total):
        node = total - 1 - i
        if d.leaf[node] < 0:
            left = d.child[2 * node]
            right = d.child[2 * node + 1]
            for k in range(3):
                d.box[6 * node + k] = min(d.box[6 * left + k], d.box[6 * right + k])
                d.box[6 * node + 3 + k] = max(d.box[6 * left + 3 + k], d.box[6 * right + 3 + k])
    for node in range(total):
        for k in range(3):
            write_box_edge(d, node, k, d.box[6 * node + k], d.box[6 * node + 3 + k])
    return total


@registered(lambda: [build_bvhs, restore_bvh])
def bvh_linker() -> Linker:
    """Loads and compiles the kernels of this module."""
    return Linker(BVH_INPUT_LAYOUT, BVH_NODE_LAYOUT)


def bvh_nodes(
    leaf_count: np.ndarray, place: np.ndarray, low: np.ndarray, high: np.ndarray
) -> dict[str, np.ndarray]:
    """Nodes of the trees over given leaves: depth, child, leaf, box.

    place: (3, leaves);  low, high: (leaves, 3);  one tree after the other.
    """
    leaves = place.shape[1]
    given = {
        "ntree": len(leaf_count),
        "nleaf": leaves,
        "leaf_count": np.ascontiguousarray(leaf_count, np.int32),
        "place": np.ascontiguousarray(place, np.float64),
        "low": np.ascontiguousarray(low, np.float64),
        "high": np.ascontiguousarray(high, np.float64),
    }
    made = _empty_nodes(np.arange(leaves, dtype=np.int32), leaf_count)
    run_on(build_bvhs, bvh_linker, given, made, small=leaves < MAX_PLAIN_LEAVES)
    return made


def ordered_bvh_nodes(
    order: np.ndarray, low: np.ndarray, high: np.ndarray
) -> dict[str, np.ndarray]:
    """Nodes of one tree, as `bvh_nodes` makes them, from the order of its leaves.

    low, high: (leaves, 3).
    """
    count = len(order)
    made = _empty_nodes(np.array(order, np.int32), np.array([count]))
    if count:
        given = {"nleaf": count, "low": low, "high": high}
        run_on(restore_bvh, bvh_linker, given, made, small=count < MAX_PLAIN_LEAVES)
    return made


def _empty_nodes(order: np.ndarray, leaf_count: np.ndarray) -> dict[str, np.ndarray]:
    total = int(np.maximum(2 * leaf_count - 1, 0).sum())
    return {
        "order": order,
        "waiting": np.zeros(STACK_WORDS * MAX_BVH_DEPTH, np.int32),
        "depth": np.zeros(total, np.int32),
        "child": np.full((total, 2), -1, np.int32),
        "leaf": np.full(total, -1, np.int32),
        "box": np.zeros((total, 6)),
    }
