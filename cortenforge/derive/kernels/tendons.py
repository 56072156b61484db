"""Partial derivative by position of forces along tendons: springs, dampers, actuators.

    joint forces J' f,     d(J' f)/dq = dJ'/dq f + J' (df/dl J + df/dv d(J qvel)/dq)

J is the gradient of the length, so `growth` = J. For a straight segment of length L with unit
vector u, the direction changes by du = (d - u (u . d)) / L, d: relative displacement of its ends.
"""

from __future__ import annotations

from cortenforge.derive.kernels.motion import (
    add_output,
    bend_arms,
    clear_bend,
    moves,
    point_rate,
    wrench_rate,
)
from cortenforge.derive.kernels.wraps import touch_rates
from cortenforge.kernel import kernel, vec3
from cortenforge.math.polynomial import polynomial_slope
from cortenforge.math.scalar import clip
from cortenforge.math.spatial import wrench_about
from cortenforge.math.vector import MINVAL, dot, norm, unit
from cortenforge.step.actuation.activation import disabled
from cortenforge.step.constants import (
    BIAS_DCMOTOR,
    NO_ACTUATION,
    NO_DAMPER,
    NO_SPRING,
    ON_TENDON,
    PULLEY,
    SPATIAL,
    WRAP_SITE,
)
from cortenforge.step.derivative.actuators import (
    felt_slope,
    force_limited,
    force_within_limits,
    slope_of,
)
from cortenforge.step.derivative.lengths import cogging_slope, felt_length_slope, length_slope
from cortenforge.step.reflected import tendon_slope
from cortenforge.step.velocity.tendons import tendon_shift


@kernel
def tendon_slopes(m, d, acting: int):
    """R -= d/dq of forces along tendons; acting: 1 with actuators."""
    for i in range(m.ntendon):
        d.ten_along[i] = 0.0
        d.ten_stiff[i] = 0.0
        d.ten_damp[i] = 0.0
    if acting != 0 and m.opt_disableflags & NO_ACTUATION == 0:
        for a in range(m.nactuator):
            if m.actuator_trntype[a] == ON_TENDON and not disabled(m, a):
                add_actuator(m, d, a)
    for i in range(m.ntendon):
        force, stiffness, damping = own_slopes(m, d, i)
        pull, by_length, by_speed = d.ten_along[i], d.ten_stiff[i], d.ten_damp[i]
        resting = force == 0.0 and stiffness == 0.0 and damping == 0.0
        idle = pull == 0.0 and by_length == 0.0 and by_speed == 0.0
        if not (resting and idle):
            start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
            clear_bend(d, count)
            for c in range(count):
                d.growth[c] = d.ten_J[start + c]
            if m.tendon_type[i] == SPATIAL:
                bend_path(m, d, i)
            columns = m.ten_J_colind
            add_output(m, d, columns, d.ten_J, start, count, force, stiffness, damping, 1)
            add_output(m, d, columns, d.ten_J, start, count, pull, by_length, by_speed, 0)


@kernel
def own_slopes(m, d, i: int):
    """Of spring and damper: (force, dforce/dlength, dforce/dvelocity)."""
    off = m.opt_disableflags
    dforce_dlength, dforce_dvel = 0.0, 0.0
    x = tendon_shift(m, d, i)
    if off & NO_SPRING == 0 and x != 0.0:
        k2, k3 = m.tendon_stiffnesspoly[i, 0], m.tendon_stiffnesspoly[i, 1]
        dforce_dlength = -polynomial_slope(m.tendon_stiffness[i], k2, k3, x)
    if off & NO_DAMPER == 0:
        dforce_dvel = -tendon_slope(m, d, i)
    return d.ten_passive[i], dforce_dlength, dforce_dvel


@kernel
def add_actuator(m, d, a: int):
    """Add an actuator's force and partials to those of its tendon."""
    i, out = m.actuator_trnid[a, 0], m.actuator_outadr[a]
    gear = m.actuator_gear[out, 0]
    d.ten_along[i] += gear * d.actuator_force[out]
    by_length, by_speed = gear * felt_length_slope(m, d, a), gear * felt_slope(m, d, a)
    if m.tendon_actfrclimited[i] != 0:
        most = clip(d.ten_pull[i], m.tendon_actfrcrange[i, 0], m.tendon_actfrcrange[i, 1])
        if most != d.ten_pull[i] and d.ten_pull[i] != 0.0:
            by_length, by_speed = shared_slopes(m, d, a, most)
    d.ten_stiff[i] += gear * by_length
    d.ten_damp[i] += gear * by_speed


