"""Couplings of the metric outside of M's pattern: tendons and transmissions of several dofs.

    Mhat = P + sum_c w_c j_c' j_c,   P: metric in the pattern of M, w = h d + h^2 k

Unconstrained accelerations come from conjugate gradients on Mhat x = f, preconditioned with the
L'DL factor of P and the diagonals of couplings. The constraint solver gets each coupling as an
equality row behind all others, with D = w and aref = j qacc_smooth.
Source: MuJoCo: Computation, "Numerical integration", "Integrators"; docs/integrators.md.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, zero_like
from cortenforge.math.ldl import ldl_solve
from cortenforge.step.constants import EQUALITY, WITH_SLEEP
from cortenforge.step.constraint.row_list import NEFCMAX, NJMAX
from cortenforge.step.queries.inertia import add_symmetric_product
from cortenforge.step.status import has_capacity

#: stop at r' P^-1 r below this times force' x
CG_TOLERANCE_SQUARED = 1e-30
#: limit of iterations: this many per dof, and ten more
CG_ITERATIONS_PER_DOF = 2


@kernel(lanes=True, unit=True)
def metric_acceleration(m, d):
    """qacc_smooth in the metric: Mhat qacc_smooth = qfrc_smooth + efm_c.  Mirrors mj_effSolve.

    metric_frc becomes the product of qacc_smooth with the metric without couplings. For trees that
    are awake, sleeping ones count as free.
    """
    for i in range(m.nv):
        d.metric_frc[i] = d.qfrc_smooth[i] + d.efm_c[i]
        if m.opt_enableflags & WITH_SLEEP != 0:
            awake = d.tree_asleep[m.dof_treeid[i]] < 0.0
            d.metric_frc[i] = select(awake, d.metric_frc[i], 0.0)
        d.qacc_smooth[i] = d.metric_frc[i]
    ldl_solve(m, d.qH, d.qHDiagInv, d.qacc_smooth)
    strongest = strongest_coupling(m, d)
    if any_lane(strongest > 0.0):
        refine_by_cg(m, d, d.qacc_smooth, d.metric_frc, strongest)
        for i in range(m.nv):
            d.cg_product[i] = 0.0
        add_coupling_product(m, d, d.qacc_smooth, d.cg_product)
        for i in range(m.nv):
            d.metric_frc[i] -= select(strongest > 0.0, d.cg_product[i], 0.0)


@kernel(lanes=True, unit=True)
def coupled_acceleration(m, d):
    """qacc from constraint forces with couplings, after noslip, which solves without them."""
    strongest = strongest_coupling(m, d)
    if any_lane(strongest > 0.0):
        for i in range(m.nv):
            d.step_qacc[i] = d.qfrc_constraint[i]
        ldl_solve(m, d.qH, d.qHDiagInv, d.step_qacc)
        refine_by_cg(m, d, d.step_qacc, d.qfrc_constraint, strongest)
        for i in range(m.nv):
            found = d.qacc_smooth[i] + d.step_qacc[i]
            d.qacc[i] = select(strongest > 0.0, found, d.qacc[i])


@kernel(lanes=True)
def strongest_coupling(m, d):
    """Largest weight of a coupling; 0 if there are none."""
    largest = zero_like(d.time)
    for t in range(m.ntendon):
        if m.ten_J_rownnz[t] > 1:
            largest = max(largest, d.ten_metric[t])
    for out in range(m.nout):
        if m.moment_rownnz[out] > 1:
            largest = max(largest, d.out_metric[out])
    return largest


@kernel(lanes=True)
def multiply_metric(m, d, x, result):
    """result = Mhat x, couplings included."""
    for i in range(m.nv):
        result[i] = 0.0
    add_symmetric_product(m, d.metric, result, x)
    add_coupling_product(m, d, x, result)


@kernel(lanes=True)
def add_coupling_product(m, d, x, result):
    """result += sum w j' (j x) over all couplings."""
    for t in range(m.ntendon):
        if m.ten_J_rownnz[t] > 1:
            start, end = m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t]
            along = zero_like(d.time)
            for at in range(start, end):
                along += d.ten_J[at] * x[m.ten_J_colind[at]]
            along = along * d.ten_metric[t]
            for at in range(start, end):
                result[m.ten_J_colind[at]] += along * d.ten_J[at]
    for out in range(m.nout):
        if m.moment_rownnz[out] > 1:
            start, end = m.moment_rowadr[out], m.moment_rowadr[out] + m.moment_rownnz[out]
            along = zero_like(d.time)
            for at in range(start, end):
                along += d.actuator_moment[at] * x[m.moment_colind[at]]
            along = along * d.out_metric[out]
            for at in range(start, end):
                result[m.moment_colind[at]] += along * d.actuator_moment[at]


