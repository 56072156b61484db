"""A status from compiled code becomes an exception with the object, the value and the time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import (
    CholeskyFailed,
    InvalidAcceleration,
    InvalidPosition,
    InvalidTimestep,
    InvalidVelocity,
    StepError,
)
from cortenforge.step import status

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model


def step_error(model: Model, data: Data) -> StepError:
    """The exception for the status that the last call left in a Data."""
    index, value = data.status_index, data.status_value
    place: dict[str, Any] = {"value": value, "time": data.time, "steps_done": data.steps_done}
    when = f"at t = {data.time:.6g} s"
    if data.status == status.BAD_TIMESTEP:
        return InvalidTimestep(
            f"opt.timestep is {value!r}: it must be positive and finite", **place
        )
    if data.status == status.BAD_POSITION:
        joint = _joint_of_position(model, index)
        return InvalidPosition(
            f"qpos[{index}] of joint {joint!r} is {value!r} {when}: positions must be finite and "
            "below 1e10; it was set so, or the simulation diverged (try a smaller timestep)",
            object_name=joint,
            **place,
        )
    joint = model.name_of("joint", int(model.dof_jntid[index])) or f"#{model.dof_jntid[index]}"
    named: dict[str, Any] = {"object_name": joint, "dof": index, **place}
    if data.status == status.BAD_VELOCITY:
        return InvalidVelocity(
            f"qvel[{index}] of joint {joint!r} is {value!r} {when}: velocities must be finite and "
            "below 1e10; it was set so, or the simulation diverged (try a smaller timestep)",
            **named,
        )
    if data.status == status.NOT_POSITIVE:
        body = model.name_of("body", int(model.dof_bodyid[index])) or f"#{model.dof_bodyid[index]}"
        return CholeskyFailed(
            f"the inertia matrix is not positive definite at dof {index} (joint {joint!r}, body "
            f"{body!r}) {when}: its pivot is {_inverse(value):.1e} or less; give the body mass, or "
            "the joint armature",
            **named,
        )
    return InvalidAcceleration(
        f"qacc[{index}] of joint {joint!r} is {value!r} {when}: look for forces that are not "
        "finite (qfrc_applied, xfrc_applied), or a timestep too large for the stiffness",
        **named,
    )


def _inverse(value: float) -> float:
    with np.errstate(all="ignore"):
        return float(np.float64(1.0) / np.float64(value))


def _joint_of_position(model: Model, index: int) -> str:
    joint = int(np.searchsorted(model.jnt_qposadr, index, side="right")) - 1
    return model.name_of("joint", joint) or f"#{joint}"
