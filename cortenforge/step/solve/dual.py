"""The dual problem of an island, one row or one cone at a time: shared by PGS and noslip.

    cost(f) = f' (A + R) f / 2 + f' b,   A = J M^-1 J' (Delassus matrix),   b = J acc_smooth - aref

A is never formed. Y = M^-1 J' is, row by row, and ipush = Y f is the acceleration due to all
forces, so that the residual A f + b of a row is a product of two vectors.

Source: MuJoCo: Computation, "Constraint solver", "Dual problem".
"""

from __future__ import annotations

from cortenforge.fields import place_of
from cortenforge.kernel import kernel
from cortenforge.step.solve.island_dofs import solve_m
from cortenforge.step.solve.qcqp import solve_qcqp, solve_qcqp_as_mujoco
from cortenforge.step.solve.row_cost import clamp_row_force
from cortenforge.step.status import has_capacity

NYMAX = place_of("nYmax")
#: a normal force below this counts as zero
MIN_FORCE = 1e-15
#: MuJoCo's: least diagonal of A without R; of one row, and of a block of several
MIN_ROW_DIAGONAL, MIN_BLOCK_DIAGONAL = 1e-15, 1e-10
#: increase of the cost that still counts as rounding
MAX_COST_INCREASE = 1e-10


@kernel
def has_dual_capacity(d):
    """Whether there is capacity for Y."""
    return has_capacity(d, d.nYmax, NYMAX, d.island_rows * d.island_n)


@kernel
def prepare_dual(d):
    """Y = M^-1 J', diag(A), b = J acc_smooth - aref, and the block of A of each cone."""
    n = d.island_n
    for r in range(d.island_rows):
        at = r * n
        for i in range(n):
            d.ipush[i] = 0.0
        start = d.iefc_adr[r]
        total = -d.iefc_aref[r]
        for k in range(start, start + d.iefc_nnz[r]):
            d.ipush[d.iefc_colind[k]] = d.iefc_J[k]
            total += d.iefc_J[k] * d.iacc_smooth[d.iefc_colind[k]]
        d.iefc_b[r] = total
        solve_m(d, n, d.ipush)
        for i in range(n):
            d.iefc_Y[at + i] = d.ipush[i]
        d.iefc_diag[r] = delassus_entry(d, r, r)
    for c in range(d.island_cones):
        first, dim = d.cone_row[c], d.contact_dim[d.cone_contact[c]]
        for a in range(dim):
            for b in range(dim):
                d.cone_A[c, 6 * a + b] = delassus_entry(d, first + a, first + b)


@kernel
def delassus_entry(d, r: int, s: int):
    """Entry A_rs = J_r M^-1 J_s' of the Delassus matrix."""
    total = 0.0
    start = d.iefc_adr[r]
    for k in range(start, start + d.iefc_nnz[r]):
        total += d.iefc_J[k] * d.iefc_Y[s * d.island_n + d.iefc_colind[k]]
    return total


@kernel
def sum_force_response(d):
    """ipush = M^-1 J' f."""
    for i in range(d.island_n):
        d.ipush[i] = 0.0
    for r in range(d.island_rows):
        if d.iefc_force[r] != 0.0:
            add_force_response(d, r, d.iefc_force[r])


@kernel
def add_force_response(d, r: int, change):
    """Add the response to a change of one row's force to ipush."""
    at = r * d.island_n
    for i in range(d.island_n):
        d.ipush[i] += change * d.iefc_Y[at + i]


@kernel
def dual_residual(d, r: int):
    """J acc - aref of a row, at the acceleration of all forces."""
    total = d.iefc_b[r]
    start = d.iefc_adr[r]
    for k in range(start, start + d.iefc_nnz[r]):
        total += d.iefc_J[k] * d.ipush[d.iefc_colind[k]]
    return total


