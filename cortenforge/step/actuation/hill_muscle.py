"""Hill muscle with pennation, on a rigid or elastic tendon (not in MuJoCo).

gainprm: peak force F0, optimal fibre length, tendon slack length, pennation at the optimal length,
fastest shortening, shortest and longest active length, eccentric force limit fmax, tendon strain at
F0 (0: rigid), length that the transmission leaves out. biasprm: passive strain at F0, fibre
damping. dynprm: time constants of activation and deactivation, least activation. Fibre lengths l
are in units of the optimal length, velocities v in units of it and the fastest shortening, forces
in units of F0.

    force = -F0 (a fl(l) fv(v) + fp(l)) cos(pennation)                  (rigid tendon)
    fl: force-length curve of `muscle.active_force_length`
    fv(v) = (1 + v) / (1 - v / k)  for v < 0,   1 + (fmax - 1) v / (v + half)  for v >= 0,
            k = HILL_CURVATURE, half = (fmax - 1) / (1 + 1/k): the same slope on both sides of 0
    fp(l) = (exp(s x) - 1) / (exp(s) - 1),  x = (l - 1) / passive strain, linear for x > 1
    pennation: fibres keep their height sin(pennation), l = sqrt(extent^2 + height^2)
    elastic tendon: ft(strain) = (a fl fv + damping v + fp) cos(pennation), solved for the strain
            at the end of the step (implicit Euler); ft: a parabola up to TENDON_TOE, then a line

Sources: Hill, The heat of shortening and the dynamic constants of muscle (1938); Zajac, Crit. Rev.
Biomed. Eng. 17 (1989); Thelen, J. Biomech. Eng. 125 (2003).
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.scalar import clip
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import MINVAL
from cortenforge.step.actuation.activation_slots import STRAIN, has_slot, slot_address
from cortenforge.step.actuation.muscle import active_force_length, active_force_length_slope
from cortenforge.step.constants import DYN_HILL, GAIN_HILL

#: Hill's constant k: curvature of the force-velocity curve while fibres shorten
HILL_CURVATURE = 0.25
#: exponent s of the passive force-length curve
PASSIVE_STEEPNESS = 4.0
#: the tendon's force is a parabola up to this share of its strain at F0 (the toe), then linear
TENDON_TOE = 0.6
#: largest strain of a tendon, in units of its strain at F0
MAX_STRAIN_RATIO = 4.0
#: least fibre extent, and least cos(pennation), in equilibrium with an elastic tendon
MIN_FIBRE_EXTENT = 0.01
MIN_PENNATION_COSINE = 0.1
#: iterations of false position: enough for all digits of the strain
ILLINOIS_STEPS = 24


@kernel(lanes=True, unit=True)
def hill_muscle_rates(m, d):
    """act_dot of Hill muscles: of their activations, and of the strains of elastic tendons."""
    for a in range(m.nactuator):
        if m.actuator_dyntype[a] == DYN_HILL:
            last = m.actuator_actadr[a] + m.actuator_actnum[a] - 1
            control = d.used_ctrl[m.actuator_ctrladr[a]]
            d.act_dot[last] = hill_activation_rate(m, a, control, d.act[last])
            if has_slot(m, a, STRAIN):
                at = slot_address(m, a, STRAIN)
                d.act_dot[at] = (
                    next_tendon_strain(m, d, a, d.act[at]) - d.act[at]
                ) / m.opt_timestep


@kernel(lanes=True)
def hill_activation_rate(m, a: int, control, act):
    """act_dot = (ctrl - act) / time constant, one constant for activation, one for deactivation."""
    error = clip(control, 0.0, 1.0) - act
    timeconst = select(error > 0.0, m.actuator_dynprm[a, 0], m.actuator_dynprm[a, 1])
    # no overshoot if the time constant is below the timestep
    return error / max(timeconst, m.opt_timestep)


@kernel(lanes=True)
def clamp_hill_state(m, a: int, j: int, value):
    """Clamp an activation, or a tendon strain, to its range."""
    if has_slot(m, a, STRAIN) and slot_address(m, a, STRAIN) == j:
        result = clip(value, 0.0, MAX_STRAIN_RATIO * m.actuator_gainprm[a, 8])
    else:
        result = clip(value, m.actuator_dynprm[a, 2], 1.0)
    return result


@kernel(lanes=True, unit=True)
def hill_muscle_forces(m, d):
    """actuator_force of Hill muscles; negative, as they pull."""
    for a in range(m.nactuator):
        if m.actuator_gaintype[a] == GAIN_HILL:
            out = m.actuator_outadr[a]
            force = zero_like(d.time)
            if has_slot(m, a, STRAIN):
                at = slot_address(m, a, STRAIN)
                strain = clamp_hill_state(m, a, at, d.act[at])
                force = tendon_force_strain(strain, m.actuator_gainprm[a, 8])
            else:
                force = rigid_tendon_force(m, d, a)
            d.actuator_force[out] = -m.actuator_gainprm[a, 0] * force


@kernel(lanes=True)
def clamped_activation(m, d, a: int):
    """Activation, clamped to its range."""
    last = m.actuator_actadr[a] + m.actuator_actnum[a] - 1
    return clamp_hill_state(m, a, last, d.act[last])


@kernel(lanes=True)
def optimal_fibre_length(m, a: int):
    """Optimal fibre length, at which the active force is largest."""
    return max(MINVAL, m.actuator_gainprm[a, 1])


@kernel(lanes=True)
def rigid_tendon_force(m, d, a: int):
    """Force along a rigid tendon in units of F0: (a fl fv + fp) cos(pennation)."""
    length, cosine, scale = rigid_tendon_fibre(m, d, a)
    speed = d.actuator_velocity[m.actuator_outadr[a]] * scale
    active = clamped_activation(m, d, a) * hill_force_length(m, a, length)
    pull = active * hill_force_velocity(speed, m.actuator_gainprm[a, 7]) + hill_passive_force(
        m, a, length
    )
    return pull * cosine


@kernel(lanes=True)
def rigid_tendon_dforce_dvel(m, d, a: int):
    """dforce/dvelocity of a Hill muscle with a rigid tendon."""
    length, cosine, scale = rigid_tendon_fibre(m, d, a)
    speed = d.actuator_velocity[m.actuator_outadr[a]] * scale
    active = clamped_activation(m, d, a) * hill_force_length(m, a, length)
    slope = active * hill_force_velocity_slope(speed, m.actuator_gainprm[a, 7]) * scale * cosine
    return -m.actuator_gainprm[a, 0] * slope


@kernel(lanes=True)
def rigid_tendon_dforce_dlength(m, d, a: int):
    """dforce/dlength of a Hill muscle with a rigid tendon.

    By the length of fibres, their pennation and their velocity.
    """
    length, cosine, scale = rigid_tendon_fibre(m, d, a)
    velocity = d.actuator_velocity[m.actuator_outadr[a]]
    # slack fibres do not move
    taut = cosine > 0.0
    dextent = select(taut, 1.0 / optimal_fibre_length(m, a), 0.0)
    dcosine = (1.0 - cosine * cosine) / max(MINVAL, length) * dextent
    active, most = clamped_activation(m, d, a), m.actuator_gainprm[a, 7]
    fl, fv = hill_force_length(m, a, length), hill_force_velocity(velocity * scale, most)
    dfl = active_force_length_slope(length, m.actuator_gainprm[a, 5], m.actuator_gainprm[a, 6])
    dvelocity = velocity * scale / select(taut, cosine, 1.0) * dcosine
    slope = (active * dfl * fv + hill_passive_force_slope(m, a, length)) * cosine * dextent
    slope += active * fl * hill_force_velocity_slope(velocity * scale, most) * dvelocity
    pull = active * fl * fv + hill_passive_force(m, a, length)
    return -m.actuator_gainprm[a, 0] * (slope * cosine + pull * dcosine)


@kernel(lanes=True)
def rigid_tendon_fibre(m, d, a: int):
    """Fibres on a rigid tendon: (length, cos(pennation), velocity per transmission velocity)."""
    best = optimal_fibre_length(m, a)
    whole = d.actuator_length[m.actuator_outadr[a]]
    along = whole + m.actuator_gainprm[a, 9] - m.actuator_gainprm[a, 2]
    length, cosine = fibre_length_pennation(m, a, max(along, 0.0) / best)
    return length, cosine, cosine / max(MINVAL, best * m.actuator_gainprm[a, 4])


@kernel(lanes=True)
def fibre_length_pennation(m, a: int, extent):
    """(fibre length, cos(pennation)) from the fibres' extent along the tendon."""
    height, _cosine = sin_cos(m.actuator_gainprm[a, 3])
    length = math.sqrt(extent * extent + height * height)
    return length, extent / max(MINVAL, length)


