"""How forces of actuators change with velocities."""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select, vec3, zero_like
from cortenforge.math.vector import MINVAL, norm
from cortenforge.step.actuation.activation import disabled
from cortenforge.step.actuation.force import driving
from cortenforge.step.actuation.hill import fibre_slope
from cortenforge.step.actuation.motor import (
    controller_voltage,
    electrical_force,
    resistance,
    steady_current,
)
from cortenforge.step.actuation.muscle import muscle_gain_slope
from cortenforge.step.actuation.servo import FORWARD, POS, VEL
from cortenforge.step.actuation.slots import BRISTLE, CURRENT, STRAIN, has, slot
from cortenforge.step.constants import (
    BIAS_AFFINE,
    BIAS_DCMOTOR,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_DCMOTOR,
    GAIN_HILL,
    GAIN_MUSCLE,
    GAIN_SO3,
    IN_PARENT,
    ON_TENDON,
)
from cortenforge.step.derivative.pattern import add_both

#: how far a force that was scaled or summed may be from its limit, relative to the range
ROUNDING = 1e-10


@kernel(lanes=True, unit=True)
def actuator_velocity_slopes(m, d):
    """Add the derivative of qfrc_actuator to qDeriv.  Mirrors mjd_actuator_vel."""
    for a in range(m.nactuator):
        if not disabled(m, a):
            slope = felt_slope(m, d, a)
            if any_lane(slope != 0.0):
                add_outputs(m, d, a, slope)


@kernel(lanes=True)
def felt_slope(m, d, a: int):
    """How the force of each output changes with its velocity, where no limit decides it."""
    full = force_limited(m, d, a) or tendon_limited(m, d, a)
    slope = select(full, 0.0, slope_of(m, d, a))
    if has(m, a, BRISTLE):
        # friction comes on top of these limits
        slope -= m.actuator_dynprm[a, 6]
    return select(joint_limited(m, d, a), 0.0, slope)


@kernel(lanes=True)
def add_outputs(m, d, a: int, slope):
    """slope J'J of all outputs of an actuator."""
    first = m.actuator_outadr[a]
    for out in range(first, first + m.actuator_outnum[a]):
        start = m.moment_rowadr[out]
        for j in range(start, start + m.moment_rownnz[out]):
            scaled = slope * d.actuator_moment[j]
            for n in range(start, j + 1):
                one, other = m.moment_colind[j], m.moment_colind[n]
                add_both(m, d.qDeriv, one, other, scaled * d.actuator_moment[n], slope != 0.0)


@kernel(lanes=True)
def force_limited(m, d, a: int):
    """Whether the actuator's own limit decides its force."""
    out = m.actuator_outadr[a]
    force = d.actuator_force[out]
    full = zero_like(d.time) != 0.0
    if m.actuator_forcelimited[a] != 0:
        low, high = m.actuator_forcerange[a, 0], m.actuator_forcerange[a, 1]
        if m.actuator_gaintype[a] == GAIN_SO3:
            torque = vec3(force, d.actuator_force[out + 1], d.actuator_force[out + 2])
            full = norm(torque) >= high
        else:
            limited = force_within_limits(m, d, a)
            near = zero_like(d.time)
            if m.actuator_biastype[a] == BIAS_DCMOTOR:
                # what comes on top was added and taken away again
                near += ROUNDING * (high - low)
            full = limited <= low + near or limited >= high - near
    return full


@kernel(lanes=True)
def joint_limited(m, d, a: int):
    """Whether a limit of the actuator's joint decides what is felt of its force."""
    full = zero_like(d.time) != 0.0
    if m.actuator_trntype[a] <= IN_PARENT:
        full = at_joint_limit(m, d, m.actuator_trnid[a, 0])
    return full


@kernel(lanes=True)
def at_joint_limit(m, d, joint: int):
    """Whether a joint's limit decides what it feels of actuators."""
    full = zero_like(d.time) != 0.0
    if m.jnt_actfrclimited[joint] != 0:
        felt = d.qfrc_actuator[m.jnt_dofadr[joint]]
        low, high = m.jnt_actfrcrange[joint, 0], m.jnt_actfrcrange[joint, 1]
        full = felt <= low or felt >= high
    return full


