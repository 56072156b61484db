"""Implicit-in-velocity Euler: smooth forces at the velocity after the step, to first order.

    (M - h D) a = f,   D = df/dv,   v+ = v + h a,   q+ = q + h v+

`implicit` has all of D and factors by LU; `implicitfast` leaves bias forces out, symmetric, L'DL.
MuJoCo's text defines D with the other sign. Source: MuJoCo: Computation, "Numerical integration".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.ldl import CLAMPED, ldl_factor, ldl_solve
from cortenforge.math.lu import lu_downward, lu_upward
from cortenforge.step.constants import IMPLICIT
from cortenforge.step.derivative.alone import is_alone
from cortenforge.step.derivative.velocity import smooth_velocity
from cortenforge.step.integrate.advance import advance
from cortenforge.step.integrate.free import (
    add_gyroscopic,
    fill_row,
    solve_free_body,
    take_out,
    times_row,
)
from cortenforge.step.queries.inertia import add_symmetric
from cortenforge.step.status import fail
from cortenforge.step.statuses import NOT_POSITIVE_STEP


@kernel(lanes=True, unit=True)
def implicit(m, d):
    """One step, with all of D (`implicit`) or its symmetric part.  Mirrors mj_implicit."""
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
    """qLU = M - hD, derivatives of bias forces included."""
    smooth_velocity(m, d, 1)
    for i in range(m.nv):
        fill_row(m, d, d.qLU, i)


@kernel(lanes=True)
def symmetric_matrix(m, d):
    """qH = M - hD in the pattern of M, without derivatives of bias forces.

    Rows of standalone free bodies keep M; these are solved by themselves.
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
def solve_free_bodies(m, d):
    """Solve standalone free bodies again, with gyroscopic derivatives.  Mirrors mjd_freeMhat.

    Their six rows are coupled to no others.
    """
    for j in range(m.njnt):
        b = m.jnt_bodyid[j]
        if is_alone(m, b):
            first = m.jnt_dofadr[j]
            fill_free_body(m, d, b)
            for i in range(first, first + 6):
                d.step_qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
            solve_free_body(m, d, first)


@kernel(lanes=True)
def fill_free_body(m, d, b: int):
    """free_LU: rows of M - hD of a free body, with the derivative of its bias force."""
    for i in range(m.body_dofadr[b], m.body_dofadr[b] + 6):
        fill_row(m, d, d.free_LU, i)
    add_gyroscopic(m, d, b)


@kernel(lanes=True, unit=True)
def implicit_product(m, d):
    """inverse_qacc = (M - hD) qacc: the force of a step that changes velocities by h qacc."""
    for i in range(m.nv):
        d.inverse_qacc[i] = 0.0
    if m.opt_integrator == IMPLICIT:
        full_matrix(m, d)
        for i in range(m.nv):
            d.inverse_qacc[i] = times_row(m, d, d.qLU, i)
    else:
        symmetric_matrix(m, d)
        add_symmetric(m, d.qH, d.inverse_qacc, d.qacc)
        for j in range(m.njnt):
            b = m.jnt_bodyid[j]
            if is_alone(m, b):
                fill_free_body(m, d, b)
                for i in range(m.jnt_dofadr[j], m.jnt_dofadr[j] + 6):
                    d.inverse_qacc[i] = times_row(m, d, d.free_LU, i)
