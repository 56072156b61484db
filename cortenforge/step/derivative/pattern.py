"""The pattern of derivatives: a row of a dof has all dofs above it and all below it.

Columns rise along a row. Dofs above a dof stand first, each in the place of its depth; dofs of its
body and those below them have neighbouring numbers, so their places follow from the diagonal's.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select


@kernel(lanes=True)
def entry(m, i: int, k: int):
    """Where an entry is; one of the two dofs is above the other, or they are the same."""
    at = m.D_rowadr[i] + m.D_diag[k]
    if k > i:
        at = m.D_rowadr[i] + m.D_diag[i] + k - i
    return at


@kernel(lanes=True)
def coupled(m, i: int, k: int):
    """Whether one of two dofs is above the other, or they are the same."""
    low, high = min(i, k), max(i, k)
    near = m.D_diag[low] <= m.D_diag[high]
    return near and m.D_colind[m.D_rowadr[high] + min(m.D_diag[low], m.D_diag[high])] == low


@kernel(lanes=True)
def add_both(m, out, i: int, k: int, value, felt):
    """Add to an entry and to its mirror image, in worlds where there is something to add.

    What the pattern has no room for is left out, as in MuJoCo.
    """
    if coupled(m, i, k):
        at = entry(m, i, k)
        out[at] = select(felt, out[at] + value, out[at])
        if i != k:
            mirror = entry(m, k, i)
            out[mirror] = select(felt, out[mirror] + value, out[mirror])
