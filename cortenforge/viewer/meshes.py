"""Triangle meshes for a browser: shapes of the library, transformed and joined."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cortenforge.scene.shapes import ShapeLibrary


@dataclass(frozen=True)
class Texture:
    """A texture: pixels `(rows, columns, 3)`, and the colour that they are multiplied by."""

    pixels: np.ndarray
    rgba: tuple[float, float, float, float]


@dataclass(frozen=True)
class Mesh:
    """A triangle mesh; with a texture, uv has its origin at the left and the top."""

    vert: np.ndarray
    normal: np.ndarray
    face: np.ndarray
    uv: np.ndarray | None = None
    texture: Texture | None = None

    @cached_property
    def key(self) -> str:
        """Hash of the content: equal for meshes that look the same."""
        content = hashlib.sha1(usedforsecurity=False)
        # rounded, so that rounding errors make no difference
        content.update(np.round(self.vert, 6).astype(np.float32).tobytes())
        content.update(self.face.astype(np.uint32).tobytes())
        if self.texture is not None and self.uv is not None:
            content.update(self.uv.astype(np.float32).tobytes())
            content.update(np.ascontiguousarray(self.texture.pixels).tobytes())
            content.update(repr(self.texture.rgba).encode())
        return content.hexdigest()


@dataclass(frozen=True)
class VertexShape:
    """A shape with one normal and one texture coordinate for each vertex."""

    vert: np.ndarray
    normal: np.ndarray
    texcoord: np.ndarray
    face: np.ndarray


def vertex_shape(library: ShapeLibrary, shape: int, *, apart: bool = False) -> VertexShape:
    """A shape of the library, with vertices split where normals or coordinates differ.

    apart: split all vertices, so that triangles share none.
    """
    arrays = library.arrays
    first, count = (int(n) for n in arrays["shape_face"][shape])
    rows = slice(first, first + count)
    names = ("face", "face_normal", "face_texcoord")
    corners = np.stack([arrays[name][rows].reshape(-1) for name in names], 1)
    if apart:
        kept, numbers = corners, np.arange(len(corners))
    else:
        # one key for the three indices of a corner: sorted ten times as fast as rows
        low, wide = corners.min(0), np.ptp(corners, axis=0).astype(np.int64) + 1
        a, b, c = (corners - low).astype(np.int64).T
        _, first_of, numbers = np.unique(
            (a * wide[1] + b) * wide[2] + c, return_index=True, return_inverse=True
        )
        kept = corners[first_of]
    return VertexShape(
        arrays["vert"][kept[:, 0]],
        arrays["normal"][kept[:, 1]],
        arrays["texcoord"][kept[:, 2]],
        numbers.reshape(-1, 3),
    )


def transformed_mesh(
    corners: VertexShape, scale: np.ndarray, pos: np.ndarray, mat: np.ndarray
) -> Mesh:
    """Scale, rotate and translate a shape to a mesh."""
    # normals transform by the inverse transpose
    normal = corners.normal / np.where(scale == 0.0, 1.0, scale)
    normal = normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    return Mesh((corners.vert * scale) @ mat.T + pos, normal @ mat.T, corners.face)


def join_meshes(meshes: list[Mesh]) -> Mesh:
    """Concatenate meshes, all with the same texture or none."""
    starts = np.cumsum([0, *(len(mesh.vert) for mesh in meshes)])
    uvs = [mesh.uv for mesh in meshes if mesh.uv is not None]
    return Mesh(
        np.concatenate([mesh.vert for mesh in meshes]),
        np.concatenate([mesh.normal for mesh in meshes]),
        np.concatenate([mesh.face + n for mesh, n in zip(meshes, starts, strict=False)]),
        np.concatenate(uvs) if uvs else None,
        meshes[0].texture,
    )


def quats_from_matrices(mats: np.ndarray) -> np.ndarray:
    """Quaternions `(n, 4)`, real part first, of rotation matrices `(n, 3, 3)`.

    As scipy's `Rotation.from_matrix`, of which 10 take 0.5 ms a call, here 0.1, and which raises
    for matrices with a NaN.
    """
    m = np.asarray(mats, float).reshape(-1, 3, 3)
    x, y, z = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    # squares of the four components, times four; dividing by the largest is stable
    squares = np.stack([1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z], 1)
    a, b, c = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    d, e, f = m[:, 1, 0] + m[:, 0, 1], m[:, 0, 2] + m[:, 2, 0], m[:, 2, 1] + m[:, 1, 2]
    tables = np.stack(
        [
            np.stack([squares[:, 0], a, b, c], 1),
            np.stack([a, squares[:, 1], d, e], 1),
            np.stack([b, d, squares[:, 2], f], 1),
            np.stack([c, e, f, squares[:, 3]], 1),
        ],
        1,
    )
    chosen = tables[np.arange(len(m)), squares.argmax(1)]
    return np.asarray(chosen / np.maximum(np.linalg.norm(chosen, axis=1, keepdims=True), 1e-300))
