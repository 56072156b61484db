"""Newton's method for the constraints of an island.  Mirrors mj_solNewton."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.step.solve.dofs import (
    along_search,
    inertia_scale,
    move,
    smooth_gradient,
    squared,
    warm_cost,
)
from cortenforge.step.solve.report import report
from cortenforge.step.solve.rows import advance, line_search, prepare_search, start, subtract_forces
from cortenforge.step.solve.small import (
    add_small_cones,
    add_small_rows,
    begin_small,
    factor_small,
    find_small_pattern,
    search_small,
)


@kernel
def direction(d, n: int, cones: int, changed: int, left: int):
    """search = -H^-1 grad, with a new factor where H has changed.

    left: contacts that were in the middle zone before. Gives their number now, and the fall of
    the quadratic model.
    """
    middle = 0
    if cones > 0:
        middle = add_small_cones(d, n, cones)
        if changed + middle + left > 0:
            factor_small(d, n, d.hess_cone)
    elif changed > 0:
        factor_small(d, n, d.hess)
    return middle, search_small(d, n)


@kernel
def newton(m, d, island: int, n: int, bounded: int, rows: int, cones: int):
    """The acceleration that minimises the cost of an island.

    bounded, rows, cones: rows with bounds, all rows, and contacts with elliptic cones.
    """
    tolerance = m.opt_tolerance
    scale = inertia_scale(d, n)
    start(d, n, bounded, rows, cones, warm_cost(d, n))
    smooth_gradient(d, n)
    subtract_forces(d, rows)
    gradient = scale * math.sqrt(squared(n, d.igrad))
    count, gain, done = 0, 0.0, gradient < tolerance
    middle = 0
    if not done:
        find_small_pattern(d, n, rows)
        begin_small(d, n)
        add_small_rows(d, n, rows)
        middle, _ = direction(d, n, cones, 1, 0)
    while not done and count < m.opt_iterations:
        slope, curve = along_search(d, n)
        prepare_search(d, bounded, rows, cones)
        flat = tolerance * m.opt_ls_tolerance * math.sqrt(squared(n, d.isearch)) / scale
        # the direction is Newton's: the first point to try is 1
        alpha = line_search(m, d, bounded, cones, slope, curve, 1.0, flat)
        move(d, n, alpha)
        gain = scale * advance(d, bounded, rows, cones, slope, curve, alpha)
        subtract_forces(d, rows)
        gradient = scale * math.sqrt(squared(n, d.igrad))
        count += 1
        done = gain < tolerance or gradient < tolerance
        if not done:
            changed = add_small_rows(d, n, rows)
            middle, fall = direction(d, n, cones, changed, middle)
            done = 0.5 * scale * fall < tolerance
    report(d, island, count, gain, gradient, done)
