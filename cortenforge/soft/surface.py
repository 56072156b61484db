"""Surfaces as vertices and triangles: of arrays, of trimesh's meshes, of files."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from cortenforge.errors import SoftError
from cortenforge.soft.given import lengths_of, reals

Surface = tuple[np.ndarray, np.ndarray]


def surface_of(mesh: Any, scale: Any = 1.0) -> Surface:
    """Vertices and triangles of a trimesh, of (vertices, faces), or of a file.

    Corners at the same place become one vertex, as files such as STL have a corner of its own for
    every triangle.
    """
    if isinstance(mesh, str | os.PathLike):
        mesh = _loaded(mesh)
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        mesh = (np.array(mesh.vertices), np.array(mesh.faces))
    if not isinstance(mesh, tuple | list) or len(mesh) != 2:
        raise SoftError(
            f"expected a mesh, (vertices, faces) or a file, got {type(mesh).__name__}", "mesh"
        )
    vertices = reals("vertices", mesh[0], (-1, 3)) * lengths_of("scale", scale, 3)
    return vertices, np.asarray(mesh[1])


def _loaded(path: str | os.PathLike[str]) -> Surface:
    import trimesh

    try:
        found = trimesh.load_mesh(os.fspath(path))
    except Exception as problem:  # readers of damaged files raise whatever comes up
        raise SoftError(f"{os.fspath(path)}: cannot be read: {problem}", "file") from problem
    if not isinstance(found, trimesh.Trimesh) or not len(found.faces):
        raise SoftError(f"{os.fspath(path)}: there is no surface in it", "file")
    return np.array(found.vertices, float), np.array(found.faces)
