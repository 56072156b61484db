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
from cortenforge.step.callbacks import CONTACTFILTER
from cortenforge.step.collision.bounding_spheres import set_geom_reaches, spheres_overlap
from cortenforge.step.collision.candidates import first_geom, pair_family, second_geom
from cortenforge.step.collision.contact_filter import call_contactfilter
from cortenforge.step.collision.contact_list import request_contact_capacity
from cortenforge.step.collision.contact_parameters import set_contact_parameters
from cortenforge.step.collision.families import FAMILIES
from cortenforge.step.collision.near_bits import (
    clear_near_bits,
    near_bits_of_world,
    set_near_bit_in_lanes,
    skip_if_not_near,
    toggle_near_bit,
)
from cortenforge.step.collision.speculative.geom_motion import set_geom_motions
from cortenforge.step.collision.speculative.speculative_contacts import add_speculative_contacts
from cortenforge.step.collision.static_pairs import (
    earlier_pair,
    find_static_pairs,
    next_static_pair,
    pair_if_before,
    pass_static_pair_in_lanes,
)
from cortenforge.step.collision.sweep_and_prune import broad_phase
from cortenforge.step.constants import WITH_SLEEP, WITH_SPECULATIVE
from cortenforge.step.status import is_ok

#: flags with which a pair needs more tests than that of bounding spheres
EXTRA_TESTS = WITH_SLEEP | WITH_SPECULATIVE


@kernel(lanes=True)
def find_contacts(m, d):
    """All contacts, if the model has pairs that can collide."""
    d.ncon = 0
    if m.ncandidate + m.unlisted_shift + m.nstatic > 0:
        find_awake_contacts(m, d)


@kernel(lanes=True)
def find_awake_contacts(m, d):
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
    set_geom_reaches(m, d)
    if m.opt_enableflags & WITH_SPECULATIVE != 0:
        set_geom_motions(m, d)
    if m.nstatic > 0:
        find_static_pairs(m, d)
    if m.called & CONTACTFILTER != 0:
        apply_user_filter(m, d)
        for w in range(m.nnearword):
            collide_marked(m, d, w, 0)
    elif m.nswept > 0 and m.opt_enableflags & EXTRA_TESTS == 0 and alone:
        broad_phase(m, d)
        d.asked = select(is_ok(d), 1, 0)
        for w in range(m.nnearword):
            collide_marked(m, d, w, 1)
    elif m.swept_in_lanes == 1 or (m.nswept > 0 and alone):
        broad_phase(m, d)
        for w in range(m.nnearword):
            collide_marked(m, d, w, 0)
    else:
        for p in range(m.ncandidate):
            collide_candidate(m, d, p)
    if m.nstatic > 0:
        collide_static_pairs(m, d, -1)
    if any_lane(d.ncon > 0):
        request_contact_capacity(d)
        set_contact_parameters(m, d)


@kernel(lanes=True)
def apply_user_filter(m, d):
    """Mark exactly the near pairs, and let the user's contact filter clear marks."""
    if m.nswept > 0:
        broad_phase(m, d)
        clear_far_bits(m, d)
    else:
        clear_near_bits(m, d)
        for p in range(m.ncandidate):
            set_near_bit_in_lanes(
                d, p, spheres_overlap(m, d, p, first_geom(m, p), second_geom(m, p))
            )
    call_contactfilter(m, d)


@kernel
def clear_far_bits(m, d):
    """Clear the marks of pairs that are not near: a sweep marks a few too many."""
    for w in range(m.nnearword):
        marked = d.near_word[w]
        while marked != 0:
            p = 64 * w + lowest_bit(marked)
            marked = without_lowest(marked)
            if not spheres_overlap(m, d, p, first_geom(m, p), second_geom(m, p)):
                toggle_near_bit(d, p)


