"""Solref and solimp to stiffness, damping, impedance and regularisation of rows.

    solimp = (d0, dmax, width, midpoint, power),   x = |pos - margin| / width
    d = d0 + y(x) (dmax - d0)                                        impedance
    y = x^p / mid^(p-1)  for x <= mid,   1 - (1-x)^p / (1-mid)^(p-1)  for x > mid

    solref = (timeconst, dampratio):    k = 1 / (dmax^2 timeconst^2 dampratio^2)
                                        b = 2 / (dmax timeconst)
    solref = (-stiffness, -damping):    k = stiffness / dmax^2,   b = damping / dmax

    aref = -b (J v) - k d (pos - margin)                             reference acceleration
    R = (1 - d) / d diagA,   D = 1 / R                               regularisation

This is MuJoCo's form of Baumgarte stabilisation; R is the compliance of a row. Source: MuJoCo:
Computation, "Constraint solver", section "Parameters"; MuJoCo: Modeling, "Solver parameters".
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL
from cortenforge.step.constants import DISCRETE, NO_REFSAFE

#: bounds of impedances (MuJoCo's mjMINIMP and mjMAXIMP)
MINIMP = 0.0001
MAXIMP = 0.9999
#: default solref, used for one whose two numbers differ in sign
DEFAULT_TIMECONST = 0.02
DEFAULT_DAMPRATIO = 1.0


@kernel
def clamp_impedance(impedance):
    """Clamp an impedance to [MINIMP, MAXIMP]."""
    return min(MAXIMP, max(MINIMP, impedance))


@kernel
def fast_power(x, power):
    """x^power, without a call of pow for powers 1 and 2.  Mirrors power."""
    result = x
    if power == 2.0:
        result = x * x
    elif power != 1.0:
        result = math.pow(x, power)
    return result


@kernel
def impedance_of(solimp, i: int, depth):
    """Impedance d at a violation, its derivative d', and dmax.  Mirrors getimpedance.

    solimp, i: table of (d0, dmax, width, midpoint, power), and the row of it to use.
    depth:     pos - margin; the impedance depends on its magnitude, the derivative on its sign.
    """
    d0, dmax, width = (
        clamp_impedance(solimp[i, 0]),
        clamp_impedance(solimp[i, 1]),
        max(0.0, solimp[i, 2]),
    )
    impedance, slope = 0.5 * (d0 + dmax), 0.0
    if d0 != dmax and width > MINVAL:
        x = abs(depth / width)
        if x >= 1.0:
            impedance = dmax
        elif x <= 0.0:
            impedance = d0
        else:
            y, rate = impedance_sigmoid(x, clamp_impedance(solimp[i, 3]), max(1.0, solimp[i, 4]))
            impedance = d0 + y * (dmax - d0)
            slope = (rate if depth > 0.0 else -rate) * (dmax - d0) / width
    return impedance, slope, dmax


@kernel
def impedance_sigmoid(x, midpoint, power):
    """Sigmoid y(x) from (0, 0) to (1, 1) by two power arcs that meet at midpoint; (y, dy/dx)."""
    y, rate = x, 1.0
    if power != 1.0:
        if x <= midpoint:
            scale = 1.0 / fast_power(midpoint, power - 1.0)
            y = scale * fast_power(x, power)
            rate = power * scale * fast_power(x, power - 1.0)
        else:
            scale = 1.0 / fast_power(1.0 - midpoint, power - 1.0)
            y = 1.0 - scale * fast_power(1.0 - x, power)
            rate = power * scale * fast_power(1.0 - x, power - 1.0)
    return y, rate


@kernel
def resolve_solref(m, solref, i: int, timeconst, dampratio):
    """Valid solref: (timeconst, dampratio), or (-stiffness, -damping).  Mirrors getsolparam.

    timeconst, dampratio: the default, used if the two numbers of solref differ in sign. A positive
    time constant is raised to 2 h (flag `refsafe`), unless rows are implicit (`discrete`).
    """
    if (solref[i, 0] > 0.0) == (solref[i, 1] > 0.0):
        timeconst, dampratio = solref[i, 0], solref[i, 1]
    if m.opt_integrator != DISCRETE and m.opt_disableflags & NO_REFSAFE == 0 and timeconst > 0.0:
        timeconst = max(timeconst, 2.0 * m.opt_timestep)
    return timeconst, dampratio


@kernel
def limit_to_resolvable(m, timeconst, stiffness, damping, impedance):
    """(k, b) of a contact or limit row, reduced to what a discrete step can resolve.

    Rows are implicit with `discrete`. One with h^2 k d > 1 would rebound, so it is replaced by the
    stiffest that does not, h^2 k d = 1, with the same damping ratio as far as the largest impedance
    allows (flag `refsafe`).  Mirrors mj_makeImpedance.
    """
    h = m.opt_timestep
    if m.opt_integrator == DISCRETE and m.opt_disableflags & NO_REFSAFE == 0 and timeconst > 0.0:
        excess = h * h * stiffness * impedance
        if excess > 1.0:
            most = MAXIMP * (1.0 - impedance) / max(MINVAL, impedance * (1.0 - MAXIMP))
            stiffness = 1.0 / (h * h * impedance)
            damping = min(damping / math.sqrt(excess), max(0.0, most - 2.0) / h)
    return stiffness, damping


@kernel
def implicit_row_factor(m, d, row: int):
    """1 + h b + h^2 k d: growth of a row's D when its spring-damper is implicit (`discrete`)."""
    h = m.opt_timestep
    return 1.0 + h * d.efc_KBIP[row, 1] + h * h * d.efc_KBIP[row, 0] * d.efc_KBIP[row, 2]


