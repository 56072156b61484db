"""Implicit-in-velocity Euler: smooth forces at the velocity after the step, to first order.

    (M - h D) a = f,   D = df/dv,   v+ = v + h a,   q+ = q + h v+

`implicit` has all of D and factors by LU; `implicitfast` leaves bias forces out, symmetric, L'DL.
MuJoCo's text defines D with the other sign. Source: MuJoCo: Computation, "Numerical integration".
Theory: docs/theory/integration.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.ldl import CLAMPED_INVERSE, ldl_factor, ldl_solve
from cortenforge.math.lu import lu_solve_lower, lu_solve_upper
from cortenforge.step.constants import IMPLICIT
from cortenforge.step.derivative.free_body import is_free_body
from cortenforge.step.derivative.smooth_dvel import smooth_force_dvel
from cortenforge.step.integrate.advance import advance_state
from cortenforge.step.metric.free_body import (
    add_gyroscopic_derivative,
    eliminate_implicit_row,
    multiply_implicit_row,
    set_implicit_row,
    solve_free_body,
)
from cortenforge.step.queries.inertia import add_symmetric_product
from cortenforge.step.status import fail
from cortenforge.step.statuses import NOT_POSITIVE_STEP


@kernel(lanes=True, unit=True)
def implicit(m, d):
    """One step, with all of D (`implicit`) or its symmetric part.  Mirrors mj_implicit."""
    for i in range(m.nv):
        d.step_qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
    if m.opt_integrator == IMPLICIT:
        set_implicit_matrix(m, d)
        for i in range(m.nv - 1, -1, -1):
            eliminate_implicit_row(m, d, d.qLU, i)
            lu_solve_upper(m, d.qLU, d.step_qacc, i)
        for i in range(m.nv):
            lu_solve_lower(m, d.qLU, d.step_qacc, i)
    else:
        set_implicitfast_matrix(m, d)
        ldl_factor(m, d.qH, d.qHDiagInv)
        for i in range(m.nv):
            fail(d, not d.qHDiagInv[i] < CLAMPED_INVERSE, NOT_POSITIVE_STEP, i, d.qHDiagInv[i])
        ldl_solve(m, d.qH, d.qHDiagInv, d.step_qacc)
        solve_free_bodies(m, d)
    advance_state(m, d)


@kernel(lanes=True)
def set_implicit_matrix(m, d):
    """qLU = M - hD, derivatives of bias forces included."""
    smooth_force_dvel(m, d, 1)
    for i in range(m.nv):
        set_implicit_row(m, d, d.qLU, i)


@kernel(lanes=True)
def set_implicitfast_matrix(m, d):
    """qH = M - hD in the pattern of M, without derivatives of bias forces.

    Rows of standalone free bodies keep M; these are solved by themselves.
    """
    smooth_force_dvel(m, d, 0)
    h = m.opt_timestep
    for k in range(m.nC):
        d.qH[k] = d.M[k] - h * d.qDeriv[m.mapD2M[k]]
    for j in range(m.njnt):
        b = m.jnt_bodyid[j]
        if is_free_body(m, b):
            last = m.jnt_dofadr[j] + 5
            for k in range(m.M_rowadr[last - 5], m.M_rowadr[last] + m.M_rownnz[last]):
                d.qH[k] = d.M[k]


@kernel(lanes=True)
def solve_free_bodies(m, d):
    """Solve standalone free bodies again, with gyroscopic derivatives.  Mirrors mjd_freeMhat.

    Their six rows are coupled to no others.
    """
    for j in range(m.njnt):
        b = m.jnt_bodyid[j]
        if is_free_body(m, b):
            first = m.jnt_dofadr[j]
            set_free_body_matrix(m, d, b)
            for i in range(first, first + 6):
                d.step_qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
            solve_free_body(m, d, first)


@kernel(lanes=True)
def set_free_body_matrix(m, d, b: int):
    """free_LU: rows of M - hD of a free body, with the derivative of its bias force."""
    for i in range(m.body_dofadr[b], m.body_dofadr[b] + 6):
        set_implicit_row(m, d, d.free_LU, i)
    add_gyroscopic_derivative(m, d, b)


@kernel(lanes=True, unit=True)
def implicit_product(m, d):
    """inverse_qacc = (M - hD) qacc: the force of a step that changes velocities by h qacc."""
    for i in range(m.nv):
        d.inverse_qacc[i] = 0.0
    if m.opt_integrator == IMPLICIT:
        set_implicit_matrix(m, d)
        for i in range(m.nv):
            d.inverse_qacc[i] = multiply_implicit_row(m, d, d.qLU, i)
    else:
        set_implicitfast_matrix(m, d)
        add_symmetric_product(m, d.qH, d.inverse_qacc, d.qacc)
        for j in range(m.njnt):
            b = m.jnt_bodyid[j]
            if is_free_body(m, b):
                set_free_body_matrix(m, d, b)
                for i in range(m.jnt_dofadr[j], m.jnt_dofadr[j] + 6):
                    d.inverse_qacc[i] = multiply_implicit_row(m, d, d.free_LU, i)
