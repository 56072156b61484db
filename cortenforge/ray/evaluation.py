"""Policies evaluated for evolution strategies: an episode for each seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.errors import ArgumentError, ShapeError, StepError
from cortenforge.ray.shard import Shard

#: controls (k, nu) of worlds from what is observed of them
Act = Callable[[Any], Any]


@dataclass(frozen=True)
class Evaluation:
    """Episodes of an evaluated policy, one for each seed.

    seeds:   their seeds, `(n,)`.
    returns: sums of rewards, `(n,)`; of an episode that failed, up to there.
    steps:   numbers of rewarded steps, `(n,)`.
    errors:  for each, None or what went wrong.
    """

    seeds: np.ndarray
    returns: np.ndarray
    steps: np.ndarray
    errors: list[StepError | None]


@dataclass(frozen=True)
class Episode:
    """How episodes go.

    reward:  rewards (k,) of the worlds of a batch, after each control.
    observe: what a policy sees of a batch; qpos and qvel side by side if it is not given.
    begin:   called with a batch in its initial state and a generator for each world, by its seed.
    steps:   number of controls; nstep: steps that each is held for.
    """

    reward: Callable[[BatchSim], Any]
    observe: Callable[[BatchSim], Any] | None
    begin: Callable[[BatchSim, list[np.random.Generator]], None] | None
    steps: int
    nstep: int

    def seen(self, batch: BatchSim) -> Any:
        """What a policy sees."""
        if self.observe is None:
            return np.hstack([batch.qpos, batch.qvel])
        return self.observe(batch)

    def rewards(self, batch: BatchSim) -> np.ndarray:
        """Rewards of all worlds."""
        found = np.asarray(self.reward(batch), float)
        if found.shape != (batch.n,):
            raise ShapeError(f"reward: expected an array ({batch.n},), got {found.shape}")
        return found


def checked_seeds(seeds: Any) -> np.ndarray:
    """Seeds as an array of integers from 0."""
    found = np.asarray(seeds)
    if found.ndim != 1 or found.dtype.kind not in "iu" or (found < 0).any():
        raise ArgumentError(f"seeds: expected whole numbers from 0, got {seeds!r}"[:300])
    return found


def evaluate_shard(
    shard: Shard, policy: Callable[[np.ndarray], Act], episode: Episode, seeds: np.ndarray
) -> tuple[np.ndarray, np.ndarray, Sequence[StepError | None]]:
    """Returns, steps and errors of episodes, one for each world."""
    batch = shard.batch
    if episode.begin is not None:
        episode.begin(batch, [np.random.default_rng(seed) for seed in seeds.tolist()])
    act = policy(seeds)
    returns, steps = np.zeros(batch.n), np.zeros(batch.n, np.int64)
    errors: list[StepError | None] = [None] * batch.n
    for _ in range(episode.steps):
        batch.ctrl = act(episode.seen(batch))
        for world, error in enumerate(batch.step_all(episode.nstep)):
            errors[world] = errors[world] or error
        running = np.array([error is None for error in errors], bool)
        returns[running] += episode.rewards(batch)[running]
        steps[running] += 1
        if not running.any():
            break
    return returns, steps, errors
