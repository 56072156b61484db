"""Environments in PyTorch: tensors that share memory with the arrays of a step."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.envs.vector import VectorEnvironment
from cortenforge.errors import MissingPackage

try:
    import torch
except ImportError as error:
    raise MissingPackage("cortenforge.envs.adapters.tensors", "PyTorch", "torch") from error


class TensorVector:
    """The same with tensors on the CPU; nothing is copied on the way.

    >>> envs = TensorVector(cortenforge.envs.make("Ant-v5", 1024, dtype="float32"))
    >>> observations, infos = envs.reset(seed=0)
    >>> observations, rewards, terminated, truncated, infos = envs.step(policy(observations))
    """

    def __init__(self, envs: VectorEnvironment) -> None:
        self.envs = envs
        self.num_envs = envs.num_envs

    def reset(self, **options: Any) -> tuple[torch.Tensor, dict[str, Any]]:
        """As `VectorEnvironment.reset`; infos stay arrays."""
        observations, infos = self.envs.reset(**options)
        return torch.from_numpy(observations), infos

    def step(self, actions: torch.Tensor) -> tuple[Any, ...]:
        """As `VectorEnvironment.step`; infos stay arrays."""
        *results, infos = self.envs.step(array_of(actions))
        return *(torch.from_numpy(result) for result in results), infos


def array_of(tensor: torch.Tensor) -> np.ndarray:
    """An array on the memory of a tensor, by DLPack; of one on a device, a copy."""
    return np.from_dlpack(tensor.detach().cpu())
