"""Exact diagonal of A = J M^-1 J' (flag `diagexact`), instead of body inverse weights.

    M = L' D L   =>   A_rr = |D^-1/2 L'^-1 J_r'|^2

Source: MuJoCo: Computation, "Constraint solver", "Parameters", "Diagonal approximation".
"""

from __future__ import annotations

from cortenforge.kernel import kernel


@kernel(unit=True)
def set_exact_diagonal(m, d):
    """diagA = diag(J M^-1 J') of all rows, by the factor of M.  Mirrors mj_projectConstraint."""
    for i in range(m.nv):
        d.row_solve[i] = 0.0
    for row in range(d.nefc):
        d.efc_diagA[row] = exact_row_diagonal(m, d, d.qLD, d.qLDiagInv, row)


@kernel
def exact_row_diagonal(m, d, factor, inverse, row: int):
    """j M^-1 j' of one row j: sum_i x_i^2 / D_i with L' x = j'.  Leaves its work vector zero.

    factor, inverse: L and 1 / D of M, or of another matrix with its sparsity.
    """
    start, nnz = d.efc_J_rowadr[row], d.efc_J_rownnz[row]
    last = -1
    for at in range(start, start + nnz):
        last = d.efc_J_colind[at]
        d.row_solve[last] = d.efc_J_value[at]
    total = 0.0
    for i in range(last, -1, -1):
        x = d.row_solve[i]
        if x != 0.0:
            d.row_solve[i] = 0.0
            total += x * x * inverse[i]
            first = m.M_rowadr[i]
            for at in range(first, first + m.M_rownnz[i] - 1):
                d.row_solve[m.M_colind[at]] -= x * factor[at]
    return total
