"""Derivatives of the points where a tendon touches a wrapping sphere or cylinder.

In the geom's frame. A line from a point p outside touches the circle of radius r, in the plane with
normal n, at

    t = (r^2 p + w p x n) / |p|^2,        w^2 = r^2 (|p|^2 - r^2)

Around a sphere, the plane contains both ends and the centre, and rotates with them; around a
cylinder it is across the axis, and z grows linearly along the path.

A path inside touches in one point, which Newton's method finds to 1e-6. Forces follow from that
point and not from the exact one, so the iterations are differentiated one by one.

Source: the paths of `position.tendon_wrapping`, derived; docs/derivatives.md.
"""

from __future__ import annotations

import math

from cortenforge.derive.kernels.moment_arms import point_dpos
from cortenforge.kernel import kernel, vec3
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import MINVAL, cross, dot, flat_cross, into_frame, norm
from cortenforge.step.constants import WRAP_CYLINDER
from cortenforge.step.position.tendon_wrapping import (
    PI,
    WRAP_INSIDE_STEPS,
    WRAP_INSIDE_TOLERANCE,
    asin_slope,
    flat_dot,
    flat_norm,
    flat_square,
)


@kernel
def wrap_points_dpos(m, d, s: int, k: int, start_rate, end_rate):
    """d of the first and last point on a wrapping geom, by dof k, in world axes.

    s: the segment onto the geom. start_rate, end_rate: d of the sites before and behind the geom.
    """
    step = m.tenseg_step[s, 1]
    geom, b = m.wrap_objid[step], m.tenseg_bodyid[s, 1]
    centre, axes = d.geom_xpos[geom], d.geom_xmat[geom]
    start, end = d.tenseg_start[s], d.tenseg_end[s + 1]
    begin, leave = d.wrap_begin[step], d.wrap_leave[step]
    p, q = into_frame(axes, start - centre), into_frame(axes, end - centre)
    dp = into_frame(axes, start_rate - point_dpos(m, d, k, b, start))
    dq = into_frame(axes, end_rate - point_dpos(m, d, k, b, end))
    first, last = into_frame(axes, begin - centre), into_frame(axes, leave - centre)
    if m.wrap_type[step] == WRAP_CYLINDER:
        dfirst, dlast = cylinder_points_dpos(p, q, dp, dq, first, last, d.wrap_arc[step])
    elif d.wrap_arc[step] == 0.0:
        dfirst = sphere_inside_dpos(p, q, dp, dq, first)
        dlast = dfirst
    else:
        dfirst, dlast = sphere_tangents_dpos(p, q, dp, dq, first, last)
    one = point_dpos(m, d, k, b, begin) + axes @ dfirst
    return one, point_dpos(m, d, k, b, leave) + axes @ dlast


@kernel
def sphere_tangents_dpos(p, q, dp, dq, first, last):
    """d of both tangent points on a sphere."""
    across = cross(p, q)
    size = max(norm(across), MINVAL)
    n = across * (1.0 / size)
    turning = cross(dp, q) + cross(p, dq)
    dn = (turning - n * dot(n, turning)) * (1.0 / size)
    return tangent_point_dpos(p, dp, first, n, dn), tangent_point_dpos(q, dq, last, n, dn)


@kernel
def tangent_point_dpos(p, dp, t, n, dn):
    """d of the tangent point t of a line from p, while p and the normal n change."""
    radius2, square, along = dot(t, t), dot(p, p), dot(p, dp)
    reach = -dot(cross(p, t), n)
    growth = 0.0
    if abs(reach) > MINVAL:
        growth = radius2 * along / reach
    moved = dp * radius2 + cross(p, n) * growth + (cross(dp, n) + cross(p, dn)) * reach
    return (moved - t * (2.0 * along)) * (1.0 / square)


@kernel
def cylinder_points_dpos(p, q, dp, dq, first, last, arc):
    """d of both points on a cylinder."""
    up, none = vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, 0.0)
    inside = arc == 0.0
    if inside:
        dfirst = circle_inside_dpos(
            without_z(p), without_z(q), without_z(dp), without_z(dq), without_z(first)
        )
        dlast = dfirst
    else:
        dfirst = tangent_point_dpos(without_z(p), without_z(dp), without_z(first), up, none)
        dlast = tangent_point_dpos(without_z(q), without_z(dq), without_z(last), up, none)
    to_first, from_last = without_z(first - p), without_z(q - last)
    before, after = max(norm(to_first), MINVAL), max(norm(from_last), MINVAL)
    climb = last.z - first.z
    around = math.sqrt(max(arc * arc - climb * climb, 0.0))
    total = before + around + after
    before_rate = dot(to_first, dfirst - dp) / before
    after_rate = dot(from_last, dq - dlast) / after
    total_rate = before_rate + after_rate
    if not inside:
        # a shortest path: the tangent points' motion does not change its length
        total_rate = dot(from_last, dq) / after - dot(to_first, dp) / before
    rise = (q.z - p.z) / total
    rise_rate = (dq.z - dp.z - rise * total_rate) / total
    dfirst_z = dp.z + rise_rate * before + rise * before_rate
    dlast_z = dq.z - rise_rate * after - rise * after_rate
    return dfirst + up * dfirst_z, dlast + up * dlast_z


