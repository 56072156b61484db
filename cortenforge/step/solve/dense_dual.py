"""PGS on islands of few rows, whose Delassus matrix is formed.  Mirrors mj_solPGS.

    A = Z D^-1 Z',   Z = J L^-1 with M = L' D L,   x = A f + b: residuals, kept up to date

A change of one force changes the residuals of a few rows, by a row of A; through Y = M^-1 J'
(`dual`) it would change the accelerations of all dofs. Rows are read where the constraint stage has
left them, and accelerations are computed for all worlds in lanes, at the end. MuJoCo forms A, too.

Source: MuJoCo: Computation, "Constraint solver", "Dual problem".
"""

from __future__ import annotations

from cortenforge.fields import place_of
from cortenforge.kernel import any_lane, kernel, select
from cortenforge.math.ldl import ldl_solve_run
from cortenforge.step.constants import DISCRETE, NO_WARMSTART, PGS, PYRAMIDAL
from cortenforge.step.sleeping.body_runs import (
    RUN_DOFS,
    is_run_active,
    run_count,
    run_end,
    run_start,
)
from cortenforge.step.solve.dual import NYMAX
from cortenforge.step.solve.island_problem import has_row_capacity, set_force_bounds
from cortenforge.step.solve.results import store_forces
from cortenforge.step.solve.row_cost import clamp_row_force, initial_row_forces
from cortenforge.step.solve.visiting_order import KEPT_ORDERS
from cortenforge.step.status import has_capacity, is_ok

NVISITMAX = place_of("nvisitmax")
#: islands of up to so many rows: twice as many take the time of the sparse way
FEW_ROWS = 24


@kernel(lanes=True)
def has_dense_islands(m):
    """Whether islands of few rows are solved here: PGS without cones, couplings and noslip."""
    return (
        m.opt_solver == PGS
        and m.opt_cone == PYRAMIDAL
        and m.opt_noslip_iterations == 0
        and m.opt_integrator != DISCRETE
    )


@kernel
def load_dense_rows(m, d, island: int):
    """Rows of an island: bounds, b = J acc_smooth - aref, warm residuals, and Z = J L^-1."""
    first, n, dofs = d.island_efcadr[island], d.island_n, d.island_dofadr[island]
    warm = m.opt_disableflags & NO_WARMSTART == 0
    for r in range(d.island_rows):
        e = d.map_iefc2efc[first + r]
        d.iefc_efc[r] = e
        d.iefc_D[r] = d.efc_D[e]
        d.iefc_R[r] = d.efc_R[e]
        d.iefc_lo[r] = 0.0
        set_force_bounds(d, r, e)
        at = r * n
        for k in range(n):
            d.iefc_Y[at + k] = 0.0
        smooth, before = -d.efc_aref[e], -d.efc_aref[e]
        start = d.efc_J_rowadr[e]
        for a in range(start, start + d.efc_J_rownnz[e]):
            j = d.efc_J_colind[a]
            smooth += d.efc_J_value[a] * d.qacc_smooth[j]
            before += d.efc_J_value[a] * d.qacc_warmstart[j]
            d.iefc_Y[at + d.map_dof2idof[j]] = d.efc_J_value[a]
        d.iefc_b[r] = smooth
        d.iefc_x[r] = before if warm else smooth
        for k in range(n - 1, -1, -1):
            value = d.iefc_Y[at + k]
            if value != 0.0:
                i = d.map_idof2dof[dofs + k]
                begin = m.M_rowadr[i]
                for a in range(begin, begin + m.M_rownnz[i] - 1):
                    d.iefc_Y[at + d.map_dof2idof[m.M_colind[a]]] -= d.qLD[a] * value


@kernel
def form_delassus_matrix(d, island: int):
    """A = Z D^-1 Z', behind Z, and 1 / (A_rr + R_r) of each row."""
    n, rows, dofs = d.island_n, d.island_rows, d.island_dofadr[island]
    for r in range(rows):
        for k in range(n):
            d.ipush[k] = d.iefc_Y[r * n + k] * d.qLDiagInv[d.map_idof2dof[dofs + k]]
        for s in range(r + 1):
            value = product_of_rows(d, n, s * n)
            d.iefc_Y[rows * (n + r) + s] = value
            d.iefc_Y[rows * (n + s) + r] = value
        weight = d.iefc_Y[rows * (n + r) + r] + d.iefc_R[r]
        d.iefc_diag[r] = 1.0 / weight if weight > 0.0 else 0.0


