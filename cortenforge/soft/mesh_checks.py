"""Checks of meshes: indices, degenerate cells, duplicates, manifold edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.errors import SoftError
from cortenforge.soft.arguments import MAX_METRES, MIN_METRES

#: a triangle whose height is a smaller part of its longest edge is a needle
NEEDLE = 1e-3
#: a tetrahedron that is a smaller part of the cube of its longest edge is one, too
SLIVER = 1e-4
#: vertices nearer than this part of the whole size are one
COINCIDENT = 1e-9
MOST_VERTICES = 1_000_000


def check_count(name: str, vertices: int) -> None:
    """Refuse more vertices than memory is for, before any is made."""
    if vertices > MOST_VERTICES:
        raise SoftError(f"{vertices:,} vertices are too many, at most {MOST_VERTICES:,}", name)


def check_extent(vertices: np.ndarray) -> None:
    """Refuse coordinates too large or too small to be lengths in metres."""
    if not len(vertices):
        raise SoftError("there are no vertices", "vertices")
    check_count("vertices", len(vertices))
    far = np.flatnonzero(np.abs(vertices).max(axis=1) > MAX_METRES)
    if len(far):
        raise SoftError(
            f"vertex {far[0]} is farther than {MAX_METRES:g} m from the origin",
            "vertices",
            hint="lengths are in metres; `scale` makes a mesh smaller",
        )
    if len(vertices) > 1 and 0 < np.ptp(vertices, axis=0).max() < MIN_METRES:
        raise SoftError(
            f"all vertices are within {MIN_METRES:g} m",
            "vertices",
            hint="lengths are in metres; `scale` makes a mesh larger",
        )


def vertex_rows(name: str, given: Any, width: int, count: int) -> np.ndarray:
    """Rows of vertex numbers as integers (n, width); no vertex twice in a row."""
    try:
        found = np.asarray(given)
    except ValueError:
        raise SoftError("expected rows of one length", name) from None
    if found.ndim != 2 or found.shape[1] != width or not len(found):
        raise SoftError(f"expected an array of shape (n, {width}), got {found.shape}", name)
    if found.dtype.kind not in "iu":
        raise SoftError(f"expected integers, got {found.dtype}", name)
    wrong = np.argwhere((found < 0) | (found >= count))
    if len(wrong):
        row, column = wrong[0].tolist()
        raise SoftError(
            f"row {row} has vertex {found[row, column]}; there are {count}, from 0 on", name
        )
    ordered = np.sort(found, axis=1)
    twice = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if len(twice):
        raise SoftError(f"row {twice[0]} has a vertex twice", name)
    return found.astype(np.int64)


def check_used(cells: np.ndarray, count: int, name: str) -> None:
    """Refuse vertices that no cell has."""
    unused = np.setdiff1d(np.arange(count), cells)
    if len(unused):
        raise SoftError(
            f"vertex {unused[0]} is not used",
            name,
            hint="drop vertices that no triangle or tetrahedron has",
        )


def check_distinct(vertices: np.ndarray) -> None:
    """Refuse two vertices at the same place."""
    size = float(np.ptp(vertices, axis=0).max())
    cells = np.round(vertices / max(COINCIDENT * size, 1e-300)).astype(np.float64)
    _, first, inverse = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    repeated = np.flatnonzero(first[inverse.ravel()] != np.arange(len(vertices)))
    if len(repeated):
        one, other = int(first[inverse.ravel()[repeated[0]]]), int(repeated[0])
        raise SoftError(
            f"vertices {one} and {other} are at the same place",
            "vertices",
            hint="weld them: trimesh's merge_vertices does",
        )


def check_triangles(vertices: np.ndarray, faces: np.ndarray) -> None:
    """Refuse triangles without area, needles and duplicates."""
    corners = vertices[faces]
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    doubled = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    longest = edges.max(axis=1)
    thin = np.flatnonzero(doubled <= NEEDLE * longest**2)
    if len(thin):
        worst = int(thin[np.argmin(doubled[thin] / longest[thin] ** 2)])
        what = "has no area" if doubled[worst] <= 1e-12 * longest[worst] ** 2 else "is a needle"
        raise SoftError(
            f"triangle {worst} {what}: vertices {faces[worst].tolist()}",
            "faces",
            hint="remesh the surface, or weld and drop vertices",
        )
    _check_once(faces, "triangle", "faces")


def _check_once(cells: np.ndarray, what: str, name: str) -> None:
    _, first, inverse = np.unique(
        np.sort(cells, axis=1), axis=0, return_index=True, return_inverse=True
    )
    again = np.flatnonzero(first[inverse.ravel()] != np.arange(len(cells)))
    if len(again):
        raise SoftError(f"{what} {again[0]} is a duplicate", name)


def positively_oriented(vertices: np.ndarray, tets: np.ndarray) -> np.ndarray:
    """Tetrahedra with positive volumes: two vertices of inverted ones are exchanged.

    Raises SoftError for those without volume.
    """
    corners = vertices[tets]
    sides = corners[:, 1:] - corners[:, :1]
    volume = np.linalg.det(sides) / 6
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    longest = np.stack(
        [np.linalg.norm(corners[:, i] - corners[:, j], axis=1) for i, j in pairs]
    ).max(axis=0)
    flat = np.flatnonzero(np.abs(volume) <= SLIVER * longest**3)
    if len(flat):
        worst = int(flat[np.argmin(np.abs(volume[flat]) / longest[flat] ** 3)])
        what = "has no volume" if abs(volume[worst]) <= 1e-12 * longest[worst] ** 3 else "is flat"
        raise SoftError(
            f"tetrahedron {worst} {what}: vertices {tets[worst].tolist()}",
            "tets",
            hint="make the mesh anew: `SoftBody.from_mesh` fills a surface",
        )
    turned = tets.copy()
    turned[volume < 0] = turned[volume < 0][:, [0, 1, 3, 2]]
    _check_once(turned, "tetrahedron", "tets")
    return turned


def check_manifold(faces: np.ndarray) -> None:
    """Refuse edges with more than two triangles."""
    edges = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    found, count = np.unique(edges, axis=0, return_counts=True)
    many = np.flatnonzero(count > 2)
    if len(many):
        a, b = found[many[0]].tolist()
        raise SoftError(
            f"{count[many[0]]} triangles share the edge of vertices {a} and {b}",
            "faces",
            hint="a cloth is one sheet: at most two triangles at an edge",
        )
