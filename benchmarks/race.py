"""Steps of subjects in both engines, by turns, and the cost of a call."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

import cortenforge as cf
from benchmarks.subjects import INTEGRATORS, Subject
from cortenforge.cli.race import Start, our_turn, steps_of_turn, their_turn, time_turns

__all__ = ["Call", "Result", "call_overhead", "race"]

#: starts of a subject
STARTS = 4


@dataclass(frozen=True)
class Result:
    """Microseconds a step of both engines; `ratio` above 1 means that we are faster."""

    subject: str
    integrator: str
    links: int | None
    nv: int
    steps: int
    rounds: int
    ours_us: float
    theirs_us: float
    ours_us_median: float
    theirs_us_median: float
    ratio: float
    ratio_of_best: float


@dataclass(frozen=True)
class Call:
    """Cost of one call from Python beyond the step itself, in microseconds."""

    subject: str
    ours_us: float
    theirs_us: float


def race(subject: Subject, integrator: str, rounds: int) -> Result:
    """Time both engines from each start, `rounds` times."""
    model, reference = _load(subject, integrator)
    starts = _starts(model, subject)
    ours, theirs = our_turn(model), their_turn(mujoco, reference)
    steps = subject.most or steps_of_turn(theirs, starts[0])
    times = time_turns([ours, theirs], starts, steps, rounds * STARTS)
    mine, other = (1e6 * seconds for seconds in times)
    return Result(
        subject.name,
        integrator,
        subject.links,
        int(model.nv),
        steps,
        len(mine),
        float(mine.min()),
        float(other.min()),
        float(np.median(mine)),
        float(np.median(other)),
        float(np.median(other / mine)),
        float(other.min() / mine.min()),
    )


def _load(subject: Subject, integrator: str) -> tuple[cf.Model, Any]:
    model, reference = subject.load(), subject.load_reference()
    for side in (model, reference):
        side.opt.integrator = INTEGRATORS[integrator]
    return model, reference


def _starts(model: cf.Model, subject: Subject) -> list[Start]:
    """Seeded positions near the reference, velocities and controls."""
    rng = np.random.default_rng(2)
    far, fast, hard = subject.spread
    moves = rng.normal(scale=far, size=(STARTS, model.nv))
    speeds = rng.normal(scale=fast, size=(STARTS, model.nv))
    orders = rng.uniform(0.0, hard, size=(STARTS, model.nu))
    return [
        {"qpos": model.integrate_pos(model.qpos0, move, 1.0), "qvel": speed, "ctrl": ctrl}
        for move, speed, ctrl in zip(moves, speeds, orders, strict=True)
    ]


# ---------------------------------------------------------------------- one call


def call_overhead(subject: Subject, calls: int = 2000, rounds: int = 15) -> Call:
    """What `data.step()` costs over a step inside `data.step(n)`, for both engines.

    All runs make the same steps from the same start; the best of each kind is taken, because
    what is looked for is a small difference of large numbers.
    """
    model, reference = _load(subject, "Euler")
    data, reference_data = model.make_data(), mujoco.MjData(reference)
    step, mj_step = data.step, mujoco.mj_step
    runs = {
        "empty": lambda: _loop(lambda: None, calls),
        "our calls": lambda: _loop(lambda: step(), calls),
        "our steps": lambda: _loop(lambda: step(calls), 1),
        "their calls": lambda: _loop(lambda: mj_step(reference, reference_data), calls),
        "their steps": lambda: _loop(lambda: mj_step(reference, reference_data, calls), 1),
    }
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            data.reset()
            mujoco.mj_resetData(reference, reference_data)
            best[name] = min(best[name], run() / calls * 1e6)
    ours = best["our calls"] - best["our steps"] - best["empty"]
    theirs = best["their calls"] - best["their steps"] - best["empty"]
    return Call(subject.name, ours, theirs)


def _loop(call: Callable[[], object], times: int) -> float:
    begin = time.process_time()
    for _ in range(times):
        call()
    return time.process_time() - begin
