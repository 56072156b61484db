"""Warnings of a batch: each kind once a call, for the first world that has it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from cortenforge.errors import StepError, StepWarning
from cortenforge.model import Model
from cortenforge.model.calls.failure import CallReport, step_error
from cortenforge.step.statuses import NWARNING, WARNINGS


class BatchWarnings:
    """What the worlds of one call have to say."""

    def __init__(self, model: Model, n: int) -> None:
        self.model, self.shape = model, (n, NWARNING)
        #: which worlds have what, by kind
        self.worlds: dict[int, np.ndarray] = {}
        self.first: dict[int, tuple[int, CallReport]] = {}

    def take(
        self,
        count: np.ndarray,
        index: np.ndarray,
        value: np.ndarray,
        time: np.ndarray,
        errors: Sequence[StepError | None] = (),
    ) -> None:
        """Warnings (n, kinds) of some steps; a world with an error has its error."""
        given = count.reshape(self.shape) > 0
        given[[world for world, error in enumerate(errors) if error is not None]] = False
        for kind in np.flatnonzero(given.any(axis=0)).tolist():
            self.worlds[kind] = given[:, kind] | self.worlds.get(kind, False)
            if kind not in self.first:
                world = int(np.flatnonzero(given[:, kind])[0])
                at = world * NWARNING + kind
                what, number = int(index.flat[at]), float(value.flat[at])
                self.first[kind] = world, CallReport(WARNINGS[kind], what, number, time[world], 0)

    def give(self, level: int) -> None:
        """Warn at a level of the stack."""
        for kind, (world, report) in self.first.items():
            affected = int(self.worlds[kind].sum())
            place = f"world {world}" + (f" and {affected - 1} more" if affected > 1 else "")
            message = f"{place}: {step_error(self.model, report)}"
            warnings.warn(message, StepWarning, stacklevel=level)
