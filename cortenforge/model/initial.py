"""Initial values of states that are not zero: rest positions of springs, buffers of delays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Gain, JointType

if TYPE_CHECKING:
    from cortenforge.model.data import Data

Arrays = Mapping[str, np.ndarray]


def initial_controls(arrays: Arrays) -> np.ndarray:
    """Zeros, except where the control of an orientation servo is a quaternion."""
    controls = np.zeros(len(arrays["actuator_ctrllimited"]))
    quats = (arrays["actuator_gaintype"] == Gain.SO3) & (arrays["actuator_ctrlnum"] == 4)
    controls[arrays["actuator_ctrladr"][quats]] = 1.0
    return controls


def initial_plastic(arrays: Arrays, size: int) -> np.ndarray:
    """The plastic state of springs that have not yielded yet."""
    state = np.zeros(size)
    for joint in np.flatnonzero(arrays["jnt_plasticadr"] >= 0).tolist():
        width = 4 if arrays["jnt_type"][joint] == JointType.BALL else 1
        at, source = int(arrays["jnt_plasticadr"][joint]), int(arrays["jnt_qposadr"][joint])
        state[at : at + width] = arrays["qpos_spring"][source : source + width]
    for tendon in np.flatnonzero(arrays["tendon_plasticadr"] >= 0).tolist():
        at = int(arrays["tendon_plasticadr"][tendon])
        state[at : at + 2] = arrays["tendon_lengthspring"][tendon]
    return state


def initial_history(arrays: Arrays, size: int, dt: float) -> np.ndarray:
    """Buffers of delayed controls and readings: initial ones at the times before the first step.

    A buffer holds the time of the last reading, the place of its newest sample, the times of all
    samples and then their values.
    """
    if not dt > 0:
        raise ValueError(f"opt.timestep: delays need a positive step, got {dt}")
    state = np.zeros(size)
    controls = initial_controls(arrays)
    for i in np.flatnonzero(arrays["actuator_history"][:, 0] > 0).tolist():
        count = int(arrays["actuator_history"][i, 0])
        start, width = int(arrays["actuator_ctrladr"][i]), int(arrays["actuator_ctrlnum"][i])
        values = np.tile(controls[start : start + width], count)
        _fill(state, int(arrays["actuator_historyadr"][i]), 0.0, _before(count, dt), values)
    for i in np.flatnonzero(arrays["sensor_history"][:, 0] > 0).tolist():
        count = int(arrays["sensor_history"][i, 0])
        period, phase = arrays["sensor_interval"][i].tolist()
        times, last = _before(count, dt), -dt
        if period > 0:
            last = phase if phase else -period
            times = np.ceil((last - period * np.arange(count - 1, -1, -1)) / dt) * dt
        _fill(state, int(arrays["sensor_historyadr"][i]), last, times, np.zeros(0))
    return state


def put_deformables(data: Data) -> None:
    """Vertices and segments where the model has them after a reset."""
    model = data.model
    data.softvert_pos[:] = model.softvert_pos0[: model.nsoftvert]
    data.softrod_quat[:] = model.softrod_quat0


def _before(count: int, dt: float) -> np.ndarray:
    """The times of the steps before time zero."""
    return -dt * np.arange(count, 0, -1)


def _fill(state: np.ndarray, at: int, last: float, times: np.ndarray, values: np.ndarray) -> None:
    """Write one buffer."""
    whole = np.concatenate([[last, len(times) - 1], times, values])
    state[at : at + len(whole)] = whole
