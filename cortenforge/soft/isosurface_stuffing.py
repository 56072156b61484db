"""Surfaces filled with tetrahedra: isosurface stuffing of a body-centred cubic lattice.

The lattice has a point at each corner and in the middle of each cube, and its tetrahedra are all
alike. Points near the surface are snapped onto it, and of tetrahedra that it still cuts the part
inside is kept. So no tetrahedron is much worse than those of the lattice, and edges of the surface
that are sharper than a cell are bevelled. Diagonals of cut sides start at the vertex with the
lowest number, so that neighbours agree.

Source: Labelle and Shewchuk, "Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral
Angles" (2007).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from cortenforge.errors import SoftError
from cortenforge.soft.closed_surface import ClosedSurface
from cortenforge.soft.mesh_checks import check_triangles, vertex_rows

Mesh = tuple[np.ndarray, np.ndarray]

#: default number of cells along the longest side, and the largest number in all
USUAL_CELLS = 10
MOST_LATTICE_CELLS = 2_000_000
#: a point is snapped to a cut of one of its edges within this part of the edge: short, long ones
NEAR_SHORT, NEAR_LONG = 0.41189, 0.24999
SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))
EDGES = ((0, 1), (2, 3), (0, 2), (0, 3), (1, 2), (1, 3))


class Shape(Protocol):
    """A solid that can be filled: its box, an inside test, and where edges cross its surface."""

    low: np.ndarray
    high: np.ndarray

    def inside(self, points: np.ndarray) -> np.ndarray: ...

    def crossings(self, a: np.ndarray, b: np.ndarray) -> np.ndarray: ...


class Ellipsoid:
    """An ellipsoid about the origin."""

    def __init__(self, radii: np.ndarray) -> None:
        self.radii = radii
        self.low, self.high = -radii, radii

    def inside(self, points: np.ndarray) -> np.ndarray:
        """1 inside, -1 outside, 0 on the surface."""
        found: np.ndarray = np.sign(1 - ((points / self.radii) ** 2).sum(axis=1))
        return found

    def crossings(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Point (n, 3) of the surface on segments whose ends are on different sides."""
        start, step = a / self.radii, (b - a) / self.radii
        square, half = (step * step).sum(axis=1), (start * step).sum(axis=1)
        rest = (start * start).sum(axis=1) - 1
        root = np.sqrt(np.maximum(half**2 - square * rest, 0))
        # of the two points of the line the one between the ends
        part = np.where(rest < 0, root - half, -root - half) / square
        found: np.ndarray = a + np.clip(part, 0, 1)[:, None] * (b - a)
        return found


def fill_ball(radii: np.ndarray, cell: float) -> Mesh:
    """A ball or ellipsoid about the origin."""
    return _isosurface_stuffing(Ellipsoid(radii), cell or float(radii.max()) * 2 / USUAL_CELLS)


def fill_surface(vertices: np.ndarray, faces: np.ndarray, cell: float) -> Mesh:
    """A closed surface of triangles."""
    faces = vertex_rows("faces", faces, 3, len(vertices))
    check_triangles(vertices, faces)
    _check_closed(vertices, faces)
    size = float(np.ptp(vertices, axis=0).max())
    return _isosurface_stuffing(ClosedSurface(vertices[faces]), cell or size / USUAL_CELLS)


