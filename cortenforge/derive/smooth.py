"""Jacobians of smooth forces, i.e. of all forces but those of constraints."""

from __future__ import annotations

import numpy as np

from cortenforge.derive.checks import check_derivatives_finite, refuse_bad_state
from cortenforge.derive.config import DEFAULT_CONFIG
from cortenforge.derive.formulas import forces_have_formulas
from cortenforge.derive.kernels.step_equations import smooth_force_derivatives
from cortenforge.derive.transition import Workspace, refuse_deformables, workspace_of
from cortenforge.model import Data


def smooth_velocity_derivative(data: Data) -> np.ndarray:
    """d qfrc_smooth / d velocity, (nv, nv).

    Raises StepError where the state or the result is not finite.
    """
    refuse_deformables(data.model)
    refuse_bad_state(data, "qpos", "qvel")
    workspace = workspace_of(data)
    with workspace.in_use():
        found = _smooth_derivatives(workspace, data, by_position=0)[
            :, data.model.nv : 2 * data.model.nv
        ]
    check_derivatives_finite(data, found)
    return found


def smooth_position_derivative(data: Data) -> np.ndarray:
    """d qfrc_smooth / d position, in the tangent space of positions, (nv, nv).

    By formulas, or by centred differences for models with forces that have none
    (`formulas.forces_have_formulas`). Raises StepError where the state or the result is not finite.
    """
    refuse_deformables(data.model)
    refuse_bad_state(data, "qpos", "qvel")
    workspace = workspace_of(data)
    with workspace.in_use():
        if forces_have_formulas(data.model):
            found = _smooth_derivatives(workspace, data, by_position=1)[:, : data.model.nv]
        else:
            found = workspace.linearisation.smooth_differences(data, DEFAULT_CONFIG)
    check_derivatives_finite(data, found)
    return found


def _smooth_derivatives(workspace: Workspace, data: Data, *, by_position: int) -> np.ndarray:
    linear = workspace.linearisation
    linear.copy_world(data)
    linear.world.forward(smooth_only=True)
    linear.derivation.count(by_position=by_position)
    linear.derivation.run(smooth_force_derivatives)
    return -linear.derivation.arrays["R"]
