"""Partial derivatives of actuator forces and next activations by activation and control.

    dF/du = J' gain,    act' = act + h act_dot(act, u):  act_slope = d act' / d (act, ctrl)

A clamped control, activation or force has no partial.

Source: MuJoCo: Computation, "Actuation model"; docs/derivatives.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select
from cortenforge.math.scalar import clip, sigmoid, sigmoid_derivative
from cortenforge.math.vector import MINVAL
from cortenforge.step.actuation.activation import actuator_disabled, is_filter
from cortenforge.step.actuation.muscle import muscle_gain
from cortenforge.step.constants import (
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_MUSCLE,
    GAIN_AFFINE,
    GAIN_MUSCLE,
    NO_ACTUATION,
    NO_CLAMPCTRL,
)
from cortenforge.step.derivative.actuator_dvel import (
    clamped_by_range,
    clamped_by_tendon,
    joint_force_clamped,
)


@kernel(lanes=True)
def muscle_dynamics_partials(m, a: int, control, act):
    """Partials of a muscle's act_dot: (by activation, by control)."""
    active = clip(act, 0.0, 1.0)
    pace = 0.5 + 1.5 * active
    up, down = m.actuator_dynprm[a, 0] * pace, m.actuator_dynprm[a, 1] / pace
    width = m.actuator_dynprm[a, 2]
    excess = clip(control, 0.0, 1.0) - act
    x = excess / max(MINVAL, width) + 0.5
    sharp = select(excess > 0.0, 1.0, 0.0)
    share = select(width < MINVAL, sharp, sigmoid(x))
    time = max(MINVAL, down + (up - down) * share)
    turning = select(width < MINVAL, 0.0, (up - down) * sigmoid_derivative(x) / max(MINVAL, width))
    slower = 1.5 / pace * (up * share - down * (1.0 - share))
    slower = select(act >= 0.0 and act <= 1.0, slower, 0.0)
    by_excess = (1.0 - excess * turning / time) / time
    by_control = select(control >= 0.0 and control <= 1.0, by_excess, 0.0)
    return -by_excess - excess * slower / (time * time), by_control


@kernel
def subtract_actuator_dinput(m, d):
    """R -= d qfrc_actuator / d (act, ctrl); act_slope of all activations."""
    for k in range(m.na * d.ncol):
        d.act_slope[k] = 0.0
    for j in range(m.na):
        d.act_slope[j * d.ncol + 2 * m.nv + j] = 1.0
    if m.opt_disableflags & NO_ACTUATION == 0:
        for a in range(m.nactuator):
            if not actuator_disabled(m, a):
                add_actuator_inputs(m, d, a)


@kernel
def add_actuator_inputs(m, d, a: int):
    """The same of one actuator, which has one control and at most one activation."""
    control = m.actuator_ctrladr[a]
    column = 2 * m.nv + m.na + control
    unclamped = 1.0 if control_in_range(m, d, control) else 0.0
    gain = actuator_gain(m, d, a)
    if clamped_by_range(m, d, a) or clamped_by_tendon(m, d, a):
        gain = 0.0
    if m.actuator_actnum[a] == 0:
        subtract_force_column(m, d, a, column, gain * unclamped)
    else:
        j = m.actuator_actadr[a]
        by_act, by_ctrl = activation_partials(m, d, a, j, control)
        if activation_clamped(m, d, a, j):
            by_act = 0.0
            by_ctrl = 0.0
        own = 2 * m.nv + j
        d.act_slope[j * d.ncol + own] = by_act
        d.act_slope[j * d.ncol + column] = by_ctrl * unclamped
        if m.actuator_actearly[a] != 0:
            subtract_force_column(m, d, a, own, gain * by_act)
            subtract_force_column(m, d, a, column, gain * by_ctrl * unclamped)
        else:
            subtract_force_column(m, d, a, own, gain)


@kernel
def control_in_range(m, d, control: int):
    """Whether a control is not clamped; at the end of its range it counts as free inwards."""
    free = True
    if m.opt_disableflags & NO_CLAMPCTRL == 0 and m.actuator_ctrllimited[control] != 0:
        u = d.ctrl[control]
        free = u >= m.actuator_ctrlrange[control, 0] and u <= m.actuator_ctrlrange[control, 1]
    return free


@kernel
def actuator_gain(m, d, a: int):
    """dforce / d (control or activation) of an actuator."""
    gain = m.actuator_gainprm[a, 0]
    out = m.actuator_outadr[a]
    if m.actuator_gaintype[a] == GAIN_MUSCLE:
        gain = muscle_gain(m, a, d.actuator_length[out], d.actuator_velocity[out])
    elif m.actuator_gaintype[a] == GAIN_AFFINE:
        gain += m.actuator_gainprm[a, 1] * d.actuator_length[out]
        gain += m.actuator_gainprm[a, 2] * d.actuator_velocity[out]
    return gain


@kernel
def activation_partials(m, d, a: int, j: int, control: int):
    """Partials of the next activation: (by activation, by control)."""
    h = m.opt_timestep
    by_act = 1.0
    by_control = 0.0
    if m.actuator_dyntype[a] == DYN_INTEGRATOR:
        by_control = h
    elif m.actuator_dyntype[a] == DYN_MUSCLE:
        rate_by_act, rate_by_control = muscle_dynamics_partials(
            m, a, d.used_ctrl[control], d.act[j]
        )
        by_act, by_control = 1.0 + h * rate_by_act, h * rate_by_control
    elif is_filter(m, a):
        time = max(MINVAL, m.actuator_dynprm[a, 0])
        by_control = h / time
        if m.actuator_dyntype[a] == DYN_FILTEREXACT:
            by_control = 1.0 - math.exp(-h / time)
        by_act = 1.0 - by_control
    return by_act, by_control


@kernel
def activation_clamped(m, d, a: int, j: int):
    """Whether actrange clamps an activation after the step."""
    clamped = False
    if m.actuator_actlimited[a] != 0:
        h = m.opt_timestep
        after = d.act[j] + h * d.act_dot[j]
        if m.actuator_dyntype[a] == DYN_FILTEREXACT:
            time = max(MINVAL, m.actuator_dynprm[a, 0])
            after = d.act[j] + d.act_dot[j] * time * (1.0 - math.exp(-h / time))
        clamped = after < m.actuator_actrange[a, 0] or after > m.actuator_actrange[a, 1]
    return clamped


@kernel
def subtract_force_column(m, d, a: int, column: int, slope):
    """One column of R -= J' slope."""
    out = m.actuator_outadr[a]
    start = m.moment_rowadr[out]
    for at in range(start, start + m.moment_rownnz[out]):
        dof = m.moment_colind[at]
        if not joint_force_clamped(m, d, m.dof_jntid[dof]):
            d.R[dof * d.ncol + column] -= d.actuator_moment[at] * slope
