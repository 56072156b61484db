"""Continuation of a distance field beyond the box that it is known in.

distance(p) = distance(q) + |p - q|,   q the nearest point of the box

Source: MuJoCo: Modeling, "Signed distance fields" (outside of an octree).
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot


@kernel
def extend_beyond_box(distance, gradient, away):
    """Distance and gradient at p = q + away, from those at q, the nearest point of the box.

    The gradient is away / |away|; components along which p is inside keep the field's.
    """
    beyond = math.sqrt(dot(away, away))
    if beyond > 0.0:
        distance += beyond
        gradient = vec3(
            away.x / beyond if away.x != 0.0 else gradient.x,
            away.y / beyond if away.y != 0.0 else gradient.y,
            away.z / beyond if away.z != 0.0 else gradient.z,
        )
    return distance, gradient
