"""The two shapes of a pair, and triangles, as distances in the frame of the second geom.

Everything happens in that frame, which is the one of a distance field: poses far from the origin
cost no digits. `pair_turn` and `pair_shift` place the first geom in it. A side is a geom, or a
triangle.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL, cross, dot, into_frame, norm, unit
from cortenforge.step.collision.convex.difference import shift_between, turn_between
from cortenforge.step.constants import CYLINDER, SDF, SPHERE
from cortenforge.step.shapes.distances import BOWL, geom_distance_at
from cortenforge.step.shapes.solids import triangle_point

#: which side: the second geom, the first one, a triangle
SECOND, FIRST, TRIANGLE = 0, 1, 2
#: moves onto a surface whose distance is not exact, and what is near enough, in sizes of the pair
SETTLING = 4
SETTLED = 1e-10


@kernel
def place_pair(d, g1: int, g2: int):
    """Take down where the first geom is, seen from the second."""
    d.pair_turn = turn_between(d, g2, g1)
    d.pair_shift = shift_between(d, g2, g1)


@kernel
def triangle_distance(d, p):
    """How far a point is from the triangle at hand; on it, the gradient is its normal."""
    a = d.face_point[0]
    b = d.face_point[1]
    c = d.face_point[2]
    away = p - triangle_point(a, b, c, p)
    distance = norm(away)
    gradient = away * (1.0 / max(distance, MINVAL))
    if distance < MINVAL:
        gradient = unit(cross(b - a, c - a))
    return distance, gradient


@kernel(unit=True)
def look(m, d, g: int, side: int):
    """Signed distance of the point `look_at` from a side, and its gradient.

    A unit, since it has all shapes in it: compiled once, and not for every place that asks.
    """
    if side == TRIANGLE:
        distance, gradient = triangle_distance(d, d.look_at)
        d.look_distance = distance
        d.look_gradient = gradient
    else:
        p = d.look_at
        if side == FIRST:
            p = into_frame(d.pair_turn, p - d.pair_shift)
        distance, gradient = geom_distance_at(m, g, p)
        if side == FIRST:
            gradient = d.pair_turn @ gradient
        d.look_distance = distance
        d.look_gradient = gradient


@kernel
def side_distance(m, d, g: int, side: int, x):
    """Signed distance of a point from a side, and its gradient."""
    d.look_at = x
    look(m, d, g, side)
    return d.look_distance, d.look_gradient


@kernel
def is_smooth(m, g: int):
    """Whether a geom's distance leads to its nearest point, and the gradient is its normal."""
    kind = m.geom_type[g]
    smooth = kind >= SPHERE and kind < CYLINDER
    if kind == SDF:
        smooth = m.geom_sdf[g] >= BOWL
    return smooth


@kernel
def settled(m, d, g: int, side: int, start, size):
    """A point of a side, the nearest one or close to it; its distance, and the gradient there.

    Points inside stay where they are.
    """
    x = start
    smooth = side != TRIANGLE and is_smooth(m, g)
    level, outward = side_distance(m, d, g, side, x)
    for _move in range(SETTLING):
        if level <= SETTLED * size:
            break
        x = x - outward * (level / max(dot(outward, outward), MINVAL))
        if smooth:
            level = 0.0
        else:
            level, outward = side_distance(m, d, g, side, x)
    return x, level, outward
