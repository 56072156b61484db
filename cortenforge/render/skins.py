"""Skins that follow their bones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.render.shapes import Library, units

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def move_skins(model: Model, data: Data, library: Library) -> None:
    """Put the vertices and normals of all skins where their bones are.  As mjv_updateActiveSkin."""
    for k in range(model.nskin):
        vert, face = _moved(model, data, k), _faces(model, k)
        put_surface(library, library.skin[k], vert, face, float(model.skin_inflate[k]))


def put_surface(
    library: Library, shape: int, vert: np.ndarray, face: np.ndarray, inflate: float
) -> None:
    """Give a shape of a library other vertices, moved out along normals, and the normals."""
    normal = _smooth_normals(vert, face)
    first, count = library.arrays["shape_vert"][shape]
    inflated = vert + inflate * normal
    library.arrays["vert"][first : first + count] = inflated
    # it has a normal for each vertex, in the same order
    start = int(library.arrays["face_normal"][library.arrays["shape_face"][shape, 0], 0])
    start -= int(face[0, 0])
    library.arrays["normal"][start : start + count] = normal
    library.radius[shape] = np.sqrt((inflated**2).sum(1).max())


def _faces(model: Model, k: int) -> np.ndarray:
    first = int(model.skin_faceadr[k])
    return np.asarray(model.skin_face[first : first + int(model.skin_facenum[k])])


def _moved(model: Model, data: Data, k: int) -> np.ndarray:
    adr, count = int(model.skin_vertadr[k]), int(model.skin_vertnum[k])
    bound = np.asarray(model.skin_vert[adr : adr + count], float)
    moved = np.zeros_like(bound)
    first = int(model.skin_boneadr[k])
    for bone in range(first, first + int(model.skin_bonenum[k])):
        start = int(model.skin_bonevertadr[bone])
        own = slice(start, start + int(model.skin_bonevertnum[bone]))
        vertices = np.asarray(model.skin_bonevertid[own])
        weights = np.asarray(model.skin_bonevertweight[own], float)
        body = int(model.skin_bonebodyid[bone])
        turn = np.reshape(data.xmat[body], (3, 3)) @ _matrix(model.skin_bonebindquat[bone]).T
        away = bound[vertices] - np.asarray(model.skin_bonebindpos[bone], float)
        moved[vertices] += weights[:, None] * (away @ turn.T + data.xpos[body])
    return moved


def _matrix(quat: np.ndarray) -> np.ndarray:
    w, x, y, z = (float(n) for n in quat)
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


def _smooth_normals(vert: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Normals of vertices, from their triangles by area."""
    a, b, c = (vert[face[:, k]] for k in range(3))
    areas = np.cross(b - a, c - a)
    normal = np.zeros_like(vert)
    for k in range(3):
        np.add.at(normal, face[:, k], areas)
    return units(normal)
