"""Speed of many worlds of a model, alternating with mujoco.rollout."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.cli.race import MIN_TURNS, Race, first_line, reference_of, take_turns
from cortenforge.errors import CortenForgeError

if TYPE_CHECKING:
    from cortenforge.batch import BatchSim
    from cortenforge.model import Data, Model

#: steps of a call, and steps before the first one, in which bodies fall to the floor
TIMED_STEPS, WARMUP_STEPS = 10, 200
#: fields of the state that each world starts from
START_FIELDS = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart")


@dataclass(frozen=True)
class BatchRace:
    """Times of turns, of a world's step, and sizes of the batch.

    contacts: mean number of contacts of a world;  nbytes: memory of all worlds.
    """

    race: Race
    contacts: float
    bytes_per_world: int
    nbytes: int


def race_batch(
    path: Path,
    model: Model,
    *,
    worlds: int,
    threads: int,
    seconds: float = 1.0,
    start: Data | None = None,
) -> BatchRace:
    """Step worlds for about `seconds` with each engine, from equal states under equal controls.

    Without a start, worlds begin near the first keyframe, or at rest.
    """
    from cortenforge.batch import BatchSim

    batch = BatchSim(model, worlds, threads=threads)
    _scatter_states(batch, start)
    # one thread is timed by itself, whatever else the machine does
    clock = time.thread_time if threads == 1 else time.perf_counter
    states, share = batch.get_states(), 1 / (worlds * TIMED_STEPS)

    def ours(turn: int) -> float:
        batch.set_states(states)
        begin = clock()
        batch.step_all(TIMED_STEPS)
        return share * (clock() - begin)

    engines, version, alone = [ours], None, ""
    try:
        mujoco, reference = reference_of(path, model)
    except CortenForgeError as error:
        alone = first_line(error)
    else:
        fields = {name: np.array(getattr(batch, name)) for name in START_FIELDS}
        rollout = rollout_call(mujoco, reference, fields, threads, TIMED_STEPS)

        def theirs(turn: int) -> float:
            begin = clock()
            rollout()
            return share * (clock() - begin)

        engines, version = [ours, theirs], mujoco.__version__
    turns = max(MIN_TURNS, round(seconds * share / ours(0)))
    return BatchRace(
        Race(TIMED_STEPS, *take_turns(engines, turns), version, alone),
        float(np.mean([_contact_count(batch, i) for i in range(min(worlds, 16))])),
        batch.bytes_per_world,
        batch.nbytes,
    )


def _contact_count(batch: BatchSim, world: int) -> int:
    data = batch.env(world)
    data.forward()
    return int(data.ncon)


def _scatter_states(batch: BatchSim, start: Data | None) -> None:
    """Random velocities and controls, different in each world, and some steps under them."""
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


def rollout_call(
    mujoco: Any, reference: Any, start: Mapping[str, np.ndarray], threads: int, steps: int
) -> Callable[[], object]:
    """A call of mujoco.rollout; its arrays are made once, and its checks are skipped.

    start: rows of `START_FIELDS`, one a world; fields of no size may be left out.
    """
    from cortenforge.compare.oracle import rollout_pool

    n, spec = len(start["qpos"]), mujoco.mjtState.mjSTATE_FULLPHYSICS.value
    data = [mujoco.MjData(reference) for _ in range(threads)]
    states = np.zeros((n, mujoco.mj_stateSize(reference, spec)))
    for i, state in enumerate(states):
        for name in ("qpos", "qvel", "act"):
            if name in start:
                getattr(data[0], name)[:] = start[name][i]
        mujoco.mj_getState(reference, data[0], state, spec)
    controls = np.repeat(start.get("ctrl", np.zeros((n, 0)))[:, None], steps, axis=1)
    out = np.empty((n, steps, states.shape[1]))
    sensors = np.empty((n, steps, reference.nsensordata))
    pool, models = rollout_pool(threads), [reference] * n
    return lambda: pool.rollout(
        models,
        data,
        states,
        controls,
        nstep=steps,
        initial_warmstart=start["qacc_warmstart"],
        state=out,
        sensordata=sensors,
        skip_checks=True,
    )
