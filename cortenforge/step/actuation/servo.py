"""Servos: inputs by meaning, wrapped setpoints, slew rate, anti-windup of integrals.

Source: MuJoCo: XML reference, actuator/position, actuator/pid and actuator/dcmotor.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.rotation import PI
from cortenforge.math.scalar import clip, nearest
from cortenforge.math.vector import abs_sum, norm
from cortenforge.step.constants import (
    BALL,
    BIAS_AFFINE,
    DYN_FILTEREXACT,
    GAIN_FIXED,
    GAIN_PID,
    IN_PARENT,
    ON_SITE,
)
from cortenforge.step.position.transmission import gear_of

#: bits of actuator_ctrlspec, in the order of the controls
POS = 1
VEL = 2
FORWARD = 4
VOLTAGE = 8


@kernel(lanes=True)
def input_of(m, d, a: int, signal: int):
    """Control of one meaning (position, velocity, feedforward, voltage); 0 if there is none.

    Mirrors unpackServoInputs.
    """
    spec = m.actuator_ctrlspec[a]
    value = zero_like(d.time)
    if spec & signal != 0:
        at = m.actuator_ctrladr[a]
        if signal > POS and spec & POS != 0:
            at += 1
        if signal > VEL and spec & VEL != 0:
            at += 1
        if signal > FORWARD and spec & FORWARD != 0:
            at += 1
        value = d.used_ctrl[at]
    return value


@kernel(lanes=True)
def can_wrap(m, a: int):
    """Whether an actuator is a servo whose length may be an angle on a circle."""
    affine = m.actuator_gaintype[a] == GAIN_FIXED and m.actuator_biastype[a] == BIAS_AFFINE
    servo = affine and m.actuator_dyntype[a] <= DYN_FILTEREXACT
    target = m.actuator_trnid[a, 0]
    is_angle = m.actuator_trntype[a] == ON_SITE and m.actuator_trnid[a, 1] >= 0
    if m.actuator_trntype[a] <= IN_PARENT:
        is_angle = m.jnt_type[target] == BALL
    return is_angle and (servo or m.actuator_gaintype[a] == GAIN_PID)


@kernel(lanes=True)
def period_of(m, a: int):
    """Period of a rotating transmission's length; 0 if it has none."""
    out = m.actuator_outadr[a]
    gear = gear_of(m, out, 0)
    period = 2.0 * PI * norm(gear)
    if m.actuator_trntype[a] == ON_SITE:
        period = select(abs_sum(gear) == 0.0, 2.0 * PI * norm(gear_of(m, out, 3)), 0.0)
    if m.actuator_gaintype[a] == GAIN_FIXED:
        matched = m.actuator_gainprm[a, 0] == -m.actuator_biasprm[a, 1]
        period = select(matched, period, 0.0)
    return period


@kernel(lanes=True)
def near(m, a: int, setpoint, length):
    """The setpoint plus the multiple of the period that brings it nearest to the length.

    Mirrors wrapSetpoint.
    """
    result = setpoint
    if can_wrap(m, a):
        period = period_of(m, a)
        turns = nearest((setpoint - length) / select(period > 0.0, period, 1.0))
        result = select(period > 0.0, setpoint - period * turns, setpoint)
    return result


@kernel(lanes=True)
def slewed(m, d, a: int, at: int, slew_rate):
    """Move the first control towards its setpoint at the slew rate: act_dot, used_ctrl.

    Mirrors slewLimit.
    """
    first = m.actuator_ctrladr[a]
    h = m.opt_timestep
    before = d.act[at]
    target = near(m, a, d.used_ctrl[first], before)
    moved = clip(target, before - slew_rate * h, before + slew_rate * h)
    d.act_dot[at] = (moved - before) / h
    d.used_ctrl[first] = moved


@kernel(lanes=True)
def wound_up(error, integral, limit):
    """Rate of an integral with anti-windup: zero where it would leave its limit."""
    rate = select(integral >= limit, min(error, 0.0), error)
    rate = select(integral <= -limit, max(error, 0.0), rate)
    return select(limit > 0.0, rate, error)
