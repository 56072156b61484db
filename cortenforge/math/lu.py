"""Sparse LU factorization in the pattern of derivatives: a dof's ancestors and its subtree.

    A = (U + I) L,   U strictly upper triangular,  L lower triangular with the diagonal

Dofs are eliminated from the last to the first, in their ancestors' rows and columns, so that there
is no fill-in. Rows are not pivoted: an exchange would fill in what the pattern leaves out, and each
world of a group would want its own; so a matrix may be regular and have no such factor. Source:
MuJoCo: Computation, "Numerical integration" (the implicit integrator).
"""

from __future__ import annotations

from cortenforge.kernel import kernel


@kernel(lanes=True)
def lu_eliminate(m, matrix, i: int):
    """Eliminate dof i from its ancestors' rows.  Mirrors mju_factorLUSparse."""
    row = m.D_rowadr[i]
    count = m.D_diag[i]
    inverse = 1.0 / matrix[row + count]
    for a in range(count):
        j = m.D_colind[row + a]
        # columns of subtrees have neighbouring places, from the diagonal on
        above = m.D_rowadr[j]
        below = above + m.D_diag[j] - j
        share = matrix[below + i] * inverse
        matrix[below + i] = share
        for b in range(a + 1):
            matrix[above + b] -= share * matrix[row + b]
        for b in range(a + 1, count):
            matrix[below + m.D_colind[row + b]] -= share * matrix[row + b]


@kernel(lanes=True)
def lu_solve_upper(m, matrix, x, i: int):
    """Solve with U + I for dof i, from the last dof to the first.  Mirrors mju_solveLUSparse."""
    row = m.D_rowadr[i]
    for at in range(row + m.D_diag[i] + 1, row + m.D_rownnz[i]):
        x[i] -= matrix[at] * x[m.D_colind[at]]


@kernel(lanes=True)
def lu_solve_lower(m, matrix, x, i: int):
    """Solve with L for dof i, from the first dof to the last.  Mirrors mju_solveLUSparse."""
    row = m.D_rowadr[i]
    diagonal = row + m.D_diag[i]
    for at in range(row, diagonal):
        x[i] -= matrix[at] * x[m.D_colind[at]]
    x[i] = x[i] / matrix[diagonal]
