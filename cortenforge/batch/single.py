"""Worlds that are stepped one by one: few, or with model parameters of their own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from cortenforge.batch.many import job
from cortenforge.batch.memory import Rows
from cortenforge.errors import ShapeError, StepError, UnsupportedFeature
from cortenforge.fields import DATA_FIELDS, DATA_LAYOUT, MODEL_FIELDS, MODEL_LAYOUT
from cortenforge.model import Data, Model
from cortenforge.model.failure import step_error
from cortenforge.step import pipeline, status
from cortenforge.step.program import linker

#: fields in which a step reports; each world has its own
REPORT = ("status", "status_index", "status_value", "steps_done")


class SingleWorlds:
    """Worlds that run one after another; Model fields may differ between them.

    A block a world: state, inputs, bound fields and reports are its rows in arrays of the batch,
    and so are expanded Model fields; the rest of its Data is scratch that a thread's worlds share.
    """

    def __init__(
        self, model: Model, rows: Rows, bound: dict[str, np.ndarray], threads: int
    ) -> None:
        self.model, self.rows, self.n = model, rows, len(rows.table)
        self.parameters: dict[str, np.ndarray] = {}
        dtypes = {field.name: field.dtype for field in DATA_FIELDS}
        self._report = {name: np.zeros(self.n, dtypes[name]) for name in REPORT}
        self._model_blocks = np.tile(model._store.block, (self.n, 1))
        self._shares = [s for s in np.array_split(np.arange(self.n), max(1, threads)) if len(s)]
        self._desks = [model.make_data() for _ in self._shares]
        self._statuses = np.zeros(self.n, np.int64)
        self.attach(bound)

    def attach(self, bound: dict[str, np.ndarray]) -> None:
        """Make bound fields of the batch those of its worlds."""
        self._data_blocks = np.empty((self.n, len(DATA_LAYOUT.entries)), np.int64)
        for share, desk in zip(self._shares, self._desks, strict=True):
            self._data_blocks[share] = desk._store.block
        for name, array in {**self.rows.views, **bound, **self._report}.items():
            self._data_blocks[:, DATA_LAYOUT.entries[name].word] = _row_addresses(array)
        self._calls = np.empty((self.n, 3), np.int64)
        self._calls[:, 0] = _row_addresses(self._model_blocks)
        self._calls[:, 1] = _row_addresses(self._data_blocks)
        parts = [slice(share[0], share[-1] + 1) for share in self._shares]
        self._jobs = [job(self._calls[part], self._statuses[part]) for part in parts]

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

    def data(self, i: int) -> Data:
        """World i as a Data with its own parameters."""
        own = {name: array[i : i + 1].reshape(()) for name, array in self._report.items()}
        data = Data(self.model, self.rows.world(i) | own)
        data._call.m = self._model_blocks[i].ctypes.data
        # the block of the model is this object's
        data.__dict__["_worlds"] = self
        return data

    def run(self, pool: ThreadPoolExecutor | None, count: int | None) -> list[StepError | None]:
        """Step every world `count` times, or with None only work out bound fields; the errors."""
        entry = linker().function(pipeline.step if count is not None else pipeline.run_forward)
        self._calls[:, 2] = 1 if count is None else count
        others = [pool.submit(run, entry) for run in self._jobs[1:]] if pool else []
        for run in self._jobs[: 1 if pool else None]:
            run(entry)
        for other in others:
            other.result()
        failure, linker().failure = linker().failure, None
        if failure is not None:
            raise failure
        errors: list[StepError | None] = [None] * self.n
        if not self._statuses.any():
            return errors
        for i in np.flatnonzero(self._statuses):
            if self._statuses[i] == status.UNSUPPORTED:
                raise UnsupportedFeature(self.model.supported())
            errors[i] = step_error(self.model, self.data(int(i)))
        return errors


def _row_addresses(array: np.ndarray) -> np.ndarray:
    """Address of each row of an array."""
    step = array.strides[0] if len(array) else 0
    return array.ctypes.data + np.arange(len(array)) * step
