"""BatchSim: many independent worlds of one model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from cortenforge.batch.lockstep import forward_groups, step_groups
from cortenforge.batch.memory import LaneMemory, Rows, count_of
from cortenforge.batch.single import SingleWorlds
from cortenforge.batch.threads import run_chunks
from cortenforge.batch.worlds import Worlds
from cortenforge.errors import ShapeError, StepError, UnsupportedFeature
from cortenforge.fields import DATA_FIELDS, LANE_FIELDS, Field
from cortenforge.kernel.language.layout import LANES
from cortenforge.model import Data, Model
from cortenforge.model.counts import MOST_STEPS, wrong_count
from cortenforge.step import status

#: so few worlds are faster one by one than in lockstep
FEW = 2


class BatchSim(Worlds):
    """`n` independent worlds of one model, stepped together.

    State and inputs are `(n, ...)` arrays that can be read and written: `batch.qpos`,
    `batch.ctrl`. Derived fields become arrays once they are bound: `batch.bind("xpos")`.

    Worlds run eight at a time in lockstep on each thread, and each has the bits that it would
    have alone: results do not depend on the number of threads, the size of the batch or the
    place in it. Worlds with model parameters of their own (`expand`) run one by one.

    >>> batch = cf.BatchSim(model, 1024)
    >>> batch.qvel[:] = np.random.default_rng(0).normal(size=batch.qvel.shape)
    >>> errors = batch.step_all(100)
    """

    def __init__(self, model: Model, n: int, *, threads: int | None = None) -> None:
        if n < 0:
            raise ShapeError(f"n: expected 0 or more worlds, got {n}")
        if threads is not None and threads < 1:
            raise ShapeError(f"threads: expected 1 or more, got {threads}")
        self.model, self.n = model, n
        self.threads = threads or min(os.cpu_count() or 1, max(1, -(-n // LANES)))
        self._rows = Rows(model, n)
        self._bound: dict[str, np.ndarray] = {}
        self._out = np.zeros((n, 0))
        self._faults, self._steps = np.zeros(n), np.zeros(n)
        self._memory = [LaneMemory(model) for _ in range(self.threads)]
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        # a group costs as much as two single worlds, however few worlds are in it
        self._singles = self._single_worlds() if n <= FEW else None
        self._attach()
        self.reset_all()

    def __getattr__(self, name: str) -> np.ndarray:
        for arrays in (self.__dict__.get("_bound", {}), _views(self)):
            if name in arrays:
                return arrays[name]
        if name in {field.name for field in DATA_FIELDS}:
            raise AttributeError(f"{name} is not bound: call batch.bind({name!r}) first")
        raise AttributeError(f"BatchSim has no field {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _views(self):
            self._assign(name, value)
        else:
            super().__setattr__(name, value)

    @property
    def bytes_per_world(self) -> int:
        """Memory that one more world takes; lane memory comes once a thread."""
        own = self._rows.table.itemsize * (self._rows.table.shape[1] + self._out.shape[1] + 2)
        return own + (self._singles.bytes_per_world if self._singles else 0)

    def bind(self, *names: str) -> None:
        """Make derived fields available as `(n, ...)` arrays, filled after every step."""
        fields = {field.name: field for field in LANE_FIELDS if field.role == "derived"}
        unknown = [name for name in names if name not in fields]
        if unknown:
            raise ShapeError(f"{unknown[0]} is not a derived field of real numbers")
        wanted = list(dict.fromkeys([*self._bound, *names]))
        starts = np.cumsum([0, *(count_of(fields[name], self.model.sizes) for name in wanted)])
        self._out = np.zeros((self.n, int(starts[-1])))
        for name, first, last in zip(wanted, starts[:-1], starts[1:], strict=True):
            self._bound[name] = Rows.view(
                fields[name], self._out, slice(int(first), int(last)), self.model
            )
        self._attach([fields[name] for name in wanted], starts[:-1])
        if self._singles is not None:
            self._singles.attach(self._bound)

    def expand(self, *names: str) -> None:
        """Give every world its own copy of Model fields: `batch.parameters["body_mass"][i]`.

        Worlds then run one by one instead of eight at a time.
        """
        if self._singles is None:
            self._singles = self._single_worlds()
        self._singles.expand(*names)

    @property
    def parameters(self) -> dict[str, np.ndarray]:
        """Model fields that differ between worlds, as `(n, ...)` arrays; see `expand`."""
        return self._singles.parameters if self._singles else {}

    def step_all(self, nstep: int = 1) -> list[StepError | None]:
        """Advance every world by some steps; for each world, None or what went wrong.

        A world that fails keeps the state from which its failing step started, and is not reset.
        """
        if not 0 <= nstep <= MOST_STEPS:
            raise wrong_count(nstep)
        if self._singles is not None:
            return self._singles.run(self._pool, nstep)
        self._run(step_groups, nstep)
        return self._errors()

    def forward_all(self) -> None:
        """Fill the bound fields for the current states, without moving."""
        if self._singles is not None:
            self._singles.run(self._pool, None)
        else:
            self._run(forward_groups, 1)

    def env(self, i: int) -> Data:
        """World i as a Data: its state and inputs are views of this batch's arrays.

        Derived fields are its own: call `forward` on it to fill them.
        """
        self._check_index(i)
        return super().env(i) if self._singles is None else self._singles.data(i)

    def _attach(self, bound: Sequence[Field] = (), places: Sequence[int] | np.ndarray = ()) -> None:
        """Tell every thread's lane memory where the batch's arrays are."""
        starts = self._memory[0].starts
        self._bind_table = np.array(
            [
                [starts[field.name] for field in bound],
                [count_of(field, self.model.sizes) for field in bound],
                list(places),
            ],
            np.int32,
        ).reshape(3, -1)
        for memory in self._memory:
            memory.point("rows", self._rows.table)
            memory.point("out", self._out)
            memory.point("faults", self._faults)
            memory.point("steps", self._steps)
            for name, row in zip(
                ("bind_from", "bind_size", "bind_to"), self._bind_table, strict=True
            ):
                memory.point(name, row)
            memory.count("nworld", self.n)
            memory.count("row_size", self._rows.table.shape[1])
            memory.count("out_size", self._out.shape[1])
            memory.count("bind_count", len(bound))

    def _single_worlds(self) -> SingleWorlds:
        return SingleWorlds(self.model, self._rows, self._bound, self.threads)

    def _run(self, entry: Any, count: int) -> None:
        groups = -(-self.n // LANES)
        result = run_chunks(self.model, self._memory, self._pool, entry, groups, count)
        if result == status.UNSUPPORTED:
            raise UnsupportedFeature(self.model.supported())
        if result == status.BAD_TIMESTEP:
            self._faults[:] = 1.0

    def _errors(self) -> list[StepError | None]:
        errors: list[StepError | None] = [None] * self.n
        if not self._faults.any():
            return errors
        for world in np.flatnonzero(self._faults):
            errors[world] = self._error_of(int(world))
        return errors

    def _error_of(self, world: int) -> StepError:
        """What went wrong in a world: alone it fails in the same way, and says more."""
        data = self.env(world).copy()
        try:
            data.step()
        except StepError as error:
            error.steps_done = int(self._steps[world])
            return error
        raise AssertionError(f"world {world} failed in its group and not alone")

    def __repr__(self) -> str:
        return f"<cortenforge.BatchSim n={self.n} threads={self.threads} of {self.model!r}>"


def _views(batch: BatchSim) -> dict[str, np.ndarray]:
    rows = batch.__dict__.get("_rows")
    return rows.views if rows is not None else {}
