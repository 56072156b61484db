"""Environments with PufferLib's contract: results are written into the caller's buffers.

PufferLib itself is not needed: its vectorisation calls what is here. A buffer is anything with
arrays `observations`, `rewards`, `terminals`, `truncations`, `masks` and `actions`.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from cortenforge.envs.adapters.same_step import checked_same_step
from cortenforge.envs.vector import VectorEnvironment
from cortenforge.errors import ShapeError


class Puffer:
    """An environment of `num_agents` worlds, which begin again in the step in which they end.

    buf: the caller's buffers; by default new ones.
    """

    def __init__(self, envs: VectorEnvironment, buf: Any = None) -> None:
        self.envs = checked_same_step(envs)
        self.num_agents = envs.num_envs
        self.single_observation_space = envs.single_observation_space
        self.single_action_space = envs.single_action_space
        self.observation_space, self.action_space = envs.observation_space, envs.action_space
        buf = make_buffers(envs) if buf is None else buf
        for name, wanted in vars(make_buffers(envs)).items():
            array = getattr(buf, name)
            if array.shape != wanted.shape:
                raise ShapeError(f"buf.{name}: expected {wanted.shape}, got {array.shape}")
            setattr(self, name, array)
        self._ended: dict[str, float] = {}
        self._returns = np.zeros(self.num_agents)
        self._lengths = np.zeros(self.num_agents, np.int64)

    observations: np.ndarray
    rewards: np.ndarray
    terminals: np.ndarray
    truncations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, float]]]:
        """Begin an episode in all worlds."""
        self.observations[:] = self.envs.reset(seed=seed)[0]
        self.masks[:] = True
        self._returns[:], self._lengths[:] = 0.0, 0
        return self.observations, []

    def step(self, actions: np.ndarray) -> tuple[Any, ...]:
        """Write what a step comes to into the buffers; infos are statistics of what ended."""
        self.actions[:] = actions
        observations, rewards, terminated, truncated, _ = self.envs.step(self.actions)
        self.observations[:], self.rewards[:] = observations, rewards
        self.terminals[:], self.truncations[:] = terminated, truncated
        infos = self._statistics(rewards, terminated | truncated)
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def _statistics(self, rewards: np.ndarray, over: np.ndarray) -> list[dict[str, float]]:
        self._returns += rewards
        self._lengths += 1
        if not over.any():
            return []
        means = {
            "episode_return": float(self._returns[over].mean()),
            "episode_length": float(self._lengths[over].mean()),
        }
        self._returns[over], self._lengths[over] = 0.0, 0
        return [means]

    def close(self) -> None:
        """Close the environment."""
        self.envs.close()


def make_buffers(envs: VectorEnvironment) -> SimpleNamespace:
    """Buffers of the shapes and types that an environment writes."""
    n, space = envs.num_envs, envs.single_observation_space
    return SimpleNamespace(
        observations=np.zeros((n, *space.shape), space.dtype),
        rewards=np.zeros(n, np.float32),
        terminals=np.zeros(n, bool),
        truncations=np.zeros(n, bool),
        masks=np.ones(n, bool),
        actions=np.zeros((n, *envs.single_action_space.shape), np.float32),
    )
