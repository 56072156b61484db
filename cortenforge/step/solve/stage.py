"""The solver stage: smooth acceleration to constrained one.  Mirrors mj_fwdConstraint.

    qacc = argmin (a - qacc_smooth)' M (a - qacc_smooth) / 2 + s(J a - aref),   qfrc = J' f

This is Gauss' principle of least constraint with soft rows. Islands are solved one by one.
Source: MuJoCo: Computation, "Constraint solver".
"""

from __future__ import annotations

from cortenforge.fields.data_solver import SMALL
from cortenforge.kernel import any_lane, in_lane, kernel, lane_bits, lowest_bit, world
from cortenforge.step.constants import CG, DISCRETE, NEWTON
from cortenforge.step.integrate.coupling import couple_rows
from cortenforge.step.solve.cg import cg
from cortenforge.step.solve.islands import find_islands
from cortenforge.step.solve.newton import newton
from cortenforge.step.solve.noslip import noslip
from cortenforge.step.solve.pgs import pgs
from cortenforge.step.solve.problem import (
    NOTHING,
    choose_dofs,
    has_dofs,
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
    """qacc and constraint forces: minimise the cost of each island.  Mirrors mj_fwdConstraint.

    Newton on islands of up to SMALL dofs runs in lockstep over lanes; all else world by world.
    """
    for i in range(m.nv):
        d.qacc[i] = d.qacc_smooth[i]
        d.qfrc_constraint[i] = 0.0
    d.nisland = 0
    d.inext = -1
    begin_solving(m, d)
    if any_lane(d.nisland > 0):
        if m.opt_solver == NEWTON and m.opt_noslip_iterations == 0 and m.nv <= SMALL:
            solve_together(m, d)
        else:
            solve_islands(m, d)
        if m.opt_strict != 0:
            refuse_unsolved(m, d)


@kernel
def begin_solving(m, d):
    """Coupling rows (`discrete`), islands, and the first island to solve."""
    d.solver_converged = 1
    d.solver_residual = 0.0
    d.ncouple = 0
    if m.opt_integrator == DISCRETE and d.nefc > 0:
        couple_rows(m, d)
    if d.nefc > 0 and well(d):
        find_islands(m, d)
        for island in range(d.nisland):
            d.island_done[island] = 0
        look_for_next(d, 0)


@kernel
def look_for_next(d, first: int):
    """inext: the first unsolved island from `first` on, or -1; inext_n: its dofs."""
    island = first
    while island < d.nisland and d.island_done[island] == 1:
        island += 1
    d.inext = island if island < d.nisland else -1
    d.inext_n = d.island_nv[island] if island < d.nisland else 0


@kernel(lanes=True)
def is_unsolved(d):
    """Whether a world has unsolved islands."""
    return d.inext >= 0 and well(d)


@kernel(lanes=True)
def solve_together(m, d):
    """Solve all islands of all worlds in lockstep.

    Each round takes the next island of the first world that has one left, loads its dofs in all
    lanes, and joins every world that has an unsolved island of exactly the same dofs. Newton's
    method runs on these worlds at once; the others wait, masked (`solving` is IDLE).
    """
    left = lane_bits(is_unsolved(d))
    while left != 0:
        lead = lowest_bit(left)
        d.solving = NOTHING
        d.island_cones = 0
        d.island_n = in_lane(d.inext_n, lead)
        choose_next(world(d, lead), d.idof, d.iplace)
        if m.opt_integrator == DISCRETE:
            take_dofs(m, d, d.metric, d.metric_frc)
        else:
            take_dofs(m, d, d.M, d.qfrc_smooth)
        take_if_same(m, d, d.island_n, d.idof)
        newton(m, d)
        give_accelerations(d)
        end_island(d)
        left = lane_bits(is_unsolved(d))


@kernel
def choose_next(d, dofs, places):
    """Select the dofs of a world's next island: list `dofs`, inverse `places`."""
    choose_dofs(d, d.inext, dofs, places)


@kernel
def take_if_same(m, d, n: int, dofs):
    """Load the rows of a world's unsolved island of exactly these n dofs, if it has one."""
    island = d.dof_island[dofs[0]] if d.nisland > 0 else -1
    same = island >= 0 and d.island_done[island] == 0 and has_dofs(d, island, n, dofs)
    if same and has_row_room(d, island):
        d.icurrent = island
        take_rows(m, d, island)


@kernel
def end_island(d):
    """Store forces of a world that took part, and find its next island."""
    if d.solving != NOTHING:
        give_forces(d)
        d.island_done[d.icurrent] = 1
        look_for_next(d, d.inext)


@kernel
def solve_islands(m, d):
    """Solve the islands of one world, one after another."""
    for island in range(d.nisland):
        if has_row_room(d, island) and well(d):
            d.icurrent = island
            d.island_n = d.island_nv[island]
            choose_dofs(d, island, d.idof, d.iplace)
            if m.opt_integrator == DISCRETE:
                take_dofs(m, d, d.metric, d.metric_frc)
            else:
                take_dofs(m, d, d.M, d.qfrc_smooth)
            take_rows(m, d, island)
            solve_island(m, d, island)
            give_accelerations(d)
            give_forces(d)


@kernel
def solve_island(m, d, island: int):
    """Solve one island with the solver of `opt.solver`, then noslip if asked for."""
    if m.opt_solver == NEWTON:
        newton(m, d)
    else:
        take_factor_of(m, d)
        if m.opt_solver == CG:
            cg(m, d, island)
        else:
            pgs(m, d, island)
    if m.opt_noslip_iterations > 0:
        if m.opt_solver == NEWTON:
            take_factor_of(m, d)
        noslip(m, d, island)


@kernel
def take_factor_of(m, d):
    """Load the factor of M, or, with `discrete`, of the metric without its couplings."""
    if m.opt_integrator == DISCRETE:
        take_factor(m, d, d.qH, d.qHDiagInv)
    else:
        take_factor(m, d, d.qLD, d.qLDiagInv)


@kernel
def refuse_unsolved(m, d):
    """Fail a strict world whose solver did not converge (`opt.strict`)."""
    fail(d, d.solver_converged == 0, NOT_SOLVED, m.opt_iterations, d.solver_residual)
