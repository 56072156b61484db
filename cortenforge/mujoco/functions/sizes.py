"""Checks of sizes of arrays, with TypeErrors as in `mujoco`."""

from __future__ import annotations

from typing import Any

import numpy as np


def check_size(name: str, array: np.ndarray | None, size: int, what: str) -> None:
    """Raise TypeError unless an array, if it is given, has so many numbers."""
    if array is not None and array.size != size:
        raise TypeError(f"{name} should be of size {what}")


def check_shape(name: str, array: np.ndarray | None, shape: tuple[int, int], what: str) -> None:
    """Raise TypeError unless an array, if it is given, has a shape."""
    if array is not None and array.shape != shape:
        raise TypeError(f"{name} should be of shape {what}")


def check_index(name: str, index: int, count: int) -> None:
    """Raise IndexError for the number of an object that does not exist."""
    if not 0 <= index < count:
        raise IndexError(f"{name} {index} is out of range: there are {count}")


def give(target: np.ndarray | None, values: Any) -> None:
    """Copy values into an array, if it is given."""
    if target is not None:
        found = np.asarray(values)
        target[...] = found if found.shape == target.shape else found.reshape(target.shape)
