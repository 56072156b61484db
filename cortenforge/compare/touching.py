"""Both engines with constraints: from the same contacts, with solvers that go to the end.

Where convex geoms touch, contacts are as exact as the search for them, and where rounding decides,
there may be others; forces of stiff contacts tell of every digit. So MuJoCo's contacts are given to
both. How far contacts themselves agree is another question (`python -m conformance.contacts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.compare.oracle import mujoco_module
from cortenforge.enums import Integrator, Solver, Transmission
from cortenforge.errors import CholeskyFailed, LuSingular, StepError
from cortenforge.model.contacts import COLUMNS
from cortenforge.step.constraint.adhesion import stick_to_contacts
from cortenforge.step.constraint.reference import reference
from cortenforge.step.constraint.stage import make_rows
from cortenforge.step.forward import velocity
from cortenforge.step.position.transmission import transmission
from cortenforge.step.sensing.kinds import CONTACTS
from cortenforge.step.sensing.stages import constraint_positions, constraint_velocities
from cortenforge.step.statuses import FULL, OK
from cortenforge.step.velocity.actuator_velocity import actuator_velocity

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

__all__ = [
    "ROUNDING",
    "SOLVED",
    "converged",
    "decided_by_rounding",
    "dense_jacobian",
    "digits_lost",
    "forget_rounding",
    "gave_up",
    "own_jacobian",
    "run_rows",
    "step_both_touching",
    "take_contacts",
    "touch_as",
]

#: how exactly forces of constraints and what follows from them are known, where solvers converge
SOLVED = 1e-8
#: entries of a Jacobian that are nothing else
ROUNDING = 1e-13
#: options with which they do
OPTIONS = {
    "solver": int(Solver.NEWTON),
    "tolerance": 1e-15,
    "iterations": 500,
    "ls_iterations": 100,
    "integrator": int(Integrator.EULER),
}
#: why a contact has no rows that a sparse Jacobian leaves out
MOVES_NOTHING = 3


@contextmanager
def converged(model: Model, reference_model: Any, **options: Any) -> Iterator[None]:
    """Both engines with options with which solvers go on until nothing is gained any more."""
    chosen = OPTIONS | options
    before = {name: getattr(model.opt, name) for name in chosen}
    _choose(model, reference_model, chosen)
    try:
        yield
    finally:
        _choose(model, reference_model, before)


def _choose(model: Model, reference_model: Any, options: dict[str, Any]) -> None:
    for name, value in options.items():
        setattr(model.opt, name, value)
        setattr(reference_model.opt, name, value)


def take_contacts(data: Data, theirs: Any) -> None:
    """Give a Data MuJoCo's contacts."""
    while data._store.capacities["nconmax"] < theirs.ncon:
        data._grow(0, theirs.ncon)
    arrays = data._store.arrays
    arrays["ncon"][...] = theirs.ncon
    for name in COLUMNS:
        column = arrays[f"contact_{name}"][: theirs.ncon]
        column[...] = getattr(theirs.contact, name).reshape(column.shape)
    excluded = arrays["contact_exclude"][: theirs.ncon]
    excluded[excluded == MOVES_NOTHING] = 0
    arrays["contact_efc_address"][: theirs.ncon] = -1
    data.contact_mu[: theirs.ncon] = 0


def run_rows(data: Data) -> None:
    """Make rows of what a Data holds, with as much room as they need."""
    data._store.assign("status", OK)
    data._run_unit(make_rows)
    while data.status == FULL:
        data._grow(data.status_index, int(data.status_value))
        data._store.assign("status", OK)
        data._run_unit(make_rows)
    data._run_unit(reference)


def touch_as(data: Data, theirs: Any) -> None:
    """Work out again, from MuJoCo's contacts, what follows from contacts before any control."""
    readings = data.sensordata.copy()
    take_contacts(data, theirs)
    if data.model.nactuator and (data.model.actuator_trntype == Transmission.BODY).any():
        data._run_unit(transmission)
        run_rows(data)
        data._run_unit(stick_to_contacts)
        data._run_unit(actuator_velocity)
    # passive forces start from none, so that pulls of contacts are added once
    data._run_unit(velocity)
    run_rows(data)
    if data.model.sensing & CONTACTS:
        data._run_unit(constraint_positions)
        data._run_unit(constraint_velocities)
        for i in np.flatnonzero(data.model.sensor_historyadr >= 0):
            # what is shown is of the past, or was told already
            start = data.model.sensor_adr[i]
            shown = slice(start, start + data.model.sensor_dim[i])
            data.sensordata[shown] = readings[shown]


