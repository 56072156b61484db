"""Hessian of an island of any size: sparse blocks of four by four, block Cholesky factor.

A block (I, K) with K <= I has its sixteen entries one after another, row by row. From the last row
of blocks to the first:

    C C' = A_II,   Y_K = C^-1 A_IK,   A_JK -= Y_J' Y_K   for all J, K left of I

C and the Y replace A. Patterns come from `block_pattern`, the order of dofs from
`elimination_order`.

Source: T. Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, chapter 4.
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

import math

from cortenforge.fields import place_of
from cortenforge.kernel import kernel
from cortenforge.step.solve.block_pattern import find_block, update_block_pattern
from cortenforge.step.solve.elliptic_cones import ZONE_MIDDLE, set_cone_product, with_cone_entry
from cortenforge.step.solve.small_hessian import store_four
from cortenforge.step.status import has_capacity

NHMAX = place_of("nHmax")


@kernel(unit=True)
def first_direction_large(m, d):
    """First Hessian of an island, and the Newton direction."""
    if update_block_pattern(m, d, d.island_rows) and has_block_capacity(d):
        copy_inertia_large(d)
        add_rows_large(d, d.island_rows)
        d.hess_middle = 0
        newton_direction_large(d, 1)


@kernel(unit=True)
def next_direction_large(m, d):
    """Update the Hessian for changed rows, and find the Newton direction."""
    newton_direction_large(d, add_rows_large(d, d.island_rows))


@kernel
def newton_direction_large(d, changed: int):
    """search = -H^-1 grad; factors if H changed."""
    if d.island_cones > 0:
        left = d.hess_middle
        d.hess_middle = add_cones_large(d)
        if changed + left + d.hess_middle > 0:
            factor_hessian_large(d, d.hess_cone)
    elif changed > 0:
        factor_hessian_large(d, d.hess)
    d.hess_fall = solve_hessian_large(d)


@kernel
def count_blocks(d):
    """Number of blocks."""
    last = (d.hess_n >> 2) - 1
    return d.block_adr[last] + d.block_num[last] + 1


@kernel
def has_block_capacity(d):
    """Whether there is capacity for the entries of all blocks."""
    return has_capacity(d, d.nHmax, NHMAX, 16 * count_blocks(d))


@kernel
def hessian_entry_index(d, i: int, j: int):
    """Index of the entry at rows i and j of H, in either order (lower triangle)."""
    return block_start(d, i >> 2, j >> 2) + offset_in_block(i, j)


@kernel
def block_start(d, i: int, j: int):
    """Where a block starts; its row and column in either order."""
    return 16 * find_block(d, max(i, j), min(i, j))


@kernel
def offset_in_block(i: int, j: int):
    """Index of the entry at rows i and j within its block."""
    return 4 * (max(i, j) & 3) + (min(i, j) & 3)


@kernel
def copy_inertia_large(d):
    """hess = M, with 1 on the diagonal of padding rows."""
    for at in range(0, 16 * count_blocks(d), 4):
        store_four(d.hess, at, 0.0, 0.0, 0.0, 0.0)
    for i in range(d.hess_n):
        d.hess[hessian_entry_index(d, i, i)] = 1.0
    for i in range(d.island_n):
        start = d.iM_rowadr[i]
        for at in range(start, start + d.iM_rownnz[i]):
            place = hessian_entry_index(d, d.order_place[i], d.order_place[d.iM_colind[at]])
            d.hess[place] = d.iM[at]


@kernel
def add_rows_large(d, rows: int):
    """hess += J' delta J, for rows whose stiffness changed; 1 if any did."""
    changed = 0
    for r in range(rows):
        delta = d.iefc_delta[r]
        if delta != 0.0:
            changed = 1
            start = d.iefc_adr[r]
            for a in range(start, start + d.iefc_nnz[r]):
                weighted = delta * d.iefc_J[a]
                i = d.order_place[d.iefc_colind[a]]
                known, block = -1, 0
                for b in range(start, a + 1):
                    j = d.order_place[d.iefc_colind[b]]
                    if (j >> 2) != known:
                        known = j >> 2
                        block = block_start(d, i >> 2, known)
                    product = weighted * d.iefc_J[b]
                    d.hess[block + offset_in_block(i, j)] += product
    return changed


