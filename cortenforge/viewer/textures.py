"""Textures for a browser: 2D textures, and cube maps as an atlas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.scene.backdrop import sky_cube_sides
from cortenforge.scene.textures import TEXTURE_2D, skybox_id, texture_pixels

if TYPE_CHECKING:
    from cortenforge.model import Model

CUBE_SIDES = 6
#: the front side (+z)
FRONT_SIDE = 4
#: rows of the background picture
SKY_ROWS = 256


def browser_pixels(model: Model, number: int) -> np.ndarray | None:
    """Pixels `(rows, columns, 3)`, of cube maps an atlas; None if the model has only a path."""
    sides = texture_pixels(model, number)
    if sides is None:
        return None
    if int(model.tex_type[number]) == TEXTURE_2D:
        return np.array(sides[0])
    return np.concatenate(cube_sides(sides))


def cube_sides(sides: np.ndarray) -> np.ndarray:
    """Six sides of a cube map; a single one stands for all."""
    return sides if len(sides) == CUBE_SIDES else np.repeat(sides[:1], CUBE_SIDES, axis=0)


def mean_colour(pixels: np.ndarray) -> np.ndarray:
    """Mean colour of a picture, from 0 to 1."""
    return np.asarray(pixels.reshape(-1, 3).mean(0) / 255.0)


def cube_atlas_uv(points: np.ndarray) -> np.ndarray:
    """Atlas coordinates of triangles (three points each), on the side that their middle is on."""
    points = points.reshape(-1, 3, 3)
    middle = points.mean(1)
    axis = np.abs(middle).argmax(1)
    negative = np.take_along_axis(middle, axis[:, None], 1)[:, 0] <= 0.0
    side = 2 * axis + negative
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    across = np.choose(side[:, None], [-z, z, x, x, x, -x])
    down = np.choose(side[:, None], [-y, -y, z, -z, -y, -y])
    along = np.maximum(np.choose(axis[:, None], [abs(x), abs(y), abs(z)]), 1e-12)
    u, v = 0.5 * across / along + 0.5, 0.5 * down / along + 0.5
    return np.stack([u, (np.clip(v, 0.0, 1.0) + side[:, None]) / CUBE_SIDES], 2).reshape(-1, 2)


def sky_gradient(model: Model, backdrop: str) -> np.ndarray | None:
    """A background picture: a vertical gradient of the sky, from its top to the horizon."""
    number = skybox_id(model, backdrop)
    if number < 0:
        return None
    sides = texture_pixels(model, number) if number < model.ntex else sky_cube_sides()
    if sides is None:
        return None
    # the upper half of the front side: cameras mostly look slightly down
    rows = cube_sides(sides)[FRONT_SIDE].mean(1)
    picked = rows[np.linspace(0, len(rows) // 2, SKY_ROWS).astype(int)]
    return np.repeat(picked[:, None, :], 2, axis=1).astype(np.uint8)
