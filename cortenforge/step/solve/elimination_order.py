"""Elimination order of a large island's trees, by minimum degree, for little fill-in in H.

The tree with the fewest neighbouring dofs is eliminated first, and its neighbours become neighbours
of each other. Dofs of a tree stay together and in order. H is eliminated from its last row to its
first, so a tree stands before its children in the elimination tree: a block of four rows may then
hold parts of both; elsewhere padding rows fill the block.

Source: T. Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, chapters 4 and 7.
"""

from __future__ import annotations

from cortenforge.kernel import bit, kernel, lowest_bit, without_lowest
from cortenforge.step.constants import CONTACT_FRICTIONLESS

#: bits of a word
TREE_WORD_BITS = 64
#: a degree above all degrees
MORE_DOFS_THAN_ANY = 1 << 30
#: trees of fewer dofs are not worth padding rows
MIN_DOFS_WORTH_PADDING = 3


@kernel
def tree_words(n: int):
    """Number of words with a bit for each of at most n trees."""
    return (n + 63) >> 6


@kernel
def minimum_degree_order(d, n: int, trees: int, rows: int):
    """order_place: row of H of each dof, by minimum degree; returns the rows of H, in fours.

    n, trees, rows: numbers of dofs, trees and rows of the island.
    """
    words = tree_words(trees)
    mark_coupled_trees(d, trees, words, rows)
    eliminate_trees(d, trees, words, n)
    return place_elimination_tree(d, build_elimination_tree(d, trees, words))


@kernel
def list_island_trees(m, d, n: int):
    """List the trees of the island with their first dof and number of dofs; the count."""
    trees, last = 0, -1
    for k in range(n):
        tree = m.dof_treeid[d.idof[k]]
        if tree != last:
            last = tree
            d.order_first[trees] = k
            d.order_dofs[trees] = 0
            trees += 1
        d.order_tree[k] = trees - 1
        d.order_dofs[trees - 1] += 1
    return trees


@kernel
def has_own_columns(d, r: int):
    """Whether a row may have other columns than the row before; not so within a contact."""
    e = d.iefc_efc[r]
    own = e >= 0
    if own and d.efc_type[e] >= CONTACT_FRICTIONLESS:
        own = d.contact_efc_address[d.efc_id[e]] == e
    return own


@kernel
def mark_coupled_trees(d, trees: int, words: int, rows: int):
    """Adjacency of trees, as bits: two are neighbours if they share a row."""
    for k in range(trees * words):
        d.order_word[k] = bit(0) ^ bit(0)
    for r in range(rows):
        if has_own_columns(d, r):
            start, last = d.iefc_adr[r], -1
            for a in range(start, start + d.iefc_nnz[r]):
                tree = d.order_tree[d.iefc_colind[a]]
                if tree != last:
                    last = tree
                    for b in range(start, a):
                        mark_coupled_pair(d, tree, d.order_tree[d.iefc_colind[b]], words)


@kernel
def mark_coupled_pair(d, one: int, other: int, words: int):
    """Make two trees neighbours."""
    at = one * words + (other >> 6)
    d.order_word[at] = d.order_word[at] | bit(other & 63)
    at = other * words + (one >> 6)
    d.order_word[at] = d.order_word[at] | bit(one & 63)


@kernel
def count_neighbour_dofs(d, tree: int, words: int):
    """Number of dofs of a tree's neighbours: its degree."""
    total = 0
    for w in range(words):
        word = d.order_word[tree * words + w]
        while word != 0:
            total += d.order_dofs[TREE_WORD_BITS * w + lowest_bit(word)]
            word = without_lowest(word)
    return total


@kernel
def eliminate_trees(d, trees: int, words: int, n: int):
    """Eliminate trees by least degree; of equal ones, the last."""
    left = n
    for t in range(trees):
        d.order_degree[t] = count_neighbour_dofs(d, t, words)
    for step in range(trees):
        least, chosen = MORE_DOFS_THAN_ANY, 0
        for t in range(trees):
            if d.order_degree[t] <= least:
                least = d.order_degree[t]
                chosen = t
        d.order_list[step] = chosen
        d.order_turn[chosen] = step
        d.order_degree[chosen] = MORE_DOFS_THAN_ANY + 1
        left -= d.order_dofs[chosen]
        # if all others are neighbours, the order of the rest hardly matters
        if least < left:
            couple_neighbours(d, chosen, words)


@kernel
def couple_neighbours(d, tree: int, words: int):
    """Make all neighbours of an eliminated tree neighbours of each other (fill-in)."""
    for w in range(words):
        word = d.order_word[tree * words + w]
        while word != 0:
            other = TREE_WORD_BITS * w + lowest_bit(word)
            word = without_lowest(word)
            for k in range(words):
                at = other * words + k
                d.order_word[at] = d.order_word[at] | d.order_word[tree * words + k]
            uncouple_pair(d, other, other, words)
            uncouple_pair(d, other, tree, words)
            d.order_degree[other] = count_neighbour_dofs(d, other, words)


@kernel
def uncouple_pair(d, tree: int, other: int, words: int):
    """Remove `other` from the neighbours of a tree."""
    at = tree * words + (other >> 6)
    d.order_word[at] = d.order_word[at] & (d.order_word[at] ^ bit(other & 63))


@kernel
def elimination_parent(d, tree: int, words: int, trees: int):
    """Parent in the elimination tree: the neighbour that is eliminated next; -1 if none."""
    parent, turn = -1, trees
    for w in range(words):
        word = d.order_word[tree * words + w]
        while word != 0:
            other = TREE_WORD_BITS * w + lowest_bit(word)
            word = without_lowest(word)
            if d.order_turn[other] > d.order_turn[tree] and d.order_turn[other] < turn:
                turn = d.order_turn[other]
                parent = other
    return parent


@kernel
def build_elimination_tree(d, trees: int, words: int):
    """Build the elimination tree: children and siblings, last first; returns its first root."""
    for t in range(trees):
        d.order_child[t] = -1
    root = -1
    for step in range(trees):
        tree = d.order_list[step]
        parent = elimination_parent(d, tree, words, trees)
        d.order_parent[tree] = parent
        if parent >= 0:
            d.order_sibling[tree] = d.order_child[parent]
            d.order_child[parent] = tree
        else:
            d.order_sibling[tree] = root
            root = tree
    return root


@kernel
def place_elimination_tree(d, root: int):
    """Place trees in H, each before its children in the elimination tree; the rows of H.

    A tree that does not follow its parent starts a new block of four, if it is large enough.
    """
    tree, last, place = root, -1, 0
    while tree >= 0:
        dofs = d.order_dofs[tree]
        if d.order_parent[tree] != last and dofs >= MIN_DOFS_WORTH_PADDING:
            place = (place + 3) & -4
        for k in range(dofs):
            d.order_place[d.order_first[tree] + k] = place + k
        place += dofs
        last = tree
        if d.order_child[tree] >= 0:
            tree = d.order_child[tree]
        else:
            while tree >= 0 and d.order_sibling[tree] < 0:
                tree = d.order_parent[tree]
            if tree >= 0:
                tree = d.order_sibling[tree]
    return (place + 3) & -4