def digits_lost(data: Any, jacobian: np.ndarray) -> bool:
    """Whether rounding decides about forces of a Data or MjData: it makes rows, or more of their
    sum than SOLVED.

    The diagonal of rows that nothing seems to move is 1e-15, and such rows are 1e15 times as stiff
    as others; then forces of 1e16 may cancel, or be made of the last digits of accelerations.
    """
    if not data.nefc:
        return False
    force, size = np.abs(data.efc_force), np.abs(jacobian)
    entries = size.max(axis=1, initial=0.0)
    if np.any((entries > 0) & (entries <= ROUNDING) & (force != 0)):
        return True
    residual = size @ np.abs(data.qacc) + np.abs(data.efc_aref)
    off = np.finfo(np.float64).eps * np.where(force > 0, force + data.efc_D * residual, 0.0)
    largest = max(float(np.max(size.T @ off, initial=0.0)), float(np.max(off)))
    return largest > SOLVED * max(1.0, float(np.max(np.abs(data.qfrc_constraint), initial=0.0)))


def decided_by_rounding(data: Data, reference_model: Any, theirs: Any) -> bool:
    """Whether digits are lost in either engine."""
    return digits_lost(theirs, dense_jacobian(reference_model, theirs)) or digits_lost(
        data, own_jacobian(data)
    )


def forget_rounding(data: Data, reference_model: Any, theirs: Any) -> None:
    """Take forces out of both engines that are nothing but rounding, and move nothing.

    Two bodies that are one are held to each other by rows without a Jacobian, 1e15 times as stiff
    as others: how far they are apart, 1e-17 or 0, is forces of 10 in one engine and 0 in the other.
    """
    for side, jacobian in (
        (data, own_jacobian(data)),
        (theirs, dense_jacobian(reference_model, theirs)),
    ):
        still = np.abs(jacobian).max(axis=1, initial=0.0) == 0
        side.efc_force[still & (np.abs(side.efc_aref) <= ROUNDING)] = 0.0


def gave_up(data: Data, reference_model: Any, theirs: Any) -> bool:
    """Whether MuJoCo's solver came to its limit of iterations, and ours to its tolerance.

    In the cube of cubes MuJoCo's Newton takes 330 iterations where 7 do; with a hundred humanoids
    inside of each other it is at 19 times the least cost after 2,000.
    """
    most = int(np.max(theirs.solver_niter, initial=0))
    return bool(data.solver_converged) and most >= reference_model.opt.iterations


def own_jacobian(data: Data) -> np.ndarray:
    """The Jacobian of our rows, whatever format the model asks for."""
    jacobian = np.zeros((data.nefc, data.model.nv))
    rows = np.repeat(np.arange(data.nefc), data.efc_J_rownnz)
    jacobian[rows, data.efc_J_colind] = data.efc_J_value
    return jacobian


def dense_jacobian(reference_model: Any, theirs: Any) -> np.ndarray:
    """The Jacobian of MuJoCo's rows."""
    mujoco = mujoco_module()
    jacobian = np.zeros((theirs.nefc, reference_model.nv))
    if not mujoco.mj_isSparse(reference_model):
        # there is room for rows that turned out to be empty
        return np.array(theirs.efc_J[: jacobian.size]).reshape(jacobian.shape)
    if theirs.nefc:
        mujoco.mju_sparse2dense(
            jacobian, theirs.efc_J, theirs.efc_J_rownnz, theirs.efc_J_rowadr, theirs.efc_J_colind
        )
    return jacobian


def step_both_touching(data: Data, reference_model: Any, theirs: Any) -> tuple[bool, bool]:
    """One step of both from MuJoCo's contacts, by Euler's method if RK4 is chosen; whether each of
    them stopped.

    Where inertia is singular and constraints act on it, there is no least cost: that is an error
    here, and a warning there.
    """
    mujoco = mujoco_module()
    kinds = mujoco.mjtWarning
    stops = [kinds.mjWARN_BADQPOS, kinds.mjWARN_BADQVEL, kinds.mjWARN_BADQACC]
    before = _warnings(theirs)
    mujoco.mj_step1(reference_model, theirs)
    stopped = False
    try:
        data.step1()
        touch_as(data, theirs)
        data.step2()
    except StepError as error:
        stopped = True
        if isinstance(error, (CholeskyFailed, LuSingular)):
            stops.append(kinds.mjWARN_INERTIA)
    mujoco.mj_step2(reference_model, theirs)
    after = _warnings(theirs)
    return stopped, any(after[int(kind)] > before[int(kind)] for kind in stops)


def _warnings(theirs: Any) -> list[int]:
    """How often MuJoCo has warned, by kind."""
    return [warning.number for warning in theirs.warning]
