"""What other packages of the engine use of a batch beyond public attributes.

See `model.internals`. Entries of one's own are run for worlds in lockstep by `lockstep_calls`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np

from cortenforge.batch.batch import BatchSim
from cortenforge.batch.binding import REQUESTS
from cortenforge.batch.lockstep import forward_to_controls_groups, step_groups_in_place
from cortenforge.batch.memory import DIFFERING, Rows
from cortenforge.batch.threads import locked, signals_deferred
from cortenforge.batch.worlds import Worlds
from cortenforge.enums import Enable, Integrator
from cortenforge.model import Data
from cortenforge.step.pipeline import step_to_controls


def rows_of(worlds: Worlds) -> Rows:
    """State and inputs of all worlds: a table with a row for each, and views of its columns."""
    return worlds._rows


def world_of(worlds: Worlds, i: int) -> Data:
    """World i as a Data on the batch's memory, without its lock, for a caller that holds it."""
    return worlds._world(i)


def run_on_threads(batch: BatchSim, jobs: Sequence[Callable[[], None]]) -> None:
    """Run jobs on the threads of a batch; returns when all are done."""
    batch._crew.each(jobs)


def step_every_world(batch: BatchSim) -> None:
    """One step of every world; raises the first error."""
    for error in batch.step_all():
        if error is not None:
            raise error


@locked
def step_from_equal_positions(batch: BatchSim) -> None:
    """The same for worlds with equal positions, whose kinematics are computed only once.

    Not where a step needs more than that of positions: Runge-Kutta evaluates others; sleep, history
    and noise are part of the state, too.
    """
    model = batch.model
    others = model.opt.enableflags & Enable.SLEEP or model.nhistory or model.nnoise or model.called
    if others or batch._one_by_one or model.opt.integrator == Integrator.RK4:
        step_every_world(batch)
        return
    with signals_deferred(apart=batch._in_parts):
        batch._run(step_groups_in_place, 1)
    failed = np.flatnonzero(batch._reports["world_status"])
    if failed.size:
        raise batch._error_of(int(failed[0]), 0)


def parameters_digest(batch: BatchSim) -> int:
    """A 64-bit hash of all reals of the model and of worlds' own that may differ between worlds."""
    arrays = batch.model._store.arrays
    content = hashlib.blake2b(digest_size=8)
    content.update(str(batch.model.version).encode())
    for values in (*(arrays[field.name] for field in DIFFERING), *batch.parameters.values()):
        content.update(np.ascontiguousarray(values).tobytes())
    return int.from_bytes(content.digest(), "little")


@locked
def forward_to_controls(batch: BatchSim) -> None:
    """Evaluate positions and velocities of all worlds, and what depends on these alone.

    Bound fields that depend on accelerations keep their values, and worlds that fail theirs.
    """
    batch._refresh_model()
    if batch._one_by_one:
        arrays = batch._bound.arrays
        kept = {name: arrays[name].copy() for name in arrays if name in REQUESTS}
        for data in batch._worlds():
            data._run_unit(step_to_controls)
        batch._copy_bound(range(batch.n))
        for name, array in kept.items():
            arrays[name][...] = array
    else:
        with signals_deferred(apart=batch._in_parts):
            batch._run(forward_to_controls_groups, 1)
    batch._bound.deliver(slice(None))
