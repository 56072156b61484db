"""Jacobians of smooth forces, i.e. of all forces but those of constraints."""

from __future__ import annotations

import numpy as np

from cortenforge.derive.config import DEFAULT
from cortenforge.derive.finite import finite, refuse_lost
from cortenforge.derive.kernels.linear import smooth_slopes
from cortenforge.derive.plain import has_plain_forces
from cortenforge.derive.transition import Desk, desk_of, refuse_deformables
from cortenforge.model import Data


def smooth_velocity_derivative(data: Data) -> np.ndarray:
    """d qfrc_smooth / d velocity, (nv, nv).

    Raises StepError where the state or the result is not finite.
    """
    refuse_deformables(data.model)
    refuse_lost(data, "qpos", "qvel")
    desk = desk_of(data)
    with desk.working():
        found = _slopes(desk, data, by_position=0)[:, data.model.nv : 2 * data.model.nv]
    finite(data, found)
    return found


def smooth_position_derivative(data: Data) -> np.ndarray:
    """d qfrc_smooth / d position, in the tangent space of positions, (nv, nv).

    By formulas, or by centred differences for models with forces that have none
    (`formulas.forces_have_formulas`). Raises StepError where the state or the result is not finite.
    """
    refuse_deformables(data.model)
    refuse_lost(data, "qpos", "qvel")
    desk = desk_of(data)
    with desk.working():
        if has_plain_forces(data.model):
            found = _slopes(desk, data, by_position=1)[:, : data.model.nv]
        else:
            found = desk.linear.smooth_differences(data, DEFAULT)
    finite(data, found)
    return found


def _slopes(desk: Desk, data: Data, *, by_position: int) -> np.ndarray:
    linear = desk.linear
    linear.take(data)
    linear.world.forward(smooth_only=True)
    linear.derivation.count(by_position=by_position)
    linear.derivation.run(smooth_slopes)
    return -linear.derivation.arrays["R"]
