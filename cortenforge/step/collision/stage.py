"""The collision stage: broad phase, then each near pair to the narrow phase of its family.

Sources: MuJoCo: Computation, "Collision detection"; docs/collision.md.
"""

from __future__ import annotations

from cortenforge.kernel import (
    any_lane,
    bit,
    kernel,
    lane_bits,
    lowest_bit,
    select,
    without_lowest,
    world,
    zero_like,
)
from cortenforge.step.callbacks import CONTACTFILTER, call_contactfilter
from cortenforge.step.collision.broad import geom_reaches, near
from cortenforge.step.collision.candidates import family_of, first_geom, second_geom
from cortenforge.step.collision.contacts import ask_for_room
from cortenforge.step.collision.families import FAMILIES
from cortenforge.step.collision.marks import (
    clear_marks,
    leave_unmarked,
    mark_where,
    own_marks,
    toggle,
)
from cortenforge.step.collision.parameters import complete_contacts
from cortenforge.step.collision.speculative.contacts import speculate
from cortenforge.step.collision.speculative.motion import geom_motions
from cortenforge.step.collision.statics import (
    earlier,
    find_statics,
    if_before,
    next_pair,
    pass_everywhere,
)
from cortenforge.step.collision.sweep import sweep
from cortenforge.step.constants import WITH_SLEEP, WITH_SPECULATIVE
from cortenforge.step.status import well

#: flags with which a pair needs more tests than that of bounding spheres
MORE_TO_ASK = WITH_SLEEP | WITH_SPECULATIVE


@kernel(lanes=True)
def find_contacts(m, d):
    """All contacts, if the model has pairs that can collide."""
    d.ncon = 0
    if m.ncandidate + m.unlisted_shift + m.nstatic > 0:
        find_those_awake(m, d)


@kernel(lanes=True)
def find_those_awake(m, d):
    """All contacts, if a tree is awake; without sleeping all are."""
    if m.opt_enableflags & WITH_SLEEP == 0 or any_lane(d.movers > 0):
        collision(m, d)


@kernel(lanes=True, unit=True)
def collision(m, d):
    """All contacts at the current poses of geoms, in MuJoCo's order.  Mirrors mj_collision.

     Families append contacts pair by pair, so contacts are in the order of the list, which is that
    of bodies, however the broad phase found the pairs.
    """
    d.ncon = 0
    # one world, and not several in lockstep
    alone = lane_bits(d.ncon == d.ncon) == 1
    geom_reaches(m, d)
    if m.opt_enableflags & WITH_SPECULATIVE != 0:
        geom_motions(m, d)
    if m.nstatic > 0:
        find_statics(m, d)
    if m.called & CONTACTFILTER != 0:
        ask_user(m, d)
        for w in range(m.nnearword):
            consider_marked(m, d, w, 0)
    elif m.nswept > 0 and m.opt_enableflags & MORE_TO_ASK == 0 and alone:
        sweep(m, d)
        d.asked = select(well(d), 1, 0)
        for w in range(m.nnearword):
            consider_marked(m, d, w, 1)
    elif m.swept_in_lanes == 1 or (m.nswept > 0 and alone):
        sweep(m, d)
        for w in range(m.nnearword):
            consider_marked(m, d, w, 0)
    else:
        for p in range(m.ncandidate):
            consider(m, d, p)
    if m.nstatic > 0:
        give_statics(m, d, -1)
    if any_lane(d.ncon > 0):
        ask_for_room(d)
        complete_contacts(m, d)


@kernel(lanes=True)
def ask_user(m, d):
    """Mark exactly the near pairs, and let the user's contact filter clear marks."""
    if m.nswept > 0:
        sweep(m, d)
        unmark_far(m, d)
    else:
        clear_marks(m, d)
        for p in range(m.ncandidate):
            mark_where(d, p, near(m, d, p, first_geom(m, p), second_geom(m, p)))
    call_contactfilter(m, d)


