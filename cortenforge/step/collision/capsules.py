"""Capsules against capsules: the nearest points of two segments.

    minimize |p1 + x1 a1 - p2 - x2 a2|,   |x1| <= h1,   |x2| <= h2
    x1 = (u + (a1.a2) v) / (1 - (a1.a2)^2),   u = -a1.(p1 - p2),   v = a2.(p1 - p2)

x1 is clamped, then x2 = v + (a1.a2) x1, clamped, then x1 again. Parallel capsules have contacts at
both ends of their common stretch. Sources: Ericson, "Real-Time Collision Detection", 2005, section
5.1.9; MuJoCo: Computation, "Pair-wise colliders".
"""

from __future__ import annotations

from cortenforge.kernel import Tolerance, any_lane, kernel, select
from cortenforge.math.scalar import clip
from cortenforge.math.vector import dot
from cortenforge.step.collision.axes import geom_z_axis
from cortenforge.step.collision.bounding_spheres import REACH_SLACK, detection_distance
from cortenforge.step.collision.spheres import add_sphere_contact

#: axes are parallel if the squared sine between them is below this
PARALLEL_AXES = Tolerance(1e-8, single=3e-7)


@kernel(lanes=True, unit=True)
def capsule_capsule(m, d, p: int, g1: int, g2: int):
    """Contacts of two capsules.  Mirrors mjc_CapsuleCapsule.

    Most near capsules are separated along the line between their centres, which is tested first.
    The rest is a unit of its own, so that these pay nothing for it.
    """
    between = d.geom_xpos[g1] - d.geom_xpos[g2]
    square = dot(between, between)
    u = abs(dot(geom_z_axis(d, g1), between))
    v = abs(dot(geom_z_axis(d, g2), between))
    left = square - (u * m.geom_size[g1, 1] + v * m.geom_size[g2, 1])
    far = detection_distance(m, p, g1, g2) + m.geom_size[g1, 0] + m.geom_size[g2, 0]
    far = far + REACH_SLACK * far
    if any_lane(not (left > 0.0 and left * left > far * far * square)):
        add_capsule_contacts(m, d, p, g1, g2)


@kernel(lanes=True, unit=True)
def add_capsule_contacts(m, d, p: int, g1: int, g2: int):
    """Contact of the nearest balls in two capsules; two contacts if they are parallel.

    Axes are unit vectors, so a clamped coordinate gives the other one without a division.
    """
    axis1, axis2 = geom_z_axis(d, g1), geom_z_axis(d, g2)
    half1, half2 = m.geom_size[g1, 1], m.geom_size[g2, 1]
    between = d.geom_xpos[g1] - d.geom_xpos[g2]
    u = -dot(axis1, between)
    v = dot(axis2, between)
    cosine = dot(axis1, axis2)
    square = 1.0 - cosine * cosine
    parallel = square < PARALLEL_AXES
    x1 = clip((u + cosine * v) / select(parallel, 1.0, square), -half1, half1)
    x2 = clip(v + cosine * x1, -half2, half2)
    x1 = clip(u + cosine * x2, -half1, half1)
    add_capsule_contact_at(m, d, p, g1, g2, not parallel, x1, x2)
    if any_lane(parallel):
        # the ends of the stretch that both have, the lower one first
        for k in range(2):
            x1 = clip(u + half2 * (2.0 * k - 1.0), -half1, half1)
            add_capsule_contact_at(
                m, d, p, g1, g2, parallel, x1, clip(v + cosine * x1, -half2, half2)
            )


@kernel(lanes=True)
def add_capsule_contact_at(m, d, p: int, g1: int, g2: int, asked, x1, x2):
    """Contact of the balls at coordinates x1 and x2 along the capsules' axes."""
    one = d.geom_xpos[g1] + geom_z_axis(d, g1) * x1
    other = d.geom_xpos[g2] + geom_z_axis(d, g2) * x2
    add_sphere_contact(m, d, p, g1, g2, asked, one, m.geom_size[g1, 0], other, m.geom_size[g2, 0])
