"""Activations: their rates, and what they are after a step."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select, vec3
from cortenforge.math.rotation import PI
from cortenforge.math.scalar import clip, nearest
from cortenforge.math.vector import MINVAL, norm
from cortenforge.step.actuation.hill import hill_rates, within_hill
from cortenforge.step.actuation.motor import motor_rates, next_bristle
from cortenforge.step.actuation.muscle import muscle_dynamics
from cortenforge.step.actuation.servo import near, slewed, wound_up
from cortenforge.step.actuation.slots import (
    BRISTLE,
    CURRENT,
    HEAT,
    HILL_KIND,
    INTEGRAL,
    SLEW,
    STRAIN,
    has,
    slot,
)
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
    """Rate of each activation.  Mirrors mj_fwdActuation."""
    for a in range(m.nactuator):
        count = m.actuator_actnum[a]
        kind = m.actuator_dyntype[a]
        check_parts(m, d, a)
        if count > 0:
            first = m.actuator_actadr[a]
            last = first + count - 1
            u = m.actuator_ctrladr[a]
            # those beyond the last, and those that a callback does not write
            for j in range(first, last + 1):
                d.act_dot[j] = 0.0
            if kind == DYN_INTEGRATOR:
                inputs = m.actuator_ctrlnum[a]
                for k in range(inputs):
                    d.act_dot[last - inputs + 1 + k] = d.used_ctrl[u + k]
            elif is_filter(m, a):
                time = max(MINVAL, m.actuator_dynprm[a, 0])
                d.act_dot[last] = (near(m, a, d.used_ctrl[u], d.act[last]) - d.act[last]) / time
            elif kind == DYN_MUSCLE:
                d.act_dot[last] = muscle_dynamics(m, a, d.used_ctrl[u], d.act[last])
            elif kind == DYN_PID:
                pid_rates(m, d, a)
            elif kind == DYN_DCMOTOR:
                motor_rates(m, d, a)
            elif kind == DYN_USER:
                user_rates(m, d, a)
    if m.actuator_kinds & HILL_KIND != 0:
        hill_rates(m, d)


@kernel(lanes=True)
def is_filter(m, a: int):
    """Whether activation follows the control at a distance that halves by and by."""
    return m.actuator_dyntype[a] >= DYN_FILTER and m.actuator_dyntype[a] <= DYN_FILTEREXACT


@kernel(lanes=True)
def check_parts(m, d, a: int):
    """Whether a controller's parameters ask for the activations that it was compiled with."""
    if m.actuator_dyntype[a] == DYN_PID:
        check_part(m, d, a, SLEW, m.actuator_dynprm[a, 1])
        check_part(m, d, a, INTEGRAL, m.actuator_gainprm[a, 0])
    elif m.actuator_dyntype[a] == DYN_DCMOTOR:
        check_part(m, d, a, SLEW, m.actuator_dynprm[a, 7])
        check_part(m, d, a, INTEGRAL, m.actuator_gainprm[a, 5])
        check_part(m, d, a, HEAT, m.actuator_dynprm[a, 2])
        check_part(m, d, a, BRISTLE, m.actuator_dynprm[a, 5])
        check_part(m, d, a, CURRENT, m.actuator_dynprm[a, 0])
    elif m.actuator_dyntype[a] == DYN_HILL:
        check_part(m, d, a, STRAIN, m.actuator_gainprm[a, 8])


@kernel(lanes=True)
def check_part(m, d, a: int, part: int, asked):
    """A part is asked for by a parameter above zero."""
    if has(m, a, part):
        fail(d, not asked > 0.0, BAD_ACTUATOR, a, asked)
    else:
        fail(d, asked > 0.0, BAD_ACTUATOR, a, asked)


@kernel(lanes=True)
def pid_rates(m, d, a: int):
    """Rates of a controller's setpoint and of its integral of the error in position."""
    if has(m, a, SLEW):
        slewed(m, d, a, slot(m, a, SLEW), m.actuator_dynprm[a, 1])
    if has(m, a, INTEGRAL):
        at = slot(m, a, INTEGRAL)
        length = d.actuator_length[m.actuator_outadr[a]]
        error = near(m, a, d.used_ctrl[m.actuator_ctrladr[a]], length) - length
        d.act_dot[at] = wound_up(error, d.act[at], m.actuator_dynprm[a, 0])


@kernel(lanes=True)
def next_activation(m, d, a: int, j: int, rate):
    """An activation after a step at a rate, within its limits.  Mirrors mj_nextActivation."""
    h = m.opt_timestep
    act = d.act[j]
    kind = m.actuator_dyntype[a]
    result = act + rate * h
    if kind == DYN_FILTEREXACT or (kind == DYN_DCMOTOR and is_slot(m, a, j, CURRENT)):
        time = max(MINVAL, m.actuator_dynprm[a, 0])
        result = act + rate * time * (1.0 - math.exp(-h / time))
    elif kind == DYN_DCMOTOR and is_slot(m, a, j, BRISTLE):
        result = next_bristle(m, d, a, act)
    elif kind == DYN_DCMOTOR and is_slot(m, a, j, INTEGRAL):
        most = m.actuator_dynprm[a, 8]
        result = select(most > 0.0, clip(result, -most, most), result)
    elif kind == DYN_HILL:
        result = within_hill(m, a, j, result)
    # a controller's own states come before the one that has the range
    last = m.actuator_actadr[a] + m.actuator_actnum[a] - 1
    ranged = m.actuator_gaintype[a] != GAIN_PIDPLUGIN or j == last
    if kind != DYN_DCMOTOR and ranged and m.actuator_actlimited[a] != 0:
        result = clip(result, m.actuator_actrange[a, 0], m.actuator_actrange[a, 1])
    return result


@kernel(lanes=True)
def is_slot(m, a: int, j: int, part: int):
    """Whether an activation is that of a part of a controller."""
    return has(m, a, part) and slot(m, a, part) == j


@kernel(lanes=True)
def disabled(m, a: int):
    """Whether an actuator's group is switched off.  Mirrors mj_actuatorDisabled."""
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
    """Move activations on by a step, at the rates in act_rate.  Mirrors mj_advance."""
    for a in range(m.nactuator):
        first = m.actuator_actadr[a]
        for j in range(first, first + m.actuator_actnum[a]):
            if disabled(m, a):
                d.act[j] = next_activation(m, d, a, j, 0.0)
            else:
                d.act[j] = next_activation(m, d, a, j, d.act_rate[j])
        if m.actuator_dyntype[a] == DYN_INTEGRATOR or is_filter(m, a):
            keep_near(m, d, a)


@kernel(lanes=True)
def keep_near(m, d, a: int):
    """Setpoints on a circle, or on a sphere, stay the smallest of those that mean the same."""
    first = m.actuator_actadr[a]
    if m.actuator_gaintype[a] == GAIN_SO3:
        angle = norm(vec3(d.act[first], d.act[first + 1], d.act[first + 2]))
        far = angle > PI
        turns = nearest(angle / (2.0 * PI))
        scale = (angle - 2.0 * PI * turns) / select(far, angle, 1.0)
        for k in range(3):
            d.act[first + k] = select(far, d.act[first + k] * scale, d.act[first + k])
    else:
        last = first + m.actuator_actnum[a] - 1
        d.act[last] = near(m, a, d.act[last], d.actuator_length[m.actuator_outadr[a]])
