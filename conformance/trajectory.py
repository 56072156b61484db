"""Long runs: how far two engines drift apart, and whether the model is to blame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

import cortenforge as cf
from conformance.cases import Case, load_both
from conformance.fieldwise import reason
from cortenforge.compare import State, random_state
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
    error: float  # largest scaled difference of qpos, qvel and act within the run
    lost_at: int | None  # first step at which it exceeded the tolerance
    chaos_error: float | None = None  # the same of MuJoCo against itself, perturbed
    chaos_at: int | None = None
    exploded_at: int | None = None  # where MuJoCo gave up, if it did: an unstable model
    failure: str = ""
    refused: str = ""  # what the engine lacks for this model

    @property
    def tracked(self) -> bool:
        return self.lost_at is None and not self.failure and not self.refused

    @property
    def chaotic(self) -> bool:
        """Whether MuJoCo loses its own perturbed copy as early as it loses us."""
        if self.tracked or self.chaos_at is None or self.lost_at is None:
            return False
        return self.chaos_at <= 1.25 * self.lost_at + CHUNK

    @property
    def ok(self) -> bool:
        return self.tracked or self.chaotic or bool(self.refused)

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"tracked": self.tracked, "chaotic": self.chaotic}


def track_all(cases: Iterable[Case], steps: int, *, foreign: bool = False) -> Iterable[Track]:
    """Follow every model from a random state; a sweep goes on when one of them fails.

    Foreign models may need what is not there yet.
    """
    for case in cases:
        try:
            yield follow(case, steps)
        except Exception as error:
            lacking = _lacking(error) if foreign else ""
            failure = "" if lacking else f"{type(error).__name__}: {error}"
            yield Track(case.name, float("inf"), 0, failure=failure, refused=lacking)


def _lacking(error: Exception) -> str:
    """What the engine lacks, if that is what an error is about."""
    if isinstance(error, cf.MjcfError):
        return reason(error)
    return str(error) if isinstance(error, cf.UnsupportedFeature) else ""


def follow(case: Case, steps: int) -> Track:
    """Run one model with both engines, and MuJoCo against itself when they part."""
    model, reference = load_both(case)
    rng = np.random.default_rng(case.seed)
    state = random_state(reference, rng)
    orders = _orders(reference, rng, steps // CHUNK)
    with quiet():
        theirs = _record(_reference_runner(reference, state), orders)
        error, lost_at = _part(_record(_our_runner(model, state), orders), theirs)
        stopped = np.flatnonzero(np.isnan(theirs).any(axis=1))
        exploded_at = int(stopped[0] + 1) * CHUNK if stopped.size else None
        if lost_at is None:
            return Track(case.name, error, None, exploded_at=exploded_at)
        copies = [_perturbed(reference, state, seed) for seed in range(4)]
        chaos = [_part(_record(copy, orders), theirs) for copy in copies]
    crossings = [at for _, at in chaos if at is not None]
    return Track(
        case.name,
        error,
        lost_at,
        max(size for size, _ in chaos),
        min(crossings, default=None),
        exploded_at,
    )


# ---------------------------------------------------------------------- runs

#: takes controls, steps an engine by CHUNK and returns qpos, qvel and act
Runner = Callable[[np.ndarray], Motion]


def _orders(model: Any, rng: np.random.Generator, count: int) -> np.ndarray:
    """Controls that change all the time: within their ranges, now and then beyond."""
    low, high = np.where(
        np.reshape(model.actuator_ctrllimited, (1, -1)) != 0,
        np.reshape(model.actuator_ctrlrange, (-1, 2)).T,
        np.array([[-1.0], [1.0]]),
    )
    return low + (high - low) * rng.uniform(-0.1, 1.1, (count, model.nu))


def _our_runner(model: cf.Model, state: State) -> Runner:
    data = model.make_data()
    state.write(data)

    def advance(order: np.ndarray) -> Motion:
        data.ctrl[:] = order
        try:
            data.step(CHUNK)
        except cf.StepError:
            return np.full(model.nq + model.nv + model.na, np.nan)
        return np.concatenate([data.qpos, data.qvel, data.act])

    return advance


def _reference_runner(reference: Any, state: State, kick: Motion | None = None) -> Runner:
    data = mujoco.MjData(reference)
    state.write(data)
    if kick is not None:
        data.qpos[:] += kick[: reference.nq]
        data.qvel[:] += kick[reference.nq :]

    def advance(order: np.ndarray) -> Motion:
        data.ctrl[:] = order
        mujoco.mj_step(reference, data, CHUNK)
        # MuJoCo resets a state that explodes and goes on; we stop there, so this run ends, too
        if any(data.warning[kind].number for kind in EXPLOSIONS):
            return np.full(reference.nq + reference.nv + reference.na, np.nan)
        return np.concatenate([data.qpos, data.qvel, data.act])

    return advance


def _perturbed(reference: Any, state: State, seed: int) -> Runner:
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], reference.nq + reference.nv)
    return _reference_runner(reference, state, PERTURBATION * signs)


def _record(advance: Runner, orders: np.ndarray) -> Motion:
    return np.array([advance(order) for order in orders])


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
