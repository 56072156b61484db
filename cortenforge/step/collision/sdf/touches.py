"""The touching points of one pair: near ones are merged, and their number is limited."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import dot

#: most points of a pair, as in MuJoCo (mjMAXCONPAIR)
MOST_TOUCHES = 50
#: least cosine between normals of points that are merged
SAME_WAY = 0.7


@kernel
def near_touch(d, count: int, pos, normal, apart):
    """The touching point nearly equal to one in position and normal, or -1."""
    for k in range(count):
        away = pos - d.touch_pos[k]
        if dot(away, away) < apart * apart and dot(normal, d.touch_normal[k]) > SAME_WAY:
            return k
    return -1


@kernel
def put_touch(d, k: int, dist, pos, normal):
    """Write a touching point."""
    d.touch_dist[k] = dist
    d.touch_pos[k] = pos
    d.touch_normal[k] = normal


@kernel
def offer_touch(d, dist, pos, normal):
    """Add a touching point; of two near ones the deeper one stays.

    If the list is full, the merging distance doubles until there is room.
    """
    k = near_touch(d, d.touches, pos, normal, d.touch_apart)
    if k < 0:
        while d.touches >= MOST_TOUCHES:
            d.touch_apart *= 2.0
            thin_out(d)
        k = near_touch(d, d.touches, pos, normal, d.touch_apart)
    if k >= 0:
        if dist < d.touch_dist[k]:
            put_touch(d, k, dist, pos, normal)
    else:
        put_touch(d, d.touches, dist, pos, normal)
        d.touches += 1


@kernel
def thin_out(d):
    """Merge the points of the list once more, with the current merging distance."""
    total = d.touches
    kept = 0
    for i in range(total):
        dist = d.touch_dist[i]
        pos = d.touch_pos[i]
        normal = d.touch_normal[i]
        k = near_touch(d, kept, pos, normal, d.touch_apart)
        if k < 0:
            put_touch(d, kept, dist, pos, normal)
            kept += 1
        elif dist < d.touch_dist[k]:
            put_touch(d, k, dist, pos, normal)
    d.touches = kept
