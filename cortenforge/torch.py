"""Batches inside PyTorch programs: steps with gradients, observations and controls as tensors.

>>> import torch
>>> import cortenforge as cf
>>> batch = cf.BatchSim(model, 64)
>>> state = cf.torch.states(batch)                       # (64, nq + nv + na), float64
>>> ctrl = torch.zeros(64, model.nu, dtype=torch.float64, requires_grad=True)
>>> after = cf.torch.step(batch, state, ctrl, nstep=5)
>>> after[:, 0].sum().backward()                         # ctrl.grad
>>> gpu = cf.GpuBatchSim(model, 4096)                    # or a BatchSim
>>> observed = cf.torch.fields(gpu, "qpos", "qvel")      # (4096, nq + nv), float32
>>> cf.torch.apply(gpu, policy(observed))
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.worlds import Worlds
from cortenforge.derive import DerivativeConfig
from cortenforge.derive.step_gradient import BatchStep, batch_step
from cortenforge.errors import ArgumentError, MissingPackage

try:
    import torch
    from torch.autograd import Function
    from torch.autograd.function import once_differentiable
except ImportError as error:
    raise MissingPackage("cortenforge.torch", "PyTorch", "torch") from error

__all__ = ["apply", "fields", "states", "step"]


def step(
    batch: BatchSim,
    state: torch.Tensor,
    ctrl: torch.Tensor,
    *,
    nstep: int = 1,
    config: DerivativeConfig | None = None,
) -> torch.Tensor:
    """States of all worlds after some steps, differentiable by states and controls.

    state:  (n, nq + nv + na): qpos, qvel and act of every world, as `states` gives them.
    ctrl:   (n, nu), held for all steps.
    nstep:  number of steps; gradients go through all of them.
    config: how derivatives are computed.

    A pure function: the batch gives its model, parameters, applied forces, mocap bodies and time,
    and its worlds stay where they are. Computed in float64, returned in the type of `state`.
    Gradients by quaternions are those of a function that normalises them: see docs/derivatives.md.
    Raises the StepError of the first world that fails.
    """
    for name, value in (("state", state), ("ctrl", ctrl)):
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            raise ArgumentError(f"{name}: expected a tensor of reals, got {value!r}"[:300])
    return _Step.apply(batch_step(batch, nstep, config), state, ctrl)


def states(batch: Worlds) -> torch.Tensor:
    """Present states of all worlds, (n, nq + nv + na): qpos, qvel and act, in float64."""
    return torch.from_numpy(np.hstack([batch.qpos, batch.qvel, batch.act]))


def fields(
    batch: Worlds,
    *names: str,
    device: torch.device | str = "cpu",
    dtype: torch.dtype = torch.float32,
) -> torch.Tensor:
    """Fields of all worlds side by side, (n, numbers in all): what a policy observes.

    A copy, by way of host memory: of a batch on the CPU or on a GPU.
    """
    if not names:
        raise ArgumentError("names: expected names of fields, such as 'qpos'")
    if not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise ArgumentError(f"dtype: expected a type of reals, got {dtype!r}"[:300])
    for name in names:
        batch.bind(name)
    rows = [np.asarray(getattr(batch, name)).reshape(batch.n, -1) for name in names]
    return torch.from_numpy(np.hstack(rows)).to(device, dtype)


def apply(batch: Worlds, ctrl: torch.Tensor) -> None:
    """Set the controls of all worlds, (n, nu), from a tensor on any device: what a policy does."""
    if not isinstance(ctrl, torch.Tensor) or not ctrl.is_floating_point():
        raise ArgumentError(f"ctrl: expected a tensor of reals, got {ctrl!r}"[:300])
    batch.ctrl = _numbers(ctrl)


class _Step(Function):
    """`BatchStep` for autograd; derivatives are computed when gradients are asked for."""

    @staticmethod
    def forward(ctx: Any, function: BatchStep, state: torch.Tensor, ctrl: torch.Tensor) -> Any:
        if any(ctx.needs_input_grad):
            ctx.function, ctx.given = function, function.circumstances()
            ctx.save_for_backward(state, ctrl)
        return _like(state, function.next_states(_numbers(state), _numbers(ctrl)))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
        state, ctrl = ctx.saved_tensors
        by_state, by_ctrl = ctx.function.pull_back(
            _numbers(state), _numbers(ctrl), _numbers(gradient), ctx.given
        )
        return None, _like(state, by_state), _like(ctrl, by_ctrl)


def _numbers(tensor: torch.Tensor) -> np.ndarray:
    found: np.ndarray = tensor.detach().to("cpu", torch.float64).numpy()
    return found


def _like(tensor: torch.Tensor, values: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(values).to(tensor.device, tensor.dtype)
