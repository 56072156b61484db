"""Near pairs of a moving and a static geom: found in the tree of static geoms, in contacts' order.

A step costs what moves: the sphere of each moving geom looks into the boxes that it meets. The few
pairs that are found wait in a list, sorted as a list of all pairs would be, and are given to their
families between the candidates of the list.
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
    """Which static geoms do moving ones come near?  Mirrors mj_collideTree for the world.

    The tree is fitted first, if something static has changed since it was.
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
    """Come to the next near pair."""
    d.static_next += 1
    d.static_head = -1
    if d.static_next < d.nstaticpair:
        d.static_head = d.static_pair[d.static_next]


@kernel
def looks_around(m, d, g: int):
    """Whether a geom can touch static ones: it is not of a mocap body, nor asleep."""
    solid = m.geom_contype[g] | m.geom_conaffinity[g]
    body = m.geom_bodyid[g]
    awake = m.opt_enableflags & WITH_SLEEP == 0 or body_state(m, d, body) == AWAKE
    return solid != 0 and m.body_weldid[body] != 0 and awake


@kernel
def search(m, d, j: int):
    """Add the static geoms that are near the j-th moving one."""
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
    """Add the pair of the j-th moving geom and the k-th of the tree, if they can touch."""
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
    """What decides the order of contacts: both bodies, then both geoms.

    Pairs of bodies that MuJoCo searches by their trees of boxes are in order of the first geom of
    a contact, which is the one of the lower type; others in order of bodies. `model/touching.py`
    says the same of a list.
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
    """Whether four numbers come before four others, the first that differs deciding."""
    last = c < y or (c == y and e < z)
    return a < w or (a == w and (b < x or (b == x and last)))


@kernel(lanes=True)
def precedes(m, p: int, q: int):
    """Whether contacts of a static pair come before those of another pair, or of a candidate.

    Pairs of the description come first among those of two bodies.
    """
    a, b, c, e = order_key(m, first_geom(m, p), second_geom(m, p))
    w, x, y, z = order_key(m, first_geom(m, q), second_geom(m, q))
    if pair_of(m, q) >= 0:
        y = -1
    return is_less(a, b, c, e, w, x, y, z)


@kernel
def sort_pairs(d):
    """Put near pairs into the order of contacts: by shells, which are quick on what is sorted."""
    gap = (7 * d.nstaticpair) >> 4
    while gap > 0:
        for n in range(gap, d.nstaticpair):
            sink(d, n, gap)
        gap = max((7 * gap) >> 4, 1) if gap > 1 else 0


@kernel
def sink(d, n: int, gap: int):
    """Move a pair down, `gap` places at a time, until none above it has to come later."""
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
    """Whether the n-th pair comes after one with this key."""
    w, x = d.static_key[n, 0], d.static_key[n, 1]
    y, z = d.static_key[n, 2], d.static_key[n, 3]
    return is_less(a, b, c, e, w, x, y, z)


@kernel(lanes=True)
def next_pair(d):
    """The next near pair of one world, or -1."""
    return d.static_head


@kernel
def pass_pair(d, p: int):
    """Go on to the next pair, if this is the one that waits."""
    if d.static_head == p:
        go_on(d)


@kernel(lanes=True)
def earlier(m, p: int, q: int):
    """The one of two pairs whose contacts come first; -1 stands for none."""
    if p < 0 or q < 0 or p == q:
        return max(p, q)
    return p if precedes(m, p, q) else q


@kernel(lanes=True)
def if_before(m, p: int, q: int):
    """A near pair if its contacts come before those of candidate q, if any (-1); else -1."""
    return -1 if q >= 0 and earlier(m, p, q) == q else p


@kernel(lanes=True)
def pass_everywhere(d, p: int):
    """Go on in every world in which this pair waits."""
    waiting = lane_bits(well(d))
    while waiting != 0:
        lane = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        pass_pair(world(d, lane), p)
