"""Volume (or area), centre of mass and inertia of a mesh, as tetrahedra to its faces.

    V = sum of V_f,  V_f = A_f n.(c_f - p) / 3,  p the fourth corner;
    centre = sum of V_f (3 c_f + p) / 4 / V
    integral of x_i x_j = sum of V_f / 20 * sum over corners a, b of (1 + delta_ab) a_i b_j

"convex" uses the hull's faces, "exact" the mesh's, "legacy" counts each tetrahedron as positive,
"shell" spreads the mass over the surface (areas A_f, and 12 in place of 20). Terms and the order of
sums are MuJoCo's, so that a mesh has the same frame to the last bit: bounding volume trees are
sorted by centres of slivers, where one bit makes another tree.

Source: MuJoCo: XML reference, mesh/inertia.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.compile.elements.body_inertia import SymmetricMatrix, diagonalised_inertia
from cortenforge.compile.mesh.clean import MINVAL, face_cross
from cortenforge.compile.mesh.raw_mesh import MeshError
from cortenforge.spec.rotation import Quaternion, Vector, vector

RELATIVE, ABSOLUTE = 1e-6, 1e-9
# meshes are in single precision: tolerances as measured on MuJoCo 4.0.0
OFF_EPS = 1e-7
EQUAL_EPS = 1e-7
AXES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class MeshInertia:
    """Mass at density 1, centre of mass, principal axes, and the equivalent inertia box."""

    volume: float
    centre: Vector
    quat: Quaternion
    box: Vector


def measure_mesh(vert: np.ndarray, face: np.ndarray, solid: np.ndarray, kind: str) -> MeshInertia:
    """Volume and inertia of a mesh; solid: the faces that bound it (the hull's for "convex")."""
    parts = area, _, middle = _triangles(face, vert)
    whole = _sequential_sum(area)
    if whole < MINVAL:
        raise MeshError("the area of its surface is too small")
    about = _sequential_sum(area[:, None] * middle) / whole
    if solid is not face:
        parts = _triangles(solid, vert)
    volume, centre = _volume(parts, about, kind)
    if volume < MINVAL:
        if kind == "shell":
            raise MeshError("the area of its surface is too small")
        if volume < 0:
            raise MeshError("its volume is negative: faces are wound the wrong way")
        raise MeshError('its volume is too small; inertia="shell" needs none')
    volume, full = _inertia(solid, vert - centre, kind)
    moments, quat = diagonalised_inertia(full, OFF_EPS, EQUAL_EPS)
    if moments[2] <= 0:
        raise MeshError("its inertia has a moment that is not positive")
    a, b, c = moments
    for one, two, three in ((a, b, c), (a, c, b), (b, c, a)):
        if one + two < three * (1 - RELATIVE) - ABSOLUTE:
            raise MeshError("its inertia has a moment larger than the sum of the others")
    rest = (b + c - a, a + c - b, a + b - c)
    # a flat mesh has a side of 0, or of nan by rounding
    box = vector(0.5 * np.sqrt(6 * one / volume) for one in rest)
    return MeshInertia(float(volume), vector(centre.tolist()), quat, box)


def signed_volume(face: np.ndarray, vert: np.ndarray) -> float:
    """Signed volume inside a closed surface."""
    moved = vert - vert.mean(axis=0)
    return float(np.einsum("ij,ij->", face_cross(face, moved), moved[face[:, 0]]) / 6)


def _sequential_sum(terms: np.ndarray) -> np.ndarray:
    """Sum over the first axis, term by term in order."""
    return np.asarray(np.add.accumulate(terms, axis=0)[-1])


def row_dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Scalar products of the rows of (n, 3) arrays."""
    result: np.ndarray = a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2]
    return result


def _triangles(face: np.ndarray, vert: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Areas, unit normals and centroids of faces; a degenerate face has area 0."""
    normal = face_cross(face, vert)
    length = np.sqrt(row_dots(normal, normal))
    small = length < MINVAL
    unit = normal / np.where(small, 1.0, length)[:, None]
    middle = (vert[face[:, 0]] + vert[face[:, 1]] + vert[face[:, 2]]) / 3
    return np.where(small, 0.0, 0.5 * length), unit, middle


def _volume(
    triangles: tuple[np.ndarray, np.ndarray, np.ndarray], about: np.ndarray, kind: str
) -> tuple[float, np.ndarray]:
    """Volume (or area) and centre, from tetrahedra between a point and the faces."""
    area, normal, middle = triangles
    part = area
    if kind != "shell":
        part = row_dots(middle - about, normal) * area / 3
    if kind == "legacy":
        part = np.abs(part)
    total = float(_sequential_sum(part))
    moment = _sequential_sum(part[:, None] * (middle * 3 / 4 + about / 4))
    return total, moment / total if total >= MINVAL else moment


def _inertia(face: np.ndarray, vert: np.ndarray, kind: str) -> tuple[float, SymmetricMatrix]:
    """Volume (or area) and moments of inertia about the origin."""
    area, normal, middle = _triangles(face, vert)
    part = area if kind == "shell" else row_dots(middle, normal) * area / 3
    if kind == "legacy":
        part = np.abs(part)
    weight = part / (12 if kind == "shell" else 20)
    a, b, c = (np.ascontiguousarray(vert[face[:, i]].T) for i in range(3))
    products = []
    for i, j in AXES:
        # products of all pairs of corners, each with itself counted twice
        term = 2 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j])
        for p, q in ((a, b), (a, c), (b, c)):
            term += p[i] * q[j]
            term += p[j] * q[i]
        products.append(float(_sequential_sum(weight * term)))
    xx, yy, zz, xy, xz, yz = products
    return float(_sequential_sum(part)), (yy + zz, xx + zz, xx + yy, -xy, -xz, -yz)
