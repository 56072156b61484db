"""Newton's method on the primal problem of an island.  Mirrors mj_solNewton.

    cost(a) = (a - a_s)' M (a - a_s) / 2 + s(J a - aref),    a_s: smooth acceleration
    grad    = M a - f_smooth - J' f
    H       = M + J' diag(D of active rows) J + sum J_c' C_c J_c    (c: cones in the middle zone)
    search  = -H^-1 grad,   a <- a + alpha search,   alpha by exact line search

Converged: scale |grad|, scale * decrease, or scale grad' H^-1 grad / 2 below `opt.tolerance`, with
scale = 1 / trace(M). `discrete` puts the metric M + hD + h^2 K in place of M.

One source serves one world and worlds in lockstep: dofs, H and its factor are in lanes; rows, line
search and forces go world by world. Worlds that are done wait for the others.

Source: MuJoCo: Computation, "Constraint solver", "Reduced primal problem" and "Algorithms".
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

import math

from cortenforge.fields.data_solver import SMALL_ISLAND_DOFS
from cortenforge.kernel import any_lane, kernel, select, zero_like
from cortenforge.step.solve.island_dofs import (
    cost_scale,
    gauss_cost_derivatives,
    move_along_search,
    squared_norm,
    start_from_better,
    warmstart_gauss_cost,
)
from cortenforge.step.solve.island_problem import CONVERGED, IDLE, ITERATING, STALLED
from cortenforge.step.solve.large_hessian import first_direction_large, next_direction_large
from cortenforge.step.solve.line_search import line_search
from cortenforge.step.solve.results import store_statistics
from cortenforge.step.solve.row_cost import (
    choose_warmstart,
    prepare_rows_for_search,
    subtract_row_forces,
    update_rows,
    without_rounding_loss,
)
from cortenforge.step.solve.small_hessian import first_direction_small, next_direction_small
from cortenforge.step.status import is_ok


@kernel(lanes=True)
def first_newton_direction(m, d):
    """First search direction, -H^-1 grad, from a new Hessian."""
    if m.nv <= SMALL_ISLAND_DOFS or d.island_n <= SMALL_ISLAND_DOFS:
        first_direction_small(m, d)
    else:
        first_direction_large(m, d)


@kernel(lanes=True)
def next_newton_direction(m, d):
    """Next search direction, -H^-1 grad, from the updated Hessian."""
    if m.nv <= SMALL_ISLAND_DOFS or d.island_n <= SMALL_ISLAND_DOFS:
        next_direction_small(m, d)
    else:
        next_direction_large(m, d)


@kernel
def warmstart_rows(d, warm, smooth):
    """Choose the start, in a world that iterates."""
    if d.solving == ITERATING:
        choose_warmstart(d, warm, smooth)


@kernel
def search_along_rows(m, d, search):
    """Line search, then residuals and forces after the step, in a world that iterates."""
    if d.solving == ITERATING:
        bounded, cones = d.island_bounded, d.island_cones
        slope, curve = d.iline_slope, d.iline_curve
        prepare_rows_for_search(d, bounded, cones, search)
        # the direction is Newton's: the first point to try is 1
        alpha, flat = line_search(m, d, bounded, cones, slope, curve, 1.0, d.iline_flat)
        d.ialpha = alpha
        gain = update_rows(d, bounded, cones, slope, curve, alpha)
        d.igain = without_rounding_loss(gain, flat)


@kernel
def subtract_forces_of_world(d, grad):
    """grad -= J' force, in a world that iterates."""
    if d.solving == ITERATING:
        subtract_row_forces(d, grad)


@kernel
def store_world_statistics(d, gain, gradient):
    """Store statistics of a world that had an island to solve."""
    if d.solving != IDLE:
        store_statistics(d, d.icurrent, d.icount, gain, gradient, d.solving == CONVERGED)


@kernel(lanes=True)
def is_iterating(d):
    """Whether a world is still iterating."""
    return d.solving == ITERATING and is_ok(d)


@kernel(lanes=True)
def mark_converged(d, reached):
    """Mark worlds as converged where `reached` holds."""
    d.solving = select(d.solving == ITERATING and reached, CONVERGED, d.solving)


@kernel(lanes=True)
def mark_stalled(d):
    """Mark worlds as stalled: few line search iterations found no lower cost."""
    d.solving = select(d.solving == ITERATING and d.ialpha == 0.0, STALLED, d.solving)


@kernel(lanes=True)
def prepare_dofs_for_search(m, d, n: int, scale):
    """Derivatives of the Gauss cost along the search; derivative that counts as zero."""
    slope, curve = gauss_cost_derivatives(d, n)
    d.iline_slope = slope
    d.iline_curve = curve
    small = m.opt_tolerance * m.opt_ls_tolerance
    d.iline_flat = small * math.sqrt(squared_norm(n, d.isearch)) / scale


@kernel(lanes=True, unit=True)
def newton(m, d):
    """The acceleration that minimises the cost of an island.  Mirrors mj_solNewton."""
    n = d.island_n
    tolerance = m.opt_tolerance
    scale = cost_scale(d, n)
    d.icost = warmstart_gauss_cost(d, n)
    warmstart_rows(d, d.iacc_warm, d.iacc_smooth)
    start_from_better(d, n)
    subtract_forces_of_world(d, d.igrad)
    gradient = scale * math.sqrt(squared_norm(n, d.igrad))
    gain = zero_like(scale)
    d.icount = 0
    mark_converged(d, gradient < tolerance)
    rounds = 0
    if any_lane(d.solving == ITERATING):
        first_newton_direction(m, d)
    while rounds < m.opt_iterations and any_lane(is_iterating(d)):
        rounds += 1
        prepare_dofs_for_search(m, d, n, scale)
        search_along_rows(m, d, d.isearch)
        move_along_search(d, n, d.ialpha)
        subtract_forces_of_world(d, d.igrad)
        going = d.solving == ITERATING
        gradient = select(going, scale * math.sqrt(squared_norm(n, d.igrad)), gradient)
        gain = select(going, scale * d.igain, gain)
        mark_stalled(d)
        d.icount = select(d.solving == ITERATING, rounds, d.icount)
        # a step uphill, of a line search that was cut short, is no end
        mark_converged(d, (gain >= 0.0 and gain < tolerance) or gradient < tolerance)
        if any_lane(d.solving == ITERATING):
            next_newton_direction(m, d)
            mark_converged(d, 0.5 * scale * d.hess_fall < tolerance)
    store_world_statistics(d, gain, gradient)
