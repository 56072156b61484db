"""Failures and warnings that compiled code can report: one table of each.

A kernel writes a code, the number of an object and a value into Data; `model.calls.failure` makes
the exception or the warning from them, with the sentences of these tables.
"""

from __future__ import annotations

from dataclasses import dataclass

from cortenforge.errors import (
    CapacityExceeded,
    CholeskyFailed,
    InvalidAcceleration,
    InvalidActuator,
    InvalidCallback,
    InvalidControl,
    InvalidPosition,
    InvalidTimestep,
    InvalidVelocity,
    LoopsEnded,
    LuSingular,
    SolverFailed,
    StepError,
)

#: larger numbers mean that the simulation has diverged (MuJoCo's mjMAXVAL)
MAXVAL = 1e10

OK = 0
BAD_TIMESTEP = 1
BAD_POSITION = 2
BAD_VELOCITY = 3
BAD_ACCELERATION = 4
NOT_POSITIVE = 5
#: a capacity of the world is too small; where memory can grow, it does, and the step is repeated
FULL = 6
#: the call was refused: the model needs missing features, or has changed since it was checked
UNSUPPORTED = 7
CHANGED = 8
#: a lane without a world, in a group that is not full
ABSENT_LANE = 9
#: an actuator whose changed parameters need another number of activations
BAD_ACTUATOR = 10
#: never a failure: what the warning says
BAD_CONTROL = 11
#: all steps were taken, and there are warnings
WARNED = 12
#: a user's callback gave a number that is not finite
BAD_CALLBACK = 13
BAD_READING = 14
#: a user's callback raised; what it raised is raised again, as it was
RAISED = 15
#: the pose of a mocap body is not finite
BAD_MOCAP = 16
#: never a failure: what the warning says
NOT_CONVERGED = 17
NOT_MEASURED = 18
#: the solver of a strict model did not converge within its iterations
NOT_SOLVED = 19
#: the matrix of an implicit integrator, M - hD, has no symmetric factor
NOT_POSITIVE_STEP = 20
#: a vertex of a deformable is not at a finite position
BAD_SOFT = 21
#: the matrix of an implicit integrator has a zero pivot in LU without row exchanges
SINGULAR_STEP = 22
#: a GPU's driver has ended loops of a shader before they were done
LOOPS_ENDED = 23

#: warnings, by their place in Data.warning_count
WARN_INERTIA = 0
WARN_CONTROL = 1
WARN_CONVEX = 2
WARN_DISTANCE = 3
NWARNING = 4


@dataclass(frozen=True)
class Status:
    """One way in which a world can fail.

    index:    what status_index counts: "qpos", "dof", "actuator", "control", "sensor", "mocap",
              "candidate", "capacity", "softvert" or nothing.
    sentence: what the error says, with {index}, {value}, {when} and names of the object.
    """

    code: int
    error: type[StepError]
    index: str
    sentence: str


