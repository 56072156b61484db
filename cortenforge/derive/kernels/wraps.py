"""How the points where a tendon touches a sphere or a cylinder move, while its ends do.

All of it is seen from the geom. A line from a point p outside touches the circle of radius r in the
plane with normal n at t = (r^2 p + w p x n) / p^2, with w^2 = r^2 (p^2 - r^2). Around a sphere, the
plane has both ends and the centre, and turns with them; around a cylinder it is across the axis,
and heights grow evenly along the path.
"""

from __future__ import annotations

import math

from cortenforge.derive.kernels.motion import point_rate
from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import MINVAL, cross, dot, into_frame, norm
from cortenforge.step.constants import WRAP_CYLINDER


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
    dfirst = tangent_rate(level(p), level(dp), level(first), up, none)
    dlast = tangent_rate(level(q), level(dq), level(last), up, none)
    to, off = level(first - p), level(q - last)
    before, after = max(norm(to), MINVAL), max(norm(off), MINVAL)
    climb = last.z - first.z
    around = math.sqrt(max(arc * arc - climb * climb, 0.0))
    total = before + around + after
    before_rate = dot(to, dfirst - dp) / before
    after_rate = dot(off, dq - dlast) / after
    # of a path around a circle, only the ends count
    total_rate = dot(off, dq) / after - dot(to, dp) / before
    rise = (q.z - p.z) / total
    rise_rate = (dq.z - dp.z - rise * total_rate) / total
    dfirst_z = dp.z + rise_rate * before + rise * before_rate
    dlast_z = dq.z - rise_rate * after - rise * after_rate
    return dfirst + up * dfirst_z, dlast + up * dlast_z


@kernel
def level(v):
    """Across the axis."""
    return vec3(v.x, v.y, 0.0)
