"""Rays against shapes given by formulas, in the frame of the geom.

A ray is a point `p` and a direction `v` of length one. A kernel gives back how far the surface is,
-1 if the ray misses it, and a number that says which part of the surface was met, for its normal.
"""

from __future__ import annotations

import math

from cortenforge.enums import GeomType
from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import MINVAL, dot, unit

PLANE = int(GeomType.PLANE)
SPHERE = int(GeomType.SPHERE)
CAPSULE = int(GeomType.CAPSULE)
ELLIPSOID = int(GeomType.ELLIPSOID)
CYLINDER = int(GeomType.CYLINDER)
#: stands for the inverse of a component that is zero; a product with a length stays finite
HUGE = 1e30


@kernel
def roots(p, v, square):
    """Where a line meets the sphere around the origin with a squared radius; -1, -1 if nowhere.

    Reckoned from the line's nearest point, which is exact also far from the sphere.
    Mirrors ray_quad.
    """
    a = dot(v, v)
    if a < MINVAL:
        return -1.0, -1.0
    middle = -dot(p, v) / a
    nearest = p + v * middle
    rest = (square - dot(nearest, nearest)) / a
    if rest < 0.0:
        return -1.0, -1.0
    half = math.sqrt(rest)
    return middle - half, middle + half


@kernel
def ahead(near, far):
    """The first of two ordered places that is not behind the ray's start, or -1."""
    if near >= 0.0:
        return near
    return far if far >= 0.0 else -1.0


@kernel
def hit_plane(size, p, v):
    """How far the front of a plane is, within its rectangle.  Mirrors ray_plane."""
    if v.z > -MINVAL:
        return -1.0
    x = -p.z / v.z
    if x < 0.0:
        return -1.0
    inside_x = size.x <= 0.0 or abs(p.x + x * v.x) <= size.x
    inside_y = size.y <= 0.0 or abs(p.y + x * v.y) <= size.y
    return x if inside_x and inside_y else -1.0


@kernel
def hit_sphere(radius, p, v):
    """How far a sphere is.  Mirrors ray_sphere."""
    near, far = roots(p, v, radius * radius)
    return ahead(near, far)


@kernel
def hit_ellipsoid(size, p, v):
    """How far an ellipsoid is: a sphere, in lengths of its axes.  Mirrors ray_ellipsoid."""
    from_here = vec3(p.x / size.x, p.y / size.y, p.z / size.z)
    along = vec3(v.x / size.x, v.y / size.y, v.z / size.z)
    near, far = roots(from_here, along, 1.0)
    return ahead(near, far)


@kernel
def hit_round(radius, half, p, v):
    """How far the round side of a cylinder is, between its flat ones."""
    near, far = roots(vec3(p.x, p.y, 0.0), vec3(v.x, v.y, 0.0), radius * radius)
    x = ahead(near, far)
    return x if x >= 0.0 and abs(p.z + x * v.z) <= half else -1.0


@kernel
def hit_cap(radius, half, side: int, p, v):
    """How far the half sphere at an end of a capsule is, at the top for side 1."""
    near, far = roots(vec3(p.x, p.y, p.z - side * half), v, radius * radius)
    x = -1.0
    if far >= 0.0 and side * (p.z + far * v.z) >= half:
        x = far
    if near >= 0.0 and side * (p.z + near * v.z) >= half:
        x = near
    return x


@kernel
def hit_capsule(size, p, v):
    """How far a capsule is, and whether its top (1), bottom (-1) or side (0).

    Mirrors ray_capsule.
    """
    x = hit_round(size.x, size.y, p, v)
    part = 0
    for top in range(2):
        side = 2 * top - 1
        end = hit_cap(size.x, size.y, side, p, v)
        if end >= 0.0 and (x < 0.0 or end < x):
            x = end
            part = side
    return x, part


@kernel
def hit_flat(radius, half, side: int, p, v):
    """How far the flat side of a cylinder is, the top for side 1."""
    if abs(v.z) <= MINVAL:
        return -1.0
    x = (side * half - p.z) / v.z
    across = p.x + x * v.x
    along = p.y + x * v.y
    inside = x >= 0.0 and across * across + along * along <= radius * radius
    return x if inside else -1.0


