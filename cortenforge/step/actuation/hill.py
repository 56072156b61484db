"""The Hill muscle: fibres at an angle that pull on a tendon, which is rigid or elastic.

gainprm is largest force, best length of fibres, slack length of the tendon, pennation at the best
length, fastest shortening, shortest and longest active length, strength while stretched, strain of
the tendon at the largest force (0: rigid), and what the transmission's length leaves out.  biasprm
is the passive strain at the largest force, and damping of fibres.  dynprm is the time constants of
activation up and down, and the least activation.  Lengths of fibres are in units of the best one,
velocities in units of it and the fastest shortening, forces in units of the largest.

Fibres are of constant height, so that they stand the steeper the shorter they are.  MuJoCo has no
such muscle.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.scalar import clip
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import MINVAL
from cortenforge.step.actuation.muscle import force_of_length, slope_of_length
from cortenforge.step.actuation.slots import STRAIN, has, slot
from cortenforge.step.constants import DYN_HILL, GAIN_HILL

#: Hill's constant: how much the curve of force over velocity bends while fibres shorten
CURVATURE = 0.25
#: how steeply passive force grows
STEEPNESS = 4.0
#: the tendon's force is a parabola up to this part of its strain at the largest force, then a line
TOE = 0.6
#: tendons are stretched up to so many times that strain
MOST_STRAIN = 4.0
#: fibres in balance with an elastic tendon get no shorter along it, and no steeper
LEAST_EXTENT = 0.01
LEAST_COSINE = 0.1
#: enough to find the strain after a step to the last digits
ROUNDS = 24


@kernel(lanes=True, unit=True)
def hill_rates(m, d):
    """How fast do activations of Hill muscles, and strains of their tendons, change?"""
    for a in range(m.nactuator):
        if m.actuator_dyntype[a] == DYN_HILL:
            last = m.actuator_actadr[a] + m.actuator_actnum[a] - 1
            control = d.used_ctrl[m.actuator_ctrladr[a]]
            d.act_dot[last] = excitation_rate(m, a, control, d.act[last])
            if has(m, a, STRAIN):
                at = slot(m, a, STRAIN)
                d.act_dot[at] = (next_strain(m, d, a, d.act[at]) - d.act[at]) / m.opt_timestep


@kernel(lanes=True)
def excitation_rate(m, a: int, control, act):
    """Rate of activation: the distance to the control over a time that is shorter upwards."""
    distance = clip(control, 0.0, 1.0) - act
    time = select(distance > 0.0, m.actuator_dynprm[a, 0], m.actuator_dynprm[a, 1])
    # a step that is longer than this time ends at the control and not beyond
    return distance / max(time, m.opt_timestep)


@kernel(lanes=True)
def within_hill(m, a: int, j: int, value):
    """An activation, or a strain, within what it can be."""
    if has(m, a, STRAIN) and slot(m, a, STRAIN) == j:
        result = clip(value, 0.0, MOST_STRAIN * m.actuator_gainprm[a, 8])
    else:
        result = clip(value, m.actuator_dynprm[a, 2], 1.0)
    return result


@kernel(lanes=True, unit=True)
def hill_forces(m, d):
    """How strongly do Hill muscles pull?  Negative, since they shorten what they act on."""
    for a in range(m.nactuator):
        if m.actuator_gaintype[a] == GAIN_HILL:
            out = m.actuator_outadr[a]
            force = zero_like(d.time)
            if has(m, a, STRAIN):
                at = slot(m, a, STRAIN)
                strain = within_hill(m, a, at, d.act[at])
                force = tendon_force(strain, m.actuator_gainprm[a, 8])
            else:
                force = fibre_pull(m, d, a)
            d.actuator_force[out] = -m.actuator_gainprm[a, 0] * force


@kernel(lanes=True)
def activity(m, d, a: int):
    """Activation as it makes force."""
    last = m.actuator_actadr[a] + m.actuator_actnum[a] - 1
    return within_hill(m, a, last, d.act[last])


@kernel(lanes=True)
def best_length(m, a: int):
    """The length at which fibres are strongest."""
    return max(MINVAL, m.actuator_gainprm[a, 1])


@kernel(lanes=True)
def fibre_pull(m, d, a: int):
    """Force of fibres along a rigid tendon: (a f_l f_v + f_p) cos(pennation)."""
    length, cosine, scale = rigid_fibre(m, d, a)
    speed = d.actuator_velocity[m.actuator_outadr[a]] * scale
    active = activity(m, d, a) * strength_at(m, a, length)
    pull = active * strength_moving(speed, m.actuator_gainprm[a, 7]) + passive_pull(m, a, length)
    return pull * cosine


@kernel(lanes=True)
def fibre_slope(m, d, a: int):
    """How the force of a Hill muscle with a rigid tendon changes with its velocity."""
    length, cosine, scale = rigid_fibre(m, d, a)
    speed = d.actuator_velocity[m.actuator_outadr[a]] * scale
    active = activity(m, d, a) * strength_at(m, a, length)
    slope = active * slope_moving(speed, m.actuator_gainprm[a, 7]) * scale * cosine
    return -m.actuator_gainprm[a, 0] * slope


@kernel(lanes=True)
def fibre_length_slope(m, d, a: int):
    """How it changes with its length: with the length of fibres, their angle and their speed."""
    length, cosine, scale = rigid_fibre(m, d, a)
    velocity = d.actuator_velocity[m.actuator_outadr[a]]
    # fibres that are slack stay where they are
    taut = cosine > 0.0
    by_extent = select(taut, 1.0 / best_length(m, a), 0.0)
    by_angle = (1.0 - cosine * cosine) / max(MINVAL, length) * by_extent
    active, most = activity(m, d, a), m.actuator_gainprm[a, 7]
    strength, moving = strength_at(m, a, length), strength_moving(velocity * scale, most)
    bent = slope_of_length(length, m.actuator_gainprm[a, 5], m.actuator_gainprm[a, 6])
    faster = velocity * scale / select(taut, cosine, 1.0) * by_angle
    slope = (active * bent * moving + passive_slope(m, a, length)) * cosine * by_extent
    slope += active * strength * slope_moving(velocity * scale, most) * faster
    pull = active * strength * moving + passive_pull(m, a, length)
    return -m.actuator_gainprm[a, 0] * (slope * cosine + pull * by_angle)


@kernel(lanes=True)
def rigid_fibre(m, d, a: int):
    """Length and cosine of fibres on a rigid tendon; how fast they move with the transmission."""
    best = best_length(m, a)
    whole = d.actuator_length[m.actuator_outadr[a]]
    along = whole + m.actuator_gainprm[a, 9] - m.actuator_gainprm[a, 2]
    length, cosine = fibre(m, a, max(along, 0.0) / best)
    return length, cosine, cosine / max(MINVAL, best * m.actuator_gainprm[a, 4])


@kernel(lanes=True)
def fibre(m, a: int, extent):
    """Length of fibres, and the cosine of their angle, from their extent along the tendon."""
    height, _cosine = sin_cos(m.actuator_gainprm[a, 3])
    length = math.sqrt(extent * extent + height * height)
    return length, extent / max(MINVAL, length)


@kernel(lanes=True)
def strength_at(m, a: int, length):
    """Active force over length: 1 at the best one, nothing where fibres overlap too much."""
    return force_of_length(length, m.actuator_gainprm[a, 5], m.actuator_gainprm[a, 6])


@kernel(lanes=True)
def strength_moving(speed, most):
    """Active force over velocity: Hill's hyperbola, and smoothly on while fibres are stretched."""
    short = clip(speed, -1.0, 0.0)
    long = max(speed, 0.0)
    shortening = (1.0 + short) / (1.0 - short / CURVATURE)
    stretched = 1.0 + (most - 1.0) * long / max(MINVAL, long + bend(most))
    return select(speed < 0.0, shortening, stretched)


