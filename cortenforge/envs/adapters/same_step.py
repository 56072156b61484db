"""What libraries ask for whose environments begin again in the step in which they end."""

from __future__ import annotations

from gymnasium.vector import AutoresetMode

from cortenforge.envs.vector import VectorEnvironment
from cortenforge.errors import ArgumentError


def checked_same_step(envs: VectorEnvironment) -> VectorEnvironment:
    """An environment whose worlds begin again in the step in which they end."""
    if envs.autoreset_mode is not AutoresetMode.SAME_STEP:
        raise ArgumentError('make the environment with autoreset_mode="SameStep"')
    return envs
