"""The least overlap of two convex geoms near a direction, where a polytope took too long.

Round geoms inside each other overlap by almost as much along many directions: coaxial cylinders
along all around their axis. A polytope has to be as fine in all of them before the least is known
to be the least; to go down to it from the best that was seen takes some hundred points.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import cross, dot, unit
from cortenforge.step.collision.convex.difference import farthest_difference
from cortenforge.step.collision.convex.simplex import FAR, foot_weights

#: steps of the search as tangents: the first, the shortest, and how many there are at most
FIRST_TURN = 0.1
LAST_TURN = 1e-8
MOST_TURNS = 300
#: directions that are tried around one, and what turns one into the next; the first of a round is
#: a little further round than that of the last, or edges could keep all of them from going down
TRIED = 8
TRY_COS = math.cos(2.0 * math.pi / TRIED)
TRY_SIN = math.sin(2.0 * math.pi / TRIED)
ROUND_COS = math.cos(0.3)
ROUND_SIN = math.sin(0.3)
#: points around the deepest one are looked for so far aside, as a tangent
ASIDE = 1e-3


@kernel
def across(along):
    """Some direction at a right angle to another."""
    x = abs(along.x)
    y = abs(along.y)
    z = abs(along.z)
    other = vec3(0.0, 0.0, 1.0)
    if x <= y and x <= z:
        other = vec3(1.0, 0.0, 0.0)
    elif y <= z:
        other = vec3(0.0, 1.0, 0.0)
    return unit(cross(along, other))


@kernel
def axis_by_number(k: int):
    """Both directions of the three axes."""
    sign = -1.0 if k & 1 else 1.0
    return vec3(sign if k < 2 else 0.0, sign if k == 2 or k == 3 else 0.0, sign if k > 3 else 0.0)


@kernel
def overlap_along(m, d, g1: int, g2: int, turn, shift, v: int, along):
    """How far two geoms overlap along a direction; the point is kept as vertex v."""
    return dot(farthest_difference(m, d, g1, g2, turn, shift, v, along), along)


@kernel
def least_overlap(m, d, g1: int, g2: int, turn, shift, start):
    """A direction along which two geoms overlap least, and by how much.

    Where they are almost concentric, others are almost as good: the opposite, and axes.
    """
    normal, least = go_down(m, d, g1, g2, turn, shift, start)
    for k in range(13):
        tried = -normal
        if k > 6:
            tried = turn @ axis_by_number(k - 7)
        elif k > 0:
            tried = axis_by_number(k - 1)
        if overlap_along(m, d, g1, g2, turn, shift, 0, tried) < least:
            normal, least = go_down(m, d, g1, g2, turn, shift, tried)
    return normal, least


@kernel
def go_down(m, d, g1: int, g2: int, turn, shift, start):
    """The direction near another along which two geoms overlap least, and by how much.

    Between the ends of cylinders and capsules there is a ridge, all around at a right angle to the
    axis. Every second and third round goes along these.
    """
    normal = start
    least = overlap_along(m, d, g1, g2, turn, shift, 0, normal)
    size = FIRST_TURN
    failed = 0
    c = 1.0
    s = 0.0
    kind = 0
    for _k in range(MOST_TURNS):
        one = across(normal)
        two = cross(normal, one)
        best = normal
        found = least
        for _t in range(TRIED):
            tried = unit(normal + (one * c + two * s) * size)
            if kind == 1:
                tried = unit(vec3(tried.x, tried.y, 0.0))
            elif kind == 2:
                axis = vec3(turn.xz, turn.yz, turn.zz)
                tried = unit(tried - axis * dot(axis, tried))
            value = overlap_along(m, d, g1, g2, turn, shift, 0, tried)
            if value < found:
                found = value
                best = tried
            c, s = c * TRY_COS - s * TRY_SIN, c * TRY_SIN + s * TRY_COS
        c, s = c * ROUND_COS - s * ROUND_SIN, c * ROUND_SIN + s * ROUND_COS
        kind = 0 if kind == 2 else kind + 1
        failed += 1
        if found < least:
            failed = 0
            size = min(2.0 * size, FIRST_TURN)
        normal = best
        least = found
        if failed == 3:
            failed = 0
            size = 0.5 * size
            if size < LAST_TURN:
                break
    return normal, least


@kernel
def look_around(m, d, g1: int, g2: int, turn, shift, normal):
    """Points of the difference around the deepest one; three between which the deepest is.

    `witness` is what it comes from.
    """
    overlap_along(m, d, g1, g2, turn, shift, 0, normal)
    one = across(normal)
    two = cross(normal, one)
    c = 1.0
    s = 0.0
    for t in range(TRIED):
        overlap_along(m, d, g1, g2, turn, shift, t + 1, unit(normal + (one * c + two * s) * ASIDE))
        c, s = c * TRY_COS - s * TRY_SIN, c * TRY_SIN + s * TRY_COS
    d.witness[0] = 0
    d.witness[1] = 0
    d.witness[2] = 0
    most = -FAR
    for i in range(TRIED - 1):
        for j in range(i + 1, TRIED):
            for k in range(j + 1, TRIED + 1):
                x, y, z = foot_weights(d.diff_point[i], d.diff_point[j], d.diff_point[k])
                inside = min(x, min(y, z))
                if x + y + z > 0.0 and inside > most:
                    most = inside
                    d.witness[0] = i
                    d.witness[1] = j
                    d.witness[2] = k
