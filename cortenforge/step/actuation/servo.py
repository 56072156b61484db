"""Servos: inputs by meaning, wrapped setpoints, slew rate, anti-windup of integrals.

Source: MuJoCo: XML reference, actuator/position, actuator/pid and actuator/dcmotor.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.rotation import PI
from cortenforge.math.scalar import clip, round_half_away
from cortenforge.math.vector import abs_sum, norm
from cortenforge.step.constants import (
    BALL,
    BIAS_AFFINE,
    DYN_FILTEREXACT,
    GAIN_FIXED,
    GAIN_PID,
    TRN_JOINTINPARENT,
    TRN_SITE,
)
from cortenforge.step.position.transmission import gear_vector

#: bits of actuator_ctrlspec, in the order of the controls
POSITION_INPUT = 1
VELOCITY_INPUT = 2
FEEDFORWARD_INPUT = 4
VOLTAGE_INPUT = 8


@kernel(lanes=True)
def servo_input(m, d, a: int, signal: int):
    """Control of one meaning (position, velocity, feedforward, voltage); 0 if there is none.

    Mirrors unpackServoInputs.
    """
    spec = m.actuator_ctrlspec[a]
    value = zero_like(d.time)
    if spec & signal != 0:
        at = m.actuator_ctrladr[a]
        if signal > POSITION_INPUT and spec & POSITION_INPUT != 0:
            at += 1
        if signal > VELOCITY_INPUT and spec & VELOCITY_INPUT != 0:
            at += 1
        if signal > FEEDFORWARD_INPUT and spec & FEEDFORWARD_INPUT != 0:
            at += 1
        value = d.used_ctrl[at]
    return value


@kernel(lanes=True)
def setpoint_can_wrap(m, a: int):
    """Whether an actuator is a servo whose length may be an angle on a circle."""
    affine = m.actuator_gaintype[a] == GAIN_FIXED and m.actuator_biastype[a] == BIAS_AFFINE
    servo = affine and m.actuator_dyntype[a] <= DYN_FILTEREXACT
    target = m.actuator_trnid[a, 0]
    is_angle = m.actuator_trntype[a] == TRN_SITE and m.actuator_trnid[a, 1] >= 0
    if m.actuator_trntype[a] <= TRN_JOINTINPARENT:
        is_angle = m.jnt_type[target] == BALL
    return is_angle and (servo or m.actuator_gaintype[a] == GAIN_PID)


@kernel(lanes=True)
def transmission_period(m, a: int):
    """Period of a rotating transmission's length; 0 if it has none."""
    out = m.actuator_outadr[a]
    gear = gear_vector(m, out, 0)
    period = 2.0 * PI * norm(gear)
    if m.actuator_trntype[a] == TRN_SITE:
        period = select(abs_sum(gear) == 0.0, 2.0 * PI * norm(gear_vector(m, out, 3)), 0.0)
    if m.actuator_gaintype[a] == GAIN_FIXED:
        matched = m.actuator_gainprm[a, 0] == -m.actuator_biasprm[a, 1]
        period = select(matched, period, 0.0)
    return period


@kernel(lanes=True)
def wrap_setpoint(m, a: int, setpoint, length):
    """The setpoint plus the multiple of the period that brings it nearest to the length.

    Mirrors wrapSetpoint.
    """
    result = setpoint
    if setpoint_can_wrap(m, a):
        period = transmission_period(m, a)
        turns = round_half_away((setpoint - length) / select(period > 0.0, period, 1.0))
        result = select(period > 0.0, setpoint - period * turns, setpoint)
    return result


@kernel(lanes=True)
def slew_setpoint(m, d, a: int, at: int, slew_rate):
    """Move the first control towards its setpoint at the slew rate: act_dot, used_ctrl.

    Mirrors slewLimit.
    """
    first = m.actuator_ctrladr[a]
    h = m.opt_timestep
    before = d.act[at]
    target = wrap_setpoint(m, a, d.used_ctrl[first], before)
    moved = clip(target, before - slew_rate * h, before + slew_rate * h)
    d.act_dot[at] = (moved - before) / h
    d.used_ctrl[first] = moved


@kernel(lanes=True)
def integral_rate(error, integral, limit):
    """Rate of an integral with anti-windup: zero where it would leave its limit."""
    rate = select(integral >= limit, min(error, 0.0), error)
    rate = select(integral <= -limit, max(error, 0.0), rate)
    return select(limit > 0.0, rate, error)
