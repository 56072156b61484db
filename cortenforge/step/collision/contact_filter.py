"""The user's contact filter: a callback of the collision stage (see `step.callbacks`).

It is called between broad and narrow phase, for pairs of geoms that are near in any world.
"""

from __future__ import annotations

from cortenforge.kernel import bit, kernel, lane_bits, lowest_bit, without_lowest, world
from cortenforge.step.collision.candidates import explicit_pair, first_geom, second_geom
from cortenforge.step.collision.near_bits import clear_near_bit_in_lanes, near_bits_of_world
from cortenforge.step.status import is_ok


@kernel(lanes=True)
def contactfilter(m, d, g1: int, g2: int):
    """Whether a pair of geoms is excluded; false by default.  Mirrors mjcb_contactfilter."""
    return False


@kernel(lanes=True, unit=True)
def call_contactfilter(m, d):
    """Remove candidate pairs that mjcb_contactfilter excludes.  Mirrors mj_collision."""
    for w in range(m.nnearword):
        marked = bit(0) ^ bit(0)
        waiting = lane_bits(is_ok(d))
        while waiting != 0:
            lane = lowest_bit(waiting)
            waiting = without_lowest(waiting)
            marked = marked | near_bits_of_world(world(d, lane), w)
        while marked != 0:
            p = 64 * w + lowest_bit(marked)
            marked = without_lowest(marked)
            # explicit pairs (<pair>) pass all filters
            if explicit_pair(m, p) < 0:
                out = contactfilter(m, d, first_geom(m, p), second_geom(m, p))
                clear_near_bit_in_lanes(d, p, out)
