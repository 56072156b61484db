"""Hessian of an island of at most 64 dofs: sparsity as bits, L'DL factor, Newton direction.

    H = M + J' diag(D) J + sum J_c' C_c J_c = L' D L,   search = -H^-1 grad

H, L and S (L by columns) are addressed as square matrices with rows of a multiple of four entries,
but only blocks of four columns that can be nonzero are touched. Elimination runs from the leaves:
as long as no contact couples two branches of a tree, there is no fill-in. The pattern is one word
of bits a row, and factored symbolically again only when rows touch other dofs than last time.

Entries get their terms in the same order whatever the pattern, and adding zero changes no bit: a
wider pattern gives the same numbers. So worlds in lockstep share one pattern, the union of theirs.

Source: Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.5; T. Davis, Direct Methods
for Sparse Linear Systems, SIAM 2006, chapter 4.
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, bit, kernel, lowest_bit, without_lowest, zero_like
from cortenforge.step.solve.elliptic_cones import ZONE_MIDDLE, set_cone_product, with_cone_entry
from cortenforge.step.solve.island_problem import ITERATING
from cortenforge.step.solve.row_quads import (
    add_quads_to_hessian,
    mark_quad_pattern,
    mark_row_pattern,
    store_four,
)


@kernel(lanes=True, unit=True)
def first_direction_small(m, d):
    """First Hessian of an island, and the Newton direction."""
    n = d.island_n
    update_small_pattern(d, n)
    copy_inertia_small(d, n)
    add_rows_small(d, d.small_H, padded_row_length(n))
    d.hess_middle = 0
    newton_direction_small(d, n, 1)


@kernel(lanes=True, unit=True)
def next_direction_small(m, d):
    """Update the Hessian for changed rows, and find the Newton direction."""
    n = d.island_n
    add_rows_small(d, d.small_H, padded_row_length(n))
    newton_direction_small(d, n, 0)


@kernel(lanes=True)
def newton_direction_small(d, n: int, first: int):
    """search = -H^-1 grad; factors if H changed in any world, or if first = 1."""
    if any_lane(d.island_cones > 0):
        left = d.hess_middle
        copy_hessian_small(d, n)
        add_cones_small(d, d.small_cone, padded_row_length(n))
        if first == 1 or any_lane(d.hess_changed + left + d.hess_middle > 0):
            factor_hessian_small(d, n, d.small_cone)
    elif first == 1 or any_lane(d.hess_changed > 0):
        factor_hessian_small(d, n, d.small_H)
    d.hess_fall = solve_hessian_small(d, n)


@kernel(lanes=True)
def padded_row_length(n: int):
    """Row length of H, L and S: n rounded up to a multiple of four."""
    return (n + 3) & -4


@kernel(lanes=True)
def update_small_pattern(d, n: int):
    """Pattern of H (words of bits); factored symbolically again only if it changed."""
    for i in range(n):
        word = bit(0) ^ bit(0)
        start = d.iM_rowadr[i]
        for at in range(start, start + d.iM_rownnz[i] - 1):
            word = word | bit(d.iM_colind[at])
        d.pattern_word[i] = word
    mark_island_rows(d, d.pattern_word)
    known = d.pattern_n == n
    for i in range(n):
        known = known and d.pattern_word[i] == d.pattern_known[i]
    if not known:
        eliminate_small_pattern(d, n)


@kernel
def mark_island_rows(d, words):
    """Mark the pattern of J' J, in worlds that iterate."""
    if d.solving == ITERATING:
        mark_quad_pattern(d, words)
        for r in range(d.island_bounded, d.island_rows):
            mark_row_pattern(d, d.iefc_efc[r], words)


@kernel(lanes=True)
def eliminate_small_pattern(d, n: int):
    """Symbolic factorisation from the last dof to the first; lists blocks of H and L."""
    if d.pattern_n != n:
        zero_small_factor(d, n)
    for i in range(n):
        d.pattern_known[i] = d.pattern_word[i]
        d.pattern_full[i] = d.pattern_word[i]
        d.below_num[i] = 0
    for i in range(n - 1, -1, -1):
        word = d.pattern_full[i]
        clear_left_blocks(d, n, i)
        parent, count, block = -1, 0, -1
        while word != 0:
            j = lowest_bit(word)
            word = without_lowest(word)
            parent = j
            d.below[j * n + d.below_num[j]] = i
            d.below_num[j] += 1
            if (j >> 2) != block:
                block = j >> 2
                d.blk[i * n + count] = 4 * block
                count += 1
        if (i >> 2) != block:
            d.blk[i * n + count] = i & -4
            count += 1
        d.blk_num[i] = count
        if parent > 0:
            d.pattern_full[parent] = d.pattern_full[parent] | (d.pattern_full[i] ^ bit(parent))
    list_column_blocks(d, n)


