"""Spheres against round shapes; the contact of two balls, which other pairs use.

    dist = |p2 - p1| - r1 - r2,   n = (p2 - p1) / |p2 - p1|,   pos = p1 + n (r1 + dist / 2)

Source: MuJoCo: Computation, "Pair-wise colliders".
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.math.scalar import clip
from cortenforge.math.vector import MINVAL, cross, dot, unit
from cortenforge.step.collision.axes import geom_z_axis
from cortenforge.step.collision.bounding_spheres import detection_distance
from cortenforge.step.collision.contact_list import add_contact


@kernel(lanes=True)
def add_sphere_contact(m, d, p: int, g1: int, g2: int, asked, one, radius1, other, radius2):
    """Contact of two balls, in the worlds where `asked` holds.  Mirrors mjraw_SphereSphere.

    Concentric balls are separated across the axes of both geoms.
    """
    between = other - one
    square = dot(between, between)
    far = detection_distance(m, p, g1, g2) + radius1 + radius2
    hit = asked and square <= far * far
    if any_lane(hit):
        write_sphere_contact(m, d, p, g1, g2, hit, one, radius1, between, square, radius2)


@kernel(lanes=True)
def write_sphere_contact(
    m, d, p: int, g1: int, g2: int, hit, one, radius1, between, square, radius2
):
    """Append the contact of two balls that are within reach, as few of the near ones are."""
    length = math.sqrt(square)
    normal = between * (1.0 / max(length, MINVAL))
    if any_lane(length < MINVAL):
        normal = select(
            length < MINVAL, unit(cross(geom_z_axis(d, g1), geom_z_axis(d, g2))), normal
        )
    dist = length - radius1 - radius2
    add_contact(d, p, hit, dist, one + normal * (radius1 + 0.5 * dist), normal)


@kernel(lanes=True, unit=True)
def sphere_sphere(m, d, p: int, g1: int, g2: int):
    """Contact of two spheres.  Mirrors mjc_SphereSphere."""
    one = d.geom_xpos[g1]
    other = d.geom_xpos[g2]
    add_sphere_contact(m, d, p, g1, g2, True, one, m.geom_size[g1, 0], other, m.geom_size[g2, 0])


@kernel(lanes=True, unit=True)
def sphere_capsule(m, d, p: int, g1: int, g2: int):
    """Contact of a sphere with the nearest ball in a capsule.  Mirrors mjc_SphereCapsule."""
    axis = geom_z_axis(d, g2)
    half = m.geom_size[g2, 1]
    along = clip(dot(axis, d.geom_xpos[g1] - d.geom_xpos[g2]), -half, half)
    nearest = d.geom_xpos[g2] + axis * along
    add_sphere_contact(
        m, d, p, g1, g2, True, d.geom_xpos[g1], m.geom_size[g1, 0], nearest, m.geom_size[g2, 0]
    )


@kernel(lanes=True, unit=True)
def sphere_cylinder(m, d, p: int, g1: int, g2: int):
    """Contact of a sphere with side, cap or rim of a cylinder.  Mirrors mjc_SphereCylinder.

    A centre inside of the cylinder leaves by the side or the cap, whichever is nearer.
    """
    ball = d.geom_xpos[g1]
    size1 = m.geom_size[g1, 0]
    radius = m.geom_size[g2, 0]
    half = m.geom_size[g2, 1]
    axis = geom_z_axis(d, g2)
    between = ball - d.geom_xpos[g2]
    along = dot(axis, between)
    out = between - axis * along
    square = dot(out, out)
    beside = abs(along) < half
    above = square < radius * radius
    inside = beside and above
    to_cap = half - abs(along) < radius - math.sqrt(square)
    side = beside and not (inside and to_cap)
    cap = above and not (inside and not to_cap)
    rim = not side and not cap
    end = select(along > 0.0, half, -half)
    if any_lane(side or rim):
        # the nearest point of the axis is a ball as wide as the cylinder, one of the rim a point
        scale = radius / math.sqrt(select(rim, square, 1.0))
        corner = d.geom_xpos[g2] + axis * end + out * scale
        point = select(rim, corner, d.geom_xpos[g2] + axis * along)
        wide = select(rim, 0.0, radius)
        add_sphere_contact(m, d, p, g1, g2, side or rim, ball, size1, point, wide)
    if any_lane(cap):
        normal = select(along > 0.0, axis * -1.0, axis)
        height = abs(along) - half
        dist = height - size1
        pos = ball + normal * (0.5 * dist + size1)
        add_contact(
            d, p, cap and height <= detection_distance(m, p, g1, g2) + size1, dist, pos, normal
        )
