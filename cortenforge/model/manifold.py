"""Positions and velocities as users integrate and compare them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ShapeError
from cortenforge.step.integrate import manifold

if TYPE_CHECKING:
    from cortenforge.model.model import Model


def moved(model: Model, qpos: Any, qvel: Any, dt: float) -> np.ndarray:
    """Where positions are after moving with velocities for a time."""
    desk = model.make_data()
    desk.qpos, desk.qvel, desk.time = qpos, qvel, dt
    desk._run_unit(manifold.move)
    return desk.qpos.copy()


def velocity_between(model: Model, qpos1: Any, qpos2: Any, dt: float) -> np.ndarray:
    """The velocity that takes one position to another in a time."""
    if not (np.isfinite(dt) and dt != 0):
        raise ShapeError(f"dt: expected a finite number other than zero, got {dt!r}")
    desk = model.make_data()
    desk.rk4_qpos, desk.qpos, desk.time = qpos1, qpos2, dt
    desk._run_unit(manifold.difference)
    return desk.qvel.copy()
