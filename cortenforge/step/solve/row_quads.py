"""Bounded rows of an island in blocks of four (quads): their entries of J side by side.

A quad has the columns of all its rows, with zeros where a row has none; adding zero changes no bit.
Edges of a pyramid have the same columns and begin a new quad, so that products with J work on four
numbers at once, and read and write what belongs to a dof once.
"""

from __future__ import annotations

from cortenforge.fields import place_of
from cortenforge.kernel import bit, kernel
from cortenforge.step.status import has_capacity

NQUADMAX = place_of("nquadmax")
#: beyond every column
NO_COLUMN = 1 << 30


@kernel(lanes=True)
def store_four(out, at: int, a0, a1, a2, a3):
    """Store four neighbours; no read in between, so that they can share a register."""
    out[at] = a0
    out[at + 1] = a1
    out[at + 2] = a2
    out[at + 3] = a3


@kernel
def pack_quads(d):
    """Pack J of all bounded rows, by fours; whether there was room."""
    at = 0
    for q in range(d.island_bounded >> 2):
        d.quad_adr[q] = at
        alike = have_same_columns(d, 4 * q)
        d.quad_alike[q] = 1 if alike else 0
        most = d.efc_J_rownnz[d.iefc_efc[4 * q]] if alike else count_entries(d, 4 * q)
        if at + most > d.nquadmax:
            at += most
        elif alike:
            at = pack_same_columns(d, 4 * q, at)
        else:
            at = pack_merged_columns(d, 4 * q, at)
    d.quad_adr[d.island_bounded >> 2] = at
    return has_capacity(d, d.nquadmax, NQUADMAX, at)


@kernel
def count_entries(d, r: int):
    """Number of entries of four rows."""
    count = 0
    for j in range(r, r + 4):
        e = d.iefc_efc[j]
        count += d.efc_J_rownnz[e] if e >= 0 else 0
    return count


@kernel
def have_same_columns(d, r: int):
    """Whether four rows have the same columns; a padding row fits any."""
    first = d.iefc_efc[r]
    start, count = d.efc_J_rowadr[first], d.efc_J_rownnz[first]
    for j in range(1, 4):
        e = d.iefc_efc[r + j]
        if e >= 0:
            if d.efc_J_rownnz[e] != count:
                return False
            other = d.efc_J_rowadr[e]
            for k in range(count):
                if d.efc_J_colind[start + k] != d.efc_J_colind[other + k]:
                    return False
    return True


@kernel
def row_entries_start(d, e: int):
    """Where the entries of row e begin; for a padding row (e < 0), any valid place."""
    return d.efc_J_rowadr[e] if e >= 0 else d.efc_J_rowadr[d.iefc_efc[0]]


@kernel
def pack_same_columns(d, r: int, at: int):
    """Pack four rows with the same columns; returns where the next four go."""
    e0, e1, e2, e3 = d.iefc_efc[r], d.iefc_efc[r + 1], d.iefc_efc[r + 2], d.iefc_efc[r + 3]
    p0, p1, p2, p3 = (
        row_entries_start(d, e0),
        row_entries_start(d, e1),
        row_entries_start(d, e2),
        row_entries_start(d, e3),
    )
    count = d.efc_J_rownnz[e0]
    for k in range(count):
        d.quad_col[at + k] = d.map_dof2idof[d.efc_J_colind[p0 + k]]
        d.quad_J[at + k, 0] = d.efc_J_value[p0 + k]
        d.quad_J[at + k, 1] = d.efc_J_value[p1 + k] if e1 >= 0 else 0.0
        d.quad_J[at + k, 2] = d.efc_J_value[p2 + k] if e2 >= 0 else 0.0
        d.quad_J[at + k, 3] = d.efc_J_value[p3 + k] if e3 >= 0 else 0.0
    return at + count


@kernel
def row_entries_end(d, e: int):
    """Where the entries of row e end."""
    return row_entries_start(d, e) + (d.efc_J_rownnz[e] if e >= 0 else 0)


