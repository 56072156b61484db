"""Waking: by users, by tendons at their limits, by contacts and by equalities.

A whole sleep cycle wakes at once. Source: MuJoCo: Computation, "Sleeping islands".
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.step.constants import EQ_JOINT, EQ_WELD
from cortenforge.step.sleeping.body_runs import RUN_BODIES, RUN_QPOS, RUN_TREE, run_end, run_start
from cortenforge.step.sleeping.sleep_constants import (
    ASLEEP,
    AWAKE,
    FULLY_AWAKE,
    SITE,
    STATIC,
)
from cortenforge.step.sleeping.sleep_state import body_sleep_state, is_tree_asleep


@kernel(unit=True)
def wake_disturbed_trees(m, d):
    """Wake trees that a user moved or pushed since the last position stage.  Mirrors mj_wake.

    Compares positions with those that bodies were last placed with.
    """
    for run in range(m.nrun):
        tree = m.runs[run, RUN_TREE]
        asleep = tree >= 0 and is_tree_asleep(d, tree)
        if asleep and (is_tree_displaced(m, d, run) or not is_tree_undisturbed(m, d, tree)):
            wake_tree(m, d, tree, FULLY_AWAKE)
    for k in range(m.nq):
        d.placed_qpos[k] = d.qpos[k]
    for k in range(m.nmocap):
        p, q = d.mocap_pos[k], d.mocap_quat[k]
        d.placed_mocap[k, 0] = p.x
        d.placed_mocap[k, 1] = p.y
        d.placed_mocap[k, 2] = p.z
        d.placed_mocap[k, 3] = q.w
        d.placed_mocap[k, 4] = q.x
        d.placed_mocap[k, 5] = q.y
        d.placed_mocap[k, 6] = q.z


@kernel
def is_tree_displaced(m, d, run: int):
    """Whether a tree's qpos, or the mocap body that carries it, has changed."""
    changed = False
    for k in range(run_start(m, run, RUN_QPOS), run_end(m, run, RUN_QPOS)):
        if d.qpos[k] != d.placed_qpos[k]:
            changed = True
    holder = m.body_mocapid[m.body_rootid[run_start(m, run, RUN_BODIES)]]
    return changed or (holder >= 0 and is_mocap_displaced(d, holder))


@kernel
def is_mocap_displaced(d, mocap: int):
    """Whether a mocap body has moved."""
    p, q = d.mocap_pos[mocap], d.mocap_quat[mocap]
    changed = p.x != d.placed_mocap[mocap, 0] or p.y != d.placed_mocap[mocap, 1]
    if p.z != d.placed_mocap[mocap, 2] or q.w != d.placed_mocap[mocap, 3]:
        changed = True
    if q.x != d.placed_mocap[mocap, 4] or q.y != d.placed_mocap[mocap, 5]:
        changed = True
    if q.z != d.placed_mocap[mocap, 6]:
        changed = True
    return changed


@kernel
def is_tree_undisturbed(m, d, tree: int):
    """Whether velocities and applied forces of a tree are all +0."""
    mark = mark_applied_forces(m, d, tree)
    start = m.tree_dofadr[tree]
    for i in range(start, start + m.tree_dofnum[tree]):
        mark = mark_nonzero(mark, d.qvel[i])
    return is_unmarked(mark)


@kernel
def is_tree_unforced(m, d, tree: int):
    """Whether applied forces of a tree are all +0."""
    return is_unmarked(mark_applied_forces(m, d, tree))


@kernel
def mark_applied_forces(m, d, tree: int):
    """-0 if each applied force of a tree is +0: MuJoCo compares bytes."""
    mark = -0.0
    first = m.tree_bodyadr[tree]
    for b in range(first, first + m.tree_bodynum[tree]):
        for k in range(6):
            mark = mark_nonzero(mark, d.xfrc_applied[b, k])
    start = m.tree_dofadr[tree]
    for i in range(start, start + m.tree_dofnum[tree]):
        mark = mark_nonzero(mark, d.qfrc_applied[i])
    return mark


@kernel
def mark_nonzero(mark, number):
    """A mark of -0 stays -0 if a number is +0, and becomes another number if it is not.

    The sign of a zero is not reliable on a GPU, which tests the number's bits (`SINGLE`).
    """
    return mark - number


@kernel
def is_unmarked(mark):
    """Whether a mark is still -0, whose angle is -pi where that of +0 is pi."""
    return mark == 0.0 and math.atan2(mark, -1.0) < 0.0


@kernel
def linked_tree(m, asleep):
    """The tree that a value of tree_asleep points to; -1 for none, or for a value out of range.

    Users may write any number into a state.
    """
    return math.floor(asleep) if asleep >= 0.0 and asleep < m.ntree else -1


@kernel
def wake_tree(m, d, tree: int, value):
    """Wake a tree and all trees of its sleep cycle.  Mirrors mj_wakeIsland.

    value: new tree_asleep; of a tree that is awake, the lower of this and its own.
    """
    after = d.tree_asleep[tree]
    d.tree_asleep[tree] = min(value, after) if after < 0.0 else value
    d.tree_kept[tree] = 0
    other = linked_tree(m, after)
    hops = 0
    while other >= 0 and hops < m.ntree:
        after = d.tree_asleep[other]
        if after >= 0.0:
            d.tree_asleep[other] = value
            d.tree_kept[other] = 0
        other = linked_tree(m, after)
        hops += 1


