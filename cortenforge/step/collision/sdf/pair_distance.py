"""Signed distances of a pair's sides (geoms, triangles) in the second geom's frame.

That frame is the distance field's: poses far from the origin cost no digits. `pair_turn` and
`pair_shift` are the first geom's axes and position in it.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL, cross, dot, into_frame, norm, unit
from cortenforge.step.collision.convex.minkowski import relative_position, relative_rotation
from cortenforge.step.constants import CYLINDER, SDF, SPHERE
from cortenforge.step.signed_distance.geoms import BOWL, geom_distance_at
from cortenforge.step.signed_distance.primitives import nearest_triangle_point

#: sides: the second geom, the first one, a triangle
SECOND_GEOM, FIRST_GEOM, TRIANGLE = 0, 1, 2
#: most projection steps where distances are not exact; tolerance relative to the pair's size
MAX_PROJECTIONS = 4
SURFACE_TOLERANCE = 1e-10


@kernel
def set_pair_frame(d, g1: int, g2: int):
    """Set the pose of the first geom in the frame of the second."""
    d.pair_turn = relative_rotation(d, g2, g1)
    d.pair_shift = relative_position(d, g2, g1)


@kernel
def triangle_distance(d, p):
    """Distance of a point from the current triangle: (distance, gradient); on it, the normal."""
    a = d.face_point[0]
    b = d.face_point[1]
    c = d.face_point[2]
    away = p - nearest_triangle_point(a, b, c, p)
    distance = norm(away)
    gradient = away * (1.0 / max(distance, MINVAL))
    if distance < MINVAL:
        gradient = unit(cross(b - a, c - a))
    return distance, gradient


@kernel(unit=True)
def evaluate_side_distance(m, d, g: int, side: int):
    """Signed distance of the point `look_at` from a side: `look_distance`, `look_gradient`.

    A unit, since it contains all shapes: compiled once, not for every caller.
    """
    if side == TRIANGLE:
        distance, gradient = triangle_distance(d, d.look_at)
        d.look_distance = distance
        d.look_gradient = gradient
    else:
        p = d.look_at
        if side == FIRST_GEOM:
            p = into_frame(d.pair_turn, p - d.pair_shift)
        distance, gradient = geom_distance_at(m, g, p)
        if side == FIRST_GEOM:
            gradient = d.pair_turn @ gradient
        d.look_distance = distance
        d.look_gradient = gradient


@kernel
def side_distance(m, d, g: int, side: int, x):
    """Signed distance of a point from a side: (distance, gradient)."""
    d.look_at = x
    evaluate_side_distance(m, d, g, side)
    return d.look_distance, d.look_gradient


@kernel
def has_exact_gradient(m, g: int):
    """Whether a geom's distance is exact: x - distance * gradient is its nearest point."""
    kind = m.geom_type[g]
    smooth = kind >= SPHERE and kind < CYLINDER
    if kind == SDF:
        smooth = m.geom_sdf[g] >= BOWL
    return smooth


@kernel
def project_onto_solid(m, d, g: int, side: int, start, size):
    """Project a point onto a side: (x, level, outward), its distance there and the gradient.

    Points inside stay. Exact distances need one step, others a few.
    """
    x = start
    smooth = side != TRIANGLE and has_exact_gradient(m, g)
    level, outward = side_distance(m, d, g, side, x)
    for _move in range(MAX_PROJECTIONS):
        if level <= SURFACE_TOLERANCE * size:
            break
        x = x - outward * (level / max(dot(outward, outward), MINVAL))
        if smooth:
            level = 0.0
        else:
            level, outward = side_distance(m, d, g, side, x)
    return x, level, outward
