"""Sparsity of H and its factor in blocks of four by four, for an island of any size.

Symbolic Cholesky factorisation: row i's blocks, without its parent, are added to its parent's row.
Rows and columns of H are dofs in the order of `elimination_order`.

Source: T. Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, chapter 4.
"""

from __future__ import annotations

from cortenforge.fields import place_of
from cortenforge.kernel import bit, kernel, lowest_bit, without_lowest
from cortenforge.step.solve.elimination_order import (
    has_own_columns,
    list_island_trees,
    minimum_degree_order,
    tree_words,
)
from cortenforge.step.status import has_capacity

NBLOCKMAX, NWORDMAX = place_of("nblockmax"), place_of("nwordmax")
#: bits of a word
BLOCK_WORD_BITS = 64


@kernel
def block_row_words(n: int):
    """Number of words of a row of blocks."""
    return (n + 255) >> 8


@kernel
def has_word_capacity(d, wanted: int):
    """Whether there is capacity for so many words of a pattern."""
    return has_capacity(d, d.nwordmax, NWORDMAX, wanted)


@kernel
def mark_blocks(d, rows: int):
    """Mark blocks of H: those of M, and of J' J, each row of J at its last dof."""
    words = block_row_words(d.hess_n)
    for k in range((d.hess_n >> 2) * words):
        d.block_word[k] = bit(0) ^ bit(0)
    for i in range(d.island_n):
        start = d.iM_rowadr[i]
        for at in range(start, start + d.iM_rownnz[i] - 1):
            mark_block(d, d.order_place[i] >> 2, d.order_place[d.iM_colind[at]] >> 2, words)
    for r in range(rows):
        if has_own_columns(d, r):
            start, last = d.iefc_adr[r], 0
            for at in range(start, start + d.iefc_nnz[r]):
                last = max(last, d.order_place[d.iefc_colind[at]])
            for at in range(start, start + d.iefc_nnz[r]):
                mark_block(d, last >> 2, d.order_place[d.iefc_colind[at]] >> 2, words)


@kernel
def mark_block(d, row: int, column: int, words: int):
    """Mark a block left of the diagonal."""
    if column != row:
        at = row * words + (column >> 6)
        d.block_word[at] = d.block_word[at] | bit(column & 63)


@kernel
def is_pattern_known(d, n: int):
    """Whether the pattern equals the last one that was factored symbolically."""
    known = d.block_n == n
    for k in range((n >> 2) * block_row_words(n)):
        known = known and d.block_word[k] == d.block_known[k]
    return known


@kernel
def eliminate_block_rows(d, n: int):
    """Symbolic factorisation, last row of blocks to first; whether there is capacity for all."""
    words, count = block_row_words(n), n >> 2
    for k in range(count * words):
        d.block_known[k] = d.block_word[k]
    total = count
    for i in range(count - 1, -1, -1):
        parent, found = -1, 0
        for w in range(words):
            word = d.block_word[i * words + w]
            while word != 0:
                parent = BLOCK_WORD_BITS * w + lowest_bit(word)
                word = without_lowest(word)
                found += 1
        d.block_num[i] = found
        total += found
        if parent >= 0:
            for w in range((parent >> 6) + 1):
                at = parent * words + w
                d.block_word[at] = d.block_word[at] | d.block_word[i * words + w]
            at = parent * words + (parent >> 6)
            d.block_word[at] = d.block_word[at] ^ bit(parent & 63)
    d.block_n = n
    room = has_capacity(d, d.nblockmax, NBLOCKMAX, total)
    if not room:
        d.block_n = 0
    return room


@kernel
def list_blocks(d, n: int):
    """List the columns of each row of blocks in rising order, the diagonal last."""
    words = block_row_words(n)
    at = 0
    for i in range(n >> 2):
        d.block_adr[i] = at
        for w in range(words):
            word = d.block_word[i * words + w]
            while word != 0:
                d.block_col[at] = BLOCK_WORD_BITS * w + lowest_bit(word)
                word = without_lowest(word)
                at += 1
        d.block_col[at] = i
        at += 1


@kernel
def find_block(d, row: int, column: int):
    """Index of an existing block, by bisection."""
    low = d.block_adr[row]
    high = low + d.block_num[row]
    while low < high:
        middle = (low + high) >> 1
        if d.block_col[middle] < column:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def update_block_pattern(m, d, rows: int):
    """Update the pattern if it changed; whether there is capacity for it."""
    trees = list_island_trees(m, d, d.island_n)
    room = has_word_capacity(d, trees * tree_words(trees))
    if room:
        d.hess_n = minimum_degree_order(d, d.island_n, trees, rows)
        room = has_word_capacity(d, (d.hess_n >> 2) * block_row_words(d.hess_n))
    if room:
        mark_blocks(d, rows)
        if not is_pattern_known(d, d.hess_n):
            room = eliminate_block_rows(d, d.hess_n)
            if room:
                list_blocks(d, d.hess_n)
    return room
