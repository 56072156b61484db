"""Partial derivative of actuator forces by length, as needed for position derivatives.

For affine gains and biases, force = (g0 + g1 l + g2 v) u + b0 + b1 l + b2 v:

    dforce/dl = g1 u + b1

Muscles, Hill muscles and DC motors have formulas of their own; cogging of a DC motor,
A sin(N l + phase), adds A N cos(N l + phase).

Source: MuJoCo: Computation, "Force generation"; docs/derivatives.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import MINVAL
from cortenforge.step.actuation.activation_slots import CURRENT, STRAIN, has_slot
from cortenforge.step.actuation.actuator_force import unwrapped_gain_input
from cortenforge.step.actuation.dc_motor import winding_resistance
from cortenforge.step.actuation.hill_muscle import rigid_tendon_dforce_dlength
from cortenforge.step.actuation.muscle import muscle_bias_dlength, muscle_gain_dlength
from cortenforge.step.actuation.servo import FEEDFORWARD_INPUT, POSITION_INPUT, VELOCITY_INPUT
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
from cortenforge.step.derivative.actuator_dvel import (
    clamped_by_joint,
    clamped_by_range,
    clamped_by_tendon,
    current_response,
    voltage_clamped,
)


@kernel(lanes=True)
def actuator_dforce_dlength(m, d, a: int):
    """dforce/dlength of each output of an actuator; zero where a limit clamps the force."""
    clamped = clamped_by_range(m, d, a) or clamped_by_tendon(m, d, a)
    slope = select(clamped, 0.0, unclamped_dforce_dlength(m, d, a))
    if m.actuator_biastype[a] == BIAS_DCMOTOR:
        # these limits do not apply to cogging
        slope += cogging_dforce_dlength(m, d, a)
    return select(clamped_by_joint(m, d, a), 0.0, slope)


@kernel(lanes=True)
def cogging_dforce_dlength(m, d, a: int):
    """dtorque/dlength of a DC motor's cogging."""
    angle = m.actuator_biasprm[a, 1] * d.actuator_length[m.actuator_outadr[a]]
    _sine, cosine = sin_cos(angle + m.actuator_biasprm[a, 2])
    return m.actuator_biasprm[a, 0] * m.actuator_biasprm[a, 1] * cosine


@kernel(lanes=True)
def unclamped_dforce_dlength(m, d, a: int):
    """dforce/dlength, as if no limit were active.  Mirrors mjd_actuatorLenDeriv."""
    out = m.actuator_outadr[a]
    slope = zero_like(d.time)
    if m.actuator_biastype[a] == BIAS_AFFINE or m.actuator_gaintype[a] == GAIN_SO3:
        slope += m.actuator_biasprm[a, 1]
    elif m.actuator_biastype[a] == BIAS_MUSCLE:
        slope += muscle_bias_dlength(m, a, d.actuator_length[out])
    if m.actuator_gaintype[a] == GAIN_AFFINE:
        slope += m.actuator_gainprm[a, 1] * unwrapped_gain_input(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_MUSCLE:
        speed = d.actuator_velocity[out]
        gain = muscle_gain_dlength(m, a, d.actuator_length[out], speed)
        slope += gain * unwrapped_gain_input(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_DCMOTOR:
        slope += motor_dforce_dlength(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_HILL and not has_slot(m, a, STRAIN):
        slope += rigid_tendon_dforce_dlength(m, d, a)
    return slope


@kernel(lanes=True)
def motor_dforce_dlength(m, d, a: int):
    """dtorque/dlength of a DC motor with a position controller; zero at its voltage limit."""
    slope = zero_like(d.time)
    if m.actuator_ctrlspec[a] & (POSITION_INPUT | VELOCITY_INPUT | FEEDFORWARD_INPUT) != 0:
        # the controller uses the cold winding's resistance
        warm = m.actuator_gainprm[a, 0] / max(MINVAL, winding_resistance(m, d, a))
        slope = select(voltage_clamped(m, d, a), 0.0, -m.actuator_gainprm[a, 4] * warm)
        if has_slot(m, a, CURRENT):
            late, later = current_response(m, d, a)
            slope = select(late, 0.0, slope * later)
    return slope
