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
from cortenforge.compile.mesh.clean import face_cross
from cortenforge.compile.mesh.raw_mesh import MeshError
from cortenforge.compile.mesh.surface_kernels import (
    AREA,
    CENTRE,
    INNER,
    MINVAL,
    PRODUCTS,
    VOLUME,
    surface_sums,
)
from cortenforge.spec.rotation import Quaternion, Vector, vector

RELATIVE, ABSOLUTE = 1e-6, 1e-9
# meshes are in single precision: tolerances as measured on MuJoCo 4.0.0
OFF_EPS = 1e-7
EQUAL_EPS = 1e-7


@dataclass(frozen=True)
class MeshInertia:
    """Mass at density 1, centre of mass, principal axes, and the equivalent inertia box."""

    volume: float
    centre: Vector
    quat: Quaternion
    box: Vector


def measure_mesh(vert: np.ndarray, face: np.ndarray, solid: np.ndarray, kind: str) -> MeshInertia:
    """Volume and inertia of a mesh; solid: the faces that bound it (the hull's for "convex")."""
    sums = surface_sums(face, vert, solid, shell=kind == "shell", legacy=kind == "legacy")
    if sums[AREA] < MINVAL:
        raise MeshError("the area of its surface is too small")
    volume, centre = sums[VOLUME], sums[CENTRE : CENTRE + 3]
    if volume < MINVAL:
        if kind == "shell":
            raise MeshError("the area of its surface is too small")
        if volume < 0:
            raise MeshError("its volume is negative: faces are wound the wrong way")
        raise MeshError('its volume is too small; inertia="shell" needs none')
    volume = float(sums[INNER])
    moments, quat = diagonalised_inertia(_inertia(sums), OFF_EPS, EQUAL_EPS)
    if moments[2] <= 0:
        raise MeshError("its inertia has a moment that is not positive")
    a, b, c = moments
    for one, two, three in ((a, b, c), (a, c, b), (b, c, a)):
        if one + two < three * (1 - RELATIVE) - ABSOLUTE:
            raise MeshError("its inertia has a moment larger than the sum of the others")
    rest = (b + c - a, a + c - b, a + b - c)
    # a flat mesh has a side of 0, or of nan by rounding
    box = vector(0.5 * np.sqrt(6 * one / volume) for one in rest)
    return MeshInertia(volume, vector(centre.tolist()), quat, box)


def signed_volume(face: np.ndarray, vert: np.ndarray) -> float:
    """Signed volume inside a closed surface."""
    moved = vert - vert.mean(axis=0)
    return float(np.einsum("ij,ij->", face_cross(face, moved), moved[face[:, 0]]) / 6)


def row_dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Scalar products of the rows of (n, 3) arrays."""
    result: np.ndarray = a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2]
    return result


def _inertia(sums: np.ndarray) -> SymmetricMatrix:
    """Moments of inertia from integrals of products of coordinates."""
    xx, yy, zz, xy, xz, yz = sums[PRODUCTS:].tolist()
    return (yy + zz, xx + zz, xx + yy, -xy, -xz, -yz)