@kernel
def sphere_inside_dpos(p, q, dp, dq, touch):
    """d of the touching point inside a sphere."""
    distance = max(norm(p), MINVAL)
    x = p * (1.0 / distance)
    along = dot(x, dp)
    dx = (dp - x * along) * (1.0 / distance)
    across = cross(p, q)
    size = max(norm(across), MINVAL)
    n = across * (1.0 / size)
    turning = cross(dp, q) + cross(p, dq)
    dn = (turning - n * dot(n, turning)) * (1.0 / size)
    y, dy = cross(n, x), cross(dn, x) + cross(n, dx)
    a, da = vec3(distance, 0.0, 0.0), vec3(along, 0.0, 0.0)
    b = vec3(dot(q, x), dot(q, y), 0.0)
    db = vec3(dot(dq, x) + dot(q, dx), dot(dq, y) + dot(q, dy), 0.0)
    t = vec3(dot(touch, x), dot(touch, y), 0.0)
    dt = circle_inside_dpos(a, b, da, db, t)
    return dx * t.x + dy * t.y + x * dt.x + y * dt.y


@kernel
def circle_inside_dpos(a, b, da, db, t):
    """d of the touching point inside a circle; `wrap_inside` computes the point."""
    distance_a, distance_b = flat_norm(a), flat_norm(b)
    ddistance_a, ddistance_b = flat_dot(a, da) / distance_a, flat_dot(b, db) / distance_b
    cosine = flat_dot(a, b) / (distance_a * distance_b)
    middle, dmiddle = a + b, da + db
    rate = flat_cross(middle, dmiddle) / flat_square(middle)
    if cosine < 1.0 - MINVAL:
        dcosine = (flat_dot(da, b) + flat_dot(a, db)) / (distance_a * distance_b)
        dcosine -= cosine * (ddistance_a / distance_a + ddistance_b / distance_b)
        radius = flat_norm(t)
        found, from_a, from_b = solve_wrap_inside_dpos(
            radius / distance_a,
            radius / distance_b,
            math.acos(cosine),
            -radius * ddistance_a / (distance_a * distance_a),
            -radius * ddistance_b / (distance_b * distance_b),
            -dcosine / math.sqrt(1.0 - cosine * cosine),
        )
        if found and flat_cross(a, b) > 0.0:
            rate = flat_cross(a, da) / (distance_a * distance_a) + from_a
        elif found:
            rate = flat_cross(b, db) / (distance_b * distance_b) + from_b
    return vec3(-t.y * rate, t.x * rate, 0.0)


@kernel
def solve_wrap_inside_dpos(a, b, gap, da, db, dgap):
    """d of `solve_wrap_inside`, iteration by iteration: (converged, d angle_a, d angle_b)."""
    phi, dphi, sine, cosine = 0.5 * PI, 0.0, 1.0, 0.0
    value = math.asin(a) + math.asin(b) - PI + gap
    angle_a, angle_b = asin_rate(a, da, sine, 0.0), asin_rate(b, db, sine, 0.0)
    dvalue = angle_a + angle_b + dgap
    found = value <= 0.0 and abs(value) <= WRAP_INSIDE_TOLERANCE
    going = value <= 0.0 and not found
    rounds = 0
    while going and rounds < WRAP_INSIDE_STEPS:
        rounds += 1
        both = asin_slope(a, sine) + asin_slope(b, sine)
        slope = cosine * both - 2.0
        dsine = cosine * dphi
        bent = asin_slope_rate(a, da, sine, dsine) + asin_slope_rate(b, db, sine, dsine)
        dslope = cosine * bent - sine * dphi * both
        step = value / slope
        going = slope <= -MINVAL and step >= 0.0
        if going:
            dphi -= (dvalue - step * dslope) / slope
            phi -= step
            sine, cosine = sin_cos(phi)
            dsine = cosine * dphi
            value = math.asin(a * sine) + math.asin(b * sine) - 2.0 * phi + gap
            angle_a, angle_b = asin_rate(a, da, sine, dsine), asin_rate(b, db, sine, dsine)
            dvalue = angle_a + angle_b - 2.0 * dphi + dgap
            found = abs(value) <= WRAP_INSIDE_TOLERANCE
            going = value < -WRAP_INSIDE_TOLERANCE
    return found, dphi - angle_a, dphi - angle_b


@kernel
def asin_rate(ratio, dratio, sine, dsine):
    """d of asin(ratio sine)."""
    bent = ratio * sine
    return (dratio * sine + ratio * dsine) / max(MINVAL, math.sqrt(1.0 - bent * bent))


@kernel
def asin_slope_rate(ratio, dratio, sine, dsine):
    """d of `asin_slope`."""
    bent = ratio * sine
    root = max(MINVAL, math.sqrt(1.0 - bent * bent))
    turned = ratio * bent * (dratio * sine + ratio * dsine)
    return (dratio + turned / (root * root)) / root


@kernel
def without_z(v):
    """A vector without its z component."""
    return vec3(v.x, v.y, 0.0)