@kernel(lanes=True)
def zero_small_factor(d, n: int):
    """Zero L and S for a new size n: what is read but never written must be zero."""
    d.pattern_n = n
    length = padded_row_length(n)
    none = zero_like(d.small_L[0])
    for at in range(0, length * length, 4):
        store_four(d.small_L, at, none, none, none, none)
        store_four(d.small_S, at, none, none, none, none)
    for i in range(n):
        d.blk_num[i] = 0


@kernel(lanes=True)
def clear_left_blocks(d, n: int, i: int):
    """Zero blocks that a row no longer has: other rows' blocks may read them."""
    length = padded_row_length(n)
    word = d.pattern_full[i]
    none = zero_like(d.small_L[0])
    for b in range(i * n, i * n + d.blk_num[i]):
        c = d.blk[b]
        four = bit(c) | bit(c + 1) | bit(c + 2) | bit(c + 3)
        if word & four == 0 and c != i & -4:
            store_four(d.small_L, i * length + c, none, none, none, none)
            for k in range(c, c + 4):
                d.small_S[k * length + i] = none


@kernel(lanes=True)
def list_column_blocks(d, n: int):
    """List blocks of four rows below the diagonal, column by column."""
    for column in range(n):
        first, runs, run = column * n, 0, -1
        for k in range(first, first + d.below_num[column]):
            if (d.below[k] >> 2) != run:
                run = d.below[k] >> 2
                d.run[first + runs] = 4 * run
                runs += 1
        d.run_num[column] = runs


@kernel(lanes=True)
def copy_inertia_small(d, n: int):
    """small_H = M."""
    length = padded_row_length(n)
    none = zero_like(d.small_H[0])
    for i in range(n):
        row = i * length
        for b in range(i * n, i * n + d.blk_num[i]):
            store_four(d.small_H, row + d.blk[b], none, none, none, none)
        start = d.iM_rowadr[i]
        for at in range(start, start + d.iM_rownnz[i]):
            d.small_H[row + d.iM_colind[at]] = d.iM[at]


@kernel
def add_rows_small(d, hess, length: int):
    """hess += J' delta J, for rows whose stiffness changed, in worlds that iterate."""
    d.hess_changed = 0
    if d.solving == ITERATING:
        changed = add_quads_to_hessian(d, hess, length)
        for r in range(d.island_bounded, d.island_rows):
            if d.iefc_delta[r] != 0.0:
                changed += 1
                add_cone_row_small(d, r, hess, length)
        d.hess_changed = changed


@kernel
def add_cone_row_small(d, r: int, hess, length: int):
    """hess += J' delta J of one row of a cone."""
    start = d.iefc_adr[r]
    for a in range(start, start + d.iefc_nnz[r]):
        weighted = d.iefc_delta[r] * d.iefc_J[a]
        row = d.iefc_colind[a] * length
        for b in range(start, a + 1):
            product = weighted * d.iefc_J[b]
            hess[row + d.iefc_colind[b]] += product


@kernel(lanes=True)
def copy_hessian_small(d, n: int):
    """small_cone = H, to which middle zones of cones are then added."""
    length = padded_row_length(n)
    for i in range(n):
        for b in range(i * n, i * n + d.blk_num[i]):
            at = i * length + d.blk[b]
            h0, h1 = d.small_H[at], d.small_H[at + 1]
            h2, h3 = d.small_H[at + 2], d.small_H[at + 3]
            store_four(d.small_cone, at, h0, h1, h2, h3)


@kernel
def add_cones_small(d, hess, length: int):
    """hess += J_c' C_c J_c of contacts in the middle zone, in worlds that iterate."""
    if d.solving == ITERATING:
        d.hess_middle = 0
        for c in range(d.island_cones):
            if d.cone_zone[c] == ZONE_MIDDLE:
                d.hess_middle += 1
                add_cone_small(d, c, hess, length)


