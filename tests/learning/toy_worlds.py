"""Vector environments whose best policies and values are known."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space


class ToyWorlds(VectorEnv[Any, Any, Any]):
    """Worlds that see zeros, are rewarded by a function of the action, and end in time."""

    def __init__(self, num_envs: int, reward: Any, *, steps: int, terminate: bool) -> None:
        self.num_envs, self.reward, self.steps, self.ends = num_envs, reward, steps, terminate
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = gymnasium.spaces.Box(-1.0, 1.0, (3,), np.float32)
        self.single_action_space = gymnasium.spaces.Box(-2.0, 2.0, (2,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.elapsed = np.zeros(num_envs, int)
        self.actions: list[np.ndarray] = []

    def _observed(self) -> np.ndarray:
        return np.zeros((self.num_envs, 3), np.float32)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[np.ndarray, dict[str, Any]]:
        # worlds do not end all at once
        self.elapsed = np.arange(self.num_envs) % self.steps
        return self._observed(), {}

    def step(self, actions: np.ndarray) -> Any:
        self.actions.append(actions)
        self.elapsed += 1
        over = self.elapsed >= self.steps
        self.elapsed[over] = 0
        infos: dict[str, Any] = {}
        if over.any():
            infos["final_obs"] = np.array(
                [row if o else None for row, o in zip(self._observed(), over, strict=True)], object
            )
            infos["_final_obs"] = over
        nobody = np.zeros(self.num_envs, bool)
        terminated, truncated = (over, nobody) if self.ends else (nobody, over)
        return self._observed(), self.reward(actions), terminated, truncated, infos
