"""H of an island of any size: blocks of four by four where there can be something, factored.

A block (I, K) with K <= I has its sixteen entries one after another, row by row. Eliminating from
the last row of blocks to the first: C C' = A_II, Y_K = C^-1 A_IK, and A_JK -= Y_J' Y_K for all K
and J left of I. C and the Y stay where A was.
"""

from __future__ import annotations

import math

from cortenforge.fields import place_of
from cortenforge.kernel import kernel
from cortenforge.step.solve.cones import MIDDLE, hessian_of_cone, weigh_rows
from cortenforge.step.solve.pattern import block_at, find_blocks
from cortenforge.step.solve.small import put_four
from cortenforge.step.status import has_room

NHMAX = place_of("nHmax")


@kernel(unit=True)
def begin_large(m, d):
    """The first H of an island, and the search direction that it gives."""
    n, rows = d.island_n, d.island_rows
    # a small island would find entries of this one's factor where it expects zeros
    d.pattern_n = 0
    if find_blocks(d, n, rows) and has_block_room(d, n):
        begin_blocks(d, n)
        add_large_rows(d, rows)
        d.hess_middle = 0
        direct_large(d, n, 1)


@kernel(unit=True)
def go_on_large(m, d):
    """The next search direction."""
    direct_large(d, d.island_n, add_large_rows(d, d.island_rows))


@kernel
def direct_large(d, n: int, changed: int):
    """search = -H^-1 grad, with a new factor where H has changed."""
    if d.island_cones > 0:
        left = d.hess_middle
        d.hess_middle = add_large_cones(d, n)
        if changed + left + d.hess_middle > 0:
            factor_large(d, n, d.hess_cone)
    elif changed > 0:
        factor_large(d, n, d.hess)
    d.hess_fall = search_large(d, n)


@kernel
def count_blocks(d, n: int):
    """How many blocks there are."""
    last = ((n + 3) >> 2) - 1
    return d.block_adr[last] + d.block_num[last] + 1


@kernel
def has_block_room(d, n: int):
    """Whether there is room for the entries of all blocks."""
    return has_room(d, d.nHmax, NHMAX, 16 * count_blocks(d, n))


@kernel
def entry_at(d, i: int, j: int):
    """Where the entry of row i and column j is, j <= i."""
    return 16 * block_at(d, i >> 2, j >> 2) + 4 * (i & 3) + (j & 3)


@kernel
def begin_blocks(d, n: int):
    """H = M; rows that fill up the last block have 1 on the diagonal."""
    for at in range(0, 16 * count_blocks(d, n), 4):
        put_four(d.hess, at, 0.0, 0.0, 0.0, 0.0)
    for i in range(n):
        start = d.iM_rowadr[i]
        for at in range(start, start + d.iM_rownnz[i]):
            d.hess[entry_at(d, i, d.iM_colind[at])] = d.iM[at]
    for i in range(n, (n + 3) & -4):
        d.hess[entry_at(d, i, i)] = 1.0


@kernel
def add_large_rows(d, rows: int):
    """H += J' delta J for rows whose stiffness has changed; whether there were any."""
    changed = 0
    for r in range(rows):
        delta = d.iefc_delta[r]
        if delta != 0.0:
            changed = 1
            start = d.iefc_adr[r]
            for a in range(start, start + d.iefc_nnz[r]):
                weighted = delta * d.iefc_J[a]
                i = d.iefc_colind[a]
                known, block = -1, 0
                for b in range(start, a + 1):
                    j = d.iefc_colind[b]
                    if (j >> 2) != known:
                        known = j >> 2
                        block = 16 * block_at(d, i >> 2, known) + 4 * (i & 3)
                    product = weighted * d.iefc_J[b]
                    d.hess[block + (j & 3)] += product
    return changed


@kernel
def add_large_cones(d, n: int):
    """hess_cone = H + J' C J of contacts in the middle zone; how many there are."""
    for at in range(0, 16 * count_blocks(d, n), 4):
        put_four(d.hess_cone, at, d.hess[at], d.hess[at + 1], d.hess[at + 2], d.hess[at + 3])
    count = 0
    for c in range(d.island_cones):
        if d.cone_zone[c] == MIDDLE:
            count += 1
            add_large_cone(d, c)
    return count


@kernel
def add_large_cone(d, c: int):
    """hess_cone += J' C J of a contact."""
    r, dim = d.cone_row[c], d.contact_dim[d.cone_contact[c]]
    start, nnz = d.iefc_adr[r], d.iefc_nnz[r]
    hessian_of_cone(d, c)
    weigh_rows(d, c, nnz)
    for i in range(nnz):
        row = d.iefc_colind[start + i]
        known, block = -1, 0
        for j in range(i + 1):
            column = d.iefc_colind[start + j]
            if (column >> 2) != known:
                known = column >> 2
                block = 16 * block_at(d, row >> 2, known) + 4 * (row & 3)
            total = d.hess_cone[block + (column & 3)]
            for a in range(dim):
                total += d.iefc_J[start + a * nnz + i] * d.cone_work[a * nnz + j]
            d.hess_cone[block + (column & 3)] = total


