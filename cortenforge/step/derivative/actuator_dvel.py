"""Partial derivative of actuator forces by velocity, and its contribution to qDeriv.

    qDeriv += moment' (dforce/dvelocity) moment           per force output

Where a limit clamps a force, its partial is zero. For affine gains and biases:

    force = (g0 + g1 l + g2 v) u + b0 + b1 l + b2 v,      dforce/dv = g2 u + b2

Source: MuJoCo: Computation, "Numerical integration", velocity derivatives of implicit integrators.
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select, vec3, zero_like
from cortenforge.math.vector import MINVAL, norm
from cortenforge.step.actuation.activation import actuator_disabled
from cortenforge.step.actuation.activation_slots import (
    BRISTLE,
    CURRENT,
    STRAIN,
    has_slot,
    slot_address,
)
from cortenforge.step.actuation.actuator_force import unwrapped_gain_input
from cortenforge.step.actuation.dc_motor import (
    controller_voltage,
    dc_motor_electrical_force,
    steady_current,
    winding_resistance,
)
from cortenforge.step.actuation.hill_muscle import rigid_tendon_dforce_dvel
from cortenforge.step.actuation.muscle import muscle_gain_dvel
from cortenforge.step.actuation.servo import FEEDFORWARD_INPUT, POSITION_INPUT, VELOCITY_INPUT
from cortenforge.step.constants import (
    BIAS_AFFINE,
    BIAS_DCMOTOR,
    GAIN_AFFINE,
    GAIN_DCMOTOR,
    GAIN_HILL,
    GAIN_MUSCLE,
    GAIN_SO3,
    TRN_JOINTINPARENT,
    TRN_TENDON,
)
from cortenforge.step.derivative.sparsity import add_symmetric_entries

#: tolerance for a scaled or summed force at its limit, relative to the range
CLAMP_TOLERANCE = 1e-10


@kernel(lanes=True, unit=True)
def add_actuator_dvel(m, d):
    """Add the partial of qfrc_actuator by velocity to qDeriv.  Mirrors mjd_actuator_vel."""
    for a in range(m.nactuator):
        if not actuator_disabled(m, a):
            slope = actuator_dforce_dvel(m, d, a)
            if any_lane(slope != 0.0):
                add_outputs_dvel(m, d, a, slope)


@kernel(lanes=True)
def actuator_dforce_dvel(m, d, a: int):
    """dforce/dvelocity of each output of an actuator; zero where a limit clamps the force."""
    clamped = clamped_by_range(m, d, a) or clamped_by_tendon(m, d, a)
    slope = select(clamped, 0.0, unclamped_dforce_dvel(m, d, a))
    if has_slot(m, a, BRISTLE):
        # these limits do not apply to friction
        slope -= m.actuator_dynprm[a, 6]
    return select(clamped_by_joint(m, d, a), 0.0, slope)


@kernel(lanes=True)
def add_outputs_dvel(m, d, a: int, slope):
    """Add slope moment' moment of all outputs of an actuator to qDeriv."""
    first = m.actuator_outadr[a]
    for out in range(first, first + m.actuator_outnum[a]):
        start = m.moment_rowadr[out]
        for j in range(start, start + m.moment_rownnz[out]):
            scaled = slope * d.actuator_moment[j]
            for n in range(start, j + 1):
                row, column = m.moment_colind[j], m.moment_colind[n]
                add_symmetric_entries(
                    m, d.qDeriv, row, column, scaled * d.actuator_moment[n], slope != 0.0
                )


@kernel(lanes=True)
def clamped_by_range(m, d, a: int):
    """Whether the actuator's own forcerange clamps its force."""
    out = m.actuator_outadr[a]
    force = d.actuator_force[out]
    clamped = zero_like(d.time) != 0.0
    if m.actuator_forcelimited[a] != 0:
        low, high = m.actuator_forcerange[a, 0], m.actuator_forcerange[a, 1]
        if m.actuator_gaintype[a] == GAIN_SO3:
            torque = vec3(force, d.actuator_force[out + 1], d.actuator_force[out + 2])
            clamped = norm(torque) >= high
        else:
            limited = clampable_force(m, d, a)
            near = zero_like(d.time)
            if m.actuator_biastype[a] == BIAS_DCMOTOR:
                # friction and cogging were added and are subtracted again: rounding
                near += CLAMP_TOLERANCE * (high - low)
            clamped = limited <= low + near or limited >= high - near
    return clamped


@kernel(lanes=True)
def clamped_by_joint(m, d, a: int):
    """Whether actfrcrange of the actuator's joint clamps the joint's force."""
    clamped = zero_like(d.time) != 0.0
    if m.actuator_trntype[a] <= TRN_JOINTINPARENT:
        clamped = joint_force_clamped(m, d, m.actuator_trnid[a, 0])
    return clamped


