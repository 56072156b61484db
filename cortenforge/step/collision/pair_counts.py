"""How many pairs reach which test of the collision stage: data for tuning a model."""

from __future__ import annotations

from cortenforge.kernel import kernel, lowest_bit, without_lowest
from cortenforge.step.collision.bounding_spheres import detection_distance, spheres_overlap
from cortenforge.step.collision.candidates import first_geom, pair_family, second_geom
from cortenforge.step.collision.convex.gjk import OVERLAPPING, gjk
from cortenforge.step.collision.convex.minkowski import relative_position, relative_rotation
from cortenforge.step.collision.convex.nearest_points import has_polytope_room
from cortenforge.step.collision.convex.obb import boxes_separated
from cortenforge.step.collision.convex.support_function import rounding_radius

#: places in `test_count`: pairs whose bounding spheres, whose boxes and whose cores overlap
NEAR_PAIRS = 0
OVERLAPPING_BOXES = 1
OVERLAPPING_CORES = 2
NTEST = 3


@kernel(unit=True)
def count_pair_tests(m, d, family: int, convex: int):
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
    if pair_family(m, p, g1, g2) == family and spheres_overlap(m, d, p, g1, g2):
        d.test_count[NEAR_PAIRS] += 1
        if convex != 0 and has_polytope_room(m, d):
            count_convex_tests(m, d, p, g1, g2)


@kernel
def count_convex_tests(m, d, p: int, g1: int, g2: int):
    """Count whether boxes of a convex pair overlap, and whether GJK finds its cores overlap."""
    turn = relative_rotation(d, g1, g2)
    shift = relative_position(d, g1, g2)
    reach = detection_distance(m, p, g1, g2)
    if not boxes_separated(m, g1, g2, turn, shift, reach):
        d.test_count[OVERLAPPING_BOXES] += 1
        around = rounding_radius(m, g1) + rounding_radius(m, g2)
        outcome, _n, _x, _first, _late = gjk(m, d, g1, g2, turn, shift, reach + around)
        if outcome == OVERLAPPING:
            d.test_count[OVERLAPPING_CORES] += 1
