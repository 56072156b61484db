"""Model parameters of one world: a block in which some fields are the world's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.fields import MODEL_LAYOUT

if TYPE_CHECKING:
    from cortenforge.model.model import Model


class WorldModelBlock:
    """A copy of a model's block in which some fields are other arrays, which it keeps alive."""

    def __init__(self, model: Model, arrays: Mapping[str, np.ndarray]) -> None:
        self.model, self.arrays = model, dict(arrays)
        self.block = np.zeros_like(model._store.block)
        self.address: int = self.block.ctypes.data
        self.refresh()

    def refresh(self) -> None:
        """Update the addresses of the model's other fields: its lists may have moved."""
        self.block[:] = self.model._store.block
        for name, array in self.arrays.items():
            assert array.flags.c_contiguous
            self.block[MODEL_LAYOUT.entries[name].word] = array.ctypes.data

    def copy(self) -> WorldModelBlock:
        """The same values in arrays of its own."""
        return WorldModelBlock(
            self.model, {name: array.copy() for name, array in self.arrays.items()}
        )
