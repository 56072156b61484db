"""Products with the mass matrix M and its inverse: M v, and M^-1 v by the L'DL factor.

Source: Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.5; `math.ldl`.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.ldl import ldl_solve


@kernel(lanes=True)
def add_symmetric_product(m, matrix, result, v):
    """result += matrix v, for a symmetric matrix stored as the lower triangle in M's pattern.

    Mirrors mj_mulM.
    """
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        result[i] += matrix[last] * v[i]
        # an entry below the diagonal counts twice
        for at in range(start, last):
            column = m.M_colind[at]
            result[i] += matrix[at] * v[column]
            result[column] += matrix[at] * v[i]


@kernel(lanes=True, unit=True)
def multiply_inertia(m, d):
    """query_result = M query_vec.  Mirrors mj_mulM."""
    for i in range(m.nv):
        d.query_result[i] = 0.0
    add_symmetric_product(m, d.M, d.query_result, d.query_vec)


@kernel(lanes=True, unit=True)
def solve_inertia(m, d):
    """query_vec = M^-1 query_vec, in place.  Mirrors mj_solveM."""
    ldl_solve(m, d.qLD, d.qLDiagInv, d.query_vec)
