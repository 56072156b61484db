"""Grids of signed distances (SDF) of geoms in a loaded model: set and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import GeomType, SdfShape
from cortenforge.errors import ArgumentError
from cortenforge.grids import Grid
from cortenforge.model.access.views import object_id
from cortenforge.model.changes.watch import refresh_model

if TYPE_CHECKING:
    from cortenforge.model.model import Model


def set_sdf_grid(model: Model, key: str | int, grid: Grid) -> None:
    """Store a grid for a geom of type sdf, and set the bounds of the geom to those of the grid."""
    geom = object_id(model, "geom", key)
    if model.geom_type[geom] != GeomType.SDF:
        is_now = GeomType(model.geom_type[geom]).name.lower()
        raise ArgumentError(f"geom {key!r} is a {is_now}: only geoms of type sdf can have a grid")
    if not isinstance(grid, Grid):
        raise ArgumentError(f"grid: expected a cortenforge.Grid, got {type(grid).__name__}")
    grids = {g: one for g in range(model.ngeom) if (one := sdf_grid_of(model, g)) is not None}
    grids[geom] = grid
    model._store.resize({"ngrid": sum(one.distance.size for one in grids.values())})
    model._drop_growing()
    arrays = model._store.arrays
    first = 0
    for g, one in grids.items():
        values = one.distance.ravel()
        model.grid_data[first : first + len(values)] = values
        arrays["geom_gridadr"][g] = first
        first += len(values)
    arrays["geom_sdf"][geom] = SdfShape.GRID
    arrays["geom_gridsize"][geom], model.geom_gridcell[geom] = grid.size, grid.cell
    model.geom_gridorigin[geom] = grid.origin
    model.geom_size[geom] = grid.reach
    model.geom_aabb[geom] = np.concatenate(grid.box)
    model.geom_rbound[geom] = np.linalg.norm(grid.reach)
    refresh_model(model)


def sdf_grid_of(model: Model, key: str | int) -> Grid | None:
    """The grid of a geom, or None."""
    geom = object_id(model, "geom", key)
    if model.geom_sdf[geom] != SdfShape.GRID:
        return None
    x, y, z = model.geom_gridsize[geom].tolist()
    first = model.geom_gridadr[geom]
    values = model.grid_data[first : first + x * y * z].reshape(z, y, x)
    return Grid(
        values.copy(), model.geom_gridcell[geom].item(), model.geom_gridorigin[geom].tolist()
    )
