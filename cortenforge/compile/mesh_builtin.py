"""Meshes made from parameters."""

from __future__ import annotations

from cortenforge.compile.mesh_files import MeshError, RawMesh


def builtin_mesh(kind: str, params: tuple[float, ...]) -> RawMesh:
    """A mesh of one of MuJoCo's builtin kinds."""
    raise MeshError(f'builtin "{kind}" is not supported yet')
