"""Steps of a batch in JAX: values, gradients and misuse.  `make train-check` runs them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import cortenforge as cf
from tests.derive.contact_scenes import (
    SCENES,
    assert_equal_gradients,
    differences,
    loss_weights,
    scene,
)

jax = pytest.importorskip("jax", reason='needs JAX: pip install "cortenforge[jax]"')


@pytest.fixture(autouse=True)
def doubles() -> Iterator[None]:
    """Doubles in JAX, which it has only on request."""
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


@pytest.mark.parametrize("nstep", [1, 20])
@pytest.mark.parametrize("name", SCENES)
def test_gradients_in_contact_equal_differences(name: str, nstep: int) -> None:
    """By state and controls, after one step, and after twenty in a scan."""
    model, x, u = scene(name)
    batch, weights = cf.BatchSim(model, 1), loss_weights(model)

    def loss(state: jax.Array, ctrl: jax.Array) -> jax.Array:
        after, _ = jax.lax.scan(
            lambda now, _: (cf.jax.step(batch, now, ctrl), None), state, length=nstep
        )
        return (after @ weights).sum()

    by_state, by_ctrl = jax.jit(jax.grad(loss, argnums=(0, 1)))(x[None], u[None])
    found = np.concatenate([by_state[0], by_ctrl[0]])
    assert_equal_gradients(found, differences(model, x, u, nstep))


def test_steps_are_those_of_the_batch() -> None:
    """Several at once, bit by bit, compiled or not; `states` gives where worlds are."""
    model = cf.Model.from_mjcf(cf.models.find("ant"))
    batch = cf.BatchSim(model, 4)
    batch.qvel[:, 2] = np.arange(4)
    ctrl = np.full((4, model.nu), 0.1)
    state = cf.jax.states(batch)
    found = cf.jax.step(batch, state, ctrl, nstep=5)
    compiled = jax.jit(lambda one: cf.jax.step(batch, one, ctrl, nstep=5))(state)
    batch.step_all(5, ctrl=ctrl)
    np.testing.assert_array_equal(found, cf.jax.states(batch))
    np.testing.assert_array_equal(compiled, cf.jax.states(batch))


def test_many_worlds_at_once() -> None:
    """Large arrays pass between JAX and the batch, with gradients of every world."""
    model, x, _ = scene("ball")
    batch = cf.BatchSim(model, 4096)
    states = x + 1e-5 * np.random.default_rng(0).normal(size=(4096, len(x)))
    found = jax.grad(lambda state: cf.jax.step(batch, state, np.zeros((4096, 0))).sum())(states)
    assert found.shape == (4096, 13) and np.isfinite(found).all()


def test_mapped_over_batches() -> None:
    """`vmap` calls the batch once for each element."""
    model, x, u = scene("ant")
    batch = cf.BatchSim(model, 2)
    states = np.tile(x, (3, 2, 1)) + np.arange(3)[:, None, None] * 1e-3
    ctrl = np.tile(u, (2, 1))
    found = jax.vmap(lambda state: cf.jax.step(batch, state, ctrl))(states)
    for one, state in zip(found, states, strict=True):
        np.testing.assert_array_equal(one, cf.jax.step(batch, state, ctrl))


def test_single_precision() -> None:
    """What JAX has by default goes in and comes out, also through gradients."""
    jax.config.update("jax_enable_x64", False)
    model, x, u = scene("ant")
    batch = cf.BatchSim(model, 1)
    given = (x[None].astype(np.float32), u[None].astype(np.float32))
    weights = loss_weights(model).astype(np.float32)
    by_state, by_ctrl = jax.grad(
        lambda state, ctrl: (cf.jax.step(batch, state, ctrl) @ weights).sum(), argnums=(0, 1)
    )(*given)
    assert by_state.dtype == by_ctrl.dtype == np.float32
    wanted = differences(model, *(one[0].astype(float) for one in given), 1)
    found = np.concatenate([by_state[0], by_ctrl[0]])
    # of seven digits that are there
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-4 * np.abs(wanted).max())


def test_misuse_is_refused() -> None:
    """Types and shapes when it is traced, failing worlds when it runs, edits in between."""
    model, x, u = scene("ant")
    batch = cf.BatchSim(model, 2)
    states, ctrl = np.tile(x, (2, 1)), np.tile(u, (2, 1))
    with pytest.raises(cf.ShapeError, match="state: "):
        jax.jit(lambda state: cf.jax.step(batch, state, ctrl))(states[0])
    with pytest.raises(cf.ArgumentError, match="ctrl: expected an array of reals"):
        cf.jax.step(batch, states, ctrl.astype(int))
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"qpos"):
        jax.jit(lambda state: cf.jax.step(batch, state, ctrl))(states * np.nan).block_until_ready()
    _, pull_back = jax.vjp(lambda state: cf.jax.step(batch, state, ctrl), states)
    model.body_mass[1] *= 2
    with pytest.raises(jax.errors.JaxRuntimeError, match="edited between a step and its gradient"):
        jax.block_until_ready(pull_back(states))
