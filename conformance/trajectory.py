"""Long runs: how far two engines drift apart, and whether the model is to blame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import mujoco
import numpy as np

import cortenforge as cf
from conformance.cases import Case, OwnShapesError, load_both, refuse_own_shapes
from conformance.fieldwise import reason
from cortenforge.compare import State, random_state
from cortenforge.compare.oracle import muted_warnings
from cortenforge.compare.shared_contacts import converged, recompute_from_contacts
from cortenforge.enums import Integrator

__all__ = ["CHUNK", "Course", "Track", "follow", "track_all"]

TOLERANCE = 1e-8
PERTURBATION = 1e-14
CHUNK = 10  # steps between two looks at the states
EXPLOSIONS = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
)
Motion = np.ndarray
#: of steps by `discrete`, of which MuJoCo says so
UNSOLVED = "MuJoCo's search for accelerations in the metric of a step does not converge"
#: what both engines are given
CONVERGED, TOUCHING = "solvers that converge", "MuJoCo's contacts as well"


@dataclass(frozen=True)
class Track:
    """One run of both engines from the same state."""

    name: str
    error: float  # largest scaled difference of qpos, qvel and act within the run
    lost_at: int | None  # first step at which it exceeded the tolerance
    chaos_error: float | None = None  # the same of MuJoCo against itself, perturbed
    chaos_at: int | None = None
    exploded_at: int | None = None  # where MuJoCo gave up, if it did: an unstable model
    failure: str = ""
    refused: str = ""  # what the engine lacks for this model
    chunk: int = CHUNK  # steps between two looks
    given: str = ""  # what both engines had to be given before they stayed together

    @property
    def tracked(self) -> bool:
        return self.lost_at is None and not self.failure and not self.refused

    @property
    def chaotic(self) -> bool:
        """Whether MuJoCo loses its own perturbed copy as early as it loses us."""
        if self.tracked or self.chaos_at is None or self.lost_at is None:
            return False
        return self.chaos_at <= 1.25 * self.lost_at + self.chunk

    @property
    def ok(self) -> bool:
        return self.tracked or self.chaotic or bool(self.refused)

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"tracked": self.tracked, "chaotic": self.chaotic}


@dataclass(frozen=True)
class Course:
    """How models are followed: for how long, how often they are looked at, and how closely.

    near: from the model's own position, since in a random one everything is inside of everything.
    """

    steps: int
    chunk: int = CHUNK
    tolerance: float = TOLERANCE
    near: bool = False


def track_all(cases: Iterable[Case], course: Course, *, foreign: bool = False) -> Iterable[Track]:
    """Follow every model; a sweep goes on when one of them fails.

    Foreign models may need what is not there yet.
    """
    for case in cases:
        try:
            yield follow(case, course)
        except Exception as error:
            lacking = _lacking(error) if foreign else ""
            failure = "" if lacking else f"{type(error).__name__}: {error}"
            yield Track(case.name, float("inf"), 0, failure=failure, refused=lacking)


def _lacking(error: Exception) -> str:
    """What the engine lacks, if that is what an error is about."""
    if isinstance(error, cf.MjcfError):
        return reason(error)
    return str(error) if isinstance(error, cf.UnsupportedFeature | OwnShapesError) else ""


def follow(case: Case, course: Course) -> Track:
    """Run one model with both engines, and MuJoCo against itself when they part.

    Solvers that are cut short, by one iteration or a coarse tolerance, are not at the same place
    when they stop; contacts of convex geoms are as exact as the search for them. So models that
    part are run again with solvers that converge, and then with MuJoCo's contacts, found where we
    are.
    """
    model, reference = load_both(case)
    refuse_own_shapes(model)
    if model.opt.integrator == Integrator.DISCRETE:
        # at which MuJoCo stops its search for accelerations without constraints, too
        model.opt.tolerance = reference.opt.tolerance = 1e-15
    track = _follow(case, model, reference, course)
    if track.ok or not model.constraining:
        return track
    with converged(model, reference, integrator=model.opt.integrator):
        again = replace(_follow(case, model, reference, course), given=CONVERGED)
        if again.tracked or model.opt.integrator == Integrator.RK4:
            return again
        touching = _follow(case, model, reference, course, touching=True)
        return replace(touching, given=TOUCHING)


def _follow(
    case: Case, model: cf.Model, reference: Any, course: Course, *, touching: bool = False
) -> Track:
    rng = np.random.default_rng(case.seed)
    state = random_state(reference, rng)
    if course.near:
        state = _near(model, state)
    chunk = course.chunk
    orders = _orders(reference, rng, course.steps // chunk)
    with muted_warnings():
        theirs = _record(_reference_runner(reference, state, chunk), orders)
        runner = _touching_runner(model, reference, state, chunk)
        ours = _record(runner if touching else _our_runner(model, state, chunk), orders)
        error, lost_at = _part(ours, theirs, course)
        stopped = np.flatnonzero(np.isnan(theirs).any(axis=1))
        exploded_at = int(stopped[0] + 1) * chunk if stopped.size else None
        if lost_at is None:
            return Track(case.name, error, None, exploded_at=exploded_at, chunk=chunk)
        if model.opt.integrator == Integrator.DISCRETE and _gives_up(reference, state, orders[0]):
            return Track(case.name, error, lost_at, refused=UNSOLVED, chunk=chunk)
        copies = [_perturbed(reference, state, chunk, seed) for seed in range(4)]
        chaos = [_part(_record(copy, orders), theirs, course) for copy in copies]
    crossings = [at for _, at in chaos if at is not None]
    return Track(
        case.name,
        error,
        lost_at,
        max(size for size, _ in chaos),
        min(crossings, default=None),
        exploded_at,
        chunk=chunk,
    )


def _gives_up(reference: Any, state: State, order: np.ndarray) -> bool:
    """Whether MuJoCo says of the first step that it did not find accelerations in its metric."""
    data = mujoco.MjData(reference)
    state.write(data)
    data.ctrl[:] = order
    mujoco.mj_step(reference, data)
    return bool(data.warning[mujoco.mjtWarning.mjWARN_INERTIA].number)


def _near(model: cf.Model, state: State) -> State:
    """A model's first keyframe or its reference position, slowly moving, with the same forces."""
    start = model.key_qpos[0] if model.nkey else model.qpos0
    data = model.make_data()
    return replace(
        state,
        qpos=start.copy(),
        qvel=0.1 * state.qvel,
        mocap_pos=data.mocap_pos.copy(),
        mocap_quat=data.mocap_quat.copy(),
    )