@kernel
def minimise_over_row(d, r: int, regularised: int):
    """Minimise the dual cost over the force of one row; the decrease of the cost.

    regularised: 1 with R (PGS), 0 without (noslip).
    """
    gain = 0.0
    soft = d.iefc_R[r] if regularised else 0.0
    weight = d.iefc_diag[r] + soft if regularised else max(d.iefc_diag[r], MIN_ROW_DIAGONAL)
    if weight > 0.0:
        force = d.iefc_force[r]
        off = dual_residual(d, r) + soft * force
        change = clamp_row_force(force - off / weight, d.iefc_lo[r], d.iefc_hi[r]) - force
        if change != 0.0:
            d.iefc_force[r] = force + change
            add_force_response(d, r, change)
            gain = -change * (off + 0.5 * weight * change)
    return gain


@kernel
def load_cone_block(d, c: int, regularised: int):
    """cone_old = forces of a cone, cone_b = A f + b (+ R f if regularised) of its rows."""
    r = d.cone_row[c]
    for k in range(d.contact_dim[d.cone_contact[c]]):
        force = d.iefc_force[r + k]
        d.cone_old[k] = force
        d.cone_b[k] = dual_residual(d, r + k) + (d.iefc_R[r + k] * force if regularised else 0.0)


@kernel
def cone_block_entry(d, c: int, a: int, b: int, regularised: int):
    """Entry of A (+ R if regularised, else with a least diagonal) in the block of a cone."""
    value = d.cone_A[c, 6 * a + b]
    if a == b:
        value = (
            value + d.iefc_R[d.cone_row[c] + a] if regularised else max(value, MIN_BLOCK_DIAGONAL)
        )
    return value


@kernel
def minimise_over_friction(d, c: int, regularised: int):
    """Minimise the dual cost over a cone's friction, its normal force fixed.  Mirrors solveQCQP.

    In y_k = f_k / mu_k it is a QCQP on the disc |y| <= f_0. Without R the block can be singular
    and the minimum not unique: then it is the one that MuJoCo finds.
    """
    r, contact = d.cone_row[c], d.cone_contact[c]
    dim = d.contact_dim[contact]
    k = dim - 1
    normal = d.iefc_force[r]
    if normal < MIN_FORCE:
        for j in range(1, dim):
            d.iefc_force[r + j] = 0.0
    else:
        for i in range(k):
            mu = d.contact_friction[contact, i]
            # residual at the new normal force, without the friction there was
            total = d.cone_b[i + 1] + d.cone_A[c, 6 * (i + 1)] * (normal - d.cone_old[0])
            for j in range(k):
                value = cone_block_entry(d, c, i + 1, j + 1, regularised)
                total -= value * d.cone_old[j + 1]
                d.disc_A[5 * i + j] = value * mu * d.contact_friction[contact, j]
            d.disc_b[i] = total * mu
        if regularised:
            solve_qcqp(d, k, normal)
        else:
            solve_qcqp_as_mujoco(d, k, normal)
        for i in range(k):
            d.iefc_force[r + 1 + i] = d.disc_x[i] * d.contact_friction[contact, i]


@kernel
def accept_cone_forces(d, c: int, regularised: int):
    """Accept a cone's new forces unless they cost more; the decrease.  Mirrors costChange."""
    r, dim = d.cone_row[c], d.contact_dim[d.cone_contact[c]]
    change = 0.0
    for a in range(dim):
        step = d.iefc_force[r + a] - d.cone_old[a]
        change += step * d.cone_b[a]
        for b in range(dim):
            value = cone_block_entry(d, c, a, b, regularised)
            change += 0.5 * step * value * (d.iefc_force[r + b] - d.cone_old[b])
    # true for nan as well
    if not change <= MAX_COST_INCREASE:
        for k in range(dim):
            d.iefc_force[r + k] = d.cone_old[k]
        change = 0.0
    else:
        for k in range(dim):
            if d.iefc_force[r + k] != d.cone_old[k]:
                add_force_response(d, r + k, d.iefc_force[r + k] - d.cone_old[k])
    return -change
