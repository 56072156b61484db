"""What tests let pools do; workers import it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

import cortenforge as cf
from cortenforge import models
from cortenforge.ray import Evaluation, Pool, Shard
from cortenforge.ray.evaluation import Act

#: worlds of a pool, and of a shard: six of 8 and one of 2
WORLDS, SHARD = 50, 8


@cache
def ant() -> cf.Model:
    """The bundled ant."""
    return cf.Model.from_mjcf(models.find("ant"))


@cache
def cartpole() -> cf.Model:
    """The bundled cart-pole."""
    return cf.Model.from_mjcf(models.find("cartpole"))


def randomise(shard: Shard, low: float) -> list[float]:
    """Give worlds masses and velocities of their own; the first draws."""
    batch = shard.batch
    batch.expand("body_mass")
    draws = [generator.uniform(low, 2 * low) for generator in shard.generators()]
    batch.parameters["body_mass"] *= np.reshape(draws, (-1, 1))
    batch.set_const()
    batch.qvel[:, 0] = draws
    return draws


def heights(shard: Shard, offsets: np.ndarray) -> np.ndarray:
    """Heights of the worlds, offset."""
    return shard.batch.qpos[:, 2] + offsets


def policy(seeds: np.ndarray) -> Act:
    """Linear feedback, each world with its own change of the gains, drawn from its seed."""
    gains = np.array([np.random.default_rng(seed).normal(size=(4, 1)) for seed in seeds])
    mean = np.array([[0.5], [20.0], [1.0], [4.0]])

    def act(seen: np.ndarray) -> np.ndarray:
        # a product of matrices: its bits depend on how many worlds there are
        return -(seen @ mean) - 0.1 * np.einsum("ki,kij->kj", seen, gains)

    return act


def upright(batch: cf.BatchSim) -> np.ndarray:
    """Reward of a pole that stands."""
    return np.cos(batch.qpos[:, 1])


def tilt(batch: cf.BatchSim, generators: list[np.random.Generator]) -> None:
    """Let poles begin a little off."""
    batch.qpos[:, 1] = [generator.uniform(-0.2, 0.2) for generator in generators]


def evaluate(pool: Pool, seeds: np.ndarray) -> Evaluation:
    """Returns of `policy`."""
    return pool.evaluate(policy, seeds, reward=upright, steps=30, nstep=2, begin=tilt)


def everything(pool: Pool) -> list[np.ndarray]:
    """Results of all that a pool of ants does, one call after another."""
    model = ant()
    rng = np.random.default_rng(5)
    controls = rng.uniform(-1, 1, (WORLDS, 4, model.nu))
    drawn = pool.map(randomise, 0.7)
    first = pool.step(5, ctrl=controls[:, 0], fields=("xpos", "sensordata"))
    offsets = rng.normal(size=WORLDS)
    seen = pool.map(heights, rows=[offsets])
    # parameters are those of the pool; a rollout begins where it is told to
    along = pool.rollout(pool.get_states(), controls, fields=["cvel"], nstep=2)
    last = pool.step(3)
    return [
        np.concatenate(drawn),
        first.states,
        first.fields["xpos"],
        np.concatenate(seen),
        along.states,
        along.fields["cvel"],
        last.states,
        pool.get_states(),
    ]


def killing_once(shard: Shard, folder: str, what: Callable[[Shard], object]) -> object:
    """The first worker that has worlds 16 to 23 is killed in the middle, as by a full memory."""
    shard.batch.step_all(3)
    mark = Path(folder) / "killed"
    if shard.worlds[0] == 16 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return what(shard)


def killing_always(shard: Shard) -> None:
    """No worker survives worlds 8 to 15."""
    if shard.worlds[0] == 8:
        os.kill(os.getpid(), signal.SIGKILL)


def slow_steps(shard: Shard, seconds: float) -> np.ndarray:
    """Steps that take a while."""
    shard.batch.step_all(4)
    time.sleep(seconds)
    return shard.batch.qpos.copy()


def positions(shard: Shard) -> np.ndarray:
    """Positions of the worlds."""
    return shard.batch.qpos.copy()


def is_warm(shard: Shard) -> bool:
    """Whether kernels of steps were loaded before."""
    return bool(shard.batch.model._functions)


def failing(shard: Shard) -> None:
    """An error of a user's function."""
    raise KeyError(int(shard.worlds[0]))