@kernel
def column_of_entry(d, at: int, end: int):
    """Column of an entry; NO_COLUMN behind the last one."""
    return d.efc_J_colind[at] if at < end else NO_COLUMN


@kernel
def pack_merged_columns(d, r: int, at: int):
    """Pack four rows with different columns, merged; returns where the next four go."""
    e0, e1, e2, e3 = d.iefc_efc[r], d.iefc_efc[r + 1], d.iefc_efc[r + 2], d.iefc_efc[r + 3]
    p0, p1, p2, p3 = (
        row_entries_start(d, e0),
        row_entries_start(d, e1),
        row_entries_start(d, e2),
        row_entries_start(d, e3),
    )
    n0, n1, n2, n3 = (
        row_entries_end(d, e0),
        row_entries_end(d, e1),
        row_entries_end(d, e2),
        row_entries_end(d, e3),
    )
    c0, c1 = column_of_entry(d, p0, n0), column_of_entry(d, p1, n1)
    c2, c3 = column_of_entry(d, p2, n2), column_of_entry(d, p3, n3)
    column = min(min(c0, c1), min(c2, c3))
    while column < NO_COLUMN:
        d.quad_col[at] = d.map_dof2idof[column]
        d.quad_J[at, 0] = d.efc_J_value[p0] if c0 == column else 0.0
        d.quad_J[at, 1] = d.efc_J_value[p1] if c1 == column else 0.0
        d.quad_J[at, 2] = d.efc_J_value[p2] if c2 == column else 0.0
        d.quad_J[at, 3] = d.efc_J_value[p3] if c3 == column else 0.0
        p0 += 1 if c0 == column else 0
        p1 += 1 if c1 == column else 0
        p2 += 1 if c2 == column else 0
        p3 += 1 if c3 == column else 0
        c0, c1 = column_of_entry(d, p0, n0), column_of_entry(d, p1, n1)
        c2, c3 = column_of_entry(d, p2, n2), column_of_entry(d, p3, n3)
        column = min(min(c0, c1), min(c2, c3))
        at += 1
    return at


@kernel
def quad_residuals(d, x, less, out):
    """out = J x - less, for all bounded rows."""
    for q in range(d.island_bounded >> 2):
        r = 4 * q
        t0, t1, t2, t3 = -less[r], -less[r + 1], -less[r + 2], -less[r + 3]
        for k in range(d.quad_adr[q], d.quad_adr[q + 1]):
            v = x[d.quad_col[k]]
            t0 += d.quad_J[k, 0] * v
            t1 += d.quad_J[k, 1] * v
            t2 += d.quad_J[k, 2] * v
            t3 += d.quad_J[k, 3] * v
        store_four(out, r, t0, t1, t2, t3)


@kernel
def multiply_quads(d, x, out):
    """out = J x, for all bounded rows."""
    for q in range(d.island_bounded >> 2):
        t0, t1, t2, t3 = 0.0, 0.0, 0.0, 0.0
        for k in range(d.quad_adr[q], d.quad_adr[q + 1]):
            v = x[d.quad_col[k]]
            t0 += d.quad_J[k, 0] * v
            t1 += d.quad_J[k, 1] * v
            t2 += d.quad_J[k, 2] * v
            t3 += d.quad_J[k, 3] * v
        store_four(out, 4 * q, t0, t1, t2, t3)


@kernel
def subtract_quad_forces(d, grad):
    """grad -= J' force, for all bounded rows.

    Products are rounded before they are added, so that equal forces of opposite edges of a pyramid
    cancel to the last bit: what is balanced stays so.
    """
    for q in range(d.island_bounded >> 2):
        r = 4 * q
        f0, f1 = d.iefc_force[r], d.iefc_force[r + 1]
        f2, f3 = d.iefc_force[r + 2], d.iefc_force[r + 3]
        if f0 != 0.0 or f1 != 0.0 or f2 != 0.0 or f3 != 0.0:
            for k in range(d.quad_adr[q], d.quad_adr[q + 1]):
                i = d.quad_col[k]
                push0 = d.quad_J[k, 0] * f0
                push1 = d.quad_J[k, 1] * f1
                push2 = d.quad_J[k, 2] * f2
                push3 = d.quad_J[k, 3] * f3
                grad[i] = (((grad[i] - push0) - push1) - push2) - push3