@kernel(lanes=True)
def tendon_limited(m, d, a: int):
    """Whether a limit of the actuator's tendon scales its force.

    Scaled forces add up to the limit but for rounding; where limits of their own made them smaller
    after that, the tendon's decides nothing.
    """
    full = zero_like(d.time) != 0.0
    if m.actuator_trntype[a] == ON_TENDON and m.tendon_actfrclimited[m.actuator_trnid[a, 0]] != 0:
        tendon = m.actuator_trnid[a, 0]
        pull = zero_like(d.time)
        for other in range(m.nactuator):
            if m.actuator_trntype[other] == ON_TENDON and m.actuator_trnid[other, 0] == tendon:
                pull += force_within_limits(m, d, other)
        low, high = m.tendon_actfrcrange[tendon, 0], m.tendon_actfrcrange[tendon, 1]
        near = ROUNDING * (high - low)
        full = pull <= low + near or pull >= high - near
    return full


@kernel(lanes=True)
def force_within_limits(m, d, a: int):
    """The part of an actuator's force that limits touch."""
    force = d.actuator_force[m.actuator_outadr[a]]
    if m.actuator_biastype[a] == BIAS_DCMOTOR:
        force = electrical_force(m, d, a)
    return force


@kernel(lanes=True)
def slope_of(m, d, a: int):
    """How the force of each output changes with its velocity."""
    out = m.actuator_outadr[a]
    slope = zero_like(d.time)
    if m.actuator_biastype[a] == BIAS_AFFINE or m.actuator_gaintype[a] == GAIN_SO3:
        slope += m.actuator_biasprm[a, 2]
    if m.actuator_gaintype[a] == GAIN_AFFINE:
        slope += m.actuator_gainprm[a, 2] * signal(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_MUSCLE:
        gain = muscle_gain_slope(m, a, d.actuator_length[out], d.actuator_velocity[out])
        slope += gain * signal(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_DCMOTOR:
        slope += motor_slope(m, d, a)
    elif m.actuator_gaintype[a] == GAIN_HILL and not has(m, a, STRAIN):
        slope += fibre_slope(m, d, a)
    return slope


@kernel(lanes=True)
def signal(m, d, a: int):
    """What a gain multiplies: the control, or the last activation."""
    if m.actuator_dyntype[a] == DYN_NONE:
        value = d.used_ctrl[m.actuator_ctrladr[a]]
    else:
        value = driving(m, d, a, m.actuator_actadr[a] + m.actuator_actnum[a] - 1)
    return value


@kernel(lanes=True)
def motor_slope(m, d, a: int):
    """Of the electrical force of a motor: back-EMF, and the damping of its controller."""
    ohms = max(MINVAL, resistance(m, d, a))
    constant = m.actuator_gainprm[a, 1]
    drive = voltage_slope(m, d, a)
    slope = zero_like(d.time)
    if has(m, a, CURRENT):
        late, later = current_at_end(m, d, a)
        slope = select(late, 0.0, constant * (drive - constant) * later / ohms)
    else:
        slope = constant * drive / ohms
        if m.actuator_biastype[a] == BIAS_DCMOTOR:
            slope -= constant * constant / ohms
    return slope


@kernel(lanes=True)
def current_at_end(m, d, a: int):
    """Whether a motor's current changes as fast as it may, and how much of the steady one it is at
    the end of the step, which makes the force, for what it is short of at the start."""
    time, fastest = max(MINVAL, m.actuator_dynprm[a, 0]), m.actuator_dynprm[a, 1]
    rate = (steady_current(m, d, a) - d.act[slot(m, a, CURRENT)]) / time
    return fastest > 0.0 and abs(rate) >= fastest, 1.0 - math.exp(-m.opt_timestep / time)


@kernel(lanes=True)
def at_full_voltage(m, d, a: int):
    """Whether a motor's controller wants more than there is."""
    most = m.actuator_gainprm[a, 7]
    return most > 0.0 and abs(controller_voltage(m, d, a)) >= most


@kernel(lanes=True)
def voltage_slope(m, d, a: int):
    """How the voltage of a motor's controller changes with its velocity; at its limit, not."""
    slope = zero_like(d.time)
    if m.actuator_ctrlspec[a] & (POS | VEL | FORWARD) != 0:
        constant = m.actuator_gainprm[a, 1]
        free = constant - m.actuator_gainprm[a, 6] * m.actuator_gainprm[a, 0] / constant
        slope = select(at_full_voltage(m, d, a), 0.0, free)
    return slope