@kernel
def solref_stiffness(timeconst, dampratio, dmax):
    """Stiffness k of a solref: 1 / (dmax timeconst dampratio)^2, or stiffness / dmax^2."""
    square = dmax * dmax
    if timeconst > 0.0:
        stiffness = 1.0 / max(MINVAL, square * timeconst * timeconst * dampratio * dampratio)
    else:
        stiffness = -timeconst / max(MINVAL, square)
    return stiffness


@kernel
def solref_damping(timeconst, dampratio, dmax):
    """Damping b of a solref: 2 / (dmax timeconst), or damping / dmax."""
    if dampratio > 0.0:
        damping = 2.0 / max(MINVAL, dmax * timeconst)
    else:
        damping = -dampratio / max(MINVAL, dmax)
    return damping


@kernel
def set_impedance(d, row: int, stiffness, damping, impedance, slope):
    """Store efc_KBIP of a row: stiffness k, damping b, impedance d, derivative d'."""
    d.efc_KBIP[row, 0] = stiffness
    d.efc_KBIP[row, 1] = damping
    d.efc_KBIP[row, 2] = impedance
    d.efc_KBIP[row, 3] = slope


@kernel
def set_equality_impedance(m, d, row: int, size: int, solref, solimp, i: int, depth):
    """Set efc_KBIP of the rows of one equality, from its solref and solimp."""
    impedance, slope, dmax = impedance_of(solimp, i, depth)
    timeconst, dampratio = resolve_solref(m, solref, i, DEFAULT_TIMECONST, DEFAULT_DAMPRATIO)
    stiffness, damping = (
        solref_stiffness(timeconst, dampratio, dmax),
        solref_damping(timeconst, dampratio, dmax),
    )
    for k in range(size):
        set_impedance(d, row + k, stiffness, damping, impedance, slope)


@kernel
def set_limit_impedance(m, d, row: int, solref, solimp, i: int, depth):
    """Set efc_KBIP of a limit row, from its solref and solimp."""
    impedance, slope, dmax = impedance_of(solimp, i, depth)
    timeconst, dampratio = resolve_solref(m, solref, i, DEFAULT_TIMECONST, DEFAULT_DAMPRATIO)
    stiffness, damping = (
        solref_stiffness(timeconst, dampratio, dmax),
        solref_damping(timeconst, dampratio, dmax),
    )
    stiffness, damping = limit_to_resolvable(m, timeconst, stiffness, damping, impedance)
    set_impedance(d, row, stiffness, damping, impedance, slope)


