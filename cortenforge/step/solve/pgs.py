"""Projected Gauss-Seidel (PGS) on the dual problem of an island.  Mirrors mj_solPGS.

    min over f in the cones of   f' (A + R) f / 2 + f' b,   A = J M^-1 J',   b = J a_s - aref
    row:    f_i <- clamp(f_i - (A f + R f + b)_i / (A_ii + R_ii), lo, hi)
    cone:   minimise along the ray f -> s f, then over friction with f_0 fixed (`qcqp`)

Between sweeps forces are extrapolated by (t - 1) / (t + 2), Nesterov's momentum, with restarts.
Sources: MuJoCo: Computation, "Constraint solver", "Dual problem" and "Algorithms"; B. O'Donoghue,
E. Candes, Adaptive restart for accelerated gradient schemes, 2015 (the idea of the restart).
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.step.solve.dense_dual import (
    dense_cost_scale,
    dense_residuals,
    dense_sweep,
    form_delassus_matrix,
    is_dense_island,
    load_dense_rows,
    store_dense_forces,
    warmstart_dense_forces,
)
from cortenforge.step.solve.dual import (
    MIN_FORCE,
    accept_cone_forces,
    cone_block_entry,
    dual_residual,
    has_dual_capacity,
    load_cone_block,
    minimise_over_friction,
    minimise_over_row,
    prepare_dual,
    sum_force_response,
)
from cortenforge.step.solve.island_dofs import cost_scale
from cortenforge.step.solve.results import store_statistics, zone_of_cone_force
from cortenforge.step.solve.row_cost import clamp_row_force, initial_row_forces, row_residuals
from cortenforge.step.solve.visiting_order import (
    can_keep_orders,
    keep_visiting_orders,
    load_visiting_order,
    reset_visiting_order,
    shuffle_visits,
)


@kernel
def warmstart_forces(d):
    """Start from forces at last step's acceleration, or from none if those cost less."""
    rows = d.island_rows
    row_residuals(d, rows, d.iacc_warm, d.iefc_x)
    for r in range(rows):
        d.iefc_stiff[r] = 0.0
    initial_row_forces(d, d.island_bounded, d.island_cones)
    sum_force_response(d)
    cost = 0.0
    for r in range(rows):
        f = d.iefc_force[r]
        if f != 0.0:
            cost += f * (0.5 * (dual_residual(d, r) + d.iefc_b[r]) + 0.5 * d.iefc_R[r] * f)
    if not cost <= 0.0:
        for r in range(rows):
            d.iefc_force[r] = 0.0
        sum_force_response(d)


@kernel
def minimise_over_cone(d, c: int):
    """Minimise over the force of a cone, first along its ray, then its friction; the gain."""
    load_cone_block(d, c, 1)
    minimise_along_ray(d, c)
    minimise_over_friction(d, c, 1)
    return accept_cone_forces(d, c, 1)


@kernel
def pgs_sweep(d, count: int):
    """One sweep over rows and cones in the visiting order; the decrease of the dual cost."""
    gain = 0.0
    for k in range(count):
        at = d.iefc_turn[k]
        gain += (
            minimise_over_row(d, at, 1)
            if at < d.island_bounded
            else minimise_over_cone(d, at - d.island_bounded)
        )
    return gain


@kernel
def extrapolate_forces(d, turn: int):
    """Nesterov momentum: extrapolate forces, then make them feasible.

    turn: sweeps since the last restart. Keeps forces before and after it for the restart test.
    """
    share = (turn - 1.0) / (turn + 2.0)
    for r in range(d.island_rows):
        force = d.iefc_force[r]
        if turn > 1:
            d.iefc_force[r] = force + share * (force - d.iefc_before[r])
        d.iefc_before[r] = force
    if turn > 1:
        for r in range(d.island_bounded):
            d.iefc_force[r] = clamp_row_force(d.iefc_force[r], d.iefc_lo[r], d.iefc_hi[r])
        for c in range(d.island_cones):
            scale_into_cone(d, c)
    for r in range(d.island_rows):
        d.iefc_ahead[r] = d.iefc_force[r]


@kernel
def scale_into_cone(d, c: int):
    """Make a cone's force feasible: scale friction down to mu f_0; none if f_0 < 0."""
    r, contact = d.cone_row[c], d.cone_contact[c]
    dim, normal, square = d.contact_dim[contact], d.iefc_force[r], 0.0
    for k in range(1, dim):
        f = d.iefc_force[r + k] / d.contact_friction[contact, k - 1]
        square += f * f
    scale = 1.0
    if normal < 0.0:
        d.iefc_force[r] = 0.0
        scale = 0.0
    elif square > normal * normal:
        scale = normal / math.sqrt(max(square, MIN_FORCE))
    for k in range(1, dim):
        d.iefc_force[r + k] *= scale


