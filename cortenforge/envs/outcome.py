"""What a step of all worlds came to, and how worlds of a task are run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.errors import TaskError


@dataclass
class Outcome:
    """Of n worlds, or of those that begin: what is observed, rewarded and logged.

    observations: (n, size).   rewards, terminated: (n,).   info: arrays (n, ...) by name.
    failures:     worlds in which physics or the task's code failed, by number.
    """

    observations: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    info: dict[str, np.ndarray]
    failures: dict[int, TaskError] = field(default_factory=dict)


class Runner(Protocol):
    """Runs the worlds of a task: `ArrayRunner` and `KernelRunner`."""

    batch: BatchSim
    title: str
    #: columns of an observation, by name
    columns: dict[str, slice]
    #: numbers in an observation
    size: int
    #: what the task keeps for each world, by name
    own: dict[str, np.ndarray]
    #: what was done last, which tasks may observe
    action: np.ndarray
    action_low: np.ndarray
    action_high: np.ndarray
    #: whether random numbers are functions of one seed and of counters, not of generators
    counted: bool

    def seed(self, seed: int) -> None:
        """Set the seed of all worlds, if they are counted."""
        ...

    def step(self, actions: np.ndarray, where: np.ndarray | None) -> Outcome:
        """Act, step and judge the worlds of a mask, or all."""
        ...

    def begin(self, rows: np.ndarray, generators: list[np.random.Generator]) -> Outcome:
        """Begin an episode in some worlds; of these, what is observed and logged."""
        ...
