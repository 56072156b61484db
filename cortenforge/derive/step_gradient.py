"""Steps of a batch as a function of states and controls, with its gradient.

A state x is (qpos, qvel, act), nq + nv + na numbers; dx is its change in the tangent space, with
2 nv + na. For a loss L, gradients of the steps x[t+1] = f(x[t], u) are pulled back by

    dL/dx[t] = A[t]' dL/dx[t+1],    dL/du = sum over t of B[t]' dL/dx[t+1]

with A and B of `batch.transition_derivatives`. Gradients by numbers of qpos become gradients by
tangent vectors at the end, and are turned back at the start (`TangentSpace`). Learners, which know
arrays only, have adapters: `cortenforge.torch`, `cortenforge.jax`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.internals import parameters_digest
from cortenforge.batch.threads import locked
from cortenforge.derive.config import DerivativeConfig, checked_config
from cortenforge.derive.tangent_space import TangentSpace
from cortenforge.derive.transition import refuse_deformables
from cortenforge.enums import Enable
from cortenforge.errors import ArgumentError, ShapeError, StepError, UnsupportedFeature
from cortenforge.model import Model
from cortenforge.model.calls.step_count import checked_step_count

#: gradients have no use for those of sensor readings
WITHOUT_SENSORS = DerivativeConfig(sensors=False)


class Circumstances(NamedTuple):
    """What steps depend on besides states and controls.

    worlds: state vectors of the batch (n, size), for time, applied forces, mocap bodies ...
    digest: hash of numbers of the model and of worlds' own parameters.
    """

    worlds: np.ndarray
    digest: int


@dataclass(frozen=True)
class BatchStep:
    """Some steps of every world of a batch, as a function of states and controls.

    The batch gives its model, parameters, applied forces, mocap bodies and time, and its memory to
    compute in. Its worlds are afterwards where they were; bound fields are those of the last step.
    """

    batch: BatchSim
    nstep: int
    config: DerivativeConfig

    @cached_property
    def tangent(self) -> TangentSpace:
        """The tangent space of positions."""
        return TangentSpace(self.batch.model)

    @property
    def state_shape(self) -> tuple[int, int]:
        """(n, nq + nv + na)."""
        model = self.batch.model
        return self.batch.n, model.nq + model.nv + model.na

    def circumstances(self) -> Circumstances:
        """What else the steps depend on, as it is now."""
        return Circumstances(self.batch.get_states(), parameters_digest(self.batch))

    def next_states(self, state: np.ndarray, ctrl: np.ndarray) -> np.ndarray:
        """States after the steps, with the controls held; raises the first error of a world."""
        return _next_states(self.batch, self, state, ctrl)

    def pull_back(
        self, state: np.ndarray, ctrl: np.ndarray, gradient: np.ndarray, given: Circumstances
    ) -> tuple[np.ndarray, np.ndarray]:
        """Gradients by states and controls, of gradients by the states after the steps.

        given: circumstances of the call of `next_states` whose gradient this is.
        Raises ArgumentError if the model or parameters were edited since.
        """
        if parameters_digest(self.batch) != given.digest:
            raise ArgumentError(
                "the model or parameters of the batch were edited between a step and its gradient: "
                "edit them after backward(), or use another batch"
            )
        return _pull_back(self.batch, self, state, ctrl, gradient, given.worlds)


def batch_step(batch: BatchSim, nstep: int, config: DerivativeConfig | None) -> BatchStep:
    """Steps of a batch as a function; raises for models whose state has more than x."""
    if not isinstance(batch, BatchSim):
        raise ArgumentError(f"batch: expected a cf.BatchSim, got {batch!r}"[:300])
    if checked_step_count(nstep) < 1:
        raise ArgumentError(f"nstep: expected 1 or more, got {nstep}")
    _refuse_hidden_state(batch.model)
    chosen = WITHOUT_SENSORS if config is None else checked_config(config)
    return BatchStep(batch, int(nstep), chosen)


def _refuse_hidden_state(model: Model) -> None:
    refuse_deformables(model)
    hidden = []
    if model.nhistory:
        hidden.append("gradients of steps with delays, whose histories are no part of the state")
    if model.opt.enableflags & Enable.SLEEP:
        hidden.append("gradients of steps with sleeping trees: clear the sleep flag")
    if hidden:
        raise UnsupportedFeature(hidden)


@locked
def _next_states(
    batch: BatchSim, step: BatchStep, state: np.ndarray, ctrl: np.ndarray
) -> np.ndarray:
    with _worlds_at(step, state, ctrl, batch.get_states()):
        _step_all(batch, step.nstep)
        return _states(batch)


@locked
def _pull_back(
    batch: BatchSim,
    step: BatchStep,
    state: np.ndarray,
    ctrl: np.ndarray,
    gradient: np.ndarray,
    worlds: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    model, tangent = batch.model, step.tangent
    nq = model.nq
    with _worlds_at(step, state, ctrl, worlds):
        way = [batch.get_states()]
        for _ in range(step.nstep):
            _step_all(batch, 1)
            way.append(batch.get_states())
        by_x = np.hstack([tangent.tangent_gradient(batch.qpos, gradient[:, :nq]), gradient[:, nq:]])
        by_u = np.zeros((batch.n, model.nu))
        for before in reversed(way[:-1]):
            batch.set_states(before)
            found = batch.transition_derivatives(step.config)
            by_u += np.einsum("nxu,nx->nu", found.B, by_x)
            by_x = np.einsum("nxy,nx->ny", found.A, by_x)
    nv = model.nv
    by_qpos = tangent.position_gradient(state[:, :nq], by_x[:, :nv])
    return np.hstack([by_qpos, by_x[:, nv:]]), by_u


@contextmanager
def _worlds_at(
    step: BatchStep, state: np.ndarray, ctrl: np.ndarray, worlds: np.ndarray
) -> Iterator[None]:
    """Context in which worlds are at given states; they come back to where they were.

    worlds: state vectors that give everything else.
    """
    batch = step.batch
    if state.shape != step.state_shape:
        raise ShapeError(
            f"state: expected qpos, qvel and act of every world, an array of shape "
            f"{step.state_shape}, got {state.shape}"
        )
    if ctrl.shape != batch.ctrl.shape:
        raise ShapeError(f"ctrl: expected an array of shape {batch.ctrl.shape}, got {ctrl.shape}")
    nq, nv = batch.model.nq, batch.model.nv
    before = batch.get_states()
    try:
        batch.set_states(worlds)
        batch.qpos, batch.qvel, batch.act = np.split(state, [nq, nq + nv], axis=1)
        batch.ctrl = ctrl
        # the solver's first guess: a function of x and u depends on nothing else
        batch.qacc_warmstart = np.zeros_like(batch.qacc_warmstart)
        yield
    finally:
        batch.set_states(before)


def _states(batch: BatchSim) -> np.ndarray:
    return np.hstack([batch.qpos, batch.qvel, batch.act])


def _step_all(batch: BatchSim, nstep: int) -> None:
    """Steps of every world; raises the first error, with the number of the world."""
    for world, error in enumerate(batch.step_all(nstep)):
        if isinstance(error, StepError):
            error.add_note(f"in world {world} of the batch")
            raise error
