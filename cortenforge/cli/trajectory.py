"""A simulation recorded over time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cortenforge.disk import replacing
from cortenforge.enums import Enable

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

__all__ = ["Trajectory", "record", "sample_count"]

Array = NDArray[np.float64]


@dataclass
class Trajectory:
    """States at evenly spaced times; row 0 is the start.

    time (samples,), qpos (samples, nq), qvel (samples, nv), energy (samples, 2): potential and
    kinetic [J].
    """

    time: Array
    qpos: Array
    qvel: Array
    energy: Array

    @classmethod
    def allocate(cls, model: Model, count: int) -> Trajectory:
        """Room for a number of samples."""
        return cls(
            np.empty(count),
            np.empty((count, model.nq)),
            np.empty((count, model.nv)),
            np.empty((count, 2)),
        )

    def until(self, count: int) -> Trajectory:
        """The first samples only."""
        return Trajectory(
            self.time[:count], self.qpos[:count], self.qvel[:count], self.energy[:count]
        )

    def save(self, path: Path) -> None:
        """Write a plain npz file; one that was there is replaced whole or not at all."""
        with replacing(path) as beside, beside.open("wb") as file:
            np.savez_compressed(
                file, time=self.time, qpos=self.qpos, qvel=self.qvel, energy=self.energy
            )

    @property
    def total_energy(self) -> Array:
        total: Array = self.energy.sum(axis=1)
        return total


def sample_count(seconds: float, timestep: float, every: int = 1) -> int:
    """How many samples a recording has, the start included."""
    return round(seconds / timestep) // every + 1


def record(
    model: Model,
    data: Data,
    kept: Trajectory,
    *,
    every: int = 1,
    on_sample: Callable[[int], None] | None = None,
) -> Trajectory:
    """Simulate, keeping each state that falls on a multiple of `every` steps, until `kept` is full.

    `on_sample(index)` is called after each sample. The energy flag of the model is switched on.
    """
    model.opt.enableflags = int(model.opt.enableflags) | int(Enable.ENERGY)
    for index in range(len(kept.time)):
        if index:
            data.step(every)
        # energy belongs to the state that forward last saw, so look once more after the step
        data.forward()
        kept.time[index] = data.time
        kept.qpos[index] = data.qpos
        kept.qvel[index] = data.qvel
        kept.energy[index] = data.energy
        if on_sample is not None:
            on_sample(index)
    return kept
