"""Signed distance of a gear with involute teeth, after MuJoCo's plugin of this name.

    involute of a base circle b at radius r:   sqrt(r^2 - b^2) - b (angle + acos(b / r))

A value in the plane across the axis is a vec3: x is the distance, y and z are its derivatives by
the radius and by the angle. Intersection is the larger of two values, the complement the negative;
the rounded union is the polynomial smooth minimum, with t = clip(1/2 + (b - a) / (2 k), 0, 1):

    b (1 - t) + a t - k t (1 - t)

Sources: Quilez, "Distance functions" (smooth minimum); MuJoCo's plugin/sdf, gear.
"""

from __future__ import annotations

import math

from cortenforge.kernel import floor_real, kernel, vec3
from cortenforge.math.scalar import clip
from cortenforge.math.vector import MINVAL

FULL_TURN = 2.0 * math.pi
#: farther outside than this, the distance from the circle of the tips is used
TEETH_REACH = 0.2
#: width of the rim without an inner diameter, and rounding of the tips, in diameters
RIM_WIDTH = 0.14
TIP_ROUNDING = 0.0035
#: height of a tooth with its foot, in modules (diameter / teeth)
TOOTH_HEIGHT = 2.2


@kernel
def profile_intersection(a, b):
    """Intersection of two shapes in the plane."""
    return b if b.x > a.x else a


@kernel
def smooth_profile_union(a, b, radius):
    """Smooth union of two shapes: polynomial smooth minimum of a radius."""
    share = clip(0.5 + 0.5 * (b.x - a.x) / radius, 0.0, 1.0)
    mixed = b * (1.0 - share) + a * share
    return mixed - vec3(radius * share * (1.0 - share), 0.0, 0.0)


@kernel
def smooth_profile_intersection(a, b, radius):
    """Intersection of two shapes with rounded edges."""
    rest = smooth_profile_union(
        profile_intersection(a, b * -1.0), profile_intersection(b, a * -1.0), radius
    )
    return profile_intersection(profile_intersection(a, b), rest * -1.0)


@kernel
def circle_profile(across, radius):
    """A disc: radius minus its own."""
    return vec3(across - radius, 1.0, 0.0)


@kernel
def involute_flank(across, base, angle, side):
    """One flank of a tooth, an involute of the base circle; side: 1 or -1 around the axis."""
    tangent = math.sqrt(max(across * across - base * base, 0.0))
    turned = angle + math.acos(min(base / max(across, MINVAL), 1.0))
    return vec3(tangent - base * turned, tangent / max(across, MINVAL), -side * base)


@kernel
def wrap_angle(angle, turn):
    """An angle reduced to [0, turn)."""
    return angle - turn * floor_real(angle / turn)


@kernel
def gear_teeth(diameter, count, across, angle, height, outer):
    """The wheel with its teeth, without its hole; height: of a tooth, outer: radius at the tips."""
    pressure = 3.096e-5 * count * count - 6.557e-3 * count + 0.551
    cosine = math.cos(pressure)
    base = 0.5 * diameter * cosine
    stride = FULL_TURN / count
    # angle by which the involute turns from the base circle to the pitch circle
    shift = 0.5 * stride - 2.0 * (math.sin(pressure) / cosine - pressure)
    one = wrap_angle(angle + 0.5 * shift, stride) - 0.5 * shift
    other = wrap_angle(-angle - 0.5 * shift, stride) - 0.5 * shift
    walls = profile_intersection(
        vec3(one - (stride - shift), 0.0, 1.0), vec3(other - (stride - shift), 0.0, -1.0)
    )
    cogs = walls
    if base < across:
        sides = profile_intersection(
            involute_flank(across, base, one, 1.0), involute_flank(across, base, other, -1.0)
        )
        cogs = profile_intersection(walls, sides)
    cogs = smooth_profile_intersection(circle_profile(across, outer), cogs, TIP_ROUNDING * diameter)
    return smooth_profile_union(circle_profile(across, outer - height), cogs, base - outer + height)


@kernel
def gear_profile(alpha, diameter, count, inner, p, across):
    """The gear in the plane: value, with derivatives by radius and angle."""
    pitch = count / diameter
    outer = 0.5 * diameter + 1.0 / pitch
    height = TOOTH_HEIGHT / pitch
    hole = 0.5 * inner if inner >= 0.0 else outer - height - RIM_WIDTH * diameter
    value = vec3(hole - across, -1.0, 0.0)
    if across - outer > TEETH_REACH:
        value = circle_profile(across, outer)
    elif across >= hole:
        cogs = gear_teeth(diameter, count, across, math.atan2(p.y, p.x) + alpha, height, outer)
        value = profile_intersection(cogs, value)
    return value


@kernel
def gear_distance(alpha, diameter, count, thickness, inner, p):
    """Signed distance of a gear around the z axis: (distance, gradient).

    alpha: its angle  [rad].  diameter: of the pitch circle.  count: of teeth.  inner: diameter of
    the hole, negative for the usual one.
    """
    across = math.sqrt(p.x * p.x + p.y * p.y)
    flat = gear_profile(alpha, diameter, count, inner, p, across)
    far = max(across, MINVAL)
    x = p.x / far
    y = p.y / far
    around = flat.z / far
    aside = vec3(flat.y * x - around * y, flat.y * y + around * x, 0.0)
    up = vec3(0.0, 0.0, -1.0 if p.z < 0.0 else 1.0)
    over = abs(p.z) - 0.5 * thickness
    distance = max(flat.x, over)
    gradient = aside if flat.x > over else up
    if flat.x > 0.0 and over > 0.0:
        distance = math.sqrt(flat.x * flat.x + over * over)
        gradient = (aside * flat.x + up * over) * (1.0 / distance)
    return distance, gradient