@kernel
def set_frictionloss_impedance(m, d, row: int, solref, solimp, i: int):
    """Set efc_KBIP of a friction loss row: it has no position, so k = 0."""
    impedance, slope, dmax = impedance_of(solimp, i, 0.0)
    timeconst, dampratio = resolve_solref(m, solref, i, DEFAULT_TIMECONST, DEFAULT_DAMPRATIO)
    set_impedance(d, row, 0.0, solref_damping(timeconst, dampratio, dmax), impedance, slope)


@kernel
def impedance_ratio(d, row: int):
    """d / (1 - d) of a row, which is diagA / R."""
    return d.efc_KBIP[row, 2] / (1.0 - d.efc_KBIP[row, 2])


@kernel
def row_regularisation(m, d, row: int, odds):
    """Regularisation R = (1 - d) / d diagA of a row.

    Implicit rows (`discrete`) divide it by 1 + h b + h^2 k d, but not below the R of MAXIMP.
    """
    softness = max(MINVAL, d.efc_diagA[row] / odds)
    if m.opt_integrator == DISCRETE:
        least = max(MINVAL, (1.0 - MAXIMP) * d.efc_diagA[row] / MAXIMP)
        softness = max(softness / implicit_row_factor(m, d, row), least)
    return softness


@kernel
def set_regularisation(d, row: int, size: int, softness, odds):
    """Set R of some rows, D = 1 / R, and the diagA that gives this R at the rows' impedance."""
    mass, weight = 1.0 / softness, softness * odds
    for k in range(row, row + size):
        d.efc_R[k] = softness
        d.efc_D[k] = mass
        d.efc_diagA[k] = weight


@kernel
def set_contact_regularisation(m, d, c: int, share, root):
    """R of a contact's rows, and mu of its regularised cone.  Mirrors mj_makeImpedance.

        mu = mu_1 sqrt(share),   share = 1 / impratio
        elliptic:   R_0 from the impedance,  R_1 = share R_0,  R_k = R_1 mu_1^2 / mu_k^2
        pyramidal:  R = 2 mu^2 R_0 on all edges, so that friction is as soft as a cone's

    share, root: 1 / impratio, and its square root.
    """
    row, dim = d.contact_efc_address[c], d.contact_dim[c]
    odds = impedance_ratio(d, row)
    normal = row_regularisation(m, d, row, odds)
    if dim == 1:
        set_regularisation(d, row, 1, normal, odds)
    else:
        tangent = normal * share
        mu = d.contact_friction[c, 0]
        d.contact_mu[c] = mu * root
        if m.opt_cone == 0:
            set_regularisation(d, row, 2 * (dim - 1), 2.0 * mu * mu * share * normal, odds)
        else:
            set_regularisation(d, row, 1, normal, odds)
            set_regularisation(d, row + 1, 1, tangent, odds)
            for k in range(1, dim - 1):
                other = d.contact_friction[c, k]
                set_regularisation(d, row + 1 + k, 1, tangent * mu * mu / (other * other), odds)


@kernel
def set_all_regularisation(m, d):
    """R, D and diagA of all rows; mu of all contacts.  Mirrors mj_makeImpedance."""
    for row in range(d.ne + d.nf + d.nl):
        odds = impedance_ratio(d, row)
        set_regularisation(d, row, 1, row_regularisation(m, d, row, odds), odds)
    share = 1.0 / max(MINVAL, m.opt_impratio)
    root = math.sqrt(share)
    for c in range(d.ncon):
        if d.contact_efc_address[c] >= 0:
            set_contact_regularisation(m, d, c, share, root)
