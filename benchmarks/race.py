"""Two engines take turns in one process, from the same states, on the processor's clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

import cortenforge as cf
from benchmarks.subjects import INTEGRATORS, Subject

__all__ = ["Call", "Result", "call_overhead", "race"]

#: length of one turn: long against the clock's grain, short against a machine's moods
TURN_SECONDS = 0.02
STARTS = 4

#: resets an engine to a start, steps it and returns the seconds that this took
Turn = Callable[[int, int], float]


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
    """Time both engines; the ratio is the median over all pairs of neighbouring turns."""
    model, reference = _load(subject, integrator)
    starts = _starts(model, subject)
    ours, theirs = _our_turn(model, starts), _their_turn(reference, starts)
    steps = _steps_a_turn(theirs, subject.most)
    ours(0, steps), theirs(0, steps)
    pairs = []
    for turn in range(rounds * STARTS):
        start = turn % STARTS
        # who goes first changes, so that neither always finds the warmer machine
        if turn % 2:
            mine, other = ours(start, steps), theirs(start, steps)
        else:
            other, mine = theirs(start, steps), ours(start, steps)
        pairs.append((mine, other))
    mine, other = np.array(pairs).T / steps * 1e6
    return Result(
        subject.name,
        integrator,
        subject.links,
        int(model.nv),
        steps,
        rounds * STARTS,
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


#: qpos, qvel and ctrl of a start
Start = tuple[np.ndarray, np.ndarray, np.ndarray]


def _starts(model: cf.Model, subject: Subject) -> list[Start]:
    """Seeded positions near the reference, velocities and controls."""
    rng = np.random.default_rng(2)
    far, fast, hard = subject.spread
    moves = rng.normal(scale=far, size=(STARTS, model.nv))
    speeds = rng.normal(scale=fast, size=(STARTS, model.nv))
    orders = rng.uniform(0.0, hard, size=(STARTS, model.nu))
    places = [model.integrate_pos(model.qpos0, move, 1.0) for move in moves]
    return list(zip(places, speeds, orders, strict=True))


def _our_turn(model: cf.Model, starts: list[Start]) -> Turn:
    data = model.make_data()

    def turn(start: int, steps: int) -> float:
        data.reset()
        data.qpos[:], data.qvel[:], data.ctrl[:] = starts[start]
        begin = time.process_time()
        data.step(steps)
        return time.process_time() - begin

    turn(0, 1)  # compiles what is cold
    return turn


def _their_turn(reference: Any, starts: list[Start]) -> Turn:
    data = mujoco.MjData(reference)

    def turn(start: int, steps: int) -> float:
        mujoco.mj_resetData(reference, data)
        data.qpos[:], data.qvel[:], data.ctrl[:] = starts[start]
        begin = time.process_time()
        mujoco.mj_step(reference, data, steps)
        return time.process_time() - begin

    return turn


def _steps_a_turn(turn: Turn, most: int | None) -> int:
    if most is not None:
        return most
    steps = 16
    while (elapsed := turn(0, steps)) < TURN_SECONDS / 4:
        steps *= 2
    return max(1, round(steps * TURN_SECONDS / elapsed))


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
