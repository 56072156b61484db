"""Derivatives of inverse dynamics, by formulas or by finite differences in lockstep.

    dq, dv, da: partials of qfrc_inverse = M qacc + bias - passive - J' efc_force by q, v, qacc

Formulas where there are no constraints (da = M), else finite differences.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cortenforge.batch.lockstep import inverse_groups
from cortenforge.derive.config import DerivativeConfig, InverseMatrices, checked_config
from cortenforge.derive.finite import check_difference, finite, refuse_lost
from cortenforge.derive.kernels.linear import inverse_slopes
from cortenforge.derive.lanes import Lanes
from cortenforge.derive.plain import has_plain_inverse
from cortenforge.derive.tangent import Tangent
from cortenforge.derive.transition import desk_of, refuse_deformables
from cortenforge.derive.worlds import own_of, row_of
from cortenforge.errors import UnsupportedFeature
from cortenforge.model import Data
from cortenforge.model.data import refuse_inverse
from cortenforge.model.watch import catch_up


def inverse_derivatives(data: Data, config: DerivativeConfig | None = None) -> InverseMatrices:
    """Jacobians of qfrc_inverse and sensor readings by position, velocity and acceleration.

    Mirrors mjd_inverseFD.
    """
    wanted, model = checked_config(config), data.model
    refuse_inverse(model)
    catch_up(model)
    if model.missing:
        raise UnsupportedFeature(model.supported())
    refuse_deformables(model)
    refuse_lost(data, "qpos", "qvel", "qacc")
    found = _matrices(data, wanted)
    finite(data, *(part for part in vars(found).values() if part is not None))
    return found


def _matrices(data: Data, wanted: DerivativeConfig) -> InverseMatrices:
    model = data.model
    if wanted.method == "fd" or not has_plain_inverse(model):
        return by_differences(data, wanted)
    found = by_formulas(data)
    if wanted.sensors and model.nsensordata:
        read = by_differences(data, wanted)
        found = replace(found, ds_dq=read.ds_dq, ds_dv=read.ds_dv, ds_da=read.ds_da)
    elif wanted.sensors:
        none = [np.zeros((0, model.nv)) for _ in range(3)]
        found = replace(found, ds_dq=none[0], ds_dv=none[1], ds_da=none[2])
    return found


def by_formulas(data: Data) -> InverseMatrices:
    """Jacobians of the force by formulas, for models without constraints."""
    desk, nv = desk_of(data), data.model.nv
    with desk.working():
        linear = desk.linear
        linear.take(data)
        world, made = linear.world, linear.derivation
        world.xfrc_applied[:] = 0.0
        world.forward(smooth_only=True)
        world.qacc[:] = data.qacc
        made.count()
        made.run(inverse_slopes)
        change, inertia = made.arrays["R"], made.arrays["H"]
        return InverseMatrices(change[:, :nv].copy(), change[:, nv : 2 * nv].copy(), inertia.copy())


def by_differences(data: Data, wanted: DerivativeConfig) -> InverseMatrices:
    """Jacobians of the force, and of readings if requested, by finite differences."""
    model = data.model
    nv, eps = model.nv, wanted.eps
    check_difference(eps, {name: data._store.arrays[name] for name in ("qpos", "qvel", "qacc")})
    columns = 3 * nv
    sides = (1.0, -1.0) if wanted.centered else (1.0,)
    lanes = Lanes(model, 1 + len(sides) * columns, own_of(data), ("qacc", *GIVEN))
    lanes.table[:] = row_of(data)
    lanes.fields["qacc"][:] = data.qacc
    along = np.arange(nv)
    for k, side in enumerate(sides):
        first = 1 + k * columns
        moved = lanes.views["qpos"][first : first + nv]
        Tangent(model).move(moved, np.full(nv, side * eps))
        lanes.views["qvel"][first + nv + along, along] += side * eps
        lanes.fields["qacc"][first + 2 * nv + along, along] += side * eps
    lanes.run(inverse_groups, 0)
    parts: list[np.ndarray] = []
    for name in GIVEN if wanted.sensors else GIVEN[:1]:
        values = lanes.fields[name]
        ahead = values[1 : 1 + columns]
        back = values[1 + columns :] if wanted.centered else values[:1]
        change = ((ahead - back) / (len(sides) * eps)).T
        parts += [np.ascontiguousarray(part) for part in np.split(change, 3, axis=1)]
    return InverseMatrices(*parts)


GIVEN = ("qfrc_inverse", "sensordata")
