"""Tendon wrapping: shortest paths around spheres and cylinders, outside or inside (sidesite).

All points are in the geom's frame: centre at the origin, a cylinder's axis along z. The problem is
planar: in the plane through both ends and the centre for a sphere, across the axis for a cylinder,
where a path climbs evenly. Planar points are vec3 without z. A result is (length of the arc, first
point, last point); the length is -1 (NO_ARC) where the path does not touch.

    outside: tangent points t of a point p:  t = (r^2 p +- r sqrt(|p|^2 - r^2) p_perp) / |p|^2
             length = r angle between both tangent points, the way round that the side asks for
    inside:  one touching point at angle phi, where both lines make the same angle with the circle:
             asin(a sin phi) + asin(b sin phi) - 2 phi + gap = 0,  a = r / |p1|, b = r / |p2|
    cylinder: length = sqrt(arc^2 + rise^2)

Lanes touch or do not touch independently: work that most paths do not need runs only if any lane
needs it. Source: MuJoCo: XML reference, tendon/spatial, and the C code of mju_wrap.
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import MINVAL, cross, dot, flat_cross, norm, unit
from cortenforge.step.constants import WRAP_CYLINDER

PI = math.pi
#: no arc: the path does not touch the geom
NO_ARC = -1.0
#: score of a path whose tangents cross, below that of all others
CROSSED_SCORE = -1e4
#: iterations of Newton's method, and its tolerance
WRAP_INSIDE_STEPS = 19
WRAP_INSIDE_TOLERANCE = 1e-6


@kernel(lanes=True)
def wrap_geom(start, end, side, sided: int, radius, kind: int):
    """Part of a path from start to end that lies on a sphere or cylinder.  Mirrors mju_wrap.

    side: a side site's position, used if `sided`. Returns (length, first point, last point).
    """
    depth = norm(side)
    if kind == WRAP_CYLINDER:
        length, first, last = wrap_circle(start, end, side, sided, depth, radius)
        return lift_onto_cylinder(start, end, length, first, last)
    x, y = plane_axes(start, end)
    length, first, last = wrap_circle(
        in_plane(start, x, y), in_plane(end, x, y), in_plane(side, x, y), sided, depth, radius
    )
    return length, x * first.x + y * first.y, x * last.x + y * last.y


@kernel(lanes=True)
def wrap_circle(a, b, side, sided: int, depth, radius):
    """Wrap around a circle: the shorter way, or the way given by a side site.

    depth: distance of the side site from the centre, in space; within the radius, the path touches
    the circle from inside. Returns (length, first point, last point).  Mirrors wrap_circle.
    """
    if sided == 0:
        return shorter_outer_arc(a, b, radius)
    inner = depth < radius
    length, first, last = NO_ARC, a, b
    if any_lane(not inner):
        length, first, last = sided_outer_arc(a, b, on_circle(side, radius), radius)
    if any_lane(inner):
        bounced, point = wrap_inside(a, b, radius, inner)
        length = select(inner, bounced, length)
        first, last = select(inner, point, first), select(inner, point, last)
    return length, first, last


@kernel(lanes=True)
def plane_axes(start, end):
    """Two axes of the plane through the centre, start and end; the first points at start."""
    x = unit(start)
    normal = cross(start, end)
    # ends collinear with the centre: any plane through them is valid, this one is MuJoCo's
    large_y = abs(x.y) > abs(x.x) and abs(x.y) > abs(x.z)
    large_z = abs(x.z) > abs(x.x) and abs(x.z) > abs(x.y)
    other = vec3(
        select(large_y or large_z, 1.0, 0.0),
        select(large_y, 0.0, 1.0),
        select(large_z, 0.0, 1.0),
    )
    normal = select(norm(normal) < MINVAL, cross(x, other), normal)
    return x, unit(cross(unit(normal), x))


@kernel(lanes=True)
def lift_onto_cylinder(start, end, length, first, last):
    """Arc around a cylinder from its planar arc: z is linear in planar path length.

    Returns (length, first point, last point).
    """
    before = flat_norm(first - start)
    after = flat_norm(end - last)
    rise = (end.z - start.z) / (before + length + after)
    climb = rise * length
    whole = select(length < 0.0, length, math.sqrt(length * length + climb * climb))
    return (
        whole,
        vec3(first.x, first.y, start.z + rise * before),
        vec3(last.x, last.y, start.z + rise * (before + length)),
    )


@kernel(lanes=True)
def shorter_outer_arc(a, b, radius):
    """Wrap around the outside of a circle, the shorter way round.  Mirrors wrap_circle.

    Returns (length, first point, last point).
    """
    touching = (
        has_tangents(a, b, radius) and not flat_square(nearest_to_centre(a, b)) > radius * radius
    )
    length, first, last = NO_ARC, a, b
    if any_lane(touching):
        a0, b0 = tangent_points(a, b, radius, 1.0)
        a1, b1 = tangent_points(a, b, radius, -1.0)
        bad0 = segments_cross(a, a0, b, b0)
        bad1 = segments_cross(a, a1, b, b1)
        worth0 = select(bad0, CROSSED_SCORE, -flat_square(a0 - b0))
        worth1 = select(bad1, CROSSED_SCORE, -flat_square(a1 - b1))
        other = not worth0 > worth1
        first, last = select(other, a1, a0), select(other, b1, b0)
        bad = (other and bad1) or (not other and bad0)
        area = first.y * last.x - first.x * last.y
        angle = math.atan2(abs(area), flat_dot(first, last))
        reflex = (area > 0.0 and other) or (area < 0.0 and not other)
        angle = select(reflex, 2.0 * PI - angle, angle)
        length = select(touching and not bad, radius * angle, NO_ARC)
    return length, first, last


@kernel(lanes=True)
def sided_outer_arc(a, b, side, radius):
    """Wrap around the outside of a circle on the side of a side site.  Mirrors wrap_circle.

    The path winds as the line from a over the side site to b. Returns (length, first point, last
    point).
    """
    apart = flat_square(nearest_to_centre(a, b)) > radius * radius
    from_a, to_b, whole = flat_cross(a, side), flat_cross(side, b), flat_cross(a, b)
    # sufficient for a path that is not wound around the centre, and needs no atan2
    same_way = from_a * whole > 0.0 and to_b * whole > 0.0
    straight = apart and (from_a * to_b < 0.0 or same_way)
    possible = has_tangents(a, b, radius) and not straight
    length, first, last = NO_ARC, a, b
    if any_lane(possible):
        winding = angle_between(a, side) + angle_between(side, b)
        straight = apart and abs(winding - angle_between(a, b)) < PI
        first, last = tangent_points(a, b, radius, select(winding > 0.0, -1.0, 1.0))
        good = possible and not straight and not segments_cross(a, first, b, last)
        turn = winding - angle_between(a, first) - angle_between(last, b)
        length = select(good, radius * abs(turn), NO_ARC)
    return length, first, last


@kernel(lanes=True)
def has_tangents(a, b, radius):
    """Whether both ends are outside of the circle, and distinct from each other."""
    least = min(flat_square(a), flat_square(b))
    return least >= radius * radius and radius >= MINVAL and flat_square(b - a) >= MINVAL


@kernel(lanes=True)
def nearest_to_centre(a, b):
    """The point of segment a-b that is nearest to the centre."""
    step = b - a
    along = -flat_dot(step, a) / flat_square(step)
    return step * min(1.0, max(0.0, along)) + a


@kernel(lanes=True)
def tangent_points(a, b, radius, way):
    """Tangent points of a and b on the circle, on one side (way 1) or the other (way -1)."""
    return tangent_point(a, radius, way), tangent_point(b, radius, -way)


@kernel(lanes=True)
def tangent_point(point, radius, way):
    """Tangent point on the circle of a line from a point outside."""
    square = flat_square(point)
    radius_squared = radius * radius
    reach = way * radius * math.sqrt(square - radius_squared)
    return vec3(
        (point.x * radius_squared + point.y * reach) / square,
        (point.y * radius_squared - point.x * reach) / square,
        0.0,
    )


@kernel(lanes=True)
def segments_cross(a, b, c, d):
    """Whether segments a-b and c-d intersect.  Mirrors is_intersect."""
    u, v = b - a, d - c
    area = flat_cross(u, v)
    sign = select(area > 0.0, 1.0, -1.0)
    w, x = a - c, b - d
    begins = min(flat_cross(v, w) * sign, flat_cross(u, w) * sign)
    ends = max(flat_cross(v, x) * sign, flat_cross(u, x) * sign)
    return not abs(area) < MINVAL and begins >= 0.0 and ends < 0.0


@kernel(lanes=True)
def wrap_inside(a, b, radius, wanted):
    """Touching point of the shortest path that runs inside the circle.  Mirrors wrap_inside.

    Returns (0 or NO_ARC, point). wanted: lanes in which it is needed.
    """
    distance_a, distance_b = flat_norm(a), flat_norm(b)
    outside = (
        min(distance_a, distance_b) > radius
        and radius >= MINVAL
        and min(distance_a, distance_b) >= MINVAL
    )
    step = b - a
    square = flat_square(step)
    along = -flat_dot(step, a) / square
    through = along > 0.0 and along < 1.0 and flat_norm(a + step * along) <= radius
    cosine = (distance_a * distance_a + distance_b * distance_b - square) / (
        2.0 * distance_a * distance_b
    )
    reached = (
        wanted and outside and not (square > MINVAL and through) and not cosine < -1.0 + MINVAL
    )
    middle = on_circle((a + b) * 0.5, radius)
    point = middle
    turning = reached and not cosine > 1.0 - MINVAL
    if any_lane(turning):
        found, from_a, from_b = solve_wrap_inside(
            radius / distance_a, radius / distance_b, math.acos(cosine), turning
        )
        point = select(
            flat_cross(a, b) > 0.0,
            rotated_in_plane(on_circle(a, radius), from_a),
            rotated_in_plane(on_circle(b, radius), from_b),
        )
        point = select(found, point, middle)
    return select(reached, 0.0, NO_ARC), point


@kernel(lanes=True)
def solve_wrap_inside(a, b, gap, wanted):
    """Newton's method for the touching point of `wrap_inside`.  Mirrors wrap_inside.

    Solves asin(a sin phi) + asin(b sin phi) - 2 phi + gap = 0 from phi = pi / 2 downwards. a, b:
    radius over distance of the ends. gap: angle between the ends. Returns (converged, angle from
    the first end to the point, angle from the second end).
    """
    phi, sine, cosine = 0.5 * PI, 1.0, 0.0
    angle_a, angle_b = math.asin(a), math.asin(b)
    value = angle_a + angle_b - PI + gap
    found = wanted and not value > 0.0 and abs(value) <= WRAP_INSIDE_TOLERANCE
    going = wanted and not value > 0.0 and not found
    for _k in range(WRAP_INSIDE_STEPS):
        if any_lane(going):
            slope = cosine * (asin_slope(a, sine) + asin_slope(b, sine)) - 2.0
            next_phi = phi - value / slope
            going = going and not slope > -MINVAL and not next_phi > phi
            phi = select(going, next_phi, phi)
            sine, cosine = sin_cos(phi)
            angle_a = select(going, math.asin(a * sine), angle_a)
            angle_b = select(going, math.asin(b * sine), angle_b)
            value = select(going, angle_a + angle_b - 2.0 * phi + gap, value)
            going = going and not value > WRAP_INSIDE_TOLERANCE
            found = found or (going and abs(value) <= WRAP_INSIDE_TOLERANCE)
            going = going and not found
    return found, phi - angle_a, phi - angle_b


@kernel(lanes=True)
def asin_slope(ratio, sine):
    """Derivative of asin(ratio sine) by the sine."""
    bent = ratio * sine
    return ratio / max(MINVAL, math.sqrt(1.0 - bent * bent))


@kernel(lanes=True)
def in_plane(point, x, y):
    """Planar coordinates of a point, along two axes of the plane."""
    return vec3(dot(point, x), dot(point, y), 0.0)


@kernel(lanes=True)
def flat_dot(a, b):
    """Scalar product in the plane."""
    return a.x * b.x + a.y * b.y


@kernel(lanes=True)
def flat_square(a):
    """Squared length in the plane."""
    return a.x * a.x + a.y * a.y


@kernel(lanes=True)
def flat_norm(a):
    """Length in the plane."""
    return math.sqrt(flat_square(a))


@kernel(lanes=True)
def angle_between(a, b):
    """Signed angle from one direction to another, in (-pi, pi]."""
    return math.atan2(flat_cross(a, b), flat_dot(a, b))


@kernel(lanes=True)
def on_circle(point, radius):
    """Radial projection of a point onto the circle; of the centre, the point on the x axis."""
    length = flat_norm(point)
    scale = radius / max(length, MINVAL)
    return vec3(
        select(length < MINVAL, radius, point.x * scale),
        select(length < MINVAL, 0.0, point.y * scale),
        0.0,
    )


@kernel(lanes=True)
def rotated_in_plane(point, angle):
    """A planar point rotated about the centre."""
    sine, cosine = sin_cos(angle)
    return vec3(cosine * point.x - sine * point.y, sine * point.x + cosine * point.y, 0.0)
