"""How far a point or a segment, the core of a sphere or a capsule, is from a round geom.

The distance is a convex function of the place on the segment, and Newton's method finds where it is
least in a fifth of the time of GJK, whose corners crowd together on a round surface. Everything is
in the axes of the second geom.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.scalar import clip
from cortenforge.math.vector import dot, into_frame, scaled_by
from cortenforge.step.collision.convex.distance import APART, BEYOND, separate, span_of
from cortenforge.step.collision.convex.farthest import is_above
from cortenforge.step.constants import CAPSULE, CYLINDER, ELLIPSOID, SPHERE

#: steps of a search; it converges quadratically
MOST_STEPS = 20
#: a step along the normal, and one along the segment, after which nothing changes: as shares
LAST_STEP = 1e-7
LAST_PLACE = 1e-9
#: what is nearer than this part of both sizes is left to GJK and EPA
NEAREST = 1e-9
#: slopes that count as none
FLAT = 1e-6
#: the distance is convex, but for rounding
STRAIGHT = 1e-300


@kernel
def nearest_cores(m, d, g1: int, g2: int, turn, shift, cutoff):
    """How the cores of two geoms are to each other, as `separate` says it."""
    if SPHERE <= m.geom_type[g1] <= CAPSULE and ELLIPSOID <= m.geom_type[g2] <= CYLINDER:
        place, apart, found = nearest_of_segment(m, g1, g2, turn, shift, cutoff)
        if found >= 0:
            x = turn @ apart
            first = vec3(0.0, 0.0, place)
            keep_touching_point(m, d, g2, turn, shift, x, first)
            return found, 1, x, first, False
    return separate(m, d, g1, g2, turn, shift, cutoff)


@kernel
def keep_touching_point(m, d, g2: int, turn, shift, x, first):
    """The nearest point in the place of a simplex: of a cylinder, with the cap that it is on."""
    d.diff_point[0] = x
    d.diff_first[0] = first
    d.diff_corner[0, 0] = -1
    d.diff_corner[0, 1] = -1
    z = into_frame(turn, first - x - shift).z
    if m.geom_type[g2] == CYLINDER and abs(z) >= m.geom_size[g2, 1] * (1.0 - NEAREST):
        d.diff_corner[0, 1] = is_above(z, 0.0)


@kernel
def nearest_of_segment(m, g1: int, g2: int, turn, shift, cutoff):
    """Place on a segment nearest to a round geom; from the nearest point there; APART or BEYOND.

    -1 in place of these if the segment goes through the geom or all but touches it, and if it lies
    on it: then every place is the nearest, and which one it is shall be GJK's choice, as in MuJoCo.
    """
    half = m.geom_size[g1, 1] if m.geom_type[g1] == CAPSULE else 0.0
    centre = into_frame(turn, -shift)
    axis = vec3(turn.zx, turn.zy, turn.zz)
    low, high = -half, half
    place = first_place(m, g2, centre, axis, half)
    apart = centre
    for _k in range(MOST_STEPS):
        apart, slope, bend = look_at(m, g2, centre + axis * place, axis)
        distance = math.sqrt(dot(apart, apart))
        if not distance > NEAREST * span_of(m, g1, g2):
            return place, apart, -1
        # the tangent is below a convex function
        if distance - max(slope * (place + half), slope * (place - half)) > cutoff:
            return place, apart, BEYOND
        low = place if slope < 0.0 else low
        high = place if slope > 0.0 else high
        target = clip(place - slope / max(bend, STRAIGHT), low, high)
        if abs(target - place) <= LAST_PLACE * half:
            lies = half > 0.0 and abs(slope) + bend * half <= FLAT
            return place, apart, -1 if lies else APART
        place = target
    return place, apart, -1


@kernel
def first_place(m, g2: int, centre, axis, half):
    """The place of a segment that is nearest where the geom is stretched to a ball."""
    size = m.geom_size[g2]
    if m.geom_type[g2] == CYLINDER:
        size = vec3(size.x, size.x, size.y)
    tilted = scaled_by(axis, inverse_of(scaled_by(size, size), 0.0))
    return clip(-dot(tilted, centre) / dot(tilted, axis), -half, half)


@kernel
def look_at(m, g2: int, q, axis):
    """The way from the nearest point of a geom to a point: itself, none inside.

    Then the first and the second derivative of its length along an axis.
    """
    if m.geom_type[g2] == CYLINDER:
        apart, slope, bend = look_at_cylinder(m.geom_size[g2], q, axis)
    else:
        apart, slope, bend = look_at_ellipsoid(m.geom_size[g2], q, axis)
    return apart, slope, bend


@kernel
def look_at_cylinder(size, q, axis):
    """The same from a cylinder: across its side, up from a cap, or from a rim."""
    across = math.sqrt(q.x * q.x + q.y * q.y)
    beside = across - size.x
    above = abs(q.z) - size.y
    outward = 1.0 / max(across, STRAIGHT)
    wide = (q.x * axis.x + q.y * axis.y) * outward
    high = axis.z if q.z >= 0.0 else -axis.z
    wider = (axis.x * axis.x + axis.y * axis.y - wide * wide) * outward
    aside = max(beside, 0.0)
    up = max(above, 0.0)
    scale = 1.0 / max(math.sqrt(aside * aside + up * up), STRAIGHT)
    slope = (aside * wide + up * high) * scale
    bend = wider
    if above > 0.0:
        bend = (wide * wide + aside * wider + high * high - slope * slope) * scale
        bend = bend if beside > 0.0 else 0.0
    share = aside * outward
    return vec3(q.x * share, q.y * share, up if q.z >= 0.0 else -up), slope, bend


@kernel
def look_at_ellipsoid(size, q, axis):
    """The same from an ellipsoid.

    Its normal at y leads to q where y = q * a / (a + t), a being the squares of its sizes.
    """
    squares = scaled_by(size, size)
    t = along_normal(size, squares, q)
    inverse = inverse_of(squares, t)
    scaled = scaled_by(q, inverse)
    length = math.sqrt(dot(scaled, scaled))
    slope = dot(scaled, axis) / length
    weighted = scaled_by(scaled_by(squares, inverse), scaled)
    faster = dot(weighted, axis) / dot(weighted, scaled)
    # how `scaled`, along which the normal is, changes along the axis
    change = scaled_by(axis, inverse) - scaled_by(scaled, inverse) * faster
    bend = (dot(change, axis) - slope * dot(scaled, change) / length) / length
    return scaled * t, slope, bend


@kernel
def inverse_of(squares, t):
    """One over the squares and t."""
    return vec3(1.0 / (squares.x + t), 1.0 / (squares.y + t), 1.0 / (squares.z + t))


@kernel
def along_normal(size, squares, q):
    """How far along the normal of an ellipsoid a point is: 0 inside.

    One over the length that `q * size / (a + t)` has is almost a straight line in t, and concave:
    steps from the left never go too far.
    """
    least = max(
        max(0.0, size.x * (abs(q.x) - size.x)),
        max(size.y * (abs(q.y) - size.y), size.z * (abs(q.z) - size.z)),
    )
    t = least
    for _k in range(MOST_STEPS):
        inverse = inverse_of(squares, t)
        scaled = scaled_by(q, scaled_by(size, inverse))
        square = dot(scaled, scaled)
        length = math.sqrt(square)
        fall = dot(scaled_by(scaled, inverse), scaled)
        before = t
        t = max(t + square * (length - 1.0) / fall, least)
        if abs(length - 1.0) <= LAST_STEP or t == before:
            break
    return t
