"""Time of impact of two moving geoms within a step: conservative advancement.

    v = n.(dx1 - dx2) + |dw1| r1 + |dw2| r2        bound on the closing speed
    t <- t + (dist(t) - target) / v,   target = margin + 0.02 (dist(0) - margin)

t is a share of the step; dx, dw are displacement and rotation in a step, r the bounding radii, n
the normal from the first geom to the second at t. It ends where 3% of the first distance to the
margin are left. Sources: Mirtich, "Impulse-based dynamic simulation of rigid body systems", PhD
thesis, Berkeley, 1996; MuJoCo: Computation, "Speculative contacts", "Conservative advancement".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import cross, dot, into_frame, norm
from cortenforge.step.collision.broad import margin_of
from cortenforge.step.collision.convex.difference import axes_in
from cortenforge.step.collision.convex.pair import meet
from cortenforge.step.collision.convex.query import above_plane
from cortenforge.step.collision.speculative.motion import axes_later, place_later
from cortenforge.step.constants import PLANE

#: shares of the first distance to the margin: where a step aims, and where it stops
TARGET = 0.02
ENOUGH = 0.03
#: most advances; then one more with the velocity of the centres alone
STEPS = 16
#: farther than any two geoms
FAR = 1e15
#: not within this step
NEVER = 2.0
#: least divisor
SLOWEST = 1e-300


@kernel
def apart_later(m, d, g1: int, g2: int, time):
    """Distance and normal (in the world) of two geoms at a share of the step.

    Nearest points are in `found_pos`, in the axes of the first geom at that time.
    """
    one = axes_later(d, g1, time)
    turn = axes_in(one, axes_later(d, g2, time))
    shift = into_frame(one, place_later(d, g2, time) - place_later(d, g1, time))
    d.found = 0
    if m.geom_type[g1] == PLANE:
        above_plane(m, d, g2, turn, shift)
    else:
        meet(m, d, g1, g2, turn, shift, FAR)
    return d.found_dist[0], one @ d.found_normal


@kernel
def time_of_impact(m, d, p: int, g1: int, g2: int):
    """Time of impact as a share of the step: (time, closing).  Mirrors mjc_advance.

    time is NO_IMPACT if the margin is not reached; closing is the distance closed in a step.  [m]
    """
    margin = margin_of(m, p, g1, g2)
    start, normal = apart_later(m, d, g1, g2, 0.0)
    turning = norm(d.geom_spin[g1]) * m.geom_rbound[g1] + norm(d.geom_spin[g2]) * m.geom_rbound[g2]
    target = margin + TARGET * (start - margin)
    enough = margin + ENOUGH * (start - margin)
    time = 0.0
    dist = start
    never = not start > margin
    for k in range(STEPS + 1):
        closing = dot(normal, d.geom_slide[g1] - d.geom_slide[g2])
        if k < STEPS:
            closing += turning
        # at this bound the margin is not reached within the step
        if closing <= 0.0 or time + (dist - margin) / max(closing, SLOWEST) > 1.0:
            never = True
        if never or dist <= enough:
            break
        time += (dist - target) / closing
        dist, normal = apart_later(m, d, g1, g2, time)
    if never or time <= 0.0:
        return NEVER, 0.0
    return time, max((start - dist) / time, closing_at(d, g1, g2, time, normal))


@kernel
def closing_at(d, g1: int, g2: int, time, normal):
    """Closing speed of the nearest points, as points of their geoms, at a time."""
    middle = place_later(d, g1, time) + axes_later(d, g1, time) @ d.found_pos[0]
    half = normal * (0.5 * d.found_dist[0])
    one = cross(d.geom_spin[g1], middle - half - place_later(d, g1, time))
    other = cross(d.geom_spin[g2], middle + half - place_later(d, g2, time))
    return dot(normal, d.geom_slide[g1] + one - d.geom_slide[g2] - other)
