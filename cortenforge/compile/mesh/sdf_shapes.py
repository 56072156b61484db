"""Signed distance functions of geoms and meshes: MuJoCo's plugins, and users' grids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cortenforge.compile.mesh.raw_mesh import MeshError, RawMesh
from cortenforge.compile.mesh.surface_nets import surface_net
from cortenforge.enums import GeomType, SdfShape
from cortenforge.errors import ArgumentError
from cortenforge.fields import MODEL_FIELDS
from cortenforge.grammar.sdf_shapes import SDF_SHAPES
from cortenforge.grids import Grid
from cortenforge.kernel.load.run import run_on
from cortenforge.query.linkers import point_linker
from cortenforge.query.points import geom_distances
from cortenforge.spec import Element
from cortenforge.spec.attribute import keyword, number, number_list, numbers

#: parameters that a distance function can have
MOST_PARAMETERS = 5


@dataclass(frozen=True)
class DistanceShape:
    """A signed distance function: its kind and parameters, or its grid."""

    kind: SdfShape = SdfShape.NONE
    params: tuple[float, ...] = ()
    grid: Grid | None = None


def distance_shape_of(element: Element) -> DistanceShape:
    """The distance function that a mesh or a geom names; kind NONE if it names none."""
    name = keyword(element, "sdf")
    given = tuple(number_list(element, "sdfparams"))
    if name == "grid":
        return DistanceShape(SdfShape.GRID, grid=_grid_of(element))
    if not name:
        if given:
            raise element.error("parameters belong to a shape", "sdfparams")
        return DistanceShape()
    keys = SDF_SHAPES[name]
    if len(given) > len(keys):
        raise element.error(
            f"a {name} has {len(keys)} parameters ({' '.join(keys)}), not {len(given)}", "sdfparams"
        )
    params = (*given, *list(keys.values())[len(given) :])
    _check(element, name, dict(zip(keys, params, strict=True)))
    return DistanceShape(SdfShape[name.upper()], params)


def _check(element: Element, name: str, values: dict[str, float]) -> None:
    """Check parameters: positive sizes, a bowl lower than its ball, teeth of a gear."""
    for key, value in values.items():
        if key not in ("alpha", "innerdiameter", "height") and value <= 0:
            raise element.error(f"{key} of a {name} must be positive", "sdfparams")
    if name == "bowl" and abs(values["height"]) >= values["radius"]:
        raise element.error("height of a bowl must be less than its radius", "sdfparams")
    if name == "gear" and values["teeth"] < 4:
        raise element.error("a gear has at least 4 teeth", "sdfparams")


def _grid_of(element: Element) -> Grid:
    for name in ("sdfsize", "sdfcell", "sdfdata"):
        if not element.given(name):
            raise element.error("a grid of signed distances needs this", name)
    size = tuple(int(n) for n in np.asarray(element["sdfsize"]))
    data = np.array(number_list(element, "sdfdata"), float)
    x, y, z = size
    if min(size) < 2:
        raise element.error("a grid has at least 2 values along each axis", "sdfsize")
    if data.size != x * y * z:
        raise element.error(f"{data.size} values for a grid of {x} x {y} x {z}", "sdfdata")
    try:
        return Grid(
            data.reshape(z, y, x), number(element, "sdfcell"), numbers(element, "sdforigin")
        )
    except ArgumentError as problem:
        raise element.error(str(problem), "sdfcell") from None


def distance_shape_half_sizes(shape: DistanceShape) -> np.ndarray:
    """Half sizes of a box about the origin that contains a shape, as MuJoCo's plugins have it."""
    prm = shape.params
    if shape.kind == SdfShape.TORUS:
        return np.array((prm[0] + prm[1], prm[0] + prm[1], prm[1]))
    if shape.kind == SdfShape.BOWL:
        return np.full(3, prm[1] + prm[2])
    if shape.kind == SdfShape.GEAR:
        return np.array((0.625 * prm[1], 0.625 * prm[1], 0.55 * prm[3]))
    return np.array((0.6, 0.6, 1.0))


def distance_shape_mesh(shape: DistanceShape) -> RawMesh:
    """A triangle mesh of a distance function's surface."""
    return surface_net(
        lambda points: distance_shape_values(shape, points), distance_shape_half_sizes(shape)
    )


def distance_shape_values(
    shape: DistanceShape, points: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Signed distances and gradients at points, by the kernel that collisions use."""
    sizes = {name: 1 for field in MODEL_FIELDS for name in field.shape if isinstance(name, str)}
    arrays = {field.name: np.zeros(field.shape_for(sizes), field.dtype) for field in MODEL_FIELDS}
    arrays["geom_type"][:] = GeomType.SDF
    arrays["geom_sdf"][:] = shape.kind
    arrays["geom_sdfprm"][0, : len(shape.params)] = shape.params
    query: dict[str, Any] = {
        "npoint": len(points),
        "asset": 0,
        "point": np.ascontiguousarray(points, float),
        "value": np.zeros(len(points)),
        "slope": np.zeros((len(points), 3)),
        "wrong": np.zeros(1, np.int32),
    }
    run_on(geom_distances, point_linker, {**arrays, **sizes}, query, small=False)
    if query["wrong"][0] >= 0:
        raise MeshError("this shape is too large: points of its bounding box are not finite")
    return query["value"], query["slope"]
