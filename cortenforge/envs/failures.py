"""A task's functions called so that what raises in one world does not stop the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cortenforge.envs.draws import CounterDraws, GeneratorDraws
from cortenforge.envs.worlds import TaskWorlds, WorldArrays
from cortenforge.errors import TaskError

#: functions that may write: before they are called again, world by world, what they wrote is undone
WRITING = ("before", "act", "after", "begin", "begun")
DRAWS = (CounterDraws, GeneratorDraws)


class HookCalls:
    """Calls of a task's functions; `failed` has what was raised since it was cleared, by world."""

    def __init__(self, title: str, arrays: WorldArrays) -> None:
        self.title = title
        self.arrays = arrays
        self.failed: dict[int, TaskError] = {}

    def fail(self, world: int, place: str, cause: BaseException) -> None:
        """Record that a world has failed; the first failure of a world counts."""
        error = TaskError(self.title, place, world, cause)
        error.__cause__ = cause
        self.failed.setdefault(world, error)

    def call(self, function: Callable[..., Any], w: TaskWorlds, *given: Any) -> Any:
        """Call a function for all worlds at once, and one by one if that raises."""
        name = function.__name__
        kept = self._own() if name in WRITING else {}
        drawn: list[Any] = [(one, one.states()) for one in given if isinstance(one, DRAWS)]
        try:
            return function(w, *given)
        except Exception as error:
            for key, array in kept.items():
                self.arrays.own[key][...] = array
            for draws, states in drawn:
                draws.restore(states)
            return self._one_by_one(function, w, given, error)

    def _own(self) -> dict[str, np.ndarray]:
        return {name: array.copy() for name, array in self.arrays.own.items()}

    def _one_by_one(
        self, function: Callable[..., Any], w: TaskWorlds, given: tuple[Any, ...], first: Exception
    ) -> Any:
        """The same for each world by itself; raises if none succeeds: then the task is at fault."""
        results: dict[int, Any] = {}
        for k, world in enumerate(w.numbers.tolist()):
            own = [one_of(argument, k, w.n) for argument in given]
            try:
                results[k] = function(TaskWorlds(self.arrays, w.numbers[k : k + 1]), *own)
            except Exception as error:
                self.fail(world, function.__name__, error)
        if not results:
            raise TaskError(self.title, function.__name__, int(w.numbers[0]), first) from first
        return joined(results, w.n)


def one_of(argument: Any, k: int, n: int) -> Any:
    """What one of n worlds is given of an argument for all."""
    if isinstance(argument, DRAWS):
        return argument.only([k])
    if isinstance(argument, dict):
        return {name: one_of(value, k, n) for name, value in argument.items()}
    return argument[k : k + 1] if isinstance(argument, np.ndarray) else argument


def joined(results: dict[int, Any], n: int) -> Any:
    """Results of single worlds as of n at once; zero where there is none."""
    some = next(iter(results.values()))
    if some is None:
        return None
    if isinstance(some, dict):
        return {
            name: joined({k: result[name] for k, result in results.items()}, n) for name in some
        }
    values = {k: np.asarray(result) for k, result in results.items()}
    shown = next(iter(values.values()))
    whole = np.zeros((n, *shown.shape[1:]), shown.dtype)
    for k, value in values.items():
        whole[k] = value[0]
    return whole
