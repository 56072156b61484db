"""The row list efc_*: appending rows of J, and requesting more capacity.

Rows that find no room are counted all the same, so that a step which is repeated has room for all
of them. J is stored sparse, row by row: efc_J_rowadr, efc_J_rownnz, efc_J_colind, efc_J_value.

Source: MuJoCo: Computation, "Constraint model"; API reference, mjData.
"""

from __future__ import annotations

from cortenforge.fields import place_of
from cortenforge.kernel import kernel
from cortenforge.step.constants import AUTO_JACOBIAN, SPARSE_JACOBIAN
from cortenforge.step.status import need

NEFCMAX, NJMAX = place_of("nefcmax"), place_of("nJmax")
#: dofs from which `jacobian="auto"` means a sparse Jacobian
SPARSE_FROM_DOFS = 60


@kernel
def is_jacobian_sparse(m):
    """Whether MuJoCo stores J sparse; then it keeps rows that happen to be all zero."""
    many = m.opt_jacobian == AUTO_JACOBIAN and m.nv >= SPARSE_FROM_DOFS
    return m.opt_jacobian == SPARSE_JACOBIAN or many


@kernel
def append_rows(d, size: int, nnz: int):
    """Append `size` rows of nnz entries each; the first of them, or -1 if there is no room."""
    row, at = d.nefc, d.nJ
    d.nefc = row + size
    d.nJ = at + size * nnz
    found = -1
    if row + size <= d.nefcmax and at + size * nnz <= d.nJmax:
        for k in range(size):
            d.efc_J_rownnz[row + k] = nnz
            d.efc_J_rowadr[row + k] = at + k * nnz
        found = row
    return found


@kernel
def are_rows_zero(d, row: int, size: int):
    """Whether all entries of `size` rows are zero."""
    start = d.efc_J_rowadr[row]
    found = True
    for at in range(start, start + size * d.efc_J_rownnz[row]):
        if d.efc_J_value[at] != 0.0:
            found = False
    return found


@kernel
def keep_unless_zero(m, d, row: int, size: int):
    """Remove rows just appended if they are all zero and J is dense; whether they stay.

    Mirrors mj_addConstraint, contacts excepted.
    """
    kept = is_jacobian_sparse(m) or not are_rows_zero(d, row, size)
    if not kept:
        d.nefc = row
        d.nJ = d.efc_J_rowadr[row]
    return kept


@kernel
def describe_row(d, row: int, kind: int, number: int, pos, margin, loss):
    """Set type, id, position, margin and friction loss of a row."""
    d.efc_type[row] = kind
    d.efc_id[row] = number
    d.efc_pos[row] = pos
    d.efc_margin[row] = margin
    d.efc_frictionloss[row] = loss


@kernel
def set_jacobian_entry(d, at: int, dof: int, value):
    """Set one entry of J: its column (dof) and value."""
    d.efc_J_colind[at] = dof
    d.efc_J_value[at] = value


@kernel
def count_ancestor_dofs(m, i: int):
    """Number of dofs from dof i to the root, itself included; as many as its row of M has."""
    length = 0
    if i >= 0:
        after = m.dof_Madr[i + 1] if i + 1 < m.nv else m.nM
        length = after - m.dof_Madr[i]
    return length


@kernel
def count_relative_dofs(m, i: int, j: int):
    """Number of dofs that move one of two bodies but not both; i, j: last dof of each."""
    count = 0
    if i >= 0 and j >= 0 and m.dof_treeid[i] == m.dof_treeid[j]:
        while i != j:
            count += 1
            # dofs have higher numbers than those above them
            if i > j:
                i = m.dof_parentid[i]
            else:
                j = m.dof_parentid[j]
    else:
        count = count_ancestor_dofs(m, i) + count_ancestor_dofs(m, j)
    return count


@kernel
def request_row_capacity(d):
    """Whether the row list is too short: then it is emptied and a larger capacity is requested.

    Solvers read rows in fours, so the capacity is for whole fours.
    """
    wanted = (d.nefc + 3) & -4
    full = False
    if wanted > d.nefcmax:
        need(d, NEFCMAX, wanted)
        full = True
    elif d.nJ > d.nJmax:
        need(d, NJMAX, d.nJ)
        full = True
    if full:
        clear_rows(d)
    return full


@kernel(lanes=True)
def clear_rows(d):
    """Empty the row list."""
    d.ne = 0
    d.nf = 0
    d.nl = 0
    d.nefc = 0
    d.nJ = 0


@kernel
def pad_row_list(d):
    """Set rows of zeros behind the last one, up to a multiple of four."""
    row = d.nefc
    while row & 3 != 0:
        d.efc_J_rownnz[row] = 0
        d.efc_J_rowadr[row] = d.nJ
        d.efc_D[row] = 0.0
        d.efc_R[row] = 0.0
        d.efc_aref[row] = 0.0
        d.efc_frictionloss[row] = 0.0
        row += 1
