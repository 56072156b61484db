"""Environments as a `VecEnv` of Stable-Baselines3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cortenforge.envs.adapters.same_step import checked_same_step
from cortenforge.envs.vector import VectorEnvironment
from cortenforge.errors import ArgumentError, MissingPackage

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise MissingPackage(
        "cortenforge.envs.adapters.stable_baselines3", "Stable-Baselines3", "envs"
    ) from error


class StableBaselines3(VecEnv):
    """Worlds of an environment, which begin again in the step in which they end.

    >>> envs = cortenforge.envs.make("Ant-v5", 64, autoreset_mode="SameStep", dtype="float32")
    >>> PPO("MlpPolicy", StableBaselines3(envs)).learn(100_000)
    """

    def __init__(self, envs: VectorEnvironment) -> None:
        self.envs = checked_same_step(envs)
        self.render_mode = envs.render_mode
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)
        self._actions: Any = None

    def reset(self) -> np.ndarray:
        """Begin an episode in all worlds, with the seeds of `seed`."""
        seeds = list(self._seeds) if any(seed is not None for seed in self._seeds) else None
        observations, infos = self.envs.reset(seed=seeds)
        self.reset_infos = self._infos_of_worlds(infos)
        self._reset_seeds()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Take actions; `step_wait` makes them."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Observations, rewards, ends and infos of all worlds."""
        observations, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        done = terminated | truncated
        worlds = self._infos_of_worlds(infos)
        for i in np.flatnonzero(done).tolist():
            worlds[i]["terminal_observation"] = infos["final_obs"][i]
            worlds[i]["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
        return observations, rewards.astype(np.float32), done, worlds

    def _infos_of_worlds(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        """Failures by world; rewards and positions stay in the arrays of `envs`."""
        worlds: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if "failure" in infos:
            for i in np.flatnonzero(infos["_failure"]).tolist():
                worlds[i]["failure"] = infos["failure"][i]
        return worlds

    def close(self) -> None:
        """Close the environment."""
        self.envs.close()

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Pictures of all worlds."""
        return self.envs.render()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the environment or its task, once for each world."""
        owner = self.envs if hasattr(self.envs, attr_name) else self.envs.task
        return [getattr(owner, attr_name)] * len(self._numbers(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused, since worlds share their task: change `envs.task`."""
        raise ArgumentError(f"worlds share their task: set envs.task.{attr_name} instead")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Call a method of the task; the result once for each world."""
        result = getattr(self.envs.task, method_name)(*args, **kwargs)
        return [result] * len(self._numbers(indices))

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Worlds have no wrappers of their own."""
        return [False] * len(self._numbers(indices))

    def _numbers(self, indices: Any) -> list[int]:
        return list(self._get_indices(indices))