@kernel
def unmark_far(m, d):
    """Clear the marks of pairs that are not near: a sweep marks a few too many."""
    for w in range(m.nnearword):
        marked = d.near_word[w]
        while marked != 0:
            p = 64 * w + lowest_bit(marked)
            marked = without_lowest(marked)
            if not near(m, d, p, first_geom(m, p), second_geom(m, p)):
                toggle(d, p)


@kernel(lanes=True)
def consider_marked(m, d, w: int, near_enough: int):
    """Collide those of 64 candidates that are marked in any world.

    near_enough: 1 if marks alone decide, and families are called at once.
    """
    marked = bit(0) ^ bit(0)
    waiting = lane_bits(well(d))
    while waiting != 0:
        lane = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        marked = marked | own_marks(world(d, lane), w)
    while marked != 0:
        p = 64 * w + lowest_bit(marked)
        marked = without_lowest(marked)
        if near_enough == 1 and m.nstatic > 0:
            give_statics(m, d, p)
            d.asked = select(well(d), 1, 0)
        if near_enough == 1 and p < m.ncandidate:
            g1 = m.candidate_geom[p, 0]
            FAMILIES(m.candidate_family[p], m, d, p, g1, m.candidate_geom[p, 1])
        elif near_enough == 1:
            ask_unlisted(m, d, p)
        else:
            consider(m, d, p)


@kernel(lanes=True)
def ask_unlisted(m, d, p: int):
    """Collide a pair that is not listed."""
    g1 = first_geom(m, p)
    g2 = second_geom(m, p)
    FAMILIES(family_of(m, p, g1, g2), m, d, p, g1, g2)


@kernel(lanes=True)
def consider(m, d, p: int):
    """Collide a candidate if its bounding spheres overlap in any world."""
    g1 = first_geom(m, p)
    g2 = second_geom(m, p)
    close = near(m, d, p, g1, g2)
    if any_lane(close):
        if m.nstatic > 0:
            give_statics(m, d, p)
        ask(m, d, p, g1, g2, close)


@kernel(lanes=True)
def give_statics(m, d, p: int):
    """Collide the near pairs with static geoms that precede a candidate.

    p: the candidate; -1 for all that are left.
    """
    q = 0
    while q >= 0:
        # of the next pairs of all worlds, the one that comes first
        q = -1
        waiting = lane_bits(well(d))
        while waiting != 0:
            lane = lowest_bit(waiting)
            waiting = without_lowest(waiting)
            q = earlier(m, q, next_pair(world(d, lane)))
        q = if_before(m, q, p)
        if q >= 0:
            give_static(m, d, q)
            pass_everywhere(d, q)


@kernel(lanes=True)
def give_static(m, d, p: int):
    """Collide a pair with a static geom, in the worlds in which it is near."""
    g1 = first_geom(m, p)
    g2 = second_geom(m, p)
    close = near(m, d, p, g1, g2)
    if any_lane(close):
        ask(m, d, p, g1, g2, close)


@kernel(lanes=True)
def ask(m, d, p: int, g1: int, g2: int, close):
    """Call a pair's family in the worlds in which it is near, awake and not filtered.

    `d.asked` is 1 in these worlds.
    """
    if m.opt_enableflags & WITH_SLEEP != 0:
        close = close and (is_awake(m, d, g1) or is_awake(m, d, g2))
    # what is near in one world may be far in its neighbours
    d.asked = select(close and well(d), 1, 0)
    if m.called & CONTACTFILTER != 0:
        leave_unmarked(d, p)
    FAMILIES(family_of(m, p, g1, g2), m, d, p, g1, g2)
    if m.opt_enableflags & WITH_SPECULATIVE != 0:
        speculate(m, d, p, g1, g2)


@kernel(lanes=True)
def is_awake(m, d, geom: int):
    """Whether a geom is of an awake tree, or of a mocap body's tree."""
    body = m.geom_bodyid[geom]
    tree = m.body_treeid[body]
    slumber = zero_like(d.tree_asleep[0])
    if tree >= 0:
        slumber = d.tree_asleep[tree]
    elif m.body_mocapid[m.body_rootid[body]] >= 0:
        slumber = slumber - 1.0
    return slumber < 0.0
