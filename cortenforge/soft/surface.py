"""Surfaces as (vertices, triangles): from arrays, trimesh meshes or files."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np

from cortenforge.disk import kind_of_file
from cortenforge.errors import SoftError
from cortenforge.soft.arguments import finite_array, positive_lengths

Surface = tuple[np.ndarray, np.ndarray]

LARGEST_FILE = 64 * 1024 * 1024
#: files that are one mesh and nothing else; archives may unfold to any size
FORMATS = ("stl", "obj", "ply", "off", "glb")


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
    vertices = finite_array("vertices", mesh[0], (-1, 3)) * positive_lengths("scale", scale, 3)
    return vertices, np.asarray(mesh[1])


def _loaded(path: str | os.PathLike[str]) -> Surface:
    import trimesh

    name = os.fspath(path)
    kind = os.path.splitext(name)[1].removeprefix(".").lower()
    if kind not in FORMATS:
        raise SoftError(
            f"{name}: files of this type are not supported, only {', '.join(FORMATS)}",
            "file",
            hint="trimesh.load_mesh reads more: give what it makes of the file",
        )
    try:
        found = trimesh.load_mesh(io.BytesIO(_content(name)), file_type=kind)
    except SoftError:
        raise
    except Exception as problem:  # readers of damaged files raise whatever comes up
        raise SoftError(f"{name}: cannot be read: {problem}", "file") from problem
    if not isinstance(found, trimesh.Trimesh) or not len(found.faces):
        raise SoftError(f"{name}: the file has no surface", "file")
    return np.array(found.vertices, float), np.array(found.faces)


def _content(name: str) -> bytes:
    """Content of a regular file of at most LARGEST_FILE bytes."""
    # a pipe must not block us
    handle = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as file:
        kind = kind_of_file(os.fstat(handle))
        if kind:
            raise SoftError(f"{name} is {kind}, not a mesh", "file")
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise SoftError(
            f"{name}: larger than the limit of {LARGEST_FILE // 2**20} MB for a mesh", "file"
        )
    return content
