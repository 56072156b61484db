"""DC motor: voltage control, winding current and temperature, LuGre friction, cogging.

gainprm is resistance, motor constant, temperature coefficient, reference temperature, kp, ki, kd,
largest voltage; dynprm is electrical time constant, largest rate of current, thermal resistance
and capacitance, ambient temperature, stiffness and damping of bristles, slew rate, largest
integral; biasprm is amplitude, poles and phase of cogging, Coulomb and static friction, Stribeck
velocity. With angle l, velocity v, voltage V, current i, temperature rise T, bristle deflection z:

    steady current  i_s = (V - K v) / R,                 R = R0 (1 + alpha (T + Tambient - Tref))
    current         di/dt = (i_s - i) / timeconst        (if it has a slot, else i = i_s)
    torque          K i
    temperature     C dT/dt = R i^2 - T / Rth
    LuGre friction  dz/dt = v - s0 |v| z / g(v),         g(v) = Fc + (Fs - Fc) exp(-(v / vs)^2)
                    torque = -(s0 z + s1 dz/dt)
    cogging         torque = A sin(N l + phase)
    controller      V = R0 / K (kp (ref - l) + kd (vref - v) + feedforward + ki integral) + K v

Sources: MuJoCo: XML reference, actuator/dcmotor; Canudas de Wit, Olsson, Astrom and Lischinsky, A
new model for control of systems with friction, IEEE Trans. Automatic Control 40 (1995).
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.scalar import clip
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import MINVAL
from cortenforge.step.actuation.activation_slots import (
    BRISTLE,
    CURRENT,
    HEAT,
    INTEGRAL,
    SLEW,
    has_slot,
    slot_address,
)
from cortenforge.step.actuation.servo import (
    FEEDFORWARD_INPUT,
    POSITION_INPUT,
    VELOCITY_INPUT,
    VOLTAGE_INPUT,
    integral_rate,
    servo_input,
    slew_setpoint,
)
from cortenforge.step.constants import BIAS_DCMOTOR


@kernel(lanes=True)
def dc_motor_rates(m, d, a: int):
    """act_dot of a DC motor: slewed setpoint, integral, temperature, bristles, current.

    Mirrors mj_fwdActuation.
    """
    out = m.actuator_outadr[a]
    if has_slot(m, a, SLEW):
        slew_setpoint(m, d, a, slot_address(m, a, SLEW), m.actuator_dynprm[a, 7])
    if has_slot(m, a, INTEGRAL):
        at = slot_address(m, a, INTEGRAL)
        error = d.used_ctrl[m.actuator_ctrladr[a]] - d.actuator_length[out]
        d.act_dot[at] = integral_rate(error, d.act[at], m.actuator_dynprm[a, 8])
    if has_slot(m, a, HEAT):
        winding_temperature_rate(m, d, a, slot_address(m, a, HEAT))
    if has_slot(m, a, BRISTLE):
        at = slot_address(m, a, BRISTLE)
        speed = d.actuator_velocity[out]
        d.act_dot[at] = lugre_decay_rate(m, a, speed) * d.act[at] + speed
    if has_slot(m, a, CURRENT):
        at = slot_address(m, a, CURRENT)
        rate = (steady_current(m, d, a) - d.act[at]) / max(MINVAL, m.actuator_dynprm[a, 0])
        max_rate = m.actuator_dynprm[a, 1]
        d.act_dot[at] = select(max_rate > 0.0, clip(rate, -max_rate, max_rate), rate)


@kernel(lanes=True)
def winding_temperature_rate(m, d, a: int, at: int):
    """act_dot of the winding's temperature above the ambient one."""
    current = steady_current(m, d, a)
    if has_slot(m, a, CURRENT):
        current = d.act[slot_address(m, a, CURRENT)]
    cooling = d.act[at] / max(MINVAL, m.actuator_dynprm[a, 2])
    heating = winding_resistance(m, d, a) * current * current
    d.act_dot[at] = (heating - cooling) / max(MINVAL, m.actuator_dynprm[a, 3])


@kernel(lanes=True)
def winding_resistance(m, d, a: int):
    """Resistance of the winding at its temperature."""
    value = m.actuator_gainprm[a, 0]
    if has_slot(m, a, HEAT):
        above_reference = (
            d.act[slot_address(m, a, HEAT)] + m.actuator_dynprm[a, 4] - m.actuator_gainprm[a, 3]
        )
        value = value * (1.0 + m.actuator_gainprm[a, 2] * above_reference)
    return value