@kernel
def add_cones_large(d):
    """hess_cone = hess + sum J_c' C_c J_c of contacts in the middle zone; their number."""
    for at in range(0, 16 * count_blocks(d), 4):
        store_four(d.hess_cone, at, d.hess[at], d.hess[at + 1], d.hess[at + 2], d.hess[at + 3])
    count = 0
    for c in range(d.island_cones):
        if d.cone_zone[c] == ZONE_MIDDLE:
            count += 1
            add_cone_large(d, c)
    return count


@kernel
def add_cone_large(d, c: int):
    """hess_cone += J_c' C_c J_c of one contact."""
    start, nnz, dim = set_cone_product(d, c)
    for i in range(nnz):
        row = d.order_place[d.iefc_colind[start + i]]
        known, block = -1, 0
        for j in range(i + 1):
            column = d.order_place[d.iefc_colind[start + j]]
            if (column >> 2) != known:
                known = column >> 2
                block = block_start(d, row >> 2, known)
            at = block + offset_in_block(row, column)
            d.hess_cone[at] = with_cone_entry(d, start, nnz, dim, i, j, d.hess_cone[at])


@kernel
def factor_hessian_large(d, source):
    """Factor H by blocks, in hess_L."""
    for at in range(0, 16 * count_blocks(d), 4):
        store_four(d.hess_L, at, source[at], source[at + 1], source[at + 2], source[at + 3])
    for i in range((d.hess_n >> 2) - 1, -1, -1):
        first = d.block_adr[i]
        last = first + d.block_num[i]
        diagonal = 16 * last
        factor_diagonal_block(d.hess_L, diagonal)
        for k in range(first, last):
            solve_off_diagonal_block(d.hess_L, diagonal, 16 * k)
        for j in range(first, last):
            eliminate_block_row(d, d.block_col[j], first, j)


@kernel
def eliminate_block_row(d, row: int, first: int, j: int):
    """A_JK -= Y_J' Y_K for one row of blocks J and all K up to it; columns rise in both rows."""
    to = d.block_adr[row]
    for k in range(first, j + 1):
        column = d.block_col[k]
        while d.block_col[to] != column:
            to += 1
        for a in range(4):
            y = 16 * j + a
            s0, s1, s2, s3 = d.hess_L[y], d.hess_L[y + 4], d.hess_L[y + 8], d.hess_L[y + 12]
            subtract_block_rows(d.hess_L, 16 * to + 4 * a, s0, s1, s2, s3, d.hess_L, 16 * k)


@kernel
def subtract_block_rows(out, at: int, s0, s1, s2, s3, L, k: int):
    """out -= s0..s3 times the four rows of block k of L."""
    a0 = out[at] - s0 * L[k] - s1 * L[k + 4] - s2 * L[k + 8] - s3 * L[k + 12]
    a1 = out[at + 1] - s0 * L[k + 1] - s1 * L[k + 5] - s2 * L[k + 9] - s3 * L[k + 13]
    a2 = out[at + 2] - s0 * L[k + 2] - s1 * L[k + 6] - s2 * L[k + 10] - s3 * L[k + 14]
    a3 = out[at + 3] - s0 * L[k + 3] - s1 * L[k + 7] - s2 * L[k + 11] - s3 * L[k + 15]
    store_four(out, at, a0, a1, a2, a3)


@kernel
def factor_diagonal_block(L, at: int):
    """Cholesky factor C of a diagonal block, C C' = A, with 1 / pivot on its diagonal."""
    for i in range(4):
        row = at + 4 * i
        for j in range(i):
            total = L[row + j]
            for k in range(j):
                total -= L[row + k] * L[at + 4 * j + k]
            L[row + j] = total * L[at + 5 * j]
        total = L[row + i]
        for k in range(i):
            total -= L[row + k] * L[row + k]
        L[row + i] = 1.0 / math.sqrt(total)


