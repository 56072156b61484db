"""Long runs: how far two engines drift apart, and whether the model is to blame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

import cortenforge as cf
from conformance.cases import Case
from cortenforge.compare import State, load_reference, random_state
from cortenforge.compare.oracle import quiet

__all__ = ["CHUNK", "Track", "follow", "track_all"]

TOLERANCE = 1e-8
PERTURBATION = 1e-14
CHUNK = 10  # steps between two looks at the states
EXPLOSIONS = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
)
Motion = np.ndarray


@dataclass(frozen=True)
class Track:
    """One run of both engines from the same state."""

    name: str
    integrator: str
    error: float  # largest scaled difference of qpos and qvel within the run
    lost_at: int | None  # first step at which it exceeded the tolerance
    chaos_error: float | None = None  # the same of MuJoCo against itself, perturbed
    chaos_at: int | None = None
    exploded_at: int | None = None  # where MuJoCo gave up, if it did: an unstable model
    failure: str = ""

    @property
    def tracked(self) -> bool:
        return self.lost_at is None and not self.failure

    @property
    def chaotic(self) -> bool:
        """Whether MuJoCo loses its own perturbed copy as early as it loses us."""
        if self.tracked or self.chaos_at is None or self.lost_at is None:
            return False
        return self.chaos_at <= 1.25 * self.lost_at + CHUNK

    @property
    def ok(self) -> bool:
        return self.tracked or self.chaotic

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"tracked": self.tracked, "chaotic": self.chaotic}


def track_all(cases: Iterable[Case], integrator: str, steps: int) -> Iterable[Track]:
    """Follow every model from a random state; a sweep goes on when one of them fails."""
    for case in cases:
        try:
            yield follow(case, integrator, steps)
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
            yield Track(case.name, integrator, float("inf"), 0, failure=failure)


def follow(case: Case, integrator: str, steps: int) -> Track:
    """Run one model with both engines, and MuJoCo against itself when they part."""
    reference = load_reference(case.source)
    model = cf.Model.from_mjcf(case.source)
    state = random_state(reference, np.random.default_rng(case.seed))
    with quiet():
        theirs = _record(_reference_runner(reference, state), steps)
        error, lost_at = _part(_record(_our_runner(model, state), steps), theirs)
        stopped = np.flatnonzero(np.isnan(theirs).any(axis=1))
        exploded_at = int(stopped[0] + 1) * CHUNK if stopped.size else None
        if lost_at is None:
            return Track(case.name, integrator, error, None, exploded_at=exploded_at)
        copies = [_perturbed(reference, state, seed) for seed in range(4)]
        chaos = [_part(_record(copy, steps), theirs) for copy in copies]
    crossings = [at for _, at in chaos if at is not None]
    return Track(
        case.name,
        integrator,
        error,
        lost_at,
        max(size for size, _ in chaos),
        min(crossings, default=None),
        exploded_at,
    )


# ---------------------------------------------------------------------- runs

#: steps an engine by CHUNK and returns qpos and qvel
Runner = Callable[[], Motion]


def _our_runner(model: cf.Model, state: State) -> Runner:
    data = model.make_data()
    state.write(data)

    def advance() -> Motion:
        try:
            data.step(CHUNK)
        except cf.StepError:
            return np.full(model.nq + model.nv, np.nan)
        return np.concatenate([data.qpos, data.qvel])

    return advance


def _reference_runner(reference: Any, state: State, kick: Motion | None = None) -> Runner:
    data = mujoco.MjData(reference)
    state.write(data)
    if kick is not None:
        data.qpos[:] += kick[: reference.nq]
        data.qvel[:] += kick[reference.nq :]

    def advance() -> Motion:
        mujoco.mj_step(reference, data, CHUNK)
        # MuJoCo resets a state that explodes and goes on; we stop there, so this run ends, too
        if any(data.warning[kind].number for kind in EXPLOSIONS):
            return np.full(reference.nq + reference.nv, np.nan)
        return np.concatenate([data.qpos, data.qvel])

    return advance


def _perturbed(reference: Any, state: State, seed: int) -> Runner:
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], reference.nq + reference.nv)
    return _reference_runner(reference, state, PERTURBATION * signs)


def _record(advance: Runner, steps: int) -> Motion:
    return np.array([advance() for _ in range(steps // CHUNK)])


def _part(run: Motion, reference: Motion) -> tuple[float, int | None]:
    """Largest scaled difference of two runs, and the first step at which it is too large."""
    if run.shape[1] == 0:
        return 0.0, None
    scale = np.maximum(1.0, np.abs(reference).max(axis=1))
    error = np.abs(run - reference).max(axis=1) / scale
    error = np.where(np.isfinite(error), error, np.inf)
    # where both have stopped, they agree
    error[np.isnan(run).any(axis=1) & np.isnan(reference).any(axis=1)] = 0.0
    beyond = np.flatnonzero(error > TOLERANCE)
    return float(error.max()), int(beyond[0] + 1) * CHUNK if beyond.size else None