STATUSES: dict[int, Status] = {
    status.code: status
    for status in (
        Status(
            BAD_TIMESTEP,
            InvalidTimestep,
            "",
            "opt.timestep is {value!r}: it must be positive and finite",
        ),
        Status(
            BAD_POSITION,
            InvalidPosition,
            "qpos",
            "qpos[{index}] of joint {joint!r} is {value!r} {when}: positions must be finite and "
            "below 1e10; it was set so, or the simulation diverged (try a smaller timestep)",
        ),
        Status(
            BAD_MOCAP,
            InvalidPosition,
            "mocap",
            "mocap body {body!r} has {value!r} in its pose (mocap_pos, mocap_quat) {when}: "
            "poses must be finite and below 1e10",
        ),
        Status(
            BAD_SOFT,
            InvalidPosition,
            "softvert",
            "vertex {index} of deformables ({soft!r}) is {value!r} away from the origin {when}: "
            "positions must be finite and below 1e10; it was set so, or the simulation diverged "
            "(try more substeps)",
        ),
        Status(
            BAD_VELOCITY,
            InvalidVelocity,
            "dof",
            "qvel[{index}] of joint {joint!r} is {value!r} {when}: velocities must be finite and "
            "below 1e10; it was set so, or the simulation diverged (try a smaller timestep)",
        ),
        Status(
            BAD_ACCELERATION,
            InvalidAcceleration,
            "dof",
            "qacc[{index}] of joint {joint!r} is {value!r} {when}: look for forces that are not "
            "finite (qfrc_applied, xfrc_applied), or a timestep too large for the stiffness",
        ),
        Status(
            NOT_POSITIVE,
            CholeskyFailed,
            "dof",
            "the inertia matrix is not positive definite at dof {index} (joint {joint!r}, body "
            "{body!r}) {when}: its pivot is {inverse:.1e} or less; give the body mass, or the "
            "joint armature",
        ),
        Status(
            NOT_POSITIVE_STEP,
            CholeskyFailed,
            "dof",
            "the matrix of the implicit step, M - hD, is not positive definite at dof {index} "
            "(joint {joint!r}, body {body!r}) {when}: its pivot is {inverse:.1e} or less; look for "
            "negative damping (actuators with a positive kv), or try a smaller timestep",
        ),
        Status(
            SINGULAR_STEP,
            LuSingular,
            "dof",
            "the matrix of the implicit step, M - hD, is singular at dof {index} (joint {joint!r}, "
            "body {body!r}) {when}: its pivot is {value:.1e}; give the body mass or the joint "
            "armature, look for negative damping (actuators with a positive kv), or try another "
            "timestep",
        ),
        Status(
            BAD_ACTUATOR,
            InvalidActuator,
            "actuator",
            "actuator {actuator!r}: a parameter is {value!r} {when}, so that it needs other "
            "activations than it was compiled with; change the description and compile it again",
        ),
        Status(
            BAD_CONTROL,
            InvalidControl,
            "control",
            "ctrl[{index}] of actuator {actuator!r} is {value!r} {when}: controls must be finite "
            "and below 1e10; all controls count as zero in this step",
        ),
        Status(
            NOT_CONVERGED,
            StepError,
            "candidate",
            "the distance of geoms {geom!r} and {other!r} did not converge {when} with "
            "opt.ccd_iterations = {value:.0f}: the last estimate is used; raise opt.ccd_iterations",
        ),
        Status(
            NOT_SOLVED,
            SolverFailed,
            "",
            "the constraint solver did not converge in {index} iterations {when} (scaled gradient "
            "{value:.1e}): raise opt.iterations or opt.tolerance, look for constraints that "
            "contradict each other, or set model.opt.strict = False",
        ),
        Status(
            NOT_MEASURED,
            StepError,
            "sensor",
            "the distance that sensor {sensor!r} measures did not converge {when} with "
            "opt.ccd_iterations = {value:.0f}: the last estimate is used; raise opt.ccd_iterations",
        ),
        Status(
            BAD_CALLBACK,
            InvalidCallback,
            "actuator",
            "a callback gave {value!r} for actuator {actuator!r} {when}: rates of activations, "
            "gains and biases must be finite",
        ),
        Status(
            BAD_READING,
            InvalidCallback,
            "sensor",
            "a callback gave sensor {sensor!r} the reading {value!r} {when}: it must be finite",
        ),
        Status(
            FULL,
            CapacityExceeded,
            "capacity",
            "{capacity} is {room} and this step needs {value:.0f} {when}: batch.grow() makes room, "
            "or make the batch with more (capacities={{{capacity!r}: ...}})",
        ),
        Status(
            LOOPS_ENDED,
            LoopsEnded,
            "",
            "the driver ended loops of a stage before they were done {when}: this software driver "
            "allows 65,535 turns, and the scene is too large for it; use cf.BatchSim or a real GPU",
        ),
    )
}

#: a warning says what the failure of the same kind would say
WARNINGS: dict[int, int] = {
    WARN_INERTIA: NOT_POSITIVE,
    WARN_CONTROL: BAD_CONTROL,
    WARN_CONVEX: NOT_CONVERGED,
    WARN_DISTANCE: NOT_MEASURED,
}
