"""Values that are given to all worlds of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.errors import ShapeError


def copy_into(target: np.ndarray, name: str, value: Any) -> None:
    """Copy a value into an `(n, ...)` array; a single world's value goes to all."""
    array = real_numbers(name, value)
    try:
        target[...] = np.broadcast_to(array, target.shape)
    except ValueError:
        raise ShapeError(
            f"{name}: expected an array of shape {target.shape}, got {array.shape}"
        ) from None


def real_numbers(name: str, value: Any) -> np.ndarray:
    """A value as an array of reals; None and text would become NaN, complex numbers lose a part."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise ShapeError(f"{name}: expected an array, got rows of different lengths") from None
    if array.dtype.kind not in "biuf":
        raise ShapeError(f"{name}: expected real numbers, got {value!r}"[:300])
    return array
