"""Values of an array, each once: `np.unique` without NumPy's masked arrays, which it imports."""

from __future__ import annotations

import numpy as np


def distinct(values: np.ndarray) -> np.ndarray:
    """All values of an array in ascending order, each once."""
    ascending = np.sort(values, axis=None)
    first = np.ones(len(ascending), np.bool_)
    first[1:] = ascending[1:] != ascending[:-1]
    return ascending[first]
