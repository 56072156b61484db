"""Mipmaps: all textures of a model as one array of texels, each halved until one is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.render.layout import MIP_LEVELS
from cortenforge.scene.backdrop import sky_cube_sides
from cortenforge.scene.textures import texture_pixels

if TYPE_CHECKING:
    from cortenforge.model import Model


def mipmap_arrays(model: Model) -> dict[str, np.ndarray]:
    """Arrays of all textures for kernels; the last texture is the sky of the backdrop."""
    count = model.ntex + 1
    arrays = {
        "tex_width": np.ones(count, np.int32),
        "tex_height": np.ones(count, np.int32),
        "tex_levels": np.ones(count, np.int32),
        "tex_level": np.zeros((count, MIP_LEVELS), np.int32),
        "tex_sides": np.ones(count, np.int32),
    }
    texels: list[np.ndarray] = [np.full(3, 255, np.uint8)]
    start = 3
    for k in range(count):
        sides = texture_pixels(model, k) if k < model.ntex else sky_cube_sides()
        if sides is None:
            continue
        arrays["tex_sides"][k], arrays["tex_height"][k], arrays["tex_width"][k] = sides.shape[:3]
        levels = mipmap_levels(sides)
        arrays["tex_levels"][k] = len(levels)
        for number, level in enumerate(levels):
            arrays["tex_level"][k, number] = start
            texels.append(level.reshape(-1))
            start += level.size
    arrays["texel"] = np.concatenate(texels)
    return arrays


def mipmap_levels(sides: np.ndarray) -> list[np.ndarray]:
    """Mipmap levels: the pixels, then means of two by two until one texel is left."""
    levels = [sides]
    exact = sides.astype(np.float32)
    while len(levels) < MIP_LEVELS and max(exact.shape[1:3]) > 1:
        for axis in (1, 2):
            even = exact.shape[axis] // 2 * 2
            if even:
                halves = np.take(exact, range(even), axis)
                first = np.take(halves, range(0, even, 2), axis)
                exact = 0.5 * (first + np.take(halves, range(1, even, 2), axis))
        levels.append(np.round(exact).astype(np.uint8))
    return levels
