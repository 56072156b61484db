"""Rays against signed distance fields: sphere tracing.

    x <- x + |f(p + x v)|   until |f| < 1e-7

Source: Hart, "Sphere tracing: a geometric method for the antialiased ray tracing of implicit
surfaces", The Visual Computer 12, 1996.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import unit
from cortenforge.step.rays.primitives import hit_box
from cortenforge.step.signed_distance.geoms import sdf_distance

#: most steps of a ray, and the distance that counts as a hit (MuJoCo's numbers)
MAX_TRACING_STEPS = 40
TRACING_TOLERANCE = 1e-7
#: at this distance the ray has left the field
LOST_DISTANCE = 1e6


@kernel
def hit_sdf(m, g: int, p, v):
    """Distance of a signed distance field's surface along a ray; -1 if not hit in 40 steps.

    Mirrors mj_raySdf.
    """
    bounds, _face = hit_box(m.geom_size[g], p, v)
    if bounds < 0.0:
        return -1.0
    x = 0.0
    for _step in range(MAX_TRACING_STEPS):
        distance, _gradient = sdf_distance(m, g, p + v * x)
        x += abs(distance)
        if abs(distance) < TRACING_TOLERANCE:
            return x
        if abs(distance) > LOST_DISTANCE:
            return -1.0
    return -1.0


@kernel
def sdf_normal(m, g: int, q):
    """Outward unit normal of a signed distance field."""
    _distance, gradient = sdf_distance(m, g, q)
    return unit(gradient)
