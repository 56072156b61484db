"""Actuator forces and the joint forces they produce.

    force = gain(l, v) u + bias(l, v)         u: control or activation; l, v: length and velocity
    affine: gain = g0 + g1 l + g2 v,          bias = b0 + b1 l + b2 v
    clamp to actfrcrange of tendons (scaled together), then to forcerange
    qfrc_actuator = moment' force, plus gravity compensation by actuators, clamped to actfrcrange of
    joints

Source: MuJoCo: Computation, "Force generation"; Modeling, "Force limits".
Theory: docs/theory/equations_of_motion.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, quat, select, vec3, zero_like
from cortenforge.math.rotation import axis_angle_quat, subtract_quats, unit_quat
from cortenforge.math.scalar import clip
from cortenforge.math.vector import norm, unit
from cortenforge.step.actuation.activation import (
    activation_rates,
    actuator_disabled,
    next_activation,
)
from cortenforge.step.actuation.activation_slots import (
    CURRENT,
    HILL_KIND,
    INTEGRAL,
    PIDPLUGIN_KIND,
    has_slot,
    slot_address,
)
from cortenforge.step.actuation.controls import read_controls
from cortenforge.step.actuation.dc_motor import cogging_and_friction_force, dc_motor_force
from cortenforge.step.actuation.hill_muscle import hill_muscle_forces
from cortenforge.step.actuation.muscle import muscle_bias, muscle_gain
from cortenforge.step.actuation.pid_plugin import pid_plugin_forces, pid_plugin_rates
from cortenforge.step.actuation.servo import (
    FEEDFORWARD_INPUT,
    POSITION_INPUT,
    VELOCITY_INPUT,
    servo_input,
    wrap_setpoint,
)
from cortenforge.step.callbacks import user_bias, user_gain
from cortenforge.step.constants import (
    BIAS_AFFINE,
    BIAS_DCMOTOR,
    BIAS_MUSCLE,
    BIAS_USER,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_DCMOTOR,
    GAIN_FIXED,
    GAIN_HILL,
    GAIN_MUSCLE,
    GAIN_PID,
    GAIN_SO3,
    NO_ACTUATION,
    NO_GRAVITY,
    TRN_TENDON,
)

#: value of actuator_ctrlspec for orientation setpoints given as quaternions
QUATERNION_CHART = 2


@kernel(lanes=True, unit=True)
def actuation(m, d):
    """act_dot, actuator_force and qfrc_actuator.  Mirrors mj_fwdActuation."""
    for out in range(m.nout):
        d.actuator_force[out] = 0.0
    for i in range(m.nv):
        d.qfrc_actuator[i] = 0.0
    if m.opt_disableflags & NO_ACTUATION == 0:
        read_controls(m, d)
        activation_rates(m, d)
        if m.actuator_kinds & HILL_KIND != 0:
            hill_muscle_forces(m, d)
        if m.actuator_kinds & PIDPLUGIN_KIND != 0:
            pid_plugin_rates(m, d)
            pid_plugin_forces(m, d)
        actuator_forces(m, d)
        joint_actuator_forces(m, d)


@kernel(lanes=True)
def actuator_forces(m, d):
    """actuator_force of each output, clamped; zero for actuators that are disabled.

    Limits of tendons come before those of actuators, as in MuJoCo.
    """
    for a in range(m.nactuator):
        if actuator_disabled(m, a):
            d.actuator_force[m.actuator_outadr[a]] = 0.0
        elif m.actuator_gaintype[a] == GAIN_SO3:
            orientation_servo_torque(m, d, a)
        elif m.actuator_gaintype[a] < GAIN_HILL:
            # CortenForge's own types, from GAIN_HILL on, are computed already
            force = gain_force(m, d, a) + actuator_bias_force(m, d, a)
            d.actuator_force[m.actuator_outadr[a]] = force
    if m.ntendon > 0:
        scale_to_tendon_limits(m, d)
    for a in range(m.nactuator):
        clamp_force(m, d, a)


@kernel(lanes=True)
def clamp_force(m, d, a: int):
    """Clamp a force to forcerange; friction and cogging of a DC motor are added after that."""
    out = m.actuator_outadr[a]
    if m.actuator_forcelimited[a] != 0:
        low, high = m.actuator_forcerange[a, 0], m.actuator_forcerange[a, 1]
        if m.actuator_gaintype[a] == GAIN_SO3:
            clamp_torque(d, out, high)
        else:
            d.actuator_force[out] = clip(d.actuator_force[out], low, high)
    if m.actuator_biastype[a] == BIAS_DCMOTOR and not actuator_disabled(m, a):
        d.actuator_force[out] += cogging_and_friction_force(m, d, a)


@kernel(lanes=True)
def scale_to_tendon_limits(m, d):
    """Scale the forces of all actuators of a tendon to its actfrcrange.

    The sum is taken without gears.

    Mirrors mj_fwdActuation.
    """
    for i in range(m.ntendon):
        d.ten_pull[i] = 0.0
    for a in range(m.nactuator):
        if m.actuator_trntype[a] == TRN_TENDON:
            d.ten_pull[m.actuator_trnid[a, 0]] += d.actuator_force[m.actuator_outadr[a]]
    for a in range(m.nactuator):
        if m.actuator_trntype[a] == TRN_TENDON:
            tendon = m.actuator_trnid[a, 0]
            if m.tendon_actfrclimited[tendon] != 0:
                low, high = m.tendon_actfrcrange[tendon, 0], m.tendon_actfrcrange[tendon, 1]
                total = d.ten_pull[tendon]
                clamped = clip(total, low, high)
                # a zero force cannot be scaled into the range
                outside = clamped != total and total != 0.0
                out = m.actuator_outadr[a]
                scaled = d.actuator_force[out] * (clamped / select(outside, total, 1.0))
                d.actuator_force[out] = select(outside, scaled, d.actuator_force[out])


@kernel(lanes=True)
def activation_for_force(m, d, a: int, j: int):
    """Activation that enters the force: the present one, or with actearly that after the step."""
    act = d.act[j]
    if m.actuator_actearly[a] != 0:
        act = next_activation(m, d, a, j, d.act_dot[j])
    return act


@kernel(lanes=True)
def unwrapped_gain_input(m, d, a: int):
    """Input of an actuator's gain: the last activation, or the control."""
    if m.actuator_actnum[a] > 0:
        signal = activation_for_force(m, d, a, m.actuator_actadr[a] + m.actuator_actnum[a] - 1)
    else:
        signal = d.used_ctrl[m.actuator_ctrladr[a]]
    return signal