@kernel(lanes=True)
def refine_by_cg(m, d, x, force, strongest):
    """Preconditioned conjugate gradients for Mhat x = force, from x, in worlds with couplings."""
    multiply_metric(m, d, x, d.cg_product)
    size, left = zero_like(d.time), zero_like(d.time)
    for i in range(m.nv):
        d.cg_rest[i] = force[i] - d.cg_product[i]
        d.cg_step[i] = d.cg_rest[i]
        size += force[i] * x[i]
    ldl_solve(m, d.qH, d.qHDiagInv, d.cg_step)
    for i in range(m.nv):
        left += d.cg_rest[i] * d.cg_step[i]
    goal = CG_TOLERANCE_SQUARED * size
    left = select(strongest > 0.0, left, 0.0)
    rounds = 0
    while rounds < CG_ITERATIONS_PER_DOF * m.nv + 10 and any_lane(left > goal):
        rounds += 1
        left = cg_iteration(m, d, x, left, goal)


@kernel(lanes=True)
def cg_iteration(m, d, x, left, goal):
    """One iteration of conjugate gradients, in worlds with left > goal; the new value of left.

    left: r' P^-1 r, with residual r and preconditioner P.
    """
    multiply_metric(m, d, d.cg_step, d.cg_product)
    curve = zero_like(d.time)
    for i in range(m.nv):
        curve += d.cg_step[i] * d.cg_product[i]
    going = left > goal
    length = select(going, left / select(going, curve, 1.0), 0.0)
    for i in range(m.nv):
        further = x[i] + length * d.cg_step[i]
        x[i] = select(going, further, x[i])
        d.cg_rest[i] -= length * d.cg_product[i]
        d.cg_next[i] = d.cg_rest[i]
    ldl_solve(m, d.qH, d.qHDiagInv, d.cg_next)
    after = zero_like(d.time)
    for i in range(m.nv):
        after += d.cg_rest[i] * d.cg_next[i]
    turn = after / select(going, left, 1.0)
    for i in range(m.nv):
        d.cg_step[i] = select(going, d.cg_next[i] + turn * d.cg_step[i], d.cg_step[i])
    return select(going, after, left)


@kernel
def make_coupling_rows(m, d):
    """Append couplings as rows behind all others: w (j a - j qacc_smooth)^2 / 2 in the cost."""
    d.ncouple = 0
    first, entries = (d.nefc + 3) & -4, d.nJ
    for t in range(m.ntendon):
        if m.ten_J_rownnz[t] > 1 and d.ten_metric[t] > 0.0:
            d.ncouple += 1
            entries += m.ten_J_rownnz[t]
    for out in range(m.nout):
        if m.moment_rownnz[out] > 1 and d.out_metric[out] > 0.0:
            d.ncouple += 1
            entries += m.moment_rownnz[out]
    room = has_capacity(d, d.nefcmax, NEFCMAX, first + d.ncouple)
    if room and has_capacity(d, d.nJmax, NJMAX, entries):
        fill_coupling_rows(m, d, first)


@kernel
def fill_coupling_rows(m, d, row: int):
    """Fill the coupling rows, from `row` on."""
    at = d.nJ
    for t in range(m.ntendon):
        if m.ten_J_rownnz[t] > 1 and d.ten_metric[t] > 0.0:
            begin_coupling_row(d, row, at, m.ten_J_rownnz[t], d.ten_metric[t])
            for k in range(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t]):
                add_coupling_entry(d, row, at, m.ten_J_colind[k], d.ten_J[k])
                at += 1
            row += 1
    for out in range(m.nout):
        if m.moment_rownnz[out] > 1 and d.out_metric[out] > 0.0:
            begin_coupling_row(d, row, at, m.moment_rownnz[out], d.out_metric[out])
            for k in range(m.moment_rowadr[out], m.moment_rowadr[out] + m.moment_rownnz[out]):
                add_coupling_entry(d, row, at, m.moment_colind[k], d.actuator_moment[k])
                at += 1
            row += 1


@kernel
def begin_coupling_row(d, row: int, at: int, nnz: int, weight):
    """Begin a coupling row without entries: D = weight."""
    d.efc_J_rowadr[row] = at
    d.efc_J_rownnz[row] = nnz
    d.efc_type[row] = EQUALITY
    d.efc_D[row] = weight
    d.efc_R[row] = 1.0 / weight
    d.efc_aref[row] = 0.0


@kernel
def add_coupling_entry(d, row: int, at: int, dof: int, value):
    """Add an entry to a coupling row; aref += value * qacc_smooth."""
    d.efc_J_colind[at] = dof
    d.efc_J_value[at] = value
    d.efc_aref[row] += value * d.qacc_smooth[dof]
