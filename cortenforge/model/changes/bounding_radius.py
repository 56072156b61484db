"""Bounding spheres of geoms (geom_rbound), by type and size.

sphere r,  capsule r + l,  cylinder sqrt(r^2 + l^2),  ellipsoid max(a, b, c),
box sqrt(a^2 + b^2 + c^2),  plane 0: no bound
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from cortenforge.enums import GeomType


def bounding_radius(kind: GeomType, size: Sequence[float]) -> float:
    """Radius of the sphere around the shape; 0 for a plane."""
    a, b, c = size
    if kind == GeomType.SPHERE:
        return a
    if kind == GeomType.CAPSULE:
        return a + b
    if kind == GeomType.CYLINDER:
        return math.sqrt(a * a + b * b)
    if kind == GeomType.ELLIPSOID:
        return max(size)
    return math.sqrt(a * a + b * b + c * c) if kind == GeomType.BOX else 0.0
