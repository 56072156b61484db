"""Planes against other shapes."""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, select, vec3, zero_like
from cortenforge.math.vector import MINVAL, cross, dot, into_frame, scaled_by, unit
from cortenforge.step.collision.broad import reach_of
from cortenforge.step.collision.contacts import add_aligned_contact, add_contact
from cortenforge.step.collision.shapes import axis_of

#: where two corners of a triangle in a circle are: half way out on the other side, and so far aside
ASIDE = 0.5 * math.sqrt(3.0)
#: corners of a box that can rest on a plane
MOST_CORNERS = 4.0


@kernel(lanes=True, unit=True)
def plane_sphere(m, d, p: int):
    """Contact of a sphere with a plane.  Mirrors mjc_PlaneSphere."""
    plane = m.candidate_geom[p, 0]
    ball = m.candidate_geom[p, 1]
    normal = axis_of(d, plane)
    radius = m.geom_size[ball, 0]
    height = dot(d.geom_xpos[ball] - d.geom_xpos[plane], normal)
    dist = height - radius
    pos = d.geom_xpos[ball] - normal * (0.5 * dist + radius)
    add_contact(d, p, height <= reach_of(m, p) + radius, dist, pos, normal)


@kernel(lanes=True, unit=True)
def plane_capsule(m, d, p: int):
    """Contacts of both ends of a capsule with a plane.  Mirrors mjc_PlaneCapsule."""
    plane = m.candidate_geom[p, 0]
    capsule = m.candidate_geom[p, 1]
    normal = axis_of(d, plane)
    axis = axis_of(d, capsule)
    radius = m.geom_size[capsule, 0]
    half = axis * m.geom_size[capsule, 1]
    centre = d.geom_xpos[capsule]
    above = centre - d.geom_xpos[plane]
    limit = reach_of(m, p) + radius
    if any_lane(dot(above, normal) - abs(dot(half, normal)) <= limit):
        for k in range(2):
            side = 1.0 - 2.0 * k
            height = dot(above + half * side, normal)
            dist = height - radius
            pos = centre + half * side - normal * (0.5 * dist + radius)
            add_aligned_contact(d, p, height <= limit, dist, pos, normal, axis)


@kernel(lanes=True, unit=True)
def plane_ellipsoid(m, d, p: int):
    """Contact of the lowest point of an ellipsoid with a plane.  Mirrors mjc_PlaneConvex."""
    plane = m.candidate_geom[p, 0]
    g = m.candidate_geom[p, 1]
    normal = axis_of(d, plane)
    down = unit(scaled_by(into_frame(d.geom_xmat[g], normal), m.geom_size[g]) * -1.0)
    lowest = d.geom_xpos[g] + d.geom_xmat[g] @ scaled_by(down, m.geom_size[g])
    add_point(m, d, p, True, normal, lowest, dot(lowest - d.geom_xpos[plane], normal))


@kernel(lanes=True)
def add_point(m, d, p: int, asked, normal, point, height):
    """Contact of a point of a shape with a plane, in the worlds that ask for it."""
    add_contact(
        d, p, asked and height <= reach_of(m, p), height, point - normal * (0.5 * height), normal
    )


@kernel(lanes=True, unit=True)
def plane_box(m, d, p: int):
    """Contacts of lower corners of a box with a plane, four at most.  Mirrors mjc_PlaneBox."""
    plane = m.candidate_geom[p, 0]
    g = m.candidate_geom[p, 1]
    normal = axis_of(d, plane)
    size = m.geom_size[g]
    height = dot(d.geom_xpos[g] - d.geom_xpos[plane], normal)
    found = zero_like(height)
    for corner in range(8):
        x = 1.0 if corner & 1 != 0 else -1.0
        y = 1.0 if corner & 2 != 0 else -1.0
        z = 1.0 if corner & 4 != 0 else -1.0
        arm = d.geom_xmat[g] @ vec3(x * size.x, y * size.y, z * size.z)
        below = dot(normal, arm)
        near = below <= 0.0 and height + below <= reach_of(m, p) and found < MOST_CORNERS
        add_point(m, d, p, near, normal, arm + d.geom_xpos[g], height + below)
        found = found + select(near, 1.0, 0.0)


@kernel(lanes=True, unit=True)
def plane_cylinder(m, d, p: int):
    """Contacts of a cylinder with a plane, four at most.  Mirrors mjc_PlaneCylinder.

    The lowest point of the lower rim, the point above it on the upper one, and two more of the
    lower rim that make a triangle.
    """
    plane = m.candidate_geom[p, 0]
    g = m.candidate_geom[p, 1]
    normal = axis_of(d, plane)
    axis = axis_of(d, g)
    # towards the plane
    axis = select(dot(normal, axis) > 0.0, axis * -1.0, axis)
    slope = dot(normal, axis)
    height = dot(d.geom_xpos[g] - d.geom_xpos[plane], normal)
    outward = axis * slope - normal
    square = dot(outward, outward)
    # a disk parallel to the plane has no lowest point: its x axis will do
    flat = square < MINVAL * MINVAL
    side = vec3(d.geom_xmat[g, 0], d.geom_xmat[g, 3], d.geom_xmat[g, 6])
    out = select(flat, side, outward * (1.0 / math.sqrt(select(flat, 1.0, square))))
    radius = m.geom_size[g, 0]
    out = out * radius
    lower = dot(out, normal)
    half = axis * m.geom_size[g, 1]
    end = slope * m.geom_size[g, 1]
    centre = d.geom_xpos[g]
    near = height + end + lower <= reach_of(m, p)
    if any_lane(near):
        add_point(m, d, p, near, normal, centre + out + half, height + end + lower)
        add_point(m, d, p, near, normal, centre + out - half, height - end + lower)
        aside = unit(cross(out, half)) * (radius * ASIDE)
        back = centre + half - out * 0.5
        for k in range(2):
            point = back + aside * (1.0 - 2.0 * k)
            add_point(m, d, p, near, normal, point, height + end - 0.5 * lower)
