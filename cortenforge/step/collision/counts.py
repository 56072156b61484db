"""How many pairs come to which test of the collision stage: for people who tune models."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.collision.broad import near, reach_of
from cortenforge.step.collision.convex.boxes import boxes_apart
from cortenforge.step.collision.convex.difference import shift_between, turn_between
from cortenforge.step.collision.convex.distance import INSIDE, separate
from cortenforge.step.collision.convex.farthest import radius_around
from cortenforge.step.collision.convex.pair import has_polytope_room

#: places in `test_count`: pairs whose spheres meet, whose boxes meet, and whose cores overlap
NEAR = 0
MEETING = 1
INSIDE_EACH_OTHER = 2
NTEST = 3


@kernel(unit=True)
def count_tests(m, d, family: int, convex: int):
    """How far do pairs of a family get through the tests, where geoms are now?

    convex: whether boxes, GJK and EPA are what the family does.
    """
    for k in range(NTEST):
        d.test_count[k] = 0
    for p in range(m.ncandidate):
        if m.candidate_family[p] == family and near(m, d, p):
            d.test_count[NEAR] += 1
            if convex != 0 and has_polytope_room(m, d):
                count_convex(m, d, p)


@kernel
def count_convex(m, d, p: int):
    """Boxes of a convex pair, and what GJK finds if they meet."""
    g1 = m.candidate_geom[p, 0]
    g2 = m.candidate_geom[p, 1]
    turn = turn_between(d, g1, g2)
    shift = shift_between(d, g1, g2)
    reach = reach_of(m, p)
    if not boxes_apart(m, g1, g2, turn, shift, reach):
        d.test_count[MEETING] += 1
        around = radius_around(m, g1) + radius_around(m, g2)
        outcome, _n, _x, _first, _late = separate(m, d, g1, g2, turn, shift, reach + around)
        if outcome == INSIDE:
            d.test_count[INSIDE_EACH_OTHER] += 1
