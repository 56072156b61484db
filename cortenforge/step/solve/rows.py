"""Rows of an island: residuals, forces, their part of the gradient, the exact line search.

One formula serves equalities, friction loss, limits and pyramidal contacts: the force is -D x, kept
between two bounds, and the cost is -f (x + R f / 2). Rows that fill up to fours have D = R = 0.
Rows of elliptic cones have no force by that formula; the cone adds it (`cones`).
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.step.solve.cones import (
    cone_cost_at,
    cone_slope,
    force_of_cone,
    prepare_cone,
)

#: the search goes no farther
FARTHEST = 1e300


@kernel
def clamp(y, lo, hi):
    """A force between its bounds."""
    return select(y > lo, select(y < hi, y, hi), lo)


@kernel
def inside(y, lo, hi, value):
    """The value where the force is not at a bound, else 0."""
    return select(y > lo, select(y < hi, value, 0.0), 0.0)


@kernel
def residuals(d, rows: int, x, out):
    """out = J x - aref."""
    for r in range(rows):
        total = -d.iefc_aref[r]
        start = d.iefc_adr[r]
        for k in range(start, start + d.iefc_nnz[r]):
            total += d.iefc_J[k] * x[d.iefc_colind[k]]
        out[r] = total


@kernel
def start(d, warm, smooth):
    """Which of two accelerations is the better start: that of the last step, or the smooth one?

    Residuals and forces are those at the start. Gauss' cost of the former is in icost; that of the
    latter is zero.
    """
    bounded, rows, cones = d.island_bounded, d.island_rows, d.island_cones
    residuals(d, rows, warm, d.iefc_x)
    residuals(d, rows, smooth, d.iefc_v)
    cost = d.icost
    for r in range(bounded):
        D, R, lo, hi = d.iefc_D[r], d.iefc_R[r], d.iefc_lo[r], d.iefc_hi[r]
        x, y = d.iefc_x[r], d.iefc_v[r]
        f = clamp(-D * x, lo, hi)
        g = clamp(-D * y, lo, hi)
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
    first_forces(d, bounded, cones)


@kernel
def first_forces(d, bounded: int, cones: int):
    """Forces at the residuals that there are, and stiffness of rows that H does not know yet."""
    for r in range(bounded):
        D, lo, hi = d.iefc_D[r], d.iefc_lo[r], d.iefc_hi[r]
        y = -D * d.iefc_x[r]
        stiff = inside(y, lo, hi, D)
        d.iefc_force[r] = clamp(y, lo, hi)
        d.iefc_delta[r] = stiff
        d.iefc_stiff[r] = stiff
    for c in range(cones):
        force_of_cone(d, c)


@kernel
def subtract_forces(d, grad):
    """grad -= J' force.

    Products are rounded before they are added, so that equal forces of opposite edges of a pyramid
    cancel to the last bit: what is balanced stays so.
    """
    for r in range(d.island_rows):
        f = d.iefc_force[r]
        if f != 0.0:
            start = d.iefc_adr[r]
            for k in range(start, start + d.iefc_nnz[r]):
                push = d.iefc_J[k] * f
                grad[d.iefc_colind[k]] -= push


@kernel
def prepare_search(d, bounded: int, cones: int, search):
    """How residuals and forces change along the search direction."""
    for r in range(d.island_rows):
        total = 0.0
        start = d.iefc_adr[r]
        for k in range(start, start + d.iefc_nnz[r]):
            total += d.iefc_J[k] * search[d.iefc_colind[k]]
        d.iefc_v[r] = total
    for r in range(bounded):
        D, v = -d.iefc_D[r], d.iefc_v[r]
        d.iefc_y[r] = D * d.iefc_x[r]
        d.iefc_dy[r] = D * v
        d.iefc_quad[r] = -(D * v) * v
    for c in range(cones):
        prepare_cone(d, c)


@kernel
def slope_at(d, bounded: int, cones: int, slope, curve, alpha):
    """First and second derivative of the cost along the search direction.

    slope, curve: those of the smooth part at alpha = 0.
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
        s0 += clamp(y0, l0, h0) * d.iefc_v[r]
        s1 += clamp(y1, l1, h1) * d.iefc_v[r + 1]
        s2 += clamp(y2, l2, h2) * d.iefc_v[r + 2]
        s3 += clamp(y3, l3, h3) * d.iefc_v[r + 3]
        c0 += inside(y0, l0, h0, d.iefc_quad[r])
        c1 += inside(y1, l1, h1, d.iefc_quad[r + 1])
        c2 += inside(y2, l2, h2, d.iefc_quad[r + 2])
        c3 += inside(y3, l3, h3, d.iefc_quad[r + 3])
    first = slope + alpha * curve - ((s0 + s1) + (s2 + s3))
    second = curve + ((c0 + c1) + (c2 + c3))
    for c in range(cones):
        a, b = cone_slope(d, c, alpha)
        first += a
        second += b
    return first, second


@kernel
def line_search(m, d, bounded: int, cones: int, slope, curve, begin, small):
    """Where the cost is least along the search direction: Newton's method, kept in a bracket.

    begin: the first point to try; small: the slope that is as good as none.
    """
    alpha = begin
    first, second = slope_at(d, bounded, cones, slope, curve, alpha)
    lower, upper = 0.0, FARTHEST
    count = 1
    while abs(first) >= small and count < m.opt_ls_iterations:
        if first < 0.0:
            lower = alpha
        else:
            upper = alpha
        step = alpha - first / second
        if not (step > lower and step < upper):
            step = select(upper < FARTHEST, 0.5 * (lower + upper), 2.0 * alpha)
        if step == alpha:
            break
        alpha = step
        first, second = slope_at(d, bounded, cones, slope, curve, alpha)
        count += 1
    return alpha


@kernel
def advance(d, bounded: int, cones: int, slope, curve, alpha):
    """Residuals and forces after the step; by how much the cost falls.

    The difference of a row's costs is -((f + f0)(x - x0) + (f - f0)(e + e0)) / 2 with e = x + R f,
    wherever both are, and without cancellation.
    """
    gain = -alpha * (slope + 0.5 * alpha * curve)
    for r in range(bounded):
        D, R, lo, hi = d.iefc_D[r], d.iefc_R[r], d.iefc_lo[r], d.iefc_hi[r]
        x0, f0 = d.iefc_x[r], d.iefc_force[r]
        step = alpha * d.iefc_v[r]
        x = x0 + step
        y = -D * x
        f = clamp(y, lo, hi)
        stiff = inside(y, lo, hi, D)
        gain += 0.5 * ((f + f0) * step + (f - f0) * ((x + R * f) + (x0 + R * f0)))
        d.iefc_delta[r] = stiff - d.iefc_stiff[r]
        d.iefc_stiff[r] = stiff
        d.iefc_force[r] = f
        d.iefc_x[r] = x
    for r in range(bounded, d.island_rows):
        d.iefc_x[r] += alpha * d.iefc_v[r]
    for c in range(cones):
        before = d.cone_cost[c]
        force_of_cone(d, c)
        gain += before - d.cone_cost[c]
    return gain