@kernel(lanes=True)
def joint_force_clamped(m, d, joint: int):
    """Whether actfrcrange of a joint clamps its qfrc_actuator."""
    clamped = zero_like(d.time) != 0.0
    if m.jnt_actfrclimited[joint] != 0:
        force = d.qfrc_actuator[m.jnt_dofadr[joint]]
        low, high = m.jnt_actfrcrange[joint, 0], m.jnt_actfrcrange[joint, 1]
        clamped = force <= low or force >= high
    return clamped


@kernel(lanes=True)
def clamped_by_tendon(m, d, a: int):
    """Whether actfrcrange of the actuator's tendon scales its force.

    Scaled forces add up to the limit but for rounding. Where forceranges made them smaller after
    that, the tendon's limit is inactive.
    """
    clamped = zero_like(d.time) != 0.0
    if m.actuator_trntype[a] == TRN_TENDON and m.tendon_actfrclimited[m.actuator_trnid[a, 0]] != 0:
        tendon = m.actuator_trnid[a, 0]
        pull = zero_like(d.time)
        for other in range(m.nactuator):
            if m.actuator_trntype[other] == TRN_TENDON and m.actuator_trnid[other, 0] == tendon:
                pull += clampable_force(m, d, other)
        low, high = m.tendon_actfrcrange[tendon, 0], m.tendon_actfrcrange[tendon, 1]
        near = CLAMP_TOLERANCE * (high - low)
        clamped = pull <= low + near or pull >= high - near
    return clamped


@kernel(lanes=True)
def clampable_force(m, d, a: int):
    """The part of an actuator's force that limits clamp: of a DC motor, the electrical torque."""
    force = d.actuator_force[m.actuator_outadr[a]]
    if m.actuator_biastype[a] == BIAS_DCMOTOR:
        force = dc_motor_electrical_force(m, d, a)
    return force


@kernel(lanes=True)
def unclamped_dforce_dvel(m, d, a: int):
    """dforce/dvelocity of each output of an actuator, as if no limit were active."""
    out = m.actuator_outadr[a]
    slope = zero_like(d.time)
    if m.actuator_biastype[a] == BIAS_AFFINE or m.actuator_gaintype[a] == GAIN_SO3:
        slope += m.actuator_biasprm[a, 2]
    if m.actuator_gaintype[a] == GAIN_AFFINE:
        slope += m.actuator_gainprm[a, 2] * unwrapped_gain_input(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_MUSCLE:
        gain = muscle_gain_dvel(m, a, d.actuator_length[out], d.actuator_velocity[out])
        slope += gain * unwrapped_gain_input(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_DCMOTOR:
        slope += motor_dforce_dvel(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_HILL and not has_slot(m, a, STRAIN):
        slope += rigid_tendon_dforce_dvel(m, d, a)
    return slope


@kernel(lanes=True)
def motor_dforce_dvel(m, d, a: int):
    """dtorque/dvelocity of a DC motor: back-EMF, and damping of its controller."""
    ohms = max(MINVAL, winding_resistance(m, d, a))
    constant = m.actuator_gainprm[a, 1]
    drive = voltage_dvel(m, d, a)
    slope = zero_like(d.time)
    if has_slot(m, a, CURRENT):
        late, later = current_response(m, d, a)
        slope = select(late, 0.0, constant * (drive - constant) * later / ohms)
    else:
        slope = constant * drive / ohms
        if m.actuator_biastype[a] == BIAS_DCMOTOR:
            slope -= constant * constant / ohms
    return slope


@kernel(lanes=True)
def current_response(m, d, a: int):
    """State of a DC motor's current: (rate is clamped, 1 - exp(-h / time constant)).

    The second is the share of the gap to the steady current that is closed at the end of the step.
    """
    time, fastest = max(MINVAL, m.actuator_dynprm[a, 0]), m.actuator_dynprm[a, 1]
    rate = (steady_current(m, d, a) - d.act[slot_address(m, a, CURRENT)]) / time
    return fastest > 0.0 and abs(rate) >= fastest, 1.0 - math.exp(-m.opt_timestep / time)


@kernel(lanes=True)
def voltage_clamped(m, d, a: int):
    """Whether a DC motor's controller is at its voltage limit."""
    most = m.actuator_gainprm[a, 7]
    return most > 0.0 and abs(controller_voltage(m, d, a)) >= most


@kernel(lanes=True)
def voltage_dvel(m, d, a: int):
    """dvoltage/dvelocity of a DC motor's controller; zero at its voltage limit."""
    slope = zero_like(d.time)
    if m.actuator_ctrlspec[a] & (POSITION_INPUT | VELOCITY_INPUT | FEEDFORWARD_INPUT) != 0:
        constant = m.actuator_gainprm[a, 1]
        free = constant - m.actuator_gainprm[a, 6] * m.actuator_gainprm[a, 0] / constant
        slope = select(voltage_clamped(m, d, a), 0.0, free)
    return slope
