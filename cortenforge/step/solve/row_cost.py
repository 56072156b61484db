"""Piecewise quadratic cost of an island's rows: residual, force, gradient, line search.

    x = J acc - aref,   f = clamp(-D x, lo, hi),   cost = -f (x + R f / 2),   D = 1 / R

    equality        lo = -inf, hi = inf          cost D x^2 / 2
    friction loss   lo = -loss, hi = loss        the Huber function: linear beyond |x| = R loss
    limit, pyramid  lo = 0, hi = inf             cost D x^2 / 2 for x < 0, else 0

One formula serves all of these. Padding rows have D = R = 0. Rows of elliptic cones have no force
by it; `elliptic_cones` adds theirs. Source: MuJoCo: Computation, "Constraint solver", "Reduced
primal problem": s(J acc - aref).
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.step.solve.elliptic_cones import (
    cone_cost_at,
    cone_cost_derivatives,
    prepare_cone_for_search,
    update_cone,
)
from cortenforge.step.solve.row_quads import (
    multiply_quads,
    quad_residuals,
    store_four,
    subtract_quad_forces,
)


@kernel
def clamp_row_force(y, lo, hi):
    """A force y, clamped to [lo, hi]."""
    return select(y > lo, select(y < hi, y, hi), lo)


@kernel
def value_if_unclamped(y, lo, hi, value):
    """`value` where a force y is strictly between its bounds, else 0."""
    return select(y > lo, select(y < hi, value, 0.0), 0.0)


@kernel
def row_residuals(d, rows: int, x, out):
    """out = J x - aref, for rows that are stored one by one."""
    row_residuals_from(d, 0, rows, x, out)


@kernel
def row_residuals_from(d, first: int, rows: int, x, out):
    """out = J x - aref, from row `first` on."""
    for r in range(first, rows):
        total = -d.iefc_aref[r]
        start = d.iefc_adr[r]
        for k in range(start, start + d.iefc_nnz[r]):
            total += d.iefc_J[k] * x[d.iefc_colind[k]]
        out[r] = total


@kernel
def choose_warmstart(d, warm, smooth):
    """Choose the start: last step's acceleration, or the smooth one if that costs less.

    Sets istart (1: last step's), residuals iefc_x and forces there. icost is the Gauss cost of
    last step's acceleration; that of the smooth one is zero.  Mirrors warmstart.
    """
    bounded, rows, cones = d.island_bounded, d.island_rows, d.island_cones
    quad_residuals(d, warm, d.iefc_aref, d.iefc_x)
    quad_residuals(d, smooth, d.iefc_aref, d.iefc_v)
    row_residuals_from(d, bounded, rows, warm, d.iefc_x)
    row_residuals_from(d, bounded, rows, smooth, d.iefc_v)
    cost = d.icost
    for r in range(bounded):
        D, R, lo, hi = d.iefc_D[r], d.iefc_R[r], d.iefc_lo[r], d.iefc_hi[r]
        x, y = d.iefc_x[r], d.iefc_v[r]
        f = clamp_row_force(-D * x, lo, hi)
        g = clamp_row_force(-D * y, lo, hi)
        cost += g * (y + 0.5 * R * g) - f * (x + 0.5 * R * f)
    for c in range(cones):
        cost += cone_cost_at(d, c, d.iefc_x) - cone_cost_at(d, c, d.iefc_v)
    # false for nan as well: nothing is started from what is no number
    d.istart = 1 if cost <= 0.0 else 0
    if d.istart == 0:
        for r in range(rows):
            d.iefc_x[r] = d.iefc_v[r]
    for r in range(rows):
        d.iefc_stiff[r] = 0.0
    initial_row_forces(d, bounded, cones)


@kernel
def initial_row_forces(d, bounded: int, cones: int):
    """Forces at iefc_x, and stiffness of rows that is not in H yet."""
    for r in range(bounded):
        D, lo, hi = d.iefc_D[r], d.iefc_lo[r], d.iefc_hi[r]
        y = -D * d.iefc_x[r]
        stiff = value_if_unclamped(y, lo, hi, D)
        d.iefc_force[r] = clamp_row_force(y, lo, hi)
        d.iefc_delta[r] = stiff
        d.iefc_stiff[r] = stiff
    for c in range(cones):
        update_cone(d, c)


@kernel
def subtract_row_forces(d, grad):
    """grad -= J' force; see `subtract_quad_forces` on rounding."""
    subtract_quad_forces(d, grad)
    for r in range(d.island_bounded, d.island_rows):
        f = d.iefc_force[r]
        if f != 0.0:
            start = d.iefc_adr[r]
            for k in range(start, start + d.iefc_nnz[r]):
                push = d.iefc_J[k] * f
                grad[d.iefc_colind[k]] -= push


@kernel
def prepare_rows_for_search(d, bounded: int, cones: int, search):
    """Residuals and forces along the search direction: iefc_v = J search, y = -D x, dy = -D v.

    Mirrors PrimalPrepare.
    """
    multiply_quads(d, search, d.iefc_v)
    for r in range(bounded, d.island_rows):
        total = 0.0
        start = d.iefc_adr[r]
        for k in range(start, start + d.iefc_nnz[r]):
            total += d.iefc_J[k] * search[d.iefc_colind[k]]
        d.iefc_v[r] = total
    for r in range(0, bounded, 4):
        D0, D1, D2, D3 = -d.iefc_D[r], -d.iefc_D[r + 1], -d.iefc_D[r + 2], -d.iefc_D[r + 3]
        v0, v1, v2, v3 = d.iefc_v[r], d.iefc_v[r + 1], d.iefc_v[r + 2], d.iefc_v[r + 3]
        x0, x1, x2, x3 = d.iefc_x[r], d.iefc_x[r + 1], d.iefc_x[r + 2], d.iefc_x[r + 3]
        y0, y1, y2, y3 = D0 * v0, D1 * v1, D2 * v2, D3 * v3
        store_four(d.iefc_y, r, D0 * x0, D1 * x1, D2 * x2, D3 * x3)
        store_four(d.iefc_dy, r, y0, y1, y2, y3)
        store_four(d.iefc_quad, r, -y0 * v0, -y1 * v1, -y2 * v2, -y3 * v3)
    for c in range(cones):
        prepare_cone_for_search(d, c)


@kernel
def cost_derivatives(d, bounded: int, cones: int, slope, curve, alpha):
    """(first, second) derivative of the cost along the search, at alpha.  Mirrors PrimalEval.

    slope, curve: derivatives of the Gauss cost at alpha = 0.
    """
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    c0, c1, c2, c3 = 0.0, 0.0, 0.0, 0.0
    for r in range(0, bounded, 4):
        y0 = d.iefc_y[r] + alpha * d.iefc_dy[r]
        y1 = d.iefc_y[r + 1] + alpha * d.iefc_dy[r + 1]
        y2 = d.iefc_y[r + 2] + alpha * d.iefc_dy[r + 2]
        y3 = d.iefc_y[r + 3] + alpha * d.iefc_dy[r + 3]
        l0, l1, l2, l3 = d.iefc_lo[r], d.iefc_lo[r + 1], d.iefc_lo[r + 2], d.iefc_lo[r + 3]
        h0, h1, h2, h3 = d.iefc_hi[r], d.iefc_hi[r + 1], d.iefc_hi[r + 2], d.iefc_hi[r + 3]
        s0 += clamp_row_force(y0, l0, h0) * d.iefc_v[r]
        s1 += clamp_row_force(y1, l1, h1) * d.iefc_v[r + 1]
        s2 += clamp_row_force(y2, l2, h2) * d.iefc_v[r + 2]
        s3 += clamp_row_force(y3, l3, h3) * d.iefc_v[r + 3]
        c0 += value_if_unclamped(y0, l0, h0, d.iefc_quad[r])
        c1 += value_if_unclamped(y1, l1, h1, d.iefc_quad[r + 1])
        c2 += value_if_unclamped(y2, l2, h2, d.iefc_quad[r + 2])
        c3 += value_if_unclamped(y3, l3, h3, d.iefc_quad[r + 3])
    first = slope + alpha * curve - ((s0 + s1) + (s2 + s3))
    second = curve + ((c0 + c1) + (c2 + c3))
    for c in range(cones):
        cone_first, cone_second = cone_cost_derivatives(d, c, alpha)
        first += cone_first
        second += cone_second
    return first, second


@kernel
def cost_decrease(d, bounded: int, cones: int, slope, curve, alpha):
    """Decrease of the cost by a step alpha; leaves residuals of cones there in iefc_y."""
    gain = 0.0
    for r in range(bounded):
        _x, _f, _s, fall = row_after_step(d, r, alpha)
        gain += 0.5 * fall
    for r in range(bounded, d.island_rows):
        d.iefc_y[r] = d.iefc_x[r] + alpha * d.iefc_v[r]
    for c in range(cones):
        gain += d.cone_cost[c] - cone_cost_at(d, c, d.iefc_y)
    return gain - alpha * (slope + 0.5 * alpha * curve)


@kernel
def update_rows(d, bounded: int, cones: int, slope, curve, alpha):
    """Residuals and forces after a step alpha; the decrease of the cost.

    iefc_delta becomes the change of each row's stiffness. Mirrors PrimalUpdateConstraint.
    """
    g0, g1, g2, g3 = 0.0, 0.0, 0.0, 0.0
    for r in range(0, bounded, 4):
        x0, f0, s0, more0 = row_after_step(d, r, alpha)
        x1, f1, s1, more1 = row_after_step(d, r + 1, alpha)
        x2, f2, s2, more2 = row_after_step(d, r + 2, alpha)
        x3, f3, s3, more3 = row_after_step(d, r + 3, alpha)
        g0 += more0
        g1 += more1
        g2 += more2
        g3 += more3
        b0, b1 = d.iefc_stiff[r], d.iefc_stiff[r + 1]
        b2, b3 = d.iefc_stiff[r + 2], d.iefc_stiff[r + 3]
        store_four(d.iefc_delta, r, s0 - b0, s1 - b1, s2 - b2, s3 - b3)
        store_four(d.iefc_stiff, r, s0, s1, s2, s3)
        store_four(d.iefc_force, r, f0, f1, f2, f3)
        store_four(d.iefc_x, r, x0, x1, x2, x3)
    gain = 0.5 * ((g0 + g1) + (g2 + g3)) - alpha * (slope + 0.5 * alpha * curve)
    for r in range(bounded, d.island_rows):
        d.iefc_x[r] += alpha * d.iefc_v[r]
    for c in range(cones):
        before = d.cone_cost[c]
        update_cone(d, c)
        gain += before - d.cone_cost[c]
    return gain


@kernel
def without_rounding_loss(gain, flat):
    """A decrease of the cost; where the derivative is zero, a negative one is rounding: 0."""
    return max(gain, 0.0) if flat else gain


@kernel
def row_after_step(d, r: int, alpha):
    """(residual, force, stiffness, 2 * cost decrease) of a row after a step alpha.

    With e = x + R f, the difference of costs is -((f + f0) (x - x0) + (f - f0) (e + e0)) / 2,
    whichever pieces x and x0 are on, without cancellation.
    """
    D, R, lo, hi = d.iefc_D[r], d.iefc_R[r], d.iefc_lo[r], d.iefc_hi[r]
    x0, f0 = d.iefc_x[r], d.iefc_force[r]
    step = alpha * d.iefc_v[r]
    x = x0 + step
    y = -D * x
    f = clamp_row_force(y, lo, hi)
    fall = (f + f0) * step + (f - f0) * ((x + R * f) + (x0 + R * f0))
    return x, f, value_if_unclamped(y, lo, hi, D), fall