@kernel
def are_in_same_cycle(m, d, one: int, other: int):
    """Whether two trees are in one sleep cycle, or are both awake."""
    if not is_tree_asleep(d, one) or not is_tree_asleep(d, other):
        return not is_tree_asleep(d, one) and not is_tree_asleep(d, other)
    found = one == other
    at = linked_tree(m, d.tree_asleep[one])
    hops = 0
    while at >= 0 and at != one and hops < m.ntree:
        if at == other:
            found = True
        at = linked_tree(m, d.tree_asleep[at])
        hops += 1
    return found


@kernel
def store_awake_trees(m, d):
    """was_awake: states before a sweep; a tree woken by it wakes others in the next step only."""
    for t in range(m.ntree):
        d.was_awake[t] = ASLEEP if is_tree_asleep(d, t) else AWAKE


@kernel(unit=True)
def wake_by_tendons(m, d):
    """Wake trees that a tendon at its limit joins to awake ones.  Mirrors mj_wakeTendon."""
    store_awake_trees(m, d)
    for t in range(m.ntendon):
        if m.tendon_treenum[t] == 2 and is_tendon_at_limit(m, d, t):
            wake_if_other_awake(m, d, m.tendon_treeid[t, 0], m.tendon_treeid[t, 1])


@kernel
def is_tendon_at_limit(m, d, tendon: int):
    """Whether a tendon is within the margin of one of its limits."""
    length, margin = d.ten_length[tendon], m.tendon_margin[tendon]
    near = length - m.tendon_range[tendon, 0] < margin
    near = near or m.tendon_range[tendon, 1] - length < margin
    return m.tendon_limited[tendon] != 0 and near


@kernel(unit=True)
def wake_by_contacts(m, d):
    """Wake sleeping trees that touch something awake.  Mirrors mj_wakeCollision.

    woken = 1 asks for contacts to be found again: pairs of sleepers had been skipped.
    """
    store_awake_trees(m, d)
    d.woken = 0
    for c in range(d.ncon):
        one, other = m.geom_bodyid[d.contact_geom[c, 0]], m.geom_bodyid[d.contact_geom[c, 1]]
        tree1, tree2 = m.body_treeid[one], m.body_treeid[other]
        if sleep_state_before(m, d, one) == ASLEEP or sleep_state_before(m, d, other) == ASLEEP:
            d.woken = 1
            if tree1 >= 0 and tree2 >= 0:
                wake_if_other_awake(m, d, tree1, tree2)
            else:
                # the other one is a mocap body
                wake_tree(m, d, max(tree1, tree2), FULLY_AWAKE)


@kernel
def wake_if_other_awake(m, d, one: int, other: int):
    """Wake the one of two trees that slept alone before a sweep; it takes the other's count."""
    if d.was_awake[one] != d.was_awake[other]:
        if d.was_awake[one] == ASLEEP:
            wake_tree(m, d, one, d.tree_asleep[other])
        else:
            wake_tree(m, d, other, d.tree_asleep[one])


@kernel(unit=True)
def wake_by_equalities(m, d):
    """Wake sleeping trees that an equality joins to something awake.  Mirrors mj_wakeEquality."""
    store_awake_trees(m, d)
    for e in range(m.neq):
        if d.eq_active[e] != 0.0:
            kind = m.eq_type[e]
            one, other = m.eq_obj1id[e], m.eq_obj2id[e]
            # the first two types join bodies or sites
            if kind <= EQ_WELD:
                if m.eq_objtype[e] == SITE:
                    wake_across_equality(m, d, m.site_bodyid[one], m.site_bodyid[other])
                else:
                    wake_across_equality(m, d, one, other)
            elif kind == EQ_JOINT and other >= 0:
                wake_across_equality(m, d, m.jnt_bodyid[one], m.jnt_bodyid[other])


@kernel
def wake_across_equality(m, d, one: int, other: int):
    """Wake trees of an equality between two bodies if one is awake, or cycles differ."""
    first, second = sleep_state_before(m, d, one), sleep_state_before(m, d, other)
    tree1, tree2 = m.body_treeid[one], m.body_treeid[other]
    if tree1 != tree2 and first != STATIC and second != STATIC:
        if first == ASLEEP and second == ASLEEP:
            if not are_in_same_cycle(m, d, tree1, tree2):
                wake_tree(m, d, tree1, FULLY_AWAKE)
                wake_tree(m, d, tree2, FULLY_AWAKE)
        elif first == ASLEEP:
            wake_tree(m, d, tree1, FULLY_AWAKE)
        elif second == ASLEEP:
            wake_tree(m, d, tree2, FULLY_AWAKE)


@kernel
def sleep_state_before(m, d, body: int):
    """Sleep state of a body before a sweep."""
    tree = m.body_treeid[body]
    return d.was_awake[tree] if tree >= 0 else body_sleep_state(m, d, body)
