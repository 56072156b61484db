"""Nonlinear conjugate gradients on the primal problem of an island.  Mirrors mj_solCG.

    p <- -M^-1 g + beta p,    y = g - g_last
    beta = (y' M^-1 g - 2 (y' M^-1 y) (p' g) / (p' y)) / (p' y)
    beta >= -1 / (|p| min(0.01, |g_last|))

Preconditioned by M; the line search is Newton's (`line_search`). Sources: W. W. Hager, H. Zhang,
SIAM Journal on Optimization 16, 2005; MuJoCo: Computation, "Constraint solver", "Algorithms".
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select
from cortenforge.math.vector import MINVAL
from cortenforge.step.solve.island_dofs import (
    array_dot,
    cost_scale,
    gauss_cost_derivatives,
    move_along_search,
    solve_m,
    squared_norm,
    start_from_better,
    warmstart_gauss_cost,
)
from cortenforge.step.solve.line_search import line_search
from cortenforge.step.solve.results import store_statistics
from cortenforge.step.solve.row_cost import (
    choose_warmstart,
    cost_derivatives,
    prepare_rows_for_search,
    subtract_row_forces,
    update_rows,
    without_rounding_loss,
)

#: eta of Hager and Zhang, which bounds beta from below
HAGER_ZHANG_ETA = 0.01


@kernel
def precondition_gradient(d, n: int):
    """iMgrad = M^-1 grad.  Mirrors PrimalUpdateMgrad."""
    for i in range(n):
        d.iMgrad[i] = d.igrad[i]
    solve_m(d, n, d.iMgrad)


@kernel
def restart_direction(d, n: int):
    """search = -M^-1 grad."""
    for i in range(n):
        d.isearch[i] = -d.iMgrad[i]


@kernel
def hager_zhang_direction(d, n: int):
    """search = -M^-1 grad + beta search, with beta of Hager and Zhang; restarts if not downhill."""
    y_mg, y_my, y_search, search_grad = 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        y = d.igrad[i] - d.ilast_grad[i]
        y_mg += y * d.iMgrad[i]
        y_my += y * (d.iMgrad[i] - d.ilast_Mgrad[i])
        y_search += y * d.isearch[i]
        search_grad += d.isearch[i] * d.igrad[i]
    length = math.sqrt(squared_norm(n, d.isearch))
    least = -1.0 / (length * min(HAGER_ZHANG_ETA, math.sqrt(squared_norm(n, d.ilast_grad))))
    beta = max(least, (y_mg - 2.0 * y_my / y_search * search_grad) / y_search)
    # false for nan: then along is zero, and there is nothing to be conjugate to
    usable = abs(beta) < 1e300
    for i in range(n):
        d.isearch[i] = select(usable, beta * d.isearch[i], 0.0) - d.iMgrad[i]
    if not array_dot(n, d.isearch, d.igrad) < 0.0:
        restart_direction(d, n)


@kernel
def store_gradient(d, n: int):
    """Store gradient and preconditioned gradient of this iteration."""
    for i in range(n):
        d.ilast_grad[i] = d.igrad[i]
        d.ilast_Mgrad[i] = d.iMgrad[i]


@kernel(unit=True)
def cg(m, d, island: int):
    """The acceleration that minimises the cost of an island.  Mirrors mj_solCG."""
    n, bounded, cones = d.island_n, d.island_bounded, d.island_cones
    tolerance = m.opt_tolerance
    scale = cost_scale(d, n)
    d.icost = warmstart_gauss_cost(d, n)
    choose_warmstart(d, d.iacc_warm, d.iacc_smooth)
    start_from_better(d, n)
    subtract_row_forces(d, d.igrad)
    precondition_gradient(d, n)
    restart_direction(d, n)
    gradient = scale * math.sqrt(squared_norm(n, d.igrad))
    count, gain, done = 0, 0.0, gradient < tolerance
    while not done and count < m.opt_iterations:
        length = math.sqrt(squared_norm(n, d.isearch))
        if length < MINVAL:
            # nowhere to go: the gradient is zero but for rounding
            done = True
            break
        slope, curve = gauss_cost_derivatives(d, n)
        prepare_rows_for_search(d, bounded, cones, d.isearch)
        flat = tolerance * m.opt_ls_tolerance * length / scale
        first, second = cost_derivatives(d, bounded, cones, slope, curve, 0.0)
        alpha, flat_there = line_search(m, d, bounded, cones, slope, curve, -first / second, flat)
        if alpha == 0.0:
            # few looks along the direction find nothing better
            break
        store_gradient(d, n)
        move_along_search(d, n, alpha)
        gain = scale * without_rounding_loss(
            update_rows(d, bounded, cones, slope, curve, alpha), flat_there
        )
        subtract_row_forces(d, d.igrad)
        gradient = scale * math.sqrt(squared_norm(n, d.igrad))
        count += 1
        # a step uphill, of a line search that was cut short, is no end
        done = (gain >= 0.0 and gain < tolerance) or gradient < tolerance
        if not done:
            precondition_gradient(d, n)
            hager_zhang_direction(d, n)
    store_statistics(d, island, count, gain, gradient, done)
