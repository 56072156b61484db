"""Steps, forward and inverse dynamics, and their parts."""

from __future__ import annotations

from typing import Any

from cortenforge.errors import (
    InvalidAcceleration,
    InvalidPosition,
    InvalidVelocity,
    StepError,
)
from cortenforge.model.internals import evaluate
from cortenforge.mujoco import arguments
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import raise_absent
from cortenforge.mujoco.functions.callbacks import follow_callbacks, installed
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function, unchecked
from cortenforge.step import run

WARNINGS = ENUMS["mjtWarning"]
RK4 = int(ENUMS["mjtIntegrator"]["mjINT_RK4"])
#: errors after which MuJoCo resets the data and goes on
RESETTING = {
    InvalidPosition: int(WARNINGS["mjWARN_BADQPOS"]),
    InvalidVelocity: int(WARNINGS["mjWARN_BADQVEL"]),
    InvalidAcceleration: int(WARNINGS["mjWARN_BADQACC"]),
}


def ready(m: MjModel, d: MjData) -> None:
    """Prepare data for a call: callbacks and flags that were set since the last one."""
    if d.model is not m:
        raise_absent("calls with the model of other data", "make data of this model: MjData(m)")
    if m._callbacks is not installed.current:
        follow_callbacks(m)
    if d._has_flags:
        d._write_flags()


def checked_pair(name: str, m: Any, d: Any) -> None:
    """Raise the error of `mujoco` for arguments that are no model and data."""
    if not isinstance(m, MjModel):
        raise arguments.mismatch(name, f"m must be an MjModel, got {type(m).__name__}")
    if not isinstance(d, MjData):
        raise arguments.mismatch(name, f"d must be an MjData, got {type(d).__name__}")


def reset_after(d: MjData, error: StepError) -> None:
    """Reset data in which numbers went wrong, and count the warning, as mj_checkPos and the like.

    Anything else is raised again.
    """
    warning = RESETTING.get(type(error))
    if warning is None:
        raise error
    index = d._native.status_index
    reset(d)
    d._count(warning, 1, index, str(error))


def reset(d: MjData) -> None:
    """Reset data and its counters."""
    d._native.reset()
    d._reset_statistics()
    d._read_flags()


@unchecked
def mj_step(m: Any, d: Any, nstep: Any = 1) -> None:
    """Advance by some steps."""
    if not isinstance(m, MjModel) or not isinstance(d, MjData):
        checked_pair("mj_step", m, d)
    if nstep.__class__ is not int:
        nstep = _step_count(nstep)
    ready(m, d)
    try:
        d._native.step(nstep)
    except StepError as error:
        _step_on(d, error, nstep)
    calls = d._calls
    calls["rk4_step" if m._integrator.item() == RK4 else "step"] += nstep


def _step_count(nstep: Any) -> int:
    """A number of steps; TypeError if it is none."""
    try:
        return arguments.as_integer(nstep)
    except arguments.UnfitError as unfit:
        raise arguments.mismatch("mj_step", f"nstep must be {unfit}") from None


def _step_on(d: MjData, error: StepError, nstep: int) -> None:
    """Take the remaining steps after an error: each time numbers go wrong, the data is reset."""
    left = nstep
    while True:
        left -= d._native.steps_done
        reset_after(d, error)
        try:
            d._native.step(left)
            return
        except StepError as another:
            error = another


@unchecked
def mj_forward(m: Any, d: Any) -> None:
    """Forward dynamics without integration."""
    if not isinstance(m, MjModel) or not isinstance(d, MjData):
        checked_pair("mj_forward", m, d)
    ready(m, d)
    d._native.forward()
    d._calls["forward"] += 1


@function
def mj_step1(m: MjModel, d: MjData) -> None:
    """The first half of a step, before controls are set."""
    ready(m, d)
    try:
        evaluate(d._native, run.run_to_controls)
    except StepError as error:
        reset_after(d, error)
        evaluate(d._native, run.run_to_controls)
    d._calls["step1"] += 1


@function
def mj_step2(m: MjModel, d: MjData) -> None:
    """The second half of a step."""
    ready(m, d)
    try:
        evaluate(d._native, run.run_from_controls)
    except StepError as error:
        reset_after(d, error)
        evaluate(d._native, run.run_forward)
        evaluate(d._native, run.run_from_controls)
    d._calls["step2"] += 1


@function
def mj_inverse(m: MjModel, d: MjData) -> None:
    """Inverse dynamics."""
    ready(m, d)
    d._native.inverse()
    d._calls["inverse"] += 1


@function
def mj_resetData(m: MjModel, d: MjData) -> None:
    """Reset data to the initial state of the model."""
    ready(m, d)
    reset(d)


@function
def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None:
    """Reset data, and set the state of a keyframe; without it if there is no such keyframe."""
    ready(m, d)
    if 0 <= key < m.nkey:
        d._native.reset_to_keyframe(key)
        d._reset_statistics()
        d._read_flags()
    else:
        reset(d)


@function
def mj_rnePostConstraint(m: MjModel, d: MjData) -> None:
    """Accelerations of bodies, and forces between and on them."""
    ready(m, d)
    d._native.interaction_forces()


@function
def mj_subtreeVel(m: MjModel, d: MjData) -> None:
    """Velocities and angular momenta of subtrees."""
    ready(m, d)
    d._native.subtree_momentum()
