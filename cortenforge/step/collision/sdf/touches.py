"""The list of touching points of one pair: near ones are one, and there are not too many."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import dot

#: points of a pair, as many as MuJoCo has at most (mjMAXCONPAIR)
MOST_TOUCHES = 50
#: cosine between normals of points that are taken for one
SAME_WAY = 0.7


@kernel
def near_touch(d, count: int, pos, normal, apart):
    """A touching point of the list that is almost the same, or -1."""
    for k in range(count):
        away = pos - d.touch_pos[k]
        if dot(away, away) < apart * apart and dot(normal, d.touch_normal[k]) > SAME_WAY:
            return k
    return -1


@kernel
def put_touch(d, k: int, dist, pos, normal):
    """Write one of the points."""
    d.touch_dist[k] = dist
    d.touch_pos[k] = pos
    d.touch_normal[k] = normal


@kernel
def offer_touch(d, dist, pos, normal):
    """Add a touching point; of two that are near, the deeper one stays.

    In a full list, points are taken for one at twice the distance, again and again, until there
    is room.
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
    """Go through the list once more with the distance as it is now."""
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
