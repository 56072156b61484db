"""Steps of a batch in PyTorch: values, gradients and misuse.  `make train-check` runs them."""

from __future__ import annotations

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

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install "cortenforge[torch]"')


@pytest.mark.parametrize("nstep", [1, 20])
@pytest.mark.parametrize("name", SCENES)
def test_gradients_in_contact_equal_differences(name: str, nstep: int) -> None:
    """By state and controls, after one step and after twenty calls of one step each."""
    model, x, u = scene(name)
    batch = cf.BatchSim(model, 1)
    state = torch.tensor(x[None], requires_grad=True)
    ctrl = torch.tensor(u[None], requires_grad=True)
    after = state
    for _ in range(nstep):
        after = cf.torch.step(batch, after, ctrl)
    (after @ torch.from_numpy(loss_weights(model))).sum().backward()
    # ctrl of a model without actuators is part of no result
    by_ctrl = np.zeros(0) if not model.nu else ctrl.grad[0].numpy()
    found = np.concatenate([state.grad[0].numpy(), by_ctrl])
    assert_equal_gradients(found, differences(model, x, u, nstep))


def test_steps_are_those_of_the_batch() -> None:
    """Several at once, bit by bit; `states` gives where worlds are, in doubles."""
    model = cf.Model.from_mjcf(cf.models.find("ant"))
    batch = cf.BatchSim(model, 4)
    batch.qvel[:, 2] = np.arange(4)
    ctrl = torch.full((4, model.nu), 0.1, dtype=torch.float64)
    found = cf.torch.step(batch, cf.torch.states(batch), ctrl, nstep=5)
    assert found.dtype == torch.float64 and not found.requires_grad
    batch.step_all(5, ctrl=ctrl.numpy())
    assert torch.equal(found, cf.torch.states(batch))


def test_gradcheck() -> None:
    """PyTorch's own check, for some worlds at once."""
    model, x, u = scene("hinge at its limit")
    batch = cf.BatchSim(model, 3)
    states = x + 1e-4 * np.random.default_rng(0).normal(size=(3, len(x)))
    given = (
        torch.tensor(states, requires_grad=True),
        torch.tensor(np.tile(u, (3, 1)), requires_grad=True),
    )
    assert torch.autograd.gradcheck(
        lambda state, ctrl: cf.torch.step(batch, state, ctrl, nstep=2),
        given,
        eps=1e-6,
        atol=1e-3,
        rtol=1e-3,
        nondet_tol=0.0,
    )


def test_types_are_those_of_the_inputs() -> None:
    """Single precision goes in and comes out; steps are computed in double."""
    model, x, u = scene("ant")
    batch = cf.BatchSim(model, 1)
    state = torch.tensor(x[None], dtype=torch.float32, requires_grad=True)
    ctrl = torch.tensor(u[None], requires_grad=True)
    after = cf.torch.step(batch, state, ctrl)
    after.sum().backward()
    assert after.dtype == state.grad.dtype == torch.float32 and ctrl.grad.dtype == torch.float64


def test_only_what_is_asked_for_is_differentiated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forward pass computes no derivatives, nor does a backward pass past constants."""
    model, x, u = scene("ant")
    batch = cf.BatchSim(model, 1)

    def refuse(*_: object) -> None:
        raise AssertionError("derivatives were computed")

    monkeypatch.setattr(cf.BatchSim, "transition_derivatives", refuse)
    state, ctrl = torch.tensor(x[None]), torch.tensor(u[None], requires_grad=True)
    assert not cf.torch.step(batch, state, ctrl.detach()).requires_grad
    with torch.no_grad():
        cf.torch.step(batch, state, ctrl)
    after = cf.torch.step(batch, state, ctrl)
    with pytest.raises(AssertionError, match="were computed"):
        after.sum().backward()


def test_misuse_is_refused() -> None:
    """Types, shapes, inputs changed in place, failing worlds, and gradients of gradients."""
    model, x, u = scene("ant")
    batch = cf.BatchSim(model, 2)
    state, ctrl = torch.tensor(np.tile(x, (2, 1))), torch.tensor(np.tile(u, (2, 1)))
    with pytest.raises(cf.ArgumentError, match="state: expected a tensor"):
        cf.torch.step(batch, state.numpy(), ctrl)
    with pytest.raises(cf.ArgumentError, match="ctrl: expected a tensor of reals"):
        cf.torch.step(batch, state, ctrl.to(torch.int64))
    with pytest.raises(cf.ShapeError, match="state: "):
        cf.torch.step(batch, state[0], ctrl)
    with pytest.raises(cf.InvalidPosition):
        cf.torch.step(batch, state * np.nan, ctrl)
    ctrl.requires_grad_()
    after = cf.torch.step(batch, state, ctrl)
    state += 1.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        after.sum().backward()
    (by_ctrl,) = torch.autograd.grad(
        cf.torch.step(batch, state, ctrl).square().sum(), ctrl, create_graph=True
    )
    with pytest.raises(RuntimeError, match="once_differentiable"):
        by_ctrl.sum().backward()