@kernel(lanes=True)
def gain_input(m, d, a: int):
    """The same, wrapped if it is an angle."""
    length = d.actuator_length[m.actuator_outadr[a]]
    return wrap_setpoint(m, a, unwrapped_gain_input(m, d, a), length)


@kernel(lanes=True)
def gain_force(m, d, a: int):
    """gain * input of an actuator, or the force of its controller."""
    out = m.actuator_outadr[a]
    length = d.actuator_length[out]
    kind = m.actuator_gaintype[a]
    if kind == GAIN_PID:
        force = pid_force(m, d, a)
    elif kind == GAIN_DCMOTOR:
        current = zero_like(d.time)
        if has_slot(m, a, CURRENT):
            current = activation_for_force(m, d, a, slot_address(m, a, CURRENT))
        force = dc_motor_force(m, d, a, current)
    elif kind == GAIN_FIXED:
        force = m.actuator_gainprm[a, 0] * gain_input(m, d, a)
    elif kind == GAIN_AFFINE:
        gain = m.actuator_gainprm[a, 0] + m.actuator_gainprm[a, 1] * length
        gain += m.actuator_gainprm[a, 2] * d.actuator_velocity[out]
        force = gain * gain_input(m, d, a)
    elif kind == GAIN_MUSCLE:
        force = muscle_gain(m, a, length, d.actuator_velocity[out]) * gain_input(m, d, a)
    else:
        force = user_gain(m, d, a) * gain_input(m, d, a)
    return force


@kernel(lanes=True)
def actuator_bias_force(m, d, a: int):
    """Bias of an actuator: the part of its force without control and activation."""
    out = m.actuator_outadr[a]
    force = zero_like(d.time)
    if m.actuator_biastype[a] == BIAS_AFFINE:
        force = m.actuator_biasprm[a, 0] + m.actuator_biasprm[a, 1] * d.actuator_length[out]
        force += m.actuator_biasprm[a, 2] * d.actuator_velocity[out]
    elif m.actuator_biastype[a] == BIAS_MUSCLE:
        force = muscle_bias(m, a, d.actuator_length[out])
    elif m.actuator_biastype[a] == BIAS_USER:
        force = user_bias(m, d, a)
    return force