@kernel
def solve_off_diagonal_block(L, c: int, at: int):
    """Y = C^-1 A of a block, row by row."""
    for i in range(4):
        row = at + 4 * i
        a0, a1, a2, a3 = L[row], L[row + 1], L[row + 2], L[row + 3]
        for k in range(i):
            s = L[c + 4 * i + k]
            a0 -= s * L[at + 4 * k]
            a1 -= s * L[at + 4 * k + 1]
            a2 -= s * L[at + 4 * k + 2]
            a3 -= s * L[at + 4 * k + 3]
        s = L[c + 5 * i]
        store_four(L, row, a0 * s, a1 * s, a2 * s, a3 * s)


@kernel
def solve_hessian_large(d):
    """search = -H^-1 grad; returns grad' H^-1 grad."""
    n, count = d.island_n, d.hess_n >> 2
    for i in range(d.hess_n):
        d.large_x[i] = 0.0
    for i in range(n):
        d.large_x[d.order_place[i]] = -d.igrad[i]
    for i in range(count - 1, -1, -1):
        last = d.block_adr[i] + d.block_num[i]
        solve_lower_block(d.hess_L, 16 * last, d.large_x, 4 * i)
        x0, x1, x2, x3 = load_four(d.large_x, 4 * i)
        for k in range(d.block_adr[i], last):
            subtract_block_rows(d.large_x, 4 * d.block_col[k], x0, x1, x2, x3, d.hess_L, 16 * k)
    for i in range(count):
        last = d.block_adr[i] + d.block_num[i]
        for k in range(d.block_adr[i], last):
            subtract_block_product(d.hess_L, 16 * k, d.large_x, 4 * i, 4 * d.block_col[k])
        solve_upper_block(d.hess_L, 16 * last, d.large_x, 4 * i)
    total = 0.0
    for i in range(n):
        found = d.large_x[d.order_place[i]]
        d.isearch[i] = found
        total -= found * d.igrad[i]
    return total


@kernel
def load_four(x, i: int):
    """Load four neighbours."""
    return x[i], x[i + 1], x[i + 2], x[i + 3]


@kernel
def solve_lower_block(L, c: int, x, i: int):
    """x_I = C^-1 x_I."""
    x0 = x[i] * L[c]
    x1 = (x[i + 1] - L[c + 4] * x0) * L[c + 5]
    x2 = (x[i + 2] - L[c + 8] * x0 - L[c + 9] * x1) * L[c + 10]
    x3 = (x[i + 3] - L[c + 12] * x0 - L[c + 13] * x1 - L[c + 14] * x2) * L[c + 15]
    store_four(x, i, x0, x1, x2, x3)


@kernel
def solve_upper_block(L, c: int, x, i: int):
    """x_I = C'^-1 x_I."""
    x3 = x[i + 3] * L[c + 15]
    x2 = (x[i + 2] - L[c + 14] * x3) * L[c + 10]
    x1 = (x[i + 1] - L[c + 13] * x3 - L[c + 9] * x2) * L[c + 5]
    x0 = (x[i] - L[c + 12] * x3 - L[c + 8] * x2 - L[c + 4] * x1) * L[c]
    store_four(x, i, x0, x1, x2, x3)


@kernel
def subtract_block_product(L, at: int, x, i: int, k: int):
    """x_I -= Y_K x_K."""
    s0, s1, s2, s3 = x[k], x[k + 1], x[k + 2], x[k + 3]
    a0 = x[i] - s0 * L[at] - s1 * L[at + 1] - s2 * L[at + 2] - s3 * L[at + 3]
    a1 = x[i + 1] - s0 * L[at + 4] - s1 * L[at + 5] - s2 * L[at + 6] - s3 * L[at + 7]
    a2 = x[i + 2] - s0 * L[at + 8] - s1 * L[at + 9] - s2 * L[at + 10] - s3 * L[at + 11]
    a3 = x[i + 3] - s0 * L[at + 12] - s1 * L[at + 13] - s2 * L[at + 14] - s3 * L[at + 15]
    store_four(x, i, a0, a1, a2, a3)
