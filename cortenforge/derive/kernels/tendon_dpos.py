"""Partial derivative by position of forces along tendons: springs, dampers, actuators.

    joint forces J' f,     d(J' f)/dq = dJ'/dq f + J' (df/dl J + df/dv d(J qvel)/dq)

J is the gradient of the length, so `growth` = J. For a straight segment of length L with unit
vector u, the direction changes by du = (d - u (u . d)) / L, d: relative displacement of its ends.

Source: MuJoCo: XML reference, tendon/spatial; docs/derivatives.md.
Theory: docs/theory/derivatives.md.
"""

from __future__ import annotations

from cortenforge.derive.kernels.moment_arms import (
    add_wrench_dmoment,
    clear_dmoment,
    dof_moves_body,
    point_dpos,
    subtract_output_dpos,
    wrench_dpos,
)
from cortenforge.derive.kernels.tendon_wrapping_dpos import wrap_points_dpos
from cortenforge.kernel import kernel, vec3
from cortenforge.math.polynomial import polynomial_derivative
from cortenforge.math.scalar import clip
from cortenforge.math.vector import MINVAL, dot, norm, unit
from cortenforge.step.actuation.activation import actuator_disabled
from cortenforge.step.apply_force import wrench_on_body
from cortenforge.step.armature_and_damping import tendon_damping_derivative
from cortenforge.step.constants import (
    BIAS_DCMOTOR,
    NO_ACTUATION,
    NO_DAMPER,
    NO_SPRING,
    SPATIAL,
    TRN_TENDON,
    WRAP_SITE,
)
from cortenforge.step.derivative.actuator_dlength import (
    actuator_dforce_dlength,
    cogging_dforce_dlength,
    unclamped_dforce_dlength,
)
from cortenforge.step.derivative.actuator_dvel import (
    actuator_dforce_dvel,
    clampable_force,
    clamped_by_range,
    unclamped_dforce_dvel,
)
from cortenforge.step.position.tendons import ends_on_geom
from cortenforge.step.velocity.tendons import tendon_spring_displacement


@kernel
def subtract_tendon_dpos(m, d, acting: int):
    """R -= d/dq of forces along tendons; acting: 1 with actuators."""
    for i in range(m.ntendon):
        d.ten_along[i] = 0.0
        d.ten_stiff[i] = 0.0
        d.ten_damp[i] = 0.0
    if acting != 0 and m.opt_disableflags & NO_ACTUATION == 0:
        for a in range(m.nactuator):
            if m.actuator_trntype[a] == TRN_TENDON and not actuator_disabled(m, a):
                add_tendon_actuator(m, d, a)
    for i in range(m.ntendon):
        force, stiffness, damping = tendon_passive_partials(m, d, i)
        pull, by_length, by_speed = d.ten_along[i], d.ten_stiff[i], d.ten_damp[i]
        resting = force == 0.0 and stiffness == 0.0 and damping == 0.0
        idle = pull == 0.0 and by_length == 0.0 and by_speed == 0.0
        if not (resting and idle):
            start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
            clear_dmoment(d, count)
            for c in range(count):
                d.growth[c] = d.ten_J[start + c]
            if m.tendon_type[i] == SPATIAL:
                path_dmoment_dpos(m, d, i)
            columns = m.ten_J_colind
            subtract_output_dpos(m, d, columns, d.ten_J, start, count, force, stiffness, damping, 1)
            subtract_output_dpos(m, d, columns, d.ten_J, start, count, pull, by_length, by_speed, 0)


@kernel
def tendon_passive_partials(m, d, i: int):
    """Of spring and damper: (force, dforce/dlength, dforce/dvelocity)."""
    off = m.opt_disableflags
    dforce_dlength, dforce_dvel = 0.0, 0.0
    x = tendon_spring_displacement(m, d, i)
    if off & NO_SPRING == 0 and x != 0.0:
        k2, k3 = m.tendon_stiffnesspoly[i, 0], m.tendon_stiffnesspoly[i, 1]
        dforce_dlength = -polynomial_derivative(m.tendon_stiffness[i], k2, k3, x)
    if off & NO_DAMPER == 0:
        dforce_dvel = -tendon_damping_derivative(m, d, i)
    return d.ten_passive[i], dforce_dlength, dforce_dvel


@kernel
def add_tendon_actuator(m, d, a: int):
    """Add an actuator's force and partials to those of its tendon."""
    i, out = m.actuator_trnid[a, 0], m.actuator_outadr[a]
    gear = m.actuator_gear[out, 0]
    d.ten_along[i] += gear * d.actuator_force[out]
    by_length, by_speed = (
        gear * actuator_dforce_dlength(m, d, a),
        gear * actuator_dforce_dvel(m, d, a),
    )
    if m.tendon_actfrclimited[i] != 0:
        most = clip(d.ten_pull[i], m.tendon_actfrcrange[i, 0], m.tendon_actfrcrange[i, 1])
        if most != d.ten_pull[i] and d.ten_pull[i] != 0.0:
            by_length, by_speed = scaled_force_partials(m, d, a, most)
    d.ten_stiff[i] += gear * by_length
    d.ten_damp[i] += gear * by_speed