@kernel(lanes=True)
def hill_force_length(m, a: int, length):
    """fl: active force-length curve, 1 at the optimal length."""
    return active_force_length(length, m.actuator_gainprm[a, 5], m.actuator_gainprm[a, 6])


@kernel(lanes=True)
def hill_force_velocity(speed, fmax):
    """fv: force-velocity curve, Hill's hyperbola while shortening; fmax: eccentric limit."""
    short = clip(speed, -1.0, 0.0)
    long = max(speed, 0.0)
    shortening = (1.0 + short) / (1.0 - short / HILL_CURVATURE)
    stretched = 1.0 + (fmax - 1.0) * long / max(MINVAL, long + eccentric_half_velocity(fmax))
    return select(speed < 0.0, shortening, stretched)


@kernel(lanes=True)
def hill_force_velocity_slope(speed, fmax):
    """Derivative of the force-velocity curve."""
    short = clip(speed, -1.0, 0.0)
    long = max(speed, 0.0)
    thin = 1.0 - short / HILL_CURVATURE
    shortening = select(speed < -1.0, 0.0, (1.0 + 1.0 / HILL_CURVATURE) / (thin * thin))
    half = eccentric_half_velocity(fmax)
    wide = max(MINVAL, long + half)
    return select(speed < 0.0, shortening, (fmax - 1.0) * half / (wide * wide))


