"""Batches of one model in both engines, from the same states and controls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from mujoco.batch import Batch

import cortenforge as cf
from cortenforge.cli.race_batch import START_FIELDS, rollout_call

__all__ = ["Engines", "Run", "Sample", "states_along"]


@dataclass(frozen=True)
class Run:
    """What puts an engine back to the start, and what is timed."""

    reset: Callable[[], object]
    run: Callable[[], object]


@dataclass(frozen=True)
class Sample:
    """How states are taken along simulations under random controls.

    runs, each: simulations, and states of each.
    speed:      spread of velocities at the start of one.
    before:     steps before the first controls; apart: steps between states.
    posed:      they begin at the model's first keyframe, if it has one.
    seed:       of all that is drawn.
    """

    runs: int
    each: int
    speed: float
    apart: int
    before: int = 0
    posed: bool = True
    seed: int = 0


def states_along(
    reference: Any, how: Sample
) -> tuple[dict[str, np.ndarray], np.ndarray, np.random.Generator]:
    """States by field, contacts and rows of each, and the generator that drew them."""
    rng, data = np.random.default_rng(how.seed), mujoco.MjData(reference)
    kept: list[list[np.ndarray]] = []
    sizes = []
    for _ in range(how.runs):
        mujoco.mj_resetData(reference, data)
        if how.posed and reference.nkey:
            mujoco.mj_resetDataKeyframe(reference, data, 0)
        data.qvel[:] = how.speed * rng.normal(size=reference.nv)
        mujoco.mj_step(reference, data, how.before)
        for _ in range(how.each):
            data.ctrl[:] = 0.3 * rng.normal(size=reference.nu)
            mujoco.mj_step(reference, data, how.apart)
            kept.append([np.array(getattr(data, name)) for name in START_FIELDS])
            sizes.append((data.ncon, data.nefc))
    columns = zip(START_FIELDS, zip(*kept, strict=True), strict=True)
    return {name: np.array(values) for name, values in columns}, np.array(sizes), rng


class Engines:
    """Batches of a model; worlds begin at the states by turns."""

    def __init__(self, model: cf.Model, reference: Any, start: dict[str, np.ndarray]) -> None:
        self.model, self.reference, self.start = model, reference, start

    def _rows(self, n: int) -> dict[str, np.ndarray]:
        """The starts of so many worlds."""
        return {
            name: values[np.arange(n) % len(values)]
            for name, values in self.start.items()
            if values.size
        }

    def ours(self, n: int, threads: int, steps: int, *, expanded: bool = False) -> Run:
        """BatchSim, of one model or of worlds that differ in masses and friction."""
        batch, rows = cf.BatchSim(self.model, n, threads=threads), self._rows(n)
        if expanded:
            batch.expand("body_mass", "geom_friction")

        def reset() -> None:
            batch.reset_all()
            for name, values in rows.items():
                setattr(batch, name, values)

        return Run(reset, lambda: batch.step_all(steps))

    def their_batch(self, n: int, threads: int, steps: int) -> Run:
        """mujoco.batch."""
        batch, rows = Batch(self.reference, n, nthread=threads), self._rows(n)
        bound, fresh = {name: batch.bind(name) for name in rows}, batch.state.copy()

        def reset() -> None:
            batch.state[:] = fresh
            for name, array in bound.items():
                array[:] = rows[name]

        return Run(reset, lambda: batch.step(nstep=steps))

    def their_rollout(self, n: int, threads: int, steps: int) -> Run:
        """mujoco.rollout."""
        call = rollout_call(mujoco, self.reference, self._rows(n), threads, steps)
        return Run(lambda: None, call)
