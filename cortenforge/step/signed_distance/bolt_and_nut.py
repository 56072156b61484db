"""Signed distances of bolt and nut, after MuJoCo's plugins of these names.

A value in cylindrical coordinates is a quat that is no rotation:

    w the distance,   x its derivative by the radius,   y by z,   z by the angle

Union is the smaller of two values, intersection the larger, the complement the negative. The thread
is a triangle wave |saw| / 12 along z that winds once in 1/12, cut at 45 degrees:

    (radius - |saw| / 12) / sqrt(2),   saw = frac(12 z - angle / 2 pi) - 1/2

Source: MuJoCo's plugin/sdf, bolt and nut.
"""

from __future__ import annotations

import math

from cortenforge.kernel import floor_real, kernel, quat, vec3
from cortenforge.math.vector import MINVAL

#: turns of the thread per unit of length
THREAD_TURNS = 12.0
#: cosine of 45 degrees
COS_45 = math.sqrt(0.5)
FULL_CIRCLE = 2.0 * math.pi
SIXTH = math.pi / 3.0


@kernel
def shape_intersection(a, b):
    """Intersection of two shapes."""
    return b if b.w > a.w else a


@kernel
def shape_union(a, b):
    """Union of two shapes."""
    return b if b.w < a.w else a


@kernel
def shape_complement(a):
    """Complement of a shape."""
    return quat(-a.w, -a.x, -a.y, -a.z)


@kernel
def cone_value(value, out, up):
    """A cone at 45 degrees; out, up: the sides on which it is (1 or -1)."""
    return quat(value * COS_45, out * COS_45, up * COS_45, 0.0)


@kernel
def slab_value(z, middle, half):
    """A slab across the z axis."""
    side = -1.0 if z < middle else 1.0
    return quat(abs(z - middle) - half, 0.0, side, 0.0)


@kernel
def thread_value(radius, z, angle):
    """A threaded rod: triangle wave of the radius that winds around the z axis.

    radius: counted from the wave's lowest point.  Returns (value, by radius, by z, by angle) as a
    quat.
    """
    phase = z * THREAD_TURNS - angle / FULL_CIRCLE
    saw = phase - floor_real(phase) - 0.5
    side = -1.0 if saw < 0.0 else 1.0
    return quat(
        (radius - abs(saw) / THREAD_TURNS) * COS_45,
        COS_45,
        -side * COS_45,
        side * COS_45 / (FULL_CIRCLE * THREAD_TURNS),
    )


@kernel
def hexagonal_head_value(across, radius, z, angle):
    """A hexagonal prism from z = -0.5 to 0, its lower end cut by a cone."""
    turned = angle - SIXTH * floor_real(angle / SIXTH + 0.5)
    cosine = math.cos(turned)
    head = quat(across * cosine - 0.5, cosine, 0.0, -across * math.sin(turned))
    head = shape_intersection(head, slab_value(z, -0.25, 0.25))
    return shape_intersection(head, cone_value(z + radius - 0.22, 1.0, 1.0))


@kernel
def to_cartesian(value, p, across):
    """Distance and Cartesian gradient from a value in cylindrical coordinates."""
    far = max(across, MINVAL)
    x = p.x / far
    y = p.y / far
    around = value.z / far
    return value.w, vec3(value.x * x - around * y, value.x * y + around * x, value.y)


@kernel
def bolt_distance(depth, p):
    """Signed distance of a bolt along z; depth: radius of its core."""
    across = math.sqrt(p.x * p.x + p.y * p.y)
    angle = math.atan2(p.y, p.x)
    radius = across - depth
    bolt = shape_intersection(thread_value(radius, p.z, angle), slab_value(p.z, -0.5, 0.5))
    bolt = shape_intersection(bolt, cone_value(radius - p.z - 1.0, 1.0, -1.0))
    return to_cartesian(
        shape_union(bolt, hexagonal_head_value(across, radius, p.z, angle)), p, across
    )


@kernel
def nut_distance(depth, p):
    """Signed distance of a nut around the z axis, its hole threaded as a bolt."""
    across = math.sqrt(p.x * p.x + p.y * p.y)
    angle = math.atan2(p.y, p.x)
    radius = across - depth
    hole = shape_intersection(
        thread_value(radius, p.z, angle), cone_value(radius - p.z - 0.5, 1.0, -1.0)
    )
    hole = shape_union(hole, cone_value(radius - p.z - 0.05, 1.0, -1.0))
    head = hexagonal_head_value(across, radius, p.z, angle)
    return to_cartesian(shape_intersection(head, shape_complement(hole)), p, across)
