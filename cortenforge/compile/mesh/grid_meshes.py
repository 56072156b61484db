"""Builtin meshes on regular grids: grid, box, cylinder, ellipsoid, square, disc.

A solid one is its points, and its faces those of their convex hull; a surface has faces, and a box,
cylinder or ellipsoid is then open at the top.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cortenforge.compile.mesh.raw_mesh import MeshError, RawMesh
from cortenforge.spec.rotation import MIN_NORM

SOLID, SURFACE = 3, 2
KINDS = ("grid", "box", "cylinder", "ellipsoid", "square", "disc")
FLAT = ("square", "disc")
PARAMETERS = "count_x count_y count_z spacing_x spacing_y spacing_z"
MOST_POINTS = 100_000

# corners of a cell in a table of points (rows, columns): this one, and those one further on
HERE, DOWN, ACROSS, BOTH = (0, 0), (1, 0), (0, 1), (1, 1)


def grid_mesh(kind: str, params: tuple[float, ...]) -> RawMesh:
    """A mesh of one of these kinds."""
    allowed = (6,) if kind in FLAT else (6, 7)
    if len(params) not in allowed:
        more = "" if kind in FLAT else ", and dim"
        raise MeshError(
            f'builtin "{kind}" takes 6 parameters ({", ".join(PARAMETERS.split())}){more}, '
            f"not {len(params)}"
        )
    count = tuple(int(value) for value in params[:3])
    dim = int(params[6]) if len(params) == 7 else SURFACE if kind in FLAT else SOLID
    _check(kind, count, dim)
    spacing = np.array(params[3:6])
    if kind in ("grid", *FLAT):
        return _flat_grid(kind, count, spacing) if dim == SURFACE else _solid_grid(count, spacing)
    return _box_grid(kind, count, spacing, dim)


def _check(kind: str, count: tuple[int, ...], dim: int) -> None:
    if dim not in (SURFACE, SOLID):
        raise MeshError(f"dim is {dim}; it must be 2 or 3")
    least = (2, 2, 1) if kind in ("grid", *FLAT) and dim == SURFACE else (2, 2, 2)
    for name, number, low in zip(PARAMETERS.split()[:3], count, least, strict=True):
        if number < low:
            raise MeshError(f"{name} is {number}; it must be at least {low}")
    if least[2] == 1 and count[2] != 1:
        raise MeshError(f"count_z is {count[2]}; it must be 1 for a flat mesh")
    if count[0] * count[1] * count[2] > MOST_POINTS:
        raise MeshError(f"a grid of more than {MOST_POINTS:,} points")


def _centred(count: int, spacing: float) -> np.ndarray:
    return spacing * (np.arange(count) - 0.5 * (count - 1))


def _solid_grid(count: tuple[int, ...], spacing: np.ndarray) -> RawMesh:
    axes = [_centred(n, step) for n, step in zip(count, spacing, strict=True)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    return RawMesh(vert=points.reshape(-1, 3).astype(np.float32))


def _flat_grid(kind: str, count: tuple[int, ...], spacing: np.ndarray) -> RawMesh:
    """A rectangle, or a disc whose cells are split along radial diagonals."""
    x, y = np.meshgrid(*(_centred(count[i], spacing[i]) for i in range(2)), indexing="ij")
    points = np.stack([x, y, np.zeros_like(x)], axis=-1)
    place = np.arange(count[0] * count[1]).reshape(count[:2])
    faces = _triangles(place, (HERE, DOWN, BOTH), (HERE, BOTH, ACROSS))
    if kind == "disc":
        turned = _triangles(place, (HERE, DOWN, ACROSS), (DOWN, BOTH, ACROSS))
        left, below = x[:-1, :-1], y[:-1, :-1]
        other = ((left < -MIN_NORM) & (below > -MIN_NORM)) | (
            (left > -MIN_NORM) & (below < -MIN_NORM)
        )
        faces = np.where(np.repeat(other.ravel(), 2)[:, None], turned, faces)
        size = 0.5 * spacing[:2] * (np.array(count[:2]) - 1)
        points[..., :2] = _square_to_disc(points[..., :2]) * size
    vert = points.reshape(-1, 3).astype(np.float32)
    return RawMesh(vert=vert, face=faces.astype(np.int32), flat=True)


def _square_to_disc(points: np.ndarray) -> np.ndarray:
    """Points of squares about the origin moved radially onto circles."""
    reach = np.abs(points).max(axis=-1, keepdims=True)
    result: np.ndarray = _unit(points) * reach
    return result


def _unit(points: np.ndarray) -> np.ndarray:
    """Rows scaled to length 1; those near zero stay."""
    square = sum(points[..., i] * points[..., i] for i in range(points.shape[-1]))
    length = np.sqrt(np.where(square < MIN_NORM, 1.0, square))
    kept = np.abs(length - 1) <= MIN_NORM
    return points / np.where(kept, 1.0, length)[..., None]


def _triangles(place: np.ndarray, *corners: tuple[tuple[int, int], ...]) -> np.ndarray:
    """Triangles of the cells of a table of points, cell by cell."""
    rows, columns = place.shape[0] - 1, place.shape[1] - 1
    made = [
        np.stack([place[i : i + rows, j : j + columns] for i, j in three], axis=-1)
        for three in corners
    ]
    return np.stack(made, axis=2).reshape(-1, 3)


def _box_grid(kind: str, count: tuple[int, ...], spacing: np.ndarray, dim: int) -> RawMesh:
    """Points on the faces of a box, projected onto the shape; a solid has a centre point, too."""
    number = np.full(count, -1)
    order: list[np.ndarray] = []
    index = np.stack(np.meshgrid(*(np.arange(n) for n in count), indexing="ij"), axis=-1)
    top = count[2] if dim == SURFACE else count[2] - 1

    def add(part: tuple[slice | int, ...]) -> None:
        rows = index[part].reshape(-1, 3)
        number[tuple(rows.T)] = sum(len(some) for some in order) + np.arange(len(rows))
        order.append(rows)

    every, inner, rising = slice(None), slice(1, count[1] - 1), slice(1, top)
    for z in (0, count[2] - 1) if dim == SOLID else (0,):
        add((every, every, z))
    for y in (0, count[1] - 1):
        add((every, y, rising))
    for x in (0, count[0] - 1):
        add((x, inner, rising))
    points = _projection(kind)(2.0 * np.concatenate(order) / (np.array(count) - 1) - 1)
    points *= 0.5 * spacing * (np.array(count) - 1)
    if dim == SOLID:
        return RawMesh(vert=np.concatenate([np.zeros((1, 3)), points]).astype(np.float32))
    face = _box_faces(number).astype(np.int32)
    return RawMesh(vert=points.astype(np.float32), face=face, flat=True)


def _projection(kind: str) -> Callable[[np.ndarray], np.ndarray]:
    """The map from the cube [-1, 1]^3 to a shape."""
    if kind == "ellipsoid":
        return _unit
    if kind == "cylinder":
        return lambda points: np.hstack([_square_to_disc(points[:, :2]), points[:, 2:]])
    return lambda points: points


def _box_faces(number: np.ndarray) -> np.ndarray:
    """Bottom and four sides, counter-clockwise seen from outside."""
    bottom = _triangles(number[:, :, 0], (HERE, BOTH, DOWN), (HERE, ACROSS, BOTH))
    forward = ((HERE, DOWN, BOTH), (HERE, BOTH, ACROSS))
    backward = ((DOWN, HERE, ACROSS), (DOWN, ACROSS, BOTH))
    return np.concatenate(
        [
            bottom,
            _triangles(number[:, 0], *forward),
            _triangles(number[:, -1], *backward),
            _triangles(number[0], *backward),
            _triangles(number[-1], *forward),
        ]
    )
