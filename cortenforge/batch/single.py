"""Worlds with model parameters of their own, stepped one by one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ..errors import ShapeError, StepError
from ..fields import DATA_LAYOUT, MODEL_FIELDS, MODEL_LAYOUT
from ..model import Data, Model
from ..step import pipeline
from ..step.program import linker
from .many import run_many
from .memory import Rows


class SingleWorlds:
    """Per-world Model fields: a block a world, in which the changed fields point elsewhere.

    State, inputs and bound fields of a world are its rows in the batch's arrays; the rest of its
    Data is scratch that the worlds of a thread share.
    """

    def __init__(self, model: Model, n: int, threads: int) -> None:
        self.model, self.n = model, n
        self.parameters: dict[str, np.ndarray] = {}
        self._model_blocks = np.tile(model._store.block, (n, 1))
        self._shares = [s for s in np.array_split(np.arange(n), max(1, threads)) if len(s)]
        self._desks = [model.make_data() for _ in self._shares]
        self._statuses = np.zeros(n, np.int64)

    @property
    def bytes_per_world(self) -> int:
        """Memory that one more world takes."""
        fields = sum(array[0].nbytes for array in self.parameters.values()) if self.n else 0
        words = self._model_blocks.shape[1] + len(DATA_LAYOUT.entries) + 4
        return int(fields + 8 * words)

    def expand(self, *names: str) -> None:
        """Copy fields for every world; they start with the model's values."""
        real = {f.name for f in MODEL_FIELDS if f.dtype == np.float64 and f.in_kernels}
        for name in names:
            if name not in real:
                raise ShapeError(f"{name} is not a real-valued field of Model")
            if name in self.parameters:
                continue
            values = np.asarray(getattr(self.model, name))
            array = np.tile(values, (self.n, *[1] * values.ndim))
            self.parameters[name] = array
            word = MODEL_LAYOUT.entries[name].word
            self._model_blocks[:, word] = _row_addresses(array)

    def data(self, rows: Rows, i: int) -> Data:
        """World i as a Data with its own parameters."""
        data = Data(self.model, rows.world(i))
        data._call.m = self._model_blocks[i].ctypes.data
        # the block of the model is this object's
        data.__dict__["_worlds"] = self
        return data

    def run(
        self,
        rows: Rows,
        bound: dict[str, np.ndarray],
        pool: ThreadPoolExecutor | None,
        count: int | None,
    ) -> list[StepError | None]:
        """Step every world `count` times, or with None only work out bound fields; the errors."""
        arrays = {**rows.views, **bound}
        entry = linker().function(pipeline.step if count is not None else pipeline.run_forward)
        blocks = self._data_blocks(arrays)
        calls = np.empty((self.n, 3), np.int64)
        calls[:, 0] = _row_addresses(self._model_blocks)
        calls[:, 1] = _row_addresses(blocks)
        calls[:, 2] = 1 if count is None else count
        before = rows.table.copy()

        def work(share: np.ndarray) -> None:
            part = slice(share[0], share[-1] + 1)
            run_many(entry, calls[part], self._statuses[part])

        list((pool.map if pool else map)(work, self._shares))
        failure, linker().failure = linker().failure, None
        if failure is not None:
            raise failure
        return self._errors(rows, before, count)

    def _data_blocks(self, arrays: dict[str, np.ndarray]) -> np.ndarray:
        """A block a world: its own rows, and for the rest the desk of its thread."""
        blocks = np.empty((self.n, len(DATA_LAYOUT.entries)), np.int64)
        for share, desk in zip(self._shares, self._desks, strict=True):
            blocks[share] = desk._store.block
        for name, array in arrays.items():
            blocks[:, DATA_LAYOUT.entries[name].word] = _row_addresses(array)
        return blocks

    def _errors(self, rows: Rows, before: np.ndarray, count: int | None) -> list[StepError | None]:
        errors: list[StepError | None] = [None] * self.n
        for i in np.flatnonzero(self._statuses):
            data = self.data(rows, int(i)).copy()
            data._call.m = self._model_blocks[i].ctypes.data
            data.set_state(before[i])
            try:
                # alone it fails in the same way, and says more
                if count is None:
                    data.forward()
                else:
                    data.step(count)
            except StepError as error:
                errors[i] = error
        return errors


def _row_addresses(array: np.ndarray) -> np.ndarray:
    """Address of each row of an array."""
    step = array.strides[0] if len(array) else 0
    return array.ctypes.data + np.arange(len(array)) * step
