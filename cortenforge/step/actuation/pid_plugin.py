"""The PID controller of MuJoCo's plugin `mujoco.pid`.

    force = kp (setpoint - length) + ki integral + kd (setpoint rate - velocity)

gainprm is kp, ki, kd, the largest force of the integral and the largest rate of the setpoint; the
last two are negative if there is no such limit. Activations are the integral of the error, the
setpoint of the previous step, and that of the actuator's own dynamics, as far as they exist.
Source: MuJoCo's plugin directory, actuator/pid.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.scalar import clip
from cortenforge.step.actuation.activation import check_slot, next_activation
from cortenforge.step.actuation.activation_slots import INTEGRAL, SLEW, has_slot
from cortenforge.step.constants import DYN_NONE, GAIN_PIDPLUGIN


@kernel(lanes=True, unit=True)
def pid_plugin_rates(m, d):
    """act_dot of a PID plugin's integral and setpoint.  Mirrors Pid::ActDot."""
    h = m.opt_timestep
    for a in range(m.nactuator):
        if m.actuator_gaintype[a] == GAIN_PIDPLUGIN:
            check_pid_plugin_slots(m, d, a)
            at = m.actuator_actadr[a]
            target = pid_plugin_setpoint(m, d, a, 0)
            if has_slot(m, a, INTEGRAL):
                d.act_dot[at] = (next_pid_integral(m, d, a, target) - d.act[at]) / h
                at += 1
            if has_slot(m, a, SLEW):
                d.act_dot[at] = (target - d.act[at]) / h


@kernel(lanes=True)
def check_pid_plugin_slots(m, d, a: int):
    """Fail if parameters do not match the activations that the model was compiled with."""
    ki, slew = m.actuator_gainprm[a, 1], m.actuator_gainprm[a, 4]
    check_slot(m, d, a, INTEGRAL, ki != 0.0, ki)
    check_slot(m, d, a, SLEW, slew >= 0.0, slew)


@kernel(lanes=True)
def pid_plugin_setpoint(m, d, a: int, early: int):
    """Setpoint of the controller: its control or its activation, clamped and slewed.

    early: 1 to use the activation after the step. Mirrors Pid::GetCtrl.
    """
    last = m.actuator_actadr[a] + m.actuator_actnum[a] - 1
    u = m.actuator_ctrladr[a]
    target = d.used_ctrl[u]
    if m.actuator_dyntype[a] != DYN_NONE:
        target = d.act[last]
        if early != 0:
            target = next_activation(m, d, a, last, d.act_dot[last])
    elif m.actuator_ctrllimited[u] != 0:
        # with clampctrl="disable", too
        target = clip(target, m.actuator_ctrlrange[u, 0], m.actuator_ctrlrange[u, 1])
    if has_slot(m, a, SLEW):
        at = m.actuator_actadr[a]
        if has_slot(m, a, INTEGRAL):
            at += 1
        max_change = m.actuator_gainprm[a, 4] * m.opt_timestep
        slewed = clip(target, d.act[at] - max_change, d.act[at] + max_change)
        # at the start there is no setpoint of the step before
        target = select(d.time > 0.0, slewed, target)
    return target


@kernel(lanes=True)
def next_pid_integral(m, d, a: int, target):
    """Integral of the error after this step, clamped by its largest force."""
    ki = m.actuator_gainprm[a, 1]
    error = target - d.actuator_length[m.actuator_outadr[a]]
    value = d.act[m.actuator_actadr[a]] + error * m.opt_timestep
    limited = m.actuator_gainprm[a, 3] >= 0.0
    limit = m.actuator_gainprm[a, 3] / select(ki == 0.0, 1.0, ki)
    return select(limited, clip(value, -limit, limit), value)


@kernel(lanes=True, unit=True)
def pid_plugin_forces(m, d):
    """actuator_force of PID plugins.  Mirrors Pid::Compute."""
    for a in range(m.nactuator):
        if m.actuator_gaintype[a] == GAIN_PIDPLUGIN:
            out = m.actuator_outadr[a]
            target = pid_plugin_setpoint(m, d, a, m.actuator_actearly[a])
            setpoint_rate = zero_like(d.time)
            if m.actuator_dyntype[a] != DYN_NONE:
                setpoint_rate = d.act_dot[m.actuator_actadr[a] + m.actuator_actnum[a] - 1]
            force = m.actuator_gainprm[a, 0] * (target - d.actuator_length[out])
            force += m.actuator_gainprm[a, 2] * (setpoint_rate - d.actuator_velocity[out])
            if has_slot(m, a, INTEGRAL):
                force += m.actuator_gainprm[a, 1] * next_pid_integral(m, d, a, target)
            d.actuator_force[out] = force
