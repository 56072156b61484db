"""Steps of a batch inside JAX programs, with gradients.

>>> import jax
>>> import cortenforge as cf
>>> batch = cf.BatchSim(model, 64)
>>> loss = lambda ctrl: cf.jax.step(batch, state, ctrl, nstep=5)[:, 0].sum()
>>> jax.jit(jax.grad(loss))(ctrl)
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.derive import DerivativeConfig
from cortenforge.derive.step_gradient import BatchStep, Circumstances, batch_step
from cortenforge.errors import ArgumentError, MissingPackage, ShapeError

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise MissingPackage("cortenforge.jax", "JAX", "jax") from error

__all__ = ["states", "step"]


def step(
    batch: BatchSim,
    state: jax.Array,
    ctrl: jax.Array,
    *,
    nstep: int = 1,
    config: DerivativeConfig | None = None,
) -> jax.Array:
    """States of all worlds after some steps, differentiable by states and controls.

    state:  (n, nq + nv + na): qpos, qvel and act of every world, as `states` gives them.
    ctrl:   (n, nu), held for all steps.
    nstep:  number of steps; gradients go through all of them.
    config: how derivatives are computed.

    A pure function for `jit`, `grad`, `vjp` and `vmap`: the batch gives its model, parameters,
    applied forces, mocap bodies and time, and its worlds stay where they are. It runs on the CPU,
    in float64, and returns the type of `state`: without `jax_enable_x64` that is float32.
    Gradients by quaternions are those of a function that normalises them: see docs/derivatives.md.
    An error of a world is raised by JAX, with its text.
    """
    function = batch_step(batch, nstep, config)
    arrays = [jnp.asarray(value) for value in (state, ctrl)]
    for name, array, shape in zip(
        ("state", "ctrl"), arrays, (function.state_shape, batch.ctrl.shape), strict=True
    ):
        if not jnp.issubdtype(array.dtype, jnp.floating):
            raise ArgumentError(f"{name}: expected an array of reals, got one of {array.dtype}")
        if array.shape != shape:
            raise ShapeError(f"{name}: expected an array of shape {shape}, got {array.shape}")
    return _step(function, *arrays)


def states(batch: BatchSim) -> jax.Array:
    """Present states of all worlds, (n, nq + nv + na): qpos, qvel and act."""
    return jnp.asarray(np.hstack([batch.qpos, batch.qvel, batch.act]))


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _step(function: BatchStep, state: jax.Array, ctrl: jax.Array) -> jax.Array:
    def call(state: Any, ctrl: Any) -> np.ndarray:
        return function.next_states(_numbers(state), _numbers(ctrl)).astype(kind)

    kind = state.dtype
    shape = jax.ShapeDtypeStruct(state.shape, kind)
    return jax.pure_callback(call, shape, state, ctrl, vmap_method="sequential")


def _forward(function: BatchStep, state: jax.Array, ctrl: jax.Array) -> tuple[jax.Array, Any]:
    """The states, and what gradients need: JAX may have no 64 bits, so these are words of 32."""

    def call(state: Any, ctrl: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        worlds, digest = function.circumstances()
        found = function.next_states(_numbers(state), _numbers(ctrl)).astype(kind)
        words = np.ascontiguousarray(worlds).view(np.uint32)
        return found, words, np.array([digest], np.uint64).view(np.uint32)

    kind = state.dtype
    columns = 2 * function.batch.get_states().shape[1]
    shapes = (
        jax.ShapeDtypeStruct(state.shape, kind),
        jax.ShapeDtypeStruct((function.batch.n, columns), np.uint32),
        jax.ShapeDtypeStruct((2,), np.uint32),
    )
    found, worlds, digest = jax.pure_callback(call, shapes, state, ctrl, vmap_method="sequential")
    return found, (state, ctrl, worlds, digest)


def _backward(function: BatchStep, kept: Any, gradient: jax.Array) -> tuple[jax.Array, jax.Array]:
    def call(
        state: Any, ctrl: Any, worlds: Any, digest: Any, gradient: Any
    ) -> tuple[np.ndarray, np.ndarray]:
        given = Circumstances(
            np.array(worlds, order="C").view(np.float64),
            int(np.array(digest).view(np.uint64)[0]),
        )
        by_state, by_ctrl = function.pull_back(
            _numbers(state), _numbers(ctrl), _numbers(gradient), given
        )
        return by_state.astype(shapes[0].dtype), by_ctrl.astype(shapes[1].dtype)

    state, ctrl = kept[:2]
    shapes = [jax.ShapeDtypeStruct(array.shape, array.dtype) for array in (state, ctrl)]
    found = jax.pure_callback(call, tuple(shapes), *kept, gradient, vmap_method="sequential")
    return found[0], found[1]


_step.defvjp(_forward, _backward)


def _numbers(array: Any) -> np.ndarray:
    return np.asarray(array, np.float64)
