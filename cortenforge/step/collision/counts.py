"""How many pairs reach which test of the collision stage: data for tuning a model."""

from __future__ import annotations

from cortenforge.kernel import kernel, lowest_bit, without_lowest
from cortenforge.step.collision.broad import near, reach_of
from cortenforge.step.collision.candidates import family_of, first_geom, second_geom
from cortenforge.step.collision.convex.boxes import boxes_apart
from cortenforge.step.collision.convex.difference import shift_between, turn_between
from cortenforge.step.collision.convex.distance import INSIDE, separate
from cortenforge.step.collision.convex.farthest import radius_around
from cortenforge.step.collision.convex.pair import has_polytope_room

#: places in `test_count`: pairs whose bounding spheres, whose boxes and whose cores overlap
NEAR = 0
MEETING = 1
INSIDE_EACH_OTHER = 2
NTEST = 3


@kernel(unit=True)
def count_tests(m, d, family: int, convex: int):
    """Count how far pairs of a family get through the tests, at the current poses.

    convex: 1 if the family's tests are bounding boxes, GJK and EPA.
    """
    for k in range(NTEST):
        d.test_count[k] = 0
    for listed in range(m.ncandidate):
        count_pair(m, d, listed, family, convex)
    if m.unlisted_shift > 0:
        # unlisted pairs that the last sweep found near
        for w in range(m.nnearword):
            marked = d.near_word[w]
            while marked != 0:
                p = 64 * w + lowest_bit(marked)
                marked = without_lowest(marked)
                if p >= m.ncandidate:
                    count_pair(m, d, p, family, convex)
    if m.nstatic > 0:
        for k in range(d.nstaticpair):
            count_pair(m, d, d.static_pair[k], family, convex)


@kernel
def count_pair(m, d, p: int, family: int, convex: int):
    """Count a pair if it is of the family and near."""
    g1 = first_geom(m, p)
    g2 = second_geom(m, p)
    if family_of(m, p, g1, g2) == family and near(m, d, p, g1, g2):
        d.test_count[NEAR] += 1
        if convex != 0 and has_polytope_room(m, d):
            count_convex(m, d, p, g1, g2)


@kernel
def count_convex(m, d, p: int, g1: int, g2: int):
    """Count whether boxes of a convex pair overlap, and whether GJK finds its cores overlap."""
    turn = turn_between(d, g1, g2)
    shift = shift_between(d, g1, g2)
    reach = reach_of(m, p, g1, g2)
    if not boxes_apart(m, g1, g2, turn, shift, reach):
        d.test_count[MEETING] += 1
        around = radius_around(m, g1) + radius_around(m, g2)
        outcome, _n, _x, _first, _late = separate(m, d, g1, g2, turn, shift, reach + around)
        if outcome == INSIDE:
            d.test_count[INSIDE_EACH_OTHER] += 1
