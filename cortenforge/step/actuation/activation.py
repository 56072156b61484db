"""Activation dynamics: act_dot of each actuator type, and the activation after a step.

    integrator         act_dot = ctrl
    filter             act_dot = (ctrl - act) / timeconst
    filterexact        the same, and act += act_dot timeconst (1 - exp(-h / timeconst))
    muscle, Hill muscle, PID, DC motor: see their modules
    others             act += h act_dot, clamped to actrange

Source: MuJoCo: Computation, "Stateful actuators"; Modeling, "Activation limits".
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select, vec3
from cortenforge.math.rotation import PI
from cortenforge.math.scalar import clip, round_half_away
from cortenforge.math.vector import MINVAL, norm
from cortenforge.step.actuation.activation_slots import (
    BRISTLE,
    CURRENT,
    HEAT,
    HILL_KIND,
    INTEGRAL,
    SLEW,
    STRAIN,
    has_slot,
    slot_address,
)
from cortenforge.step.actuation.dc_motor import dc_motor_rates, next_lugre_deflection
from cortenforge.step.actuation.hill_muscle import clamp_hill_state, hill_muscle_rates
from cortenforge.step.actuation.muscle import muscle_dynamics
from cortenforge.step.actuation.servo import integral_rate, slew_setpoint, wrap_setpoint
from cortenforge.step.callbacks import user_rates
from cortenforge.step.constants import (
    DYN_DCMOTOR,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_HILL,
    DYN_INTEGRATOR,
    DYN_MUSCLE,
    DYN_PID,
    DYN_USER,
    GAIN_PIDPLUGIN,
    GAIN_SO3,
)
from cortenforge.step.status import fail
from cortenforge.step.statuses import BAD_ACTUATOR


@kernel(lanes=True)
def activation_rates(m, d):
    """act_dot of all actuators.  Mirrors mj_fwdActuation."""
    for a in range(m.nactuator):
        count = m.actuator_actnum[a]
        kind = m.actuator_dyntype[a]
        check_controller_slots(m, d, a)
        if count > 0:
            first = m.actuator_actadr[a]
            last = first + count - 1
            u = m.actuator_ctrladr[a]
            # activations before the last, and those that no callback writes
            for j in range(first, last + 1):
                d.act_dot[j] = 0.0
            if kind == DYN_INTEGRATOR:
                inputs = m.actuator_ctrlnum[a]
                for k in range(inputs):
                    d.act_dot[last - inputs + 1 + k] = d.used_ctrl[u + k]
            elif is_filter(m, a):
                timeconst = max(MINVAL, m.actuator_dynprm[a, 0])
                d.act_dot[last] = (
                    wrap_setpoint(m, a, d.used_ctrl[u], d.act[last]) - d.act[last]
                ) / timeconst
            elif kind == DYN_MUSCLE:
                d.act_dot[last] = muscle_dynamics(m, a, d.used_ctrl[u], d.act[last])
            elif kind == DYN_PID:
                pid_rates(m, d, a)
            elif kind == DYN_DCMOTOR:
                dc_motor_rates(m, d, a)
            elif kind == DYN_USER:
                user_rates(m, d, a)
    if m.actuator_kinds & HILL_KIND != 0:
        hill_muscle_rates(m, d)


@kernel(lanes=True)
def is_filter(m, a: int):
    """Whether an actuator's activation is a first-order low-pass of its control."""
    return m.actuator_dyntype[a] >= DYN_FILTER and m.actuator_dyntype[a] <= DYN_FILTEREXACT


@kernel(lanes=True)
def check_controller_slots(m, d, a: int):
    """Fail if an actuator's parameters do not match the activations that it was compiled with."""
    if m.actuator_dyntype[a] == DYN_PID:
        check_positive_slot(m, d, a, SLEW, m.actuator_dynprm[a, 1])
        check_positive_slot(m, d, a, INTEGRAL, m.actuator_gainprm[a, 0])
    elif m.actuator_dyntype[a] == DYN_DCMOTOR:
        check_positive_slot(m, d, a, SLEW, m.actuator_dynprm[a, 7])
        check_positive_slot(m, d, a, INTEGRAL, m.actuator_gainprm[a, 5])
        check_positive_slot(m, d, a, HEAT, m.actuator_dynprm[a, 2])
        check_positive_slot(m, d, a, BRISTLE, m.actuator_dynprm[a, 5])
        check_positive_slot(m, d, a, CURRENT, m.actuator_dynprm[a, 0])
    elif m.actuator_dyntype[a] == DYN_HILL:
        check_positive_slot(m, d, a, STRAIN, m.actuator_gainprm[a, 8])


@kernel(lanes=True)
def check_positive_slot(m, d, a: int, part: int, asked):
    """Fail unless a controller has the activation `part` exactly if its parameter is positive."""
    check_slot(m, d, a, part, asked > 0.0, asked)


