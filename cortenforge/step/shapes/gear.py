"""A gear with teeth of involutes: the signed distance of MuJoCo's plugin of this name.

In the plane across its axis, a value is kept with how it changes outwards (y) and around (z).
"""

from __future__ import annotations

import math

from cortenforge.kernel import floor_real, kernel, vec3
from cortenforge.math.scalar import clip
from cortenforge.math.vector import MINVAL

CIRCLE = 2.0 * math.pi
#: outside of the teeth by more than this, the distance from their tips is enough
FAR = 0.2
#: rim of the ring without an inner diameter, and how round the tips are, in diameters
RIM = 0.14
ROUND = 0.0035
#: height of a tooth and its foot, in teeth a diameter
TALL = 2.2


@kernel
def both(a, b):
    """What two shapes have in common."""
    return b if b.x > a.x else a


@kernel
def rounded_union(a, b, radius):
    """Two shapes as one, rounded where they meet."""
    share = clip(0.5 + 0.5 * (b.x - a.x) / radius, 0.0, 1.0)
    mixed = b * (1.0 - share) + a * share
    return mixed - vec3(radius * share * (1.0 - share), 0.0, 0.0)


@kernel
def rounded_both(a, b, radius):
    """What two shapes have in common, rounded where they meet."""
    rest = rounded_union(both(a, b * -1.0), both(b, a * -1.0), radius)
    return both(both(a, b), rest * -1.0)


@kernel
def circle(across, radius):
    """A circle in the plane."""
    return vec3(across - radius, 1.0, 0.0)


@kernel
def flank(across, base, angle, side):
    """One side of a tooth: an involute of the base circle; `side` is 1 or -1 around it."""
    tangent = math.sqrt(max(across * across - base * base, 0.0))
    turned = angle + math.acos(min(base / max(across, MINVAL), 1.0))
    return vec3(tangent - base * turned, tangent / max(across, MINVAL), -side * base)


@kernel
def within_turn(angle, turn):
    """An angle between 0 and a turn."""
    return angle - turn * floor_real(angle / turn)


@kernel
def teeth(diameter, count, across, angle, height, outer):
    """The wheel with its teeth, without its hole."""
    pressure = 3.096e-5 * count * count - 6.557e-3 * count + 0.551
    cosine = math.cos(pressure)
    base = 0.5 * diameter * cosine
    stride = CIRCLE / count
    # a flank begins at the base circle, and has come around so far at the pitch circle
    shift = 0.5 * stride - 2.0 * (math.sin(pressure) / cosine - pressure)
    one = within_turn(angle + 0.5 * shift, stride) - 0.5 * shift
    other = within_turn(-angle - 0.5 * shift, stride) - 0.5 * shift
    walls = both(vec3(one - (stride - shift), 0.0, 1.0), vec3(other - (stride - shift), 0.0, -1.0))
    cogs = walls
    if base < across:
        sides = both(flank(across, base, one, 1.0), flank(across, base, other, -1.0))
        cogs = both(walls, sides)
    cogs = rounded_both(circle(across, outer), cogs, ROUND * diameter)
    return rounded_union(circle(across, outer - height), cogs, base - outer + height)


@kernel
def wheel(alpha, diameter, count, inner, p, across):
    """The gear in the plane."""
    pitch = count / diameter
    outer = 0.5 * diameter + 1.0 / pitch
    height = TALL / pitch
    hole = 0.5 * inner if inner >= 0.0 else outer - height - RIM * diameter
    value = vec3(hole - across, -1.0, 0.0)
    if across - outer > FAR:
        value = circle(across, outer)
    elif across >= hole:
        cogs = teeth(diameter, count, across, math.atan2(p.y, p.x) + alpha, height, outer)
        value = both(cogs, value)
    return value


@kernel
def gear_distance(alpha, diameter, count, thickness, inner, p):
    """From a gear around the z axis: turned by alpha, so thick, with a hole of a diameter."""
    across = math.sqrt(p.x * p.x + p.y * p.y)
    flat = wheel(alpha, diameter, count, inner, p, across)
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