@kernel
def scaled_force_partials(m, d, a: int, most):
    """(dforce/dlength, dforce/dvelocity) of an actuator whose tendon's limit scales all forces."""
    i = m.actuator_trnid[a, 0]
    dforce_dlength, dforce_dvel = 0.0, 0.0
    if not clamped_by_range(m, d, a):
        share = clampable_force(m, d, a) / most if most != 0.0 else 0.0
        for other in range(m.nactuator):
            if m.actuator_trntype[other] == TRN_TENDON and m.actuator_trnid[other, 0] == i:
                weight = 1.0 - share if other == a else -share
                weight *= m.actuator_gear[m.actuator_outadr[other], 0] * most / d.ten_pull[i]
                if not actuator_disabled(m, other):
                    dforce_dlength += weight * unclamped_dforce_dlength(m, d, other)
                    dforce_dvel += weight * unclamped_dforce_dvel(m, d, other)
    if m.actuator_biastype[a] == BIAS_DCMOTOR:
        dforce_dlength += m.actuator_gear[m.actuator_outadr[a], 0] * cogging_dforce_dlength(m, d, a)
    return dforce_dlength, dforce_dvel


@kernel
def path_dmoment_dpos(m, d, i: int):
    """bend = dJ/dq of a spatial tendon, segment by segment."""
    first = m.tenseg_adr[i]
    for s in range(first, first + m.tenseg_num[i]):
        if d.tenseg_share[s] != 0.0:
            for c in range(m.ten_J_rownnz[i]):
                if ends_on_geom(m, s):
                    # with the segment off the geom, which comes next
                    wrapped_segments_dmoment(m, d, i, c, s)
                elif not starts_on_geom(m, s):
                    straight_segment_dmoment(m, d, i, c, s)


@kernel
def starts_on_geom(m, s: int):
    """Whether a segment runs off a geom."""
    return m.wrap_type[m.tenseg_step[s, 0]] != WRAP_SITE


@kernel
def straight_segment_dmoment(m, d, i: int, c: int, s: int):
    """Column c of dJ/dq, for a segment between two sites."""
    k = m.ten_J_colind[m.ten_J_rowadr[i] + c]
    body1, body2 = m.tenseg_bodyid[s, 0], m.tenseg_bodyid[s, 1]
    if dof_moves_body(m, k, body1) != dof_moves_body(m, k, body2):
        start_rate = point_dpos(m, d, k, body1, d.tenseg_start[s])
        end_rate = point_dpos(m, d, k, body2, d.tenseg_end[s])
        segment_dmoment(m, d, i, c, s, start_rate, end_rate)


@kernel
def wrapped_segments_dmoment(m, d, i: int, c: int, s: int):
    """Column c of dJ/dq, for the segments onto a geom (s) and off it."""
    k = m.ten_J_colind[m.ten_J_rowadr[i] + c]
    start_rate = point_dpos(m, d, k, m.tenseg_bodyid[s, 0], d.tenseg_start[s])
    end_rate = point_dpos(m, d, k, m.tenseg_bodyid[s + 1, 1], d.tenseg_end[s + 1])
    begin_rate, leave_rate = wrap_points_dpos(m, d, s, k, start_rate, end_rate)
    if d.wrap_arc[m.tenseg_step[s, 1]] == 0.0:
        # inside, the path is shortest only to a tolerance: motion of the touching point counts
        begin = d.tenseg_end[s]
        slid = begin_rate - point_dpos(m, d, k, m.tenseg_bodyid[s, 1], begin)
        onto, off = begin - d.tenseg_start[s], d.tenseg_end[s + 1] - d.tenseg_start[s + 1]
        d.growth[c] += d.tenseg_share[s] * dot(unit(onto) - unit(off), slid)
    segment_dmoment(m, d, i, c, s, start_rate, begin_rate)
    segment_dmoment(m, d, i, c, s + 1, leave_rate, end_rate)


@kernel
def segment_dmoment(m, d, i: int, c: int, s: int, start_rate, end_rate):
    """Column c of dJ/dq, for a segment whose ends move; none if it has no length."""
    body1, body2 = m.tenseg_bodyid[s, 0], m.tenseg_bodyid[s, 1]
    start, end, share = d.tenseg_start[s], d.tenseg_end[s], d.tenseg_share[s]
    length = norm(end - start)
    if body1 != body2 and length > MINVAL:
        along = unit(end - start)
        apart = end_rate - start_rate
        pull = along * share
        turned = (apart - along * dot(along, apart)) * (share / length)
        segment_end_dmoment(m, d, i, c, body1, start, -pull, start_rate, -turned)
        segment_end_dmoment(m, d, i, c, body2, end, pull, end_rate, turned)


@kernel
def segment_end_dmoment(m, d, i: int, c: int, b: int, point, pull, moved, turned):
    """Column c of dJ/dq, for one end of a line."""
    none = vec3(0.0, 0.0, 0.0)
    wrench = wrench_on_body(m, d, b, point, pull, none)
    rate = wrench_dpos(m, d, b, point, pull, moved, turned, none)
    start, count = m.ten_J_rowadr[i], m.ten_J_rownnz[i]
    add_wrench_dmoment(m, d, m.ten_J_colind, start, count, c, b, wrench, rate)
