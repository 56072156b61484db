"""Initial values of state and inputs that follow from the model: positions, histories, controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Gain, JointType

if TYPE_CHECKING:
    from cortenforge.model.access.store import Store
    from cortenforge.model.model import Model

#: controls of an actuator whose setpoint is an orientation, given as a quaternion
QUAT_SIZE = 4

ModelArrays = Mapping[str, np.ndarray]
DataArrays = Mapping[str, np.ndarray]
#: writes initial values of some fields of a Data, by the fields of its model
InitialWriter = Callable[[DataArrays, ModelArrays], None]


def write_initial_state(data: DataArrays, model: Model) -> None:
    """Write what a reset takes from the model into the fields of a Data that has been cleared."""
    arrays = model._store.arrays
    data["qpos"][:] = data["placed_qpos"][:] = arrays["qpos0"]
    for write in model._initial_writers:
        write(data, arrays)


def initial_writers(store: Store) -> tuple[InitialWriter, ...]:
    """What else a reset writes in a model, for the things that it has.

    The others are left out, since a call of NumPy on fields of size zero takes as long.
    """
    sizes = store.sizes
    writers: dict[InitialWriter, bool | int] = {
        _write_equalities: sizes["neq"],
        _write_history: sizes["nhistory"],
        _write_plastic: sizes["nplastic"],
        _place_mocap_bodies: sizes["nmocap"],
        _write_controls: has_quat_controls(store.arrays),
        _place_deformables: sizes["nsoft"],
    }
    return tuple(write for write, is_needed in writers.items() if is_needed)


def _write_equalities(data: DataArrays, arrays: ModelArrays) -> None:
    data["eq_active"][:] = arrays["eq_active0"]


def _write_history(data: DataArrays, arrays: ModelArrays) -> None:
    history, dt = data["history"], arrays["opt_timestep"].item()
    history[:] = initial_history(arrays, len(history), dt)


def _write_plastic(data: DataArrays, arrays: ModelArrays) -> None:
    plastic = data["plastic"]
    plastic[:] = initial_plastic(arrays, len(plastic))


def _write_controls(data: DataArrays, arrays: ModelArrays) -> None:
    data["ctrl"][:] = initial_controls(arrays)


def _place_deformables(data: DataArrays, arrays: ModelArrays) -> None:
    positions = data["softvert_pos"]
    positions[:] = arrays["softvert_pos0"][: len(positions)]
    data["softrod_quat"][:] = arrays["softrod_quat0"]


def _place_mocap_bodies(data: DataArrays, arrays: ModelArrays) -> None:
    """Mocap bodies where the model has them."""
    bodies = np.flatnonzero(arrays["body_mocapid"] >= 0)
    order = arrays["body_mocapid"][bodies]
    data["mocap_pos"][order] = data["placed_mocap"][order, :3] = arrays["body_pos"][bodies]
    data["mocap_quat"][order] = data["placed_mocap"][order, 3:] = arrays["body_quat"][bodies]


def has_quat_controls(arrays: ModelArrays) -> bool:
    """Whether an actuator has as many controls as a quaternion."""
    return bool(np.any(arrays["actuator_ctrlnum"] == QUAT_SIZE))


def initial_controls(arrays: ModelArrays) -> np.ndarray:
    """Controls after a reset: zeros; the identity for orientation servos with quaternions."""
    controls = np.zeros(len(arrays["actuator_ctrllimited"]))
    four = arrays["actuator_ctrlnum"] == QUAT_SIZE
    quats = (arrays["actuator_gaintype"] == Gain.SO3) & four
    controls[arrays["actuator_ctrladr"][quats]] = 1.0
    return controls


def initial_plastic(arrays: ModelArrays, size: int) -> np.ndarray:
    """Plastic state after a reset: the rest positions of springs that have not yielded."""
    state = np.zeros(size)
    for joint in np.flatnonzero(arrays["jnt_plasticadr"] >= 0).tolist():
        width = 4 if arrays["jnt_type"][joint] == JointType.BALL else 1
        at, source = int(arrays["jnt_plasticadr"][joint]), int(arrays["jnt_qposadr"][joint])
        state[at : at + width] = arrays["qpos_spring"][source : source + width]
    for tendon in np.flatnonzero(arrays["tendon_plasticadr"] >= 0).tolist():
        at = int(arrays["tendon_plasticadr"][tendon])
        state[at : at + 2] = arrays["tendon_lengthspring"][tendon]
    return state


def initial_history(arrays: ModelArrays, size: int, dt: float) -> np.ndarray:
    """History buffers after a reset, with samples at the times before the first step.

    A buffer is [time of the last reading, index of the newest sample, times, values].
    """
    if not dt > 0:
        raise ValueError(f"opt.timestep: histories need a positive time step, got {dt}")
    state = np.zeros(size)
    controls = initial_controls(arrays)
    for i in np.flatnonzero(arrays["actuator_history"][:, 0] > 0).tolist():
        count = int(arrays["actuator_history"][i, 0])
        start, width = int(arrays["actuator_ctrladr"][i]), int(arrays["actuator_ctrlnum"][i])
        values = np.tile(controls[start : start + width], count)
        _write_buffer(
            state,
            int(arrays["actuator_historyadr"][i]),
            0.0,
            _times_before_start(count, dt),
            values,
        )
    for i in np.flatnonzero(arrays["sensor_history"][:, 0] > 0).tolist():
        count = int(arrays["sensor_history"][i, 0])
        period, phase = arrays["sensor_interval"][i].tolist()
        times, last = _times_before_start(count, dt), -dt
        if period > 0:
            last = phase if phase else -period
            times = np.ceil((last - period * np.arange(count - 1, -1, -1)) / dt) * dt
        _write_buffer(state, int(arrays["sensor_historyadr"][i]), last, times, np.zeros(0))
    return state


def _times_before_start(count: int, dt: float) -> np.ndarray:
    """Times of the `count` steps before time zero."""
    return -dt * np.arange(count, 0, -1)


def _write_buffer(
    state: np.ndarray, at: int, last: float, times: np.ndarray, values: np.ndarray
) -> None:
    """Write one history buffer at an address."""
    whole = np.concatenate([[last, len(times) - 1], times, values])
    state[at : at + len(whole)] = whole
