"""`mujoco.rollout`: many open-loop trajectories, on a batch of this engine.

Results are those of `mujoco`, to rounding. Its data are not touched: they tell the number of
threads only. A trajectory ends at its first warning, as in `mujoco`: from then on its states and
sensor readings repeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.internals import rows_of
from cortenforge.errors import StepError
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.functions.callbacks import follow_callbacks, installed
from cortenforge.mujoco.functions.pipeline import mj_resetData, mj_step
from cortenforge.mujoco.functions.state import (
    field_size,
    mj_getState,
    mj_setState,
    size_of_state,
    state_fields,
)
from cortenforge.mujoco.model import MjModel

STATE = ENUMS["mjtState"]
FULLPHYSICS, USER, CTRL = (int(STATE[f"mjSTATE_{n}"]) for n in ("FULLPHYSICS", "USER", "CTRL"))
#: controls beyond this, and those that are no numbers, are bad (mjMAXVAL)
MAXVAL = 1e10
#: as many trajectories of a model are computed without a batch
FEW = 2
#: worlds of a batch that a thread should have at least
WORLDS_PER_THREAD = 8


@dataclass
class Inputs:
    """What trajectories start from and are driven by, one row each, and where results go."""

    nstep: int
    control_spec: int
    initial_state: np.ndarray
    initial_warmstart: np.ndarray | None
    control: np.ndarray | None
    state: np.ndarray | None
    sensordata: np.ndarray | None

    def of(self, rows: np.ndarray) -> Inputs:
        """Those of some trajectories; results are written to the whole."""
        return Inputs(
            self.nstep,
            self.control_spec,
            self.initial_state[rows],
            None if self.initial_warmstart is None else self.initial_warmstart[rows],
            None if self.control is None else self.control[rows],
            self.state,
            self.sensordata,
        )


class Rollout:
    """Computes rollouts on some threads; 0 is the calling thread."""

    def __init__(self, *, nthread: int | None = None) -> None:
        self.nthread = nthread or 0
        self._is_open = True

    def __enter__(self) -> Rollout:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def close(self) -> None:
        """No rollouts from now on."""
        self._is_open = False

    def rollout(
        self,
        model: MjModel | Sequence[MjModel],
        data: MjData | Sequence[MjData],
        initial_state: Any,
        control: Any = None,
        *,
        control_spec: int = CTRL,
        skip_checks: bool = False,
        nstep: int | None = None,
        initial_warmstart: Any = None,
        state: Any = None,
        sensordata: Any = None,
        chunk_size: int | None = None,
    ) -> tuple[Any, Any]:
        """States and sensor readings `(nbatch, nstep, size)` of trajectories.

        model, data:       one, or as many models as trajectories, and as many data as threads.
        initial_state:     `(nbatch, size)` or `(size,)`, of mjSTATE_FULLPHYSICS.
        control:           `(nbatch, nstep, size)`, of `control_spec`; extents of one are repeated.
        initial_warmstart: `(nbatch, nv)`.   state, sensordata: where results go.
        """
        if not self._is_open:
            raise RuntimeError("rollout requested after thread pool shutdown")
        models = [model] if isinstance(model, MjModel) else list(model)
        check_kinds(models, [data] if isinstance(data, MjData) else list(data))
        check_counts(control_spec, nstep, chunk_size)
        if skip_checks:
            given = Inputs(
                int(nstep or 0), control_spec, np.asarray(initial_state), initial_warmstart,
                control, state, sensordata,
            )  # fmt: skip
        else:
            given = completed_inputs(
                models, control_spec, nstep, initial_state, initial_warmstart, control, state,
                sensordata,
            )  # fmt: skip
        nbatch = len(given.initial_state)
        models = models * nbatch if len(models) == 1 else models
        if skip_checks:
            models = models[:nbatch]
        if len(models) != nbatch:
            raise ValueError(f"nbatch inferred as {nbatch} but model is length {len(models)}")
        roll_out(models, given, max(self.nthread, 1))
        return given.state, given.sensordata


def check_kinds(models: list[Any], data: list[Any]) -> None:
    """Raise TypeError for what is no model and no data, ValueError for none."""
    for kind, given in ((MjModel, models), (MjData, data)):
        bad = [one for one in given if not isinstance(one, kind)]
        if bad:
            raise TypeError(f"rollout: expected {kind.__name__}, got {bad[0]!r}"[:300])
        if not given:
            raise ValueError(f"rollout: expected at least one {kind.__name__}")


def check_counts(control_spec: int, nstep: Any, chunk_size: Any) -> None:
    """Raise ValueError for numbers that are none, and for controls that are no inputs."""
    if int(control_spec) & ~USER:
        raise ValueError("control_spec can only contain bits in mjSTATE_USER")
    for name, value, least in (("nstep", nstep, 0), ("chunk_size", chunk_size, 1)):
        if value is None:
            continue
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
            raise ValueError(f"{name} must be an integer")
        if value < least:
            wanted = "a positive integer" if least else "non-negative"
            raise ValueError(f"{name} must be {wanted}")


def completed_inputs(
    models: list[MjModel],
    control_spec: int,
    nstep: int | None,
    initial_state: Any,
    initial_warmstart: Any,
    control: Any,
    state: Any,
    sensordata: Any,
) -> Inputs:
    """Inputs of one shape: missing extents inferred, single ones repeated, results allocated."""
    rows = {"initial_state": initial_state, "initial_warmstart": initial_warmstart}
    tables = {"control": control, "state": state, "sensordata": sensordata}
    found = {name: checked_array(name, value, 2) for name, value in rows.items()}
    found |= {name: checked_array(name, value, 3) for name, value in tables.items()}
    given = {name: array for name, array in found.items() if array is not None}
    nbatch = inferred(0, len(models), given)
    count = inferred(
        1, 1 if nstep is None else int(nstep), {n: a for n, a in given.items() if n in tables}
    )
    widths = trailing_sizes(models, int(control_spec))
    for name, array in found.items():
        if array is not None and array.shape[-1] != widths[name]:
            raise ValueError(
                f"trailing dimension of {name} must be {widths[name]}, got {array.shape[-1]}"
            )
    for name in ("initial_state", "initial_warmstart", "control"):
        if (array := found[name]) is not None:
            steps_too = (count,) if name == "control" else ()
            found[name] = np.broadcast_to(array, (nbatch, *steps_too, widths[name]))
    for name in ("state", "sensordata"):
        if found[name] is None:
            found[name] = np.empty((nbatch, count, widths[name]))
    assert found["initial_state"] is not None
    return Inputs(count, int(control_spec), **found)  # type: ignore[arg-type]  # by name


def checked_array(name: str, value: Any, dimensions: int) -> np.ndarray | None:
    """An array with leading extents of one; ValueError for what is none."""
    if value is None:
        return None
    if not isinstance(value, (np.ndarray, float)):
        raise ValueError(f"{name} must be a numpy array or float")
    if np.ndim(value) > dimensions:
        raise ValueError(f"{name} can have at most {dimensions} dimensions")
    array = np.asarray(value, np.float64)
    if array.ndim < dimensions:
        array = array.reshape((1,) * (dimensions - array.ndim) + array.shape)
    return np.ascontiguousarray(array)


def inferred(dimension: int, value: int, arrays: dict[str, np.ndarray]) -> int:
    """The extent that all arrays agree on; those of one are repeated."""
    for name, array in arrays.items():
        extent = array.shape[dimension]
        if extent != value and value == 1:
            value = extent
        elif extent not in (value, 1):
            raise ValueError(f"dimension {dimension} inferred as {value} but {name} has {extent}")
    return value


def trailing_sizes(models: list[MjModel], control_spec: int) -> dict[str, int]:
    """The last extent of each array; ValueError if models differ in one."""
    found = [
        {
            "initial_state": size_of_state(m, FULLPHYSICS),
            "initial_warmstart": m.nv,
            "control": size_of_state(m, control_spec),
            "state": size_of_state(m, FULLPHYSICS),
            "sensordata": m.nsensordata,
        }
        for m in {id(m): m for m in models}.values()
    ]
    if any(sizes != found[0] for sizes in found):
        raise ValueError("models are not compatible")
    return found[0]


def roll_out(models: list[MjModel], given: Inputs, threads: int) -> None:
    """Compute trajectories, those of one model together."""
    by_model: dict[int, list[int]] = {}
    for row, model in enumerate(models):
        by_model.setdefault(id(model), []).append(row)
    for rows in by_model.values():
        # functions of Python are called with the data of their simulation
        if len(rows) <= FEW or installed.current:
            roll_out_alone(models[rows[0]], given, rows)
        else:
            numbers = np.array(rows)
            Trajectories(models[rows[0]], given.of(numbers), numbers, threads).run()


def roll_out_alone(model: MjModel, given: Inputs, rows: list[int]) -> None:
    """Compute a few trajectories of a model, one after another."""
    data = MjData(model)
    for row in rows:
        mj_resetData(model, data)
        mj_setState(model, data, given.initial_state[row], FULLPHYSICS)
        warmstart = given.initial_warmstart
        data.qacc_warmstart[:] = 0.0 if warmstart is None else warmstart[row]
        results = [array for array in (given.state, given.sensordata) if array is not None]
        for t in range(given.nstep):
            if data.warning.number.any():
                for array in results:
                    array[row, t:] = array[row, t - 1]
                break
            if given.control is not None:
                mj_setState(model, data, given.control[row, t], given.control_spec)
            mj_step(model, data)
            if given.state is not None:
                mj_getState(model, data, given.state[row, t], FULLPHYSICS)
            if given.sensordata is not None:
                given.sensordata[row, t] = data.sensordata


class Trajectories:
    """Trajectories of one model: worlds of a batch, and the numbers of the rows that they fill."""

    def __init__(self, model: MjModel, given: Inputs, rows: np.ndarray, threads: int) -> None:
        follow_callbacks(model)
        self.model, self.given, self.rows = model, given, rows
        threads = min(threads, -(-len(rows) // WORLDS_PER_THREAD))
        self.batch = BatchSim(model._native, len(rows), threads=threads)
        self.batch.bind("sensordata")
        self.views = rows_of(self.batch).views
        #: the step after which each trajectory repeats
        self.last = np.full(len(rows), given.nstep)

    def fields(self, sig: int) -> list[tuple[np.ndarray, slice]]:
        """Fields of a state vector: all worlds', and where they are in it."""
        found, at = [], 0
        for name in state_fields(sig):
            size = field_size(self.model, name)
            if size:
                found.append((self.views[name].reshape(len(self.rows), size), slice(at, at + size)))
            at += size
        return found

    def run(self) -> None:
        """Step through all controls."""
        given = self.given
        physics, inputs = self.fields(FULLPHYSICS), self.fields(given.control_spec)
        for view, place in physics:
            view[:] = given.initial_state[:, place]
        warmstart = given.initial_warmstart
        self.batch.qacc_warmstart[:] = 0.0 if warmstart is None else warmstart
        for t in range(given.nstep):
            if given.control is not None:
                for view, place in inputs:
                    view[:] = given.control[:, t, place]
            before = [view.copy() for view, _ in physics]
            self.step(t, physics, before)
        for world in np.flatnonzero(self.last < given.nstep - 1).tolist():
            row, t = self.rows[world], self.last[world]
            for results in (given.state, given.sensordata):
                if results is not None:
                    results[row, t + 1 :] = results[row, t]

    def step(
        self, t: int, physics: list[tuple[np.ndarray, slice]], before: list[np.ndarray]
    ) -> None:
        """One step of all trajectories, and its results."""
        given, moving = self.given, self.last > t
        warned = moving & ~(np.abs(self.batch.ctrl) <= MAXVAL).all(1)
        errors = self.batch.step_all()
        for view, place in physics:
            if given.state is not None:
                given.state[self.rows[moving], t, place] = view[moving]
        if given.sensordata is not None:
            given.sensordata[self.rows[moving], t] = self.batch.sensordata[moving]
        for world in np.flatnonzero(moving).tolist():
            error = errors[world]
            if error is not None:
                self.reset_and_step(world, t, [part[world] for part in before], error)
            if error is not None or warned[world]:
                self.last[world] = t

    def reset_and_step(
        self, world: int, t: int, before: list[np.ndarray], error: StepError
    ) -> None:
        """The step of a world whose numbers go wrong: `mj_step` resets it, and goes on."""
        data = MjData(self.model)
        mj_setState(self.model, data, np.concatenate(before), FULLPHYSICS)
        for name in state_fields(USER):
            if field_size(self.model, name):
                data._arrays[name][...] = self.views[name][world]
        data._read_flags()
        data.qacc_warmstart[:] = self.batch.qacc_warmstart[world]
        mj_step(self.model, data)
        row = self.rows[world]
        if self.given.state is not None:
            parts = [np.ravel(data._arrays[name]) for name in state_fields(FULLPHYSICS)]
            self.given.state[row, t] = np.concatenate(parts)
        if self.given.sensordata is not None:
            self.given.sensordata[row, t] = data.sensordata


