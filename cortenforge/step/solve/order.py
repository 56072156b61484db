"""In which order a large island's trees are eliminated, so that little fills in.

The tree that has the fewest dofs around it goes first, and what was around it is then coupled.
Dofs of a tree stay together and in their order. A tree stands next to one that was
eliminated on its account, because a block of four rows may hold parts of both; where the next tree
in H is none of these, rows that do nothing fill up the block.
"""

from __future__ import annotations

from cortenforge.kernel import bit, kernel, lowest_bit, without_lowest
from cortenforge.step.constants import CONTACT_FRICTIONLESS

#: bits of a word
WORD = 64
#: more dofs than there are
MANY = 1 << 30
#: trees of fewer dofs are not worth rows that do nothing
FEW = 3


@kernel
def tree_words(n: int):
    """Words that have a bit for each of at most n trees."""
    return (n + 63) >> 6


@kernel
def order_dofs(d, n: int, trees: int, rows: int):
    """Where each dof of the island stands in H; how many rows H has, in fours."""
    words = tree_words(trees)
    couple_trees(d, trees, words, rows)
    eliminate_trees(d, trees, words, n)
    return place_trees(d, link_trees(d, trees, words))


@kernel
def list_trees(m, d, n: int):
    """Trees of the island, and their dofs; how many there are."""
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
    """Whether a row may have other columns than the row before: those of a contact have not."""
    e = d.iefc_efc[r]
    own = e >= 0
    if own and d.efc_type[e] >= CONTACT_FRICTIONLESS:
        own = d.contact_efc_address[d.efc_id[e]] == e
    return own


@kernel
def couple_trees(d, trees: int, words: int, rows: int):
    """Which trees have a row in common, as bits."""
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
                        couple(d, tree, d.order_tree[d.iefc_colind[b]], words)


@kernel
def couple(d, one: int, other: int, words: int):
    """Two trees are coupled."""
    at = one * words + (other >> 6)
    d.order_word[at] = d.order_word[at] | bit(other & 63)
    at = other * words + (one >> 6)
    d.order_word[at] = d.order_word[at] | bit(one & 63)


@kernel
def dofs_around(d, tree: int, words: int):
    """How many dofs are coupled to a tree."""
    total = 0
    for w in range(words):
        word = d.order_word[tree * words + w]
        while word != 0:
            total += d.order_dofs[WORD * w + lowest_bit(word)]
            word = without_lowest(word)
    return total


@kernel
def eliminate_trees(d, trees: int, words: int, n: int):
    """Eliminate trees one by one; of those with as few dofs around them, the last."""
    left = n
    for t in range(trees):
        d.order_degree[t] = dofs_around(d, t, words)
    for step in range(trees):
        least, chosen = MANY, 0
        for t in range(trees):
            if d.order_degree[t] <= least:
                least = d.order_degree[t]
                chosen = t
        d.order_list[step] = chosen
        d.order_turn[chosen] = step
        d.order_degree[chosen] = MANY + 1
        left -= d.order_dofs[chosen]
        # with all that is left around it, the order of the rest hardly matters
        if least < left:
            couple_around(d, chosen, words)


@kernel
def couple_around(d, tree: int, words: int):
    """Trees around one that is eliminated are coupled to each other."""
    for w in range(words):
        word = d.order_word[tree * words + w]
        while word != 0:
            other = WORD * w + lowest_bit(word)
            word = without_lowest(word)
            for k in range(words):
                at = other * words + k
                d.order_word[at] = d.order_word[at] | d.order_word[tree * words + k]
            clear_bit(d, other, other, words)
            clear_bit(d, other, tree, words)
            d.order_degree[other] = dofs_around(d, other, words)


@kernel
def clear_bit(d, tree: int, other: int, words: int):
    """A tree is not coupled to another, any more."""
    at = tree * words + (other >> 6)
    d.order_word[at] = d.order_word[at] & (d.order_word[at] ^ bit(other & 63))


@kernel
def first_around(d, tree: int, words: int, trees: int):
    """Which of the trees around one is eliminated next; -1 if there is none."""
    parent, turn = -1, trees
    for w in range(words):
        word = d.order_word[tree * words + w]
        while word != 0:
            other = WORD * w + lowest_bit(word)
            word = without_lowest(word)
            if d.order_turn[other] > d.order_turn[tree] and d.order_turn[other] < turn:
                turn = d.order_turn[other]
                parent = other
    return parent


@kernel
def link_trees(d, trees: int, words: int):
    """List the trees that are eliminated on account of each, the last of them first.

    Gives the first of those that wait for no other.
    """
    for t in range(trees):
        d.order_child[t] = -1
    root = -1
    for step in range(trees):
        tree = d.order_list[step]
        parent = first_around(d, tree, words, trees)
        d.order_parent[tree] = parent
        if parent >= 0:
            d.order_sibling[tree] = d.order_child[parent]
            d.order_child[parent] = tree
        else:
            d.order_sibling[tree] = root
            root = tree
    return root


@kernel
def place_trees(d, root: int):
    """Each tree before all that are eliminated on its account; how many rows there are."""
    tree, last, place = root, -1, 0
    while tree >= 0:
        dofs = d.order_dofs[tree]
        if d.order_parent[tree] != last and dofs >= FEW:
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
