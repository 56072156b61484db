"""Steps, forward and inverse dynamics, and their parts."""

from __future__ import annotations

from typing import Any

from cortenforge.errors import (
    InvalidAcceleration,
    InvalidPosition,
    InvalidVelocity,
    StepError,
)
from cortenforge.model.internals import initial_controls, run_stage, store_of
from cortenforge.mujoco import arguments
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import FatalError
from cortenforge.mujoco.fields.clock import clock
from cortenforge.mujoco.functions.callbacks import follow_callbacks, installed
from cortenforge.mujoco.model import NO_CALLBACKS, MjModel
from cortenforge.mujoco.registry import function, unchecked

WARNINGS = ENUMS["mjtWarning"]
RK4 = int(ENUMS["mjtIntegrator"]["mjINT_RK4"])
NO_AUTORESET = int(ENUMS["mjtDisableBit"]["mjDSBL_AUTORESET"])
STEP, FORWARD, INVERSE = range(3)  # of mjtTimer
#: the stage that depends on positions
POSITION_STAGE = int(ENUMS["mjtStage"]["mjSTAGE_POS"])
#: order of Runge-Kutta
RK4_ORDER = 4
#: parts of mj_invPosition before transmissions
INVERSE_POSITION_STAGES = (
    *("mj_fwdKinematics", "mj_makeM", "mj_factorM", "mj_collision", "mj_makeConstraint"),
)
#: errors after which MuJoCo resets the data and goes on
RESETTING = {
    InvalidPosition: int(WARNINGS["mjWARN_BADQPOS"]),
    InvalidVelocity: int(WARNINGS["mjWARN_BADQVEL"]),
    InvalidAcceleration: int(WARNINGS["mjWARN_BADQACC"]),
}


def ready(m: MjModel, d: MjData) -> None:
    """Prepare data for a call: callbacks and flags that were set since the last one."""
    if d._native.model is not m._native:
        use_model(m, d)
    if m._callbacks is not installed.current:
        follow_callbacks(m)
    if d._has_flags:
        d._write_flags()


def use_model(m: MjModel, d: MjData) -> None:
    """Go on with another model of the same structure, such as a copy with other masses."""
    d._native.use_model(m._native)
    d.__dict__["_other"] = None if d.model is m else m


def checked_pair(name: str, m: Any, d: Any) -> None:
    """Raise the error of `mujoco` for arguments that are no model and data."""
    if not isinstance(m, MjModel):
        raise arguments.mismatch(name, f"m must be an MjModel, got {type(m).__name__}")
    if not isinstance(d, MjData):
        raise arguments.mismatch(name, f"d must be an MjData, got {type(d).__name__}")


def reset_after(d: MjData, error: StepError) -> None:
    """Reset data in which numbers went wrong, and count the warning, as mj_checkPos and the like.

    Anything else is raised again, and so is this with the flag `autoreset` disabled.
    """
    warning = RESETTING.get(type(error))
    if warning is None:
        raise error
    index = d._native.status_index
    is_disabled = d._native.model.opt.disableflags & NO_AUTORESET
    if not is_disabled:
        reset(d)
    d._record_warning(warning, 1, index, str(error))
    if is_disabled:
        raise error


def reset(d: MjData) -> None:
    """Reset data and its counters."""
    d._native.reset()
    d._after_reset()


@unchecked
def mj_step(m: Any, d: Any, nstep: Any = 1) -> None:
    """Advance by some steps."""
    if not isinstance(m, MjModel) or not isinstance(d, MjData):
        checked_pair("mj_step", m, d)
    if nstep.__class__ is not int:
        nstep = _step_count(nstep)
    ready(m, d)
    start = clock.now()
    # fewer than no steps are none
    nstep = max(nstep, 0)
    try:
        d._native.step(nstep)
    except StepError as error:
        _step_on(d, error, nstep)
    d._durations[STEP] += clock.now() - start
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
    start = clock.now()
    d._evaluate_forward()
    d._durations[FORWARD] += clock.now() - start
    d._calls["forward"] += 1


@function
def mj_step1(m: MjModel, d: MjData) -> None:
    """The first half of a step, before controls are set."""
    ready(m, d)
    start = clock.now()
    try:
        d._native.step1()
    except StepError as error:
        reset_after(d, error)
        d._native.step1()
    d._durations[STEP] += clock.now() - start
    d._calls["step1"] += 1


@function
def mj_step2(m: MjModel, d: MjData) -> None:
    """The second half of a step."""
    ready(m, d)
    try:
        d._native.step2()
    except StepError as error:
        reset_after(d, error)
        d._native.forward()
        d._native.step2()
    d._calls["step2"] += 1


@function
def mj_inverse(m: MjModel, d: MjData) -> None:
    """Inverse dynamics."""
    ready(m, d)
    start = clock.now()
    d._native.inverse()
    d._durations[INVERSE] += clock.now() - start
    clear_islands(d)
    d._calls["inverse"] += 1


@unchecked
def mj_resetData(m: Any, d: Any) -> None:
    """Reset data to the initial state of the model."""
    if not isinstance(m, MjModel) or not isinstance(d, MjData):
        checked_pair("mj_resetData", m, d)
    ready(m, d)
    reset(d)


@function
def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None:
    """Reset data, and set the state of a keyframe; without it if there is no such keyframe."""
    ready(m, d)
    if 0 <= key < m.nkey:
        d._native.reset_to_keyframe(key)
        d._after_reset()
    else:
        reset(d)


def clear_rows(d: MjData) -> None:
    """Forget islands and rows of tendons of the contacts that there were before."""
    clear_islands(d)
    if d._has_tendons:
        d._arrays["tendon_efcadr"].fill(-1)


def clear_islands(d: MjData) -> None:
    """Forget islands of rows that are no longer there."""
    store_of(d._native).assign("nisland", 0)


