"""How fast a model steps, by turns with MuJoCo when it is installed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import CortenForgeError

if TYPE_CHECKING:
    from cortenforge.model import Model

__all__ = ["Race", "mujoco_if_installed", "race"]

#: one turn lasts about this long, so that a clock's grain and a call's cost vanish in it
TURN_SECONDS = 0.05


@dataclass(frozen=True)
class Race:
    """Seconds a step of each engine; `theirs` is None without MuJoCo."""

    steps: int
    turns: int
    ours: float
    theirs: float | None
    ratio: float | None
    mujoco_version: str | None


def race(path: Path, model: Model, *, seconds: float = 1.0) -> Race:
    """Step the model for about `seconds` an engine, the engines taking turns from one start.

    The ratio is the median over turns of MuJoCo's time to ours, so above 1 means faster.
    """
    start = _start(model)
    ours = _our_turn(model, start)
    steps = _steps_a_turn(ours)
    turns = max(3, round(seconds / TURN_SECONDS))
    mujoco = mujoco_if_installed()
    if mujoco is None:
        return Race(steps, turns, median(ours(steps) for _ in range(turns)) / steps, *[None] * 3)
    theirs = _their_turn(mujoco, path, model, start)
    pairs = [(ours(steps), theirs(steps)) for _ in range(turns)]
    return Race(
        steps,
        turns,
        median(mine for mine, _ in pairs) / steps,
        median(other for _, other in pairs) / steps,
        median(other / mine for mine, other in pairs),
        mujoco.__version__,
    )


def mujoco_if_installed() -> Any:
    """MuJoCo's module, or None."""
    from cortenforge.compare.oracle import mujoco_module

    try:
        return mujoco_module()
    except CortenForgeError:
        return None


def _start(model: Model) -> tuple[Any, Any]:
    """Positions and velocities to start from: the first keyframe, or rest, with a small kick."""
    data = model.make_data()
    if model.nkey:
        data.reset_to_keyframe(0)
    kick = np.random.default_rng(1).normal(scale=0.1, size=model.nv)
    return data.qpos.copy(), data.qvel + kick


def _our_turn(model: Model, start: tuple[Any, Any]) -> Callable[[int], float]:
    data = model.make_data()

    def turn(steps: int) -> float:
        data.reset()
        data.qpos[:], data.qvel[:] = start
        begin = time.perf_counter()
        data.step(steps)
        return time.perf_counter() - begin

    turn(1)  # compiles what is cold
    return turn


def _their_turn(
    mujoco: Any, path: Path, model: Model, start: tuple[Any, Any]
) -> Callable[[int], float]:
    from cortenforge.compare.oracle import load_reference

    reference = load_reference(path)
    # options may have been changed since the file was read
    reference.opt.integrator = int(model.opt.integrator)
    reference.opt.enableflags = int(model.opt.enableflags)
    reference.opt.timestep = float(model.opt.timestep)
    data = mujoco.MjData(reference)

    def turn(steps: int) -> float:
        mujoco.mj_resetData(reference, data)
        data.qpos[:], data.qvel[:] = start
        begin = time.perf_counter()
        mujoco.mj_step(reference, data, steps)
        return time.perf_counter() - begin

    turn(1)
    return turn


def _steps_a_turn(turn: Callable[[int], float]) -> int:
    steps = 10
    while (elapsed := turn(steps)) < TURN_SECONDS / 4:
        steps *= 2
    return max(1, round(steps * TURN_SECONDS / elapsed))
