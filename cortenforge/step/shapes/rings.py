"""Torus and bowl: signed distances of MuJoCo's plugins of these names."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import MINVAL, norm, unit


@kernel
def aside_of(p):
    """How far a point is from the z axis, and the direction from there; along x on it."""
    across = math.sqrt(p.x * p.x + p.y * p.y)
    way = vec3(1.0, 0.0, 0.0)
    if across >= MINVAL:
        way = vec3(p.x / across, p.y / across, 0.0)
    return across, way


@kernel
def torus_distance(radius1, radius2, p):
    """From a torus around the z axis: radius of the ring, and of what it is made of."""
    across, way = aside_of(p)
    out = way * (across - radius1) + vec3(0.0, 0.0, p.z)
    return norm(out) - radius2, unit(out)


@kernel
def bowl_distance(height, radius, thickness, p):
    """From a part of a hollow ball, cut off at a height; thickness is to both sides."""
    across, way = aside_of(p)
    width = math.sqrt(max(radius * radius - height * height, 0.0))
    far = norm(p)
    distance = abs(far - radius) - thickness
    gradient = unit(p) * (1.0 if far >= radius else -1.0)
    if height * across < width * p.z:
        # nearest to the rim
        out = way * (across - width) + vec3(0.0, 0.0, p.z - height)
        distance = norm(out) - thickness
        gradient = unit(out)
    return distance, gradient
