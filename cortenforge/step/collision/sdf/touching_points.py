"""The touching points of one pair: near ones are merged, and their number is limited."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import dot

#: most points of a pair, as in MuJoCo (mjMAXCONPAIR)
MAX_TOUCHES = 50
#: least cosine between normals of points that are merged
SAME_NORMAL_COSINE = 0.7


@kernel
def find_similar_touch(d, count: int, pos, normal, apart):
    """The touching point nearly equal to one in position and normal, or -1."""
    for k in range(count):
        away = pos - d.touch_pos[k]
        if dot(away, away) < apart * apart and dot(normal, d.touch_normal[k]) > SAME_NORMAL_COSINE:
            return k
    return -1


@kernel
def write_touch(d, k: int, dist, pos, normal):
    """Write a touching point."""
    d.touch_dist[k] = dist
    d.touch_pos[k] = pos
    d.touch_normal[k] = normal


@kernel
def add_touch(d, dist, pos, normal):
    """Add a touching point; of two near ones the deeper one stays.

    If the list is full, the merging distance doubles until there is room.
    """
    k = find_similar_touch(d, d.touches, pos, normal, d.touch_apart)
    if k < 0:
        while d.touches >= MAX_TOUCHES:
            d.touch_apart *= 2.0
            merge_touches(d)
        k = find_similar_touch(d, d.touches, pos, normal, d.touch_apart)
    if k >= 0:
        if dist < d.touch_dist[k]:
            write_touch(d, k, dist, pos, normal)
    else:
        write_touch(d, d.touches, dist, pos, normal)
        d.touches += 1


@kernel
def merge_touches(d):
    """Merge the points of the list once more, with the current merging distance."""
    total = d.touches
    kept = 0
    for i in range(total):
        dist = d.touch_dist[i]
        pos = d.touch_pos[i]
        normal = d.touch_normal[i]
        k = find_similar_touch(d, kept, pos, normal, d.touch_apart)
        if k < 0:
            write_touch(d, kept, dist, pos, normal)
            kept += 1
        elif dist < d.touch_dist[k]:
            write_touch(d, k, dist, pos, normal)
    d.touches = kept
