"""Finite differences of whole steps (method "fd"): every column is a world of a batch.

Theory: docs/theory/derivatives.md.
"""

from __future__ import annotations

import itertools

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.internals import rows_of, step_every_world, step_from_equal_positions
from cortenforge.derive.checks import check_eps
from cortenforge.derive.config import DerivativeConfig, TransitionMatrices
from cortenforge.derive.perturbed_worlds import (
    ColumnShifts,
    OwnParameters,
    make_batch,
    perturb_worlds,
)
from cortenforge.derive.tangent_space import TangentSpace
from cortenforge.model import Model

#: largest number of columns in memory at once
MOST_COLUMNS = 8192


class StepDifferences:
    """A, B, C and D by finite differences of steps, for some worlds of a model at once.

    columns: how many columns are computed, from the first one on; all of them by default.
    """

    def __init__(
        self,
        model: Model,
        worlds: int,
        own: OwnParameters,
        *,
        columns: int | None = None,
        threads: int = 1,
    ) -> None:
        self.model, self.tangent = model, TangentSpace(model)
        every = 2 * model.nv + model.na + model.nu
        self.columns = every if columns is None else columns
        self.nominal = make_batch(model, worlds, own, threads=threads)
        # for one world, columns that do not move positions share position-dependent results
        cuts = (0, model.nv, self.columns) if worlds == 1 else (0, self.columns)
        found = [slice(*ends) for ends in itertools.pairwise(cuts) if ends[0] < ends[1]]
        self.parts = found or [slice(0, 0)]
        self.one_side, self.other_side = (
            [
                make_batch(model, worlds * (p.stop - p.start), own, threads=threads)
                for p in self.parts
            ]
            for _ in range(2)
        )
        self.own = own
        self.batches = (self.nominal, *self.one_side, *self.other_side)
        for batch in self.batches:
            if model.nsensordata:
                batch.bind("sensordata")

    def transition(self, rows: np.ndarray, config: DerivativeConfig) -> TransitionMatrices:
        """Matrices of worlds, given as rows of state and inputs."""
        return split_into_matrices(self.model, self.differentiate(rows, config), config)

    def differentiate(self, rows: np.ndarray, config: DerivativeConfig) -> np.ndarray:
        """Derivatives of states and readings by column, (worlds, states + readings, columns)."""
        model, start = self.model, rows_of(self.nominal)
        start.table[:] = rows
        names = ("qpos", "qvel", "act", "ctrl")
        check_eps(config.eps, {name: start.views[name] for name in names})
        moved = ColumnShifts(model, start.views["ctrl"].copy(), self.own, config)
        step_every_world(self.nominal)
        # warm start columns at the solution of the nominal step
        rows = rows.copy()
        rows[:, start.columns["qacc_warmstart"]] = start.views["qacc_warmstart"]
        ahead = self._stepped(self.one_side, rows, moved.ahead)
        back = {name: view[:, None] for name, view in self._results(self.nominal).items()}
        if not moved.one_sided:
            back = self._stepped(self.other_side, rows, moved.back)
        change = np.concatenate(
            [
                self.tangent.position_difference(back["qpos"], ahead["qpos"]),
                ahead["qvel"] - back["qvel"],
                ahead["act"] - back["act"],
                *([ahead["sensordata"] - back["sensordata"]] if config.sensors else []),
            ],
            axis=-1,
        )
        length = moved.length[:, : self.columns, None]
        return np.ascontiguousarray(np.swapaxes(change / length, 1, 2))

    def _stepped(
        self, side: list[BatchSim], rows: np.ndarray, shifts: np.ndarray
    ) -> dict[str, np.ndarray]:
        """Results of a step of all perturbed columns, (worlds, columns, ...)."""
        found = [
            self._step_part(batch, rows, shifts, part)
            for batch, part in zip(side, self.parts, strict=True)
        ]
        return {name: np.concatenate([one[name] for one in found], axis=1) for name in found[0]}

    def _step_part(
        self, batch: BatchSim, rows: np.ndarray, shifts: np.ndarray, part: slice
    ) -> dict[str, np.ndarray]:
        """The same of a slice of the columns."""
        worlds = (len(rows), part.stop - part.start)
        table, columns = rows_of(batch).table, rows_of(batch).views
        table.reshape(*worlds, table.shape[1])[:] = rows[:, None]
        views = {
            name: view.reshape(*worlds, *view.shape[1:])
            for name, view in columns.items()
            if name in ("qpos", "qvel", "act", "ctrl")
        }
        perturb_worlds(self.model, self.tangent, views, shifts[:, part], part.start)
        if part.start:
            step_from_equal_positions(batch)
        else:
            step_every_world(batch)
        found = self._results(batch)
        return {name: view.reshape(*worlds, view.shape[1]) for name, view in found.items()}

    def _results(self, batch: BatchSim) -> dict[str, np.ndarray]:
        names = ("qpos", "qvel", "act", *(["sensordata"] if self.model.nsensordata else []))
        found = {name: getattr(batch, name) for name in names}
        return {"sensordata": np.zeros((batch.n, 0)), **found}


def split_into_matrices(
    model: Model, change: np.ndarray, config: DerivativeConfig
) -> TransitionMatrices:
    """Split derivatives (worlds, states + readings, columns) into A, B, C and D."""
    states = 2 * model.nv + model.na
    parts = [change[:, :states, :states], change[:, :states, states:]]
    if config.sensors:
        parts += [change[:, states:, :states], change[:, states:, states:]]
    return TransitionMatrices(*(np.ascontiguousarray(part) for part in parts))


def of_single_world(found: TransitionMatrices) -> TransitionMatrices:
    """Matrices of the only world."""
    readings = (None if part is None else part[0] for part in (found.C, found.D))
    return TransitionMatrices(found.A[0], found.B[0], *readings)