@kernel(lanes=True)
def steady_current(m, d, a: int):
    """Current (V - K v) / R that the winding settles at."""
    back_emf = m.actuator_gainprm[a, 1] * d.actuator_velocity[m.actuator_outadr[a]]
    return (terminal_voltage(m, d, a) - back_emf) / winding_resistance(m, d, a)


@kernel(lanes=True)
def terminal_voltage(m, d, a: int):
    """Voltage at the terminals: of the controller, clamped, plus the voltage input.

    Mirrors dcmotorVoltage.
    """
    drive = zero_like(d.time)
    if m.actuator_ctrlspec[a] & (POSITION_INPUT | VELOCITY_INPUT | FEEDFORWARD_INPUT) != 0:
        max_voltage = m.actuator_gainprm[a, 7]
        drive = controller_voltage(m, d, a)
        drive = select(max_voltage > 0.0, clip(drive, -max_voltage, max_voltage), drive)
    return drive + servo_input(m, d, a, VOLTAGE_INPUT)


@kernel(lanes=True)
def controller_voltage(m, d, a: int):
    """Voltage of a DC motor's PID controller, before its limit."""
    out = m.actuator_outadr[a]
    speed = d.actuator_velocity[out]
    torque = m.actuator_gainprm[a, 4] * (
        servo_input(m, d, a, POSITION_INPUT) - d.actuator_length[out]
    )
    torque += m.actuator_gainprm[a, 6] * (servo_input(m, d, a, VELOCITY_INPUT) - speed)
    torque += servo_input(m, d, a, FEEDFORWARD_INPUT)
    if has_slot(m, a, INTEGRAL):
        torque += m.actuator_gainprm[a, 5] * d.act[slot_address(m, a, INTEGRAL)]
    constant = m.actuator_gainprm[a, 1]
    # like a current-controlled driver: back-EMF is compensated
    return m.actuator_gainprm[a, 0] / constant * torque + constant * speed


@kernel(lanes=True)
def dc_motor_force(m, d, a: int, current):
    """Electrical torque: K times the current, an activation or by the voltage."""
    constant = m.actuator_gainprm[a, 1]
    force = constant * current
    if not has_slot(m, a, CURRENT):
        gain = constant / max(MINVAL, winding_resistance(m, d, a))
        force = gain * terminal_voltage(m, d, a)
        if m.actuator_biastype[a] == BIAS_DCMOTOR:
            force -= gain * constant * d.actuator_velocity[m.actuator_outadr[a]]
    return force


@kernel(lanes=True)
def dc_motor_electrical_force(m, d, a: int):
    """Electrical torque that is contained in actuator_force, which is known already."""
    return d.actuator_force[m.actuator_outadr[a]] - cogging_and_friction_force(m, d, a)


@kernel(lanes=True)
def cogging_and_friction_force(m, d, a: int):
    """Torque of cogging and bristle friction, to which forcerange does not apply."""
    angle = m.actuator_biasprm[a, 1] * d.actuator_length[m.actuator_outadr[a]]
    sine, _cosine = sin_cos(angle + m.actuator_biasprm[a, 2])
    force = m.actuator_biasprm[a, 0] * sine
    if has_slot(m, a, BRISTLE):
        at = slot_address(m, a, BRISTLE)
        force -= m.actuator_dynprm[a, 5] * d.act[at] + m.actuator_dynprm[a, 6] * d.act_dot[at]
    return force


@kernel(lanes=True)
def lugre_decay_rate(m, a: int, speed):
    """LuGre decay rate of the bristles, -s0 |v| / g(v).  Mirrors mj_lugreStribeck."""
    ratio = speed / max(MINVAL, m.actuator_biasprm[a, 5])
    coulomb = m.actuator_biasprm[a, 3]
    friction = coulomb + (m.actuator_biasprm[a, 4] - coulomb) * math.exp(-ratio * ratio)
    return -m.actuator_dynprm[a, 5] * abs(speed) / max(MINVAL, friction)


@kernel(lanes=True)
def next_lugre_deflection(m, d, a: int, deflection):
    """Bristle deflection after a step at constant velocity, exact (LuGre)."""
    h = m.opt_timestep
    speed = d.actuator_velocity[m.actuator_outadr[a]]
    decay = lugre_decay_rate(m, a, speed)
    remaining = math.exp(decay * h)
    sliding = abs(decay) > MINVAL
    gain = select(sliding, (remaining - 1.0) / select(sliding, decay, 1.0), h)
    return remaining * deflection + gain * speed
