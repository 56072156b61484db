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
from cortenforge.step.solve.large import begin_large, go_on_large
from cortenforge.step.solve.report import report
from cortenforge.step.solve.rows import advance, line_search, prepare_search, start, subtract_forces
from cortenforge.step.solve.small import SMALL, begin_small, go_on_small
from cortenforge.step.status import well


@kernel
def begin_search(m, d):
    """The first search direction."""
    if m.nv <= SMALL or d.island_n <= SMALL:
        begin_small(m, d)
    else:
        begin_large(m, d)


@kernel
def go_on(m, d):
    """The next search direction."""
    if m.nv <= SMALL or d.island_n <= SMALL:
        go_on_small(m, d)
    else:
        go_on_large(m, d)


@kernel(unit=True)
def newton(m, d, island: int):
    """The acceleration that minimises the cost of an island."""
    n, rows = d.island_n, d.island_rows
    bounded, cones = d.island_bounded, d.island_cones
    tolerance = m.opt_tolerance
    scale = inertia_scale(d, n)
    start(d, n, bounded, rows, cones, warm_cost(d, n))
    smooth_gradient(d, n)
    subtract_forces(d, rows)
    gradient = scale * math.sqrt(squared(n, d.igrad))
    count, gain, done = 0, 0.0, gradient < tolerance
    if not done:
        begin_search(m, d)
    while not done and count < m.opt_iterations and well(d):
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
            go_on(m, d)
            done = 0.5 * scale * d.hess_fall < tolerance
    report(d, island, count, gain, gradient, done)