@kernel(lanes=True)
def check_slot(m, d, a: int, part: int, needed, asked):
    """Fail unless a controller has the activation `part` exactly if its parameter needs it."""
    if has_slot(m, a, part):
        fail(d, not needed, BAD_ACTUATOR, a, asked)
    else:
        fail(d, needed, BAD_ACTUATOR, a, asked)


@kernel(lanes=True)
def pid_rates(m, d, a: int):
    """act_dot of a PID controller: of its slewed setpoint, and of the integral of its error."""
    if has_slot(m, a, SLEW):
        slew_setpoint(m, d, a, slot_address(m, a, SLEW), m.actuator_dynprm[a, 1])
    if has_slot(m, a, INTEGRAL):
        at = slot_address(m, a, INTEGRAL)
        length = d.actuator_length[m.actuator_outadr[a]]
        error = wrap_setpoint(m, a, d.used_ctrl[m.actuator_ctrladr[a]], length) - length
        d.act_dot[at] = integral_rate(error, d.act[at], m.actuator_dynprm[a, 0])


@kernel(lanes=True)
def next_activation(m, d, a: int, j: int, rate):
    """Activation j after a step at a rate, clamped to its limits.  Mirrors mj_nextActivation."""
    h = m.opt_timestep
    act = d.act[j]
    kind = m.actuator_dyntype[a]
    result = act + rate * h
    if kind == DYN_FILTEREXACT or (kind == DYN_DCMOTOR and is_activation_of_slot(m, a, j, CURRENT)):
        timeconst = max(MINVAL, m.actuator_dynprm[a, 0])
        result = act + rate * timeconst * (1.0 - math.exp(-h / timeconst))
    elif kind == DYN_DCMOTOR and is_activation_of_slot(m, a, j, BRISTLE):
        result = next_lugre_deflection(m, d, a, act)
    elif kind == DYN_DCMOTOR and is_activation_of_slot(m, a, j, INTEGRAL):
        max_integral = m.actuator_dynprm[a, 8]
        result = select(max_integral > 0.0, clip(result, -max_integral, max_integral), result)
    elif kind == DYN_HILL:
        result = clamp_hill_state(m, a, j, result)
    # of a PID plugin, only the last activation has a range
    last = m.actuator_actadr[a] + m.actuator_actnum[a] - 1
    ranged = m.actuator_gaintype[a] != GAIN_PIDPLUGIN or j == last
    if kind != DYN_DCMOTOR and ranged and m.actuator_actlimited[a] != 0:
        result = clip(result, m.actuator_actrange[a, 0], m.actuator_actrange[a, 1])
    return result


@kernel(lanes=True)
def is_activation_of_slot(m, a: int, j: int, part: int):
    """Whether activation j is that of a controller's part."""
    return has_slot(m, a, part) and slot_address(m, a, part) == j


@kernel(lanes=True)
def actuator_disabled(m, a: int):
    """Whether an actuator's group is disabled.  Mirrors mj_actuatorDisabled."""
    off = False
    group = m.actuator_group[a]
    if m.opt_disableactuator != 0 and group >= 0 and group <= 30:
        mask = 1
        for _k in range(group):
            mask = mask + mask
        off = m.opt_disableactuator & mask != 0
    return off


@kernel(lanes=True, unit=True)
def advance_activations(m, d):
    """act after a step, at the rates in act_rate.  Mirrors mj_advance."""
    for a in range(m.nactuator):
        first = m.actuator_actadr[a]
        for j in range(first, first + m.actuator_actnum[a]):
            if actuator_disabled(m, a):
                d.act[j] = next_activation(m, d, a, j, 0.0)
            else:
                d.act[j] = next_activation(m, d, a, j, d.act_rate[j])
        if m.actuator_dyntype[a] == DYN_INTEGRATOR or is_filter(m, a):
            wrap_activation(m, d, a)


@kernel(lanes=True)
def wrap_activation(m, d, a: int):
    """Wrap a setpoint on a circle or a rotation vector to the nearest equivalent one."""
    first = m.actuator_actadr[a]
    if m.actuator_gaintype[a] == GAIN_SO3:
        angle = norm(vec3(d.act[first], d.act[first + 1], d.act[first + 2]))
        too_long = angle > PI
        turns = round_half_away(angle / (2.0 * PI))
        scale = (angle - 2.0 * PI * turns) / select(too_long, angle, 1.0)
        for k in range(3):
            d.act[first + k] = select(too_long, d.act[first + k] * scale, d.act[first + k])
    else:
        last = first + m.actuator_actnum[a] - 1
        d.act[last] = wrap_setpoint(m, a, d.act[last], d.actuator_length[m.actuator_outadr[a]])
