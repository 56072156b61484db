"""Signed distances of geoms and meshes, and heights of height fields, at given points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cortenforge.enums import GeomType
from cortenforge.errors import ArgumentError, ShapeError
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.load.run import run_on
from cortenforge.model.access.views import object_id
from cortenforge.query.linkers import point_linker
from cortenforge.query.points import geom_distances, hfield_heights, octree_distances

if TYPE_CHECKING:
    from cortenforge.model.model import Model


class Distances(NamedTuple):
    """Signed distances (...,), negative inside, and their gradients (..., 3)."""

    distance: np.ndarray
    gradient: np.ndarray


class Heights(NamedTuple):
    """Heights (...,) of a height field and normals (..., 3); NaN beside the field."""

    height: np.ndarray
    normal: np.ndarray


def distances_at(model: Model, key: str | int, points: Any) -> Distances:
    """Signed distances of points (..., 3) from a geom or a mesh, in its frame."""
    if not isinstance(key, str) or key in model.names["geom"]:
        geom = object_id(model, "geom", key)
        if model.geom_type[geom] != GeomType.MESH:
            if model.geom_type[geom] == GeomType.SDF and not model.geom_sdf[geom]:
                raise ArgumentError(
                    f"geom {key!r} has no signed distances: give it a grid with set_sdf"
                )
            return Distances(*_evaluate_points(model, geom_distances, geom, points, (3,)))
    mesh = _geom_or_asset(model, key, "mesh", (GeomType.MESH,))
    if model.mesh_octadr[mesh] < 0:
        raise ArgumentError(
            f"mesh {model.name_of('mesh', mesh)!r} has no signed distances: only meshes of "
            "geoms of type sdf have an octree of them"
        )
    value, slope = _evaluate_points(model, octree_distances, mesh, points, (3,))
    return Distances(value, slope)


def heights_at(model: Model, key: str | int, points: Any) -> Heights:
    """Heights of a height field at points (..., 2) or (..., 3) of its frame."""
    field = _geom_or_asset(model, key, "hfield", (GeomType.HFIELD,))
    value, slope = _evaluate_points(model, hfield_heights, field, points, (2, 3))
    return Heights(value, slope)


def _geom_or_asset(model: Model, key: str | int, kind: str, types: tuple[GeomType, ...]) -> int:
    """Id of the mesh or height field of a geom, by name or id, or of one by its own name."""
    if isinstance(key, str) and key not in model.names["geom"]:
        return object_id(model, kind, key)
    geom = object_id(model, "geom", key)
    if model.geom_type[geom] not in types:
        wanted = " or ".join(one.name.lower() for one in types)
        is_now = GeomType(model.geom_type[geom]).name.lower()
        raise ArgumentError(f"geom {key!r}: expected one of type {wanted}, it is a {is_now}")
    return int(model.geom_dataid[geom])


def _evaluate_points(
    model: Model, unit: Kernel, asset: int, points: Any, widths: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    given = np.asarray(points)
    if given.ndim == 0 or given.shape[-1] not in widths or given.dtype.kind not in "fiu":
        wanted = " or ".join(f"(..., {width})" for width in widths)
        raise ShapeError(f"points: expected numbers {wanted}, got {given.dtype}{given.shape}")
    shape = given.shape[:-1]
    rows = np.zeros((int(np.prod(shape)), 3))
    rows[:, : given.shape[-1]] = given.reshape(len(rows), given.shape[-1])
    query: dict[str, Any] = {
        "npoint": len(rows),
        "asset": asset,
        "point": rows,
        "value": np.full(len(rows), np.nan),
        "slope": np.full((len(rows), 3), np.nan),
        "wrong": np.full(1, -1, np.int32),
    }
    store = model._store
    run_on(unit, point_linker, {**store.arrays, **store.sizes}, query, small=False)
    if query["wrong"][0] >= 0:
        place = np.unravel_index(int(query["wrong"][0]), shape)
        where = ", ".join(map(str, place))
        raise ArgumentError(f"points[{where}] is {given[place].tolist()}: it must be finite")
    return query["value"].reshape(shape), query["slope"].reshape(*shape, 3)
