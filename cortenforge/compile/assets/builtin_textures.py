"""Builtin textures: gradient, checker, flat, and marks on them, byte for byte MuJoCo's.

A gradient blends two colours by a sigmoid of x in (-1, 1), scaled to reach 0 and 1 at the ends:

    share = (1 + sqrt(2) x / sqrt(1 + x^2)) / 2
    x = 2 r - 1 in 2d, r the distance from the centre; in a cube the elevation over 90 degrees
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from cortenforge.compile.assets.random_marks import marked_pixels
from cortenforge.spec import Element
from cortenforge.spec.attribute import keyword, number, numbers

HALF_PI = 0.5 * math.pi
CUBE_UP, CUBE_DOWN = 2, 3
CUBE_SIDES = (0, 1, 4, 5)
# pixels of a chunk, so few that it stays in the cache
BLEND_ROWS = 2**16


def color_bytes(element: Element, name: str) -> np.ndarray:
    """A colour as three bytes, as a cast from real numbers makes them."""
    return _bytes_as_in_c(255 * _color_values(element, name))


def builtin_flat(element: Element, width: int, height: int) -> np.ndarray:
    """A 2d texture (height, width, 3)."""
    image = np.empty((height, width, 3), np.uint8)
    first, second = color_bytes(element, "rgb1"), color_bytes(element, "rgb2")
    pattern = keyword(element, "builtin")
    if pattern == "gradient":
        x, y = _pixel_centres(width), -_pixel_centres(height)[:, None]
        colors = _color_values(element, "rgb2"), _color_values(element, "rgb1")
        _sigmoid_blend(image, y, lambda y: 2 * np.sqrt(x * x + y * y) - 1, *colors)
    elif pattern == "checker":
        _checker_pattern(image, first, second)
    else:
        image[:] = first
    _apply_marks(element, image[None])
    return image


def builtin_cube(element: Element, width: int) -> np.ndarray:
    """The six sides of a cube, one below another (6 * width, width, 3)."""
    cube = np.empty((6, width, width, 3), np.uint8)
    first, second = color_bytes(element, "rgb1"), color_bytes(element, "rgb2")
    pattern = keyword(element, "builtin")
    if pattern == "gradient":
        _gradient_cube(element, cube, width)
    elif pattern == "checker":
        for i, side in enumerate(cube):
            _checker_pattern(side, *((first, second) if i < 4 else (second, first)))
    else:
        cube[:] = first
        cube[CUBE_DOWN] = second
    _apply_marks(element, cube)
    return cube.reshape(6 * width, width, 3)


def _gradient_cube(element: Element, cube: np.ndarray, width: int) -> None:
    """Colours by elevation above the horizon."""
    colors = _color_values(element, "rgb1"), _color_values(element, "rgb2")
    x, y = _pixel_centres(width), -_pixel_centres(width)[:, None]

    def aside(y: np.ndarray) -> np.ndarray:
        result: np.ndarray = np.arcsin(y / np.sqrt(1 + x * x + y * y)) / HALF_PI
        return result

    def above(y: np.ndarray) -> np.ndarray:
        result: np.ndarray = 1 - np.arccos(1.0 / np.sqrt(1 + x * x + y * y)) / HALF_PI
        return result

    _sigmoid_blend(cube[0], y, aside, *colors)
    cube[CUBE_SIDES[1:],] = cube[0]
    _sigmoid_blend(cube[CUBE_UP], y, above, *colors)
    _sigmoid_blend(cube[CUBE_DOWN], y, lambda y: -above(y), *colors)


def _pixel_centres(count: int) -> np.ndarray:
    """Coordinates of pixels from -1 to 1; NaN for a single pixel."""
    return 2 * np.arange(count) / np.float64(count - 1) - 1


def _sigmoid_blend(
    image: np.ndarray,
    y: np.ndarray,
    place: Callable[[np.ndarray], np.ndarray],
    first: np.ndarray,
    second: np.ndarray,
) -> None:
    """Blend two colours by a sigmoid of place(y), some rows at a time."""
    rows = max(1, BLEND_ROWS // image.shape[1])
    for start in range(0, len(image), rows):
        part = slice(start, start + rows)
        position = place(y[part])
        share = 0.5 * (1 + position / np.sqrt(1 + position * position) / (1.0 / math.sqrt(2)))
        share = np.clip(share, 0, 1)
        rest = 1 - share
        for j in range(3):
            image[part, :, j] = _bytes_as_in_c(255 * (share * first[j] + rest * second[j]))


def _checker_pattern(image: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
    """Checker of 2 x 2 fields."""
    rows, columns = image.shape[0] // 2, image.shape[1] // 2
    image[:rows, :columns] = image[rows:, columns:] = first
    image[:rows, columns:] = image[rows:, :columns] = second


def _apply_marks(element: Element, images: np.ndarray) -> None:
    """Marks on each of several images (images, rows, columns, 3)."""
    kind, color = keyword(element, "mark"), color_bytes(element, "markrgb")
    rows, columns = images.shape[1:3]
    if kind == "edge":
        images[:, :, [0, columns - 1]] = color
        images[:, [0, rows - 1]] = color
    elif kind == "cross":
        images[:, :, columns // 2] = color
        images[:, rows // 2] = color
    elif kind == "random":
        pixels = images.reshape(-1, 3)
        marks = marked_pixels(len(pixels), number(element, "random"))
        for start in range(0, len(marks), BLEND_ROWS):
            part = slice(start, start + BLEND_ROWS)
            pixels[part][np.flatnonzero(marks[part])] = color


def _color_values(element: Element, name: str) -> np.ndarray:
    return np.array(numbers(element, name))


def _bytes_as_in_c(values: np.ndarray) -> np.ndarray:
    """Reals to bytes as C does it: towards zero, then the lowest byte of a 32-bit integer."""
    # false for nan, too
    fits = np.abs(values) < 2.0**31
    return np.where(fits, values, 0.0).astype(np.int32).astype(np.uint8)
