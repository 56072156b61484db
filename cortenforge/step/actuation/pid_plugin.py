"""The PID controller that MuJoCo has as the plugin `mujoco.pid`.

gainprm is kp, ki, kd, the largest force of the integral and the fastest change of the setpoint; the
last two are negative where there is no such limit.  Activations are the integral of the error, the
setpoint of the step before, and that of the actuator's own dynamics, as far as there are any.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.scalar import clip
from cortenforge.step.actuation.activation import next_activation
from cortenforge.step.actuation.slots import INTEGRAL, SLEW, has
from cortenforge.step.constants import DYN_NONE, GAIN_PIDPLUGIN
from cortenforge.step.status import fail
from cortenforge.step.statuses import BAD_ACTUATOR


@kernel(lanes=True, unit=True)
def plugin_rates(m, d):
    """How do a controller's integral and setpoint change?  Mirrors Pid::ActDot."""
    h = m.opt_timestep
    for a in range(m.nactuator):
        if m.actuator_gaintype[a] == GAIN_PIDPLUGIN:
            check_states(m, d, a)
            at = m.actuator_actadr[a]
            target = setpoint(m, d, a, 0)
            if has(m, a, INTEGRAL):
                d.act_dot[at] = (next_integral(m, d, a, target) - d.act[at]) / h
                at += 1
            if has(m, a, SLEW):
                d.act_dot[at] = (target - d.act[at]) / h


@kernel(lanes=True)
def check_states(m, d, a: int):
    """Whether parameters still ask for the activations that the model was compiled with."""
    ki, slew = m.actuator_gainprm[a, 1], m.actuator_gainprm[a, 4]
    if has(m, a, INTEGRAL):
        fail(d, ki == 0.0, BAD_ACTUATOR, a, ki)
    else:
        fail(d, ki != 0.0, BAD_ACTUATOR, a, ki)
    if has(m, a, SLEW):
        fail(d, slew < 0.0, BAD_ACTUATOR, a, slew)
    else:
        fail(d, slew >= 0.0, BAD_ACTUATOR, a, slew)


@kernel(lanes=True)
def setpoint(m, d, a: int, early: int):
    """Where the controller wants to be: its control, or what its dynamics made of that.

    Mirrors Pid::GetCtrl.
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
    if has(m, a, SLEW):
        at = m.actuator_actadr[a]
        if has(m, a, INTEGRAL):
            at += 1
        reach = m.actuator_gainprm[a, 4] * m.opt_timestep
        slow = clip(target, d.act[at] - reach, d.act[at] + reach)
        # at the start there is no setpoint of the step before
        target = select(d.time > 0.0, slow, target)
    return target


@kernel(lanes=True)
def next_integral(m, d, a: int, target):
    """The integral of the error after this step, limited by its force."""
    ki = m.actuator_gainprm[a, 1]
    error = target - d.actuator_length[m.actuator_outadr[a]]
    value = d.act[m.actuator_actadr[a]] + error * m.opt_timestep
    limited = m.actuator_gainprm[a, 3] >= 0.0
    limit = m.actuator_gainprm[a, 3] / select(ki == 0.0, 1.0, ki)
    return select(limited, clip(value, -limit, limit), value)


@kernel(lanes=True, unit=True)
def plugin_forces(m, d):
    """Which force does the error make, with its integral and its rate?  Mirrors Pid::Compute."""
    for a in range(m.nactuator):
        if m.actuator_gaintype[a] == GAIN_PIDPLUGIN:
            out = m.actuator_outadr[a]
            target = setpoint(m, d, a, m.actuator_actearly[a])
            moving = zero_like(d.time)
            if m.actuator_dyntype[a] != DYN_NONE:
                moving = d.act_dot[m.actuator_actadr[a] + m.actuator_actnum[a] - 1]
            force = m.actuator_gainprm[a, 0] * (target - d.actuator_length[out])
            force += m.actuator_gainprm[a, 2] * (moving - d.actuator_velocity[out])
            if has(m, a, INTEGRAL):
                force += m.actuator_gainprm[a, 1] * next_integral(m, d, a, target)
            d.actuator_force[out] = force
