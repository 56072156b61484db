"""Textures of a model as pixels, and which of them is the sky."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.errors import ModelError

if TYPE_CHECKING:
    from cortenforge.model import Model

#: tex_type
TEXTURE_2D, TEXTURE_CUBE, TEXTURE_SKYBOX = 0, 1, 2
COLORSPACE_SRGB = 2


def texture_pixels(model: Model, k: int) -> np.ndarray | None:
    """Linear pixels `(sides, rows, columns, 3)` of texture k; None if the model has only a path."""
    wide, high = int(model.tex_width[k]), int(model.tex_height[k])
    channels, first = int(model.tex_nchannel[k]), int(model.tex_adr[k])
    if first < 0 or channels < 3 or wide * high == 0:
        return None
    flat, last = int(model.tex_type[k]) == TEXTURE_2D, first + wide * high * channels
    if min(wide, high) < 0 or last > len(model.tex_data) or (not flat and high % wide):
        raise ModelError(
            f"texture {k}: {wide} by {high} pixels of {channels} channels, starting at {first}, do "
            f"not fit in tex_data, which has {len(model.tex_data)} bytes"
        )
    pixels = np.asarray(model.tex_data[first:last])
    pixels = pixels.reshape(-1, wide, channels)[..., :3]
    if int(model.tex_colorspace[k]) == COLORSPACE_SRGB:
        pixels = _srgb_to_linear()[pixels]
    if flat:
        return pixels[None]
    # one side that stands for all six, or six sides below one another
    return pixels.reshape(-1, wide, wide, 3)


def _srgb_to_linear() -> np.ndarray:
    """Lookup table from bytes of sRGB to bytes of linear light (IEC 61966-2-1)."""
    s = np.arange(256) / 255.0
    light = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
    return np.round(255.0 * light).astype(np.uint8)


def skybox_id(model: Model, backdrop: str) -> int:
    """The first skybox texture; without one, `ntex` for the backdrop's sky, or -1 for none."""
    found = np.flatnonzero(np.asarray(model.tex_type) == TEXTURE_SKYBOX)
    if len(found):
        return int(found[0])
    return int(model.ntex) if backdrop == "auto" else -1
