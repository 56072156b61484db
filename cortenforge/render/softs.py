"""Deformables: surfaces whose vertices are in the world, and chains of capsules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ObjType, SoftType
from cortenforge.render.layout import CASTS
from cortenforge.render.options import RenderOptions
from cortenforge.render.shapes import Library, soft_surface
from cortenforge.render.skins import put_surface
from cortenforge.render.things import Decor, Table, shown, table, together

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def soft_things(model: Model, data: Data, library: Library, options: RenderOptions) -> Table:
    """All deformables that are shown, where they are now."""
    chosen = np.flatnonzero(shown(np.asarray(model.soft_group), options.softgroup))
    chains = model.soft_type[chosen] == SoftType.CHAIN
    surfaces = chosen[~chains]
    for k in surfaces.tolist():
        # surfaces are as far out as they touch
        surface = soft_surface(model, data.softvert_pos, k)
        put_surface(library, library.soft[k], *surface, float(model.soft_radius[k]))
    made = table(
        len(surfaces), shape=np.array(library.soft, np.int32)[surfaces], scale=1.0,
        rgba=model.soft_rgba[surfaces], flags=CASTS,
        objtype=ObjType.FLEX, objid=surfaces,
    )  # fmt: skip
    return together([made, _chain_things(model, data, chosen[chains])])


def _chain_things(model: Model, data: Data, chosen: np.ndarray) -> Table:
    """A capsule for each segment."""
    decor = Decor()
    for k in chosen.tolist():
        first = int(model.soft_rodadr[k])
        radius = float(model.soft_radius[k])
        for a, b in model.softrod_vert[first : first + int(model.soft_rodnum[k])].tolist():
            decor.link(
                data.softvert_pos[a], data.softvert_pos[b], radius, model.soft_rgba[k],
                flags=CASTS, objtype=ObjType.FLEX, objid=k,
            )  # fmt: skip
    return decor.things()
