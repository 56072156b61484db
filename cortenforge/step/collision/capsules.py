"""Capsules against capsules."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.math.scalar import clip
from cortenforge.math.vector import dot
from cortenforge.step.collision.balls import touch_balls
from cortenforge.step.collision.shapes import axis_of

#: square of the sine below which axes are parallel
PARALLEL = 1e-8


@kernel(lanes=True, unit=True)
def capsule_capsule(m, d, p: int):
    """Contact of the nearest balls in two capsules; two if they are parallel.

    Mirrors mjc_CapsuleCapsule. Axes are units here, so that where a point is beyond an end the
    other one follows without a division.
    """
    g1 = m.candidate_geom[p, 0]
    g2 = m.candidate_geom[p, 1]
    centre1, axis1, half1 = d.geom_xpos[g1], axis_of(d, g1), m.geom_size[g1, 1]
    centre2, axis2, half2 = d.geom_xpos[g2], axis_of(d, g2), m.geom_size[g2, 1]
    radius1 = m.geom_size[g1, 0]
    radius2 = m.geom_size[g2, 0]
    between = centre1 - centre2
    u = -dot(axis1, between)
    v = dot(axis2, between)
    cosine = dot(axis1, axis2)
    square = 1.0 - cosine * cosine
    parallel = square < PARALLEL
    x1 = clip((u + cosine * v) / select(parallel, 1.0, square), -half1, half1)
    x2 = clip(v + cosine * x1, -half2, half2)
    x1 = clip(u + cosine * x2, -half1, half1)
    crossing = not parallel
    touch_balls(m, d, p, crossing, centre1 + axis1 * x1, radius1, centre2 + axis2 * x2, radius2)
    if any_lane(parallel):
        # the ends of the stretch that both have, the lower one first
        for k in range(2):
            x1 = clip(u + half2 * (2.0 * k - 1.0), -half1, half1)
            x2 = clip(v + cosine * x1, -half2, half2)
            touch_balls(
                m, d, p, parallel, centre1 + axis1 * x1, radius1, centre2 + axis2 * x2, radius2
            )
