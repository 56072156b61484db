"""Labels: names of geoms, sites, skins and deformables, at their positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ObjType
from cortenforge.render.pieces import Decor
from cortenforge.render.shapes import BOTTOM, TOP
from cortenforge.render.surfaces import Extra
from cortenforge.render.things import Table

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: labels of kinds that are in the instance table, and their object types
TYPES = {"geom": ObjType.GEOM, "site": ObjType.SITE}


def add_labels(
    decor: Decor, model: Model, data: Data, instances: Table, extra: list[Extra], label: str
) -> None:
    """Add names of geoms, sites, skins and deformables; decorations add their own labels."""
    if label in TYPES:
        own = instances["objtype"] == TYPES[label]
        # no label for a capsule's ends
        own &= ~np.isin(instances["shape"], (TOP, BOTTOM))
        for k in np.flatnonzero(own):
            decor.name(model, label, int(instances["objid"][k]), instances["pos"][k])
    for one in extra:
        if label == "flex" and one.objtype == ObjType.FLEX and len(one.vert):
            decor.name(model, "soft", one.objid, one.vert[0])
        elif label == "skin" and one.objtype == ObjType.SKIN:
            bone = int(model.skin_boneadr[one.objid])
            pos = data.xpos[int(model.skin_bonebodyid[bone])]
            decor.name(model, label, one.objid, pos)
