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
"""

from __future__ import annotations

import math

from cortenforge.fields.data_solver import SMALL
from cortenforge.kernel import any_lane, kernel, select, zero_like
from cortenforge.step.solve.dofs import (
    along_search,
    inertia_scale,
    move,
    squared,
    take_start,
    warm_cost,
)
from cortenforge.step.solve.large import begin_large, go_on_large
from cortenforge.step.solve.line import line_search
from cortenforge.step.solve.problem import DONE, GOING, NOTHING, STUCK
from cortenforge.step.solve.report import report
from cortenforge.step.solve.rows import (
    advance,
    gained,
    prepare_search,
    start,
    subtract_forces,
)
from cortenforge.step.solve.small import begin_small, go_on_small
from cortenforge.step.status import well


@kernel(lanes=True)
def begin_search(m, d):
    """First search direction, -H^-1 grad, from a new Hessian."""
    if m.nv <= SMALL or d.island_n <= SMALL:
        begin_small(m, d)
    else:
        begin_large(m, d)


@kernel(lanes=True)
def go_on(m, d):
    """Next search direction, -H^-1 grad, from the updated Hessian."""
    if m.nv <= SMALL or d.island_n <= SMALL:
        go_on_small(m, d)
    else:
        go_on_large(m, d)


@kernel
def start_rows(d, warm, smooth):
    """Choose the start, in a world that iterates."""
    if d.solving == GOING:
        start(d, warm, smooth)


@kernel
def search_rows(m, d, search):
    """Line search, then residuals and forces after the step, in a world that iterates."""
    if d.solving == GOING:
        bounded, cones = d.island_bounded, d.island_cones
        slope, curve = d.iline_slope, d.iline_curve
        prepare_search(d, bounded, cones, search)
        # the direction is Newton's: the first point to try is 1
        alpha, flat = line_search(m, d, bounded, cones, slope, curve, 1.0, d.iline_flat)
        d.ialpha = alpha
        gain = advance(d, bounded, cones, slope, curve, alpha)
        d.igain = gained(gain, flat)


@kernel
def push_back(d, grad):
    """grad -= J' force, in a world that iterates."""
    if d.solving == GOING:
        subtract_forces(d, grad)


@kernel
def report_world(d, gain, gradient):
    """Store statistics of a world that had an island to solve."""
    if d.solving != NOTHING:
        report(d, d.icurrent, d.icount, gain, gradient, d.solving == DONE)


@kernel(lanes=True)
def goes_on(d):
    """Whether a world is still iterating."""
    return d.solving == GOING and well(d)


@kernel(lanes=True)
def end_where(d, reached):
    """Mark worlds as converged where `reached` holds."""
    d.solving = select(d.solving == GOING and reached, DONE, d.solving)


@kernel(lanes=True)
def end_where_stuck(d):
    """Mark worlds as stalled: few line search iterations found no lower cost."""
    d.solving = select(d.solving == GOING and d.ialpha == 0.0, STUCK, d.solving)


@kernel(lanes=True)
def prepare_line(m, d, n: int, scale):
    """Derivatives of the Gauss cost along the search; derivative that counts as zero."""
    slope, curve = along_search(d, n)
    d.iline_slope = slope
    d.iline_curve = curve
    small = m.opt_tolerance * m.opt_ls_tolerance
    d.iline_flat = small * math.sqrt(squared(n, d.isearch)) / scale


@kernel(lanes=True, unit=True)
def newton(m, d):
    """The acceleration that minimises the cost of an island.  Mirrors mj_solNewton."""
    n = d.island_n
    tolerance = m.opt_tolerance
    scale = inertia_scale(d, n)
    d.icost = warm_cost(d, n)
    start_rows(d, d.iacc_warm, d.iacc_smooth)
    take_start(d, n)
    push_back(d, d.igrad)
    gradient = scale * math.sqrt(squared(n, d.igrad))
    gain = zero_like(scale)
    d.icount = 0
    end_where(d, gradient < tolerance)
    rounds = 0
    if any_lane(d.solving == GOING):
        begin_search(m, d)
    while rounds < m.opt_iterations and any_lane(goes_on(d)):
        rounds += 1
        prepare_line(m, d, n, scale)
        search_rows(m, d, d.isearch)
        move(d, n, d.ialpha)
        push_back(d, d.igrad)
        going = d.solving == GOING
        gradient = select(going, scale * math.sqrt(squared(n, d.igrad)), gradient)
        gain = select(going, scale * d.igain, gain)
        end_where_stuck(d)
        d.icount = select(d.solving == GOING, rounds, d.icount)
        # a step uphill, of a line search that was cut short, is no end
        end_where(d, (gain >= 0.0 and gain < tolerance) or gradient < tolerance)
        if any_lane(d.solving == GOING):
            go_on(m, d)
            end_where(d, 0.5 * scale * d.hess_fall < tolerance)
    report_world(d, gain, gradient)
