"""A DC motor: voltage, current, heat, friction and cogging.

gainprm is resistance, motor constant, temperature coefficient, reference temperature, kp, ki, kd,
largest voltage; dynprm is electrical time constant, largest rate of current, thermal resistance
and capacitance, ambient temperature, stiffness and damping of bristles, slew rate, largest
integral; biasprm is amplitude, poles and phase of cogging, Coulomb and static friction, Stribeck
velocity.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.scalar import clip
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import MINVAL
from cortenforge.step.actuation.servo import (
    FORWARD,
    POS,
    VEL,
    VOLTAGE,
    input_of,
    slewed,
    wound_up,
)
from cortenforge.step.actuation.slots import (
    BRISTLE,
    CURRENT,
    HEAT,
    INTEGRAL,
    SLEW,
    has,
    slot,
)
from cortenforge.step.constants import BIAS_DCMOTOR


@kernel(lanes=True)
def motor_rates(m, d, a: int):
    """Rates of all activations of a motor.  Mirrors mj_fwdActuation for mjDYN_DCMOTOR."""
    out = m.actuator_outadr[a]
    if has(m, a, SLEW):
        slewed(m, d, a, slot(m, a, SLEW), m.actuator_dynprm[a, 7])
    if has(m, a, INTEGRAL):
        at = slot(m, a, INTEGRAL)
        error = d.used_ctrl[m.actuator_ctrladr[a]] - d.actuator_length[out]
        d.act_dot[at] = wound_up(error, d.act[at], m.actuator_dynprm[a, 8])
    if has(m, a, HEAT):
        heat_rate(m, d, a, slot(m, a, HEAT))
    if has(m, a, BRISTLE):
        at = slot(m, a, BRISTLE)
        speed = d.actuator_velocity[out]
        d.act_dot[at] = bristle_decay(m, a, speed) * d.act[at] + speed
    if has(m, a, CURRENT):
        at = slot(m, a, CURRENT)
        rate = (steady_current(m, d, a) - d.act[at]) / max(MINVAL, m.actuator_dynprm[a, 0])
        most = m.actuator_dynprm[a, 1]
        d.act_dot[at] = select(most > 0.0, clip(rate, -most, most), rate)


@kernel(lanes=True)
def heat_rate(m, d, a: int, at: int):
    """How fast the winding gets warmer than the air, by its current."""
    current = steady_current(m, d, a)
    if has(m, a, CURRENT):
        current = d.act[slot(m, a, CURRENT)]
    lost = d.act[at] / max(MINVAL, m.actuator_dynprm[a, 2])
    made = resistance(m, d, a) * current * current
    d.act_dot[at] = (made - lost) / max(MINVAL, m.actuator_dynprm[a, 3])


@kernel(lanes=True)
def resistance(m, d, a: int):
    """Resistance of the winding, which grows with its temperature."""
    ohms = m.actuator_gainprm[a, 0]
    if has(m, a, HEAT):
        warmth = d.act[slot(m, a, HEAT)] + m.actuator_dynprm[a, 4] - m.actuator_gainprm[a, 3]
        ohms = ohms * (1.0 + m.actuator_gainprm[a, 2] * warmth)
    return ohms


@kernel(lanes=True)
def steady_current(m, d, a: int):
    """The current that voltage and back-EMF would drive through the winding for long."""
    back = m.actuator_gainprm[a, 1] * d.actuator_velocity[m.actuator_outadr[a]]
    return (voltage(m, d, a) - back) / resistance(m, d, a)


@kernel(lanes=True)
def voltage(m, d, a: int):
    """Voltage at the terminals: the controller's, and what is commanded.

    Mirrors dcmotorVoltage.
    """
    drive = zero_like(d.time)
    if m.actuator_ctrlspec[a] & (POS | VEL | FORWARD) != 0:
        most = m.actuator_gainprm[a, 7]
        drive = controller_voltage(m, d, a)
        drive = select(most > 0.0, clip(drive, -most, most), drive)
    return drive + input_of(m, d, a, VOLTAGE)


@kernel(lanes=True)
def controller_voltage(m, d, a: int):
    """The voltage that a motor's controller wants."""
    out = m.actuator_outadr[a]
    speed = d.actuator_velocity[out]
    torque = m.actuator_gainprm[a, 4] * (input_of(m, d, a, POS) - d.actuator_length[out])
    torque += m.actuator_gainprm[a, 6] * (input_of(m, d, a, VEL) - speed)
    torque += input_of(m, d, a, FORWARD)
    if has(m, a, INTEGRAL):
        torque += m.actuator_gainprm[a, 5] * d.act[slot(m, a, INTEGRAL)]
    constant = m.actuator_gainprm[a, 1]
    # as a driver that controls current: back-EMF is compensated
    return m.actuator_gainprm[a, 0] / constant * torque + constant * speed


@kernel(lanes=True)
def motor_force(m, d, a: int, current):
    """Electrical torque of a motor; its current is an activation, or follows the voltage."""
    constant = m.actuator_gainprm[a, 1]
    force = constant * current
    if not has(m, a, CURRENT):
        gain = constant / max(MINVAL, resistance(m, d, a))
        force = gain * voltage(m, d, a)
        if m.actuator_biastype[a] == BIAS_DCMOTOR:
            force -= gain * constant * d.actuator_velocity[m.actuator_outadr[a]]
    return force


@kernel(lanes=True)
def electrical_force(m, d, a: int):
    """The part of a motor's force that its limit touches, once the force is known."""
    return d.actuator_force[m.actuator_outadr[a]] - mechanical_force(m, d, a)


@kernel(lanes=True)
def mechanical_force(m, d, a: int):
    """Cogging and friction of a motor, which no limit of current touches."""
    angle = m.actuator_biasprm[a, 1] * d.actuator_length[m.actuator_outadr[a]]
    sine, _cosine = sin_cos(angle + m.actuator_biasprm[a, 2])
    force = m.actuator_biasprm[a, 0] * sine
    if has(m, a, BRISTLE):
        at = slot(m, a, BRISTLE)
        force -= m.actuator_dynprm[a, 5] * d.act[at] + m.actuator_dynprm[a, 6] * d.act_dot[at]
    return force


@kernel(lanes=True)
def bristle_decay(m, a: int, speed):
    """Rate at which the bend of bristles goes away while they slide (LuGre).

    Mirrors mj_lugreStribeck.
    """
    ratio = speed / max(MINVAL, m.actuator_biasprm[a, 5])
    coulomb = m.actuator_biasprm[a, 3]
    friction = coulomb + (m.actuator_biasprm[a, 4] - coulomb) * math.exp(-ratio * ratio)
    return -m.actuator_dynprm[a, 5] * abs(speed) / max(MINVAL, friction)


@kernel(lanes=True)
def next_bristle(m, d, a: int, bend):
    """The bend of bristles after a step at constant speed, exactly."""
    h = m.opt_timestep
    speed = d.actuator_velocity[m.actuator_outadr[a]]
    decay = bristle_decay(m, a, speed)
    left = math.exp(decay * h)
    sliding = abs(decay) > MINVAL
    pushed = select(sliding, (left - 1.0) / select(sliding, decay, 1.0), h)
    return left * bend + pushed * speed
