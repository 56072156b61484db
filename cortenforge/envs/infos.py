"""Infos of vector environments: an array for each key, and a mask of the worlds that have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def add_rows(
    infos: dict[str, Any], values: Mapping[str, np.ndarray], rows: np.ndarray, n: int
) -> None:
    """Add values `(k, ...)` of some worlds; those of the others are zero until they are added."""
    for key, value in values.items():
        if key not in infos:
            infos[key] = np.zeros((n, *value.shape[1:]), value.dtype)
            infos[f"_{key}"] = np.zeros(n, bool)
        infos[key][rows] = value
        infos[f"_{key}"][rows] = True


def of_all(values: Mapping[str, np.ndarray], n: int) -> dict[str, Any]:
    """Infos of all worlds."""
    infos: dict[str, Any] = {}
    for key, value in values.items():
        infos[key] = np.array(value)
        infos[f"_{key}"] = np.ones(n, bool)
    return infos


def objects(values: Mapping[int, Any], n: int) -> tuple[np.ndarray, np.ndarray]:
    """Objects of some worlds, and their mask; None elsewhere."""
    array = np.full(n, None, object)
    mask = np.zeros(n, bool)
    for world, value in values.items():
        array[world] = value
        mask[world] = True
    return array, mask
