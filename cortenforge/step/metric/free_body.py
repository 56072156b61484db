"""Rows of an implicit step's matrix M - h D, and free bodies that are solved by themselves.

    standalone free body:  (M - h D + h dbias/dv) a = f,   6 x 6, by LU

Source: MuJoCo: Computation, "Numerical integration", "Gyroscopic derivatives for free bodies".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.lu import lu_eliminate, lu_solve_lower, lu_solve_upper
from cortenforge.math.vector import MINVAL
from cortenforge.step.derivative.rne_dvel import (
    acceleration_drifts,
    add_bias_entries,
    add_dforce_to_parent,
    body_dforce_dvel,
)
from cortenforge.step.status import fail
from cortenforge.step.statuses import SINGULAR_STEP


@kernel(lanes=True)
def set_implicit_row(m, d, matrix, i: int):
    """Row i of M - h D, not yet factored."""
    h = m.opt_timestep
    for at in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
        matrix[at] = -h * d.qDeriv[at]
        if m.mapM2D[at] >= 0:
            matrix[at] += d.M[m.mapM2D[at]]


@kernel(lanes=True)
def add_gyroscopic_derivative(m, d, b: int):
    """Add h dbias/dv of a free body to its rows of free_LU.

    Bodies that are fixed to it belong to it.
    """
    first = m.body_dofadr[b]
    tree = m.dof_treeid[first]
    acceleration_drifts(m, d, b)
    last = m.tree_bodyadr[tree] + m.tree_bodynum[tree]
    for part in range(last - 1, b - 1, -1):
        body_dforce_dvel(d, part)
    for part in range(last - 1, b, -1):
        add_dforce_to_parent(m, d, part)
    for i in range(first, first + 6):
        add_bias_entries(m, d, d.free_LU, i, m.opt_timestep)


@kernel(lanes=True)
def solve_free_body(m, d, first: int):
    """Solve the 6 x 6 system of a free body in free_LU; step_qacc: forces to accelerations."""
    for i in range(first + 5, first - 1, -1):
        eliminate_implicit_row(m, d, d.free_LU, i)
        lu_solve_upper(m, d.free_LU, d.step_qacc, i)
    for i in range(first, first + 6):
        lu_solve_lower(m, d.free_LU, d.step_qacc, i)


@kernel(lanes=True)
def eliminate_implicit_row(m, d, matrix, i: int):
    """Eliminate a dof by LU; a pivot below MINVAL is a failure, and counts as 1."""
    diagonal = m.D_rowadr[i] + m.D_diag[i]
    pivot = matrix[diagonal]
    # the comparison is true for nan, too
    singular = not abs(pivot) >= MINVAL
    fail(d, singular, SINGULAR_STEP, i, pivot)
    matrix[diagonal] = select(singular, 1.0, pivot)
    lu_eliminate(m, matrix, i)


@kernel(lanes=True)
def multiply_implicit_row(m, d, matrix, i: int):
    """Row i of an unfactored matrix, times qacc."""
    force = zero_like(d.time)
    for at in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
        force += matrix[at] * d.qacc[m.D_colind[at]]
    return force
