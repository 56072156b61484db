"""Environments as a batched `EnvBase` of TorchRL."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from cortenforge.envs.adapters.tensors import array_of
from cortenforge.envs.vector import VectorEnvironment
from cortenforge.errors import ArgumentError, MissingPackage

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Composite, Unbounded
    from torchrl.envs import EnvBase
except ImportError as error:
    raise MissingPackage("cortenforge.envs.adapters.torchrl", "TorchRL", "envs") from error


class TorchRL(EnvBase):
    """Worlds of an environment; TorchRL says which begin again, by "_reset".

    envs: made with `autoreset_mode="Disabled"`.
    """

    batch_locked = True

    def __init__(self, envs: VectorEnvironment) -> None:
        if envs.autoreset_mode is not AutoresetMode.DISABLED:
            raise ArgumentError('make the environment with autoreset_mode="Disabled"')
        n = envs.num_envs
        super().__init__(device="cpu", batch_size=[n])
        self.envs = envs
        self._seed: int | None = None
        low, high = envs.action_space.low, envs.action_space.high
        ends = {name: Binary(n=1, shape=(n, 1), dtype=torch.bool) for name in ENDS}
        self.observation_spec = Composite(
            observation=Unbounded((n, *envs.single_observation_space.shape), dtype=torch.float32),
            shape=(n,),
        )
        self.action_spec = Bounded(torch.from_numpy(low), torch.from_numpy(high), low.shape)
        self.reward_spec = Unbounded((n, 1), dtype=torch.float32)
        self.full_done_spec = Composite(ends, shape=(n,))

    def _reset(self, tensordict: TensorDictBase | None, **options: Any) -> TensorDictBase:
        asked = None if tensordict is None else tensordict.get("_reset", None)
        options = {}
        if asked is not None:
            options = {"reset_mask": array_of(asked).reshape(-1).astype(bool)}
        observations, _ = self.envs.reset(seed=self._seed, options=options)
        self._seed = None
        over = np.zeros(self.envs.num_envs, bool)
        return self._results(observations, over, over)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        results = self.envs.step(array_of(tensordict["action"]))
        observations, rewards, terminated, truncated, _ = results
        after = self._results(observations, terminated, truncated)
        after["reward"] = torch.from_numpy(rewards).float()[:, None]
        return after

    def _results(
        self, observations: np.ndarray, terminated: np.ndarray, truncated: np.ndarray
    ) -> TensorDictBase:
        ends = (terminated | truncated, terminated, truncated)
        return TensorDict(
            {
                "observation": torch.from_numpy(observations).float(),
                **{
                    name: torch.from_numpy(end.copy())[:, None]
                    for name, end in zip(ENDS, ends, strict=True)
                },
            },
            batch_size=self.batch_size,
        )

    def _set_seed(self, seed: int | None) -> None:
        self._seed = seed


ENDS = ("done", "terminated", "truncated")
