"""Which pairs come near: bounding spheres of the candidates, in the order of the list.

The list has every pair of geoms that can ever touch (`model/touching.py` makes it). To run down all
of it costs two to four nanoseconds a pair, half of one in lanes; all but short lists are swept.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, zero_like
from cortenforge.math.vector import dot
from cortenforge.step.collision.candidates import pair_of
from cortenforge.step.collision.shapes import axis_of
from cortenforge.step.constants import PLANE, WITH_OVERRIDE, WITH_SPECULATIVE
from cortenforge.step.position.frames import is_unsettled

#: what has no end is everywhere
EVERYWHERE = 1e15
#: what is held against a plane or a box is this much larger, as a share: rounding loses none
SLACK = 1e-9


@kernel(lanes=True)
def margin_of(m, p: int, g1: int, g2: int):
    """Distance below which contacts of a candidate push.  Mirrors mj_assignMargin."""
    pair = pair_of(m, p)
    if m.opt_enableflags & WITH_OVERRIDE != 0:
        margin = zero_like(m.geom_margin[0]) + m.opt_o_margin
    elif pair >= 0:
        margin = m.pair_margin[pair]
    else:
        margin = m.geom_margin[g1] + m.geom_margin[g2]
    return margin


@kernel(lanes=True)
def gap_of(m, p: int, g1: int, g2: int):
    """Distance beyond the margin at which contacts of a candidate are found."""
    pair = pair_of(m, p)
    return m.pair_gap[pair] if pair >= 0 else m.geom_gap[g1] + m.geom_gap[g2]


@kernel(lanes=True)
def reach_of(m, p: int, g1: int, g2: int):
    """Distance at which contacts of a candidate are found."""
    return margin_of(m, p, g1, g2) + gap_of(m, p, g1, g2)


@kernel(lanes=True)
def geom_reaches(m, d):
    """Radius of each geom's bounding sphere, with its share of margin and gap."""
    if m.nstatic > 0 and not any_lane(is_unsettled(m, d)):
        for k in range(m.nmoving):
            geom_reach(m, d, m.moving_geom[k])
    else:
        for g in range(m.ngeom):
            geom_reach(m, d, g)


@kernel(lanes=True)
def geom_reach(m, d, g: int):
    """The same of one geom."""
    bound = m.geom_rbound[g]
    share = m.geom_margin[g] + m.geom_gap[g]
    if m.opt_enableflags & WITH_OVERRIDE != 0:
        share = 0.5 * m.opt_o_margin + m.geom_gap[g]
    if m.geom_type[g] == PLANE:
        # its part of the distance to a sphere
        d.geom_reach[g] = share
    else:
        d.geom_reach[g] = select(bound > 0.0, bound + share, EVERYWHERE)


@kernel(lanes=True)
def near(m, d, p: int, g1: int, g2: int):
    """Whether the bounding spheres of a candidate meet.  Mirrors mj_filterSphere."""
    between = d.geom_xpos[g2] - d.geom_xpos[g1]
    if pair_of(m, p) >= 0:
        # a pair of the description has a margin of its own
        bound1 = m.geom_rbound[g1]
        bound2 = m.geom_rbound[g2]
        reach = bound1 + bound2 + reach_of(m, p, g1, g2)
        if m.opt_enableflags & WITH_SPECULATIVE != 0:
            reach = reach + d.geom_travel[g1] + d.geom_travel[g2]
        close = bound1 <= 0.0 or bound2 <= 0.0 or dot(between, between) <= reach * reach
    elif m.geom_type[g1] == PLANE:
        close = near_plane(d, g1, g2, between, axis_of(d, g1))
    else:
        reach = d.geom_reach[g1] + d.geom_reach[g2]
        close = dot(between, between) <= reach * reach
    return close


@kernel(lanes=True)
def near_plane(d, plane: int, g: int, above, normal):
    """Whether the bounding sphere of a geom, so far from a point of a plane, meets the plane."""
    reach = d.geom_reach[plane] + d.geom_reach[g]
    return dot(above, normal) <= reach + SLACK * reach
