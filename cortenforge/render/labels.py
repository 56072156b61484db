"""Words on a picture: names of things, where these are."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import ObjType
from cortenforge.render.camera import Lens
from cortenforge.render.pieces import Decor
from cortenforge.render.shapes import BOTTOM, TOP
from cortenforge.render.surfaces import Extra
from cortenforge.render.things import Table

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: pixels that letters are high
LETTERS = 13
WHITE, SHADOW = (255, 255, 255, 255), (0, 0, 0, 128)
#: labels of what is in the tables of things, and the types of these
TYPES = {"geom": ObjType.GEOM, "site": ObjType.SITE}


def add_labels(
    decor: Decor, model: Model, data: Data, things: Table, extra: list[Extra], label: str
) -> None:
    """Names of geoms, sites, skins and deformables; other things have theirs already."""
    if label in TYPES:
        own = things["objtype"] == TYPES[label]
        # a capsule's ends have none
        own &= ~np.isin(things["shape"], (TOP, BOTTOM))
        for k in np.flatnonzero(own):
            decor.name(model, label, int(things["objid"][k]), things["pos"][k])
    for one in extra:
        if label == "flex" and one.objtype == ObjType.FLEX and len(one.vert):
            decor.name(model, label, one.objid, one.vert[0])
        elif label == "skin" and one.objtype == ObjType.SKIN:
            bone = int(model.skin_boneadr[one.objid])
            pos = data.xpos[int(model.skin_bonebodyid[bone])]
            decor.name(model, label, one.objid, pos)


def write_labels(picture: np.ndarray, lens: Lens, labels: list[tuple[Any, str]]) -> None:
    """Write words on a picture, white with a shadow; they begin where they belong."""
    if not labels:
        return
    from PIL import Image, ImageDraw

    image = Image.fromarray(picture)
    pen = ImageDraw.Draw(image, "RGBA")
    for pos, text in labels:
        x, y, z = lens.matrix @ np.asarray(pos, float) + lens.offset
        if not lens.parallel:
            if not lens.near < z < lens.far:
                continue
            x, y = x / z, y / z
        if 0 <= x < image.width and 0 <= y < image.height:
            for shift, colour in ((1, SHADOW), (0, WHITE)):
                place = (int(x) + shift, int(y) + shift)
                pen.text(place, text, fill=colour, font=_font(), anchor="ls")
    picture[:] = np.asarray(image)


@cache
def _font() -> Any:
    """The font that Pillow brings along."""
    from PIL import ImageFont

    return ImageFont.load_default(LETTERS)
