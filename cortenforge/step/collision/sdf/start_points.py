"""Starting points of SDF descents: a Halton sequence where both bounding boxes overlap.

    h_b(i) = sum of d_k b^-(k + 1),  d_k the digits of i in base b;   bases 2, 3, 5 for x, y, z

Source: Halton, "On the efficiency of certain quasi-random sequences of points in evaluating
multi-dimensional integrals", Numerische Mathematik 2, 1960.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import into_frame
from cortenforge.step.collision.convex.obb import aabb_centre, aabb_half_sizes
from cortenforge.step.constants import PLANE

#: half size of the box that stands for a plane
PLANE_HALF_SIZE = 1e10


@kernel
def halton(i: int, base: int):
    """Element i of the Halton sequence of a base, in [0, 1).  Mirrors mju_Halton."""
    value = 0.0
    part = 1.0 / base
    rest = i
    while rest > 0:
        # adding 0.5 keeps the floor right where division is not exact, on a GPU
        rest_after = math.floor((rest + 0.5) / base)
        value += part * (rest - rest_after * base)
        part = part / base
        rest = rest_after
    return value


@kernel
def intersect_boxes(m, g1: int, g2: int, turn, shift, reach):
    """Intersection of both bounding boxes, in the frame of the first geom: (low, high) corners.

    turn, shift: the first geom's axes and position in the frame of the second. Both boxes are
    enlarged by half of the reach.  Mirrors mjc_SDF.
    """
    centre = aabb_centre(m, g1)
    half = aabb_half_sizes(m, g1)
    if m.geom_type[g1] == PLANE:
        centre = vec3(0.0, 0.0, -PLANE_HALF_SIZE)
        half = vec3(PLANE_HALF_SIZE, PLANE_HALF_SIZE, PLANE_HALF_SIZE)
    middle = into_frame(turn, aabb_centre(m, g2) - shift)
    size = aabb_half_sizes(m, g2)
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
def halton_point(low, high, i: int):
    """Point i of the Halton sequence in a box."""
    span = high - low
    return low + vec3(
        span.x * halton(i, 2),
        span.y * halton(i, 3),
        span.z * halton(i, 5),
    )
