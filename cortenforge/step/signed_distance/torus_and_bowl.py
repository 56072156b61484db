"""Signed distances of torus and bowl, after MuJoCo's plugins of these names.

    torus   | (rho - R, z) | - r                     rho = |(x, y)|
    bowl    | |p| - R | - t,   or from the rim  | (rho - w, z - h) | - t,   w = sqrt(R^2 - h^2)

Source: Quilez, "Distance functions" (torus, cut hollow sphere).
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import MINVAL, norm, unit


@kernel
def radial_direction(p):
    """Distance of a point from the z axis, and the direction away from it; x on the axis."""
    across = math.sqrt(p.x * p.x + p.y * p.y)
    way = vec3(1.0, 0.0, 0.0)
    if across >= MINVAL:
        way = vec3(p.x / across, p.y / across, 0.0)
    return across, way


@kernel
def torus_distance(radius1, radius2, p):
    """Signed distance of a torus around the z axis: radii of the ring and of the tube."""
    across, way = radial_direction(p)
    out = way * (across - radius1) + vec3(0.0, 0.0, p.z)
    return norm(out) - radius2, unit(out)


@kernel
def bowl_distance(height, radius, thickness, p):
    """Signed distance of a hollow ball cut off at a height; thickness is to both sides."""
    across, way = radial_direction(p)
    width = math.sqrt(max(radius * radius - height * height, 0.0))
    far = norm(p)
    distance = abs(far - radius) - thickness
    gradient = unit(p) * (1.0 if far >= radius else -1.0)
    if height * across < width * p.z:
        # the rim is nearest
        out = way * (across - width) + vec3(0.0, 0.0, p.z - height)
        distance = norm(out) - thickness
        gradient = unit(out)
    return distance, gradient
