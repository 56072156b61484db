"""Meshes of simple shapes: grids of triangles, boxes of tetrahedra; boundaries and edges."""

from __future__ import annotations

import numpy as np

Mesh = tuple[np.ndarray, np.ndarray]

#: five tetrahedra of a cube; corners by bits for x, y and z. Odd cubes are mirrored
EVEN = ((0, 1, 2, 4), (3, 2, 1, 7), (5, 1, 4, 7), (6, 4, 2, 7), (1, 2, 4, 7))
ODD = tuple(tuple(corner ^ 1 for corner in tet) for tet in EVEN)


def triangle_grid(nx: int, ny: int, size: np.ndarray) -> Mesh:
    """A rectangle about the origin in the xy plane, of nx by ny vertices; diagonals alternate."""
    x, y = (np.linspace(-0.5, 0.5, n) * length for n, length in zip((nx, ny), size, strict=True))
    grid = np.stack(np.meshgrid(x, y, [0.0], indexing="ij"), -1).reshape(-1, 3)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(nx - 1), np.arange(ny - 1), indexing="ij"))
    corner = i * ny + j
    a, b, c, d = corner, corner + ny, corner + ny + 1, corner + 1
    even = ((i + j) % 2 == 0)[:, None]
    first = np.where(even, np.stack([a, b, c], 1), np.stack([a, b, d], 1))
    second = np.where(even, np.stack([a, c, d], 1), np.stack([b, c, d], 1))
    return grid, np.stack([first, second], 1).reshape(-1, 3)


def tetrahedron_grid(count: np.ndarray, size: np.ndarray) -> Mesh:
    """A box about the origin, of cubes of five tetrahedra each; count: cubes along x, y, z."""
    axes = [
        np.linspace(-0.5, 0.5, n + 1) * length
        for n, length in zip(count.tolist(), size, strict=True)
    ]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    nx, ny, nz = count.tolist()
    i, j, k = (
        a.ravel() for a in np.meshgrid(np.arange(nx), np.arange(ny), np.arange(nz), indexing="ij")
    )
    steps = np.array([(ny + 1) * (nz + 1), nz + 1, 1])
    first = np.stack([i, j, k], 1) @ steps
    offsets = np.array([(bits & 1, bits >> 1 & 1, bits >> 2) for bits in range(8)]) @ steps
    even = ((i + j + k) % 2 == 0)[:, None, None]
    tets = np.where(even, offsets[np.array(EVEN)], offsets[np.array(ODD)])
    return grid, (first[:, None, None] + tets).reshape(-1, 4)


def boundary_triangles(tets: np.ndarray) -> np.ndarray:
    """Boundary triangles (n, 3) of tetrahedra, counter-clockwise from outside."""
    faces = tets[:, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]].reshape(-1, 3)
    _, first, count = np.unique(
        np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True
    )
    found: np.ndarray = faces[np.sort(first[count == 1])]
    return found


def unique_edges(cells: np.ndarray) -> np.ndarray:
    """Unique edges (n, 2) of triangles or tetrahedra, vertices in ascending order."""
    width = cells.shape[1]
    pairs = [(i, j) for i in range(width) for j in range(i + 1, width)]
    found: np.ndarray = np.unique(np.sort(cells[:, pairs].reshape(-1, 2), axis=1), axis=0)
    return found
