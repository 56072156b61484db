"""Values that are given to all worlds of a batch, or to some."""

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


def copy_rows(target: np.ndarray, name: str, value: Any, worlds: np.ndarray | None) -> None:
    """Copy a value into the rows of some worlds of an `(n, ...)` array, or into all.

    value: one row for all of them, a row for each world of the batch, or one for each of `worlds`.
    """
    if worlds is None:
        copy_into(target, name, value)
        return
    target[worlds] = rows_of_worlds(real_numbers(name, value), name, target.shape, worlds)


def rows_of_worlds(
    array: np.ndarray, name: str, shape: tuple[int, ...], worlds: np.ndarray
) -> np.ndarray:
    """What of an array goes to some worlds: the row that it is, their rows, or all of its rows."""
    if array.shape == shape:
        own: np.ndarray = array[worlds]
        return own
    if array.shape in (shape[1:], (len(worlds), *shape[1:])):
        return array
    row = str(shape[1:])[1:-1].rstrip(",")
    raise ShapeError(
        f"{name}: expected a row ({row}), {shape[0]} rows, one a world of the batch, or "
        f"{len(worlds)}, one a world of the mask; got an array of shape {array.shape}"
    )


def real_numbers(name: str, value: Any) -> np.ndarray:
    """A value as an array of reals; None and text would become NaN, complex numbers lose a part."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise ShapeError(f"{name}: expected an array, got rows of different lengths") from None
    if array.dtype.kind not in "biuf":
        raise ShapeError(f"{name}: expected real numbers, got {value!r}"[:300])
    return array
