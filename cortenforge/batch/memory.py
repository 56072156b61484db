"""Memory of a batch: a row of state and inputs a world, and lane memory a thread."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cortenforge.batch.layout import LANE_LAYOUT
from cortenforge.fields import LANE_FIELDS, Field
from cortenforge.kernel.language.layout import LANES
from cortenforge.model.model import Model
from cortenforge.model.state import KEPT
from cortenforge.model.store import ALIGNMENT

ROW_FIELDS: tuple[Field, ...] = tuple(f for f in LANE_FIELDS if f.name in KEPT)


def count_of(field: Field, sizes: Mapping[str, int]) -> int:
    """How many numbers a field has in one world."""
    return int(np.prod(field.shape_for(sizes), dtype=np.int64))


class Rows:
    """State and inputs of every world, one row a world; the fields are views of columns."""

    def __init__(self, model: Model, n: int) -> None:
        self.columns: dict[str, slice] = {}
        start = 0
        for field in ROW_FIELDS:
            count = count_of(field, model.sizes)
            self.columns[field.name] = slice(start, start + count)
            start += count
        self.table = np.zeros((n, start))
        self.views = {
            field.name: self.view(field, self.table, self.columns[field.name], model)
            for field in ROW_FIELDS
        }

    def world(self, i: int) -> dict[str, np.ndarray]:
        """The fields of one world, as views."""
        return {name: view[i : i + 1].reshape(view.shape[1:]) for name, view in self.views.items()}

    @staticmethod
    def view(field: Field, table: np.ndarray, columns: slice, model: Model) -> np.ndarray:
        """Some columns of a table as an array (n, ...) of a field's shape."""
        return table[:, columns].reshape(len(table), *field.shape_for(model.sizes))


class LaneMemory:
    """Data of eight worlds in lockstep, and the block by which kernels find it.

    Number k of lane l is at 8 k + l, and the rows' fields come first, in the rows' order: so
    taking a world in or out is one copy with a stride.
    """

    def __init__(self, model: Model) -> None:
        self.starts: dict[str, int] = {}
        total = 0
        for field in LANE_FIELDS:
            self.starts[field.name] = total
            total += count_of(field, model.sizes)
        raw = np.zeros(total * LANES + ALIGNMENT // 8)
        skip = -raw.ctypes.data % ALIGNMENT // 8
        self.arena = raw[skip : skip + total * LANES]
        self.block = np.zeros(len(LANE_LAYOUT.entries), np.int64)
        self.address: int = self.block.ctypes.data
        for name, start in self.starts.items():
            if name in LANE_LAYOUT.entries:
                self.point(name, self.arena[start * LANES :])
        self.point("arena", self.arena)
        self.count("fault_at", self.starts["fault"])
        self.count("taken_at", self.starts["taken"])

    def point(self, name: str, array: np.ndarray) -> None:
        """Make a word of the block the address of an array; the caller keeps the array alive."""
        self.block[LANE_LAYOUT.entries[name].word] = array.ctypes.data

    def count(self, name: str, value: int) -> None:
        """Set a number of the block."""
        self.block[LANE_LAYOUT.entries[name].word] = value
