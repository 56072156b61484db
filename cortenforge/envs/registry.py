"""Environments by name, for `make` and for `gymnasium.make_vec`."""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import is_dataclass
from functools import cache
from typing import Any

import gymnasium

from cortenforge.envs.environment import Task
from cortenforge.envs.vector import VectorEnvironment
from cortenforge.errors import ArgumentError, UnknownName
from cortenforge.suggest import did_you_mean

#: what Gymnasium's registry calls a vector environment of ours: "module:name"
ENTRY = "cortenforge.envs.entry_points:{}"


@cache
def tasks() -> dict[str, Any]:
    """What makes a task, by id: its class, or a partial call of that."""
    from cortenforge.envs.dm_suite import TASKS as DM_SUITE
    from cortenforge.envs.gymnasium_v5 import TASKS as GYMNASIUM_V5
    from cortenforge.envs.robots import TASKS as ROBOTS
    from cortenforge.envs.tutorial import paddle_arrays, paddle_kernels

    paddles = {kind.name: kind for kind in (paddle_arrays.Paddle, paddle_kernels.Paddle)}
    return {**GYMNASIUM_V5, **DM_SUITE, **ROBOTS, **paddles}


def registered() -> list[str]:
    """Ids of all environments that `make` knows."""
    return sorted(tasks())


def make(name: str, num_envs: int = 1, **options: Any) -> VectorEnvironment:
    """A vector environment by id; options are the task's own, and those of VectorEnvironment.

    >>> envs = cortenforge.envs.make("Ant-v5", num_envs=1024, healthy_reward=0.5, threads=2)
    """
    known = tasks()
    if name not in known:
        hint = did_you_mean(name, known) or "cortenforge.envs.registered() lists them"
        raise UnknownName(f"there is no environment {name!r}; {hint}"[:300])
    kind = known[name]
    made = getattr(kind, "func", kind)
    own = {field.name for field in dataclasses.fields(made)} if is_dataclass(made) else set()
    task = kind(**{key: value for key, value in options.items() if key in own})
    rest = {key: value for key, value in options.items() if key not in own}
    return _vector(task, num_envs, rest, own)


def _vector(task: Task, num_envs: int, options: dict[str, Any], own: set[str]) -> VectorEnvironment:
    accepted = set(inspect.signature(VectorEnvironment).parameters) - {"task", "num_envs"}
    for key in options:
        if key not in accepted:
            hint = did_you_mean(key, own | accepted)
            raise ArgumentError(
                f"{task.title} has no option {key!r}" + (f"; {hint}" if hint else "")
            )
    return VectorEnvironment(task, num_envs, **options)


def install() -> None:
    """Make `gymnasium.make_vec(id, num_envs=n)` give environments of this package.

    Ids of Gymnasium's get a `vector_entry_point`; `gymnasium.make` gives what it gave before. Other
    tasks are registered under their ids. `uninstall` undoes it.
    """
    for name in tasks():
        entry = ENTRY.format(name)
        spec = gymnasium.registry.get(name)
        if spec is None:
            gymnasium.register(name, vector_entry_point=entry)
        else:
            spec.vector_entry_point = entry


def uninstall() -> None:
    """Undo `install`: `gymnasium.make_vec` gives Gymnasium's own environments again."""
    for name in tasks():
        spec = gymnasium.registry.get(name)
        if spec is None or spec.vector_entry_point != ENTRY.format(name):
            continue
        if spec.entry_point is None:
            del gymnasium.registry[name]
        else:
            spec.vector_entry_point = None
