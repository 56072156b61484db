"""Shapes of arguments that depend on each other; what does not fit is a TypeError, as in MuJoCo."""

from __future__ import annotations

import numpy as np


def check_same_size(**arrays: np.ndarray) -> None:
    """Raise TypeError unless all arrays have the same number of entries."""
    sizes = {name: array.size for name, array in arrays.items()}
    if len(set(sizes.values())) > 1:
        raise TypeError(f"expected arrays of the same size, got {sizes}")


def check_shape(name: str, array: np.ndarray, *shape: int) -> None:
    """Raise TypeError unless an array has a shape."""
    if array.shape != shape:
        raise TypeError(f"{name}: expected shape {shape}, got {array.shape}")


def as_matrix(array: np.ndarray) -> np.ndarray:
    """The array, or a view of a vector as a matrix of one column."""
    return array[:, None] if array.ndim == 1 else array


def checked_square(name: str, array: np.ndarray) -> np.ndarray:
    """A square matrix.  Raises TypeError for others."""
    array = as_matrix(array)
    check_shape(name, array, array.shape[0], array.shape[0])
    return array
