"""Environments as a `VecEnv` of rsl_rl."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.envs.adapters.same_step import checked_same_step
from cortenforge.envs.adapters.tensors import array_of
from cortenforge.envs.vector import VectorEnvironment
from cortenforge.errors import MissingPackage

try:
    import torch
    from rsl_rl.env import VecEnv
    from tensordict import TensorDict
except ImportError as error:
    raise MissingPackage("cortenforge.envs.adapters.rsl_rl", "rsl-rl-lib", "envs") from error

#: length of an episode of a task that has no limit, for rsl_rl
ENDLESS = 10**6


class RslRl(VecEnv):
    """Worlds of an environment, which begin again in the step in which they end.

    Terms of the reward are logged by name, as the mean over all worlds.
    """

    def __init__(self, envs: VectorEnvironment, cfg: Any = None) -> None:
        self.envs = checked_same_step(envs)
        self.num_envs = envs.num_envs
        self.num_actions = envs.single_action_space.shape[0]
        self.max_episode_length = envs.max_episode_steps or ENDLESS
        self.device = torch.device("cpu")
        self.cfg = cfg if cfg is not None else {}
        self.episode_length_buf = torch.zeros(self.num_envs, dtype=torch.long)
        self._seen = self._tensors(envs.reset()[0])

    def _tensors(self, observations: np.ndarray) -> TensorDict:
        numbers = torch.from_numpy(observations).float()
        return TensorDict({"policy": numbers}, batch_size=[self.num_envs])

    def get_observations(self) -> TensorDict:
        """The last observations."""
        return self._seen

    def step(self, actions: torch.Tensor) -> tuple[TensorDict, torch.Tensor, torch.Tensor, Any]:
        """Observations, rewards, ends and extras of all worlds."""
        observations, rewards, terminated, truncated, infos = self.envs.step(array_of(actions))
        done = torch.from_numpy(terminated | truncated)
        self.episode_length_buf = torch.where(done, 0, self.episode_length_buf + 1)
        self._seen = self._tensors(observations)
        terms = {name: values for name, values in infos.items() if name.startswith("reward")}
        extras = {
            "time_outs": torch.from_numpy(truncated & ~terminated),
            "log": {f"/{name}": float(np.mean(values)) for name, values in terms.items()},
        }
        return self._seen, torch.from_numpy(rewards).float(), done.long(), extras
