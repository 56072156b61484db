"""Shards: some worlds of a pool, and the work that is done on them, wherever that is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.model import Model


class Snapshot(NamedTuple):
    """All that worlds are: state vectors (k, size), and parameters of their own (k, ...)."""

    states: np.ndarray
    parameters: dict[str, np.ndarray]


@dataclass(frozen=True)
class Shard:
    """Some worlds of a pool, while a function works on them.

    worlds:  their numbers in the pool, `(k,)`.
    model:   the pool's.
    threads: of the worker; None for as many as there are cores.
    kept:    what functions keep in a worker to save time; no result may depend on it.
    """

    worlds: np.ndarray
    model: Model
    threads: int | None
    kept: dict[Any, Any]
    entropy: tuple[int, int]
    load: Callable[[], BatchSim]

    @cached_property
    def batch(self) -> BatchSim:
        """These worlds."""
        return self.load()

    def generators(self) -> list[np.random.Generator]:
        """A generator for each world; it follows from the pool's seed, the world and the call.

        The call is the number of `map` calls of the pool before this one.
        """
        seed, call = self.entropy
        return [
            np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(call, world)))
            for world in self.worlds.tolist()
        ]


class Task(NamedTuple):
    """Work on a shard: all that its result depends on, besides the model.

    worlds:    the first and the last number, and one more.
    arguments: those of this shard, after those that all shards are given.
    snapshot:  what the worlds are before; None for the model's initial state.
    keeps:     whether what they are afterwards is of interest.
    """

    worlds: tuple[int, int]
    entropy: tuple[int, int]
    arguments: tuple[Any, ...]
    snapshot: Snapshot | None
    keeps: bool


#: a function of a shard, of arguments for all shards, and of arguments for this one
Work = Callable[..., Any]


class ShardWorker:
    """Does work on shards, one after another, in batches of its own."""

    def __init__(self, model: Model, threads: int | None) -> None:
        self.model, self.threads = model, threads
        self._initial = model.make_data().get_state()
        self._kept: dict[Any, Any] = {}
        #: batches by their size and by the parameters in which worlds differ
        self._batches: dict[tuple[int, frozenset[str]], BatchSim] = {}

    def warm_up(self, worlds: int) -> None:
        """Compile or load kernels of steps."""
        self._batch(worlds, None).step_all()

    def run(self, work: Work, shared: tuple[Any, ...], task: Task) -> tuple[Any, Snapshot | None]:
        """What a function makes of a shard, and what its worlds are afterwards."""
        first, stop = task.worlds
        load = partial(self._batch, stop - first, task.snapshot)
        worlds = np.arange(first, stop)
        shard = Shard(worlds, self.model, self.threads, self._kept, task.entropy, load)
        result = work(shard, *shared, *task.arguments)
        return result, snapshot(shard.batch) if task.keeps else None

    def _batch(self, size: int, given: Snapshot | None) -> BatchSim:
        """A batch whose worlds are as a snapshot has them."""
        names = frozenset() if given is None else frozenset(given.parameters)
        key = (size, names)
        if key not in self._batches:
            self._batches[key] = BatchSim(self.model, size, threads=self.threads)
        batch = self._batches[key]
        if frozenset(batch.parameters) != names:
            # a function of a user's has expanded it; others are not to see that
            batch = self._batches[key] = BatchSim(self.model, size, threads=self.threads)
            batch.expand(*sorted(names))
        for name in names:
            assert given is not None
            batch.parameters[name] = given.parameters[name]
        batch.set_states(self._initial if given is None else given.states)
        return batch


def snapshot(batch: BatchSim) -> Snapshot:
    """What the worlds of a batch are now."""
    parameters = {name: values.copy() for name, values in batch.parameters.items()}
    return Snapshot(batch.get_states(), parameters)
