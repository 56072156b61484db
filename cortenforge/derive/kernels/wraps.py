"""How the points where a tendon touches a sphere or a cylinder move, while its ends do.

All of it is seen from the geom. A line from a point p outside touches the circle of radius r in the
plane with normal n at t = (r^2 p + w p x n) / p^2, with w^2 = r^2 (p^2 - r^2). Around a sphere, the
plane has both ends and the centre, and turns with them; around a cylinder it is across the axis,
and heights grow evenly along the path.

A path that touches from inside does so in one point, which Newton's method finds to 1e-6. What a
step feels follows from that point and not from the exact one, so its steps are derived one by one.
"""

from __future__ import annotations

import math

from cortenforge.derive.kernels.motion import point_rate
from cortenforge.kernel import kernel, vec3
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import MINVAL, cross, dot, into_frame, norm
from cortenforge.step.constants import WRAP_CYLINDER
from cortenforge.step.position.wrapping import (
    BOUNCE_STEPS,
    BOUNCE_TOLERANCE,
    PI,
    bounce_slope,
    flat_cross,
    flat_dot,
    flat_norm,
    flat_square,
)


@kernel
def touch_rates(m, d, step: int, k: int, start, end, start_rate, end_rate):
    """How the first and the last point on the geom of a step move, while dof k moves on."""
    geom = m.wrap_objid[step]
    b, centre, axes = m.geom_bodyid[geom], d.geom_xpos[geom], d.geom_xmat[geom]
    begin, leave = d.wrap_begin[step], d.wrap_leave[step]
    p, q = into_frame(axes, start - centre), into_frame(axes, end - centre)
    dp = into_frame(axes, start_rate - point_rate(m, d, k, b, start))
    dq = into_frame(axes, end_rate - point_rate(m, d, k, b, end))
    first, last = into_frame(axes, begin - centre), into_frame(axes, leave - centre)
    if m.wrap_type[step] == WRAP_CYLINDER:
        dfirst, dlast = around_cylinder(p, q, dp, dq, first, last, d.wrap_arc[step])
    elif d.wrap_arc[step] == 0.0:
        dfirst = inside_sphere(p, q, dp, dq, first)
        dlast = dfirst
    else:
        dfirst, dlast = around_sphere(p, q, dp, dq, first, last)
    one = point_rate(m, d, k, b, begin) + axes @ dfirst
    return one, point_rate(m, d, k, b, leave) + axes @ dlast


@kernel
def around_sphere(p, q, dp, dq, first, last):
    """Rates of both points on a sphere."""
    across = cross(p, q)
    size = max(norm(across), MINVAL)
    n = across * (1.0 / size)
    turning = cross(dp, q) + cross(p, dq)
    dn = (turning - n * dot(n, turning)) * (1.0 / size)
    return tangent_rate(p, dp, first, n, dn), tangent_rate(q, dq, last, n, dn)


@kernel
def tangent_rate(p, dp, t, n, dn):
    """How the point t, where a line from p touches a circle, moves while p does."""
    radius2, square, along = dot(t, t), dot(p, p), dot(p, dp)
    reach = -dot(cross(p, t), n)
    growth = 0.0
    if abs(reach) > MINVAL:
        growth = radius2 * along / reach
    moved = dp * radius2 + cross(p, n) * growth + (cross(dp, n) + cross(p, dn)) * reach
    return (moved - t * (2.0 * along)) * (1.0 / square)


@kernel
def around_cylinder(p, q, dp, dq, first, last, arc):
    """Rates of both points on a cylinder."""
    up, none = vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, 0.0)
    inside = arc == 0.0
    if inside:
        dfirst = touch_rate(level(p), level(q), level(dp), level(dq), level(first))
        dlast = dfirst
    else:
        dfirst = tangent_rate(level(p), level(dp), level(first), up, none)
        dlast = tangent_rate(level(q), level(dq), level(last), up, none)
    to, off = level(first - p), level(q - last)
    before, after = max(norm(to), MINVAL), max(norm(off), MINVAL)
    climb = last.z - first.z
    around = math.sqrt(max(arc * arc - climb * climb, 0.0))
    total = before + around + after
    before_rate = dot(to, dfirst - dp) / before
    after_rate = dot(off, dq - dlast) / after
    total_rate = before_rate + after_rate
    if not inside:
        # of a path around a circle, only the ends count
        total_rate = dot(off, dq) / after - dot(to, dp) / before
    rise = (q.z - p.z) / total
    rise_rate = (dq.z - dp.z - rise * total_rate) / total
    dfirst_z = dp.z + rise_rate * before + rise * before_rate
    dlast_z = dq.z - rise_rate * after - rise * after_rate
    return dfirst + up * dfirst_z, dlast + up * dlast_z


