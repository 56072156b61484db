"""Calls of entries of other packages, for the worlds of a batch in lockstep on one thread."""

from __future__ import annotations

import ctypes

import numpy as np

from cortenforge.batch.batch import BatchSim
from cortenforge.batch.memory import LaneMemory
from cortenforge.batch.threads import run_whole
from cortenforge.kernel import Kernel
from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.load.link import Call
from cortenforge.model.internals import reading, store_of


class LockstepCalls:
    """Runs entries on rows of a batch, and on fields of Data that are bound to arrays of its own.

    table, views: state and inputs of the worlds, as in `memory.Rows`.
    fields:       what a call reads and writes back of each field, (n, numbers) by name.
    out:          the same, side by side.
    memory:       of the eight worlds that are in lanes.
    """

    def __init__(self, batch: BatchSim, names: tuple[str, ...]) -> None:
        """
        batch: one of one thread, for these calls alone.
        names: fields that are bound, in this order.
        """
        self.batch = batch
        self.table, self.views = batch._rows.table, batch._rows.views
        fields = [batch._engine.by_name[name] for name in names]
        sizes = store_of(batch.model).sizes
        widths = [field.count_for(sizes) for field in fields]
        ends = np.cumsum([0, *widths])
        self.out = np.zeros((batch.n, int(ends[-1])))
        self.fields = {
            field.name: self.out[:, start:end]
            for field, start, end in zip(fields, ends[:-1], ends[1:], strict=True)
        }
        starts = batch._memory[0].starts
        batch._attach(
            [
                (starts[f.name], width, self.fields[f.name])
                for f, width in zip(fields, widths, strict=True)
            ]
        )
        self.memory: LaneMemory = batch._memory[0]
        self.memory.count("first_group", 0)

    def run(self, entry: Kernel, count: int, worlds: int | None = None) -> bool:
        """Run an entry for the first worlds, or for all; raises the error of the first that fails.

        Returns whether memory had to grow, so that what lived with worlds is lost.
        """
        with reading(self.batch.model):
            return self._run(entry, count, self.batch.n if worlds is None else worlds)

    def _run(self, entry: Kernel, count: int, n: int) -> bool:
        function, model = self.batch._entry(entry)
        own = self.memory
        own.count("nworld", n)
        own.count("last_group", -(-n // LANES))
        call = Call(model, own.address, count)
        address = ctypes.c_int64(ctypes.addressof(call))
        stopped = run_whole(own, function, address)
        if stopped:
            own.count("first_group", 0)
            own.count("resumed", 0)
        failed = np.flatnonzero(self.batch._reports["world_status"][:n])
        if failed.size:
            raise self.batch._error_of(int(failed[0]), 0)
        return stopped