@kernel(lanes=True)
def eccentric_half_velocity(fmax):
    """Velocity at which the eccentric branch reaches half of fmax - 1: continuous slope at 0."""
    return (fmax - 1.0) / (1.0 + 1.0 / HILL_CURVATURE)


@kernel(lanes=True)
def hill_passive_force(m, a: int, length):
    """fp: passive force-length curve, exponential, linear beyond the passive strain."""
    beyond = max(length - 1.0, 0.0) / max(MINVAL, m.actuator_biasprm[a, 0])
    whole = math.exp(PASSIVE_STEEPNESS) - 1.0
    curved = (math.exp(PASSIVE_STEEPNESS * min(beyond, 1.0)) - 1.0) / whole
    return curved + PASSIVE_STEEPNESS * (whole + 1.0) / whole * max(beyond - 1.0, 0.0)


@kernel(lanes=True)
def hill_passive_force_slope(m, a: int, length):
    """Derivative of the passive force-length curve."""
    width = max(MINVAL, m.actuator_biasprm[a, 0])
    beyond = (length - 1.0) / width
    steep = math.exp(PASSIVE_STEEPNESS * min(beyond, 1.0)) / (math.exp(PASSIVE_STEEPNESS) - 1.0)
    return select(beyond > 0.0, PASSIVE_STEEPNESS * steep / width, 0.0)


@kernel(lanes=True)
def tendon_force_strain(strain, full):
    """ft: force of an elastic tendon at a strain; 1 at strain `full`, 0 when slack."""
    x = max(strain, 0.0) / max(MINVAL, full)
    scale = 1.0 / (2.0 * TENDON_TOE - TENDON_TOE * TENDON_TOE)
    return scale * select(x < TENDON_TOE, x * x, TENDON_TOE * (2.0 * x - TENDON_TOE))


