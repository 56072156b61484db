"""Both engines with constraints: from the same contacts, with converged solvers.

Contacts of convex geoms are as exact as the search for them, and rounding may change their number;
forces of stiff contacts depend on every digit. So both engines use MuJoCo's contacts. Agreement of
contacts themselves is measured elsewhere (`python -m conformance.contacts`).
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

#: tolerance of constraint forces, and of what depends on them, with converged solvers
SOLVED = 1e-8
#: entries of a Jacobian below this are rounding errors
ROUNDING = 1e-13
#: options with which solvers converge
OPTIONS = {
    "solver": int(Solver.NEWTON),
    "tolerance": 1e-15,
    "iterations": 500,
    "ls_iterations": 100,
    "integrator": int(Integrator.EULER),
}
#: contact_exclude of contacts without rows, since a sparse Jacobian has no entries
MOVES_NOTHING = 3


@contextmanager
def converged(model: Model, reference_model: Any, **options: Any) -> Iterator[None]:
    """Set options of both engines with which solvers converge to machine precision."""
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
    """Copy MuJoCo's contacts to a Data."""
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
    """Make the constraint rows of a Data, growing its memory as needed."""
    data._store.assign("status", OK)
    data._run_unit(make_rows)
    while data.status == FULL:
        data._grow(data.status_index, int(data.status_value))
        data._store.assign("status", OK)
        data._run_unit(make_rows)
    data._run_unit(reference)


def touch_as(data: Data, theirs: Any) -> None:
    """Compute again, from MuJoCo's contacts, all that depends on contacts before actuation."""
    readings = data.sensordata.copy()
    take_contacts(data, theirs)
    if data.model.nactuator and (data.model.actuator_trntype == Transmission.BODY).any():
        data._run_unit(transmission)
        run_rows(data)
        data._run_unit(stick_to_contacts)
        data._run_unit(actuator_velocity)
    # passive forces start from zero, so that adhesion is added once
    data._run_unit(velocity)
    run_rows(data)
    if data.model.sensing & CONTACTS:
        data._run_unit(constraint_positions)
        data._run_unit(constraint_velocities)
        for i in np.flatnonzero(data.model.sensor_historyadr >= 0):
            # delayed readings were computed before
            start = data.model.sensor_adr[i]
            shown = slice(start, start + data.model.sensor_dim[i])
            data.sensordata[shown] = readings[shown]


def digits_lost(data: Any, jacobian: np.ndarray) -> bool:
    """Whether rounding dominates forces of a Data or MjData: of a row, or of their sum.

    Rows of immovable objects have a diagonal of 1e-15, so they are 1e15 times as stiff as others:
    forces of 1e16 may cancel, or consist of the last digits of accelerations.
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
    """Whether rounding dominates forces in either engine."""
    return digits_lost(theirs, dense_jacobian(reference_model, theirs)) or digits_lost(
        data, own_jacobian(data)
    )


def forget_rounding(data: Data, reference_model: Any, theirs: Any) -> None:
    """Set forces to zero in both engines that are rounding errors and have no effect.

    Rows between two bodies that are welded have a zero Jacobian and are 1e15 times as stiff as
    others: a distance of 1e-17 or 0 is a force of 10 in one engine and 0 in the other.
    """
    for side, jacobian in (
        (data, own_jacobian(data)),
        (theirs, dense_jacobian(reference_model, theirs)),
    ):
        still = np.abs(jacobian).max(axis=1, initial=0.0) == 0
        side.efc_force[still & (np.abs(side.efc_aref) <= ROUNDING)] = 0.0


def gave_up(data: Data, reference_model: Any, theirs: Any) -> bool:
    """Whether MuJoCo's solver reached its limit of iterations, and ours converged.

    In the cube of cubes MuJoCo's Newton takes 330 iterations, ours 7; with a hundred humanoids
    inside of each other MuJoCo's cost is 19 times the least after 2,000.
    """
    most = int(np.max(theirs.solver_niter, initial=0))
    return bool(data.solver_converged) and most >= reference_model.opt.iterations


def own_jacobian(data: Data) -> np.ndarray:
    """Dense Jacobian of our rows."""
    jacobian = np.zeros((data.nefc, data.model.nv))
    rows = np.repeat(np.arange(data.nefc), data.efc_J_rownnz)
    jacobian[rows, data.efc_J_colind] = data.efc_J_value
    return jacobian


def dense_jacobian(reference_model: Any, theirs: Any) -> np.ndarray:
    """Dense Jacobian of MuJoCo's rows."""
    mujoco = mujoco_module()
    jacobian = np.zeros((theirs.nefc, reference_model.nv))
    if not mujoco.mj_isSparse(reference_model):
        # memory is allocated for more rows than there are
        return np.array(theirs.efc_J[: jacobian.size]).reshape(jacobian.shape)
    if theirs.nefc:
        mujoco.mju_sparse2dense(
            jacobian, theirs.efc_J, theirs.efc_J_rownnz, theirs.efc_J_rowadr, theirs.efc_J_colind
        )
    return jacobian


def step_both_touching(data: Data, reference_model: Any, theirs: Any) -> tuple[bool, bool]:
    """Step both from MuJoCo's contacts, by Euler instead of RK4.  Returns (ours, theirs failed).

    Singular inertia with constraints has no least cost: an error here, a warning in MuJoCo.
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
