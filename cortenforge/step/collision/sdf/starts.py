"""Where descents start: points of a Halton sequence in the box that two boxes have in common."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import into_frame
from cortenforge.step.constants import PLANE

#: a plane goes on for ever
ENDLESS = 1e10


@kernel
def halton(i: int, base: int):
    """Number i of the Halton sequence of a base, between 0 and 1.  Mirrors mju_Halton."""
    value = 0.0
    part = 1.0 / base
    rest = i
    while rest > 0:
        # half of one keeps it right where division is not exact, on a GPU
        rest_after = math.floor((rest + 0.5) / base)
        value += part * (rest - rest_after * base)
        part = part / base
        rest = rest_after
    return value


@kernel
def box_centre(m, g: int):
    """The middle of the box around a geom, in its frame."""
    return vec3(m.geom_aabb[g, 0], m.geom_aabb[g, 1], m.geom_aabb[g, 2])


@kernel
def box_half(m, g: int):
    """Half sizes of the box around a geom."""
    return vec3(m.geom_aabb[g, 3], m.geom_aabb[g, 4], m.geom_aabb[g, 5])


@kernel
def common_box(m, g1: int, g2: int, turn, shift, reach):
    """Lower and upper corner of what the boxes of both geoms have in common.

    In the frame of the first geom; `turn` and `shift` place that in the second one's. Both boxes
    are larger by half of the reach. Mirrors mjc_SDF.
    """
    centre = box_centre(m, g1)
    half = box_half(m, g1)
    if m.geom_type[g1] == PLANE:
        centre = vec3(0.0, 0.0, -ENDLESS)
        half = vec3(ENDLESS, ENDLESS, ENDLESS)
    middle = into_frame(turn, box_centre(m, g2) - shift)
    size = box_half(m, g2)
    other = vec3(
        abs(turn.xx) * size.x + abs(turn.yx) * size.y + abs(turn.zx) * size.z,
        abs(turn.xy) * size.x + abs(turn.yy) * size.y + abs(turn.zy) * size.z,
        abs(turn.xz) * size.x + abs(turn.yz) * size.y + abs(turn.zz) * size.z,
    )
    more = 0.5 * reach
    low = vec3(
        max(centre.x - half.x, middle.x - other.x) - more,
        max(centre.y - half.y, middle.y - other.y) - more,
        max(centre.z - half.z, middle.z - other.z) - more,
    )
    high = vec3(
        min(centre.x + half.x, middle.x + other.x) + more,
        min(centre.y + half.y, middle.y + other.y) + more,
        min(centre.z + half.z, middle.z + other.z) + more,
    )
    return low, high


@kernel
def start_in(low, high, i: int):
    """Point i of a sequence that fills a box evenly."""
    span = high - low
    return low + vec3(
        span.x * halton(i, 2),
        span.y * halton(i, 3),
        span.z * halton(i, 5),
    )
