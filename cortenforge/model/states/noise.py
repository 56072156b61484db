"""The generator of sensor noise, from a seed."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.step.sensing.noise import MAX_DRAW

if TYPE_CHECKING:
    from cortenforge.model.model import Model


def seeded_generator(model: Model, seed: int) -> np.ndarray:
    """State (seed, counter 0) of the noise generator; ArgumentError for an invalid seed."""
    if not model.nnoise:
        raise ArgumentError(
            "no sensor of this model has noise: set a standard deviation (noise=...)"
        )
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < MAX_DRAW:
        raise ArgumentError(f"seed: expected an integer below {int(MAX_DRAW)}, got {seed!r}")
    return np.array([number, 0.0])
