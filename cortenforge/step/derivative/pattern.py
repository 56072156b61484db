"""The pattern of derivatives: a row of a dof has all dofs above it and all below it.

Columns rise along a row. Dofs above a dof stand first, each in the place of its depth; dofs of its
body and those below them have neighbouring numbers, so their places follow from the diagonal's.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select


@kernel(lanes=True)
def entry(m, i: int, k: int):
    """Where an entry is; one of the two dofs is above the other, or they are the same."""
    at = m.D_rowadr[i] + m.D_diag[k]
    if k > i:
        at = m.D_rowadr[i] + m.D_diag[i] + k - i
    return at


@kernel(lanes=True)
def add_product(m, out, row, colind, start: int, count: int, scale):
    """Add scale J'J of one sparse row, where the pattern has room.  Mirrors addJTBJSparse."""
    if any_lane(scale != 0.0):
        for j in range(start, start + count):
            i = colind[j]
            first = m.D_rowadr[i]
            last = first + m.D_diag[i]
            at = first
            factor = scale * row[j]
            for n in range(start, j + 1):
                while at < last and m.D_colind[at] < colind[n]:
                    at += 1
                if m.D_colind[at] == colind[n]:
                    add_both(m, out, i, colind[n], factor * row[n], scale != 0.0)


@kernel(lanes=True)
def add_both(m, out, i: int, k: int, value, felt):
    """Add to an entry and to its mirror image, in worlds where there is something to add."""
    at = entry(m, i, k)
    out[at] = select(felt, out[at] + value, out[at])
    if i != k:
        mirror = entry(m, k, i)
        out[mirror] = select(felt, out[mirror] + value, out[mirror])
