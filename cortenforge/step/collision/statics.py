"""Broad phase of moving against static geoms: queries of the static BVH.

The cost is in the moving geoms. Near pairs are filtered, sorted in the order that a list of all
pairs would have, and collided between the candidates of the list.
"""

from __future__ import annotations

from cortenforge.fields import place_of
from cortenforge.kernel import kernel, lane_bits, lowest_bit, without_lowest, world
from cortenforge.step.collision.candidates import (
    can_touch,
    first_geom,
    pair_of,
    second_geom,
    static_number,
)
from cortenforge.step.collision.static_tree import (
    WIDE,
    fit_tree,
    meeting_boxes,
    meeting_spheres,
    slackened,
)
from cortenforge.step.constants import NO_MIDPHASE, WITH_SLEEP
from cortenforge.step.sleeping.numbers import AWAKE
from cortenforge.step.sleeping.state import body_state
from cortenforge.step.status import need, well

NSTATICMAX = place_of("nstaticmax")


@kernel(unit=True)
def find_statics(m, d):
    """List the pairs of a moving and a static geom that are near.  Mirrors mj_collideTree.

    Boxes of the tree are fitted first, if static geoms have changed.
    """
    if d.settled != m.static_version:
        fit_tree(m, d)
        d.settled = m.static_version
    d.nstaticpair = 0
    d.static_next = -1
    d.static_head = -1
    for j in range(m.nmoving):
        if looks_around(m, d, m.moving_geom[j]):
            search(m, d, j)
    if d.nstaticpair > d.nstaticmax:
        need(d, NSTATICMAX, d.nstaticpair)
    else:
        sort_pairs(d)
        go_on(d)


@kernel
def go_on(d):
    """Advance to the next pair of the sorted list."""
    d.static_next += 1
    d.static_head = -1
    if d.static_next < d.nstaticpair:
        d.static_head = d.static_pair[d.static_next]


@kernel
def looks_around(m, d, g: int):
    """Whether a geom can collide with static ones: not of the world or a mocap body, awake."""
    solid = m.geom_contype[g] | m.geom_conaffinity[g]
    body = m.geom_bodyid[g]
    awake = m.opt_enableflags & WITH_SLEEP == 0 or body_state(m, d, body) == AWAKE
    return solid != 0 and m.body_weldid[body] != 0 and awake


@kernel
def search(m, d, j: int):
    """Query the tree with the j-th moving geom's sphere, depth first, and add near pairs."""
    g = m.moving_geom[j]
    centre = d.geom_xpos[g]
    reach = d.geom_reach[g]
    wide = slackened(centre.x, centre.y, centre.z, reach)
    level = m.static_levels - 1
    d.walk_first[level] = 0
    d.walk_bits[level] = meeting_boxes(d, m.static_level[level], centre, wide)
    while level < m.static_levels:
        left = d.walk_bits[level]
        if left == 0:
            level += 1
        else:
            box = d.walk_first[level] + lowest_bit(left)
            d.walk_bits[level] = without_lowest(left)
            if level == 0:
                found = meeting_spheres(d, WIDE * box, centre, reach)
                while found != 0:
                    add_pair(m, d, j, g, WIDE * box + lowest_bit(found))
                    found = without_lowest(found)
            else:
                level -= 1
                d.walk_first[level] = WIDE * box
                first = m.static_level[level] + WIDE * box
                d.walk_bits[level] = meeting_boxes(d, first, centre, wide)


@kernel
def add_pair(m, d, j: int, g: int, k: int):
    """Add the pair of the j-th moving geom and the tree's k-th, if it passes the filter."""
    if can_touch(m, g, m.static_geom[k]):
        n = d.nstaticpair
        d.nstaticpair = n + 1
        if n < d.nstaticmax:
            p = static_number(m, j, k)
            low, high, one, other = order_key(m, first_geom(m, p), second_geom(m, p))
            d.static_pair[n] = p
            d.static_key[n, 0] = low
            d.static_key[n, 1] = high
            d.static_key[n, 2] = one
            d.static_key[n, 3] = other


@kernel(lanes=True)
def order_key(m, g1: int, g2: int):
    """Key of a pair in the order of contacts: (lower body, higher body, geom, geom).

     Of pairs of bodies that MuJoCo searches by bounding volume trees (several geoms, midphase on),
    the geoms are in the order of the contact, the lower type first; of others, in order of their
    numbers. `model/touching.py` sorts the list by the same key.
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
def is_less(a: int, b: int, c: int, e: int, w: int, x: int, y: int, z: int):
    """Whether the key (a, b, c, e) precedes (w, x, y, z), in lexicographic order."""
    last = c < y or (c == y and e < z)
    return a < w or (a == w and (b < x or (b == x and last)))


@kernel(lanes=True)
def precedes(m, p: int, q: int):
    """Whether static pair p precedes pair q in the order of contacts.

    Explicit pairs are first among those of the same two bodies.
    """
    a, b, c, e = order_key(m, first_geom(m, p), second_geom(m, p))
    w, x, y, z = order_key(m, first_geom(m, q), second_geom(m, q))
    if pair_of(m, q) >= 0:
        y = -1
    return is_less(a, b, c, e, w, x, y, z)


@kernel
def sort_pairs(d):
    """Sort near pairs by their keys: Shell sort, which is quick on what is nearly sorted."""
    gap = (7 * d.nstaticpair) >> 4
    while gap > 0:
        for n in range(gap, d.nstaticpair):
            sink(d, n, gap)
        gap = max((7 * gap) >> 4, 1) if gap > 1 else 0


@kernel
def sink(d, n: int, gap: int):
    """Insert the n-th pair into its chain of every `gap`-th pair."""
    p = d.static_pair[n]
    a, b = d.static_key[n, 0], d.static_key[n, 1]
    c, e = d.static_key[n, 2], d.static_key[n, 3]
    at = n
    below = at - gap
    while below >= 0 and is_after(d, max(below, 0), a, b, c, e):
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
def is_after(d, n: int, a: int, b: int, c: int, e: int):
    """Whether the n-th pair follows one with the key (a, b, c, e)."""
    w, x = d.static_key[n, 0], d.static_key[n, 1]
    y, z = d.static_key[n, 2], d.static_key[n, 3]
    return is_less(a, b, c, e, w, x, y, z)


@kernel(lanes=True)
def next_pair(d):
    """The next near pair of one world, or -1."""
    return d.static_head


@kernel
def pass_pair(d, p: int):
    """Advance past a pair, if it is the next one."""
    if d.static_head == p:
        go_on(d)


@kernel(lanes=True)
def earlier(m, p: int, q: int):
    """The one of two pairs that comes first in the order of contacts; -1 is no pair."""
    if p < 0 or q < 0 or p == q:
        return max(p, q)
    return p if precedes(m, p, q) else q


@kernel(lanes=True)
def if_before(m, p: int, q: int):
    """Pair p if it precedes candidate q (or q is -1), else -1."""
    return -1 if q >= 0 and earlier(m, p, q) == q else p


@kernel(lanes=True)
def pass_everywhere(d, p: int):
    """Advance in every world whose next pair this is."""
    waiting = lane_bits(well(d))
    while waiting != 0:
        lane = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        pass_pair(world(d, lane), p)
