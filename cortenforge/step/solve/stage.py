"""From the smooth acceleration to the one with constraints.  Mirrors mj_fwdConstraint."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import CG, NEWTON
from cortenforge.step.solve.cg import cg
from cortenforge.step.solve.islands import find_islands
from cortenforge.step.solve.newton import newton
from cortenforge.step.solve.noslip import noslip
from cortenforge.step.solve.pgs import pgs
from cortenforge.step.solve.problem import has_row_room, take_dofs, take_factor, take_rows
from cortenforge.step.solve.report import give_back
from cortenforge.step.status import fail, well
from cortenforge.step.statuses import NOT_SOLVED


@kernel(unit=True)
def constrain(m, d):
    """The acceleration with constraints, island by island, and the forces that make it."""
    for i in range(m.nv):
        d.qacc[i] = d.qacc_smooth[i]
        d.qfrc_constraint[i] = 0.0
    d.nisland = 0
    d.solver_converged = 1
    d.solver_residual = 0.0
    if d.nefc > 0:
        find_islands(m, d)
        for island in range(d.nisland):
            if has_row_room(d, island) and well(d):
                take_dofs(m, d, island, d.M)
                take_rows(m, d, island)
                solve_island(m, d, island)
                give_back(d, island)
        if m.opt_strict != 0:
            fail(d, d.solver_converged == 0, NOT_SOLVED, m.opt_iterations, d.solver_residual)


@kernel
def solve_island(m, d, island: int):
    """One island, by the solver that the options ask for."""
    if m.opt_solver == NEWTON:
        newton(m, d, island)
    else:
        take_factor(m, d, island, d.qLD, d.qLDiagInv)
        if m.opt_solver == CG:
            cg(m, d, island)
        else:
            pgs(m, d, island)
    if m.opt_noslip_iterations > 0:
        if m.opt_solver == NEWTON:
            take_factor(m, d, island, d.qLD, d.qLDiagInv)
        noslip(m, d, island)
