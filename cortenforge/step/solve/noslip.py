"""The noslip pass: friction forces anew, without regularisation.  Mirrors mj_solNoSlip.

    min over friction of   f' A f / 2 + f' b,   R = 0,   normal forces fixed
    pyramid:  of two edges, f_i + f_j fixed;   cone:  |f_k / mu_k| <= f_0

PGS sweeps after the main solver, which suppress the slip that soft friction needs.
Source: MuJoCo: Computation, "Constraint solver", "Algorithms", "NoSlip".
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import CONTACT_PYRAMIDAL, EQUALITY, LIMIT_JOINT
from cortenforge.step.solve.dual import (
    MAX_COST_INCREASE,
    MIN_BLOCK_DIAGONAL,
    MIN_ROW_DIAGONAL,
    accept_cone_forces,
    add_force_response,
    delassus_entry,
    dual_residual,
    has_dual_capacity,
    load_cone_block,
    minimise_over_friction,
    minimise_over_row,
    prepare_dual,
    sum_force_response,
)
from cortenforge.step.solve.island_dofs import cost_scale
from cortenforge.step.solve.pgs import acceleration_from_forces
from cortenforge.step.solve.results import add_iterations
from cortenforge.step.solve.row_cost import clamp_row_force


@kernel
def minimise_edge_difference(d, r: int):
    """Minimise over the difference of two opposite pyramid edges, their sum fixed; the gain.

    Where the cost does not depend on it, the difference becomes zero, as in MuJoCo.
    """
    total, force = d.iefc_force[r] + d.iefc_force[r + 1], d.iefc_force[r]
    weight = max(d.iefc_diag[r], MIN_BLOCK_DIAGONAL) + max(d.iefc_diag[r + 1], MIN_BLOCK_DIAGONAL)
    weight -= 2.0 * delassus_entry(d, r, r + 1)
    off = dual_residual(d, r) - dual_residual(d, r + 1)
    if weight < MIN_ROW_DIAGONAL:
        change = 0.5 * total - force
    else:
        change = clamp_row_force(force - off / weight, 0.0, total) - force
    gain = -change * (off + 0.5 * weight * change)
    if gain >= -MAX_COST_INCREASE:
        d.iefc_force[r] = force + change
        d.iefc_force[r + 1] = total - d.iefc_force[r]
        add_force_response(d, r, change)
        add_force_response(d, r + 1, -change)
    else:
        gain = 0.0
    return gain


@kernel
def noslip_row_sweep(d):
    """One sweep over friction loss rows and pyramid edges; the gain."""
    gain = 0.0
    r = 0
    while r < d.island_bounded:
        e = d.iefc_efc[r]
        if e >= 0:
            kind = d.efc_type[e]
            if kind > EQUALITY and kind < LIMIT_JOINT:
                gain += minimise_over_row(d, r, 0)
            elif kind == CONTACT_PYRAMIDAL:
                gain += minimise_edge_difference(d, r)
                r += 1
        r += 1
    return gain


@kernel
def regularisation_cost(d):
    """Part of the dual cost that is due to R: f' R f / 2."""
    total = 0.0
    for r in range(d.island_rows):
        total += 0.5 * d.iefc_R[r] * d.iefc_force[r] * d.iefc_force[r]
    return total


@kernel
def drop_couplings(d):
    """Zero forces and R of coupling rows: the metric's factor stands for them, as in MuJoCo."""
    for r in range(d.island_bounded):
        if d.iefc_efc[r] >= d.nefc:
            d.iefc_force[r] = 0.0
            d.iefc_R[r] = 0.0


@kernel(unit=True)
def noslip(m, d, island: int):
    """Friction forces without slip, and their acceleration.  Mirrors mj_solNoSlip."""
    if has_dual_capacity(d):
        scale = cost_scale(d, d.island_n)
        drop_couplings(d)
        prepare_dual(d)
        sum_force_response(d)
        count, done = 0, False
        # what forces cost by their regularisation is gained by leaving it out
        gain = regularisation_cost(d)
        while not done and count < m.opt_noslip_iterations:
            gain += noslip_row_sweep(d)
            for c in range(d.island_cones):
                load_cone_block(d, c, 0)
                minimise_over_friction(d, c, 0)
                gain += accept_cone_forces(d, c, 0)
            count += 1
            done = scale * gain < m.opt_noslip_tolerance
            gain = 0.0
        acceleration_from_forces(d)
        add_iterations(d, island, count)