@kernel
def factor_large(d, n: int, source):
    """The factor of H, block by block, in hess_L."""
    for at in range(0, 16 * count_blocks(d, n), 4):
        put_four(d.hess_L, at, source[at], source[at + 1], source[at + 2], source[at + 3])
    for i in range(((n + 3) >> 2) - 1, -1, -1):
        first = d.block_adr[i]
        last = first + d.block_num[i]
        diagonal = 16 * last
        factor_block(d.hess_L, diagonal)
        for k in range(first, last):
            divide_block(d.hess_L, diagonal, 16 * k)
        for j in range(first, last):
            take_out(d, d.block_col[j], first, j)


@kernel
def take_out(d, row: int, first: int, j: int):
    """A_JK -= Y_J' Y_K for a row J and all K up to it; blocks of both rows are in rising order."""
    to = d.block_adr[row]
    for k in range(first, j + 1):
        column = d.block_col[k]
        while d.block_col[to] != column:
            to += 1
        for a in range(4):
            y = 16 * j + a
            s0, s1, s2, s3 = d.hess_L[y], d.hess_L[y + 4], d.hess_L[y + 8], d.hess_L[y + 12]
            take_rows(d.hess_L, 16 * to + 4 * a, s0, s1, s2, s3, d.hess_L, 16 * k)


@kernel
def take_rows(out, at: int, s0, s1, s2, s3, L, k: int):
    """out -= multiples of the four rows of a block."""
    a0 = out[at] - s0 * L[k] - s1 * L[k + 4] - s2 * L[k + 8] - s3 * L[k + 12]
    a1 = out[at + 1] - s0 * L[k + 1] - s1 * L[k + 5] - s2 * L[k + 9] - s3 * L[k + 13]
    a2 = out[at + 2] - s0 * L[k + 2] - s1 * L[k + 6] - s2 * L[k + 10] - s3 * L[k + 14]
    a3 = out[at + 3] - s0 * L[k + 3] - s1 * L[k + 7] - s2 * L[k + 11] - s3 * L[k + 15]
    put_four(out, at, a0, a1, a2, a3)


@kernel
def factor_block(L, at: int):
    """C of a block on the diagonal, C C' = A, with inverse pivots on its diagonal."""
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
def divide_block(L, c: int, at: int):
    """Y = C^-1 A of a block: row by row."""
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
        put_four(L, row, a0 * s, a1 * s, a2 * s, a3 * s)


@kernel
def search_large(d, n: int):
    """search = -H^-1 grad; the fall of the quadratic model, grad' H^-1 grad."""
    count = (n + 3) >> 2
    for i in range(4 * count):
        d.isearch[i] = 0.0
    for i in range(n):
        d.isearch[i] = -d.igrad[i]
    for i in range(count - 1, -1, -1):
        last = d.block_adr[i] + d.block_num[i]
        lower_block(d.hess_L, 16 * last, d.isearch, 4 * i)
        x0, x1, x2, x3 = four_of(d.isearch, 4 * i)
        for k in range(d.block_adr[i], last):
            take_rows(d.isearch, 4 * d.block_col[k], x0, x1, x2, x3, d.hess_L, 16 * k)
    for i in range(count):
        last = d.block_adr[i] + d.block_num[i]
        for k in range(d.block_adr[i], last):
            gather_block(d.hess_L, 16 * k, d.isearch, 4 * i, 4 * d.block_col[k])
        upper_block(d.hess_L, 16 * last, d.isearch, 4 * i)
    total = 0.0
    for i in range(n):
        total -= d.isearch[i] * d.igrad[i]
    return total


@kernel
def four_of(x, i: int):
    """Four neighbours."""
    return x[i], x[i + 1], x[i + 2], x[i + 3]


@kernel
def lower_block(L, c: int, x, i: int):
    """x_I = C^-1 x_I."""
    x0 = x[i] * L[c]
    x1 = (x[i + 1] - L[c + 4] * x0) * L[c + 5]
    x2 = (x[i + 2] - L[c + 8] * x0 - L[c + 9] * x1) * L[c + 10]
    x3 = (x[i + 3] - L[c + 12] * x0 - L[c + 13] * x1 - L[c + 14] * x2) * L[c + 15]
    put_four(x, i, x0, x1, x2, x3)


@kernel
def upper_block(L, c: int, x, i: int):
    """x_I = C'^-1 x_I."""
    x3 = x[i + 3] * L[c + 15]
    x2 = (x[i + 2] - L[c + 14] * x3) * L[c + 10]
    x1 = (x[i + 1] - L[c + 13] * x3 - L[c + 9] * x2) * L[c + 5]
    x0 = (x[i] - L[c + 12] * x3 - L[c + 8] * x2 - L[c + 4] * x1) * L[c]
    put_four(x, i, x0, x1, x2, x3)


@kernel
def gather_block(L, at: int, x, i: int, k: int):
    """x_I -= Y_K x_K."""
    s0, s1, s2, s3 = x[k], x[k + 1], x[k + 2], x[k + 3]
    a0 = x[i] - s0 * L[at] - s1 * L[at + 1] - s2 * L[at + 2] - s3 * L[at + 3]
    a1 = x[i + 1] - s0 * L[at + 4] - s1 * L[at + 5] - s2 * L[at + 6] - s3 * L[at + 7]
    a2 = x[i + 2] - s0 * L[at + 8] - s1 * L[at + 9] - s2 * L[at + 10] - s3 * L[at + 11]
    a3 = x[i + 3] - s0 * L[at + 12] - s1 * L[at + 13] - s2 * L[at + 14] - s3 * L[at + 15]
    put_four(x, i, a0, a1, a2, a3)
