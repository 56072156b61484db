"""Sparse L'DL of an inertia-like matrix in M's pattern: rows in CSR, diagonal last.

The pattern follows the kinematic tree: the columns of a row are the ancestors of its dof, so
eliminating a dof touches only rows that already hold the needed entries, and nothing fills in.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import MINVAL

#: an inverse pivot above this was clamped: the matrix is singular, or not positive
CLAMPED = 0.9 / MINVAL


@kernel(lanes=True)
def ldl_factor(m, matrix, inverse_diagonal):
    """Factor in place; the inverse of D apart, its pivots at least MINVAL.  Mirrors mj_factorI."""
    for i in range(m.nv - 1, -1, -1):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        pivot = max(matrix[last], MINVAL)
        inverse = 1.0 / pivot
        matrix[last] = pivot
        inverse_diagonal[i] = inverse

        # take this dof out of the rows of its ancestors
        for at in range(last - 1, start - 1, -1):
            scale = -matrix[at] * inverse
            ancestor = m.M_rowadr[m.M_colind[at]]
            for k in range(at - start + 1):
                matrix[ancestor + k] += scale * matrix[start + k]

        for at in range(start, last):
            matrix[at] *= inverse


@kernel(lanes=True)
def ldl_solve(m, matrix, inverse_diagonal, x):
    """Solve in place.  Mirrors mj_solveLD for one vector."""
    for i in range(m.nv - 1, -1, -1):
        start = m.M_rowadr[i]
        value = x[i]
        for at in range(start, start + m.M_rownnz[i] - 1):
            x[m.M_colind[at]] -= matrix[at] * value

    for i in range(m.nv):
        start = m.M_rowadr[i]
        value = x[i] * inverse_diagonal[i]
        for at in range(start, start + m.M_rownnz[i] - 1):
            value -= matrix[at] * x[m.M_colind[at]]
        x[i] = value
