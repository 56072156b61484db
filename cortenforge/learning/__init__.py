"""Learning: policies trained by PPO in the worlds of `cortenforge.envs`.

>>> from cortenforge import learning
>>> training = learning.Training(learning.find_recipe("HalfCheetah-v5"), seed=0)
>>> training.run(folder="cheetah")
>>> learning.evaluate(training.trained_policy())

Everything here needs PyTorch and Gymnasium: `pip install 'cortenforge[train]'`.
"""

from __future__ import annotations

from cortenforge.errors import MissingPackage

try:
    import torch as _torch  # noqa: F401
except ImportError as _error:
    raise MissingPackage("cortenforge.learning", "PyTorch", "train") from _error

from cortenforge.learning.evaluation import evaluate, record_clip, returns_in
from cortenforge.learning.policy import Policy
from cortenforge.learning.ppo import PPO, Episodes, PPOConfig
from cortenforge.learning.recipes import RECIPES, Recipe, find_recipe
from cortenforge.learning.training import Progress, Training

__all__ = [
    "PPO",
    "RECIPES",
    "Episodes",
    "PPOConfig",
    "Policy",
    "Progress",
    "Recipe",
    "Training",
    "evaluate",
    "find_recipe",
    "record_clip",
    "returns_in",
]
