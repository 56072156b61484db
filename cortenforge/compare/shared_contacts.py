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
from cortenforge.model.internals import ensure_room, run_unit, run_unit_with_room, store_of
from cortenforge.model.methods.contacts import CONTACT_COLUMNS
from cortenforge.sensors import SensorGroup
from cortenforge.step.constraint.adhesion import set_adhesion_moments
from cortenforge.step.constraint.reference_acceleration import reference_constraint
from cortenforge.step.constraint.stage import make_constraint
from cortenforge.step.forward import forward_velocity
from cortenforge.step.position.transmission import transmission
from cortenforge.step.sensing.constraint_sensors import (
    sense_constraint_positions,
    sense_constraint_velocities,
)
from cortenforge.step.velocity.actuator_velocity import actuator_velocity

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

__all__ = [
    "ROUNDING_TOLERANCE",
    "SOLVED_TOLERANCE",
    "converged",
    "copy_contacts",
    "dense_jacobian",
    "either_rounding_dominated",
    "is_rounding_dominated",
    "make_constraint_rows",
    "own_jacobian",
    "recompute_from_contacts",
    "reference_gave_up",
    "step_both_from_contacts",
    "zero_rounding_forces",
]

#: tolerance of constraint forces, and of what depends on them, with converged solvers
SOLVED_TOLERANCE = 1e-8
#: entries of a Jacobian below this are rounding errors
ROUNDING_TOLERANCE = 1e-13
#: options with which solvers converge
CONVERGED_OPTIONS = {
    "solver": int(Solver.NEWTON),
    "tolerance": 1e-15,
    "iterations": 500,
    "ls_iterations": 100,
    "integrator": int(Integrator.EULER),
}
#: contact_exclude of contacts without rows, since a sparse Jacobian has no entries
EXCLUDED_EMPTY = 3


@contextmanager
def converged(model: Model, reference_model: Any, **options: Any) -> Iterator[None]:
    """Set options of both engines with which solvers converge to machine precision."""
    chosen = CONVERGED_OPTIONS | options
    before = {name: getattr(model.opt, name) for name in chosen}
    _set_options(model, reference_model, chosen)
    try:
        yield
    finally:
        _set_options(model, reference_model, before)


def _set_options(model: Model, reference_model: Any, options: dict[str, Any]) -> None:
    for name, value in options.items():
        setattr(model.opt, name, value)
        setattr(reference_model.opt, name, value)


def copy_contacts(data: Data, theirs: Any) -> None:
    """Copy MuJoCo's contacts to a Data."""
    ensure_room(data, {"nconmax": theirs.ncon})
    arrays = store_of(data).arrays
    arrays["ncon"][...] = theirs.ncon
    for name in CONTACT_COLUMNS:
        column = arrays[f"contact_{name}"][: theirs.ncon]
        column[...] = getattr(theirs.contact, name).reshape(column.shape)
    excluded = arrays["contact_exclude"][: theirs.ncon]
    excluded[excluded == EXCLUDED_EMPTY] = 0
    arrays["contact_efc_address"][: theirs.ncon] = -1
    data.contact_mu[: theirs.ncon] = 0


def make_constraint_rows(data: Data) -> None:
    """Make the constraint rows of a Data, growing its memory as needed."""
    run_unit_with_room(data, make_constraint)
    run_unit(data, reference_constraint)


def recompute_from_contacts(data: Data, theirs: Any) -> None:
    """Compute again, from MuJoCo's contacts, all that depends on contacts before actuation."""
    readings = data.sensordata.copy()
    copy_contacts(data, theirs)
    if data.model.nactuator and (data.model.actuator_trntype == Transmission.BODY).any():
        run_unit(data, transmission)
        make_constraint_rows(data)
        run_unit(data, set_adhesion_moments)
        run_unit(data, actuator_velocity)
    # passive forces start from zero, so that adhesion is added once
    run_unit(data, forward_velocity)
    make_constraint_rows(data)
    if data.model.sensing & SensorGroup.CONTACT:
        run_unit(data, sense_constraint_positions)
        run_unit(data, sense_constraint_velocities)
        for i in np.flatnonzero(data.model.sensor_historyadr >= 0):
            # delayed readings were computed before
            start = data.model.sensor_adr[i]
            shown = slice(start, start + data.model.sensor_dim[i])
            data.sensordata[shown] = readings[shown]


def is_rounding_dominated(data: Any, jacobian: np.ndarray) -> bool:
    """Whether rounding dominates forces of a Data or MjData: of a row, or of their sum.

    Rows of immovable objects have a diagonal of 1e-15, so they are 1e15 times as stiff as others:
    forces of 1e16 may cancel, or consist of the last digits of accelerations.
    """
    if not data.nefc:
        return False
    force, size = np.abs(data.efc_force), np.abs(jacobian)
    entries = size.max(axis=1, initial=0.0)
    if np.any((entries > 0) & (entries <= ROUNDING_TOLERANCE) & (force != 0)):
        return True
    residual = size @ np.abs(data.qacc) + np.abs(data.efc_aref)
    off = np.finfo(np.float64).eps * np.where(force > 0, force + data.efc_D * residual, 0.0)
    largest = max(float(np.max(size.T @ off, initial=0.0)), float(np.max(off)))
    return largest > SOLVED_TOLERANCE * max(
        1.0, float(np.max(np.abs(data.qfrc_constraint), initial=0.0))
    )


def either_rounding_dominated(data: Data, reference_model: Any, theirs: Any) -> bool:
    """Whether rounding dominates forces in either engine."""
    return is_rounding_dominated(
        theirs, dense_jacobian(reference_model, theirs)
    ) or is_rounding_dominated(data, own_jacobian(data))


def zero_rounding_forces(data: Data, reference_model: Any, theirs: Any) -> None:
    """Set forces to zero in both engines that are rounding errors and have no effect.

    Rows between two bodies that are welded have a zero Jacobian and are 1e15 times as stiff as
    others: a distance of 1e-17 or 0 is a force of 10 in one engine and 0 in the other.
    """
    for side, jacobian in (
        (data, own_jacobian(data)),
        (theirs, dense_jacobian(reference_model, theirs)),
    ):
        still = np.abs(jacobian).max(axis=1, initial=0.0) == 0
        side.efc_force[still & (np.abs(side.efc_aref) <= ROUNDING_TOLERANCE)] = 0.0


def reference_gave_up(data: Data, reference_model: Any, theirs: Any) -> bool:
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


def step_both_from_contacts(data: Data, reference_model: Any, theirs: Any) -> tuple[bool, bool]:
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
        recompute_from_contacts(data, theirs)
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
