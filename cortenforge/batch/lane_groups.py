"""Calls of a batch in lockstep: worlds grouped in lanes, entries, and addresses of arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from cortenforge.batch.binding import BoundFields, Run
from cortenforge.batch.lockstep import ON_REQUEST
from cortenforge.batch.memory import LaneMemory, ModelLanes, Places
from cortenforge.batch.named import NamedObjectsOfWorlds
from cortenforge.batch.program import lane_linker
from cortenforge.batch.threads import run_groups
from cortenforge.batch.world_program import WorldProgram, WorldState
from cortenforge.errors import CompilationError, StepError
from cortenforge.kernel import Kernel
from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.language.reach import Shared
from cortenforge.model.calls.failure import CallReport, step_error
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.step.engine import Engine
from cortenforge.step.statuses import OK


class LaneGroups(NamedObjectsOfWorlds):
    """Worlds of a batch as groups of lanes, and the memory in which these are stepped.

    program, world_state: kernels of a task, and what each world keeps for them.
    """

    threads: int
    program: WorldProgram | None
    world_state: WorldState
    _engine: Engine
    _bound: BoundFields
    #: which of ON_REQUEST bound fields and the program need
    _requested: tuple[int, ...]
    #: worlds in the order in which they are stepped, eight a group
    _order: np.ndarray
    #: whether the last call was one of some worlds only
    _partial: bool
    #: what the last call came to in each world
    _reports: dict[str, np.ndarray]
    _memory: list[LaneMemory]
    _models: list[ModelLanes]

    def _run(self, entry: Kernel, count: int, chosen: np.ndarray | None = None) -> None:
        """Run an entry for all worlds, or for those with some numbers."""
        with self.model._gate.reading():
            self._run_inside(entry, count, chosen)

    def _run_inside(self, entry: Kernel, count: int, chosen: np.ndarray | None) -> None:
        number = self._regroup(chosen)
        function, _ = self._entry(entry)
        addresses = [lanes.address for lanes in self._models] or [
            self.model._store.address
        ] * self.threads
        for own in self._memory:
            own.count("nworld", number)
        memory = list(zip(addresses, self._memory, strict=True))
        groups = -(-number // LANES)
        run_groups(self._crew, function, memory, groups, count)

    def _entry(self, entry: Kernel) -> tuple[Callable[..., int], int]:
        """An entry for the model as it is now, and where the first thread finds the model."""
        expanded = bool(self._models)
        linker = self.model.callbacks.installed.linked(lane_linker(self._engine, expanded))
        if self.program is not None:
            linker = self.program.linked(linker, self._engine, expanded)
        key = (linker, entry, self._requested)
        # taken once: another thread may look at the model again meanwhile
        function = self.model._functions.get(key)
        if function is None:
            model = plain_model(self.model)
            known = Shared(model) if expanded else model
            for number in self._requested:
                linker.function(ON_REQUEST.kernels[number], known)
            function = linker.function(entry, known)
            self.model._functions[key] = function
        for lanes in self._models:
            lanes.refresh()
        address = self._models[0].address if expanded else self.model._store.address
        return function, address

    def _regroup(self, chosen: np.ndarray | None) -> int:
        """Write the worlds of a call into the order in which they are grouped; how many these are.

        Worlds with similar numbers of constraint rows go together: a group is as slow as its
        slowest. Which worlds are neighbours changes no world's bits.
        """
        rows = self._reports["world_rows"][:, 0]
        if chosen is None:
            if self.n > LANES and self.model.constraining:
                self._order[:] = rows.argsort(kind="stable")
            elif self._partial:
                self._order[:] = np.arange(self.n)
        else:
            self._order[: len(chosen)] = chosen[rows[chosen].argsort(kind="stable")]
            # what is left of earlier calls of other worlds
            self._reports["world_status"].fill(OK)
            self._reports["warned_count"].fill(0)
        self._partial = chosen is not None
        return self.n if chosen is None else len(chosen)

    def _error_of(self, world: int, done: int) -> StepError:
        reports = self._reports
        report = CallReport(
            int(reports["world_status"][world]),
            int(reports["world_index"][world]),
            float(reports["world_value"][world]),
            float(self._rows.views["time"][world]),
            done + int(reports["world_steps"][world]),
        )
        error = step_error(self.model, report)
        if isinstance(error, CompilationError):
            raise error
        return error

    def _allocate(self) -> None:
        """Make lane memory for what is bound now, and set addresses in it."""
        program, facts = self.program, self._bound.facts
        own = {"facts": len(facts)}
        if program is not None:
            own |= {name: math.prod(shape) for name, shape in program.fields.items()}
        if not self._memory or self._memory[0].own != own:
            layout = program.layout(self._engine) if program else None
            self._memory = [
                LaneMemory(self.model, self._engine, layout, own) for _ in range(self.threads)
            ]
            if self._models:
                self._attach_parameters()
        starts = self._memory[0].starts
        self._requested = tuple(
            sorted({*self._bound.requested, *(program.requests if program else ())})
        )
        kept = [(starts[name], own[name], array) for name, array in self.world_state.items()]
        self._attach([*kept, *self._bound.runs(starts, starts["facts"])], kept=len(kept))
        self._facts = np.array(facts, np.int32).reshape(-1, 3)
        for memory in self._memory:
            memory.point("fact_of", self._facts)
            memory.count("fact_count", len(facts))
            memory.count("fact_start", starts["facts"])
            if program is not None:
                for name in ("draw", "uniform", "normal"):
                    memory.count(f"{name}_start", starts["seed" if name == "draw" else name])
                for name, count in program.counts.items():
                    memory.count(name, count)

    def _attach(self, runs: Sequence[Run], *, kept: int = 0) -> None:
        """Set addresses of the batch's arrays in every thread's lane memory.

        runs: what is copied out; the first are the program's, then whole fields.
        """
        self._bind_from = np.array([start for start, _, _ in runs], np.int32)
        self._bind_size = np.array([size for _, size, _ in runs], np.int32)
        self._places = Places(self._rows.table, [array for _, _, array in runs])
        whole = len(self._bound.arrays) or len(runs) - kept
        for memory in self._memory:
            memory.point("rows", self._rows.table)
            memory.point("out", self._places.base)
            memory.point("order", self._order)
            for name, array in self._reports.items():
                memory.point(name, array)
            memory.point("bind_from", self._bind_from)
            memory.point("bind_size", self._bind_size)
            memory.point("bind_to", self._places.table)
            memory.count("row_size", self._rows.table.shape[1])
            memory.count("out_size", Places.BLOCK)
            memory.count("bind_count", len(runs))
            memory.count("bind_kept", kept)
            memory.count("bind_loaded", kept + whole)
            memory.count("requested", sum(1 << number for number in self._requested))

    def _attach_parameters(self) -> None:
        """Set addresses of each world's own parameters in lane memory."""
        fields, sizes = self._parameters.fields, self.model._store.sizes
        starts = self._models[0].starts
        self._own_length = np.array([field.count_for(sizes) for field in fields], np.int32)
        self._own_to = np.array([starts[field.name] for field in fields], np.int32)
        self._own_places = Places(self._rows.table, self._parameters.values())
        for memory, lanes in zip(self._memory, self._models, strict=True):
            memory.point("own", self._own_places.base)
            memory.point("model_arena", lanes.arena)
            memory.point("own_from", self._own_places.table)
            memory.point("own_length", self._own_length)
            memory.point("own_to", self._own_to)
            memory.count("own_size", Places.BLOCK)
            memory.count("own_count", len(fields))

    def _set_hooks(self, *hooks: int) -> None:
        """Let the program's kernels of some places run in the next call."""
        if self.program is not None:
            bits = self.program.bits(*hooks)
            for memory in self._memory:
                memory.count("hooks", bits)