@kernel(lanes=True)
def slope_moving(speed, most):
    """How active force changes with velocity."""
    short = clip(speed, -1.0, 0.0)
    long = max(speed, 0.0)
    thin = 1.0 - short / CURVATURE
    shortening = select(speed < -1.0, 0.0, (1.0 + 1.0 / CURVATURE) / (thin * thin))
    half = bend(most)
    wide = max(MINVAL, long + half)
    return select(speed < 0.0, shortening, (most - 1.0) * half / (wide * wide))


@kernel(lanes=True)
def bend(most):
    """Where stretched fibres have half of what they can add; the slope at rest is that of both."""
    return (most - 1.0) / (1.0 + 1.0 / CURVATURE)


@kernel(lanes=True)
def passive_pull(m, a: int, length):
    """Force of stretched fibres at rest: exponential, and straight on from the largest force."""
    beyond = max(length - 1.0, 0.0) / max(MINVAL, m.actuator_biasprm[a, 0])
    whole = math.exp(STEEPNESS) - 1.0
    curved = (math.exp(STEEPNESS * min(beyond, 1.0)) - 1.0) / whole
    return curved + STEEPNESS * (whole + 1.0) / whole * max(beyond - 1.0, 0.0)


@kernel(lanes=True)
def passive_slope(m, a: int, length):
    """How that changes with length."""
    width = max(MINVAL, m.actuator_biasprm[a, 0])
    beyond = (length - 1.0) / width
    steep = math.exp(STEEPNESS * min(beyond, 1.0)) / (math.exp(STEEPNESS) - 1.0)
    return select(beyond > 0.0, STEEPNESS * steep / width, 0.0)


