"""Capsules against capsules."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.math.scalar import clip
from cortenforge.math.vector import dot
from cortenforge.step.collision.balls import touch_balls
from cortenforge.step.collision.broad import SLACK, reach_of
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
    axis1, axis2 = axis_of(d, g1), axis_of(d, g2)
    between = d.geom_xpos[g1] - d.geom_xpos[g2]
    u = -dot(axis1, between)
    v = dot(axis2, between)
    far = reach_of(m, p) + m.geom_size[g1, 0] + m.geom_size[g2, 0]
    square = dot(between, between)
    if any_lane(
        not are_apart(square, abs(u) * m.geom_size[g1, 1] + abs(v) * m.geom_size[g2, 1], far)
    ):
        touch_capsules(m, d, p, u, v, dot(axis1, axis2))


@kernel(lanes=True)
def are_apart(square, long, far):
    """Whether segments are farther apart than `far` along the line between their centres.

    square: of the line's length.  long: how far they reach along it, times that length. Most of
    the capsules that come near are apart.
    """
    left = square - long
    reach = far + SLACK * far
    return left > 0.0 and left * left > reach * reach * square


@kernel(lanes=True)
def touch_capsules(m, d, p: int, u, v, cosine):
    """Contacts, if there are any; u and v: where each centre is along the other's axis."""
    half1, half2 = m.geom_size[m.candidate_geom[p, 0], 1], m.geom_size[m.candidate_geom[p, 1], 1]
    square = 1.0 - cosine * cosine
    parallel = square < PARALLEL
    x1 = clip((u + cosine * v) / select(parallel, 1.0, square), -half1, half1)
    x2 = clip(v + cosine * x1, -half2, half2)
    x1 = clip(u + cosine * x2, -half1, half1)
    touch_at(m, d, p, not parallel, x1, x2)
    if any_lane(parallel):
        # the ends of the stretch that both have, the lower one first
        for k in range(2):
            x1 = clip(u + half2 * (2.0 * k - 1.0), -half1, half1)
            touch_at(m, d, p, parallel, x1, clip(v + cosine * x1, -half2, half2))


@kernel(lanes=True)
def touch_at(m, d, p: int, asked, x1, x2):
    """Contact of two balls in the capsules, so far along their axes."""
    g1 = m.candidate_geom[p, 0]
    g2 = m.candidate_geom[p, 1]
    one = d.geom_xpos[g1] + axis_of(d, g1) * x1
    other = d.geom_xpos[g2] + axis_of(d, g2) * x2
    touch_balls(m, d, p, asked, one, m.geom_size[g1, 0], other, m.geom_size[g2, 0])