#: the object that `rollout(persistent_pool=True)` uses again
persistent_rollout: Rollout | None = None


def shutdown_persistent_pool() -> None:
    """Close what `rollout(persistent_pool=True)` made."""
    global persistent_rollout
    if persistent_rollout is not None:
        persistent_rollout.close()
    persistent_rollout = None


def rollout(
    model: MjModel | Sequence[MjModel],
    data: MjData | Sequence[MjData],
    initial_state: Any,
    control: Any = None,
    *,
    control_spec: int = CTRL,
    skip_checks: bool = False,
    nstep: int | None = None,
    initial_warmstart: Any = None,
    state: Any = None,
    sensordata: Any = None,
    chunk_size: int | None = None,
    persistent_pool: bool = False,
) -> tuple[Any, Any]:
    """States and sensor readings of trajectories, see `Rollout.rollout`."""
    global persistent_rollout
    nthread = 0 if isinstance(data, MjData) or len(data) < 2 else len(data)
    if not persistent_pool:
        made = Rollout(nthread=nthread)
    else:
        if persistent_rollout is None or persistent_rollout.nthread != nthread:
            shutdown_persistent_pool()
            persistent_rollout = Rollout(nthread=nthread)
        made = persistent_rollout
    return made.rollout(
        model, data, initial_state, control, control_spec=control_spec, skip_checks=skip_checks,
        nstep=nstep, initial_warmstart=initial_warmstart, state=state, sensordata=sensordata,
        chunk_size=chunk_size,
    )  # fmt: skip
