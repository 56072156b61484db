"""The distance of two geoms, with the points where they are nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cortenforge.enums import GeomType
from cortenforge.errors import ArgumentError
from cortenforge.model.views import object_number

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

#: types between which there is a distance; a plane and a height field have one to all of them
CONVEX = (
    GeomType.SPHERE, GeomType.CAPSULE, GeomType.ELLIPSOID, GeomType.CYLINDER, GeomType.BOX,
    GeomType.MESH,
)  # fmt: skip


class GeomDistance(NamedTuple):
    """How far apart two geoms are.

    dist:   between the nearest points; negative if the geoms overlap, by the least that they would
            have to be moved.
    points: (2, 3) the point of the first geom and that of the second; zeros beyond `distmax`.
    """

    dist: float
    points: np.ndarray


def asked_geoms(model: Model, one: str | int, other: str | int) -> tuple[int, int]:
    """The numbers of both geoms, if there is a distance between them."""
    numbers = object_number(model, "geom", one), object_number(model, "geom", other)
    kinds = sorted(GeomType(model.geom_type[number]) for number in numbers)
    if kinds[1] not in CONVEX or kinds[0] not in (*CONVEX, GeomType.PLANE, GeomType.HFIELD):
        named = " and ".join(kind.name.lower() for kind in kinds)
        raise ArgumentError(
            f"geom_distance: expected convex geoms, or one and a plane or height field, got {named}"
        )
    return numbers


def found_distance(data: Data, first: int, *, swapped: bool, distmax: float) -> GeomDistance:
    """The answer that kernels left behind, in world coordinates."""
    points = np.zeros((2, 3))
    if not data.found or not data.found_dist[0] <= distmax:
        return GeomDistance(distmax, points)
    axes = data.geom_xmat[first].reshape(3, 3)
    dist = float(data.found_dist[0])
    middle = data.geom_xpos[first] + axes @ data.found_pos[0]
    half = 0.5 * dist * (axes @ data.found_normal)
    points[int(swapped)], points[1 - int(swapped)] = middle - half, middle + half
    return GeomDistance(dist, points)
