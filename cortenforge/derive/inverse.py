"""Derivatives of inverse dynamics, by formulas or by finite differences in lockstep.

    dq, dv, da: partials of qfrc_inverse = M qacc + bias - passive - J' efc_force by q, v, qacc

Formulas where there are no constraints (da = M), else finite differences.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cortenforge.batch.lockstep import inverse_groups
from cortenforge.batch.lockstep_calls import LockstepCalls
from cortenforge.derive.checks import check_derivatives_finite, check_eps, refuse_bad_state
from cortenforge.derive.config import DerivativeConfig, InverseMatrices, checked_config
from cortenforge.derive.formulas import inverse_has_formulas
from cortenforge.derive.kernels.step_equations import inverse_force_derivatives
from cortenforge.derive.perturbed_worlds import make_batch, own_parameters, state_row
from cortenforge.derive.tangent_space import TangentSpace
from cortenforge.derive.transition import refuse_deformables, workspace_of
from cortenforge.errors import UnsupportedFeature
from cortenforge.model import Data
from cortenforge.model.changes.watch import refresh_if_changed
from cortenforge.model.methods.pipeline import refuse_inverse


def inverse_derivatives(data: Data, config: DerivativeConfig | None = None) -> InverseMatrices:
    """Jacobians of qfrc_inverse and sensor readings by position, velocity and acceleration.

    config: method, eps and what is computed; by default `DerivativeConfig()`.

    Mirrors mjd_inverseFD.
    """
    wanted, model = checked_config(config), data.model
    refuse_inverse(model)
    refresh_if_changed(model)
    if model.missing:
        raise UnsupportedFeature(model.supported())
    refuse_deformables(model)
    refuse_bad_state(data, "qpos", "qvel", "qacc")
    found = _matrices(data, wanted)
    check_derivatives_finite(data, *(part for part in vars(found).values() if part is not None))
    return found


def _matrices(data: Data, wanted: DerivativeConfig) -> InverseMatrices:
    model = data.model
    if wanted.method == "fd" or not inverse_has_formulas(model):
        return inverse_by_differences(data, wanted)
    found = inverse_by_formulas(data)
    if wanted.sensors and model.nsensordata:
        read = inverse_by_differences(data, wanted)
        found = replace(found, ds_dq=read.ds_dq, ds_dv=read.ds_dv, ds_da=read.ds_da)
    elif wanted.sensors:
        none = [np.zeros((0, model.nv)) for _ in range(3)]
        found = replace(found, ds_dq=none[0], ds_dv=none[1], ds_da=none[2])
    return found


def inverse_by_formulas(data: Data) -> InverseMatrices:
    """Jacobians of the force by formulas, for models without constraints."""
    workspace, nv = workspace_of(data), data.model.nv
    with workspace.in_use():
        linear = workspace.linearisation
        linear.copy_world(data)
        world, made = linear.world, linear.derivation
        world.xfrc_applied[:] = 0.0
        world.forward(smooth_only=True)
        world.qacc[:] = data.qacc
        made.count()
        made.run(inverse_force_derivatives)
        change, inertia = made.arrays["R"], made.arrays["H"]
        return InverseMatrices(change[:, :nv].copy(), change[:, nv : 2 * nv].copy(), inertia.copy())


def inverse_by_differences(data: Data, wanted: DerivativeConfig) -> InverseMatrices:
    """Jacobians of the force, and of readings if requested, by finite differences."""
    model = data.model
    nv, eps = model.nv, wanted.eps
    check_eps(eps, {name: getattr(data, name) for name in ("qpos", "qvel", "qacc")})
    columns = 3 * nv
    sides = (1.0, -1.0) if wanted.centered else (1.0,)
    batch = make_batch(model, 1 + len(sides) * columns, own_parameters(data))
    lanes = LockstepCalls(batch, ("qacc", *INVERSE_OUTPUTS))
    lanes.table[:] = state_row(data)
    lanes.fields["qacc"][:] = data.qacc
    along = np.arange(nv)
    for k, side in enumerate(sides):
        first = 1 + k * columns
        moved = lanes.views["qpos"][first : first + nv]
        TangentSpace(model).shift_positions(moved, np.full(nv, side * eps))
        lanes.views["qvel"][first + nv + along, along] += side * eps
        lanes.fields["qacc"][first + 2 * nv + along, along] += side * eps
    lanes.run(inverse_groups, 0)
    parts: list[np.ndarray] = []
    for name in INVERSE_OUTPUTS if wanted.sensors else INVERSE_OUTPUTS[:1]:
        values = lanes.fields[name]
        ahead = values[1 : 1 + columns]
        back = values[1 + columns :] if wanted.centered else values[:1]
        change = ((ahead - back) / (len(sides) * eps)).T
        parts += [np.ascontiguousarray(part) for part in np.split(change, 3, axis=1)]
    return InverseMatrices(*parts)


INVERSE_OUTPUTS = ("qfrc_inverse", "sensordata")
