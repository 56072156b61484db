"""Selection of vertices: by numbers, a mask, a box, words such as "left", or a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cortenforge.errors import SoftError
from cortenforge.soft.arguments import finite_array, known_names_hint

#: vertices within this part of the largest extent count as on a side
SIDE_TOLERANCE = 1e-6
#: words for sides: axis, and whether it is the side of the highest coordinate
SIDES = {
    "left": (0, False),
    "right": (0, True),
    "front": (1, False),
    "back": (1, True),
    "bottom": (2, False),
    "top": (2, True),
}
SELECTION_WORDS = ("all", "first", "last", "ends", "corners", "border", *SIDES)

#: any of what `Deformable.select` takes
Choice = Any


def selected_vertices(
    choice: Choice, vertices: np.ndarray, border: Callable[[], np.ndarray]
) -> np.ndarray:
    """Numbers of vertices, in ascending order.

    choice: a number, several, a mask, a word of WORDS, a box (two corners), a list of words, or a
            function that is given all vertices and gives a mask.
    Raises SoftError if it selects no vertex.
    """
    found = np.flatnonzero(_selection_mask(choice, vertices, border))
    if not len(found):
        raise SoftError(f"the choice selects no vertex: {choice!r}"[:300], "vertices")
    return found


def _selection_mask(
    choice: Choice, vertices: np.ndarray, border: Callable[[], np.ndarray]
) -> np.ndarray:
    if callable(choice):
        return _as_mask(np.asarray(choice(vertices.copy())), len(vertices))
    if isinstance(choice, str):
        return _by_word(choice, vertices, border)
    if isinstance(choice, list | tuple) and choice and isinstance(choice[0], str):
        found = np.zeros(len(vertices), bool)
        for word in choice:
            found |= _selection_mask(word, vertices, border)
        return found
    try:
        array = np.asarray(choice)
    except ValueError:
        raise SoftError(
            f"expected a choice of vertices, got {choice!r}"[:300], "vertices"
        ) from None
    if array.dtype.kind == "b":
        return _as_mask(array, len(vertices))
    if array.shape == (2, 3):
        return _in_box(choice, vertices)
    return _by_number(array, len(vertices))


def _as_mask(array: np.ndarray, count: int) -> np.ndarray:
    if array.dtype.kind != "b" or array.shape != (count,):
        raise SoftError(
            f"expected a mask of {count} truth values, got {array.dtype} {array.shape}", "vertices"
        )
    return array


def _by_number(array: np.ndarray, count: int) -> np.ndarray:
    if array.dtype.kind not in "iu" or array.ndim > 1:
        raise SoftError(f"expected numbers of vertices, got {array!r}"[:300], "vertices")
    numbers = np.atleast_1d(array)
    wrong = numbers[(numbers < -count) | (numbers >= count)]
    if len(wrong):
        raise SoftError(f"there is no vertex {wrong[0]}; there are {count}, from 0 on", "vertices")
    mask = np.zeros(count, bool)
    mask[numbers] = True
    return mask


def _in_box(choice: Choice, vertices: np.ndarray) -> np.ndarray:
    low, high = finite_array("box", choice, (2, 3))
    inside: np.ndarray = ((vertices >= low) & (vertices <= high)).all(axis=1)
    return inside


def _by_word(word: str, vertices: np.ndarray, border: Callable[[], np.ndarray]) -> np.ndarray:
    mask = np.zeros(len(vertices), bool)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    reach = SIDE_TOLERANCE * float((high - low).max())
    if word == "all":
        mask[:] = True
    elif word in ("first", "last", "ends"):
        mask[{"first": [0], "last": [-1], "ends": [0, -1]}[word]] = True
    elif word == "border":
        mask[border()] = True
    elif word == "corners":
        for corner in np.stack(np.meshgrid(*zip(low, high, strict=True)), -1).reshape(-1, 3):
            mask[np.argmin(np.linalg.norm(vertices - corner, axis=1))] = True
    elif word in SIDES:
        axis, far = SIDES[word]
        mask = np.abs(vertices[:, axis] - (high if far else low)[axis]) <= reach
    else:
        raise SoftError(
            f"unknown choice of vertices {word!r}",
            "vertices",
            hint=known_names_hint(word, list(SELECTION_WORDS)),
        )
    return mask