@kernel(lanes=True)
def pid_force(m, d, a: int):
    """Force of a PID servo but for its affine bias, which holds kp and kv.

    -biasprm[1] and -biasprm[2] are kp and kv: kp position + kv velocity + feedforward + ki
    integral.
    """
    length = d.actuator_length[m.actuator_outadr[a]]
    position = wrap_setpoint(m, a, servo_input(m, d, a, POSITION_INPUT), length)
    force = -m.actuator_biasprm[a, 1] * position
    force -= m.actuator_biasprm[a, 2] * servo_input(m, d, a, VELOCITY_INPUT)
    force += servo_input(m, d, a, FEEDFORWARD_INPUT)
    if has_slot(m, a, INTEGRAL):
        force += m.actuator_gainprm[a, 0] * activation_for_force(
            m, d, a, slot_address(m, a, INTEGRAL)
        )
    return force


@kernel(lanes=True)
def quat_of_rotation_vector(turn):
    """Quaternion of a rotation vector."""
    return axis_angle_quat(unit(turn), norm(turn))


@kernel(lanes=True)
def orientation_servo_torque(m, d, a: int):
    """actuator_force (3) of an orientation servo, along the shortest rotation to its setpoint."""
    error = orientation_error(m, d, a)
    store_servo_torque(m, d, a, 0, error.x)
    store_servo_torque(m, d, a, 1, error.y)
    store_servo_torque(m, d, a, 2, error.z)


@kernel(lanes=True)
def orientation_error(m, d, a: int):
    """Rotation vector from the present orientation to the setpoint, in the servo's own axes."""
    u = m.actuator_ctrladr[a]
    out = m.actuator_outadr[a]
    if m.actuator_ctrlspec[a] == QUATERNION_CHART:
        target = unit_quat(
            quat(d.used_ctrl[u], d.used_ctrl[u + 1], d.used_ctrl[u + 2], d.used_ctrl[u + 3])
        )
    elif m.actuator_dyntype[a] == DYN_NONE:
        target = quat_of_rotation_vector(
            vec3(d.used_ctrl[u], d.used_ctrl[u + 1], d.used_ctrl[u + 2])
        )
    else:
        at = m.actuator_actadr[a]
        x, y = activation_for_force(m, d, a, at), activation_for_force(m, d, a, at + 1)
        target = quat_of_rotation_vector(vec3(x, y, activation_for_force(m, d, a, at + 2)))
    turn = vec3(d.actuator_length[out], d.actuator_length[out + 1], d.actuator_length[out + 2])
    return subtract_quats(target, quat_of_rotation_vector(turn))


@kernel(lanes=True)
def store_servo_torque(m, d, a: int, k: int, error):
    """Write component k of an orientation servo's torque."""
    d.actuator_force[m.actuator_outadr[a] + k] = servo_torque(m, d, a, k, error)


@kernel(lanes=True)
def servo_torque(m, d, a: int, k: int, error):
    """Component k of an orientation servo's torque: kp error + constant - kv velocity."""
    constant = m.actuator_biasprm[a, 0]
    damping = m.actuator_biasprm[a, 2] * d.actuator_velocity[m.actuator_outadr[a] + k]
    return m.actuator_gainprm[a, 0] * error + constant + damping


@kernel(lanes=True)
def clamp_torque(d, out: int, max_norm):
    """Scale a torque (three outputs) to a largest norm, with its direction kept."""
    torque = vec3(d.actuator_force[out], d.actuator_force[out + 1], d.actuator_force[out + 2])
    size = norm(torque)
    large = size > max_norm
    scale = max_norm / select(large, size, 1.0)
    for k in range(3):
        force = d.actuator_force[out + k]
        d.actuator_force[out + k] = select(large, force * scale, force)


@kernel(lanes=True)
def joint_actuator_forces(m, d):
    """qfrc_actuator = moment' force, plus gravity compensation, clamped to joints' actfrcrange."""
    for out in range(m.nout):
        start = m.moment_rowadr[out]
        for at in range(start, start + m.moment_rownnz[out]):
            d.qfrc_actuator[m.moment_colind[at]] += d.actuator_moment[at] * d.actuator_force[out]
    if m.opt_disableflags & NO_GRAVITY == 0 and m.ngravcomp > 0:
        for i in range(m.nv):
            if m.jnt_actgravcomp[m.dof_jntid[i]] != 0:
                d.qfrc_actuator[i] += d.qfrc_gravcomp[i]
    for j in range(m.njnt):
        if m.jnt_actfrclimited[j] != 0:
            dof = m.jnt_dofadr[j]
            low, high = m.jnt_actfrcrange[j, 0], m.jnt_actfrcrange[j, 1]
            d.qfrc_actuator[dof] = clip(d.qfrc_actuator[dof], low, high)
