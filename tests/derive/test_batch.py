"""Derivatives of all worlds of a batch, and along rollouts."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from tests.derive.scenes import SMOOTH, TOUCHING, settled

METHODS = ("fd", "hybrid", "analytic")


def spread_out(n: int, *, expanded: bool = False) -> cf.BatchSim:
    """Worlds at random states; expanded: with masses of their own."""
    model = cf.Model.from_mjcf(TOUCHING.format(option=""))
    batch = cf.BatchSim(model, n, threads=2)
    rng = np.random.default_rng(1)
    batch.qvel[:] = 0.2 * rng.normal(size=batch.qvel.shape)
    batch.ctrl[:] = 0.3 * rng.normal(size=batch.ctrl.shape)
    batch.step_all(20)
    if expanded:
        batch.randomize("body_mass", scale=(0.5, 2.0), seed=3)
    return batch


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("expanded", [False, True])
def test_worlds_are_derived_as_if_alone(method: str, expanded: bool) -> None:
    """A world of a batch has the matrices that it has as a Data, also with masses of its own."""
    batch = spread_out(5, expanded=expanded)
    config = cf.DerivativeConfig(method=method)
    before = batch.get_states()
    found = batch.transition_derivatives(config)
    assert found.A.shape == (5, 26, 26) and found.B.shape == (5, 26, 1)
    np.testing.assert_array_equal(batch.get_states(), before)
    for i in range(batch.n):
        alone = batch.env(i).transition_derivatives(config)
        for name in "ABCD":
            np.testing.assert_array_equal(getattr(found, name)[i], getattr(alone, name))
    assert np.abs(found.A[0] - found.A[1]).max() > 1e-3


def test_rollouts_have_derivatives_along_the_way() -> None:
    """A and B of each step are those at the state from which it starts."""
    model = cf.Model.from_mjcf(SMOOTH.format(option=""))
    batch = cf.BatchSim(model, 3)
    controls = np.random.default_rng(2).normal(size=(3, 4, model.nu))
    config = cf.DerivativeConfig()
    run = batch.rollout(batch.get_states(), controls, derivatives=config)
    assert run.derivatives is not None
    assert run.derivatives.A.shape == (3, 4, 26, 26)
    data = model.make_data()
    for t in range(4):
        data.ctrl[:] = controls[1, t]
        alone = data.transition_derivatives(config)
        np.testing.assert_array_equal(run.derivatives.A[1, t], alone.A)
        np.testing.assert_array_equal(run.derivatives.B[1, t], alone.B)
        data.step()


@pytest.mark.parametrize("method", METHODS)
def test_rollouts_leave_out_what_has_failed(method: str) -> None:
    """A world that fails has NaN from then on; others are not disturbed."""
    model = cf.Model.from_mjcf(SMOOTH.format(option=""))
    batch = cf.BatchSim(model, 3)
    states = batch.get_states()
    states[1, 1 + model.nq] = np.inf
    with pytest.raises(cf.InvalidVelocity):
        batch.set_states(states)
        batch.transition_derivatives(cf.DerivativeConfig(method=method))
    controls = np.zeros((3, 3, model.nu))
    run = batch.rollout(states, controls, derivatives=cf.DerivativeConfig(method=method))
    assert isinstance(run.errors[1], cf.StepError)
    assert run.derivatives is not None
    assert np.isfinite(run.derivatives.A[0]).all()
    assert np.isnan(run.derivatives.A[1]).all()


def test_held_controls_have_no_derivatives() -> None:
    """Derivatives are of single steps."""
    model = cf.Model.from_mjcf(SMOOTH.format(option=""))
    batch = cf.BatchSim(model, 3)
    with pytest.raises(cf.ArgumentError, match="expected nstep=1"):
        batch.rollout(
            batch.get_states(),
            np.zeros((3, 2, model.nu)),
            nstep=2,
            derivatives=cf.DerivativeConfig(),
        )


def test_settled_scene_is_in_contact() -> None:
    """What the batch is made of touches something."""
    assert settled(TOUCHING.format(option="")).ncon > 3
