"""Forward and inverse dynamics in the metric of a step, for the integrator `discrete`.

    forward:  Mhat qacc = f + efm_c + J' f_c          inverse:  f + J' f_c = Mhat qacc - efm_c
    efm_c = -h K v;   free bodies without constraints: Mhat + h dbias/dv, by LU

Source: MuJoCo: Computation, "Numerical integration", "Gyroscopic derivatives for free bodies".
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.step.constants import NO_ACTUATION
from cortenforge.step.constraint.metric_regularisation import regularise_in_metric
from cortenforge.step.derivative.free_body import is_free_body
from cortenforge.step.metric.coupling import multiply_metric
from cortenforge.step.metric.free_body import (
    add_gyroscopic_derivative,
    multiply_implicit_row,
    solve_free_body,
)
from cortenforge.step.metric.metric import make_metric


@kernel(lanes=True)
def prepare_metric_and_rows(m, d):
    """Metric of the step, and rows of constraints in it.  Mirrors mj_regularizeConstraint."""
    make_metric(m, d)
    if m.constraining != 0:
        regularise_in_metric(m, d)


@kernel(lanes=True, unit=True)
def add_gyroscopic_accelerations(m, d):
    """Solve standalone free bodies without constraints again, with gyroscopic derivatives.

    A metric is symmetric and cannot hold these.  Mirrors mj_discreteGyro.
    """
    find_loose_joints(m, d)
    for j in range(m.njnt):
        if is_free_body(m, m.jnt_bodyid[j]) and any_lane(d.jnt_loose[j] != 0):
            first = m.jnt_dofadr[j]
            set_loose_body_matrix(m, d, m.jnt_bodyid[j])
            for i in range(first, first + 6):
                d.step_qacc[i] = d.qfrc_smooth[i] + d.efm_c[i]
            solve_free_body(m, d, first)
            for i in range(first, first + 6):
                d.qacc[i] = select(d.jnt_loose[j] != 0, d.step_qacc[i], d.qacc[i])


@kernel(lanes=True)
def restore_sleeping_accelerations(m, d):
    """Restore qacc_smooth and qacc of sleeping trees; to others they counted as free."""
    for i in range(m.nv):
        awake = d.tree_asleep[m.dof_treeid[i]] < 0.0
        d.qacc_smooth[i] = select(awake, d.qacc_smooth[i], d.resting_qacc[i])
        d.qacc[i] = select(awake, d.qacc[i], d.resting_qacc[i])


@kernel(lanes=True)
def set_loose_body_matrix(m, d, b: int):
    """free_LU: rows of the metric of a free body, plus h dbias/dv."""
    for i in range(m.body_dofadr[b], m.body_dofadr[b] + 6):
        for at in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
            # one that turns as its dofs do has nothing beside the diagonal
            d.free_LU[at] = 0.0
            if m.mapM2D[at] >= 0:
                d.free_LU[at] = d.metric[m.mapM2D[at]]
    add_gyroscopic_derivative(m, d, b)


@kernel
def find_loose_joints(m, d):
    """jnt_loose: joints that no row touches, nor a tendon or actuator of the metric.

    Mirrors mjd_freeGyroPossible.
    """
    for j in range(m.njnt):
        d.jnt_loose[j] = 1
    for at in range(d.nJ):
        if d.efc_J_value[at] != 0.0:
            d.jnt_loose[m.dof_jntid[d.efc_J_colind[at]]] = 0
    for t in range(m.ntendon):
        if d.ten_metric[t] != 0.0:
            for at in range(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t]):
                d.jnt_loose[m.dof_jntid[m.ten_J_colind[at]]] = 0
    if m.opt_disableflags & NO_ACTUATION == 0:
        for out in range(m.nout):
            if d.out_metric[out] != 0.0:
                for at in range(m.moment_rowadr[out], m.moment_rowadr[out] + m.moment_rownnz[out]):
                    d.jnt_loose[m.dof_jntid[m.moment_colind[at]]] = 0


@kernel(lanes=True, unit=True)
def discrete_product(m, d):
    """inverse_qacc = Mhat qacc - efm_c = Mhat qacc + h K v: the sum of the step's forces."""
    multiply_metric(m, d, d.qacc, d.inverse_qacc)
    find_loose_joints(m, d)
    for j in range(m.njnt):
        if is_free_body(m, m.jnt_bodyid[j]) and any_lane(d.jnt_loose[j] != 0):
            set_loose_body_matrix(m, d, m.jnt_bodyid[j])
            for i in range(m.jnt_dofadr[j], m.jnt_dofadr[j] + 6):
                force = multiply_implicit_row(m, d, d.free_LU, i)
                d.inverse_qacc[i] = select(d.jnt_loose[j] != 0, force, d.inverse_qacc[i])
    for i in range(m.nv):
        d.inverse_qacc[i] -= d.efm_c[i]