@kernel(lanes=True)
def tendon_force(strain, full):
    """Force of an elastic tendon: 1 at its full strain, 0 when it is slack."""
    x = max(strain, 0.0) / max(MINVAL, full)
    share = 1.0 / (2.0 * TOE - TOE * TOE)
    return share * select(x < TOE, x * x, TOE * (2.0 * x - TOE))


@kernel(lanes=True)
def fibre_speed(pull, active, damping, most):
    """The velocity at which active force and damping make a force: each branch is a quadratic.

    Solves active * strength_moving(v) + damping * v = pull.
    """
    drag = max(MINVAL, damping)
    more = max(pull - active, 0.0)
    half = bend(most)
    b = active * (most - 1.0) + drag * half - more
    stretched = positive_root(drag, b, more * half)
    less = max(active - pull, 0.0)
    b = active + drag + pull / CURVATURE
    shortened = -positive_root(drag / CURVATURE, b, less)
    # no active force is left beyond the fastest shortening
    shortened = select(pull < -drag, pull / drag, shortened)
    return select(pull < active, shortened, stretched)


@kernel(lanes=True)
def positive_root(a, b, c):
    """The root of a x x + b x = c that is not negative, for a > 0 and c >= 0."""
    size = math.sqrt(b * b + 4.0 * a * c)
    near = 2.0 * c / max(MINVAL, b + size)
    return select(b > 0.0, near, (size - b) / (2.0 * a))


@kernel(lanes=True)
def next_strain(m, d, a: int, strain):
    """The tendon's strain after a step, at which fibres and tendon pull alike.

    Implicit, as tendons are stiff: strain = before + h * rate(strain). The excess of the left over
    the right rises with the strain, and is brought to zero by false position (Illinois).
    """
    low = zero_like(d.time)
    high = MOST_STRAIN * m.actuator_gainprm[a, 8] + zero_like(d.time)
    before = clip(strain, low, high)
    under = excess(m, d, a, low, before)
    over = excess(m, d, a, high, before)
    slackens = under >= 0.0
    tears = over <= 0.0
    side = zero_like(d.time)
    for _k in range(ROUNDS):
        span = over - under
        ahead = span > 0.0
        guess = high - over * (high - low) / select(ahead, span, 1.0)
        guess = clip(select(ahead, guess, 0.5 * (low + high)), low, high)
        found = excess(m, d, a, guess, before)
        right = found > 0.0
        # the end that stays twice counts half
        under = select(right, select(side > 0.0, 0.5 * under, under), found)
        over = select(right, found, select(side < 0.0, 0.5 * over, over))
        low = select(right, low, guess)
        high = select(right, guess, high)
        side = select(right, 1.0, -1.0)
    top = MOST_STRAIN * m.actuator_gainprm[a, 8]
    return select(slackens, 0.0, select(tears, top, select(side > 0.0, high, low)))


@kernel(lanes=True)
def excess(m, d, a: int, strain, before):
    """How far a strain is beyond the one that its own rate leads to in a step."""
    out = m.actuator_outadr[a]
    h = m.opt_timestep
    best = best_length(m, a)
    slack = max(MINVAL, m.actuator_gainprm[a, 2])
    speed = d.actuator_velocity[out]
    whole = d.actuator_length[out] + h * speed + m.actuator_gainprm[a, 9]
    height, _cosine = sin_cos(m.actuator_gainprm[a, 3])
    extent = max((whole - slack * (1.0 + strain)) / best, LEAST_EXTENT + LEAST_COSINE * height)
    length, cosine = fibre(m, a, extent)
    pull = tendon_force(strain, m.actuator_gainprm[a, 8]) / cosine - passive_pull(m, a, length)
    active = activity(m, d, a) * strength_at(m, a, length)
    moving = fibre_speed(pull, active, m.actuator_biasprm[a, 1], m.actuator_gainprm[a, 7])
    fibres = best * m.actuator_gainprm[a, 4] * moving / cosine
    return strain - before - h * (speed - fibres) / slack
