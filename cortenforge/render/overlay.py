"""Labels written over a finished picture, with Pillow."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from cortenforge.scene.camera import Lens

#: height of letters, in pixels
FONT_SIZE = 13
#: pixels between columns of text, and from the edges of a picture
TEXT_GAP, TEXT_MARGIN = 12, 4
TEXT_RGBA, TEXT_SHADOW_RGBA = (255, 255, 255, 255), (0, 0, 0, 128)


def write_labels(picture: np.ndarray, lens: Lens, labels: list[tuple[Any, str]]) -> None:
    """Write labels (position in the world, text) on a picture, white with a shadow."""
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
            for shift, colour in ((1, TEXT_SHADOW_RGBA), (0, TEXT_RGBA)):
                place = (int(x) + shift, int(y) + shift)
                pen.text(place, text, fill=colour, font=_font(), anchor="ls")
    picture[:] = np.asarray(image)


def write_corner_text(picture: np.ndarray, corner: str, left: str, right: str) -> None:
    """Write two columns of lines at an edge or in a corner, such as "TOPLEFT" or "BOTTOM"."""
    from PIL import Image, ImageDraw

    image = Image.fromarray(picture)
    pen = ImageDraw.Draw(image, "RGBA")
    columns = [column.rstrip("\n") for column in (left, right) if column.strip()]
    boxes = [pen.multiline_textbbox((0, 0), text, font=_font()) for text in columns]
    wide = sum(box[2] for box in boxes) + TEXT_GAP * max(len(boxes) - 1, 0)
    high = max((box[3] for box in boxes), default=0)
    x = _placed(image.width - wide, "LEFT" in corner, "RIGHT" in corner)
    y = _placed(image.height - high, "TOP" in corner, "BOTTOM" in corner)
    for text, box in zip(columns, boxes, strict=True):
        for shift, colour in ((1, TEXT_SHADOW_RGBA), (0, TEXT_RGBA)):
            pen.multiline_text((x + shift, y + shift), text, fill=colour, font=_font())
        x += box[2] + TEXT_GAP
    picture[:] = np.asarray(image)


def _placed(room: float, first: bool, last: bool) -> float:
    """Where text begins, given the pixels that it leaves."""
    return TEXT_MARGIN if first else room - TEXT_MARGIN if last else 0.5 * room


@cache
def _font() -> Any:
    """Pillow's built-in font."""
    from PIL import ImageFont

    return ImageFont.load_default(FONT_SIZE)
