"""Rays against signed distance fields: sphere tracing.

    x <- x + |f(p + x v)|   until |f| < 1e-7

Source: Hart, "Sphere tracing: a geometric method for the antialiased ray tracing of implicit
surfaces", The Visual Computer 12, 1996.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import unit
from cortenforge.step.rays.shapes import hit_box
from cortenforge.step.shapes.distances import field_distance

#: most steps of a ray, and the distance that counts as a hit (MuJoCo's numbers)
STEPS = 40
NEAR = 1e-7
#: at this distance the ray has left the field
FAR_AWAY = 1e6


@kernel
def hit_distance_field(m, g: int, p, v):
    """Distance of a signed distance field's surface along a ray; -1 if not hit in 40 steps.

    Mirrors mj_raySdf.
    """
    bounds, _face = hit_box(m.geom_size[g], p, v)
    if bounds < 0.0:
        return -1.0
    x = 0.0
    for _step in range(STEPS):
        distance, _gradient = field_distance(m, g, p + v * x)
        x += abs(distance)
        if abs(distance) < NEAR:
            return x
        if abs(distance) > FAR_AWAY:
            return -1.0
    return -1.0


@kernel
def distance_field_normal(m, g: int, q):
    """Outward unit normal of a signed distance field."""
    _distance, gradient = field_distance(m, g, q)
    return unit(gradient)
