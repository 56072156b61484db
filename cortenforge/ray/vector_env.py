"""Worlds of a task on the workers of a pool, as one `gymnasium.vector.VectorEnv`."""

from __future__ import annotations

import copy
import itertools
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from cortenforge.envs import Environment, VectorEnvironment
from cortenforge.errors import ArgumentError, ShapeError, StepWarning
from cortenforge.model import Model
from cortenforge.ray.shard import Shard

if TYPE_CHECKING:
    from cortenforge.ray.pool import Pool

#: environments of this process, which workers tell apart
NUMBERS = itertools.count()
#: what needs all worlds in one process
LOCAL_ONLY = ("render_mode", "width", "height", "camera", "threads", "seed")


class PoolVectorEnv(VectorEnv):
    """Worlds of a task on the workers of a pool; see `Pool.as_vector_env`."""

    def __init__(self, pool: Pool, task: Environment, options: dict[str, Any]) -> None:
        for name in options:
            if name in LOCAL_ONLY:
                raise ArgumentError(f"{name}: not an option of environments on workers")
        if not isinstance(task, Environment):
            raise ArgumentError(f"task: expected a cf.envs.Environment, got {task!r}"[:300])
        if task.model.hash != pool.model_hash:
            raise ArgumentError(
                f"{task.title} has another model than the pool: make it as "
                "cf.ray.Pool(task.model, worlds)"
            )
        one = VectorEnvironment(task, 1, threads=1, **options)
        self.num_envs, self.metadata = pool.n, one.metadata
        self.single_action_space = one.single_action_space
        self.single_observation_space = one.single_observation_space
        self.action_space = batch_space(one.single_action_space, pool.n)
        self.observation_space = batch_space(one.single_observation_space, pool.n)
        self._pool, self._title = pool, task.title
        self._shared = (next(NUMBERS), without_model(task), options)
        self._saved: list[dict[str, Any] | None] = [None] * len(pool.shards)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in all worlds, or in those of `options["reset_mask"]`.

        seed: world i has `seed + i`, or the i-th of a list, as with `VectorEnvironment`.
        """
        if options:
            raise ArgumentError("options: environments on workers are reset as a whole")
        if seed is None and self._saved[0] is None:
            # drawn here, so that a shard that is computed again has the same
            seed = np.random.SeedSequence().generate_state(self.num_envs).tolist()
        if isinstance(seed, (int, np.integer)):
            seed = [int(seed) + world for world in range(self.num_envs)]
        if seed is not None and len(seed) != self.num_envs:
            raise ArgumentError(f"seed: expected {self.num_envs} seeds, got {len(seed)}")
        own = [None if seed is None else list(seed[a:b]) for a, b in self._pool.shards]
        (observations,), infos = self._call("reset", own)
        return observations, infos

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Act in all worlds; returns observations, rewards, terminations, truncations and infos."""
        given = np.asarray(actions)
        if given.shape != self.action_space.shape:
            wanted = self.action_space.shape
            raise ShapeError(f"{self._title}: actions: expected {wanted}, got {given.shape}")
        if self._saved[0] is None:
            raise ArgumentError(f"{self._title}: call reset() before the first step")
        found, infos = self._call("step", [given[a:b] for a, b in self._pool.shards])
        observations, rewards, terminated, truncated = found
        return observations, rewards, terminated, truncated, infos

    def _call(self, name: str, own: list[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Arrays of all worlds that a method gives, and infos."""
        arguments = list(zip(self._saved, own, strict=True))
        parts = self._pool.run_shards(call_shard, (*self._shared, name), arguments)
        self._saved = [saved for _, saved in parts]
        results = [result for result, _ in parts]
        arrays = [
            np.concatenate(column) for column in zip(*(one[:-1] for one in results), strict=True)
        ]
        infos = joined_infos([one[-1] for one in results], [b - a for a, b in self._pool.shards])
        if "failure" in infos:
            first = infos["failure"][np.flatnonzero(infos["_failure"])[0]]
            warnings.warn(f"{first}; its episode ends", StepWarning, stacklevel=3)
        return arrays, infos


def without_model(task: Environment) -> Environment:
    """The same task, to be sent to workers, which have the model."""
    found = copy.copy(task)
    found.__dict__.pop("model", None)
    return found


def with_model(task: Environment, model: Model) -> Environment:
    """The same task in a worker."""
    found = copy.copy(task)
    found.__dict__["model"] = model
    return found


def call_shard(
    shard: Shard,
    number: int,
    task: Environment,
    options: dict[str, Any],
    name: str,
    saved: dict[str, Any] | None,
    given: Any,
) -> tuple[Any, dict[str, Any]]:
    """Call a method of the environment of a shard; what it returns, and the state afterwards."""
    first = int(shard.worlds[0])
    key = (number, first)
    if key not in shard.kept:
        here = with_model(task, shard.model)
        seed = shard.entropy[0] + first
        shard.kept[key] = VectorEnvironment(
            here, len(shard.worlds), threads=shard.threads, seed=seed, **options
        )
    envs: VectorEnvironment = shard.kept[key]
    if saved is not None:
        envs.set_state(saved)
    with warnings.catch_warnings():
        # the pool warns, where the program sees it
        warnings.simplefilter("ignore", StepWarning)
        result = envs.reset(seed=given) if name == "reset" else envs.step(given)
    return result, envs.get_state()


def joined_infos(parts: list[dict[str, Any]], sizes: list[int]) -> dict[str, Any]:
    """Infos of all worlds; where a shard has no values of a key, they are zero, None or False."""
    found: dict[str, Any] = {}
    for key in dict.fromkeys(key for part in parts for key in part):
        some = next(part[key] for part in parts if key in part)
        if isinstance(some, dict):
            found[key] = joined_infos([part.get(key, {}) for part in parts], sizes)
            continue
        empty = None if some.dtype == object else some.dtype.type(0)
        found[key] = np.concatenate(
            [
                part[key] if key in part else np.full((size, *some.shape[1:]), empty, some.dtype)
                for part, size in zip(parts, sizes, strict=True)
            ]
        )
    return found
