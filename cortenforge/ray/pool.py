"""Pools: worlds of one model, kept here and stepped by workers, wherever these are."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from cortenforge.batch.assign import real_numbers
from cortenforge.batch.rollout import Rollout
from cortenforge.batch.worlds import checked_size
from cortenforge.errors import ArgumentError, MissingPackage, ShapeError, StepError
from cortenforge.model import Model
from cortenforge.model.calls.progress_bar import DelayedProgressBar
from cortenforge.model.calls.step_count import checked_step_count, is_integer
from cortenforge.model.model import checked_model
from cortenforge.ray.evaluation import Act, Episode, Evaluation, checked_seeds, evaluate_shard
from cortenforge.ray.local import LocalWorkers
from cortenforge.ray.shard import Snapshot, Task, Work
from cortenforge.ray.work import map_shard, roll_out_shard, step_shard
from cortenforge.suggest import Declared

if TYPE_CHECKING:
    from cortenforge.envs import Environment
    from cortenforge.ray.vector_env import PoolVectorEnv

#: worlds of a shard: a call of a worker costs a millisecond, and these take that long for a step
USUAL_SHARD = 64


@dataclass(frozen=True)
class Stepped:
    """What `Pool.step` gives.

    states: state vectors of all worlds after the steps, `(n, size)`.
    fields: name -> (n, ...), the asked-for fields.
    errors: for each world, None or what went wrong.
    """

    states: np.ndarray
    fields: dict[str, np.ndarray]
    errors: list[StepError | None]


class Workers(Protocol):
    """What does the work of a pool."""

    count: int

    def run(
        self,
        work: Work,
        shared: tuple[Any, ...],
        tasks: Sequence[Task],
        done: Callable[[int], None],
    ) -> list[tuple[Any, Snapshot | None]]:
        """Results of tasks, in their order."""
        ...

    def close(self) -> None:
        """Free memory and processes."""
        ...


class Pool(Declared):
    """`n` worlds of one model, in shards that are worked on by actors of Ray.

    model:    goes to Ray's object store once; later edits of it have no effect on the pool.
    worlds:   their number.
    workers:  number of actors; by default as many as the cluster has processors for. 0: no Ray, all
              work is done in this process. Without Ray installed, that is the default.
    shard:    number of worlds of a shard. Results of `map` and `evaluate` may depend on it, since
              functions are called for a shard; they never depend on workers.
    seed:     of the generators that functions are given.
    threads:  of each actor; it reserves as many processors.
    progress: whether calls of more than a second show a bar.

    Ray is connected to, or started on this machine, unless a program has done so (`ray.init`).
    A worker that is lost is reported (WorkerWarning) and replaced, and its shard is computed again,
    with the same bits.

    >>> with cf.ray.Pool(model, 10_000) as pool:
    ...     run = pool.rollout(states, controls)
    """

    def __init__(
        self,
        model: Model,
        worlds: int,
        *,
        workers: int | None = None,
        shard: int = USUAL_SHARD,
        seed: int = 0,
        threads: int = 1,
        progress: bool = True,
        start_timeout: float = 300.0,
    ) -> None:
        self._model = checked_model(model)
        self._n = checked_size(worlds)
        for name, value, least in (
            ("worlds", worlds, 1),
            ("shard", shard, 1),
            ("seed", seed, 0),
            ("threads", threads, 1),
        ):
            if not is_integer(value) or value < least:
                raise ArgumentError(f"{name}: expected a whole number from {least}, got {value!r}")
        if workers is not None and (not is_integer(workers) or workers < 0):
            raise ArgumentError(f"workers: expected a whole number from 0, got {workers!r}"[:300])
        self._shard, self._seed, self._progress = int(shard), int(seed), progress
        self._calls = 0
        self._snapshots: list[Snapshot | None] = [None] * len(self.shards)
        size = min(self._shard, self._n)
        self._workers = make_workers(model, workers, size, threads, start_timeout, self._n)

    @property
    def n(self) -> int:
        """Number of worlds."""
        return self._n

    @property
    def workers(self) -> int:
        """Number of actors; 0 if all work is done in this process."""
        return self._workers.count

    @property
    def shards(self) -> list[tuple[int, int]]:
        """The first world of each shard, and the last and one more."""
        return shards_of(self._n, self._shard)

    @property
    def model_hash(self) -> str:
        """The hash of the model."""
        return self._model.hash

    def step(self, nstep: int = 1, *, ctrl: Any = None, fields: Sequence[str] = ()) -> Stepped:
        """Advance every world by some steps.

        ctrl:   controls `(n, nu)`, or `(nu,)` for all worlds; those of before if it is not given.
        fields: names of derived fields to return.
        """
        nstep = checked_step_count(nstep)
        names = checked_names(fields)
        given = None if ctrl is None else self._rows("ctrl", ctrl, self._model.nu)
        parts = self._run(step_shard, (nstep, names), self._split(given), keeps=True)
        return Stepped(
            np.concatenate([part[0] for part in parts]),
            {name: np.concatenate([part[1][name] for part in parts]) for name in names},
            [error for part in parts for error in part[2]],
        )

    def rollout(
        self, states: Any, controls: Any, *, fields: Sequence[str] = (), nstep: int = 1
    ) -> Rollout:
        """Take worlds through given controls, as `BatchSim.rollout` does; those of the pool stay.

        states:   (n, size), or (size,) for all: vectors as of `Data.get_state`.
        controls: (n, time, nu), or (time, nu) for all.
        """
        checked_step_count(nstep)
        names = checked_names(fields)
        size = self._size
        start = self._rows("states", states, size)
        inputs = real_numbers("controls", controls).astype(np.float64)
        if inputs.ndim not in (2, 3) or inputs.shape[-1] != self._model.nu:
            raise ShapeError(
                f"controls: expected ({self._n}, time, {self._model.nu}), got {inputs.shape}"
            )
        if inputs.ndim == 3 and len(inputs) != self._n:
            raise ShapeError(f"controls: expected {self._n} worlds, got {len(inputs)}")
        alike = inputs if inputs.ndim == 2 else None
        own = self._split(inputs if inputs.ndim == 3 else None)
        arguments = [(*one, *other) for one, other in zip(self._split(start), own, strict=True)]
        parts = self._run(roll_out_shard, (names, nstep, alike), arguments, keeps=False)
        return Rollout(
            np.concatenate([part.states for part in parts]),
            {name: np.concatenate([part.fields[name] for part in parts]) for name in names},
            [error for part in parts for error in part.errors],
        )

    def map(
        self, function: Callable[..., Any], *arguments: Any, rows: Sequence[Any] = ()
    ) -> list[Any]:
        """Call `function(shard, *arguments, *rows)` for each shard; a list of what it returns.

        function:  gets a `Shard`, whose `batch` it may change: states and parameters are kept.
        arguments: for all shards; large ones go to each node once.
        rows:      arrays (n, ...), of which each shard is given its rows.

        >>> pool.map(lambda shard: shard.batch.qpos[:, 2].max())
        """
        if not callable(function):
            raise ArgumentError(f"function: expected a function, got {function!r}"[:300])
        arrays = [np.asarray(array) for array in rows]
        for array in arrays:
            if array.shape[:1] != (self._n,):
                raise ShapeError(f"rows: expected {self._n} rows, got an array {array.shape}")
        split = [tuple(array[a:b] for array in arrays) for a, b in self.shards]
        found = self._run(map_shard, (function, arguments), split, keeps=True)
        self._calls += 1
        return found

    def evaluate(
        self,
        policy: Callable[[np.ndarray], Act],
        seeds: Any,
        *,
        reward: Callable[..., Any],
        steps: int,
        nstep: int = 1,
        observe: Callable[..., Any] | None = None,
        begin: Callable[..., None] | None = None,
    ) -> Evaluation:
        """Returns of a policy, an episode for each seed; worlds of the pool stay as they are.

        policy:  called with the seeds `(k,)` of a shard, and returns what acts for them: a function
                 of observations `(k, ...)` that gives controls `(k, nu)`. An evolution strategy
                 draws the change of its parameters from a seed.
        seeds:   whole numbers, as many as there are to be episodes.
        reward:  `reward(batch)` gives the rewards `(k,)` after each control.
        steps:   number of controls of an episode; nstep: steps for which each is held.
        observe: `observe(batch)` gives observations; qpos and qvel by default.
        begin:   `begin(batch, generators)` changes the initial state, with a generator for each
                 world, made from its seed.
        """
        numbers = checked_seeds(seeds)
        for name, value in (("policy", policy), ("reward", reward)):
            if not callable(value):
                raise ArgumentError(f"{name}: expected a function, got {value!r}"[:300])
        episode = Episode(
            reward, observe, begin, checked_step_count(steps), checked_step_count(nstep)
        )
        entropy = (self._seed, self._calls)
        tasks = [
            Task((a, b), entropy, (numbers[a:b],), None, False)
            for a, b in shards_of(len(numbers), self._shard)
        ]
        answers = self._run_tasks(evaluate_shard, (policy, episode), tasks)
        parts = [result for result, _ in answers]
        return Evaluation(
            numbers,
            np.concatenate([np.zeros(0), *(part[0] for part in parts)]),
            np.concatenate([np.zeros(0, np.int64), *(part[1] for part in parts)]),
            [error for part in parts for error in part[2]],
        )

    def get_states(self) -> np.ndarray:
        """State vectors of all worlds, `(n, size)`, as `BatchSim.get_states`."""
        fresh = self._initial
        return np.concatenate(
            [
                np.tile(fresh, (b - a, 1)) if kept is None else kept.states
                for (a, b), kept in zip(self.shards, self._snapshots, strict=True)
            ]
        )

    def set_states(self, states: Any) -> None:
        """Let worlds begin elsewhere: `(n, size)`, or one state `(size,)` for all."""
        rows = self._rows("states", states, self._size)
        for k, (a, b) in enumerate(self.shards):
            kept = self._snapshots[k]
            own = {} if kept is None else kept.parameters
            self._snapshots[k] = Snapshot(rows[a:b].copy(), own)

    def reset(self) -> None:
        """Bring all worlds back to the initial state, without parameters of their own."""
        self._snapshots = [None] * len(self._snapshots)

    @property
    def _initial(self) -> np.ndarray:
        vector: np.ndarray = self._model.make_data().get_state().vector
        return vector

    @property
    def _size(self) -> int:
        return len(self._initial)

    def _rows(self, name: str, value: Any, width: int) -> np.ndarray:
        """An array with a row for each world, of one row for all or of all rows."""
        array = real_numbers(name, value).astype(np.float64)
        if array.shape not in ((width,), (self._n, width)):
            raise ShapeError(f"{name}: expected ({self._n}, {width}), got {array.shape}")
        found: np.ndarray = np.broadcast_to(array, (self._n, width))
        return found

    def _split(self, rows: np.ndarray | None) -> list[tuple[np.ndarray | None]]:
        shards = self.shards
        return [(None if rows is None else rows[a:b],) for a, b in shards]

    def as_vector_env(self, task: Environment, **options: Any) -> PoolVectorEnv:
        """As many worlds of a task as the pool has, as a `gymnasium.vector.VectorEnv`.

        task:    an environment with the pool's model: `Pool(task.model, worlds)`.
        options: those of `cf.envs.VectorEnvironment` that are not about threads and pictures.
        Results have the bits that they have in one `VectorEnvironment`; worlds of the pool stay.

        >>> envs = pool.as_vector_env(task)
        >>> observations, infos = envs.reset(seed=0)
        """
        from cortenforge.ray.vector_env import PoolVectorEnv

        return PoolVectorEnv(self, task, options)

    def run_shards(
        self, work: Work, shared: tuple[Any, ...], arguments: Sequence[tuple[Any, ...]]
    ) -> list[Any]:
        """Call `work(shard, *shared, *arguments)` for each shard; worlds of the pool stay."""
        tasks = [
            Task(shard, (self._seed, self._calls), given, None, False)
            for shard, given in zip(self.shards, arguments, strict=True)
        ]
        return [result for result, _ in self._run_tasks(work, shared, tasks)]

    def _run(
        self,
        work: Work,
        shared: tuple[Any, ...],
        arguments: Sequence[tuple[Any, ...]],
        *,
        keeps: bool,
    ) -> list[Any]:
        """Do work on all shards; keeps: it may change worlds."""
        tasks = [
            Task(shard, (self._seed, self._calls), given, kept, keeps)
            for shard, given, kept in zip(self.shards, arguments, self._snapshots, strict=True)
        ]
        answers = self._run_tasks(work, shared, tasks)
        if keeps:
            self._snapshots = [kept for _, kept in answers]
        return [result for result, _ in answers]

    def _run_tasks(
        self, work: Work, shared: tuple[Any, ...], tasks: Sequence[Task]
    ) -> list[tuple[Any, Snapshot | None]]:
        with DelayedProgressBar(work.__name__.removesuffix("_shard"), len(tasks)) as bar:
            show = bar.advance if self._progress else (lambda count: None)
            return self._workers.run(work, shared, tasks, show)

    def close(self) -> None:
        """End the workers; those of a pool that nobody refers to end by themselves."""
        self._workers.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self._n

    def __repr__(self) -> str:
        where = f"{self.workers} workers" if self.workers else "this process"
        return f"<cortenforge.ray.Pool n={self._n} in {where} of {self._model!r}>"


def make_workers(
    model: Model, workers: int | None, worlds: int, threads: int, timeout: float, n: int
) -> Workers:
    """Actors of Ray, or what works in this process."""
    installed = importlib.util.find_spec("ray") is not None
    if workers and not installed:
        raise MissingPackage(f"cortenforge.ray with workers={workers}", "Ray", "ray")
    if workers == 0 or not installed:
        return LocalWorkers(model, worlds)
    from cortenforge.ray import workers as actors

    actors.connect()
    most = max(1, min(actors.processors() // threads, -(-n // worlds)))
    return actors.RayWorkers(model, workers or most, worlds, threads=threads, timeout=timeout)


def shards_of(n: int, size: int) -> list[tuple[int, int]]:
    """The first of n worlds of each shard, and the last and one more."""
    return [(a, min(a + size, n)) for a in range(0, n, size)]


def checked_names(fields: Any) -> tuple[str, ...]:
    """Names of fields."""
    if not isinstance(fields, (list, tuple)):
        raise ArgumentError(f"fields: expected a list of names, got {fields!r}"[:300])
    return tuple(fields)


def rollout(
    model: Model,
    states: Any,
    controls: Any,
    *,
    fields: Sequence[str] = (),
    nstep: int = 1,
    workers: int | None = None,
    shard: int = USUAL_SHARD,
    progress: bool = True,
) -> Rollout:
    """Take worlds of a model through given controls, on the workers of a `Pool` made for it.

    states:   (n, size), or (size,) for all; controls: (n, time, nu), or (time, nu) for all.
    Other arguments as those of `Pool` and of `Pool.rollout`.

    >>> run = cf.ray.rollout(model, states, controls)
    >>> run.states.shape                                     # (n, time, size)
    """
    given = [len(array) for array, more in ((states, 2), (controls, 3)) if np.ndim(array) == more]
    with Pool(
        model, given[0] if given else 1, workers=workers, shard=shard, progress=progress
    ) as pool:
        return pool.rollout(states, controls, fields=fields, nstep=nstep)
