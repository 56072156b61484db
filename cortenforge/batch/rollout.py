"""Open-loop rollouts: many worlds through given controls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cortenforge import upward
from cortenforge.batch.assign import real_numbers
from cortenforge.errors import ArgumentError, ShapeError, StepError
from cortenforge.model.calls.step_count import checked_step_count
from cortenforge.notebook import NotebookBar, in_notebook

if TYPE_CHECKING:
    from cortenforge.batch.worlds import Worlds
    from cortenforge.derive import DerivativeConfig, TransitionMatrices

#: rollouts with fewer world-steps than this are over before a bar could be read
LONG = 200_000


@dataclass(frozen=True)
class Rollout:
    """What a rollout gives.

    states: (n, time, size), row t is the state after control t.
    fields: name -> (n, time, ...), asked-for fields at the same times.
    errors: for each world, None or what went wrong; its later rows repeat its last state.
    derivatives: if asked for, matrices (n, time, ...) of every step, NaN for worlds that have
            failed: A[:, t] and B[:, t] are those of the step that control t is for.
    """

    states: np.ndarray
    fields: dict[str, np.ndarray]
    errors: list[StepError | None]
    derivatives: TransitionMatrices | None = None


def rollout(
    batch: Worlds,
    initial_states: np.ndarray,
    controls: np.ndarray,
    *,
    fields: Sequence[str] = (),
    nstep: int = 1,
    progress: bool = True,
    derivatives: DerivativeConfig | None = None,
) -> Rollout:
    """Step many worlds through given controls.

    initial_states: (n, size), or (size,) for all worlds: vectors as of `Data.get_state`.
    controls:       (n, time, nu), or (time, nu) for all worlds.
    fields:         names of derived fields to record.
    nstep:          steps a control is held for.
    derivatives:    how derivatives along the way are computed; none if it is not given. Only for
                    batches on the CPU, and for controls of one step each.
    Raises          ShapeError if shapes do not fit the batch.
    """
    nu = batch.model.nu
    inputs = real_numbers("controls", controls).astype(np.float64)
    if inputs.ndim == 2:
        inputs = np.broadcast_to(inputs, (batch.n, *inputs.shape))
    if inputs.ndim != 3 or inputs.shape[0] != batch.n or inputs.shape[2] != nu:
        raise ShapeError(f"controls: expected ({batch.n}, time, {nu}), got {inputs.shape}")
    if not isinstance(fields, (list, tuple)):
        raise ArgumentError(f"fields: expected a list of names, got {fields!r}"[:300])
    checked_step_count(nstep)
    batch.set_states(initial_states)
    if fields:
        batch.bind(*fields)
    if derivatives is None:
        return _record(batch, inputs, fields, nstep, progress, None)
    if nstep != 1:
        raise ArgumentError(f"derivatives: expected nstep=1, got nstep={nstep}")
    return _record(batch, inputs, fields, nstep, progress, RolloutDerivatives(batch, derivatives))


class RolloutDerivatives:
    """Derivatives along a rollout."""

    def __init__(self, batch: Worlds, config: DerivativeConfig) -> None:
        if not hasattr(batch, "transition_derivatives"):
            raise ArgumentError("derivatives: only a batch on the CPU (cf.BatchSim) has them")
        self.batch, self.config = batch, config
        self.found: list[TransitionMatrices] = []

    def differentiate(self, errors: list[StepError | None]) -> None:
        """Take matrices of the step that comes next; not of worlds that have failed."""
        failed = np.array([error is not None for error in errors], bool)
        self.found.append(upward.batch_derivatives(self.batch, self.config, failed))

    def matrices(self) -> TransitionMatrices:
        """Those of all steps, (n, time, ...)."""
        parts = {
            name: np.stack([getattr(one, name) for one in self.found], axis=1)
            for name in ("A", "B", *(("C", "D") if self.config.sensors else ()))
        }
        return replace(self.found[0], **parts)


def _record(
    batch: Worlds,
    inputs: np.ndarray,
    fields: Sequence[str],
    nstep: int,
    progress: bool,
    along: RolloutDerivatives | None,
) -> Rollout:
    count = inputs.shape[1]
    states = np.zeros((batch.n, count, batch.get_states().shape[1]))
    kinds = {name: getattr(batch, name) for name in fields}
    recorded = {
        name: np.zeros((batch.n, count, *one.shape[1:]), one.dtype) for name, one in kinds.items()
    }
    errors: list[StepError | None] = [None] * batch.n
    for t in _steps(count, progress and batch.n * count * nstep >= LONG):
        batch._assign("ctrl", inputs[:, t])
        if along:
            along.differentiate(errors)
        for world, error in enumerate(batch.step_all(nstep)):
            errors[world] = errors[world] or error
        states[:, t] = batch.get_states()
        for name, array in recorded.items():
            array[:, t] = getattr(batch, name)
    return Rollout(states, recorded, errors, along.matrices() if along and count else None)


def _steps(count: int, shown: bool):  # type: ignore[no-untyped-def]
    if not shown:
        return range(count)
    if in_notebook():
        return _below_cell(count)
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(
        range(count), "Rollout", console=console, transient=True, disable=not console.is_terminal
    )


def _below_cell(count: int) -> Iterator[int]:
    """Numbers of steps, with a bar that is drawn a hundred times at most."""
    bar, often = NotebookBar("Rollout", count), max(1, count // 100)
    try:
        for t in range(count):
            if t % often == 0:
                bar.update(t)
            yield t
    finally:
        bar.close()
