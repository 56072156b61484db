"""Implicit in velocity: forces are those of the velocity after the step, to first order.

(M - hD) a = force, where D is the derivative of smooth forces with respect to velocities.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, zero_like
from cortenforge.math.ldl import CLAMPED, ldl_factor, ldl_solve
from cortenforge.math.lu import lu_downward, lu_eliminate, lu_upward
from cortenforge.math.vector import MINVAL
from cortenforge.step.constants import IMPLICIT
from cortenforge.step.derivative.alone import is_alone
from cortenforge.step.derivative.bias import add_bias, add_to_parent, body_rates, drifts
from cortenforge.step.derivative.velocity import smooth_velocity
from cortenforge.step.integrate.advance import advance
from cortenforge.step.queries.inertia import add_symmetric
from cortenforge.step.status import fail
from cortenforge.step.statuses import NOT_POSITIVE_STEP


@kernel(lanes=True, unit=True)
def implicit(m, d):
    """One step, by all of D or by its symmetric part.  Mirrors mj_implicit."""
    for i in range(m.nv):
        d.step_qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
    if m.opt_integrator == IMPLICIT:
        full_matrix(m, d)
        for i in range(m.nv - 1, -1, -1):
            take_out(m, d, d.qLU, i)
            lu_upward(m, d.qLU, d.step_qacc, i)
        for i in range(m.nv):
            lu_downward(m, d.qLU, d.step_qacc, i)
    else:
        symmetric_matrix(m, d)
        ldl_factor(m, d.qH, d.qHDiagInv)
        for i in range(m.nv):
            fail(d, not d.qHDiagInv[i] < CLAMPED, NOT_POSITIVE_STEP, i, d.qHDiagInv[i])
        ldl_solve(m, d.qH, d.qHDiagInv, d.step_qacc)
        solve_free_bodies(m, d)
    advance(m, d)


@kernel(lanes=True)
def full_matrix(m, d):
    """qLU = M - hD, with the derivative of bias forces."""
    smooth_velocity(m, d, 1)
    for i in range(m.nv):
        fill_row(m, d, d.qLU, i)


@kernel(lanes=True)
def fill_row(m, d, matrix, i: int):
    """A row of M - hD, not yet factored."""
    h = m.opt_timestep
    for at in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
        matrix[at] = -h * d.qDeriv[at]
        if m.mapM2D[at] >= 0:
            matrix[at] += d.M[m.mapM2D[at]]


@kernel(lanes=True)
def symmetric_matrix(m, d):
    """qH = M - hD in M's pattern, without the derivative of bias forces.

    Free bodies have their own solution with it; here they keep M.
    """
    smooth_velocity(m, d, 0)
    h = m.opt_timestep
    for k in range(m.nC):
        d.qH[k] = d.M[k] - h * d.qDeriv[m.mapD2M[k]]
    for j in range(m.njnt):
        b = m.jnt_bodyid[j]
        if is_alone(m, b):
            last = m.jnt_dofadr[j] + 5
            for k in range(m.M_rowadr[last - 5], m.M_rowadr[last] + m.M_rownnz[last]):
                d.qH[k] = d.M[k]


@kernel(lanes=True)
def fill_free_body(m, d, b: int):
    """Rows of M - hD of a free body, with the derivative of its bias force.

    What is fixed to it belongs to it.
    """
    first = m.body_dofadr[b]
    tree = m.dof_treeid[first]
    drifts(m, d, b)
    last = m.tree_bodyadr[tree] + m.tree_bodynum[tree]
    for part in range(last - 1, b - 1, -1):
        body_rates(d, part)
    for part in range(last - 1, b, -1):
        add_to_parent(m, d, part)
    for i in range(first, first + 6):
        fill_row(m, d, d.free_LU, i)
    for i in range(first, first + 6):
        add_bias(m, d, d.free_LU, i, m.opt_timestep)


@kernel(lanes=True)
def solve_free_bodies(m, d):
    """Free bodies on which nothing moves get the gyroscopic terms that were left out.

    Their six rows are coupled to no others. Mirrors mjd_freeMhat.
    """
    for j in range(m.njnt):
        b = m.jnt_bodyid[j]
        if is_alone(m, b):
            fill_free_body(m, d, b)
            first = m.jnt_dofadr[j]
            for i in range(first + 5, first - 1, -1):
                d.step_qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
                take_out(m, d, d.free_LU, i)
                lu_upward(m, d.free_LU, d.step_qacc, i)
            for i in range(first, first + 6):
                lu_downward(m, d.free_LU, d.step_qacc, i)


@kernel(lanes=True)
def take_out(m, d, matrix, i: int):
    """Eliminate a dof, whose pivot cannot be zero; the comparison is true for nan, too."""
    pivot = matrix[m.D_rowadr[i] + m.D_diag[i]]
    fail(d, not abs(pivot) > MINVAL, NOT_POSITIVE_STEP, i, 1.0 / pivot)
    lu_eliminate(m, matrix, i)


@kernel(lanes=True, unit=True)
def implicit_product(m, d):
    """inverse_qacc = (M - hD) qacc: the force of a step that changes velocities by h qacc."""
    for i in range(m.nv):
        d.inverse_qacc[i] = 0.0
    if m.opt_integrator == IMPLICIT:
        full_matrix(m, d)
        for i in range(m.nv):
            multiply_row(m, d, d.qLU, i)
    else:
        symmetric_matrix(m, d)
        add_symmetric(m, d.qH, d.inverse_qacc, d.qacc)
        for j in range(m.njnt):
            b = m.jnt_bodyid[j]
            if is_alone(m, b):
                fill_free_body(m, d, b)
                for i in range(m.jnt_dofadr[j], m.jnt_dofadr[j] + 6):
                    multiply_row(m, d, d.free_LU, i)


@kernel(lanes=True)
def multiply_row(m, d, matrix, i: int):
    """A row of M - hD, not factored, times the acceleration."""
    force = zero_like(d.time)
    for at in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
        force += matrix[at] * d.qacc[m.D_colind[at]]
    d.inverse_qacc[i] = force
