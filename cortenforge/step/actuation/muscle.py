"""MuJoCo's muscle: activation dynamics, force-length and force-velocity curves.

Parameters are range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax. With length L in units of
the optimal length L0, velocity V in units of L0 vmax, and peak force F0 = force, or scale / acc0:

    force = -F0 (FL(L) FV(V) act + FP(L))                  gain: first term, bias: second
    L = range0 + (length - lengthrange0) / L0
    L0 = (lengthrange1 - lengthrange0) / (range1 - range0)
    FL: four parabolas, 0 at lmin and lmax, 1 at 1
    FV: (V + 1)^2 up to 0, fvmax - (c - V)^2 / c up to c = fvmax - 1, then fvmax
    FP: 0 up to 1, fpmax ((L - 1) / (b - 1))^2 / 2 up to b = (1 + lmax) / 2, then linear
    act_dot = (ctrl - act) / tau,   tau = tau_act (0.5 + 1.5 act) or tau_deact / (0.5 + 1.5 act)

Sources: MuJoCo: Modeling, "Muscles"; Millard, Uchida, Seth and Delp, Flexing computational muscle,
J. Biomech. Eng. 135 (2013).
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.math.scalar import clip, sigmoid
from cortenforge.math.vector import MINVAL


@kernel(lanes=True)
def muscle_dynamics(m, a: int, control, act):
    """act_dot of a muscle, with smoothed time constants.  Mirrors mju_muscleDynamics."""
    active = clip(act, 0.0, 1.0)
    tau_act = m.actuator_dynprm[a, 0] * (0.5 + 1.5 * active)
    tau_deact = m.actuator_dynprm[a, 1] / (0.5 + 1.5 * active)
    width = m.actuator_dynprm[a, 2]
    excess = clip(control, 0.0, 1.0) - act
    smooth = tau_deact + (tau_act - tau_deact) * sigmoid(excess / max(MINVAL, width) + 0.5)
    tau = select(width < MINVAL, select(excess > 0.0, tau_act, tau_deact), smooth)
    return excess / max(MINVAL, tau)


@kernel(lanes=True)
def optimal_muscle_length(m, a: int, low, high):
    """Optimal length L0, from lengthrange and the operating range in units of L0."""
    out = m.actuator_outadr[a]
    span = m.actuator_lengthrange[out, 1] - m.actuator_lengthrange[out, 0]
    return span / max(MINVAL, high - low)


@kernel(lanes=True)
def peak_muscle_force(m, a: int, force, scale):
    """Peak force F0; if the parameter is negative, scale over the acceleration of a unit force."""
    return select(force < 0.0, scale / max(MINVAL, m.actuator_acc0[m.actuator_outadr[a]]), force)


@kernel(lanes=True)
def muscle_gain(m, a: int, length, velocity):
    """Force of a fully active muscle, negative as it pulls.  Mirrors mju_muscleGain."""
    isometric, max_velocity = isometric_muscle_gain(m, a, length)
    return isometric * force_velocity(velocity / max_velocity, m.actuator_gainprm[a, 8])


@kernel(lanes=True)
def muscle_gain_dvel(m, a: int, length, velocity):
    """dgain/dvelocity.  Mirrors mjd_muscleGain_vel."""
    isometric, max_velocity = isometric_muscle_gain(m, a, length)
    return (
        isometric
        * force_velocity_slope(velocity / max_velocity, m.actuator_gainprm[a, 8])
        / max_velocity
    )


@kernel(lanes=True)
def muscle_gain_dlength(m, a: int, length, velocity):
    """dgain/dlength.  Mirrors mjd_muscleGain_len."""
    length_normalized, optimal = normalized_muscle_length(m, a, length)
    force = peak_muscle_force(m, a, m.actuator_gainprm[a, 2], m.actuator_gainprm[a, 3])
    dfl = active_force_length_slope(
        length_normalized, m.actuator_gainprm[a, 4], m.actuator_gainprm[a, 5]
    )
    max_velocity = max(MINVAL, optimal * m.actuator_gainprm[a, 6])
    fv = force_velocity(velocity / max_velocity, m.actuator_gainprm[a, 8])
    return -force * dfl * fv / max(MINVAL, optimal)


@kernel(lanes=True)
def normalized_muscle_length(m, a: int, length):
    """(normalised length L, optimal length L0) of a muscle's gain."""
    low, high = m.actuator_gainprm[a, 0], m.actuator_gainprm[a, 1]
    optimal = optimal_muscle_length(m, a, low, high)
    start = m.actuator_lengthrange[m.actuator_outadr[a], 0]
    return low + (length - start) / max(MINVAL, optimal), optimal


