"""Distance of two geoms, with the nearest points.  Mirrors mj_geomDistance."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cortenforge.enums import GeomType
from cortenforge.errors import ArgumentError
from cortenforge.model.access.views import object_id

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

#: types with distances among each other, and to planes and height fields
CONVEX_TYPES = (
    GeomType.SPHERE, GeomType.CAPSULE, GeomType.ELLIPSOID, GeomType.CYLINDER, GeomType.BOX,
    GeomType.MESH,
)  # fmt: skip


class GeomDistance(NamedTuple):
    """Distance of two geoms.

    dist:   between the nearest points; minus the penetration depth if the geoms overlap.
    points: (2, 3) the point of the first geom and that of the second; zeros beyond `distmax`.
    """

    dist: float
    points: np.ndarray


def checked_geom_pair(model: Model, one: str | int, other: str | int) -> tuple[int, int]:
    """Ids of both geoms; ArgumentError if no distance is defined for their types."""
    numbers = object_id(model, "geom", one), object_id(model, "geom", other)
    kinds = sorted(GeomType(model.geom_type[number]) for number in numbers)
    if kinds[1] not in CONVEX_TYPES or kinds[0] not in (
        *CONVEX_TYPES,
        GeomType.PLANE,
        GeomType.HFIELD,
    ):
        named = " and ".join(kind.name.lower() for kind in kinds)
        raise ArgumentError(
            f"geom_distance: expected convex geoms, or one and a plane or height field, got {named}"
        )
    return numbers


def geom_distance_result(data: Data, first: int, *, swapped: bool, distmax: float) -> GeomDistance:
    """The result of the distance kernels, in world coordinates; first: the geom of its frame."""
    points = np.zeros((2, 3))
    if not data.found or not data.found_dist[0] <= distmax:
        return GeomDistance(distmax, points)
    mat = data.geom_xmat[first].reshape(3, 3)
    dist = float(data.found_dist[0])
    middle = data.geom_xpos[first] + mat @ data.found_pos[0]
    half = 0.5 * dist * (mat @ data.found_normal)
    points[int(swapped)], points[1 - int(swapped)] = middle - half, middle + half
    return GeomDistance(dist, points)
