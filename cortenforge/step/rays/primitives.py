"""Rays against primitives, in the frame of the geom: p + x v with |v| = 1, x >= 0.

    sphere      |p + x v|^2 = r^2:  x = m +- sqrt((r^2 - |p + m v|^2) / v.v),  m = -p.v / v.v
    ellipsoid   the same after division by its semi-axes
    cylinder    the same in (x, y), and its caps; capsule: and two half spheres
    box         slabs |p_i + x v_i| <= s_i on all axes
    plane       x = -p_z / v_z

Kernels return x, -1 if the ray misses, and the part of the surface that was hit, for its normal.
Sources: Ericson, "Real-Time Collision Detection", 2005, section 5.3; Kay and Kajiya, "Ray tracing
complex scenes", SIGGRAPH 1986 (slabs).
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import MINVAL, dot, signed_axis, unit
from cortenforge.step.constants import CAPSULE, CYLINDER, ELLIPSOID, PLANE, SPHERE

#: inverse of a component that is zero: its product with a length stays finite
HUGE = 1e30


@kernel
def sphere_roots(p, v, square):
    """Where a line meets a sphere around the origin: (near, far), or -1, -1.

    square: of its radius. From the line's point nearest to the centre, which is exact also far
    away.  Mirrors ray_quad.
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
def first_ahead(near, far):
    """The first of two ordered distances that is not negative, or -1."""
    if near >= 0.0:
        return near
    return far if far >= 0.0 else -1.0


@kernel
def hit_plane(size, p, v):
    """Distance of a plane's front, within its rectangle.  Mirrors ray_plane."""
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
    """Distance of a sphere.  Mirrors ray_sphere."""
    near, far = sphere_roots(p, v, radius * radius)
    return first_ahead(near, far)


@kernel
def hit_ellipsoid(size, p, v):
    """Distance of an ellipsoid, a sphere in units of its axes.  Mirrors ray_ellipsoid."""
    from_here = vec3(p.x / size.x, p.y / size.y, p.z / size.z)
    along = vec3(v.x / size.x, v.y / size.y, v.z / size.z)
    near, far = sphere_roots(from_here, along, 1.0)
    return first_ahead(near, far)


@kernel
def hit_cylinder_side(radius, half, p, v):
    """Distance of a cylinder's round side."""
    near, far = sphere_roots(vec3(p.x, p.y, 0.0), vec3(v.x, v.y, 0.0), radius * radius)
    x = first_ahead(near, far)
    return x if x >= 0.0 and abs(p.z + x * v.z) <= half else -1.0


@kernel
def hit_capsule_end(radius, half, side: int, p, v):
    """Distance of the half sphere at a capsule's end; side: 1 for the upper one, -1."""
    near, far = sphere_roots(vec3(p.x, p.y, p.z - side * half), v, radius * radius)
    x = -1.0
    if far >= 0.0 and side * (p.z + far * v.z) >= half:
        x = far
    if near >= 0.0 and side * (p.z + near * v.z) >= half:
        x = near
    return x


@kernel
def hit_capsule(size, p, v):
    """Distance of a capsule; part: 1 for its top, -1 bottom, 0 side.  Mirrors ray_capsule."""
    x = hit_cylinder_side(size.x, size.y, p, v)
    part = 0
    for top in range(2):
        side = 2 * top - 1
        end = hit_capsule_end(size.x, size.y, side, p, v)
        if end >= 0.0 and (x < 0.0 or end < x):
            x = end
            part = side
    return x, part


@kernel
def hit_cylinder_cap(radius, half, side: int, p, v):
    """Distance of a cylinder's cap; side: 1 for the upper one, -1."""
    if abs(v.z) <= MINVAL:
        return -1.0
    x = (side * half - p.z) / v.z
    across = p.x + x * v.x
    along = p.y + x * v.y
    inside = x >= 0.0 and across * across + along * along <= radius * radius
    return x if inside else -1.0


@kernel
def hit_cylinder(size, p, v):
    """Distance of a cylinder; part: 1 for its top, -1 bottom, 0 side.  Mirrors ray_cylinder."""
    x = hit_cylinder_side(size.x, size.y, p, v)
    part = 0
    for top in range(2):
        side = 2 * top - 1
        end = hit_cylinder_cap(size.x, size.y, side, p, v)
        if end >= 0.0 and (x < 0.0 or end < x):
            x = end
            part = side
    return x, part


@kernel
def finite_inverse(x):
    """1 / x, bounded for x near zero."""
    return 1.0 / x if abs(x) > 1.0 / HUGE else HUGE


@kernel
def finite_inverses(v):
    """1 / v by component, bounded."""
    return vec3(finite_inverse(v.x), finite_inverse(v.y), finite_inverse(v.z))


@kernel
def slab_span(half, p, v):
    """Interval in which a line is between two planes, along one axis: (enter, leave)."""
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
    """Where a line enters and leaves a box around the origin: (enter, leave, into, out).

    into, out: the faces 1, 2, 3 by axis, negative on the lower side. enter > leave if it misses.
    Mirrors ray_box.
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
    """Distance of a box, and the face that is hit (0 if none).  Mirrors ray_box."""
    enter, leave, into, out = box_span(size, p, v)
    if enter > leave or leave < 0.0:
        return -1.0, 0
    if enter >= 0.0:
        return enter, into
    return leave, out


@kernel
def hit_primitive(kind: int, size, p, v):
    """Distance of a primitive, and the part that is hit: (x, part).  Mirrors mju_rayGeom."""
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
def ray_face_normal(face: int):
    """Outward normal of a box's face: 1, 2, 3 by axis, negative on the lower side."""
    return signed_axis(abs(face) - 1, 1.0 if face > 0 else -1.0)


@kernel
def primitive_normal(kind: int, size, q, part: int):
    """Outward normal of a primitive at q, where a ray hit its part.  Mirrors mju_rayGeom."""
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
    return ray_face_normal(part)
