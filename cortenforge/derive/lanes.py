"""Kernels other than a step, run for many worlds in lockstep."""

from __future__ import annotations

import ctypes

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.threads import interrupts_wait, resume
from cortenforge.derive.worlds import Own, made
from cortenforge.kernel import Kernel
from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.load.link import Call
from cortenforge.model import Model


class Lanes:
    """Worlds on one thread, with fields that a call takes from them and gives back."""

    def __init__(self, model: Model, n: int, own: Own, names: tuple[str, ...]) -> None:
        self.batch: BatchSim = made(model, n, own)
        self.table = self.batch._rows.table
        self.views = self.batch._rows.views
        by_name = self.batch._engine.by_name
        fields = [by_name[name] for name in names]
        ends = np.cumsum([0, *(field.count_for(model._store.sizes) for field in fields)])
        self.out = self.batch._out = np.zeros((n, int(ends[-1])))
        self.fields = {
            field.name: self.out[:, start:end]
            for field, start, end in zip(fields, ends[:-1], ends[1:], strict=True)
        }
        self.batch._attach(fields, ends[:-1])
        self._status = self.batch._reports["world_status"]
        self._memory = self.batch._memory[0]
        self._memory.count("first_group", 0)

    def run(self, entry: Kernel, count: int, worlds: int | None = None) -> None:
        """Run an entry for the first worlds, or for all; raises what the first to fail says."""
        n = self.batch.n if worlds is None else worlds
        function, model = self.batch._entry(entry)
        own = self._memory
        own.count("nworld", n)
        own.count("last_group", -(-n // LANES))
        call = Call(model, own.address, count)
        address = ctypes.c_int64(ctypes.addressof(call))
        stopped = function(address)
        if stopped:
            with interrupts_wait():
                resume(own, function, address, stopped)
            own.count("first_group", 0)
            own.count("resumed", 0)
        if self._status[:n].any():
            raise self.batch._error_of(int(np.flatnonzero(self._status[:n])[0]), 0)
