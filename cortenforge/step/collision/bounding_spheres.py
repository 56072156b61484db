"""Broad phase by bounding spheres: which pairs are near enough to collide.

    |p2 - p1| <= r1 + r2 + margin + gap            two spheres
    n.(p2 - p1) <= r2 + margin + gap               a plane with normal n, and a sphere

`geom_reach` is a geom's r with its own share of margin and gap. A list of candidates
(`model/changes/candidates.py`) is tested one by one, in two to four nanoseconds a pair and half of
one in lanes; longer ones by sweep and prune. Source: MuJoCo: Computation, "Selection".
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, zero_like
from cortenforge.math.vector import dot
from cortenforge.step.collision.axes import geom_z_axis
from cortenforge.step.collision.candidates import explicit_pair
from cortenforge.step.constants import PLANE, WITH_OVERRIDE, WITH_SPECULATIVE
from cortenforge.step.position.frames import static_geoms_may_differ

#: reach of geoms without a bounding sphere
UNBOUNDED_REACH = 1e15
#: relative slack of tests against planes and boxes, so that rounding loses no pair
REACH_SLACK = 1e-9


@kernel(lanes=True)
def contact_margin(m, p: int, g1: int, g2: int):
    """Margin of a pair: distance below which its contacts are active.  Mirrors mj_assignMargin.

    That of the option override, of the explicit pair, or the sum of both geoms'.
    """
    pair = explicit_pair(m, p)
    if m.opt_enableflags & WITH_OVERRIDE != 0:
        margin = zero_like(m.geom_margin[0]) + m.opt_o_margin
    elif pair >= 0:
        margin = m.pair_margin[pair]
    else:
        margin = m.geom_margin[g1] + m.geom_margin[g2]
    return margin


@kernel(lanes=True)
def contact_gap(m, p: int, g1: int, g2: int):
    """Gap of a pair: distance beyond the margin up to which contacts are detected."""
    pair = explicit_pair(m, p)
    return m.pair_gap[pair] if pair >= 0 else m.geom_gap[g1] + m.geom_gap[g2]


@kernel(lanes=True)
def detection_distance(m, p: int, g1: int, g2: int):
    """Distance up to which contacts of a pair are detected: margin + gap."""
    return contact_margin(m, p, g1, g2) + contact_gap(m, p, g1, g2)


@kernel(lanes=True)
def set_geom_reaches(m, d):
    """Set `geom_reach` of all geoms that can move, or of all if static ones have changed."""
    if m.nstatic > 0 and not any_lane(static_geoms_may_differ(m, d)):
        for k in range(m.nmoving):
            set_geom_reach(m, d, m.moving_geom[k])
    else:
        for g in range(m.ngeom):
            set_geom_reach(m, d, g)


@kernel(lanes=True)
def set_geom_reach(m, d, g: int):
    """Set a geom's reach: radius of its bounding sphere plus its share of margin and gap.

    Of a plane the share alone; unbounded for geoms without a bounding sphere.
    """
    bound = m.geom_rbound[g]
    share = m.geom_margin[g] + m.geom_gap[g]
    if m.opt_enableflags & WITH_OVERRIDE != 0:
        share = 0.5 * m.opt_o_margin + m.geom_gap[g]
    if m.geom_type[g] == PLANE:
        # a plane has no radius of its own
        d.geom_reach[g] = share
    else:
        d.geom_reach[g] = select(bound > 0.0, bound + share, UNBOUNDED_REACH)


@kernel(lanes=True)
def spheres_overlap(m, d, p: int, g1: int, g2: int):
    """Whether bounding spheres of a pair overlap, with margin and gap.  Mirrors mj_filterSphere."""
    between = d.geom_xpos[g2] - d.geom_xpos[g1]
    if explicit_pair(m, p) >= 0:
        # an explicit pair has its own margin
        bound1 = m.geom_rbound[g1]
        bound2 = m.geom_rbound[g2]
        reach = bound1 + bound2 + detection_distance(m, p, g1, g2)
        if m.opt_enableflags & WITH_SPECULATIVE != 0:
            reach = reach + d.geom_travel[g1] + d.geom_travel[g2]
        close = bound1 <= 0.0 or bound2 <= 0.0 or dot(between, between) <= reach * reach
    elif m.geom_type[g1] == PLANE:
        close = sphere_meets_plane(d, g1, g2, between, geom_z_axis(d, g1))
    else:
        reach = d.geom_reach[g1] + d.geom_reach[g2]
        close = dot(between, between) <= reach * reach
    return close


@kernel(lanes=True)
def sphere_meets_plane(d, plane: int, g: int, above, normal):
    """Whether a geom's bounding sphere reaches a plane; above: from the plane to its centre."""
    reach = d.geom_reach[plane] + d.geom_reach[g]
    return dot(above, normal) <= reach + REACH_SLACK * reach
