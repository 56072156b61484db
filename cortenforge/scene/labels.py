"""Labels: names of geoms, sites, skins and deformables, at their positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ObjType
from cortenforge.scene.decor_geoms import Decor
from cortenforge.scene.instances import InstanceTable
from cortenforge.scene.shapes import CAPSULE_BOTTOM, CAPSULE_TOP
from cortenforge.scene.surfaces_and_tubes import ExtraItem

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: labels of kinds that are in the instance table, and their object types
LABELLED_TYPES = {"geom": ObjType.GEOM, "site": ObjType.SITE}


def add_labels(
    decor: Decor,
    model: Model,
    data: Data,
    instances: InstanceTable,
    extra: list[ExtraItem],
    label: str,
) -> None:
    """Add names of geoms, sites, skins and deformables; decorations add their own labels."""
    if label in LABELLED_TYPES:
        own = instances["objtype"] == LABELLED_TYPES[label]
        # no label for a capsule's ends
        own &= ~np.isin(instances["shape"], (CAPSULE_TOP, CAPSULE_BOTTOM))
        for k in np.flatnonzero(own):
            decor.name(model, label, int(instances["objid"][k]), instances["pos"][k])
    for one in extra:
        if label == "flex" and one.objtype == ObjType.FLEX and len(one.vert):
            decor.name(model, "soft", one.objid, one.vert[0])
        elif label == "skin" and one.objtype == ObjType.SKIN:
            bone = int(model.skin_boneadr[one.objid])
            pos = data.xpos[int(model.skin_bonebodyid[bone])]
            decor.name(model, label, one.objid, pos)
