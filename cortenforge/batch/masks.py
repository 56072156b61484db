"""Masks of worlds: which of a batch a call is for."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.errors import ShapeError

#: the type of a mask; there is one object of it
BOOL = np.dtype(bool)


def masked_worlds(mask: Any, n: int) -> np.ndarray:
    """Numbers of the worlds where a mask `(n,)` is true."""
    if not (type(mask) is np.ndarray and mask.dtype is BOOL and mask.shape == (n,)):
        try:
            mask = np.asarray(mask)
        except ValueError:
            raise ShapeError("mask: expected an array, got rows of different lengths") from None
        if mask.shape != (n,) or mask.dtype != bool:
            raise ShapeError(f"mask: expected {n} booleans, got {mask.dtype}{mask.shape}")
    chosen: np.ndarray = mask.nonzero()[0]
    return chosen
