"""Planes against primitives.

    h = n.(p - p_plane)                       height of a point above a plane with normal n
    dist = h - r,   pos = p - n (r + dist / 2)      a sphere of radius r at p; r = 0 for a point

Capsules have two such spheres, boxes four corners, cylinders four points of their rims, an
ellipsoid its support point along -n. Source: MuJoCo: Computation, "Pair-wise colliders".
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select, vec3, zero_like
from cortenforge.math.vector import MINVAL, cross, dot, into_frame, scaled_by, unit
from cortenforge.step.collision.axes import geom_z_axis
from cortenforge.step.collision.bounding_spheres import detection_distance
from cortenforge.step.collision.contact_list import add_aligned_contact, add_contact

#: sin 60 degrees: offset of two corners of an equilateral triangle in a unit circle
RIM_TRIANGLE_OFFSET = 0.5 * math.sqrt(3.0)
#: most contacts of a box with a plane
MAX_BOX_CORNERS = 4.0


@kernel(lanes=True, unit=True)
def plane_sphere(m, d, p: int, g1: int, g2: int):
    """Contact of a sphere with a plane.  Mirrors mjc_PlaneSphere."""
    normal = geom_z_axis(d, g1)
    radius = m.geom_size[g2, 0]
    height = dot(d.geom_xpos[g2] - d.geom_xpos[g1], normal)
    dist = height - radius
    pos = d.geom_xpos[g2] - normal * (0.5 * dist + radius)
    add_contact(d, p, height <= detection_distance(m, p, g1, g2) + radius, dist, pos, normal)


@kernel(lanes=True, unit=True)
def plane_capsule(m, d, p: int, g1: int, g2: int):
    """Contacts of both ends of a capsule with a plane.  Mirrors mjc_PlaneCapsule."""
    normal = geom_z_axis(d, g1)
    axis = geom_z_axis(d, g2)
    radius = m.geom_size[g2, 0]
    half = axis * m.geom_size[g2, 1]
    centre = d.geom_xpos[g2]
    above = centre - d.geom_xpos[g1]
    limit = detection_distance(m, p, g1, g2) + radius
    if any_lane(dot(above, normal) - abs(dot(half, normal)) <= limit):
        for k in range(2):
            side = 1.0 - 2.0 * k
            height = dot(above + half * side, normal)
            dist = height - radius
            pos = centre + half * side - normal * (0.5 * dist + radius)
            add_aligned_contact(d, p, height <= limit, dist, pos, normal, axis)


@kernel(lanes=True, unit=True)
def plane_ellipsoid(m, d, p: int, g1: int, g2: int):
    """Contact of an ellipsoid's lowest point with a plane.  Mirrors mjc_PlaneConvex."""
    normal = geom_z_axis(d, g1)
    down = unit(scaled_by(into_frame(d.geom_xmat[g2], normal), m.geom_size[g2]) * -1.0)
    lowest = d.geom_xpos[g2] + d.geom_xmat[g2] @ scaled_by(down, m.geom_size[g2])
    add_plane_point(m, d, p, g1, g2, True, normal, lowest, dot(lowest - d.geom_xpos[g1], normal))


@kernel(lanes=True)
def add_plane_point(m, d, p: int, g1: int, g2: int, asked, normal, point, height):
    """Append the contact of a shape's point at a height above a plane, where `asked` holds."""
    near = asked and height <= detection_distance(m, p, g1, g2)
    add_contact(d, p, near, height, point - normal * (0.5 * height), normal)


@kernel(lanes=True, unit=True)
def plane_box(m, d, p: int, g1: int, g2: int):
    """Contacts of a box's lower corners with a plane, four at most.  Mirrors mjc_PlaneBox."""
    normal = geom_z_axis(d, g1)
    size = m.geom_size[g2]
    height = dot(d.geom_xpos[g2] - d.geom_xpos[g1], normal)
    found = zero_like(height)
    for corner in range(8):
        x = 1.0 if corner & 1 != 0 else -1.0
        y = 1.0 if corner & 2 != 0 else -1.0
        z = 1.0 if corner & 4 != 0 else -1.0
        arm = d.geom_xmat[g2] @ vec3(x * size.x, y * size.y, z * size.z)
        below = dot(normal, arm)
        near = (
            below <= 0.0
            and height + below <= detection_distance(m, p, g1, g2)
            and found < MAX_BOX_CORNERS
        )
        add_plane_point(m, d, p, g1, g2, near, normal, arm + d.geom_xpos[g2], height + below)
        found = found + select(near, 1.0, 0.0)


@kernel(lanes=True, unit=True)
def plane_cylinder(m, d, p: int, g1: int, g2: int):
    """Contacts of a cylinder with a plane, four at most.  Mirrors mjc_PlaneCylinder.

    The lowest point of the lower rim, the point above it on the upper rim, and two more points of
    the lower rim, 120 degrees to both sides.
    """
    normal = geom_z_axis(d, g1)
    axis = geom_z_axis(d, g2)
    # towards the plane
    axis = select(dot(normal, axis) > 0.0, axis * -1.0, axis)
    slope = dot(normal, axis)
    height = dot(d.geom_xpos[g2] - d.geom_xpos[g1], normal)
    outward = axis * slope - normal
    # for an axis along the normal, rounding is left, some of it along the axis: remove that
    outward = outward - axis * dot(axis, outward)
    square = dot(outward, outward)
    # a disk parallel to the plane has no lowest point: its x axis will do
    flat = square < MINVAL * MINVAL
    side = vec3(d.geom_xmat[g2, 0], d.geom_xmat[g2, 3], d.geom_xmat[g2, 6])
    out = select(flat, side, outward * (1.0 / math.sqrt(select(flat, 1.0, square))))
    radius = m.geom_size[g2, 0]
    out = out * radius
    lower = dot(out, normal)
    half = axis * m.geom_size[g2, 1]
    end = slope * m.geom_size[g2, 1]
    centre = d.geom_xpos[g2]
    near = height + end + lower <= detection_distance(m, p, g1, g2)
    if any_lane(near):
        add_plane_point(m, d, p, g1, g2, near, normal, centre + out + half, height + end + lower)
        add_plane_point(m, d, p, g1, g2, near, normal, centre + out - half, height - end + lower)
        aside = unit(cross(out, half)) * (radius * RIM_TRIANGLE_OFFSET)
        back = centre + half - out * 0.5
        for k in range(2):
            point = back + aside * (1.0 - 2.0 * k)
            add_plane_point(m, d, p, g1, g2, near, normal, point, height + end - 0.5 * lower)
