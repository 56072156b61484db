"""Constraint islands: groups of kinematic trees that share rows, by union-find.

Source: MuJoCo: Computation, "Constraint solver", section "Constraint islands".
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import NO_ISLAND


@kernel
def find_islands(m, d):
    """Find constraint islands, and sort dofs and rows by island.  Mirrors mj_island.

    An island is numbered by its lowest tree. With islands disabled, or with one tree, everything is
    one island, unconstrained dofs included.
    """
    if m.ntree == 1 or m.opt_disableflags & NO_ISLAND != 0:
        make_one_island(m, d)
    else:
        union_trees_of_rows(m, d)
        union_coupled_trees(m, d)
        number_islands(m, d)
        group_dofs_by_island(m, d)
        group_rows_by_island(m, d)


@kernel
def make_one_island(m, d):
    """Make one island of all dofs and rows."""
    d.nisland = 1
    d.island_dofadr[0] = 0
    d.island_nv[0] = m.nv
    d.island_efcadr[0] = 0
    d.island_nefc[0] = d.nefc
    for t in range(m.ntree):
        d.tree_island[t] = 0
    for i in range(m.nv):
        d.dof_island[i] = 0
        d.map_idof2dof[i] = i
        d.map_dof2idof[i] = i
    for r in range(d.nefc):
        d.efc_island[r] = 0
        d.map_iefc2efc[r] = r


@kernel
def union_trees_of_rows(m, d):
    """Unite the trees of each row: tree_link leads towards the lowest tree of the island.

    -1 marks trees without rows.
    """
    for t in range(m.ntree):
        d.tree_link[t] = -1
    for r in range(d.nefc):
        start = d.efc_J_rowadr[r]
        last = -1
        for k in range(start, start + d.efc_J_rownnz[r]):
            tree = m.dof_treeid[d.efc_J_colind[k]]
            if tree != last:
                if d.tree_link[tree] < 0:
                    d.tree_link[tree] = tree
                if last >= 0:
                    union_trees(d, last, tree)
                last = tree


@kernel
def union_coupled_trees(m, d):
    """Unite trees that the metric of a step couples (`discrete`)."""
    behind = (d.nefc + 3) & -4
    for e in range(behind, behind + d.ncouple):
        last = -1
        for at in range(d.efc_J_rowadr[e], d.efc_J_rowadr[e] + d.efc_J_rownnz[e]):
            tree = m.dof_treeid[d.efc_J_colind[at]]
            if d.tree_link[tree] < 0:
                d.tree_link[tree] = tree
            if last >= 0:
                union_trees(d, last, tree)
            last = tree


@kernel
def union_trees(d, one: int, other: int):
    """Unite the islands of two trees; the lower root stays root.  Mirrors mj_dsuMerge."""
    a, b = find_root_tree(d, one), find_root_tree(d, other)
    if a < b:
        d.tree_link[b] = a
    else:
        d.tree_link[a] = b


@kernel
def find_root_tree(d, tree: int):
    """Root of a tree's island, with path halving.  Mirrors mj_dsuRoot."""
    t = tree
    while d.tree_link[t] != t:
        d.tree_link[t] = d.tree_link[d.tree_link[t]]
        t = d.tree_link[t]
    return t


@kernel
def number_islands(m, d):
    """Number islands in the order of their lowest trees."""
    count = 0
    for t in range(m.ntree):
        island = -1
        if d.tree_link[t] >= 0:
            root = find_root_tree(d, t)
            if root == t:
                island = count
                count += 1
            else:
                island = d.tree_island[root]
        d.tree_island[t] = island
    d.nisland = count


@kernel
def group_dofs_by_island(m, d):
    """Sort dofs by island, in rising order within one."""
    for island in range(d.nisland):
        d.island_nv[island] = 0
    for t in range(m.ntree):
        if d.tree_island[t] >= 0:
            d.island_nv[d.tree_island[t]] += m.tree_dofnum[t]
    at = 0
    for island in range(d.nisland):
        d.island_dofadr[island] = at
        at += d.island_nv[island]
        d.island_nv[island] = 0
    for i in range(m.nv):
        s = d.tree_island[m.dof_treeid[i]]
        d.dof_island[i] = s
        if s >= 0:
            k = d.island_nv[s]
            d.island_nv[s] = k + 1
            d.map_dof2idof[i] = k
            d.map_idof2dof[d.island_dofadr[s] + k] = i


@kernel
def group_rows_by_island(m, d):
    """Sort rows by island, in their order within one; rows without entries go to the first."""
    for island in range(d.nisland):
        d.island_nefc[island] = 0
    for r in range(d.nefc):
        s = 0
        if d.efc_J_rownnz[r] > 0:
            s = d.tree_island[m.dof_treeid[d.efc_J_colind[d.efc_J_rowadr[r]]]]
        d.efc_island[r] = s
        if d.nisland > 0:
            d.island_nefc[s] += 1
    at = 0
    for island in range(d.nisland):
        d.island_efcadr[island] = at
        at += d.island_nefc[island]
        d.island_nefc[island] = 0
    if d.nisland > 0:
        for r in range(d.nefc):
            s = d.efc_island[r]
            d.map_iefc2efc[d.island_efcadr[s] + d.island_nefc[s]] = r
            d.island_nefc[s] += 1
