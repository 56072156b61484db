"""How stiff constraints are: impedance, stiffness and damping, and the regularisation of rows."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL
from cortenforge.step.constants import DISCRETE, NO_REFSAFE

#: bounds of impedances (MuJoCo's mjMINIMP and mjMAXIMP)
MINIMP = 0.0001
MAXIMP = 0.9999
#: the default reference, in place of one whose numbers have different signs
TIME_CONSTANT = 0.02
DAMPING_RATIO = 1.0


@kernel
def within(impedance):
    """An impedance within its bounds."""
    return min(MAXIMP, max(MINIMP, impedance))


@kernel
def to_power(x, power):
    """x to a power, quickly for the common ones."""
    result = x
    if power == 2.0:
        result = x * x
    elif power != 1.0:
        result = math.pow(x, power)
    return result


@kernel
def impedance_of(solimp, i: int, depth):
    """Impedance at a violation, its slope, and the impedance in full.  Mirrors getimpedance.

    The impedance goes from the first to the second of its bounds while the violation, either way,
    grows to the width, along two arcs of a power that meet in the midpoint.
    """
    low, high, width = within(solimp[i, 0]), within(solimp[i, 1]), max(0.0, solimp[i, 2])
    impedance, slope = 0.5 * (low + high), 0.0
    if low != high and width > MINVAL:
        x = abs(depth / width)
        if x >= 1.0:
            impedance = high
        elif x <= 0.0:
            impedance = low
        else:
            y, rate = along_arcs(x, within(solimp[i, 3]), max(1.0, solimp[i, 4]))
            impedance = low + y * (high - low)
            slope = (rate if depth > 0.0 else -rate) * (high - low) / width
    return impedance, slope, high


@kernel
def along_arcs(x, midpoint, power):
    """From 0 to 1 along two arcs, and the slope there."""
    y, rate = x, 1.0
    if power != 1.0:
        if x <= midpoint:
            scale = 1.0 / to_power(midpoint, power - 1.0)
            y = scale * to_power(x, power)
            rate = power * scale * to_power(x, power - 1.0)
        else:
            scale = 1.0 / to_power(1.0 - midpoint, power - 1.0)
            y = 1.0 - scale * to_power(1.0 - x, power)
            rate = power * scale * to_power(1.0 - x, power - 1.0)
    return y, rate


@kernel
def reference_of(m, solref, i: int, first, second):
    """Time constant and damping ratio, or negative stiffness and damping.

    The given default stands for a reference that mixes both; a time constant is safe for the
    time step, if rows are not taken implicitly.  Mirrors getsolparam.
    """
    if (solref[i, 0] > 0.0) == (solref[i, 1] > 0.0):
        first, second = solref[i, 0], solref[i, 1]
    if m.opt_integrator != DISCRETE and m.opt_disableflags & NO_REFSAFE == 0 and first > 0.0:
        first = max(first, 2.0 * m.opt_timestep)
    return first, second


@kernel
def resolved(m, first, stiffness, damping, impedance):
    """Stiffness and damping of a contact or limit that a step in its metric can resolve.

    One that is stiffer would rebound: it becomes the stiffest that does not, with the same damping
    ratio, as far as the impedance has room for it.  Mirrors mj_makeImpedance.
    """
    h = m.opt_timestep
    if m.opt_integrator == DISCRETE and m.opt_disableflags & NO_REFSAFE == 0 and first > 0.0:
        excess = h * h * stiffness * impedance
        if excess > 1.0:
            most = MAXIMP * (1.0 - impedance) / max(MINVAL, impedance * (1.0 - MAXIMP))
            stiffness = 1.0 / (h * h * impedance)
            damping = min(damping / math.sqrt(excess), max(0.0, most - 2.0) / h)
    return stiffness, damping


@kernel
def implicit_factor(m, d, row: int):
    """By how much a row gets stiffer when its spring and damper are those of the step's end."""
    h = m.opt_timestep
    return 1.0 + h * d.efc_KBIP[row, 1] + h * h * d.efc_KBIP[row, 0] * d.efc_KBIP[row, 2]


@kernel
def stiffness_of(first, second, impedance):
    """Stiffness that a reference asks for, with the impedance in full."""
    square = impedance * impedance
    if first > 0.0:
        stiffness = 1.0 / max(MINVAL, square * first * first * second * second)
    else:
        stiffness = -first / max(MINVAL, square)
    return stiffness


