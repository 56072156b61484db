"""Recipes: for each task, how many worlds learn, for how long, and with which numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cortenforge.errors import UnknownName
from cortenforge.learning.ppo import PPOConfig
from cortenforge.suggest import no_such


@dataclass(frozen=True)
class Recipe:
    """How a task is learned.

    task:    the task's name, as for `cortenforge.envs.make`
    about:   what is learned, in a line
    steps:   actions of all worlds together
    worlds:  how many learn at once
    options: of the environment, such as `{"pixels": {...}}`
    log_std: logarithm of the deviation of actions at first
    """

    task: str
    about: str
    steps: int
    worlds: int = 256
    ppo: PPOConfig = field(default_factory=PPOConfig)
    hidden: tuple[int, ...] = (64, 64)
    log_std: float = -1.0
    options: Mapping[str, Any] = field(default_factory=dict)


#: few worlds for many steps between improvements, and a rate that falls to zero
LOCOMOTION = PPOConfig(steps=32, epochs=6, minibatch=1024, learning_rate=1e-3)

RECIPES: dict[str, Recipe] = {
    recipe.task: recipe
    for recipe in (
        Recipe("HalfCheetah-v5", "run forward, in the plane", 1_500_000, 128, LOCOMOTION),
        Recipe("Ant-v5", "run forward on four legs", 3_000_000, 128, LOCOMOTION),
        Recipe("Humanoid-v5", "run forward on two legs", 2_500_000, 128, LOCOMOTION),
    )
}


def find_recipe(task: str) -> Recipe:
    """The recipe of a task.  Raises UnknownName, with a suggestion."""
    if task not in RECIPES:
        raise UnknownName(no_such("recipe for the task", task, RECIPES))
    return RECIPES[task]