@kernel(lanes=True)
def isometric_muscle_gain(m, a: int, length):
    """(gain at zero velocity, velocity at which the gain is zero)."""
    force = peak_muscle_force(m, a, m.actuator_gainprm[a, 2], m.actuator_gainprm[a, 3])
    length_normalized, optimal = normalized_muscle_length(m, a, length)
    fl = active_force_length(length_normalized, m.actuator_gainprm[a, 4], m.actuator_gainprm[a, 5])
    return -force * fl, max(MINVAL, optimal * m.actuator_gainprm[a, 6])


@kernel(lanes=True)
def active_force_length(x, low, high):
    """FL: active force-length curve, 1 at L = 1, 0 at both ends.  Mirrors mju_muscleGainLength."""
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
def active_force_length_slope(x, low, high):
    """Derivative of the active force-length curve."""
    left = 0.5 * (low + 1.0)
    right = 0.5 * (1.0 + high)
    a, b = max(MINVAL, left - low), max(MINVAL, 1.0 - left)
    c, e = max(MINVAL, right - 1.0), max(MINVAL, high - right)
    upper = select(x <= right, (1.0 - x) / (c * c), (x - high) / (e * e))
    middle = select(x <= 1.0, (1.0 - x) / (b * b), upper)
    inside = select(x <= left, (x - low) / (a * a), middle)
    return select(low <= x and x <= high, inside, 0.0)


@kernel(lanes=True)
def force_velocity(v, fvmax):
    """FV: force-velocity curve, 0 at V = -1, 1 at 0, at most fvmax while lengthening."""
    knee = fvmax - 1.0
    stretched = select(v <= knee, fvmax - (knee - v) * (knee - v) / max(MINVAL, knee), fvmax)
    return select(v <= -1.0, 0.0, select(v <= 0.0, (v + 1.0) * (v + 1.0), stretched))


@kernel(lanes=True)
def force_velocity_slope(v, fvmax):
    """Derivative of the force-velocity curve."""
    knee = fvmax - 1.0
    stretched = select(v <= knee, 2.0 * (knee - v) / max(MINVAL, knee), 0.0)
    return select(v <= -1.0, 0.0, select(v <= 0.0, 2.0 * (v + 1.0), stretched))


@kernel(lanes=True)
def muscle_bias(m, a: int, length):
    """Passive force -F0 FP(L).  Mirrors mju_muscleBias."""
    low, high = m.actuator_biasprm[a, 0], m.actuator_biasprm[a, 1]
    force = peak_muscle_force(m, a, m.actuator_biasprm[a, 2], m.actuator_biasprm[a, 3])
    start = m.actuator_lengthrange[m.actuator_outadr[a], 0]
    length_normalized = low + (length - start) / max(MINVAL, optimal_muscle_length(m, a, low, high))
    knee = 0.5 * (1.0 + m.actuator_biasprm[a, 5])
    scale = -force * m.actuator_biasprm[a, 7]
    near = (length_normalized - 1.0) / max(MINVAL, knee - 1.0)
    far = (length_normalized - knee) / max(MINVAL, knee - 1.0)
    pulling = select(length_normalized <= knee, scale * 0.5 * near * near, scale * (0.5 + far))
    return select(length_normalized <= 1.0, 0.0, pulling)


@kernel(lanes=True)
def muscle_bias_dlength(m, a: int, length):
    """dbias/dlength.  Mirrors mjd_muscleBias_len."""
    low, high = m.actuator_biasprm[a, 0], m.actuator_biasprm[a, 1]
    force = peak_muscle_force(m, a, m.actuator_biasprm[a, 2], m.actuator_biasprm[a, 3])
    start = m.actuator_lengthrange[m.actuator_outadr[a], 0]
    optimal = max(MINVAL, optimal_muscle_length(m, a, low, high))
    length_normalized = low + (length - start) / optimal
    width = max(MINVAL, 0.5 * (1.0 + m.actuator_biasprm[a, 5]) - 1.0)
    # a parabola, then linear
    near = min((length_normalized - 1.0) / width, 1.0)
    slope = -force * m.actuator_biasprm[a, 7] * near / (width * optimal)
    return select(length_normalized <= 1.0, 0.0, slope)
