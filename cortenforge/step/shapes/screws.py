"""Bolt and nut: signed distances of MuJoCo's plugins of these names.

A value is kept with how it changes: outwards from the z axis, along it, and around it. Shapes are
cut out of each other and joined by the larger and the smaller of two such values.
"""

from __future__ import annotations

import math

from cortenforge.kernel import floor_real, kernel, quat, vec3
from cortenforge.math.vector import MINVAL

#: turns of the thread along a unit of length
TURNS = 12.0
#: surfaces at 45 degrees
SLANT = math.sqrt(0.5)
CIRCLE = 2.0 * math.pi
SIXTH = math.pi / 3.0


@kernel
def larger(a, b):
    """What two shapes have in common."""
    return b if b.w > a.w else a


@kernel
def smaller(a, b):
    """Two shapes as one."""
    return b if b.w < a.w else a


@kernel
def outside_of(a):
    """All that a shape is not."""
    return quat(-a.w, -a.x, -a.y, -a.z)


@kernel
def slanted(value, out, up):
    """A cone: steps outwards and upwards count alike."""
    return quat(value * SLANT, out * SLANT, up * SLANT, 0.0)


@kernel
def between_heights(z, middle, half):
    """A slab across the z axis."""
    side = -1.0 if z < middle else 1.0
    return quat(abs(z - middle) - half, 0.0, side, 0.0)


@kernel
def thread(radius, z, angle):
    """A triangular wave that winds around the z axis; `radius` is counted from its depth."""
    phase = z * TURNS - angle / CIRCLE
    saw = phase - floor_real(phase) - 0.5
    side = -1.0 if saw < 0.0 else 1.0
    return quat(
        (radius - abs(saw) / TURNS) * SLANT,
        SLANT,
        -side * SLANT,
        side * SLANT / (CIRCLE * TURNS),
    )


@kernel
def hexagonal_head(across, radius, z, angle):
    """A hexagonal prism below z = 0 whose lower end is rounded by a cone."""
    turned = angle - SIXTH * floor_real(angle / SIXTH + 0.5)
    cosine = math.cos(turned)
    head = quat(across * cosine - 0.5, cosine, 0.0, -across * math.sin(turned))
    head = larger(head, between_heights(z, -0.25, 0.25))
    return larger(head, slanted(z + radius - 0.22, 1.0, 1.0))


@kernel
def in_space(value, p, across):
    """A distance and its gradient in x, y and z."""
    far = max(across, MINVAL)
    x = p.x / far
    y = p.y / far
    around = value.z / far
    return value.w, vec3(value.x * x - around * y, value.x * y + around * x, value.y)


@kernel
def bolt_distance(depth, p):
    """From a bolt along z with its head up; `depth` is the radius of its core."""
    across = math.sqrt(p.x * p.x + p.y * p.y)
    angle = math.atan2(p.y, p.x)
    radius = across - depth
    bolt = larger(thread(radius, p.z, angle), between_heights(p.z, -0.5, 0.5))
    bolt = larger(bolt, slanted(radius - p.z - 1.0, 1.0, -1.0))
    return in_space(smaller(bolt, hexagonal_head(across, radius, p.z, angle)), p, across)


@kernel
def nut_distance(depth, p):
    """From a nut around the z axis; its hole has the thread of a bolt."""
    across = math.sqrt(p.x * p.x + p.y * p.y)
    angle = math.atan2(p.y, p.x)
    radius = across - depth
    hole = larger(thread(radius, p.z, angle), slanted(radius - p.z - 0.5, 1.0, -1.0))
    hole = smaller(hole, slanted(radius - p.z - 0.05, 1.0, -1.0))
    head = hexagonal_head(across, radius, p.z, angle)
    return in_space(larger(head, outside_of(hole)), p, across)