def _check_closed(vertices: np.ndarray, faces: np.ndarray) -> None:
    """Refuse surfaces with an edge of an odd number of triangles; equal corners count as one."""
    _, same = np.unique(np.round(vertices, 12), axis=0, return_inverse=True)
    edges = same.ravel()[faces][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    _, count = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    if (count % 2).any():
        raise SoftError(
            f"the surface has holes: {int((count % 2).sum())} edges have one side only",
            "mesh",
            hint="trimesh.repair.fill_holes closes small ones",
        )


def _isosurface_stuffing(shape: Shape, cell: float) -> Mesh:
    """(points, tetrahedra) that fill a shape."""
    points, tets = _lattice(shape.low, shape.high, cell)
    side = shape.inside(points)
    points, side = _snapped_to_surface(points, side, tets, shape)
    return _compacted(*_clipped_tetrahedra(points, side, tets, shape))


def _lattice(low: np.ndarray, high: np.ndarray, cell: float) -> Mesh:
    """Points and tetrahedra of a body-centred lattice around a box."""
    # reals, as integers would overflow
    wanted = np.maximum(1, np.ceil((high - low) / cell - 1e-9)) + 2
    if wanted.prod() > MOST_LATTICE_CELLS:
        raise SoftError(
            f"{wanted.prod():,.6g} cells are too many, at most {MOST_LATTICE_CELLS:,}",
            "cell",
            hint="give a larger cell",
        )
    count = wanted.astype(int)
    start = 0.5 * (low + high) - 0.5 * cell * count
    corner = np.stack(np.meshgrid(*(np.arange(n + 1) for n in count), indexing="ij"), -1)
    middle = np.stack(np.meshgrid(*(np.arange(n) for n in count), indexing="ij"), -1)
    points = np.concatenate([corner.reshape(-1, 3), middle.reshape(-1, 3) + 0.5]) * cell + start
    shape, total = corner.shape[:3], int(np.prod(corner.shape[:3]))

    def corners(at: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.ravel_multi_index(tuple(at.T), shape)
        return found

    tets = []
    for axis in range(3):
        # two neighbouring middles and an edge of the square between them
        first = middle[tuple(slice(0, n - (i == axis)) for i, n in enumerate(count))].reshape(-1, 3)
        step = np.eye(3, dtype=int)
        one = np.ravel_multi_index(tuple(first.T), tuple(count)) + total
        other = np.ravel_multi_index(tuple((first + step[axis]).T), tuple(count)) + total
        u, v = step[(axis + 1) % 3], step[(axis + 2) % 3]
        around = [corners(first + step[axis] + du * u + dv * v) for du, dv in SQUARE]
        for i in range(4):
            tets.append(np.stack([one, other, around[i], around[(i + 1) % 4]], axis=1))
    return points, np.concatenate(tets)


def _snapped_to_surface(
    points: np.ndarray, side: np.ndarray, tets: np.ndarray, shape: Shape
) -> tuple[np.ndarray, np.ndarray]:
    """Snap points to a cut of the surface near them on one of their edges; their side is 0."""
    edges = _crossed(tets, side)
    cut = np.tile(shape.crossings(points[edges[:, 0]], points[edges[:, 1]]), (2, 1))
    edges = np.concatenate([edges, edges[:, ::-1]])
    a, b = points[edges[:, 0]], points[edges[:, 1]]
    length = np.linalg.norm(b - a, axis=1)
    away = np.linalg.norm(cut - a, axis=1)
    # edges along axes are the long ones
    along = np.count_nonzero(np.abs(b - a) > 1e-6 * length[:, None], axis=1) == 1
    near = away < np.where(along, NEAR_LONG, NEAR_SHORT) * length
    order = np.lexsort((away[near], edges[near, 0]))
    moved, first = np.unique(edges[near, 0][order], return_index=True)
    points, side = points.copy(), side.copy()
    points[moved] = cut[near][order][first]
    side[moved] = 0.0
    return points, side


def _crossed(tets: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Edges (n, 2) whose ends are on different sides, each once."""
    edges = np.unique(np.sort(tets[:, EDGES].reshape(-1, 2), axis=1), axis=0)
    found: np.ndarray = edges[side[edges[:, 0]] * side[edges[:, 1]] < 0]
    return found


def _clipped_tetrahedra(
    points: np.ndarray, side: np.ndarray, tets: np.ndarray, shape: Shape
) -> Mesh:
    """The parts of tetrahedra that are inside, with points where edges are cut."""
    tets = tets[(side[tets] > 0).any(axis=1)]
    whole = (side[tets] >= 0).all(axis=1)
    kept, tets = [tets[whole]], tets[~whole]
    edges = _crossed(tets, side)
    cuts = shape.crossings(points[edges[:, 0]], points[edges[:, 1]])
    name = {(i, j): len(points) + n for n, (i, j) in enumerate(edges.tolist())}
    found: list[tuple[int, ...]] = []
    for tet, signs in zip(tets.tolist(), side[tets].tolist(), strict=True):
        found += _inner_part(tet, signs, name)
    kept.append(np.array(found, np.int64).reshape(-1, 4))
    return np.concatenate([points, cuts]), np.concatenate(kept)


def _inner_part(
    tet: list[int], signs: list[float], name: dict[tuple[int, int], int]
) -> list[tuple[int, ...]]:
    """Tetrahedra that fill the part of one on the side of its positive points."""
    plus = [v for v, s in zip(tet, signs, strict=True) if s > 0]
    zero = [v for v, s in zip(tet, signs, strict=True) if s == 0]
    minus = [v for v, s in zip(tet, signs, strict=True) if s < 0]

    def cut(p: int, m: int) -> int:
        return name[min(p, m), max(p, m)]

    if len(plus) == 1:
        p = plus[0]
        return [(p, *zero, *(cut(p, m) for m in minus))]
    if len(plus) == 2 and len(minus) == 1:
        p, q = plus
        return _pyramid(zero[0], [p, q, cut(q, minus[0]), cut(p, minus[0])])
    if len(plus) == 2:
        p, q = plus
        m, n = minus
        return _prism([p, cut(p, m), cut(p, n)], [q, cut(q, m), cut(q, n)])
    p, q, r = plus
    m = minus[0]
    return _prism([p, q, r], [cut(p, m), cut(q, m), cut(r, m)])


def _pyramid(apex: int, base: list[int]) -> list[tuple[int, ...]]:
    """Two tetrahedra; the diagonal of the base starts at its lowest vertex."""
    i = base.index(min(base))
    a, b, c, d = base[i:] + base[:i]
    return [(apex, a, b, c), (apex, a, c, d)]


def _prism(bottom: list[int], top: list[int]) -> list[tuple[int, ...]]:
    """Three tetrahedra; the diagonal of each side starts at its lowest vertex."""
    if min(top) < min(bottom):
        bottom, top = top, bottom
    i = bottom.index(min(bottom))
    a, b, c = bottom[i:] + bottom[:i]
    d, e, f = top[i:] + top[:i]
    return [(a, d, e, f), *_pyramid(a, [b, c, f, e])]


def _compacted(points: np.ndarray, tets: np.ndarray) -> Mesh:
    """Drop slivers and unused points, and sort points by coordinates."""
    corners = points[tets]
    volume = np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1]))
    sides = corners[:, None, :] - corners[:, :, None]
    longest = np.linalg.norm(sides, axis=3).max(axis=(1, 2))
    tets = tets[volume > 1e-3 * longest**3]
    if not len(tets):
        raise SoftError(
            "no tetrahedron fits inside the surface", "cell", hint="give a smaller cell"
        )
    used, tets = np.unique(tets, return_inverse=True)
    tets = tets.reshape(-1, 4)
    # numbers along x, then y, then z, so that neighbours are near each other in memory
    order = np.lexsort(np.round(points[used], 9).T[::-1])
    rank = np.argsort(order)
    return points[used][order], rank[tets]