# ---------------------------------------------------------------------- runs

#: takes controls, takes some steps and returns qpos, qvel and act
Runner = Callable[[np.ndarray], Motion]


def _orders(model: Any, rng: np.random.Generator, count: int) -> np.ndarray:
    """Controls that change all the time: within their ranges, now and then beyond."""
    low, high = np.where(
        np.reshape(model.actuator_ctrllimited, (1, -1)) != 0,
        np.reshape(model.actuator_ctrlrange, (-1, 2)).T,
        np.array([[-1.0], [1.0]]),
    )
    return low + (high - low) * rng.uniform(-0.1, 1.1, (count, model.nu))


def _our_runner(model: cf.Model, state: State, chunk: int) -> Runner:
    data = model.make_data()
    state.write(data)

    def advance(order: np.ndarray) -> Motion:
        data.ctrl[:] = order
        try:
            data.step(chunk)
        except cf.StepError:
            return np.full(model.nq + model.nv + model.na, np.nan)
        return np.concatenate([data.qpos, data.qvel, data.act])

    return advance


def _touching_runner(model: cf.Model, reference: Any, state: State, chunk: int) -> Runner:
    """Our steps with contacts that MuJoCo finds in the states we come to."""
    data, finder = model.make_data(), mujoco.MjData(reference)
    state.write(data)
    state.write(finder)

    def advance(order: np.ndarray) -> Motion:
        data.ctrl[:] = order
        try:
            for _step in range(chunk):
                finder.qpos[:], finder.qvel[:] = data.qpos, data.qvel
                mujoco.mj_fwdPosition(reference, finder)
                data.step1()
                recompute_from_contacts(data, finder)
                data.step2()
        except cf.StepError:
            return np.full(model.nq + model.nv + model.na, np.nan)
        return np.concatenate([data.qpos, data.qvel, data.act])

    return advance


def _reference_runner(
    reference: Any, state: State, chunk: int, kick: Motion | None = None
) -> Runner:
    data = mujoco.MjData(reference)
    state.write(data)
    if kick is not None:
        data.qpos[:] += kick[: reference.nq]
        data.qvel[:] += kick[reference.nq :]

    def advance(order: np.ndarray) -> Motion:
        data.ctrl[:] = order
        mujoco.mj_step(reference, data, chunk)
        # MuJoCo resets a state that explodes and goes on; we stop there, so this run ends, too
        if any(data.warning[kind].number for kind in EXPLOSIONS):
            return np.full(reference.nq + reference.nv + reference.na, np.nan)
        return np.concatenate([data.qpos, data.qvel, data.act])

    return advance


def _perturbed(reference: Any, state: State, chunk: int, seed: int) -> Runner:
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], reference.nq + reference.nv)
    return _reference_runner(reference, state, chunk, PERTURBATION * signs)


def _record(advance: Runner, orders: np.ndarray) -> Motion:
    """States of a run; one that has stopped does not go on, though another control would let it."""
    states: list[Motion] = []
    for order in orders:
        stopped = bool(states) and bool(np.isnan(states[-1]).any())
        states.append(states[-1] if stopped else advance(order))
    return np.array(states)


def _part(run: Motion, reference: Motion, course: Course) -> tuple[float, int | None]:
    """Largest scaled difference of two runs, and the first step at which it is too large."""
    if run.shape[1] == 0:
        return 0.0, None
    scale = np.maximum(1.0, np.abs(reference).max(axis=1))
    error = np.abs(run - reference).max(axis=1) / scale
    error = np.where(np.isfinite(error), error, np.inf)
    # where both have stopped, they agree
    error[np.isnan(run).any(axis=1) & np.isnan(reference).any(axis=1)] = 0.0
    beyond = np.flatnonzero(error > course.tolerance)
    return float(error.max()), int(beyond[0] + 1) * course.chunk if beyond.size else None
