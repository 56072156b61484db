"""Volume (or area), centre of mass and inertia of a mesh, in four ways.

"convex" measures the hull, "exact" the mesh as it is, "legacy" counts every pyramid between a
face and the centre as positive, "shell" spreads the mass over the surface.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.compile.inertia import Symmetric, diagonalised
from cortenforge.compile.mesh_clean import MINVAL, face_cross
from cortenforge.compile.mesh_files import MeshError
from cortenforge.compile.rotation import Quaternion, Vector

RELATIVE, ABSOLUTE = 1e-6, 1e-9
# meshes are in single precision: axes as good as that will do, as measured on MuJoCo 4.0.0
OFF_EPS = 1e-7
EQUAL_EPS = 1e-7


@dataclass(frozen=True)
class Measure:
    """What a mesh weighs at density 1, where its centre is, and its inertia as a box."""

    volume: float
    centre: Vector
    quat: Quaternion
    box: Vector


def measure(vert: np.ndarray, face: np.ndarray, solid: np.ndarray, kind: str) -> Measure:
    """Measure a mesh; `solid` are the faces that bound it (the hull's for "convex")."""
    area, _, middle = _triangles(face, vert)
    if area.sum() < MINVAL:
        raise MeshError("the area of its surface is too small")
    about = (area @ middle) / area.sum()
    volume, centre = _volume(solid, vert, about, kind)
    if volume < MINVAL:
        if kind == "shell":
            raise MeshError("the area of its surface is too small")
        if volume < 0:
            raise MeshError("its volume is negative: faces are wound the wrong way")
        raise MeshError('its volume is too small; inertia="shell" needs none')
    volume, full = _inertia(solid, vert - centre, kind)
    moments, quat = diagonalised(full, OFF_EPS, EQUAL_EPS)
    if moments[2] <= 0:
        raise MeshError("its inertia has a moment that is not positive")
    a, b, c = moments
    for one, two, three in ((a, b, c), (a, c, b), (b, c, a)):
        if one + two < three * (1 - RELATIVE) - ABSOLUTE:
            raise MeshError("its inertia has a moment larger than the sum of the others")
    box = tuple(0.5 * np.sqrt(6 * (a + b + c - 2 * one) / volume) for one in moments)
    return Measure(float(volume), tuple(centre.tolist()), quat, tuple(float(x) for x in box))


def signed_volume(face: np.ndarray, vert: np.ndarray) -> float:
    """Volume inside a closed surface."""
    moved = vert - vert.mean(axis=0)
    return float(np.einsum("ij,ij->", face_cross(face, moved), moved[face[:, 0]]) / 6)


def _triangles(face: np.ndarray, vert: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Areas, unit normals and centres of faces; a face without area has area 0."""
    normal = face_cross(face, vert)
    length = np.sqrt(np.einsum("ij,ij->i", normal, normal))
    small = length < MINVAL
    unit = normal / np.where(small, 1.0, length)[:, None]
    middle = (vert[face[:, 0]] + vert[face[:, 1]] + vert[face[:, 2]]) / 3
    return np.where(small, 0.0, 0.5 * length), unit, middle


def _volume(
    face: np.ndarray, vert: np.ndarray, about: np.ndarray, kind: str
) -> tuple[float, np.ndarray]:
    """Volume (or area) and centre, from pyramids between a point and the faces."""
    area, normal, middle = _triangles(face, vert)
    part = area
    if kind != "shell":
        part = np.einsum("ij,ij->i", middle - about, normal) * area / 3
    if kind == "legacy":
        part = np.abs(part)
    total = part.sum()
    moment = part @ (middle * 0.75 + about / 4)
    return float(total), moment / total if total >= MINVAL else moment


def _inertia(face: np.ndarray, vert: np.ndarray, kind: str) -> tuple[float, Symmetric]:
    """Volume (or area) and moments of inertia about the origin."""
    area, normal, middle = _triangles(face, vert)
    part = area if kind == "shell" else np.einsum("ij,ij->i", middle, normal) * area / 3
    if kind == "legacy":
        part = np.abs(part)
    corners = [vert[face[:, i]] for i in range(3)]
    total = corners[0] + corners[1] + corners[2]
    weight = part / (12 if kind == "shell" else 20)
    # sum of products of all pairs of corners, each with itself counted twice
    product = (total * weight[:, None]).T @ total
    for corner in corners:
        product += (corner * weight[:, None]).T @ corner
    xx, yy, zz = product[0, 0], product[1, 1], product[2, 2]
    xy, xz, yz = -product[0, 1], -product[0, 2], -product[1, 2]
    full = (yy + zz, xx + zz, xx + yy, xy, xz, yz)
    return float(part.sum()), tuple(float(value) for value in full)
