"""Broad phase of moving against static geoms: queries of the static BVH.

The cost is in the moving geoms. Near pairs are filtered, sorted in the order that a list of all
pairs would have, and collided between the candidates of the list.
"""

from __future__ import annotations

from cortenforge.fields import place_of
from cortenforge.kernel import kernel, lane_bits, lowest_bit, without_lowest, world
from cortenforge.step.collision.candidates import (
    explicit_pair,
    first_geom,
    passes_contact_filter,
    second_geom,
    static_pair_number,
)
from cortenforge.step.collision.static_bvh import (
    BVH_WIDTH,
    fit_static_bvh,
    overlapping_boxes,
    overlapping_spheres,
    padded_radius,
)
from cortenforge.step.constants import NO_MIDPHASE, WITH_SLEEP
from cortenforge.step.sleeping.sleep_constants import AWAKE
from cortenforge.step.sleeping.sleep_state import body_sleep_state
from cortenforge.step.status import is_ok, need

NSTATICMAX = place_of("nstaticmax")


@kernel(unit=True)
def find_static_pairs(m, d):
    """List the pairs of a moving and a static geom that are near.  Mirrors mj_collideTree.

    Boxes of the tree are fitted first, if static geoms have changed.
    """
    if d.settled != m.static_version:
        fit_static_bvh(m, d)
        d.settled = m.static_version
    d.nstaticpair = 0
    d.static_next = -1
    d.static_head = -1
    for j in range(m.nmoving):
        if collides_with_static(m, d, m.moving_geom[j]):
            search_static_bvh(m, d, j)
    if d.nstaticpair > d.nstaticmax:
        need(d, NSTATICMAX, d.nstaticpair)
    else:
        sort_static_pairs(d)
        advance_static_pair(d)


@kernel
def advance_static_pair(d):
    """Advance to the next pair of the sorted list."""
    d.static_next += 1
    d.static_head = -1
    if d.static_next < d.nstaticpair:
        d.static_head = d.static_pair[d.static_next]


@kernel
def collides_with_static(m, d, g: int):
    """Whether a geom can collide with static ones: not of the world or a mocap body, awake."""
    solid = m.geom_contype[g] | m.geom_conaffinity[g]
    body = m.geom_bodyid[g]
    awake = m.opt_enableflags & WITH_SLEEP == 0 or body_sleep_state(m, d, body) == AWAKE
    return solid != 0 and m.body_weldid[body] != 0 and awake


@kernel
def search_static_bvh(m, d, j: int):
    """Query the tree with the j-th moving geom's sphere, depth first, and add near pairs."""
    g = m.moving_geom[j]
    centre = d.geom_xpos[g]
    reach = d.geom_reach[g]
    wide = padded_radius(centre.x, centre.y, centre.z, reach)
    level = m.static_levels - 1
    d.walk_first[level] = 0
    d.walk_bits[level] = overlapping_boxes(d, m.static_level[level], centre, wide)
    while level < m.static_levels:
        left = d.walk_bits[level]
        if left == 0:
            level += 1
        else:
            box = d.walk_first[level] + lowest_bit(left)
            d.walk_bits[level] = without_lowest(left)
            if level == 0:
                found = overlapping_spheres(d, BVH_WIDTH * box, centre, reach)
                while found != 0:
                    add_static_pair(m, d, j, g, BVH_WIDTH * box + lowest_bit(found))
                    found = without_lowest(found)
            else:
                level -= 1
                d.walk_first[level] = BVH_WIDTH * box
                first = m.static_level[level] + BVH_WIDTH * box
                d.walk_bits[level] = overlapping_boxes(d, first, centre, wide)


@kernel
def add_static_pair(m, d, j: int, g: int, k: int):
    """Add the pair of the j-th moving geom and the tree's k-th, if it passes the filter."""
    if passes_contact_filter(m, g, m.static_geom[k]):
        n = d.nstaticpair
        d.nstaticpair = n + 1
        if n < d.nstaticmax:
            p = static_pair_number(m, j, k)
            low, high, one, other = contact_order_key(m, first_geom(m, p), second_geom(m, p))
            d.static_pair[n] = p
            d.static_key[n, 0] = low
            d.static_key[n, 1] = high
            d.static_key[n, 2] = one
            d.static_key[n, 3] = other


