"""Trainings: worlds, a policy and PPO together, saved so that a stopped one goes on bit for bit."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from cortenforge import envs
from cortenforge.errors import ArgumentError, PolicyError
from cortenforge.learning.policy import Policy, PolicyShape, load_tensors, save_tensors
from cortenforge.learning.ppo import PPO, Episodes, PPOConfig
from cortenforge.learning.recipes import Recipe

#: what checkpoints begin with, and the version of their content
KIND, VERSION = "cortenforge training", 1
#: files of a training, in its folder
CHECKPOINT, POLICY = "checkpoint.pt", "policy.pt"


@dataclass(frozen=True)
class Progress:
    """Where a training is: a point of its curve.

    steps:   actions of all worlds so far.   seconds: time so far.   cpu: processor time so far.
    mean_return, mean_length: of the last hundred episodes.   losses: of the last improvement.
    """

    steps: int
    seconds: float
    cpu: float
    episodes: int
    mean_return: float
    mean_length: float
    losses: dict[str, float]


class Training:
    """A policy that learns a task by a recipe.

    seed:    with the same seed, recipe and number of threads, the policy has the same bits.
    threads: of the physics and of the networks.

    >>> training = Training(find_recipe("HalfCheetah-v5"), seed=0)
    >>> training.run(on_progress=print)
    >>> training.policy.save("cheetah.pt")
    """

    def __init__(self, recipe: Recipe, *, seed: int = 0, threads: int = 1) -> None:
        if threads < 1:
            raise ArgumentError(f"threads: expected at least 1, got {threads}")
        self.recipe, self.seed, self.threads = recipe, seed, threads
        torch.set_num_threads(threads)
        self.envs = envs.make(
            recipe.task,
            recipe.worlds,
            autoreset_mode="SameStep",
            dtype=np.float32,
            threads=threads,
            seed=seed,
            **recipe.options,
        )
        observed, acted = self.envs.single_observation_space, self.envs.single_action_space
        assert observed.shape is not None and acted.shape is not None
        shape = PolicyShape(observed.shape, acted.shape[0], recipe.hidden, recipe.log_std)
        with torch.random.fork_rng(devices=()):
            torch.manual_seed(seed)
            network = shape.network()
        self.policy = Policy(recipe.task, shape, network, acted.low, acted.high)
        self.ppo = PPO(self.envs, network, recipe.ppo, seed)
        self.episodes = Episodes(recipe.worlds)
        self.curve: list[Progress] = []
        self.steps = 0
        self._seconds = self._cpu = 0.0
        self._stopped = False

    @property
    def finished(self) -> bool:
        """Whether all steps of the recipe were done."""
        return self.steps >= self.recipe.steps

    def run(
        self,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        folder: str | Path | None = None,
        save_every: float = 30.0,
        seconds: float | None = None,
    ) -> None:
        """Train until the recipe's steps are done, or `seconds` of time have passed.

        folder: where a checkpoint and the policy are written, every `save_every` seconds and at the
        end. After `stop()`, the round that is under way is the last one.
        """
        self._stopped = False
        began = saved = time.perf_counter()
        while not (self.finished or self._stopped):
            progress = self._round()
            now = time.perf_counter()
            if folder is not None and now - saved > save_every:
                self.save(folder)
                saved = time.perf_counter()
            if on_progress is not None:
                on_progress(progress)
            if seconds is not None and now - began >= seconds:
                break
        if folder is not None:
            self.save(folder)

    def stop(self) -> None:
        """End `run` after the round that is under way, as a signal handler may."""
        self._stopped = True

    def _round(self) -> Progress:
        """One round of acting and improving."""
        started, cpu = time.perf_counter(), time.process_time()
        left = 1.0 - self.steps / self.recipe.steps
        rate = self.recipe.ppo.learning_rate * (left if self.recipe.ppo.anneal else 1.0)
        losses = self.ppo.iterate(self.episodes, rate)
        self.steps += self.recipe.worlds * self.recipe.ppo.steps
        self._seconds += time.perf_counter() - started
        self._cpu += time.process_time() - cpu
        self.curve.append(self._progress(losses))
        return self.curve[-1]

    def _progress(self, losses: dict[str, float]) -> Progress:
        episodes = self.episodes
        means = episodes.mean_return, episodes.mean_length
        return Progress(self.steps, self._seconds, self._cpu, episodes.count, *means, losses)

    def save(self, folder: str | Path) -> None:
        """Write a checkpoint, from which `resume` goes on, and the policy as it is."""
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        ppo = self.ppo
        content = {
            "kind": KIND,
            "version": VERSION,
            "recipe": asdict(self.recipe),
            "seed": self.seed,
            "threads": self.threads,
            "steps": self.steps,
            "times": (self._seconds, self._cpu),
            "curve": [asdict(point) for point in self.curve],
            "network": ppo.policy.state_dict(),
            "optimizer": ppo.optimizer.state_dict(),
            "generator": ppo.generator.get_state(),
            "observations": ppo.observations,
            "returns": ppo.returns,
            "reward_moments": ppo.reward_moments.state_dict(),
            "episodes": plain(self.episodes.state()),
            "envs": plain(self.envs.get_state()),
        }
        save_tensors(content, place / CHECKPOINT)
        self.trained_policy().save(place / POLICY)

    def trained_policy(self) -> Policy:
        """The policy, with facts of its training."""
        facts: dict[str, Any] = {"steps": self.steps, "seed": self.seed, "seconds": self._seconds}
        facts["mean_return"] = self.episodes.mean_return
        return replace(self.policy, trained=facts)

    @classmethod
    def resume(cls, folder: str | Path) -> Training:
        """Go on from a checkpoint.  Raises PolicyError for a folder that has none."""
        path = Path(folder) / CHECKPOINT
        content = load_tensors(path, KIND, VERSION)
        try:
            training = cls(
                recipe_from(content["recipe"]), seed=content["seed"], threads=content["threads"]
            )
            training._restore(content)
        except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
            raise PolicyError(f"{path}: the checkpoint is incomplete or damaged: {error}") from None
        return training

    def _restore(self, content: dict[str, Any]) -> None:
        ppo = self.ppo
        ppo.policy.load_state_dict(content["network"])
        ppo.optimizer.load_state_dict(content["optimizer"])
        ppo.generator.set_state(content["generator"])
        ppo.reward_moments.load_state_dict(content["reward_moments"])
        ppo.observations, ppo.returns = content["observations"], content["returns"]
        self.envs.set_state(arrays(content["envs"]))
        self.episodes.restore(arrays(content["episodes"]))
        self.steps = content["steps"]
        self._seconds, self._cpu = content["times"]
        self.curve = [Progress(**point) for point in content["curve"]]


def recipe_from(values: dict[str, Any]) -> Recipe:
    """A recipe from what `dataclasses.asdict` made of it."""
    ppo = PPOConfig(**values["ppo"])
    return Recipe(**{**values, "ppo": ppo, "hidden": tuple(values["hidden"])})


def plain(value: Any) -> Any:
    """Arrays as tensors, in nested dictionaries and lists, so that no code is saved with them."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, np.ndarray):
        return torch.from_numpy(value.copy())
    return value.item() if isinstance(value, np.generic) else value


def arrays(value: Any) -> Any:
    """The opposite of `plain`."""
    if isinstance(value, dict):
        return {key: arrays(one) for key, one in value.items()}
    if isinstance(value, list):
        return [arrays(one) for one in value]
    return value.numpy() if isinstance(value, torch.Tensor) else value
