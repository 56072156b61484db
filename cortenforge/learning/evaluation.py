"""How well a policy does: returns of whole episodes, and a clip of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv

from cortenforge import envs
from cortenforge.errors import ArgumentError
from cortenforge.learning.policy import Policy
from cortenforge.learning.recipes import RECIPES
from cortenforge.render.clips import checked_clip_path, open_clip

#: steps after which an episode that does not end is given up
LONGEST = 100_000


def evaluate(policy: Policy, episodes: int = 20, *, seed: int = 0) -> np.ndarray:
    """Returns of episodes in which the policy does what it thinks best, without noise."""
    if episodes < 1:
        raise ArgumentError(f"episodes: expected at least 1, got {episodes}")
    return returns_in(policy, make_worlds(policy, episodes), seed=seed)


def make_worlds(policy: Policy, worlds: int, **options: Any) -> envs.VectorEnvironment:
    """Worlds of the task that a policy was trained for."""
    recipe = RECIPES.get(policy.task)
    own = dict(recipe.options) if recipe else {}
    return envs.make(policy.task, worlds, **own, **options)


def returns_in(policy: Policy, worlds: VectorEnv[Any, Any, Any], *, seed: int = 0) -> np.ndarray:
    """Returns of one episode in each world of a vector environment."""
    observations, _ = worlds.reset(seed=seed)
    total = np.zeros(worlds.num_envs)
    alive = np.ones(worlds.num_envs, bool)
    for _ in range(LONGEST):
        observations, rewards, terminated, truncated, _ = worlds.step(policy.act(observations))
        total[alive] += rewards[alive]
        alive &= ~(terminated | truncated)
        if not alive.any():
            return total
    raise ArgumentError(f"{policy.task}: an episode has not ended after {LONGEST:,} steps")


def record_clip(
    policy: Policy,
    path: str | Path,
    *,
    seconds: float = 10.0,
    seed: int = 0,
    size: tuple[int, int] = (640, 480),
) -> Path:
    """A clip of the policy at work: `.mp4`, `.gif`, or `.png` for its last picture."""
    target = checked_clip_path(Path(path))
    width, height = size
    worlds = make_worlds(policy, 1, render_mode="rgb_array", width=width, height=height)
    observations, _ = worlds.reset(seed=seed)
    rate = 1.0 / worlds.task.dt
    every = max(1, round(rate / 50.0))  # players show at most so many pictures a second
    with open_clip(target, size, rate / every) as clip:
        for step in range(round(seconds * rate)):
            if step % every == 0:
                clip.add(worlds.render()[0])
            observations, *_ = worlds.step(policy.act(observations))
    return target
