"""Preparation of a mesh: checks, normals, frame, winding.

Positions are in double precision here and kept in single, normals in single throughout, with
MuJoCo's order of roundings.
"""

from __future__ import annotations

import numpy as np

from cortenforge.compile.mesh.raw_mesh import MeshError, RawMesh
from cortenforge.compile.mesh.surface_kernels import MINVAL, vertex_normal_sums
from cortenforge.spec.rotation import (
    UNIT_QUAT,
    Quaternion,
    Vector,
    normalized,
    rotation_matrix,
)

# area below which a face does not count for the winding
LEAST_WOUND_AREA = 3.16e-8


def check_mesh(raw: RawMesh) -> None:
    """Raise an error if arrays do not fit one another, or are not finite."""
    count = len(raw.vert)
    if count < 4:
        raise MeshError(f"a mesh needs at least 4 vertices, and has {count}")
    for what, array in (("vertex", raw.vert), ("normal", raw.normal), ("texcoord", raw.texcoord)):
        finite = np.isfinite(array).all(axis=1)
        if not finite.all():
            raise MeshError(f"{what} {int(np.argmin(finite))} is not finite")
    if raw.face.size and (raw.face.min() < 0 or raw.face.max() >= count):
        bad = int(np.argmax(((raw.face < 0) | (raw.face >= count)).any(axis=1)))
        numbers = " ".join(str(i) for i in raw.face[bad])
        raise MeshError(
            f"face {bad} ({numbers}) refers to a vertex that does not exist: there are {count}"
        )
    alone = len(raw.texcoord) and not len(raw.facetexcoord) and raw.texcoord_per_vertex
    if alone and len(raw.texcoord) != count:
        raise MeshError(f"{len(raw.texcoord)} texture coordinates for {count} vertices")


def check_winding(face: np.ndarray, vert: np.ndarray) -> None:
    """Raise an error if two faces pass an edge in the same direction."""
    normal = face_cross(face, vert)
    area = 0.5 * np.sqrt(np.einsum("ij,ij->i", normal, normal))
    wound = face[area > LEAST_WOUND_AREA].astype(np.int64)
    edges = np.concatenate([wound[:, [0, 1]], wound[:, [1, 2]], wound[:, [2, 0]]])
    key = np.sort(edges[:, 0] * len(vert) + edges[:, 1])
    twice = np.flatnonzero(key[1:] == key[:-1])
    if len(twice):
        a, b = divmod(int(key[twice[0]]), len(vert))
        raise MeshError(
            f'inertia="exact" needs faces of one orientation; see those at vertices {a} and {b}'
        )


def face_cross(face: np.ndarray, vert: np.ndarray) -> np.ndarray:
    """Normals of faces, scaled by twice their areas."""
    a = vert[face[:, 0]]
    return cross(vert[face[:, 1]] - a, vert[face[:, 2]] - a)


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Vector products of rows."""
    return np.stack(
        [
            a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1],
            a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2],
            a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0],
        ],
        axis=1,
    )


def vertex_normals(face: np.ndarray, vert: np.ndarray, *, smooth: bool) -> np.ndarray:
    """Normals of vertices: area-weighted means of adjacent faces, without sharp ones."""
    total, sharp = vertex_normal_sums(face, vert, smooth=smooth)
    total -= sharp
    length = np.sqrt(
        total[:, 0] * total[:, 0] + total[:, 1] * total[:, 1] + total[:, 2] * total[:, 2]
    )
    short = length <= MINVAL
    total /= np.where(short, np.float32(1), length)[:, None]
    total[short] = (0, 0, 1)
    return total


def place_vertices(
    vert: np.ndarray, normal: np.ndarray, refpos: Vector, refquat: Quaternion, scale: Vector
) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and normals translated, rotated and scaled by refpos, refquat and scale."""
    if any(refpos):
        vert = vert - np.array(refpos)
    if refquat != UNIT_QUAT:
        turned = np.array(rotation_matrix(normalized(refquat))).reshape(3, 3)
        vert = rotate_rows(vert, turned.T)
        normal = rotate_rows(normal.astype(float), turned.T).astype(np.float32)
    if tuple(scale) != (1.0, 1.0, 1.0):
        vert = vert * np.array(scale)
        # normals are covectors
        normal = (normal.astype(float) / np.array(scale)).astype(np.float32)
    square = normal[:, 0] * normal[:, 0] + normal[:, 1] * normal[:, 1] + normal[:, 2] * normal[:, 2]
    short = square <= MINVAL
    factor = np.float32(1) / np.sqrt(np.where(short, np.float32(1), square))
    normal = normal * factor[:, None]
    normal[short] = (0, 0, 1)
    return vert, normal


def rotate_rows(rows: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """A matrix times each row."""
    x, y, z = rows[:, 0], rows[:, 1], rows[:, 2]
    return np.stack([m[0] * x + m[1] * y + m[2] * z for m in turn], axis=1)


def flip_winding(face: np.ndarray) -> np.ndarray:
    """Faces with opposite winding."""
    return face[:, [0, 2, 1]]
