"""Worlds of an `Environment`: its functions are called on arrays, between steps of a batch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.internals import forward_to_controls
from cortenforge.envs.draws import CounterDraws, GeneratorDraws
from cortenforge.envs.environment import Environment
from cortenforge.envs.failures import HookCalls
from cortenforge.envs.outcome import Outcome
from cortenforge.envs.worlds import TaskWorlds, WorldArrays
from cortenforge.errors import ArgumentError, ShapeError

AnyDraws = CounterDraws | GeneratorDraws
#: how often a first state is drawn until it can stay
MOST_BEGINNINGS = 1000


class ArrayRunner:
    """Steps the worlds of a task, and asks the task about them."""

    def __init__(
        self, task: Environment, n: int, *, threads: int | None = None, seed: int = 0
    ) -> None:
        self.task, self.title = task, task.title
        self.batch = BatchSim(task.model, n, threads=threads)
        if task.expand:
            self.batch.expand(*task.expand)
        task.randomize(self.batch, seed)
        low, high = task.action_range()
        self.action_low, self.action_high = np.asarray(low, float), np.asarray(high, float)
        self.own: dict[str, np.ndarray] = {
            name: np.zeros((n, *shape)) for name, shape in task.state.items()
        }
        self.own["steps"] = np.zeros(n, np.int64)
        #: of counted random numbers
        self.own["seed"], self.own["episode"] = np.zeros(n, np.int64), np.full(n, -1)
        self.arrays = WorldArrays(
            self.batch, tuple(task.fields), self.own, unactuated=task.begins_unactuated
        )
        self.action = np.zeros((n, *self.action_low.shape))
        self.all = TaskWorlds(self.arrays)
        self.calls = HookCalls(self.title, self.arrays)
        if task.randomness not in ("generators", "counters"):
            raise ArgumentError(
                f'{self.title}.randomness: expected "generators" or "counters", '
                f"got {task.randomness!r}"
            )
        #: whether random numbers are functions of the seed and of counters
        self.counted = task.randomness == "counters"
        self.columns: dict[str, slice] = {}
        self.size = 0
        self._measure()

    @property
    def action(self) -> np.ndarray:
        """What was done last, as it was given."""
        return self.arrays.known["action"]

    @action.setter
    def action(self, actions: np.ndarray) -> None:
        self.arrays.known["action"] = actions

    def _measure(self) -> None:
        """Find the columns of an observation."""
        start = 0
        for name, values in self.calls.call(self.task.observe, self.all).items():
            width = int(np.prod(np.shape(values)[1:], dtype=int))
            if np.shape(values)[:1] != (self.batch.n,):
                raise ShapeError(
                    f"{self.title}.observe: {name}: expected {self.batch.n} rows, "
                    f"got an array of shape {np.shape(values)}"
                )
            self.columns[name] = slice(start, start + width)
            start += width
        self.size = start

    def seed(self, seed: int) -> None:
        """Set the seed of all worlds, whose episodes are counted from zero again."""
        self.own["seed"][:], self.own["episode"][:] = seed, -1

    def begin(self, rows: np.ndarray, generators: list[np.random.Generator]) -> Outcome:
        """Begin an episode in some worlds."""
        calls, task = self.calls, self.task
        calls.failed = {}
        w = TaskWorlds(self.arrays, rows)
        if self.counted:
            self.own["episode"][rows] += 1
            seed = int(self.own["seed"][0])
            draws: AnyDraws = CounterDraws(seed, rows, self.own["episode"][rows])
        else:
            draws = GeneratorDraws(generators)
        self._draw_acceptable(w, draws)
        calls.call(task.begun, w)
        return Outcome(
            self._observed(w),
            np.zeros(len(rows)),
            np.zeros(len(rows), bool),
            calls.call(task.begin_info, w),
            calls.failed,
        )

    def _draw_acceptable(self, w: TaskWorlds, draws: AnyDraws) -> None:
        """Let worlds begin, and those begin again whose first state cannot stay."""
        for _ in range(MOST_BEGINNINGS):
            self.batch.reset_where(self.arrays.mask(w.numbers))
            for name in ("steps", *self.task.state):
                self.own[name][w.numbers] = 0
            self.calls.call(self.task.begin, w, draws)
            w.forward()
            again = np.flatnonzero(~np.asarray(self.calls.call(self.task.acceptable, w), bool))
            if not len(again):
                return
            w, draws = w.only(again), draws.only(again)
        cause = ArgumentError(f"no state was acceptable in {MOST_BEGINNINGS} attempts")
        for world in w.numbers.tolist():
            self.calls.fail(world, "acceptable", cause)

    def step(self, actions: np.ndarray, where: np.ndarray | None) -> Outcome:
        """Act, step and judge the worlds of a mask, or all."""
        calls, task, w = self.calls, self.task, self.all
        calls.failed = {}
        self.action = actions
        calls.call(task.before, w)
        calls.call(task.act, w)
        self._advance(where)
        self.own["steps"] += 1
        calls.call(task.after, w)
        observations = self._observed(w)
        terms = calls.call(task.reward, w)
        terminated = np.array(calls.call(task.terminated, w), bool)
        info = calls.call(task.info, w, terms)
        return Outcome(observations, self._sum(terms), terminated, info, calls.failed)

    def _advance(self, where: np.ndarray | None) -> None:
        """Steps of physics; worlds that fail are where their step started, evaluated there."""
        errors = self.batch.step_all(self.task.frame_skip, where=where)
        failed = np.flatnonzero(self.batch.error_codes)
        if self.task.settled:
            forward_to_controls(self.batch)
        for world in failed.tolist():
            cause = errors[world]
            assert cause is not None
            self.calls.fail(world, "step", cause)
        if len(failed):
            self.batch.forward_where(self.arrays.mask(failed))

    def _observed(self, w: TaskWorlds) -> np.ndarray:
        """Observations as a table, a row for each world."""
        values = self.calls.call(self.task.observe, w)
        parts = [np.reshape(part, (w.n, -1)) for part in values.values()]
        return np.concatenate(parts, axis=1)

    def _sum(self, terms: Mapping[str, np.ndarray]) -> np.ndarray:
        total = np.zeros(self.batch.n)
        for term in terms.values():
            total += term
        return total
