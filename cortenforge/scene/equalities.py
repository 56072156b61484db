"""Equality constraints: the two anchor points of a connect or a weld."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import EqualityType, ObjType
from cortenforge.scene.decor_geoms import Decor
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.shapes import SPHERE

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def add_equalities(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add the two anchors of each active connect or weld as spheres."""
    radius = float(model.vis.scale.constraint) * float(model.stat_meansize)
    colours = (model.vis.rgba.connect, model.vis.rgba.constraint)
    for i in range(model.neq):
        kind = int(model.eq_type[i])
        if kind not in (EqualityType.CONNECT, EqualityType.WELD) or not data.eq_active[i]:
            continue
        for side, rgba in enumerate(colours):
            k = int((model.eq_obj1id, model.eq_obj2id)[side][i])
            if model.eq_objtype[i] == ObjType.SITE:
                pos = np.array(data.site_xpos[k])
            else:
                # eq_data holds a weld's anchor of body 2 first, a connect's anchor of body 1 first
                first = 3 * ((kind == EqualityType.WELD) != bool(side))
                own = np.array(model.eq_data[i, first : first + 3])
                pos = np.reshape(data.xmat[k], (3, 3)) @ own + data.xpos[k]
            more = {"objtype": ObjType.EQUALITY, "objid": i}
            decor.add(SPHERE, pos, np.eye(3), (radius,) * 3, rgba, **more)
            if options.label == "constraint":
                decor.name(model, "equality", i, pos)
