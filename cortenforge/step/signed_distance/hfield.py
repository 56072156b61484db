"""Signed distance of a point from a height field, by the triangle below or above it.

    above or below     (p_z - height(x, y)) n_z        n: normal of the triangle at (x, y)
    beside the field   sqrt(aside^2 + max(distance, 0)^2)

Exact where this triangle is the nearest one. Source: docs/rays.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.scalar import clip
from cortenforge.math.vector import unit
from cortenforge.step.signed_distance.hfield_surface import hfield_surface_at


@kernel
def hfield_point_distance(m, field: int, p):
    """Signed distance of a point from a height field: (distance, gradient).

    Distance from the plane of the triangle at (x, y), so that the gradient inside is always upward.
    Beside the field and below its base, the distance from its edge or its base.
    """
    x = clip(p.x, -m.hfield_size[field, 0], m.hfield_size[field, 0])
    y = clip(p.y, -m.hfield_size[field, 1], m.hfield_size[field, 1])
    height, gradient = hfield_surface_at(m, field, x, y)
    distance = (p.z - height) * gradient.z
    below = -m.hfield_size[field, 3] - p.z
    if below > 0.0:
        distance = below
        gradient = vec3(0.0, 0.0, -1.0)
    aside = math.sqrt((p.x - x) * (p.x - x) + (p.y - y) * (p.y - y))
    if aside > 0.0:
        over = max(distance, 0.0)
        out = vec3(p.x - x, p.y - y, 0.0) + gradient * over
        distance = math.sqrt(aside * aside + over * over)
        gradient = unit(out)
    return distance, gradient
