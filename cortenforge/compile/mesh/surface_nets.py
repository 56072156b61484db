"""Surface nets: a triangle mesh of a signed distance function's zero level.

A vertex for each grid cell in which the sign changes, at the mean of its edges' crossings; a quad
for each crossed edge, between the four cells around it. Meshes are closed and need no table of
cases. MuJoCo has marching cubes; in both, the mesh is for rendering, mass and bounds only.

Source: Gibson, "Constrained elastic surface nets", MICCAI 1998.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from cortenforge.compile.mesh.raw_mesh import MeshError, RawMesh

#: values along all three axes together; a cell more on each side, so that the surface is inside
RESOLUTION = 150
#: projection steps of vertices onto the surface
PROJECTION_STEPS = 3

Distances = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


def surface_net(distances: Distances, half: np.ndarray) -> RawMesh:
    """Mesh of a distance function in a box of half sizes `half` around the origin."""
    axes = _axes(half)
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    values = distances(points.reshape(-1, 3))[0].reshape(points.shape[:3])
    if not (values < 0).any():
        raise MeshError(
            "the signed distance function has no negative values: this shape has no inside"
        )
    vertex, cells = _vertices(values, axes)
    vertex = _project_onto_surface(vertex, distances, max(axis[1] - axis[0] for axis in axes))
    number = np.full(np.array(values.shape) - 1, -1, np.int64)
    number[tuple(cells.T)] = np.arange(len(cells))
    return RawMesh(
        vertex.astype(np.float32), face=_faces(values, number).astype(np.int32), in_place=True
    )


def _axes(half: np.ndarray) -> list[np.ndarray]:
    counts = np.maximum(np.floor(RESOLUTION * half / half.sum()).astype(int), 2)
    axes = []
    for extent, count in zip(half.tolist(), counts.tolist(), strict=True):
        cell = 2 * extent / count
        axes.append(np.linspace(-extent - cell, extent + cell, count + 3))
    return axes


def _edges() -> list[tuple[tuple[int, int, int], int]]:
    """The twelve edges of a cell: the corner at which one begins, and its axis."""
    return [
        (corner, axis)
        for corner in itertools.product((0, 1), (0, 1), (0, 1))
        for axis in range(3)
        if corner[axis] == 0
    ]


def _corner(values: np.ndarray, corner: tuple[int, ...]) -> np.ndarray:
    """Values at one corner of all cells."""
    nx, ny, nz = values.shape
    i, j, k = corner
    return values[i : nx - 1 + i, j : ny - 1 + j, k : nz - 1 + k]


def _vertices(values: np.ndarray, axes: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Vertices, and the cells they are of."""
    count = np.zeros(np.array(values.shape) - 1)
    total = np.zeros((*count.shape, 3))
    for corner, axis in _edges():
        end = tuple(1 if i == axis else c for i, c in enumerate(corner))
        a, b = _corner(values, corner), _corner(values, end)
        crossed = (a < 0) != (b < 0)
        share = np.where(crossed, a, 0.0) / np.where(crossed, a - b, 1.0)
        place = np.broadcast_to(np.array(corner, float), total.shape).copy()
        place[..., axis] += share
        total += np.where(crossed[..., None], place, 0.0)
        count += crossed
    cells = np.argwhere(count > 0)
    inside = total[tuple(cells.T)] / count[tuple(cells.T)][:, None]
    low = np.array([axis[0] for axis in axes])
    pace = np.array([axis[1] - axis[0] for axis in axes])
    return low + (cells + inside) * pace, cells


def _project_onto_surface(vertex: np.ndarray, distances: Distances, most: float) -> np.ndarray:
    """Vertices projected onto the surface along gradients, by at most a cell."""
    for _ in range(PROJECTION_STEPS):
        distance, gradient = distances(vertex)
        square = np.maximum((gradient**2).sum(axis=1), 1e-6)
        move = gradient * (np.clip(distance, -most, most) / square)[:, None]
        vertex = vertex - move * np.minimum(1.0, most / np.maximum(_length(move), 1e-12))[:, None]
    return vertex


def _length(rows: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.sqrt((rows**2).sum(axis=1))
    return found


def _faces(values: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Two triangles for each crossed edge, with outward normals."""
    found = []
    for axis in range(3):
        one, other = (axis + 1) % 3, (axis + 2) % 3
        low = np.take(values, range(values.shape[axis] - 1), axis)
        high = np.take(values, range(1, values.shape[axis]), axis)
        crossed = (low < 0) != (high < 0)
        # edges of the border have no four cells around them, and no crossing either
        at = np.argwhere(crossed)
        steps = np.zeros((4, 3), int)
        steps[1, one] = steps[2, one] = steps[2, other] = steps[3, other] = -1
        corners = np.stack([number[tuple((at + step).T)] for step in steps], axis=1)
        inward = low[tuple(at.T)] >= 0
        corners[inward] = corners[inward][:, ::-1]
        found += [corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]]
    return np.concatenate(found)
