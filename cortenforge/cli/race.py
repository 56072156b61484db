"""How fast a model steps, by turns with MuJoCo when it is installed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import Integrator
from cortenforge.errors import CortenForgeError

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

__all__ = ["Race", "race", "reference_of"]

Start = dict[str, np.ndarray]
#: what a start that somebody chose has beside positions and velocities
START_FIELDS = ("act", "ctrl", "mocap_pos", "mocap_quat")

#: one turn lasts about this long, so that a clock's grain and a call's cost vanish in it
TURN_SECONDS = 0.05


@dataclass(frozen=True)
class Race:
    """Seconds a step of each engine; `theirs` is None without MuJoCo, and `alone` says why."""

    steps: int
    turns: int
    ours: float
    theirs: float | None
    ratio: float | None
    mujoco_version: str | None
    alone: str = ""


def race(path: Path, model: Model, *, seconds: float = 1.0, start: Data | None = None) -> Race:
    """Step the model for about `seconds` an engine, the engines taking turns from one start.

    The ratio is the median over turns of MuJoCo's time to ours, so above 1 means faster.
    Without a start, it is the first keyframe, or rest, without controls.
    """
    begin = _start(model, start)
    ours = _our_turn(model, begin)
    steps = _steps_a_turn(ours)
    turns = max(3, round(seconds / TURN_SECONDS))
    try:
        mujoco, reference = reference_of(path, model)
    except CortenForgeError as error:
        spent = median(ours(steps) for _ in range(turns)) / steps
        return Race(steps, turns, spent, None, None, None, str(error).partition("\n")[0])
    theirs = _their_turn(mujoco, reference, begin)
    pairs = [(ours(steps), theirs(steps)) for _ in range(turns)]
    return Race(
        steps,
        turns,
        median(mine for mine, _ in pairs) / steps,
        median(other for _, other in pairs) / steps,
        median(other / mine for mine, other in pairs),
        mujoco.__version__,
    )


def reference_of(path: Path, model: Model) -> tuple[Any, Any]:
    """MuJoCo's module and its model of a file, with options that may have been changed since.

    Raises CortenForgeError where it is not installed or does not take the model.
    """
    from cortenforge.compare.oracle import load_reference, mujoco_module

    mujoco = mujoco_module()
    if int(model.opt.integrator) == Integrator.IMPLICITSPRINGDAMPER:
        raise CortenForgeError("MuJoCo has no integrator like implicitspringdamper")
    reference = load_reference(path)
    reference.opt.integrator = int(model.opt.integrator)
    reference.opt.enableflags = int(model.opt.enableflags)
    reference.opt.timestep = float(model.opt.timestep)
    return mujoco, reference


def _start(model: Model, given: Data | None) -> Start:
    """Where to start: as given, or from the first keyframe, or rest; with a small kick."""
    data = model.make_data() if given is None else given
    if model.nkey and given is None:
        data.reset_to_keyframe(0)
    names = ("qpos", "qvel") if given is None else ("qpos", "qvel", *START_FIELDS)
    start = {name: getattr(data, name).copy() for name in names}
    start["qvel"] += np.random.default_rng(1).normal(scale=0.1, size=model.nv)
    return start


def _write_start(data: Any, start: Start) -> None:
    """Fields have the same names in both engines."""
    for name, values in start.items():
        getattr(data, name)[:] = values


def _our_turn(model: Model, start: Start) -> Callable[[int], float]:
    data = model.make_data()

    def turn(steps: int) -> float:
        data.reset()
        _write_start(data, start)
        begin = time.perf_counter()
        data.step(steps)
        return time.perf_counter() - begin

    turn(1)  # compiles what is cold
    return turn


def _their_turn(mujoco: Any, reference: Any, start: Start) -> Callable[[int], float]:
    data = mujoco.MjData(reference)

    def turn(steps: int) -> float:
        mujoco.mj_resetData(reference, data)
        _write_start(data, start)
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
