"""Distances outside of the box that a field knows."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot


@kernel
def beyond_box(distance, gradient, away):
    """Distance and gradient of a point that is `away` from the nearest one of a field's box."""
    beyond = math.sqrt(dot(away, away))
    if beyond > 0.0:
        distance += beyond
        gradient = vec3(
            away.x / beyond if away.x != 0.0 else gradient.x,
            away.y / beyond if away.y != 0.0 else gradient.y,
            away.z / beyond if away.z != 0.0 else gradient.z,
        )
    return distance, gradient
