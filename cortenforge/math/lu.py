"""LU in the pattern of derivatives: a row of a dof has its ancestors and its subtree.

Dofs are eliminated from the last to the first, so that nothing fills in: taking a dof out touches
rows of its ancestors, in columns of its ancestors. What is left is L, with the diagonal, and U,
whose diagonal is 1; the matrix is (U + 1) L.

Rows are not exchanged for better pivots. An exchange would fill in what the pattern leaves out, and
each world of a group would want its own; so a matrix may have an inverse and no such factor.
"""

from __future__ import annotations

from cortenforge.kernel import kernel


@kernel(lanes=True)
def lu_eliminate(m, matrix, i: int):
    """Take a dof out of its ancestors' rows.  Mirrors mju_factorLUSparse."""
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
def lu_upward(m, matrix, x, i: int):
    """Solve with U, from the last dof to the first.  Mirrors mju_solveLUSparse."""
    row = m.D_rowadr[i]
    for at in range(row + m.D_diag[i] + 1, row + m.D_rownnz[i]):
        x[i] -= matrix[at] * x[m.D_colind[at]]


@kernel(lanes=True)
def lu_downward(m, matrix, x, i: int):
    """Then with L, from the first dof to the last."""
    row = m.D_rowadr[i]
    diagonal = row + m.D_diag[i]
    for at in range(row, diagonal):
        x[i] -= matrix[at] * x[m.D_colind[at]]
    x[i] = x[i] / matrix[diagonal]