@kernel
def add_quads_to_hessian(d, hess, length: int):
    """hess += J' delta J, for rows whose stiffness changed by delta; returns how many.

    Products are rounded before they are added, as in `subtract_quad_forces`.
    """
    changed = 0
    for q in range(d.island_bounded >> 2):
        r = 4 * q
        d0, d1 = d.iefc_delta[r], d.iefc_delta[r + 1]
        d2, d3 = d.iefc_delta[r + 2], d.iefc_delta[r + 3]
        count = is_nonzero(d0) + is_nonzero(d1) + is_nonzero(d2) + is_nonzero(d3)
        if count > 1:
            add_four_rows_to_hessian(d, q, hess, length, d0, d1, d2, d3)
        elif count == 1:
            j = is_nonzero(d1) + 2 * is_nonzero(d2) + 3 * is_nonzero(d3)
            add_quad_row_to_hessian(d, q, j, hess, length)
        changed += count
    return changed


@kernel
def is_nonzero(x):
    """1 if x is not zero, else 0."""
    return 1 if x != 0.0 else 0


@kernel
def add_four_rows_to_hessian(d, q: int, hess, length: int, d0, d1, d2, d3):
    """hess += J' delta J of four rows."""
    start = d.quad_adr[q]
    for a in range(start, d.quad_adr[q + 1]):
        w0, w1 = d0 * d.quad_J[a, 0], d1 * d.quad_J[a, 1]
        w2, w3 = d2 * d.quad_J[a, 2], d3 * d.quad_J[a, 3]
        row = d.quad_col[a] * length
        for b in range(start, a + 1):
            at = row + d.quad_col[b]
            p0 = w0 * d.quad_J[b, 0]
            p1 = w1 * d.quad_J[b, 1]
            p2 = w2 * d.quad_J[b, 2]
            p3 = w3 * d.quad_J[b, 3]
            hess[at] = (((hess[at] + p0) + p1) + p2) + p3


@kernel
def add_quad_row_to_hessian(d, q: int, j: int, hess, length: int):
    """hess += J' delta J of one row of four."""
    start = d.quad_adr[q]
    delta = d.iefc_delta[4 * q + j]
    for a in range(start, d.quad_adr[q + 1]):
        weighted = delta * d.quad_J[a, j]
        if weighted != 0.0:
            row = d.quad_col[a] * length
            for b in range(start, a + 1):
                product = weighted * d.quad_J[b, j]
                hess[row + d.quad_col[b]] += product


@kernel
def mark_quad_pattern(d, words):
    """Mark the pattern of J'J of bounded rows: bits of lower dofs in each row's highest dof."""
    for q in range(d.island_bounded >> 2):
        if d.quad_alike[q] == 1:
            last = d.quad_adr[q + 1] - 1
            if last > d.quad_adr[q]:
                word = words[d.quad_col[last]]
                for k in range(d.quad_adr[q], last):
                    word = word | bit(d.quad_col[k])
                words[d.quad_col[last]] = word
        else:
            for r in range(4 * q, 4 * q + 4):
                mark_row_pattern(d, d.iefc_efc[r], words)


@kernel
def mark_row_pattern(d, e: int, words):
    """Mark the pattern of J'J of row e."""
    if e >= 0:
        start = d.efc_J_rowadr[e]
        last = start + d.efc_J_rownnz[e] - 1
        if last > start:
            top = d.map_dof2idof[d.efc_J_colind[last]]
            word = words[top]
            for k in range(start, last):
                word = word | bit(d.map_dof2idof[d.efc_J_colind[k]])
            words[top] = word
