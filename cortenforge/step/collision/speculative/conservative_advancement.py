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
from cortenforge.step.collision.bounding_spheres import contact_margin
from cortenforge.step.collision.convex.geom_distance import find_lowest_point
from cortenforge.step.collision.convex.minkowski import rotation_in_frame
from cortenforge.step.collision.convex.nearest_points import find_nearest_points
from cortenforge.step.collision.speculative.geom_motion import position_at_time, rotation_at_time
from cortenforge.step.constants import PLANE

#: shares of the first distance to the margin: where a step aims, and where it stops
TARGET_FRACTION = 0.02
STOP_FRACTION = 0.03
#: most advances; then one more with the velocity of the centres alone
MAX_ADVANCES = 16
#: farther than any two geoms
UNLIMITED_DISTANCE = 1e15
#: not within this step
NO_IMPACT = 2.0
#: least divisor
LEAST_SPEED = 1e-300


@kernel
def distance_at_time(m, d, g1: int, g2: int, time):
    """Distance and normal (in the world) of two geoms at a share of the step.

    Nearest points are in `found_pos`, in the axes of the first geom at that time.
    """
    one = rotation_at_time(d, g1, time)
    turn = rotation_in_frame(one, rotation_at_time(d, g2, time))
    shift = into_frame(one, position_at_time(d, g2, time) - position_at_time(d, g1, time))
    d.found = 0
    if m.geom_type[g1] == PLANE:
        find_lowest_point(m, d, g2, turn, shift)
    else:
        find_nearest_points(m, d, g1, g2, turn, shift, UNLIMITED_DISTANCE)
    return d.found_dist[0], one @ d.found_normal


@kernel
def time_of_impact(m, d, p: int, g1: int, g2: int):
    """Time of impact as a share of the step: (time, closing).  Mirrors mjc_advance.

    time is NO_IMPACT if the margin is not reached; closing is the distance closed in a step.  [m]
    """
    margin = contact_margin(m, p, g1, g2)
    start, normal = distance_at_time(m, d, g1, g2, 0.0)
    turning = norm(d.geom_spin[g1]) * m.geom_rbound[g1] + norm(d.geom_spin[g2]) * m.geom_rbound[g2]
    target = margin + TARGET_FRACTION * (start - margin)
    enough = margin + STOP_FRACTION * (start - margin)
    time = 0.0
    dist = start
    never = not start > margin
    for k in range(MAX_ADVANCES + 1):
        closing = dot(normal, d.geom_slide[g1] - d.geom_slide[g2])
        if k < MAX_ADVANCES:
            closing += turning
        # at this bound the margin is not reached within the step
        if closing <= 0.0 or time + (dist - margin) / max(closing, LEAST_SPEED) > 1.0:
            never = True
        if never or dist <= enough:
            break
        time += (dist - target) / closing
        dist, normal = distance_at_time(m, d, g1, g2, time)
    if never or time <= 0.0:
        return NO_IMPACT, 0.0
    return time, max((start - dist) / time, closing_speed_at(d, g1, g2, time, normal))


@kernel
def closing_speed_at(d, g1: int, g2: int, time, normal):
    """Closing speed of the nearest points, as points of their geoms, at a time."""
    middle = position_at_time(d, g1, time) + rotation_at_time(d, g1, time) @ d.found_pos[0]
    half = normal * (0.5 * d.found_dist[0])
    one = cross(d.geom_spin[g1], middle - half - position_at_time(d, g1, time))
    other = cross(d.geom_spin[g2], middle + half - position_at_time(d, g2, time))
    return dot(normal, d.geom_slide[g1] + one - d.geom_slide[g2] - other)
