"""What wakes trees: users and equalities.  Contacts and tendons at their limits will be more."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import BALL, FREE
from cortenforge.step.sleeping.numbers import (
    ASLEEP,
    AWAKE,
    EQ_JOINT,
    EQ_WELD,
    FULLY_AWAKE,
    SITE,
    STATIC,
)
from cortenforge.step.sleeping.state import body_state, is_asleep


@kernel(unit=True)
def wake_touched(m, d):
    """Which trees did a user move or push?  Mirrors mj_wake; they wake.

    Moved is what is not where its bodies were placed last.
    """
    for t in range(m.ntree):
        if is_asleep(d, t) and (is_moved(m, d, t) or not is_untouched(m, d, t)):
            wake(m, d, t, FULLY_AWAKE)
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
def is_moved(m, d, tree: int):
    """Whether a tree's positions, or the mocap body that carries it, were changed."""
    changed = False
    first = m.tree_bodyadr[tree]
    for b in range(first, first + m.tree_bodynum[tree]):
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            width = 7 if m.jnt_type[j] == FREE else 4 if m.jnt_type[j] == BALL else 1
            for k in range(m.jnt_qposadr[j], m.jnt_qposadr[j] + width):
                if d.qpos[k] != d.placed_qpos[k]:
                    changed = True
    holder = m.body_mocapid[m.body_rootid[first]]
    return changed or (holder >= 0 and is_carried(d, holder))


@kernel
def is_carried(d, mocap: int):
    """Whether a mocap body was moved."""
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
def is_untouched(m, d, tree: int):
    """Whether nothing moves or pushes a tree: all numbers are zero, and none of them is -0."""
    quiet = is_unpushed(m, d, tree)
    start = m.tree_dofadr[tree]
    for i in range(start, start + m.tree_dofnum[tree]):
        if not is_nothing(d.qvel[i]):
            quiet = False
    return quiet


@kernel
def is_unpushed(m, d, tree: int):
    """Whether no force is applied to a tree."""
    quiet = True
    first = m.tree_bodyadr[tree]
    for b in range(first, first + m.tree_bodynum[tree]):
        for k in range(6):
            if not is_nothing(d.xfrc_applied[b, k]):
                quiet = False
    start = m.tree_dofadr[tree]
    for i in range(start, start + m.tree_dofnum[tree]):
        if not is_nothing(d.qfrc_applied[i]):
            quiet = False
    return quiet


@kernel
def is_nothing(x):
    """Whether a number is +0; MuJoCo looks at the bytes."""
    return x == 0.0 and 1.0 / x > 0.0


@kernel
def wake(m, d, tree: int, value):
    """Wake a tree and all that fell asleep with it.  Mirrors mj_wakeIsland.

    value: what tree_asleep becomes; for a tree that is awake, if that is longer.
    """
    after = d.tree_asleep[tree]
    d.tree_asleep[tree] = min(value, after) if after < 0.0 else value
    hops = 0
    while after >= 0.0 and hops < m.ntree:
        other = number_of(m, after)
        after = d.tree_asleep[other]
        if after >= 0.0:
            d.tree_asleep[other] = value
        hops += 1


@kernel
def number_of(m, real):
    """The tree that a number of tree_asleep stands for."""
    found = 0
    counted = real - real
    for t in range(m.ntree):
        if counted == real:
            found = t
        counted += 1.0
    return found


@kernel
def sleep_together(m, d, one: int, other: int):
    """Whether two trees fell asleep together, or are both awake by now."""
    if not is_asleep(d, one) or not is_asleep(d, other):
        return not is_asleep(d, one) and not is_asleep(d, other)
    found = one == other
    at = number_of(m, d.tree_asleep[one])
    hops = 0
    while at != one and hops < m.ntree:
        if at == other:
            found = True
        at = number_of(m, d.tree_asleep[at])
        hops += 1
    return found


@kernel
def remember_awake(m, d):
    """Who is awake before a sweep: whom it wakes wakes others in the next step only."""
    for t in range(m.ntree):
        d.was_awake[t] = ASLEEP if is_asleep(d, t) else AWAKE


@kernel(unit=True)
def wake_by_equalities(m, d):
    """Which sleeping trees does an equality join to something awake?  Mirrors mj_wakeEquality."""
    remember_awake(m, d)
    for e in range(m.neq):
        if d.eq_active[e] != 0.0:
            kind = m.eq_type[e]
            one, other = m.eq_obj1id[e], m.eq_obj2id[e]
            if kind <= EQ_WELD:
                if m.eq_objtype[e] == SITE:
                    wake_between(m, d, m.site_bodyid[one], m.site_bodyid[other])
                else:
                    wake_between(m, d, one, other)
            elif kind == EQ_JOINT and other >= 0:
                wake_between(m, d, m.jnt_bodyid[one], m.jnt_bodyid[other])


@kernel
def wake_between(m, d, one: int, other: int):
    """Wake what an equality between two bodies does not let sleep."""
    first, second = before(m, d, one), before(m, d, other)
    tree1, tree2 = m.body_treeid[one], m.body_treeid[other]
    if tree1 != tree2 and first != STATIC and second != STATIC:
        if first == ASLEEP and second == ASLEEP:
            if not sleep_together(m, d, tree1, tree2):
                wake(m, d, tree1, FULLY_AWAKE)
                wake(m, d, tree2, FULLY_AWAKE)
        elif first == ASLEEP:
            wake(m, d, tree1, FULLY_AWAKE)
        elif second == ASLEEP:
            wake(m, d, tree2, FULLY_AWAKE)


@kernel
def before(m, d, body: int):
    """Whether a body slept before a sweep."""
    tree = m.body_treeid[body]
    return d.was_awake[tree] if tree >= 0 else body_state(m, d, body)