@kernel
def damping_of(first, second, impedance):
    """Damping that a reference asks for, with the impedance in full."""
    if second > 0.0:
        damping = 2.0 / max(MINVAL, impedance * first)
    else:
        damping = -second / max(MINVAL, impedance)
    return damping


@kernel
def soften(d, row: int, stiffness, damping, impedance, slope):
    """Stiffness, damping, impedance and its slope of a row."""
    d.efc_KBIP[row, 0] = stiffness
    d.efc_KBIP[row, 1] = damping
    d.efc_KBIP[row, 2] = impedance
    d.efc_KBIP[row, 3] = slope


@kernel
def soften_all(m, d, row: int, size: int, solref, solimp, i: int, depth):
    """The same for some rows of one equality, from its reference and impedance."""
    impedance, slope, high = impedance_of(solimp, i, depth)
    first, second = reference_of(m, solref, i, TIME_CONSTANT, DAMPING_RATIO)
    stiffness, damping = stiffness_of(first, second, high), damping_of(first, second, high)
    for k in range(size):
        soften(d, row + k, stiffness, damping, impedance, slope)


@kernel
def soften_limit(m, d, row: int, solref, solimp, i: int, depth):
    """The same for the row of a limit."""
    impedance, slope, high = impedance_of(solimp, i, depth)
    first, second = reference_of(m, solref, i, TIME_CONSTANT, DAMPING_RATIO)
    stiffness, damping = stiffness_of(first, second, high), damping_of(first, second, high)
    stiffness, damping = resolved(m, first, stiffness, damping, impedance)
    soften(d, row, stiffness, damping, impedance, slope)


@kernel
def soften_friction(m, d, row: int, solref, solimp, i: int):
    """The same for friction, which is nowhere and has no stiffness."""
    impedance, slope, high = impedance_of(solimp, i, 0.0)
    first, second = reference_of(m, solref, i, TIME_CONSTANT, DAMPING_RATIO)
    soften(d, row, 0.0, damping_of(first, second, high), impedance, slope)


@kernel
def odds_of(d, row: int):
    """How a row's impedance stands to what it leaves: diagA is so many times R."""
    return d.efc_KBIP[row, 2] / (1.0 - d.efc_KBIP[row, 2])


@kernel
def softness_of(m, d, row: int, odds):
    """The regularisation of a row; implicit rows are stiffer, up to the largest impedance."""
    softness = max(MINVAL, d.efc_diagA[row] / odds)
    if m.opt_integrator == DISCRETE:
        least = max(MINVAL, (1.0 - MAXIMP) * d.efc_diagA[row] / MAXIMP)
        softness = max(softness / implicit_factor(m, d, row), least)
    return softness


@kernel
def regularise(d, row: int, size: int, softness, odds):
    """Take a regularisation for some rows alike; diagA is what would lead to it."""
    mass, weight = 1.0 / softness, softness * odds
    for k in range(row, row + size):
        d.efc_R[k] = softness
        d.efc_D[k] = mass
        d.efc_diagA[k] = weight


@kernel
def regularise_contact(m, d, c: int, share, root):
    """Regularisation of a contact's rows, and the friction of its regularised cone.

    Along friction it is a share of that along the normal, and such that all directions of a cone
    are alike; the edges of a pyramid share one that makes friction as soft as a cone's.
    Mirrors mj_makeImpedance.
    """
    row, dim = d.contact_efc_address[c], d.contact_dim[c]
    odds = odds_of(d, row)
    normal = softness_of(m, d, row, odds)
    if dim == 1:
        regularise(d, row, 1, normal, odds)
    else:
        tangent = normal * share
        mu = d.contact_friction[c, 0]
        d.contact_mu[c] = mu * root
        if m.opt_cone == 0:
            regularise(d, row, 2 * (dim - 1), 2.0 * mu * mu * share * normal, odds)
        else:
            regularise(d, row, 1, normal, odds)
            regularise(d, row + 1, 1, tangent, odds)
            for k in range(1, dim - 1):
                other = d.contact_friction[c, k]
                regularise(d, row + 1 + k, 1, tangent * mu * mu / (other * other), odds)


@kernel
def regularise_rows(m, d):
    """Regularisation of all rows.  Mirrors mj_makeImpedance."""
    for row in range(d.ne + d.nf + d.nl):
        odds = odds_of(d, row)
        regularise(d, row, 1, softness_of(m, d, row, odds), odds)
    share = 1.0 / max(MINVAL, m.opt_impratio)
    root = math.sqrt(share)
    for c in range(d.ncon):
        if d.contact_efc_address[c] >= 0:
            regularise_contact(m, d, c, share, root)
