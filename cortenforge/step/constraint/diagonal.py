"""The diagonal of J M^-1 J', exactly; without `diagexact`, inverse weights stand for it."""

from __future__ import annotations

from cortenforge.kernel import kernel


@kernel(unit=True)
def exact_diagonal(m, d):
    """diagA of all rows, from the factor of M.  Mirrors mj_projectConstraint."""
    for i in range(m.nv):
        d.row_solve[i] = 0.0
    for row in range(d.nefc):
        d.efc_diagA[row] = row_diagonal(m, d, d.qLD, d.qLDiagInv, row)


@kernel
def row_diagonal(m, d, factor, inverse, row: int):
    """j M^-1 j' of one row: the squares of L'^-1 j', over D.  Leaves its vector zero again.

    factor, inverse: of M, or of another matrix in its pattern.
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