@kernel
def shared_slopes(m, d, a: int, most):
    """(dforce/dlength, dforce/dvelocity) of an actuator whose tendon's limit scales all forces."""
    i = m.actuator_trnid[a, 0]
    dforce_dlength, dforce_dvel = 0.0, 0.0
    if not force_limited(m, d, a):
        share = force_within_limits(m, d, a) / most if most != 0.0 else 0.0
        for other in range(m.nactuator):
            if m.actuator_trntype[other] == ON_TENDON and m.actuator_trnid[other, 0] == i:
                weight = 1.0 - share if other == a else -share
                weight *= m.actuator_gear[m.actuator_outadr[other], 0] * most / d.ten_pull[i]
                if not disabled(m, other):
                    dforce_dlength += weight * length_slope(m, d, other)
                    dforce_dvel += weight * slope_of(m, d, other)
    if m.actuator_biastype[a] == BIAS_DCMOTOR:
        dforce_dlength += m.actuator_gear[m.actuator_outadr[a], 0] * cogging_slope(m, d, a)
    return dforce_dlength, dforce_dvel


@kernel
def bend_path(m, d, i: int):
    """bend = dJ/dq of a spatial tendon, segment by segment."""
    share = 1.0
    step = m.tendon_adr[i]
    last = step + m.tendon_num[i] - 1
    while step < last:
        behind = m.wrap_type[step + 1]
        if m.wrap_type[step] == PULLEY:
            share = 1.0 / m.wrap_prm[step]
            step += 1
        elif behind == PULLEY:
            step += 1
        elif behind == WRAP_SITE:
            for c in range(m.ten_J_rownnz[i]):
                bend_between(m, d, i, c, m.wrap_objid[step], m.wrap_objid[step + 1], share)
            step += 1
        else:
            for c in range(m.ten_J_rownnz[i]):
                bend_over(m, d, i, c, step, share)
            step += 2


@kernel
def bend_between(m, d, i: int, c: int, site1: int, site2: int, share):
    """Column c of dJ/dq, for the segment between two sites."""
    k = m.ten_J_colind[m.ten_J_rowadr[i] + c]
    body1, body2 = m.site_bodyid[site1], m.site_bodyid[site2]
    if moves(m, k, body1) != moves(m, k, body2):
        start, end = d.site_xpos[site1], d.site_xpos[site2]
        start_rate = point_rate(m, d, k, body1, start)
        end_rate = point_rate(m, d, k, body2, end)
        bend_line(m, d, i, c, body1, body2, start, end, start_rate, end_rate, share)


@kernel
def bend_over(m, d, i: int, c: int, step: int, share):
    """Column c of dJ/dq, for a segment over a wrapping geom."""
    k = m.ten_J_colind[m.ten_J_rowadr[i] + c]
    site1, site2 = m.wrap_objid[step], m.wrap_objid[step + 2]
    if d.wrap_arc[step + 1] < 0.0:
        bend_between(m, d, i, c, site1, site2, share)
    else:
        geom_body = m.geom_bodyid[m.wrap_objid[step + 1]]
        body1, body2 = m.site_bodyid[site1], m.site_bodyid[site2]
        start, end = d.site_xpos[site1], d.site_xpos[site2]
        start_rate = point_rate(m, d, k, body1, start)
        end_rate = point_rate(m, d, k, body2, end)
        begin, leave = d.wrap_begin[step + 1], d.wrap_leave[step + 1]
        begin_rate, leave_rate = touch_rates(m, d, step + 1, k, start, end, start_rate, end_rate)
        if d.wrap_arc[step + 1] == 0.0:
            # inside, the path is shortest only to a tolerance: motion of the touching point counts
            slid = begin_rate - point_rate(m, d, k, geom_body, begin)
            d.growth[c] += share * dot(unit(begin - start) - unit(end - leave), slid)
        bend_line(m, d, i, c, body1, geom_body, start, begin, start_rate, begin_rate, share)
        bend_line(m, d, i, c, geom_body, body2, leave, end, leave_rate, end_rate, share)


@kernel
def bend_line(
    m, d, i: int, c: int, body1: int, body2: int, start, end, start_rate, end_rate, share
):
    """Column c of dJ/dq, for a line between points of two bodies; none if it has no length."""
    length = norm(end - start)
    if body1 != body2 and length > MINVAL:
        along = unit(end - start)
        apart = end_rate - start_rate
        pull = along * share
        turned = (apart - along * dot(along, apart)) * (share / length)
        bend_end(m, d, i, c, body1, start, -pull, start_rate, -turned)
        bend_end(m, d, i, c, body2, end, pull, end_rate, turned)


@kernel
def bend_end(m, d, i: int, c: int, b: int, point, pull, moved, turned):
    """Column c of dJ/dq, for one end of a line."""
    none = vec3(0.0, 0.0, 0.0)
    wrench = wrench_about(pull, none, point - d.subtree_com[m.body_rootid[b]])
    rate = wrench_rate(m, d, b, point, pull, moved, turned, none)
    start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
    bend_arms(m, d, m.ten_J_colind, start, count, c, b, wrench, rate)
