"""How fast many worlds of a model step, by turns with mujoco.rollout when it is installed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.cli.race import reference_of
from cortenforge.errors import CortenForgeError

if TYPE_CHECKING:
    from cortenforge.batch import BatchSim
    from cortenforge.model import Data, Model

__all__ = ["TIMED_STEPS", "BatchRace", "race_batch"]

#: steps a call, and steps before the first of them, so that things have come down
TIMED_STEPS, WARMUP_STEPS = 10, 200


@dataclass(frozen=True)
class BatchRace:
    """Seconds a step of a world in each engine; `theirs` is None without MuJoCo."""

    turns: int
    ours: float
    theirs: float | None
    ratio: float | None
    mujoco_version: str | None
    contacts: float
    bytes_per_world: int
    nbytes: int
    alone: str = ""


def race_batch(
    path: Path,
    model: Model,
    *,
    worlds: int,
    threads: int,
    seconds: float = 1.0,
    start: Data | None = None,
) -> BatchRace:
    """Step worlds for about `seconds` an engine, from the same states under the same controls.

    Without a start, worlds begin near the first keyframe, or at rest.
    """
    from cortenforge.batch import BatchSim

    batch = BatchSim(model, worlds, threads=threads)
    _scatter_states(batch, start)
    # one thread is timed by itself, whatever else runs on the machine
    clock = time.thread_time if threads == 1 else time.perf_counter
    ours = _our_turn(batch, clock)
    spent = ours()
    turns = max(3, round(seconds / spent))
    mujoco, theirs, alone = None, None, ""
    try:
        mujoco, reference = reference_of(path, model)
        theirs = _their_turn(mujoco, reference, batch, threads, clock)
    except CortenForgeError as error:
        alone = str(error).partition("\n")[0]
    pairs = [(ours(), theirs() if theirs else None) for _ in range(turns)]
    share = 1 / (worlds * TIMED_STEPS)
    other = [b for _, b in pairs if b is not None]
    return BatchRace(
        turns,
        share * median(a for a, _ in pairs),
        share * median(other) if other else None,
        median(b / a for a, b in pairs if b is not None) if other else None,
        mujoco.__version__ if mujoco is not None else None,
        float(np.mean([_contact_count(batch, i) for i in range(min(worlds, 16))])),
        batch.bytes_per_world,
        batch.nbytes,
        alone,
    )


def _contact_count(batch: BatchSim, world: int) -> int:
    data = batch.env(world)
    data.forward()
    return int(data.ncon)


def _scatter_states(batch: BatchSim, start: Data | None) -> None:
    """Worlds that differ: small speeds, random controls, and some steps of both."""
    model, rng = batch.model, np.random.default_rng(1)
    if start is not None:
        batch.set_states(start.get_state())
    elif model.nkey:
        data = model.make_data()
        data.reset_to_keyframe(0)
        batch.set_states(data.get_state())
    batch.qvel[:] += rng.normal(scale=0.1, size=batch.qvel.shape)
    batch.ctrl[:] += rng.normal(scale=0.3, size=batch.ctrl.shape)
    problems = [error for error in batch.step_all(WARMUP_STEPS) if error]
    if problems:
        raise problems[0]


def _our_turn(batch: BatchSim, clock: Callable[[], float]) -> Callable[[], float]:
    start = batch.get_states()

    def turn() -> float:
        batch.set_states(start)
        begin = clock()
        batch.step_all(TIMED_STEPS)
        return clock() - begin

    return turn


def _their_turn(
    mujoco: Any, reference: Any, batch: BatchSim, threads: int, clock: Callable[[], float]
) -> Callable[[], float]:
    from cortenforge.compare.oracle import rollout_pool

    spec = mujoco.mjtState.mjSTATE_FULLPHYSICS.value
    data = [mujoco.MjData(reference) for _ in range(threads)]
    start = np.zeros((batch.n, mujoco.mj_stateSize(reference, spec)))
    for i, row in enumerate(start):
        for name in ("qpos", "qvel", "act"):
            getattr(data[0], name)[:] = getattr(batch, name)[i]
        mujoco.mj_getState(reference, data[0], row, spec)
    controls = np.repeat(batch.ctrl[:, None], TIMED_STEPS, axis=1)
    warm = batch.qacc_warmstart.copy()
    pool = rollout_pool(threads)
    models, out = [reference] * batch.n, np.empty((batch.n, TIMED_STEPS, start.shape[1]))
    sensors = np.empty((batch.n, TIMED_STEPS, reference.nsensordata))

    def turn() -> float:
        begin = clock()
        pool.rollout(
            models,
            data,
            start,
            controls,
            nstep=TIMED_STEPS,
            initial_warmstart=warm,
            state=out,
            sensordata=sensors,
            skip_checks=True,
        )
        return clock() - begin

    turn()
    return turn