@kernel
def hit_cylinder(size, p, v):
    """How far a cylinder is, and whether its top (1), bottom (-1) or side (0).

    Mirrors ray_cylinder.
    """
    x = hit_round(size.x, size.y, p, v)
    part = 0
    for top in range(2):
        side = 2 * top - 1
        end = hit_flat(size.x, size.y, side, p, v)
        if end >= 0.0 and (x < 0.0 or end < x):
            x = end
            part = side
    return x, part


@kernel
def inverse(x):
    """One over a component of a direction; of zero, something large."""
    return 1.0 / x if abs(x) > 1.0 / HUGE else HUGE


@kernel
def inverses(v):
    """One over each component of a direction."""
    return vec3(inverse(v.x), inverse(v.y), inverse(v.z))


@kernel
def slab_span(half, p, v):
    """Where a line is between two planes, by one coordinate: from here to there."""
    if abs(v) <= MINVAL:
        # all of it or nothing
        far = HUGE if abs(p) <= half else -HUGE
        return -far, far
    over = 1.0 / v
    centre = -p * over
    reach = half * abs(over)
    return centre - reach, centre + reach


@kernel
def box_span(size, p, v):
    """Where a line enters and leaves a box around the origin, and by which faces.

    Faces are 1, 2, 3 by axis, negative where the coordinate is. A line that misses the box enters
    it after it leaves. Mirrors ray_box.
    """
    enter, leave = slab_span(size.x, p.x, v.x)
    into = 1 if v.x < 0.0 else -1
    out = -into
    begin, end = slab_span(size.y, p.y, v.y)
    side = 2 if v.y < 0.0 else -2
    if begin > enter:
        enter = begin
        into = side
    if end < leave:
        leave = end
        out = -side
    begin, end = slab_span(size.z, p.z, v.z)
    side = 3 if v.z < 0.0 else -3
    if begin > enter:
        enter = begin
        into = side
    if end < leave:
        leave = end
        out = -side
    return enter, leave, into, out


@kernel
def hit_box(size, p, v):
    """How far a box is, and by which face it is met.  Mirrors ray_box."""
    enter, leave, into, out = box_span(size, p, v)
    if enter > leave or leave < 0.0:
        return -1.0, 0
    if enter >= 0.0:
        return enter, into
    return leave, out


@kernel
def hit_shape(kind: int, size, p, v):
    """How far the surface of a shape is, and which part of it is met.  Mirrors mju_rayGeom."""
    if kind == PLANE:
        return hit_plane(size, p, v), 0
    if kind == SPHERE:
        return hit_sphere(size.x, p, v), 0
    if kind == CAPSULE:
        x, part = hit_capsule(size, p, v)
        return x, part
    if kind == ELLIPSOID:
        return hit_ellipsoid(size, p, v), 0
    if kind == CYLINDER:
        x, part = hit_cylinder(size, p, v)
        return x, part
    x, part = hit_box(size, p, v)
    return x, part


@kernel
def face_normal(face: int):
    """Outward normal of a face of a box."""
    side = 1.0 if face > 0 else -1.0
    if abs(face) == 1:
        return vec3(side, 0.0, 0.0)
    if abs(face) == 2:
        return vec3(0.0, side, 0.0)
    return vec3(0.0, 0.0, side)


@kernel
def shape_normal(kind: int, size, q, part: int):
    """Outward normal of a shape where a ray met it, at q.  Mirrors mju_rayGeom."""
    if kind == PLANE:
        return vec3(0.0, 0.0, 1.0)
    if kind == SPHERE:
        return unit(q)
    if kind == CAPSULE:
        return unit(vec3(q.x, q.y, q.z - part * size.y if part != 0 else 0.0))
    if kind == ELLIPSOID:
        scaled = vec3(q.x / size.x / size.x, q.y / size.y / size.y, q.z / size.z / size.z)
        return unit(scaled)
    if kind == CYLINDER:
        return unit(vec3(q.x, q.y, 0.0)) if part == 0 else vec3(0.0, 0.0, part * 1.0)
    return face_normal(part)
