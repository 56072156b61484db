"""Steps of a batch as a function: gradients by states and controls against finite differences."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.derive.step_gradient import BatchStep, batch_step
from tests.derive.contact_scenes import (
    SCENES,
    assert_equal_gradients,
    differences,
    loss_weights,
    scene,
)
from tests.derive.scenes import SMOOTH


def gradients(step: BatchStep, x: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Gradients (n, nx + nu) of the loss, for states and controls of all worlds."""
    weights = np.tile(loss_weights(step.batch.model), (len(x), 1))
    return np.hstack(step.pull_back(x, u, weights, step.circumstances()))


@pytest.mark.parametrize("nstep", [1, 20])
@pytest.mark.parametrize("name", SCENES)
def test_gradients_in_contact_equal_differences(name: str, nstep: int) -> None:
    """By every number of the state and of the controls, after one step and after twenty."""
    model, x, u = scene(name)
    step = batch_step(cf.BatchSim(model, 1), nstep, None)
    assert_equal_gradients(gradients(step, x[None], u[None])[0], differences(model, x, u, nstep))


def test_gradients_without_contact_equal_differences() -> None:
    """All joints, tendons, and activations, whose states are part of the gradient."""
    model = cf.Model.from_mjcf(SMOOTH.format(option=""))
    rng = np.random.default_rng(1)
    data = model.make_data()
    data.qvel[:] = rng.normal(size=model.nv)
    data.ctrl[:] = 0.3 * rng.normal(size=model.nu)
    data.step(50)
    x, u = np.concatenate([data.qpos, data.qvel, data.act]), data.ctrl.copy()
    assert model.na == 2
    step = batch_step(cf.BatchSim(model, 1), 7, None)
    found = gradients(step, x[None], u[None])[0]
    np.testing.assert_allclose(found, differences(model, x, u, 7), rtol=1e-6, atol=1e-7)


def test_quaternions_are_normalised_first() -> None:
    """Of any length: gradients are at right angles to them, and equal raw differences."""
    model, x, u = scene("box")
    x[3:7] *= 1.7
    found = gradients(batch_step(cf.BatchSim(model, 1), 3, None), x[None], u[None])[0]
    assert abs(found[3:7] @ x[3:7]) < 1e-12 < np.abs(found[3:7]).min()
    assert_equal_gradients(found, differences(model, x, u, 3))


def test_worlds_have_the_gradients_that_they_have_alone() -> None:
    """Bit by bit, with parameters and applied forces of their own; worlds stay where they are."""
    model, x, u = scene("ant")
    batch = cf.BatchSim(model, 5, threads=2)
    batch.randomize("body_mass", scale=(0.5, 2), seed=1)
    batch.xfrc_applied[:, 1, 2] = np.arange(5)
    batch.step_all(3)
    before = batch.get_states()
    states, controls = np.tile(x, (5, 1)), np.tile(u, (5, 1))
    found = gradients(batch_step(batch, 2, None), states, controls)
    np.testing.assert_array_equal(batch.get_states(), before)
    assert len(np.unique(found[:, 0])) == 5
    for world in range(5):
        alone = cf.BatchSim(model, 1)
        alone.expand(*batch.parameters)
        for name, values in batch.parameters.items():
            alone.parameters[name][0] = values[world]
        alone.set_states(before[world])
        np.testing.assert_array_equal(
            gradients(batch_step(alone, 2, None), x[None], u[None])[0], found[world]
        )


def test_steps_are_those_of_the_batch() -> None:
    """And a function of state and controls alone: the solver's first guess is always the same."""
    model, x, u = scene("box")
    batch = cf.BatchSim(model, 3)
    step = batch_step(batch, 4, None)
    states, controls = np.tile(x, (3, 1)), np.tile(u, (3, 1))
    found = step.next_states(states, controls)
    batch.step_all(10)
    np.testing.assert_array_equal(step.next_states(states, controls), found)
    data = model.make_data()
    data.qpos[:], data.qvel[:] = np.split(x, [model.nq])
    data.step(4)
    np.testing.assert_array_equal(found[0], np.concatenate([data.qpos, data.qvel]))


def test_circumstances_are_those_of_the_step() -> None:
    """Forces that are applied later do not change the gradient of an earlier step."""
    model, x, u = scene("box")
    batch = cf.BatchSim(model, 1)
    step = batch_step(batch, 1, None)
    given = step.circumstances()
    weights = loss_weights(model)[None]
    before = step.pull_back(x[None], u[None], weights, given)
    # lifted off the floor, it would have other derivatives
    batch.xfrc_applied[:, 1, 2] = 1e4
    for one, other in zip(before, step.pull_back(x[None], u[None], weights, given), strict=True):
        np.testing.assert_array_equal(one, other)
    assert np.abs(before[0] - gradients(step, x[None], u[None])).max() > 1


@pytest.mark.parametrize("own", [False, True])
def test_edits_between_a_step_and_its_gradient_are_refused(own: bool) -> None:
    """Of the model, and of parameters of worlds."""
    model, x, u = scene("box")
    batch = cf.BatchSim(model, 2)
    batch.expand("geom_friction")
    step = batch_step(batch, 1, None)
    given = step.circumstances()
    if own:
        batch.parameters["geom_friction"][1, 1, 0] *= 0.5
    else:
        model.body_mass[1] *= 2
    with pytest.raises(cf.ArgumentError, match="edited between a step and its gradient"):
        step.pull_back(np.tile(x, (2, 1)), np.tile(u, (2, 1)), np.ones((2, len(x))), given)


def test_what_has_no_gradient_is_refused() -> None:
    """Shapes, counts, and models whose state is more than positions, velocities, activations."""
    model, x, u = scene("box")
    batch = cf.BatchSim(model, 2)
    with pytest.raises(cf.ShapeError, match=r"state: .* \(2, 13\), got \(1, 13\)"):
        batch_step(batch, 1, None).next_states(x[None], u[None])
    with pytest.raises(cf.ShapeError, match=r"ctrl: .* \(2, 0\), got \(2, 3\)"):
        batch_step(batch, 1, None).next_states(np.tile(x, (2, 1)), np.zeros((2, 3)))
    with pytest.raises(cf.ArgumentError, match="nstep"):
        batch_step(batch, 0, None)
    with pytest.raises(cf.ArgumentError, match=r"cf\.BatchSim"):
        batch_step(model, 1, None)  # type: ignore[arg-type]
    model.opt.enableflags |= cf.enums.Enable.SLEEP
    with pytest.raises(cf.UnsupportedFeature, match="sleep flag"):
        batch_step(batch, 1, None)
    late = SMOOTH.format(option="").replace('name="m" ', 'name="m" nsample="3" delay=".008" ')
    with pytest.raises(cf.UnsupportedFeature, match="delays"):
        batch_step(cf.BatchSim(cf.Model.from_mjcf(late), 1), 1, None)


def test_failing_worlds_are_named() -> None:
    """A state that no step takes raises its error, and worlds are where they were."""
    model, x, u = scene("box")
    batch = cf.BatchSim(model, 3)
    states, before = np.tile(x, (3, 1)), batch.get_states()
    states[2, 8] = np.nan
    with pytest.raises(cf.InvalidVelocity) as caught:
        batch_step(batch, 1, None).next_states(states, np.tile(u, (3, 1)))
    assert caught.value.__notes__ == ["in world 2 of the batch"]
    np.testing.assert_array_equal(batch.get_states(), before)
