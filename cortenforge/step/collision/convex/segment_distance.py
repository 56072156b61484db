"""Distance of a point or segment (core of a sphere or capsule) from a round geom: Newton.

    minimize f(t) = |q(t) - nearest(q(t))|,   q(t) = centre + t axis,   -half <= t <= half
    t <- t - f'(t) / f''(t),   within the bracket where f' changes its sign

f is convex, so its tangents bound it from below: f(t) - max(f'(t) (t + half), f'(t) (t - half)).
Newton's method takes a fifth of the time of GJK, whose vertices crowd together on a round surface.
The nearest point y of an ellipsoid with S = diag(semi-axes) and a = S^2:

    y_i = q_i a_i / (a_i + s),   s >= 0 with sum of y_i^2 / a_i = 1;   q - y = s q / (a + s)

All is in the axes of the second geom. Source: Eberly, "Distance from a point to an ellipse, an
ellipsoid, or a hyperellipsoid", Geometric Tools, 2013.
"""

from __future__ import annotations

import math

from cortenforge.kernel import Tolerance, kernel, vec3
from cortenforge.math.scalar import clip
from cortenforge.math.vector import dot, into_frame, scaled_by
from cortenforge.step.collision.convex.gjk import BEYOND_CUTOFF, DISJOINT, gjk, pair_size
from cortenforge.step.collision.convex.support_function import reaches_level
from cortenforge.step.constants import CAPSULE, CYLINDER, ELLIPSOID, SPHERE

#: most Newton steps; they converge quadratically
MAX_SEGMENT_STEPS = 20
#: converged: relative step along the normal, and along the segment
NORMAL_STEP_TOLERANCE = Tolerance(1e-7, single=1e-6)
PLACE_TOLERANCE = Tolerance(1e-9, single=1e-6)
#: nearer than this share of both sizes, GJK and EPA answer
NEAREST_FRACTION = Tolerance(1e-9, single=1e-5)
#: a segment lies along the geom if |f'| + half f'' is below this
FLAT_SLOPE = 1e-6
#: least divisor; the second derivative is positive, but for rounding
LEAST_CURVATURE = 1e-300


@kernel
def core_distance(m, d, g1: int, g2: int, turn, shift, cutoff):
    """Nearest points of the cores of two geoms: by Newton's method if it applies, else GJK.

    Arguments and results are those of `gjk`.
    """
    if SPHERE <= m.geom_type[g1] <= CAPSULE and ELLIPSOID <= m.geom_type[g2] <= CYLINDER:
        place, apart, found = segment_distance(m, g1, g2, turn, shift, cutoff)
        if found >= 0:
            x = turn @ apart
            first = vec3(0.0, 0.0, place)
            write_nearest_vertex(m, d, g2, turn, shift, x, first)
            return found, 1, x, first, False
    return gjk(m, d, g1, g2, turn, shift, cutoff)


@kernel
def write_nearest_vertex(m, d, g2: int, turn, shift, x, first):
    """Write the nearest points as a simplex of one vertex, with the cap of a cylinder."""
    d.diff_point[0] = x
    d.diff_first[0] = first
    d.diff_corner[0, 0] = -1
    d.diff_corner[0, 1] = -1
    z = into_frame(turn, first - x - shift).z
    if m.geom_type[g2] == CYLINDER and abs(z) >= m.geom_size[g2, 1] * (1.0 - NEAREST_FRACTION):
        d.diff_corner[0, 1] = reaches_level(z, 0.0)


@kernel
def segment_distance(m, g1: int, g2: int, turn, shift, cutoff):
    """Distance of a segment from a round geom; returns (place, apart, outcome).

    place:   the coordinate along the segment, from -half to half  [m]
    apart:   from the nearest point of the geom to that place, in the geom's axes  [m]
    outcome: DISJOINT, BEYOND_CUTOFF, or -1 where GJK has to answer: the segment touches or enters
             the geom, or lies along it: all places are equally near, and GJK chooses as MuJoCo.
    """
    half = m.geom_size[g1, 1] if m.geom_type[g1] == CAPSULE else 0.0
    centre = into_frame(turn, -shift)
    axis = vec3(turn.zx, turn.zy, turn.zz)
    low, high = -half, half
    place = initial_place(m, g2, centre, axis, half)
    apart = centre
    for _k in range(MAX_SEGMENT_STEPS):
        apart, slope, bend = distance_derivatives(m, g2, centre + axis * place, axis)
        distance = math.sqrt(dot(apart, apart))
        if not distance > NEAREST_FRACTION * pair_size(m, g1, g2):
            return place, apart, -1
        # the tangent is below a convex function
        if distance - max(slope * (place + half), slope * (place - half)) > cutoff:
            return place, apart, BEYOND_CUTOFF
        low = place if slope < 0.0 else low
        high = place if slope > 0.0 else high
        target = clip(place - slope / max(bend, LEAST_CURVATURE), low, high)
        if abs(target - place) <= PLACE_TOLERANCE * half:
            lies = half > 0.0 and abs(slope) + bend * half <= FLAT_SLOPE
            return place, apart, -1 if lies else DISJOINT
        place = target
    return place, apart, -1


