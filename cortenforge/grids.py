"""Grids of signed distances (SDF) that users give to geoms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cortenforge.errors import ArgumentError, ShapeError

#: values of one grid: 256 along each axis
MOST_VALUES = 2**24

#: fields of a Model that hold distance functions and grids
GRID_FIELDS = (
    *("geom_sdf", "geom_sdfprm", "geom_gridsize", "geom_gridadr", "geom_gridcell"),
    *("geom_gridorigin", "grid_data"),
)


@dataclass(frozen=True)
class Grid:
    """Signed distances at the corners of cubic cells, negative inside.

    distance: (nz, ny, nx), so that x runs fastest [m].
    cell:     length of a cell's edges [m].
    origin:   position of distance[0, 0, 0] in the frame of the geom [m].
    Raises ShapeError or ArgumentError for anything else.
    """

    distance: np.ndarray
    cell: float
    origin: tuple[float, float, float] | Sequence[float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        values = _numbers("distance", self.distance)
        if values.ndim != 3 or min(values.shape) < 2:
            raise ShapeError(
                f"distance: expected values (nz, ny, nx), at least 2 along each axis, "
                f"got {values.shape}"
            )
        if values.size > MOST_VALUES:
            raise ShapeError(f"distance: a grid has at most {MOST_VALUES:,} values")
        cell = _numbers("cell", self.cell)
        if cell.ndim or not 0 < cell < np.inf:
            raise ArgumentError(f"cell: expected one positive length, got {self.cell!r}")
        origin = _numbers("origin", self.origin)
        if origin.shape != (3,):
            raise ShapeError(f"origin: expected 3 numbers, got {origin.shape}")
        for name, given in (("distance", values), ("origin", origin)):
            if not np.isfinite(given).all():
                raise ArgumentError(f"{name}: all numbers must be finite")
        x, y, z = origin.tolist()
        object.__setattr__(self, "distance", np.ascontiguousarray(values, float))
        object.__setattr__(self, "cell", float(cell))
        object.__setattr__(self, "origin", (x, y, z))

    @property
    def size(self) -> tuple[int, int, int]:
        """Values along x, y and z."""
        z, y, x = self.distance.shape
        return (x, y, z)

    @property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """Centre and half sizes of the box of all values, in the geom's frame."""
        half = 0.5 * self.cell * (np.array(self.size) - 1)
        return np.array(self.origin) + half, half

    @property
    def reach(self) -> np.ndarray:
        """Half sizes of the smallest box about the geom's origin that contains the grid."""
        centre, half = self.box
        found: np.ndarray = np.abs(centre) + half
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grid):
            return NotImplemented
        same = (self.cell, self.origin) == (other.cell, other.origin)
        return same and np.array_equal(self.distance, other.distance)

    __hash__ = None  # type: ignore[assignment]


def _numbers(name: str, given: Any) -> np.ndarray:
    try:
        found = np.asarray(given)
    except ValueError:
        raise ShapeError(f"{name}: expected an array, got rows of different lengths") from None
    if found.dtype.kind not in "fiu":
        raise ArgumentError(f"{name}: expected numbers, got {found.dtype}")
    return found