@kernel
def is_momentum_reversed(d):
    """Whether a sweep moved forces against their extrapolation: momentum restarts."""
    along = 0.0
    for r in range(d.island_rows):
        ahead = d.iefc_ahead[r]
        along += (d.iefc_force[r] - ahead) * (ahead - d.iefc_before[r])
    return along < 0.0


@kernel
def minimise_along_ray(d, c: int):
    """Minimise over the length of a cone's force; from zero, along a ray that lowers the cost."""
    r, dim = d.cone_row[c], d.contact_dim[d.cone_contact[c]]
    if d.iefc_force[r] >= MIN_FORCE:
        scale_force_optimally(d, c, 1.0)
    else:
        d.iefc_force[r] = 1.0
        for k in range(1, dim):
            d.iefc_force[r + k] = 0.0
        if d.cone_b[0] >= 0.0:
            set_best_friction_direction(d, c)
        scale_force_optimally(d, c, 0.0)


@kernel
def set_best_friction_direction(d, c: int):
    """Set friction, at normal force 1, to that of steepest descent within the cone.

    Along the normal alone, a cone would stay without force where friction pays for both.
    """
    r, contact = d.cone_row[c], d.cone_contact[c]
    square = 0.0
    for k in range(1, d.contact_dim[contact]):
        pull = d.contact_friction[contact, k - 1] * d.cone_b[k]
        square += pull * pull
    if square > 0.0:
        for k in range(1, d.contact_dim[contact]):
            mu = d.contact_friction[contact, k - 1]
            d.iefc_force[r + k] = -mu * mu * d.cone_b[k] / math.sqrt(square)


@kernel
def scale_force_optimally(d, c: int, now):
    """Scale a cone's force so that the dual cost is least.

    now: the scale of the force that cone_b includes already, 1 or 0.
    """
    r, dim = d.cone_row[c], d.contact_dim[d.cone_contact[c]]
    slope, curve = 0.0, 0.0
    for a in range(dim):
        slope += d.iefc_force[r + a] * d.cone_b[a]
        for b in range(dim):
            curve += d.iefc_force[r + a] * cone_block_entry(d, c, a, b, 1) * d.iefc_force[r + b]
    scale = max(now - slope / curve, 0.0) if curve > MIN_FORCE else now
    for k in range(dim):
        d.iefc_force[r + k] *= scale


@kernel
def iterate_pgs(m, d, island: int, scale, dense: int):
    """Sweeps until the cost hardly decreases; (number of them, last decrease, whether it did).

    dense: 1 with residuals by A, 0 with accelerations by Y.
    """
    count, gain, done = 0, 0.0, False
    visits, turn = reset_visiting_order(d, island), 0
    kept = dense == 1 and can_keep_orders(m, visits)
    if kept:
        keep_visiting_orders(d, visits)
    while not done and count < m.opt_iterations:
        extrapolate_forces(d, turn)
        if turn > 1 and dense == 1:
            dense_residuals(d)
        elif turn > 1:
            sum_force_response(d)
        if kept:
            load_visiting_order(d, visits, count)
        else:
            shuffle_visits(d, visits)
        gain = dense_sweep(d, visits) if dense == 1 else pgs_sweep(d, visits)
        turn = 0 if is_momentum_reversed(d) else turn + 1
        count += 1
        gain = scale * gain
        done = gain < m.opt_tolerance
    return count, gain, done


@kernel(unit=True)
def pgs(m, d, island: int):
    """Forces that minimise the dual cost, and their acceleration.  Mirrors mj_solPGS."""
    if has_dual_capacity(d):
        scale = cost_scale(d, d.island_n)
        prepare_dual(d)
        warmstart_forces(d)
        count, gain, done = iterate_pgs(m, d, island, scale, 0)
        acceleration_from_forces(d)
        store_statistics(d, island, count, gain, gain, done)


@kernel(unit=True)
def pgs_on_few_rows(m, d):
    """Solve the islands of few rows of a world; the others are left.  Mirrors mj_solPGS."""
    for island in range(d.nisland):
        if is_dense_island(m, d, island):
            rows = d.island_nefc[island]
            d.island_n = d.island_nv[island]
            d.island_rows = rows
            d.island_bounded = rows
            d.island_cones = 0
            load_dense_rows(m, d, island)
            form_delassus_matrix(d, island)
            warmstart_dense_forces(d)
            scale = dense_cost_scale(m, d, island)
            count, gain, done = iterate_pgs(m, d, island, scale, 1)
            store_dense_forces(d, island)
            store_statistics(d, island, count, gain, gain, done)


@kernel
def acceleration_from_forces(d):
    """acc = acc_smooth + M^-1 J' f, with residuals and zones at it.  Mirrors mj_dualFinish."""
    for i in range(d.island_n):
        d.iacc[i] = d.iacc_smooth[i] + d.ipush[i]
    for r in range(d.island_rows):
        d.iefc_x[r] = dual_residual(d, r)
    for c in range(d.island_cones):
        d.cone_zone[c] = zone_of_cone_force(d, c)
