"""Local search for the least overlap of two convex geoms, where EPA's iterations run out.

    minimize h(u) = s(u).u over |u| = 1,   s the support of the Minkowski difference

Round geoms inside each other overlap by almost as much along many directions, as coaxial cylinders
do all around their axis: the polytope of EPA has to be fine in all of them. A pattern search
(compass search on the sphere) from the best normal so far takes some hundred support points: eight
directions on a circle around the best one; the circle halves when none is lower.

Source: Kolda, Lewis, Torczon, "Optimization by direct search", SIAM Review 45(3), 2003.
"""

from __future__ import annotations

import math

from cortenforge.kernel import Tolerance, kernel, vec3
from cortenforge.math.vector import cross, dot, unit
from cortenforge.step.collision.convex.minkowski import minkowski_support
from cortenforge.step.collision.convex.simplex import INFINITE_DISTANCE, projection_weights

#: radius of the circle of directions, as a tangent: first, shortest; most rounds
FIRST_TURN = 0.1
SHORTEST_TURN = Tolerance(1e-8, single=1e-6)
MAX_TURNS = 300
#: directions on the circle, and the rotation from one to the next; each round is also rotated by
#: 0.3 rad, or edges could keep all of them from going down
DIRECTIONS_TRIED = 8
TRY_COS = math.cos(2.0 * math.pi / DIRECTIONS_TRIED)
TRY_SIN = math.sin(2.0 * math.pi / DIRECTIONS_TRIED)
ROUND_COS = math.cos(0.3)
ROUND_SIN = math.sin(0.3)
#: radius of the circle of directions for witnesses, as a tangent
NEIGHBOUR_TANGENT = 1e-3


@kernel
def perpendicular(along):
    """A unit vector perpendicular to another."""
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
def axis_direction(k: int):
    """Signed unit axis k: x, -x, y, -y, z, -z."""
    sign = -1.0 if k & 1 else 1.0
    return vec3(sign if k < 2 else 0.0, sign if k == 2 or k == 3 else 0.0, sign if k > 3 else 0.0)


@kernel
def overlap_along(m, d, g1: int, g2: int, turn, shift, v: int, along):
    """Overlap h(u) = s(u).u of two geoms along u; the support point is kept as vertex v."""
    return dot(minkowski_support(m, d, g1, g2, turn, shift, v, along), along)


@kernel
def least_overlap(m, d, g1: int, g2: int, turn, shift, start):
    """The direction of least overlap near a start, and the overlap: (normal, least).

    Where geoms are almost concentric, the opposite direction and the axes of both are tried, too.
    """
    normal, least = descend_overlap(m, d, g1, g2, turn, shift, start)
    for k in range(13):
        tried = -normal
        if k > 6:
            tried = turn @ axis_direction(k - 7)
        elif k > 0:
            tried = axis_direction(k - 1)
        if overlap_along(m, d, g1, g2, turn, shift, 0, tried) < least:
            normal, least = descend_overlap(m, d, g1, g2, turn, shift, tried)
    return normal, least


@kernel
def descend_overlap(m, d, g1: int, g2: int, turn, shift, start):
    """Pattern search down the overlap from a direction; returns (normal, least).

    Overlaps of cylinders and capsules have a ridge between their ends, perpendicular to the axis.
    Every second and third round stays perpendicular to the z axis of the first and the second geom.
    """
    normal = start
    least = overlap_along(m, d, g1, g2, turn, shift, 0, normal)
    size = FIRST_TURN
    failed = 0
    c = 1.0
    s = 0.0
    kind = 0
    for _k in range(MAX_TURNS):
        one = perpendicular(normal)
        two = cross(normal, one)
        best = normal
        found = least
        for _t in range(DIRECTIONS_TRIED):
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
            if size < SHORTEST_TURN:
                break
    return normal, least


@kernel
def find_witness_triangle(m, d, g1: int, g2: int, turn, shift, normal):
    """Set `witness` to three support points around a direction that enclose the deepest point.

    Support points of eight directions nearby; the triangle whose projection of the origin is
    farthest inside.
    """
    overlap_along(m, d, g1, g2, turn, shift, 0, normal)
    one = perpendicular(normal)
    two = cross(normal, one)
    c = 1.0
    s = 0.0
    for t in range(DIRECTIONS_TRIED):
        overlap_along(
            m, d, g1, g2, turn, shift, t + 1, unit(normal + (one * c + two * s) * NEIGHBOUR_TANGENT)
        )
        c, s = c * TRY_COS - s * TRY_SIN, c * TRY_SIN + s * TRY_COS
    d.witness[0] = 0
    d.witness[1] = 0
    d.witness[2] = 0
    most = -INFINITE_DISTANCE
    for i in range(DIRECTIONS_TRIED - 1):
        for j in range(i + 1, DIRECTIONS_TRIED):
            for k in range(j + 1, DIRECTIONS_TRIED + 1):
                x, y, z = projection_weights(d.diff_point[i], d.diff_point[j], d.diff_point[k])
                inside = min(x, min(y, z))
                if x + y + z > 0.0 and inside > most:
                    most = inside
                    d.witness[0] = i
                    d.witness[1] = j
                    d.witness[2] = k
