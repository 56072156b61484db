"""How forces along tendons change with positions: springs, dampers, actuators, inertia."""

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
from cortenforge.math.spatial import wrench_about
from cortenforge.math.vector import MINVAL, dot, norm, unit
from cortenforge.step.actuation.activation import disabled
from cortenforge.step.constants import (
    NO_ACTUATION,
    NO_DAMPER,
    NO_SPRING,
    ON_TENDON,
    PULLEY,
    SPATIAL,
    WRAP_SITE,
)
from cortenforge.step.derivative.actuators import felt_slope
from cortenforge.step.derivative.lengths import felt_length_slope
from cortenforge.step.reflected import tendon_slope
from cortenforge.step.velocity.tendons import tendon_shift


@kernel
def tendon_slopes(m, d):
    """Take the derivative of forces along tendons out of R."""
    own_slopes(m, d)
    if m.opt_disableflags & NO_ACTUATION == 0:
        for a in range(m.nactuator):
            if m.actuator_trntype[a] == ON_TENDON and not disabled(m, a):
                add_actuator(m, d, a)
    for i in range(m.ntendon):
        force, by_length, by_speed = d.ten_along[i], d.ten_stiff[i], d.ten_damp[i]
        if force != 0.0 or by_length != 0.0 or by_speed != 0.0:
            start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
            clear_bend(d, count)
            if m.tendon_type[i] == SPATIAL:
                bend_path(m, d, i)
            for c in range(count):
                d.growth[c] = d.ten_J[start + c]
            columns = m.ten_J_colind
            add_output(m, d, columns, d.ten_J, start, count, force, by_length, by_speed)


@kernel
def own_slopes(m, d):
    """Force along each tendon of its spring and damper, and how it changes."""
    off = m.opt_disableflags
    for i in range(m.ntendon):
        d.ten_along[i] = d.ten_force[i]
        d.ten_stiff[i] = 0.0
        d.ten_damp[i] = 0.0
        x = tendon_shift(m, d, i)
        if off & NO_SPRING == 0 and x != 0.0:
            k2, k3 = m.tendon_stiffnesspoly[i, 0], m.tendon_stiffnesspoly[i, 1]
            d.ten_stiff[i] = -polynomial_slope(m.tendon_stiffness[i], k2, k3, x)
        if off & NO_DAMPER == 0:
            d.ten_damp[i] = -tendon_slope(m, d, i)


@kernel
def add_actuator(m, d, a: int):
    """The same of an actuator on a tendon."""
    i, out = m.actuator_trnid[a, 0], m.actuator_outadr[a]
    gear = m.actuator_gear[out, 0]
    d.ten_along[i] += gear * d.actuator_force[out]
    d.ten_stiff[i] += gear * gear * felt_length_slope(m, d, a)
    d.ten_damp[i] += gear * gear * felt_slope(m, d, a)


@kernel
def bend_path(m, d, i: int):
    """How the arms of a spatial tendon change, line by line."""
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
def bend_between(m, d, i: int, c: int, first: int, second: int, share):
    """The line from a site to the next one."""
    k = m.ten_J_colind[m.ten_J_rowadr[i] + c]
    one, other = m.site_bodyid[first], m.site_bodyid[second]
    if moves(m, k, one) != moves(m, k, other):
        start, end = d.site_xpos[first], d.site_xpos[second]
        start_rate = point_rate(m, d, k, one, start)
        end_rate = point_rate(m, d, k, other, end)
        bend_line(m, d, i, c, one, other, start, end, start_rate, end_rate, share)


@kernel
def bend_over(m, d, i: int, c: int, step: int, share):
    """The path from a site to another one, with a geom between them."""
    k = m.ten_J_colind[m.ten_J_rowadr[i] + c]
    first, second = m.wrap_objid[step], m.wrap_objid[step + 2]
    if d.wrap_arc[step + 1] < 0.0:
        bend_between(m, d, i, c, first, second, share)
    else:
        around = m.geom_bodyid[m.wrap_objid[step + 1]]
        one, other = m.site_bodyid[first], m.site_bodyid[second]
        start, end = d.site_xpos[first], d.site_xpos[second]
        start_rate = point_rate(m, d, k, one, start)
        end_rate = point_rate(m, d, k, other, end)
        begin, leave = d.wrap_begin[step + 1], d.wrap_leave[step + 1]
        begin_rate, leave_rate = touch_rates(m, d, step + 1, k, start, end, start_rate, end_rate)
        bend_line(m, d, i, c, one, around, start, begin, start_rate, begin_rate, share)
        bend_line(m, d, i, c, around, other, leave, end, leave_rate, end_rate, share)


@kernel
def bend_line(m, d, i: int, c: int, one: int, other: int, start, end, start_rate, end_rate, share):
    """A line between points of two bodies; without length, it stays as it is."""
    length = norm(end - start)
    if one != other and length > MINVAL:
        along = unit(end - start)
        apart = end_rate - start_rate
        pull = along * share
        turned = (apart - along * dot(along, apart)) * (share / length)
        bend_end(m, d, i, c, one, start, -pull, start_rate, -turned)
        bend_end(m, d, i, c, other, end, pull, end_rate, turned)


@kernel
def bend_end(m, d, i: int, c: int, b: int, point, pull, moved, turned):
    """An end of a line, on a body."""
    none = vec3(0.0, 0.0, 0.0)
    wrench = wrench_about(pull, none, point - d.subtree_com[m.body_rootid[b]])
    rate = wrench_rate(m, d, b, point, pull, moved, turned, none)
    start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
    bend_arms(m, d, m.ten_J_colind, start, count, c, b, wrench, rate)