@kernel(lanes=True)
def invert_force_velocity(pull, active, damping, fmax):
    """Inverse of the force-velocity curve: solves active fv(v) + damping v = pull for v.

    Each branch of fv gives a quadratic equation.
    """
    drag = max(MINVAL, damping)
    eccentric = max(pull - active, 0.0)
    half = eccentric_half_velocity(fmax)
    b = active * (fmax - 1.0) + drag * half - eccentric
    stretched = positive_root(drag, b, eccentric * half)
    concentric = max(active - pull, 0.0)
    b = active + drag + pull / HILL_CURVATURE
    shortened = -positive_root(drag / HILL_CURVATURE, b, concentric)
    # no active force is left beyond the fastest shortening
    shortened = select(pull < -drag, pull / drag, shortened)
    return select(pull < active, shortened, stretched)


@kernel(lanes=True)
def positive_root(a, b, c):
    """The non-negative root of a x^2 + b x = c, for a > 0 and c >= 0."""
    size = math.sqrt(b * b + 4.0 * a * c)
    near = 2.0 * c / max(MINVAL, b + size)
    return select(b > 0.0, near, (size - b) / (2.0 * a))


@kernel(lanes=True)
def next_tendon_strain(m, d, a: int, strain):
    """Tendon strain after a step by implicit Euler: strain = before + h rate(strain).

    Tendons are stiff. The residual rises with the strain; its zero is found by false position
    (Illinois algorithm) in a fixed number of steps.
    """
    low = zero_like(d.time)
    high = MAX_STRAIN_RATIO * m.actuator_gainprm[a, 8] + zero_like(d.time)
    before = clip(strain, low, high)
    under = tendon_strain_residual(m, d, a, low, before)
    over = tendon_strain_residual(m, d, a, high, before)
    slackens = under >= 0.0
    tears = over <= 0.0
    side = zero_like(d.time)
    for _k in range(ILLINOIS_STEPS):
        span = over - under
        bracketed = span > 0.0
        guess = high - over * (high - low) / select(bracketed, span, 1.0)
        guess = clip(select(bracketed, guess, 0.5 * (low + high)), low, high)
        value = tendon_strain_residual(m, d, a, guess, before)
        positive = value > 0.0
        # Illinois: halve the value at an end that stays twice
        under = select(positive, select(side > 0.0, 0.5 * under, under), value)
        over = select(positive, value, select(side < 0.0, 0.5 * over, over))
        low = select(positive, low, guess)
        high = select(positive, guess, high)
        side = select(positive, 1.0, -1.0)
    top = MAX_STRAIN_RATIO * m.actuator_gainprm[a, 8]
    return select(slackens, 0.0, select(tears, top, select(side > 0.0, high, low)))


@kernel(lanes=True)
def tendon_strain_residual(m, d, a: int, strain, before):
    """Residual of the implicit step: strain - before - h rate(strain)."""
    out = m.actuator_outadr[a]
    h = m.opt_timestep
    best = optimal_fibre_length(m, a)
    slack = max(MINVAL, m.actuator_gainprm[a, 2])
    speed = d.actuator_velocity[out]
    whole = d.actuator_length[out] + h * speed + m.actuator_gainprm[a, 9]
    height, _cosine = sin_cos(m.actuator_gainprm[a, 3])
    extent = max(
        (whole - slack * (1.0 + strain)) / best, MIN_FIBRE_EXTENT + MIN_PENNATION_COSINE * height
    )
    length, cosine = fibre_length_pennation(m, a, extent)
    pull = tendon_force_strain(strain, m.actuator_gainprm[a, 8]) / cosine - hill_passive_force(
        m, a, length
    )
    active = clamped_activation(m, d, a) * hill_force_length(m, a, length)
    moving = invert_force_velocity(pull, active, m.actuator_biasprm[a, 1], m.actuator_gainprm[a, 7])
    fibre_velocity = best * m.actuator_gainprm[a, 4] * moving / cosine
    return strain - before - h * (speed - fibre_velocity) / slack
