"""Skins by linear blend skinning.

With weights w_b, poses of bones (R_b, x_b) and their bind poses (R0_b, x0_b), a vertex is at

    v = sum of bones  w_b (R_b R0_b^T (v0 - x0_b) + x_b)

Source: MuJoCo: Computation, and XML Reference, "skin"; Magnenat-Thalmann, Laperriere and Thalmann,
Joint-Dependent Local Deformations for Hand Animation and Object Grasping (1988).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ObjType
from cortenforge.quaternions import rotation_matrices
from cortenforge.scene.instances import in_shown_groups
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.surfaces_and_tubes import ExtraItem, Surface

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def skin_surfaces(model: Model, data: Data, options: RenderOptions) -> list[ExtraItem]:
    """Surfaces of skins at the current poses of their bones.  Mirrors mjv_updateActiveSkin."""
    seen = in_shown_groups(np.asarray(model.skin_group), options.skingroup)
    return [
        Surface(
            _skinned_vertices(model, data, k), _faces(model, k), model.skin_rgba[k],
            int(model.skin_matid[k]), radius=float(model.skin_inflate[k]),
            texcoord=_texcoord(model, k), by_area=True, objtype=ObjType.SKIN, objid=k,
        )
        for k in np.flatnonzero(seen).tolist()
    ]  # fmt: skip


def _texcoord(model: Model, k: int) -> np.ndarray | None:
    first = int(model.skin_texcoordadr[k])
    if first < 0:
        return None
    return np.asarray(model.skin_texcoord[first : first + int(model.skin_vertnum[k])], float)


def _faces(model: Model, k: int) -> np.ndarray:
    first = int(model.skin_faceadr[k])
    return np.asarray(model.skin_face[first : first + int(model.skin_facenum[k])])


def _skinned_vertices(model: Model, data: Data, k: int) -> np.ndarray:
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
        bind = rotation_matrices(np.asarray(model.skin_bonebindquat[bone], float))
        turn = np.reshape(data.xmat[body], (3, 3)) @ bind.T
        away = bound[vertices] - np.asarray(model.skin_bonebindpos[bone], float)
        moved[vertices] += weights[:, None] * (away @ turn.T + data.xpos[body])
    return moved
