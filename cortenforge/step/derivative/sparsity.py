"""Sparsity pattern of derivatives (D): a row of a dof has all its ancestors and descendants.

Columns rise along a row. Ancestors stand first, each in the place of its depth; dofs of its body
and those below have consecutive numbers, so their places follow from the diagonal's (D_diag).
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select


@kernel(lanes=True)
def entry_address(m, i: int, k: int):
    """Address of entry (i, k); the dofs are equal, or one is an ancestor of the other."""
    at = m.D_rowadr[i] + m.D_diag[k]
    if k > i:
        at = m.D_rowadr[i] + m.D_diag[i] + k - i
    return at


@kernel(lanes=True)
def on_one_branch(m, i: int, k: int):
    """Whether two dofs are on one branch: one is an ancestor of the other, or they are equal."""
    low, high = min(i, k), max(i, k)
    near = m.D_diag[low] <= m.D_diag[high]
    return near and m.D_colind[m.D_rowadr[high] + min(m.D_diag[low], m.D_diag[high])] == low


@kernel(lanes=True)
def add_symmetric_entries(m, out, i: int, k: int, value, active):
    """Add a value to entries (i, k) and (k, i), in lanes that are active.

    Entries outside of the pattern are left out, as in MuJoCo.
    """
    if on_one_branch(m, i, k):
        at = entry_address(m, i, k)
        out[at] = select(active, out[at] + value, out[at])
        if i != k:
            mirror = entry_address(m, k, i)
            out[mirror] = select(active, out[mirror] + value, out[mirror])