@kernel
def product_of_rows(d, n: int, at: int):
    """Product of ipush and a row of Z."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    whole = n & -4
    for k in range(0, whole, 4):
        s0 += d.ipush[k] * d.iefc_Y[at + k]
        s1 += d.ipush[k + 1] * d.iefc_Y[at + k + 1]
        s2 += d.ipush[k + 2] * d.iefc_Y[at + k + 2]
        s3 += d.ipush[k + 3] * d.iefc_Y[at + k + 3]
    for k in range(whole, n):
        s0 += d.ipush[k] * d.iefc_Y[at + k]
    return (s0 + s1) + (s2 + s3)


@kernel
def dense_residuals(d):
    """x = A f + b."""
    rows = d.island_rows
    for r in range(rows):
        d.iefc_x[r] = d.iefc_b[r]
    for r in range(rows):
        force, at = d.iefc_force[r], rows * (d.island_n + r)
        for s in range(rows):
            d.iefc_x[s] += force * d.iefc_Y[at + s]


@kernel
def warmstart_dense_forces(d):
    """Start from forces at last step's acceleration, or from none if those cost less."""
    initial_row_forces(d, d.island_rows, 0)
    dense_residuals(d)
    cost = 0.0
    for r in range(d.island_rows):
        f = d.iefc_force[r]
        cost += f * (0.5 * (d.iefc_x[r] + d.iefc_b[r]) + 0.5 * d.iefc_R[r] * f)
    if not cost <= 0.0:
        for r in range(d.island_rows):
            d.iefc_force[r] = 0.0
            d.iefc_x[r] = d.iefc_b[r]


@kernel
def dense_sweep(d, count: int):
    """One sweep over rows in the visiting order; the decrease of the dual cost."""
    rows, gain = d.island_rows, 0.0
    for k in range(count):
        r = d.iefc_turn[k]
        force, inverse, at = d.iefc_force[r], d.iefc_diag[r], rows * (d.island_n + r)
        off = d.iefc_x[r] + d.iefc_R[r] * force
        changed = clamp_row_force(force - off * inverse, d.iefc_lo[r], d.iefc_hi[r])
        change = changed - force
        if change != 0.0 and inverse > 0.0:
            d.iefc_force[r] = changed
            for s in range(rows):
                d.iefc_x[s] += change * d.iefc_Y[at + s]
            weight = d.iefc_Y[at + r] + d.iefc_R[r]
            gain -= change * (off + 0.5 * weight * change)
    return gain


@kernel
def dense_cost_scale(m, d, island: int):
    """Scale of costs: 1 / trace(M) over an island's dofs."""
    total, first = 0.0, d.island_dofadr[island]
    for k in range(first, first + d.island_n):
        i = d.map_idof2dof[k]
        total += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]
    return 1.0 / total


@kernel
def store_dense_forces(d, island: int):
    """Forces and states of rows; qfrc_constraint; what its acceleration is computed from."""
    store_forces(d)
    first = d.island_dofadr[island]
    for k in range(first, first + d.island_n):
        i = d.map_idof2dof[k]
        d.qacc_rows[i] = d.qfrc_constraint[i]
    d.island_done[island] = 1


@kernel
def is_dense_island(m, d, island: int):
    """Whether an island has few rows, and there is capacity for them."""
    rows, n = d.island_nefc[island], d.island_nv[island]
    return (
        rows <= FEW_ROWS
        and has_row_capacity(m, d, island)
        and has_capacity(d, d.nYmax, NYMAX, rows * (n + rows))
        and has_capacity(d, d.nvisitmax, NVISITMAX, KEPT_ORDERS)
        and is_ok(d)
    )


@kernel(lanes=True)
def add_row_accelerations(m, d):
    """qacc += M^-1 J' f, of islands that were solved with A.  Mirrors mj_dualFinish."""
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            first, end = run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)
            ldl_solve_run(m, d.qLD, d.qLDiagInv, d.qacc_rows, first, end)
            for i in range(first, end):
                change = d.qacc_rows[i]
                # other dofs keep their bits, signs of zeros too
                d.qacc[i] = select(change == 0.0, d.qacc[i], d.qacc[i] + change)
