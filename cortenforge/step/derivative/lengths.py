"""Partial derivative of actuator forces by length, as needed for position derivatives.

For affine gains and biases, force = (g0 + g1 l + g2 v) u + b0 + b1 l + b2 v:

    dforce/dl = g1 u + b1

Muscles, Hill muscles and DC motors have formulas of their own; cogging of a DC motor,
A sin(N l + phase), adds A N cos(N l + phase).
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import MINVAL
from cortenforge.step.actuation.hill import fibre_length_slope
from cortenforge.step.actuation.motor import resistance
from cortenforge.step.actuation.muscle import muscle_bias_slope, muscle_gain_length_slope
from cortenforge.step.actuation.servo import FORWARD, POS, VEL
from cortenforge.step.actuation.slots import CURRENT, STRAIN, has
from cortenforge.step.constants import (
    BIAS_AFFINE,
    BIAS_DCMOTOR,
    BIAS_MUSCLE,
    GAIN_AFFINE,
    GAIN_DCMOTOR,
    GAIN_HILL,
    GAIN_MUSCLE,
    GAIN_SO3,
)
from cortenforge.step.derivative.actuators import (
    at_full_voltage,
    current_at_end,
    force_limited,
    joint_limited,
    signal,
    tendon_limited,
)


@kernel(lanes=True)
def felt_length_slope(m, d, a: int):
    """dforce/dlength of each output of an actuator; zero where a limit clamps the force."""
    clamped = force_limited(m, d, a) or tendon_limited(m, d, a)
    slope = select(clamped, 0.0, length_slope(m, d, a))
    if m.actuator_biastype[a] == BIAS_DCMOTOR:
        # these limits do not apply to cogging
        slope += cogging_slope(m, d, a)
    return select(joint_limited(m, d, a), 0.0, slope)


@kernel(lanes=True)
def cogging_slope(m, d, a: int):
    """dtorque/dlength of a DC motor's cogging."""
    angle = m.actuator_biasprm[a, 1] * d.actuator_length[m.actuator_outadr[a]]
    _sine, cosine = sin_cos(angle + m.actuator_biasprm[a, 2])
    return m.actuator_biasprm[a, 0] * m.actuator_biasprm[a, 1] * cosine


@kernel(lanes=True)
def length_slope(m, d, a: int):
    """dforce/dlength, as if no limit were active.  Mirrors mjd_actuatorLenDeriv."""
    out = m.actuator_outadr[a]
    slope = zero_like(d.time)
    if m.actuator_biastype[a] == BIAS_AFFINE or m.actuator_gaintype[a] == GAIN_SO3:
        slope += m.actuator_biasprm[a, 1]
    elif m.actuator_biastype[a] == BIAS_MUSCLE:
        slope += muscle_bias_slope(m, a, d.actuator_length[out])
    if m.actuator_gaintype[a] == GAIN_AFFINE:
        slope += m.actuator_gainprm[a, 1] * signal(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_MUSCLE:
        speed = d.actuator_velocity[out]
        gain = muscle_gain_length_slope(m, a, d.actuator_length[out], speed)
        slope += gain * signal(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_DCMOTOR:
        slope += motor_length_slope(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_HILL and not has(m, a, STRAIN):
        slope += fibre_length_slope(m, d, a)
    return slope


@kernel(lanes=True)
def motor_length_slope(m, d, a: int):
    """dtorque/dlength of a DC motor with a position controller; zero at its voltage limit."""
    slope = zero_like(d.time)
    if m.actuator_ctrlspec[a] & (POS | VEL | FORWARD) != 0:
        # the controller uses the cold winding's resistance
        warm = m.actuator_gainprm[a, 0] / max(MINVAL, resistance(m, d, a))
        slope = select(at_full_voltage(m, d, a), 0.0, -m.actuator_gainprm[a, 4] * warm)
        if has(m, a, CURRENT):
            late, later = current_at_end(m, d, a)
            slope = select(late, 0.0, slope * later)
    return slope
