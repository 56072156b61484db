"""Sky and lights for models without any, so that no picture is black by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cortenforge.model import Model

#: values of `RenderOptions.backdrop`
BACKDROPS = ("auto", "model")
#: colours of the sky at the horizon, straight up, and straight down
HORIZON, ZENITH, NADIR = (0.96, 0.97, 0.98), (0.60, 0.70, 0.82), (0.80, 0.82, 0.84)
#: texels a side of the sky
SKY_SIZE = 32
#: direction and colours of the key light, and ambient colour of the fill light
KEY_DIRECTION = np.array([0.3, 0.45, -1.0]) / np.linalg.norm([0.3, 0.45, -1.0])
KEY_DIFFUSE, KEY_SPECULAR, FILL_AMBIENT = (0.55, 0.55, 0.53), (0.2,) * 3, (0.25,) * 3


def sky_colours(height: np.ndarray) -> np.ndarray:
    """Colour of the sky as bytes, by sine of the elevation, from -1 (down) to 1 (up)."""
    up = np.clip(height, 0.0, 1.0)[..., None]
    down = np.sqrt(np.clip(-height, 0.0, 1.0))[..., None]
    colour = np.array(HORIZON) + up * np.subtract(ZENITH, HORIZON)
    colour = colour + down * np.subtract(NADIR, HORIZON)
    return np.asarray(np.round(255.0 * colour), np.uint8)


def sky_cube_sides() -> np.ndarray:
    """The sky as a cube map with its y axis up: `(6, rows, columns, 3)`."""
    middle = (np.arange(SKY_SIZE) + 0.5) / SKY_SIZE * 2.0 - 1.0
    v, u = np.meshgrid(middle, middle, indexing="ij")
    length = np.sqrt(1.0 + u * u + v * v)
    beside, above = sky_colours(-v / length), sky_colours(1.0 / length)
    return np.stack([beside, beside, above, sky_colours(-1.0 / length), beside, beside])


def key_light_position(model: Model) -> np.ndarray:
    """Position of the key light: outside of the model."""
    away = 2.0 * float(model.stat_extent) * KEY_DIRECTION
    return np.asarray(model.stat_center - away, float)
