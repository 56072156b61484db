"""Deformables as they are drawn: cloth as sheets, soft bodies as surfaces, chains as tubes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ObjType, SoftType
from cortenforge.render.options import RenderOptions
from cortenforge.render.surfaces import Extra, Surface, Tubes
from cortenforge.render.things import shown

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def softs_of(model: Model, data: Data, options: RenderOptions) -> list[Extra]:
    """Deformables where their vertices are."""
    seen = shown(np.asarray(model.soft_group), options.flexgroup)
    return [_soft(model, data, k) for k in np.flatnonzero(seen).tolist()]


def _soft(model: Model, data: Data, k: int) -> Extra:
    first, count = int(model.soft_vertadr[k]), int(model.soft_vertnum[k])
    vert = np.array(data.softvert_pos[first : first + count])
    rgba, radius = model.soft_rgba[k], float(model.soft_radius[k])
    if int(model.soft_type[k]) == SoftType.CHAIN:
        start = int(model.soft_rodadr[k])
        edge = np.asarray(model.softrod_vert)[start : start + int(model.soft_rodnum[k])] - first
        return Tubes(vert, edge, radius, rgba=rgba, objtype=ObjType.FLEX, objid=k)
    start = int(model.soft_faceadr[k])
    face = np.asarray(model.softface_vert)[start : start + int(model.soft_facenum[k])] - first
    return Surface(
        vert, face, rgba, sheet=int(model.soft_type[k]) == SoftType.CLOTH, radius=radius,
        objtype=ObjType.FLEX, objid=k,
    )  # fmt: skip
