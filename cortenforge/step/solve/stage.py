"""The solver stage: smooth acceleration to constrained one.  Mirrors mj_fwdConstraint.

    qacc = argmin (a - qacc_smooth)' M (a - qacc_smooth) / 2 + s(J a - aref),   qfrc = J' f

This is Gauss' principle of least constraint with soft rows. Islands are solved one by one.
Source: MuJoCo: Computation, "Constraint solver".
"""

from __future__ import annotations

from cortenforge.fields.data_solver import SMALL_ISLAND_DOFS
from cortenforge.kernel import any_lane, in_lane, kernel, lane_bits, lowest_bit, world
from cortenforge.step.constants import CG, DISCRETE, NEWTON
from cortenforge.step.metric.coupling import make_coupling_rows
from cortenforge.step.solve.cg import cg
from cortenforge.step.solve.dense_dual import add_row_accelerations, has_dense_islands
from cortenforge.step.solve.island_problem import (
    IDLE,
    has_row_capacity,
    has_same_dofs,
    load_dofs,
    load_factor,
    load_rows,
    select_dofs,
)
from cortenforge.step.solve.islands import find_islands
from cortenforge.step.solve.newton import newton
from cortenforge.step.solve.noslip import noslip
from cortenforge.step.solve.pgs import pgs, pgs_on_few_rows
from cortenforge.step.solve.results import store_accelerations, store_forces
from cortenforge.step.status import fail, is_ok
from cortenforge.step.statuses import NOT_SOLVED


@kernel(lanes=True, unit=True)
def solve_constraints(m, d):
    """qacc and constraint forces: minimise the cost of each island.  Mirrors mj_fwdConstraint.

    Newton on islands of up to SMALL dofs runs in lockstep over lanes, all else world by world; of
    islands of few rows that PGS solves, accelerations are computed in lanes.
    """
    for i in range(m.nv):
        d.qacc[i] = d.qacc_smooth[i]
        d.qfrc_constraint[i] = 0.0
    d.nisland = 0
    d.inext = -1
    prepare_islands(m, d)
    if any_lane(d.nisland > 0):
        if m.opt_solver == NEWTON and m.opt_noslip_iterations == 0 and m.nv <= SMALL_ISLAND_DOFS:
            solve_islands_in_lanes(m, d)
        elif has_dense_islands(m):
            for i in range(m.nv):
                d.qacc_rows[i] = 0.0
            pgs_on_few_rows(m, d)
            solve_islands(m, d)
            add_row_accelerations(m, d)
        else:
            solve_islands(m, d)
        if m.opt_strict != 0:
            fail_if_not_converged(m, d)


@kernel
def prepare_islands(m, d):
    """Coupling rows (`discrete`), islands, and the first island to solve."""
    d.solver_converged = 1
    d.solver_residual = 0.0
    d.ncouple = 0
    if m.opt_integrator == DISCRETE and d.nefc > 0:
        make_coupling_rows(m, d)
    if d.nefc > 0 and is_ok(d):
        find_islands(m, d)
        for island in range(d.nisland):
            d.island_done[island] = 0
        find_next_island(d, 0)


@kernel
def find_next_island(d, first: int):
    """inext: the first unsolved island from `first` on, or -1; inext_n: its dofs."""
    island = first
    while island < d.nisland and d.island_done[island] == 1:
        island += 1
    d.inext = island if island < d.nisland else -1
    d.inext_n = d.island_nv[island] if island < d.nisland else 0


@kernel(lanes=True)
def has_unsolved_island(d):
    """Whether a world has unsolved islands."""
    return d.inext >= 0 and is_ok(d)


@kernel(lanes=True)
def solve_islands_in_lanes(m, d):
    """Solve all islands of all worlds in lockstep.

    Each round takes the next island of the first world that has one left, loads its dofs in all
    lanes, and joins every world that has an unsolved island of exactly the same dofs. Newton's
    method runs on these worlds at once; the others wait, masked (`solving` is IDLE).
    """
    left = lane_bits(has_unsolved_island(d))
    while left != 0:
        lead = lowest_bit(left)
        d.solving = IDLE
        d.island_cones = 0
        d.island_n = in_lane(d.inext_n, lead)
        select_dofs_of_next(world(d, lead), d.idof, d.iplace)
        if m.opt_integrator == DISCRETE:
            load_dofs(m, d, d.metric, d.metric_frc)
        else:
            load_dofs(m, d, d.M, d.qfrc_smooth)
        load_rows_if_same_dofs(m, d, d.island_n, d.idof)
        newton(m, d)
        store_accelerations(d)
        store_island(d)
        left = lane_bits(has_unsolved_island(d))


@kernel
def select_dofs_of_next(d, dofs, places):
    """Select the dofs of a world's next island: list `dofs`, inverse `places`."""
    select_dofs(d, d.inext, dofs, places)


@kernel
def load_rows_if_same_dofs(m, d, n: int, dofs):
    """Load the rows of a world's unsolved island of exactly these n dofs, if it has one."""
    island = d.dof_island[dofs[0]] if d.nisland > 0 else -1
    same = island >= 0 and d.island_done[island] == 0 and has_same_dofs(d, island, n, dofs)
    if same and has_row_capacity(m, d, island):
        d.icurrent = island
        load_rows(m, d, island)


@kernel
def store_island(d):
    """Store forces of a world that took part, and find its next island."""
    if d.solving != IDLE:
        store_forces(d)
        d.island_done[d.icurrent] = 1
        find_next_island(d, d.inext)


@kernel
def solve_islands(m, d):
    """Solve the islands of one world that are left, one after another."""
    for island in range(d.nisland):
        if d.island_done[island] == 0 and has_row_capacity(m, d, island) and is_ok(d):
            d.icurrent = island
            d.island_n = d.island_nv[island]
            select_dofs(d, island, d.idof, d.iplace)
            if m.opt_integrator == DISCRETE:
                load_dofs(m, d, d.metric, d.metric_frc)
            else:
                load_dofs(m, d, d.M, d.qfrc_smooth)
            load_rows(m, d, island)
            solve_island(m, d, island)
            store_accelerations(d)
            store_forces(d)


@kernel
def solve_island(m, d, island: int):
    """Solve one island with the solver of `opt.solver`, then noslip if it is enabled."""
    if m.opt_solver == NEWTON:
        newton(m, d)
    else:
        load_inertia_factor(m, d)
        if m.opt_solver == CG:
            cg(m, d, island)
        else:
            pgs(m, d, island)
    if m.opt_noslip_iterations > 0:
        if m.opt_solver == NEWTON:
            load_inertia_factor(m, d)
        noslip(m, d, island)


@kernel
def load_inertia_factor(m, d):
    """Load the factor of M, or, with `discrete`, of the metric without its couplings."""
    if m.opt_integrator == DISCRETE:
        load_factor(m, d, d.qH, d.qHDiagInv)
    else:
        load_factor(m, d, d.qLD, d.qLDiagInv)


@kernel
def fail_if_not_converged(m, d):
    """Fail a strict world whose solver did not converge (`opt.strict`)."""
    fail(d, d.solver_converged == 0, NOT_SOLVED, m.opt_iterations, d.solver_residual)
