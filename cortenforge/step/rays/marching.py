"""Rays against signed distance fields: along the ray in steps as long as the distance."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.vector import unit
from cortenforge.step.rays.shapes import hit_box
from cortenforge.step.shapes.distances import field_distance

#: steps of which a ray takes no more, and what is near enough (MuJoCo's numbers)
STEPS = 40
NEAR = 1e-7
#: so far away, nothing is met any more
FAR_AWAY = 1e6


@kernel
def hit_distance_field(m, g: int, p, v):
    """How far the surface of a signed distance field is; -1 if not met in 40 steps.

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
    """Outward normal of a signed distance field."""
    _distance, gradient = field_distance(m, g, q)
    return unit(gradient)
