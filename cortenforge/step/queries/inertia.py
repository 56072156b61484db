"""Products with the inertia matrix, and its inverse."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.ldl import ldl_solve


@kernel(lanes=True)
def add_inertial(m, d, result, v):
    """result += M v.  Mirrors mj_mulM."""
    for i in range(m.nv):
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        result[i] += d.M[last] * v[i]
        # an entry below the diagonal stands for two
        for at in range(start, last):
            column = m.M_colind[at]
            result[i] += d.M[at] * v[column]
            result[column] += d.M[at] * v[i]


@kernel(lanes=True, unit=True)
def multiply_inertia(m, d):
    """M times a vector.  Mirrors mj_mulM."""
    for i in range(m.nv):
        d.query_result[i] = 0.0
    add_inertial(m, d, d.query_result, d.query_vec)


@kernel(lanes=True, unit=True)
def solve_inertia(m, d):
    """A vector divided by M, in place.  Mirrors mj_solveM."""
    ldl_solve(m, d.qLD, d.qLDiagInv, d.query_vec)