@kernel
def inside_sphere(p, q, dp, dq, touch):
    """Rate of the point at which a path touches a sphere from inside."""
    far = max(norm(p), MINVAL)
    x = p * (1.0 / far)
    along = dot(x, dp)
    dx = (dp - x * along) * (1.0 / far)
    across = cross(p, q)
    size = max(norm(across), MINVAL)
    n = across * (1.0 / size)
    turning = cross(dp, q) + cross(p, dq)
    dn = (turning - n * dot(n, turning)) * (1.0 / size)
    y, dy = cross(n, x), cross(dn, x) + cross(n, dx)
    a, da = vec3(far, 0.0, 0.0), vec3(along, 0.0, 0.0)
    b = vec3(dot(q, x), dot(q, y), 0.0)
    db = vec3(dot(dq, x) + dot(q, dx), dot(dq, y) + dot(q, dy), 0.0)
    t = vec3(dot(touch, x), dot(touch, y), 0.0)
    dt = touch_rate(a, b, da, db, t)
    return dx * t.x + dy * t.y + x * dt.x + y * dt.y


@kernel
def touch_rate(a, b, da, db, t):
    """The same in the plane, of a circle: `inner_touch` says where the point is."""
    far, near = flat_norm(a), flat_norm(b)
    dfar, dnear = flat_dot(a, da) / far, flat_dot(b, db) / near
    cosine = flat_dot(a, b) / (far * near)
    middle, dmiddle = a + b, da + db
    rate = flat_cross(middle, dmiddle) / flat_square(middle)
    if cosine < 1.0 - MINVAL:
        dcosine = (flat_dot(da, b) + flat_dot(a, db)) / (far * near)
        dcosine -= cosine * (dfar / far + dnear / near)
        radius = flat_norm(t)
        found, from_a, from_b = bounce_rates(
            radius / far,
            radius / near,
            math.acos(cosine),
            -radius * dfar / (far * far),
            -radius * dnear / (near * near),
            -dcosine / math.sqrt(1.0 - cosine * cosine),
        )
        if found and flat_cross(a, b) > 0.0:
            rate = flat_cross(a, da) / (far * far) + from_a
        elif found:
            rate = flat_cross(b, db) / (near * near) + from_b
    return vec3(-t.y * rate, t.x * rate, 0.0)


@kernel
def bounce_rates(a, b, gap, da, db, dgap):
    """Whether `bounce` finds a point, and how the angles from both ends to it change."""
    phi, dphi, sine, cosine = 0.5 * PI, 0.0, 1.0, 0.0
    value = math.asin(a) + math.asin(b) - PI + gap
    angle_a, angle_b = angle_rate(a, da, sine, 0.0), angle_rate(b, db, sine, 0.0)
    dvalue = angle_a + angle_b + dgap
    found = value <= 0.0 and abs(value) <= BOUNCE_TOLERANCE
    going = value <= 0.0 and not found
    rounds = 0
    while going and rounds < BOUNCE_STEPS:
        rounds += 1
        both = bounce_slope(a, sine) + bounce_slope(b, sine)
        slope = cosine * both - 2.0
        dsine = cosine * dphi
        bent = bend_rate(a, da, sine, dsine) + bend_rate(b, db, sine, dsine)
        dslope = cosine * bent - sine * dphi * both
        step = value / slope
        going = slope <= -MINVAL and step >= 0.0
        if going:
            dphi -= (dvalue - step * dslope) / slope
            phi -= step
            sine, cosine = sin_cos(phi)
            dsine = cosine * dphi
            value = math.asin(a * sine) + math.asin(b * sine) - 2.0 * phi + gap
            angle_a, angle_b = angle_rate(a, da, sine, dsine), angle_rate(b, db, sine, dsine)
            dvalue = angle_a + angle_b - 2.0 * dphi + dgap
            found = abs(value) <= BOUNCE_TOLERANCE
            going = value < -BOUNCE_TOLERANCE
    return found, dphi - angle_a, dphi - angle_b


@kernel
def angle_rate(ratio, dratio, sine, dsine):
    """Rate of asin(ratio * sine)."""
    bent = ratio * sine
    return (dratio * sine + ratio * dsine) / max(MINVAL, math.sqrt(1.0 - bent * bent))


@kernel
def bend_rate(ratio, dratio, sine, dsine):
    """Rate of `bounce_slope`."""
    bent = ratio * sine
    root = max(MINVAL, math.sqrt(1.0 - bent * bent))
    turned = ratio * bent * (dratio * sine + ratio * dsine)
    return (dratio + turned / (root * root)) / root


@kernel
def level(v):
    """Across the axis."""
    return vec3(v.x, v.y, 0.0)
