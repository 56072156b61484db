"""Rays against a single primitive, and against the triangles of a skin."""

from __future__ import annotations

import numpy as np

from cortenforge.enums import GeomType
from cortenforge.kernel import mat3, vec3
from cortenforge.math.vector import into_frame
from cortenforge.mujoco.errors import FatalError
from cortenforge.mujoco.registry import function
from cortenforge.step.rays.primitives import hit_primitive, primitive_normal

PRIMITIVES = (
    GeomType.PLANE, GeomType.SPHERE, GeomType.CAPSULE, GeomType.ELLIPSOID, GeomType.CYLINDER,
    GeomType.BOX,
)  # fmt: skip


@function
def mju_rayGeom(
    pos: np.ndarray,
    mat: np.ndarray,
    size: np.ndarray,
    pnt: np.ndarray,
    vec: np.ndarray,
    geomtype: int,
    normal: np.ndarray | None,
) -> float:
    """Distance of a primitive along a ray, in lengths of vec, and its normal; -1 if missed."""
    if geomtype not in PRIMITIVES:
        raise FatalError(f"mju_rayGeom: unexpected geom type {geomtype}")
    if normal is not None:
        normal[:] = 0.0
    length = float(np.linalg.norm(vec))
    if not length > 0.0:
        return -1.0
    axes = mat3(*mat)
    p = into_frame(axes, vec3(*(pnt - pos)))
    v = into_frame(axes, vec3(*(vec / length)))
    half = vec3(*size)
    x, part = hit_primitive(geomtype, half, p, v)
    if x >= 0.0 and normal is not None:
        normal[:] = list(axes @ primitive_normal(geomtype, half, p + v * x, part))
    return x / length if x >= 0.0 else -1.0


@function
def mju_raySkin(
    nface: int,
    nvert: int,
    face: np.ndarray,
    vert: np.ndarray,
    pnt: np.ndarray,
    vec: np.ndarray,
    vertid: np.ndarray | None,
) -> float:
    """Distance of a skin along a ray, in lengths of vec, and the nearest vertex; -1 if missed.

    Source: Moeller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.
    """
    if nface < 0 or nvert < 0:
        raise ValueError(f"mju_raySkin: expected counts of 0 or more, got {nface} and {nvert}")
    if face.size != 3 * nface or vert.size != 3 * nvert:
        raise TypeError(
            f"mju_raySkin: expected {3 * nface} numbers in face and {3 * nvert} in vert, got "
            f"{face.size} and {vert.size}"
        )
    corners = face.reshape(-1, 3)
    if face.size and not (face.min() >= 0 and face.max() < nvert):
        raise ValueError(f"mju_raySkin: face has numbers of vertices outside of 0 to {nvert - 1}")
    if vertid is not None:
        vertid[0] = -1
    points = vert.reshape(-1, 3).astype(float)
    distance, hit = nearest_triangle(points[corners], pnt, vec)
    if hit < 0:
        return -1.0
    if vertid is not None:
        away = np.linalg.norm(points[corners[hit]] - (pnt + distance * vec), axis=1)
        vertid[0] = corners[hit, int(away.argmin())]
    return distance


def nearest_triangle(
    triangles: np.ndarray, start: np.ndarray, direction: np.ndarray
) -> tuple[float, int]:
    """Distance and number of the first of triangles `(n, 3, 3)` along a ray, or (-1, -1)."""
    a = triangles[:, 0]
    ab, ac, away = triangles[:, 1] - a, triangles[:, 2] - a, start - a
    across = np.cross(direction, ac)
    volume = (ab * across).sum(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = (away * across).sum(1) / volume
        turned = np.cross(away, ab)
        v = turned @ direction / volume
        far = (ac * turned).sum(1) / volume
        inside = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (far >= 0.0)
    if not inside.any():
        return -1.0, -1
    hit = int(np.where(inside, far, np.inf).argmin())
    return float(far[hit]), hit
