"""Labels written over a finished picture, with Pillow."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from cortenforge.scene.camera import Lens

#: height of letters, in pixels
FONT_SIZE = 13
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


@cache
def _font() -> Any:
    """Pillow's built-in font."""
    from PIL import ImageFont

    return ImageFont.load_default(FONT_SIZE)
