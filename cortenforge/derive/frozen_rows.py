"""Kernels other than a step, run for many worlds in lockstep."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.threads import run_whole
from cortenforge.derive.kernels.residuals import NO_ROW_STATE
from cortenforge.derive.perturbed_worlds import OwnParameters, make_batch
from cortenforge.kernel import Kernel
from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.load.link import Call
from cortenforge.model import Data, Model


class Lanes:
    """Worlds on one thread, with fields that a call reads from arrays and writes back to them."""

    def __init__(self, model: Model, n: int, own: OwnParameters, names: tuple[str, ...]) -> None:
        self.batch: BatchSim = make_batch(model, n, own)
        self.table = self.batch._rows.table
        self.views = self.batch._rows.views
        by_name = self.batch._engine.by_name
        fields = [by_name[name] for name in names]
        ends = np.cumsum([0, *(field.count_for(model._store.sizes) for field in fields)])
        self.out = np.zeros((n, int(ends[-1])))
        self.fields = {
            field.name: self.out[:, start:end]
            for field, start, end in zip(fields, ends[:-1], ends[1:], strict=True)
        }
        self.batch._attach({by_name[name]: array for name, array in self.fields.items()})
        self._status = self.batch._reports["world_status"]
        self._memory = self.batch._memory[0]
        self._memory.count("first_group", 0)

    def freeze(self, world: Data) -> None:
        """Give all lanes the row states of a world, and as much capacity as it has."""
        room, count = world._store.capacities, world.nefc
        states = world._store.arrays["efc_state"][:count]
        for lane, own in enumerate(self._memory.worlds):
            if (
                own.capacities["nefcmax"] < room["nefcmax"]
                or own.capacities["nJmax"] < room["nJmax"]
            ):
                self._make_room(lane, room)
            mine = own.arrays["efc_state"]
            mine[:count] = states
            mine[count:] = NO_ROW_STATE

    def _make_room(self, lane: int, room: Mapping[str, int]) -> None:
        own = self._memory.worlds[lane]
        for name, wanted in room.items():
            if own.capacities[name] < wanted:
                own.grow(name, wanted)
        self._memory._fill_world(lane)

    def run_frozen(
        self,
        entry: Kernel,
        count: int,
        world: Data,
        worlds: int | None = None,
        *,
        fill: Callable[[], None] = lambda: None,
    ) -> None:
        """Run an entry with frozen row states; again if a capacity was too small.

        fill: writes rows, which a call may change.
        """
        while True:
            fill()
            self.freeze(world)
            if not self.run(entry, count, worlds):
                break

    def run(self, entry: Kernel, count: int, worlds: int | None = None) -> bool:
        """Run an entry for the first worlds, or for all; raises the error of the first that fails.

        Returns whether memory had to grow, so that what lived with worlds is lost.
        """
        with self.batch.model._gate.reading():
            return self._run(entry, count, self.batch.n if worlds is None else worlds)

    def _run(self, entry: Kernel, count: int, n: int) -> bool:
        function, model = self.batch._entry(entry)
        own = self._memory
        own.count("nworld", n)
        own.count("last_group", -(-n // LANES))
        call = Call(model, own.address, count)
        address = ctypes.c_int64(ctypes.addressof(call))
        stopped = run_whole(own, function, address)
        if stopped:
            own.count("first_group", 0)
            own.count("resumed", 0)
        if self._status[:n].any():
            raise self.batch._error_of(int(np.flatnonzero(self._status[:n])[0]), 0)
        return stopped