@kernel
def add_cone_small(d, c: int, hess, length: int):
    """hess += J_c' C_c J_c of one contact."""
    start, nnz, dim = set_cone_product(d, c)
    for i in range(nnz):
        row = d.iefc_colind[start + i] * length
        for j in range(i + 1):
            at = row + d.iefc_colind[start + j]
            hess[at] = with_cone_entry(d, start, nnz, dim, i, j, hess[at])


@kernel(lanes=True)
def eliminated_four(d, source, j: int, n: int, length: int, shift: int):
    """Four entries of row j after elimination of all rows below it."""
    at = j * length + shift
    a0, a1, a2, a3 = source[at], source[at + 1], source[at + 2], source[at + 3]
    for k in range(j * n, j * n + d.below_num[j]):
        i = d.below[k]
        s = d.small_S[j * length + i]
        at = i * length + shift
        a0 -= s * d.small_L[at]
        a1 -= s * d.small_L[at + 1]
        a2 -= s * d.small_L[at + 2]
        a3 -= s * d.small_L[at + 3]
    return a0, a1, a2, a3


@kernel(lanes=True)
def factor_hessian_small(d, n: int, source):
    """L'DL factor of H: rows of D L below the diagonal in small_L, columns of L in small_S.

    Entry (i, j) of L is at (j, i) of small_S. An entry is finished in registers, over the rows
    below it from the last to the first.
    """
    length = padded_row_length(n)
    none = zero_like(d.small_L[0])
    for j in range(n - 1, -1, -1):
        row = j * length
        last = j * n + d.blk_num[j] - 1
        for b in range(j * n, last):
            shift = d.blk[b]
            a0, a1, a2, a3 = eliminated_four(d, source, j, n, length, shift)
            store_four(d.small_L, row + shift, a0, a1, a2, a3)
        # the block with the diagonal is cut there
        shift = d.blk[last]
        a0, a1, a2, a3 = eliminated_four(d, source, j, n, length, shift)
        place = j - shift
        pivot = a0 if place == 0 else (a1 if place == 1 else (a2 if place == 2 else a3))
        inverse = 1.0 / pivot
        d.small_Dinv[j] = inverse
        a0 = a0 if place > 0 else none
        a1 = a1 if place > 1 else none
        a2 = a2 if place > 2 else none
        store_four(d.small_L, row + shift, a0, a1, a2, none)
        for b in range(j * n, last + 1):
            c = d.blk[b]
            at, to = row + c, c * length + j
            d.small_S[to] = d.small_L[at] * inverse
            d.small_S[to + length] = d.small_L[at + 1] * inverse
            d.small_S[to + 2 * length] = d.small_L[at + 2] * inverse
            d.small_S[to + 3 * length] = d.small_L[at + 3] * inverse


@kernel(lanes=True)
def solve_hessian_small(d, n: int):
    """search = -H^-1 grad; returns grad' H^-1 grad."""
    length = padded_row_length(n)
    none = zero_like(d.ix[0])
    for i in range(length):
        d.ix[i] = none
        d.isearch[i] = none
    for i in range(n):
        d.ix[i] = -d.igrad[i]
    for i in range(n - 1, -1, -1):
        v = d.ix[i] * d.small_Dinv[i]
        d.isearch[i] = v
        for b in range(i * n, i * n + d.blk_num[i]):
            c = d.blk[b]
            subtract_four(d.ix, c, v, d.small_L, i * length + c)
    total = none
    for j in range(n):
        # of zeros, only their sign depends on the pattern: they are all the same from here on
        v = d.isearch[j] + 0.0
        d.isearch[j] = v
        total -= v * d.igrad[j]
        for b in range(j * n, j * n + d.run_num[j]):
            c = d.run[b]
            subtract_four(d.isearch, c, v, d.small_S, j * length + c)
    return total


@kernel(lanes=True)
def subtract_four(x, c: int, v, matrix, at: int):
    """x -= v * row of a matrix, four entries of it."""
    a0 = x[c] - matrix[at] * v
    a1 = x[c + 1] - matrix[at + 1] * v
    a2 = x[c + 2] - matrix[at + 2] * v
    a3 = x[c + 3] - matrix[at + 3] * v
    store_four(x, c, a0, a1, a2, a3)