@kernel
def initial_place(m, g2: int, centre, axis, half):
    """Start of the search: the nearest place after the geom is scaled to a ball."""
    size = m.geom_size[g2]
    if m.geom_type[g2] == CYLINDER:
        size = vec3(size.x, size.x, size.y)
    tilted = scaled_by(axis, inverse_shifted_squares(scaled_by(size, size), 0.0))
    return clip(-dot(tilted, centre) / dot(tilted, axis), -half, half)


@kernel
def distance_derivatives(m, g2: int, q, axis):
    """Offset from a geom to a point, and derivatives of its length along an axis.

    Returns (apart, slope, bend): from the nearest point of the geom to q, zero inside; the first
    and the second derivative of its length as q moves along the axis.
    """
    if m.geom_type[g2] == CYLINDER:
        apart, slope, bend = cylinder_distance_derivatives(m.geom_size[g2], q, axis)
    else:
        apart, slope, bend = ellipsoid_distance_derivatives(m.geom_size[g2], q, axis)
    return apart, slope, bend


@kernel
def cylinder_distance_derivatives(size, q, axis):
    """The same from a cylinder: nearest are its side, a cap, or a rim."""
    across = math.sqrt(q.x * q.x + q.y * q.y)
    beside = across - size.x
    above = abs(q.z) - size.y
    outward = 1.0 / max(across, LEAST_CURVATURE)
    wide = (q.x * axis.x + q.y * axis.y) * outward
    high = axis.z if q.z >= 0.0 else -axis.z
    wider = (axis.x * axis.x + axis.y * axis.y - wide * wide) * outward
    aside = max(beside, 0.0)
    up = max(above, 0.0)
    scale = 1.0 / max(math.sqrt(aside * aside + up * up), LEAST_CURVATURE)
    slope = (aside * wide + up * high) * scale
    bend = wider
    if above > 0.0:
        bend = (wide * wide + aside * wider + high * high - slope * slope) * scale
        bend = bend if beside > 0.0 else 0.0
    share = aside * outward
    return vec3(q.x * share, q.y * share, up if q.z >= 0.0 else -up), slope, bend


@kernel
def ellipsoid_distance_derivatives(size, q, axis):
    """The same from an ellipsoid; apart = s q / (a + s), a the squares of its semi-axes.

    The surface normal at the nearest point is along q / (a + s).
    """
    squares = scaled_by(size, size)
    t = ellipsoid_normal_multiple(size, squares, q)
    inverse = inverse_shifted_squares(squares, t)
    scaled = scaled_by(q, inverse)
    length = math.sqrt(dot(scaled, scaled))
    slope = dot(scaled, axis) / length
    weighted = scaled_by(scaled_by(squares, inverse), scaled)
    faster = dot(weighted, axis) / dot(weighted, scaled)
    # how `scaled`, along which the normal is, changes along the axis
    change = scaled_by(axis, inverse) - scaled_by(scaled, inverse) * faster
    bend = (dot(change, axis) - slope * dot(scaled, change) / length) / length
    return scaled * t, slope, bend


@kernel
def inverse_shifted_squares(squares, t):
    """1 / (squares + t), by component."""
    return vec3(1.0 / (squares.x + t), 1.0 / (squares.y + t), 1.0 / (squares.z + t))


@kernel
def ellipsoid_normal_multiple(size, squares, q):
    """The s of an ellipsoid's nearest point, sum of a_i q_i^2 / (a_i + s)^2 = 1; 0 for q inside.

    Newton's method on 1 / length - 1, with length the root of that sum: it is nearly linear in s
    and concave, so that steps from the left never overshoot.
    """
    least = max(
        max(0.0, size.x * (abs(q.x) - size.x)),
        max(size.y * (abs(q.y) - size.y), size.z * (abs(q.z) - size.z)),
    )
    t = least
    for _k in range(MAX_SEGMENT_STEPS):
        inverse = inverse_shifted_squares(squares, t)
        scaled = scaled_by(q, scaled_by(size, inverse))
        square = dot(scaled, scaled)
        length = math.sqrt(square)
        fall = dot(scaled_by(scaled, inverse), scaled)
        before = t
        t = max(t + square * (length - 1.0) / fall, least)
        if abs(length - 1.0) <= NORMAL_STEP_TOLERANCE or t == before:
            break
    return t