@kernel(lanes=True)
def contact_order_key(m, g1: int, g2: int):
    """Key of a pair in the order of contacts: (lower body, higher body, geom, geom).

    Of pairs of bodies that MuJoCo searches by bounding volume trees (several geoms, midphase on),
    the geoms are in the order of the contact, the lower type first; of others, in order of their
    numbers. `model/changes/candidates.py` sorts the list by the same key.
    """
    a = m.geom_bodyid[g1]
    b = m.geom_bodyid[g2]
    several = m.body_geomnum[a] > 1 or m.body_geomnum[b] > 1
    treed = m.body_bvhadr[a] >= 0 and m.body_bvhadr[b] >= 0
    by_tree = several and treed and m.opt_disableflags & NO_MIDPHASE == 0
    one = g1 if by_tree else min(g1, g2)
    other = g2 if by_tree else max(g1, g2)
    return min(a, b), max(a, b), one, other


@kernel(lanes=True)
def key_precedes(a: int, b: int, c: int, e: int, w: int, x: int, y: int, z: int):
    """Whether the key (a, b, c, e) precedes (w, x, y, z), in lexicographic order."""
    last = c < y or (c == y and e < z)
    return a < w or (a == w and (b < x or (b == x and last)))


@kernel(lanes=True)
def pair_precedes(m, p: int, q: int):
    """Whether static pair p precedes pair q in the order of contacts.

    Explicit pairs are first among those of the same two bodies.
    """
    a, b, c, e = contact_order_key(m, first_geom(m, p), second_geom(m, p))
    w, x, y, z = contact_order_key(m, first_geom(m, q), second_geom(m, q))
    if explicit_pair(m, q) >= 0:
        y = -1
    return key_precedes(a, b, c, e, w, x, y, z)


@kernel
def sort_static_pairs(d):
    """Sort near pairs by their keys: Shell sort, which is quick on what is nearly sorted."""
    gap = (7 * d.nstaticpair) >> 4
    while gap > 0:
        for n in range(gap, d.nstaticpair):
            insert_static_pair(d, n, gap)
        gap = max((7 * gap) >> 4, 1) if gap > 1 else 0


@kernel
def insert_static_pair(d, n: int, gap: int):
    """Insert the n-th pair into its chain of every `gap`-th pair."""
    p = d.static_pair[n]
    a, b = d.static_key[n, 0], d.static_key[n, 1]
    c, e = d.static_key[n, 2], d.static_key[n, 3]
    at = n
    below = at - gap
    while below >= 0 and pair_follows_key(d, max(below, 0), a, b, c, e):
        d.static_pair[at] = d.static_pair[below]
        for k in range(4):
            d.static_key[at, k] = d.static_key[below, k]
        at = below
        below = at - gap
    d.static_pair[at] = p
    d.static_key[at, 0] = a
    d.static_key[at, 1] = b
    d.static_key[at, 2] = c
    d.static_key[at, 3] = e


@kernel
def pair_follows_key(d, n: int, a: int, b: int, c: int, e: int):
    """Whether the n-th pair follows one with the key (a, b, c, e)."""
    w, x = d.static_key[n, 0], d.static_key[n, 1]
    y, z = d.static_key[n, 2], d.static_key[n, 3]
    return key_precedes(a, b, c, e, w, x, y, z)


@kernel(lanes=True)
def next_static_pair(d):
    """The next near pair of one world, or -1."""
    return d.static_head


@kernel
def pass_static_pair(d, p: int):
    """Advance past a pair, if it is the next one."""
    if d.static_head == p:
        advance_static_pair(d)


@kernel(lanes=True)
def earlier_pair(m, p: int, q: int):
    """The one of two pairs that comes first in the order of contacts; -1 is no pair."""
    if p < 0 or q < 0 or p == q:
        return max(p, q)
    return p if pair_precedes(m, p, q) else q


@kernel(lanes=True)
def pair_if_before(m, p: int, q: int):
    """Pair p if it precedes candidate q (or q is -1), else -1."""
    return -1 if q >= 0 and earlier_pair(m, p, q) == q else p


@kernel(lanes=True)
def pass_static_pair_in_lanes(d, p: int):
    """Advance in every world whose next pair this is."""
    waiting = lane_bits(is_ok(d))
    while waiting != 0:
        lane = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        pass_static_pair(world(d, lane), p)
