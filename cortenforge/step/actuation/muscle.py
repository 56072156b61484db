"""MuJoCo's muscle: activation, and curves of force over length and velocity.

Parameters are `range` (2), `force`, `scale`, `lmin`, `lmax`, `vmax`, `fpmax`, `fvmax`.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.math.scalar import clip, sigmoid
from cortenforge.math.vector import MINVAL


@kernel(lanes=True)
def muscle_dynamics(m, a: int, control, act):
    """Rate of a muscle's activation, faster up than down.  Mirrors mju_muscleDynamics."""
    active = clip(act, 0.0, 1.0)
    up = m.actuator_dynprm[a, 0] * (0.5 + 1.5 * active)
    down = m.actuator_dynprm[a, 1] / (0.5 + 1.5 * active)
    width = m.actuator_dynprm[a, 2]
    excess = clip(control, 0.0, 1.0) - act
    smooth = down + (up - down) * sigmoid(excess / max(MINVAL, width) + 0.5)
    time = select(width < MINVAL, select(excess > 0.0, up, down), smooth)
    return excess / max(MINVAL, time)


@kernel(lanes=True)
def optimal_length(m, a: int, low, high):
    """The length at which a muscle is strongest, from its range in units of that length."""
    out = m.actuator_outadr[a]
    span = m.actuator_lengthrange[out, 1] - m.actuator_lengthrange[out, 0]
    return span / max(MINVAL, high - low)


@kernel(lanes=True)
def peak_force(m, a: int, force, scale):
    """The force of a muscle at its best; if negative, from how strongly it accelerates."""
    return select(force < 0.0, scale / max(MINVAL, m.actuator_acc0[m.actuator_outadr[a]]), force)


@kernel(lanes=True)
def muscle_gain(m, a: int, length, velocity):
    """Force of a fully active muscle, negative as it pulls.  Mirrors mju_muscleGain."""
    still, fastest = gain_at_length(m, a, length)
    return still * force_of_speed(velocity / fastest, m.actuator_gainprm[a, 8])


@kernel(lanes=True)
def muscle_gain_slope(m, a: int, length, velocity):
    """How that changes with velocity.  Mirrors mjd_muscleGain_vel."""
    still, fastest = gain_at_length(m, a, length)
    return still * slope_of_speed(velocity / fastest, m.actuator_gainprm[a, 8]) / fastest


@kernel(lanes=True)
def muscle_gain_length_slope(m, a: int, length, velocity):
    """How that changes with length.  Mirrors mjd_muscleGain_len."""
    stretch, best = gain_stretch(m, a, length)
    force = peak_force(m, a, m.actuator_gainprm[a, 2], m.actuator_gainprm[a, 3])
    by_length = slope_of_length(stretch, m.actuator_gainprm[a, 4], m.actuator_gainprm[a, 5])
    fastest = max(MINVAL, best * m.actuator_gainprm[a, 6])
    by_speed = force_of_speed(velocity / fastest, m.actuator_gainprm[a, 8])
    return -force * by_length * by_speed / max(MINVAL, best)


@kernel(lanes=True)
def gain_stretch(m, a: int, length):
    """A muscle's length in units of that at which it is strongest, and that length."""
    low, high = m.actuator_gainprm[a, 0], m.actuator_gainprm[a, 1]
    best = optimal_length(m, a, low, high)
    start = m.actuator_lengthrange[m.actuator_outadr[a], 0]
    return low + (length - start) / max(MINVAL, best), best


@kernel(lanes=True)
def gain_at_length(m, a: int, length):
    """Force of a fully active muscle at rest, and the velocity at which it has none."""
    force = peak_force(m, a, m.actuator_gainprm[a, 2], m.actuator_gainprm[a, 3])
    stretch, best = gain_stretch(m, a, length)
    by_length = force_of_length(stretch, m.actuator_gainprm[a, 4], m.actuator_gainprm[a, 5])
    return -force * by_length, max(MINVAL, best * m.actuator_gainprm[a, 6])


