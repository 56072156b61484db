"""Environments for reinforcement learning: tasks for many worlds at once.

>>> envs = cortenforge.envs.make("Ant-v5", num_envs=1024)
>>> observations, infos = envs.reset(seed=0)

Everything here needs Gymnasium: `pip install 'cortenforge[envs]'`.
"""

from __future__ import annotations

from cortenforge.errors import MissingPackage

try:
    import gymnasium as _gymnasium  # noqa: F401
except ImportError as _error:
    raise MissingPackage("cortenforge.envs", "Gymnasium", "envs") from _error

from cortenforge.envs.draws import Draws, GeneratorDraws
from cortenforge.envs.environment import Environment
from cortenforge.envs.kernel_environment import KernelEnvironment
from cortenforge.envs.registry import install, make, registered, uninstall
from cortenforge.envs.vector import VectorEnvironment
from cortenforge.envs.worlds import TaskWorlds

__all__ = [
    "Draws",
    "Environment",
    "GeneratorDraws",
    "KernelEnvironment",
    "TaskWorlds",
    "VectorEnvironment",
    "install",
    "make",
    "registered",
    "uninstall",
]