def _stage(name: str, doc: str) -> None:
    """Register a part of a step that this engine runs by the same name."""

    def run_part(m: MjModel, d: MjData) -> None:
        ready(m, d)
        run_stage(d._native, name)
        if name == "mj_collision":
            clear_rows(d)

    run_part.__name__ = run_part.__qualname__ = name
    run_part.__doc__ = doc
    function(run_part)


#: parts of a step, with what they compute
STAGES: dict[str, str] = {
    "mj_fwdKinematics": "Kinematics, centres of mass, cameras, lights and tendons.",
    "mj_fwdPosition": "All that depends on positions.",
    "mj_fwdVelocity": "All that depends on velocities.",
    "mj_fwdActuation": "Forces of actuators.",
    "mj_fwdAcceleration": "Smooth forces and the acceleration that they cause.",
    "mj_fwdConstraint": "Forces of constraints and the acceleration.",
    "mj_Euler": "Integrate by Euler's method, with implicit damping of joints.",
    "mj_implicit": "Integrate by the implicit methods.",
    "mj_compareFwdInv": "Compare forward with inverse dynamics; solver_fwdinv.",
    "mj_sensorPos": "Sensors that depend on positions.",
    "mj_sensorVel": "Sensors that depend on velocities.",
    "mj_sensorAcc": "Sensors that depend on accelerations and forces.",
    "mj_energyPos": "Potential energy.",
    "mj_energyVel": "Kinetic energy.",
    "mj_kinematics": "Poses of bodies, geoms and sites.",
    "mj_comPos": "Centres of mass, inertias and motion axes.",
    "mj_camlight": "Poses of cameras and lights.",
    "mj_tendon": "Lengths and paths of tendons.",
    "mj_transmission": "Lengths and moment arms of actuators.",
    "mj_crb": "The inertia matrix without armature of tendons.",
    "mj_makeM": "The inertia matrix.",
    "mj_factorM": "The factor of the inertia matrix.",
    "mj_comVel": "Velocities of bodies and of motion axes.",
    "mj_passive": "Passive forces.",
    "mj_collision": "Contacts.",
    "mj_makeConstraint": "Rows of constraints.",
    "mj_island": "Islands of trees that constraints connect.",
    "mj_projectConstraint": "The exact diagonal of the inverse inertia of constraints.",
    "mj_referenceConstraint": "Velocities and reference accelerations of constraints.",
}
for _name, _doc in STAGES.items():
    _stage(_name, _doc)


@unchecked
def mj_rnePostConstraint(m: Any, d: Any) -> None:
    """Accelerations of bodies, and forces between and on them."""
    if not isinstance(m, MjModel) or not isinstance(d, MjData):
        checked_pair("mj_rnePostConstraint", m, d)
    ready(m, d)
    d._native.interaction_forces()


@unchecked
def mj_subtreeVel(m: Any, d: Any) -> None:
    """Velocities and angular momenta of subtrees."""
    if not isinstance(m, MjModel) or not isinstance(d, MjData):
        checked_pair("mj_subtreeVel", m, d)
    ready(m, d)
    d._native.subtree_momentum()


@function
def mj_RungeKutta(m: MjModel, d: MjData, N: int) -> None:
    """Integrate by the method of Runge and Kutta of fourth order."""
    if N != RK4_ORDER:
        raise FatalError(f"mj_RungeKutta: N must be {RK4_ORDER}, got {N}")
    ready(m, d)
    run_stage(d._native, "mj_RungeKutta")


@function
def mj_forwardSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """Forward dynamics without stages that have been computed already."""
    ready(m, d)
    run_stage(d._native, "mj_forwardSkip", skipstage, int(skipsensor != 0))
    d._calls["forward"] += 1


@function
def mj_inverseSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """Inverse dynamics without stages that have been computed already."""
    ready(m, d)
    run_stage(d._native, "mj_inverseSkip", skipstage, int(skipsensor != 0))
    if skipstage < POSITION_STAGE:
        clear_islands(d)
    d._calls["inverse"] += 1


@function
def mj_invPosition(m: MjModel, d: MjData) -> None:
    """All that inverse dynamics needs of positions."""
    ready(m, d)
    for name in INVERSE_POSITION_STAGES:
        run_stage(d._native, name)
    if m.opt.enableflags & ENUMS["mjtEnableBit"]["mjENBL_DIAGEXACT"]:
        run_stage(d._native, "mj_projectConstraint")
    run_stage(d._native, "mj_transmission")
    clear_islands(d)
    store_of(d._native).assign("flg_energypos", 0)


@function
def mj_invVelocity(m: MjModel, d: MjData) -> None:
    """All that inverse dynamics needs of velocities."""
    ready(m, d)
    run_stage(d._native, "mj_fwdVelocity")


def _check(name: str) -> None:
    """Register a check of the state, which resets data in which numbers went wrong."""

    def check(m: MjModel, d: MjData) -> None:
        ready(m, d)
        try:
            run_stage(d._native, name)
        except StepError as error:
            reset_after(d, error)
            if name == "mj_checkAcc":
                d._native.forward()

    check.__name__ = check.__qualname__ = name
    check.__doc__ = "Reset data in which numbers went wrong, with a warning."
    function(check)


for _name in ("mj_checkPos", "mj_checkVel", "mj_checkAcc"):
    _check(_name)


@function
def mj_resetCallbacks() -> None:
    """Remove all callbacks, and the clock that was set."""
    installed.current = NO_CALLBACKS
    clock.use(None)


@function
def mj_resetCtrl(m: MjModel, d: MjData) -> None:
    """Set controls to their initial values."""
    ready(m, d)
    d.ctrl[:] = initial_controls(store_of(m._native).arrays)
