"""Integration and difference of positions on their manifold, for users.

q (+) v dt,   v = (q2 (-) q1) / dt        quaternions by the exponential map
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ShapeError
from cortenforge.step.integrate import joint_positions

if TYPE_CHECKING:
    from cortenforge.model.model import Model


def integrated_positions(model: Model, qpos: Any, qvel: Any, dt: float) -> np.ndarray:
    """Positions (nq,) after velocities (nv,) for a time dt.  Mirrors mj_integratePos."""
    data = model.make_data()
    data.qpos, data.qvel, data.time = qpos, qvel, dt
    data._run_unit(joint_positions.integrate_qpos)
    return data.qpos.copy()


def position_difference(model: Model, qpos1: Any, qpos2: Any, dt: float) -> np.ndarray:
    """The velocity (nv,) from qpos1 to qpos2 in a time dt.  Mirrors mj_differentiatePos."""
    if not (np.isfinite(dt) and dt != 0):
        raise ShapeError(f"dt: expected a finite nonzero number, got {dt!r}")
    data = model.make_data()
    data.rk4_qpos, data.qpos, data.time = qpos1, qpos2, dt
    data._run_unit(joint_positions.differentiate_qpos)
    return data.qvel.copy()
