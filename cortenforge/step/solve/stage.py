"""From the smooth acceleration to the one with constraints.  Mirrors mj_fwdConstraint."""

from __future__ import annotations

from cortenforge.fields.data_solver import SMALL
from cortenforge.kernel import any_lane, kernel
from cortenforge.step.constants import CG, NEWTON, NO_ISLAND
from cortenforge.step.solve.cg import cg
from cortenforge.step.solve.islands import find_islands
from cortenforge.step.solve.newton import newton
from cortenforge.step.solve.noslip import noslip
from cortenforge.step.solve.pgs import pgs
from cortenforge.step.solve.problem import (
    NOTHING,
    choose_all_dofs,
    choose_dofs,
    has_row_room,
    take_dofs,
    take_factor,
    take_rows,
)
from cortenforge.step.solve.report import give_accelerations, give_forces
from cortenforge.step.status import fail, well
from cortenforge.step.statuses import NOT_SOLVED


@kernel(lanes=True, unit=True)
def constrain(m, d):
    """The acceleration with constraints, and the forces that make it.

    Where all dofs are one island in every world, and few, worlds are solved together; otherwise
    world by world, and island by island.
    """
    for i in range(m.nv):
        d.qacc[i] = d.qacc_smooth[i]
        d.qfrc_constraint[i] = 0.0
    d.nisland = 0
    begin_solving(m, d)
    if any_lane(d.nisland > 0):
        if (
            m.opt_solver == NEWTON
            and m.opt_noslip_iterations == 0
            and m.nv <= SMALL
            and (m.ntree == 1 or m.opt_disableflags & NO_ISLAND != 0)
        ):
            solve_together(m, d)
        else:
            solve_islands(m, d)
        if m.opt_strict != 0:
            refuse_unsolved(m, d)


@kernel
def begin_solving(m, d):
    """Which islands there are."""
    d.solver_converged = 1
    d.solver_residual = 0.0
    if d.nefc > 0:
        find_islands(m, d)


@kernel(lanes=True)
def solve_together(m, d):
    """All dofs of all worlds, by Newton's method."""
    d.solving = NOTHING
    d.island_cones = 0
    choose_all_dofs(m, d)
    take_dofs(m, d, d.M)
    take_only_island(m, d)
    newton(m, d, 0)
    give_accelerations(d)
    give_all_forces(d)


@kernel
def take_only_island(m, d):
    """All rows of a world that has any."""
    if d.nisland > 0 and has_row_room(d, 0):
        take_rows(m, d, 0)


@kernel
def give_all_forces(d):
    """What a world has found."""
    if d.solving != NOTHING:
        give_forces(d)


@kernel
def solve_islands(m, d):
    """Islands of a world, one after another."""
    for island in range(d.nisland):
        if has_row_room(d, island) and well(d):
            choose_dofs(d, island)
            take_dofs(m, d, d.M)
            take_rows(m, d, island)
            solve_island(m, d, island)
            give_accelerations(d)
            give_forces(d)


@kernel
def solve_island(m, d, island: int):
    """One island, by the solver that the options ask for."""
    if m.opt_solver == NEWTON:
        newton(m, d, island)
    else:
        take_factor(m, d, d.qLD, d.qLDiagInv)
        if m.opt_solver == CG:
            cg(m, d, island)
        else:
            pgs(m, d, island)
    if m.opt_noslip_iterations > 0:
        if m.opt_solver == NEWTON:
            take_factor(m, d, d.qLD, d.qLDiagInv)
        noslip(m, d, island)


@kernel
def refuse_unsolved(m, d):
    """A world whose solver did not come to an end fails, if it is asked to."""
    fail(d, d.solver_converged == 0, NOT_SOLVED, m.opt_iterations, d.solver_residual)
