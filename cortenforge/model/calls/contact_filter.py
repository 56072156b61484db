"""A contact filter in Python: called once a step for all near pairs of geoms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.kernel.language.values import WORD
from cortenforge.model.changes.candidates import pair_geoms, pair_number_count

if TYPE_CHECKING:
    from cortenforge.model.data import Data


def apply_contact_filter(data: Data, function: Callable[..., Any]) -> None:
    """Clear the bits of near pairs for which the function returns true."""
    model = data.model
    words = data._store.arrays["near_word"][: -(-pair_number_count(model) // WORD)]
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    rows = np.flatnonzero(bits[: pair_number_count(model)])
    # pairs of the description pass all filters
    listed = rows[rows < len(model.candidate_geom)]
    rows = rows[~np.isin(rows, listed[model.candidate_pair[listed] >= 0])]
    if len(rows):
        one, other = pair_geoms(model, rows).T.copy()
        bits[rows[_checked_mask(function(model, data, one, other), len(rows))]] = 0
        words.view(np.uint8)[:] = np.packbits(bits, bitorder="little")


def _checked_mask(result: Any, count: int) -> np.ndarray:
    """The result of a filter as a mask; ArgumentError if it is none."""
    mask = np.asarray(result)
    if mask.shape != (count,) or mask.dtype.kind not in "biu":
        raise ArgumentError(
            f"callbacks.contactfilter returned {result!r:.200}: expected a mask of shape "
            f"({count},), true for pairs that must not touch"
        )
    found: np.ndarray = mask != 0
    return found