@kernel(lanes=True)
def collide_marked(m, d, w: int, near_enough: int):
    """Collide those of 64 candidates that are marked in any world.

    near_enough: 1 if marks alone decide, and families are called at once.
    """
    marked = bit(0) ^ bit(0)
    waiting = lane_bits(is_ok(d))
    while waiting != 0:
        lane = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        marked = marked | near_bits_of_world(world(d, lane), w)
    while marked != 0:
        p = 64 * w + lowest_bit(marked)
        marked = without_lowest(marked)
        if near_enough == 1 and m.nstatic > 0:
            collide_static_pairs(m, d, p)
            d.asked = select(is_ok(d), 1, 0)
        if near_enough == 0:
            collide_candidate(m, d, p)
        elif m.unlisted_shift == 0 or p < m.ncandidate:
            g1 = m.candidate_geom[p, 0]
            FAMILIES(m.candidate_family[p], m, d, p, g1, m.candidate_geom[p, 1])
        else:
            collide_unlisted(m, d, p)


@kernel(lanes=True)
def collide_unlisted(m, d, p: int):
    """Collide a pair that is not listed."""
    g1 = first_geom(m, p)
    g2 = second_geom(m, p)
    FAMILIES(pair_family(m, p, g1, g2), m, d, p, g1, g2)


@kernel(lanes=True)
def collide_candidate(m, d, p: int):
    """Collide a candidate if its bounding spheres overlap in any world."""
    g1 = first_geom(m, p)
    g2 = second_geom(m, p)
    close = spheres_overlap(m, d, p, g1, g2)
    if any_lane(close):
        if m.nstatic > 0:
            collide_static_pairs(m, d, p)
        collide_near_pair(m, d, p, g1, g2, close)


@kernel(lanes=True)
def collide_static_pairs(m, d, p: int):
    """Collide the near pairs with static geoms that precede a candidate.

    p: the candidate; -1 for all that are left.
    """
    q = 0
    while q >= 0:
        # of the next pairs of all worlds, the one that comes first
        q = -1
        waiting = lane_bits(is_ok(d))
        while waiting != 0:
            lane = lowest_bit(waiting)
            waiting = without_lowest(waiting)
            q = earlier_pair(m, q, next_static_pair(world(d, lane)))
        q = pair_if_before(m, q, p)
        if q >= 0:
            collide_static_pair(m, d, q)
            pass_static_pair_in_lanes(d, q)


@kernel(lanes=True)
def collide_static_pair(m, d, p: int):
    """Collide a pair with a static geom, in the worlds in which it is near."""
    g1 = first_geom(m, p)
    g2 = second_geom(m, p)
    close = spheres_overlap(m, d, p, g1, g2)
    if any_lane(close):
        collide_near_pair(m, d, p, g1, g2, close)


@kernel(lanes=True)
def collide_near_pair(m, d, p: int, g1: int, g2: int, close):
    """Call a pair's family in the worlds in which it is near, awake and not filtered.

    `d.asked` is 1 in these worlds.
    """
    if m.opt_enableflags & WITH_SLEEP != 0:
        close = close and (geom_is_awake(m, d, g1) or geom_is_awake(m, d, g2))
    # what is near in one world may be far in its neighbours
    d.asked = select(close and is_ok(d), 1, 0)
    if m.called & CONTACTFILTER != 0:
        skip_if_not_near(d, p)
    FAMILIES(pair_family(m, p, g1, g2), m, d, p, g1, g2)
    if m.opt_enableflags & WITH_SPECULATIVE != 0:
        add_speculative_contacts(m, d, p, g1, g2)


@kernel(lanes=True)
def geom_is_awake(m, d, geom: int):
    """Whether a geom is of an awake tree, or of a mocap body's tree."""
    body = m.geom_bodyid[geom]
    tree = m.body_treeid[body]
    slumber = zero_like(d.tree_asleep[0])
    if tree >= 0:
        slumber = d.tree_asleep[tree]
    elif m.body_mocapid[m.body_rootid[body]] >= 0:
        slumber = slumber - 1.0
    return slumber < 0.0