@kernel(lanes=True)
def force_of_length(x, low, high):
    """Active force over length: 1 at 1, 0 at both ends.  Mirrors mju_muscleGainLength."""
    left = 0.5 * (low + 1.0)
    right = 0.5 * (1.0 + high)
    rising = (x - low) / max(MINVAL, left - low)
    before = (1.0 - x) / max(MINVAL, 1.0 - left)
    after = (x - 1.0) / max(MINVAL, right - 1.0)
    falling = (high - x) / max(MINVAL, high - right)
    upper = select(x <= right, 1.0 - 0.5 * after * after, 0.5 * falling * falling)
    middle = select(x <= 1.0, 1.0 - 0.5 * before * before, upper)
    inside = select(x <= left, 0.5 * rising * rising, middle)
    return select(low <= x and x <= high, inside, 0.0)


@kernel(lanes=True)
def slope_of_length(x, low, high):
    """How active force changes with length."""
    left = 0.5 * (low + 1.0)
    right = 0.5 * (1.0 + high)
    a, b = max(MINVAL, left - low), max(MINVAL, 1.0 - left)
    c, e = max(MINVAL, right - 1.0), max(MINVAL, high - right)
    upper = select(x <= right, (1.0 - x) / (c * c), (x - high) / (e * e))
    middle = select(x <= 1.0, (1.0 - x) / (b * b), upper)
    inside = select(x <= left, (x - low) / (a * a), middle)
    return select(low <= x and x <= high, inside, 0.0)


@kernel(lanes=True)
def force_of_speed(v, most):
    """Active force over velocity: 0 at -1, 1 at rest, at most `most` while stretched."""
    knee = most - 1.0
    stretched = select(v <= knee, most - (knee - v) * (knee - v) / max(MINVAL, knee), most)
    return select(v <= -1.0, 0.0, select(v <= 0.0, (v + 1.0) * (v + 1.0), stretched))


@kernel(lanes=True)
def slope_of_speed(v, most):
    """How active force changes with velocity."""
    knee = most - 1.0
    stretched = select(v <= knee, 2.0 * (knee - v) / max(MINVAL, knee), 0.0)
    return select(v <= -1.0, 0.0, select(v <= 0.0, 2.0 * (v + 1.0), stretched))


@kernel(lanes=True)
def muscle_bias(m, a: int, length):
    """Passive force of a stretched muscle.  Mirrors mju_muscleBias."""
    low, high = m.actuator_biasprm[a, 0], m.actuator_biasprm[a, 1]
    force = peak_force(m, a, m.actuator_biasprm[a, 2], m.actuator_biasprm[a, 3])
    start = m.actuator_lengthrange[m.actuator_outadr[a], 0]
    stretch = low + (length - start) / max(MINVAL, optimal_length(m, a, low, high))
    knee = 0.5 * (1.0 + m.actuator_biasprm[a, 5])
    scale = -force * m.actuator_biasprm[a, 7]
    near = (stretch - 1.0) / max(MINVAL, knee - 1.0)
    far = (stretch - knee) / max(MINVAL, knee - 1.0)
    pulling = select(stretch <= knee, scale * 0.5 * near * near, scale * (0.5 + far))
    return select(stretch <= 1.0, 0.0, pulling)


@kernel(lanes=True)
def muscle_bias_slope(m, a: int, length):
    """How that changes with length.  Mirrors mjd_muscleBias_len."""
    low, high = m.actuator_biasprm[a, 0], m.actuator_biasprm[a, 1]
    force = peak_force(m, a, m.actuator_biasprm[a, 2], m.actuator_biasprm[a, 3])
    start = m.actuator_lengthrange[m.actuator_outadr[a], 0]
    best = max(MINVAL, optimal_length(m, a, low, high))
    stretch = low + (length - start) / best
    width = max(MINVAL, 0.5 * (1.0 + m.actuator_biasprm[a, 5]) - 1.0)
    # half a parabola, then straight on
    near = min((stretch - 1.0) / width, 1.0)
    slope = -force * m.actuator_biasprm[a, 7] * near / (width * best)
    return select(stretch <= 1.0, 0.0, slope)
