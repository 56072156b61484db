"""Worlds with model parameters of their own, stepped one by one."""

from __future__ import annotations

import numpy as np

from ..errors import ShapeError, StepError
from ..fields import MODEL_FIELDS, MODEL_LAYOUT
from ..model import Data, Model
from .memory import Rows


class SingleWorlds:
    """Per-world Model fields: a block a world, in which the changed fields point elsewhere."""

    def __init__(self, model: Model, n: int) -> None:
        self.model, self.n = model, n
        self.parameters: dict[str, np.ndarray] = {}
        self.blocks = np.tile(model._store.block, (n, 1))

    @property
    def bytes_per_world(self) -> int:
        """Memory that one world's parameters take."""
        fields = sum(array[0].nbytes for array in self.parameters.values()) if self.n else 0
        return int(fields + self.blocks.shape[1] * self.blocks.itemsize)

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
            self.blocks[:, word] = array.ctypes.data + np.arange(self.n) * values.nbytes

    def data(self, rows: Rows, i: int) -> Data:
        """World i as a Data with its own parameters."""
        data = Data(self.model, rows.world(i))
        data._call.m = self.blocks[i].ctypes.data
        data.__dict__["_owner"] = self
        return data

    def step(self, rows: Rows, bound: dict[str, np.ndarray], nstep: int) -> list[StepError | None]:
        """Step every world; what went wrong in each."""
        errors: list[StepError | None] = [None] * self.n
        for i in range(self.n):
            data = self.data(rows, i)
            try:
                data.step(nstep)
            except StepError as error:
                errors[i] = error
            _copy_out(data, bound, i)
        return errors

    def forward(self, rows: Rows, bound: dict[str, np.ndarray]) -> None:
        """Fill bound fields for the current states."""
        for i in range(self.n):
            data = self.data(rows, i)
            data.forward()
            _copy_out(data, bound, i)


def _copy_out(data: Data, bound: dict[str, np.ndarray], i: int) -> None:
    for name, array in bound.items():
        array[i] = getattr(data, name)
