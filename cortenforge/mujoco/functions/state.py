"""State vectors by signature, copies of data, keyframes."""

from __future__ import annotations

import numpy as np

from cortenforge.model.internals import copy_world, read_state, state_size, write_state
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import FatalError
from cortenforge.mujoco.functions.pipeline import ready
from cortenforge.mujoco.functions.sizes import check_index, check_size
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function

STATE = ENUMS["mjtState"]
NSTATE = int(STATE["mjNSTATE"])


#: fields of state vectors in the order of their bits, of which one is always empty
FIELDS = (
    *("time", "qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied"),
    *("xfrc_applied", "eq_active", "mocap_pos", "mocap_quat", "userdata", "", "plastic"),
)


def state_fields(sig: int) -> list[str]:
    """Fields of a signature, in order."""
    return [name for bit, name in enumerate(FIELDS) if name and sig >> bit & 1]


def field_size(m: MjModel, name: str) -> int:
    """How many numbers of a state vector a field has."""
    return size_of_state(m, 1 << FIELDS.index(name))


def _checked_signature(name: str, sig: int) -> None:
    if sig < 0:
        raise FatalError(f"{name}: invalid state signature {sig} < 0")
    if sig >= 1 << NSTATE:
        raise FatalError(f"{name}: invalid state signature {sig} >= 2^mjNSTATE")


def size_of_state(m: MjModel, sig: int) -> int:
    """How many numbers the state of a signature has; kept with the model."""
    size = m._state_sizes.get(sig)
    if size is None:
        size = m._state_sizes[sig] = state_size(m._native, sig)
    return size


def _check_length(m: MjModel, state: np.ndarray, sig: int) -> None:
    if sig < 0:
        raise TypeError(f"sig must not be negative, got {sig}")
    if sig >= 1 << NSTATE:
        _checked_signature("mj_stateSize", sig)
    if len(state) != size_of_state(m, sig):
        raise TypeError("state size should equal mj_stateSize(m, sig)")


@function
def mj_stateSize(m: MjModel, sig: int) -> int:
    """How many numbers the state of a signature has."""
    _checked_signature("mj_stateSize", sig)
    return size_of_state(m, sig)


@function
def mj_getState(m: MjModel, d: MjData, state: np.ndarray, sig: int) -> None:
    """Copy the state of a signature into a vector."""
    _check_length(m, state, sig)
    ready(m, d)
    read_state(d._native, sig, state)


@function
def mj_setState(m: MjModel, d: MjData, state: np.ndarray, sig: int) -> None:
    """Set the state of a signature from a vector."""
    _check_length(m, state, sig)
    ready(m, d)
    write_state(d._native, sig, state)
    d._read_flags()


@function
def mj_setKeyframe(m: MjModel, d: MjData, k: int) -> None:
    """Store the state in a keyframe of the model."""
    if not 0 <= k < m.nkey:
        bound = "smaller than" if k >= 0 else "at least"
        limit = f"{m.nkey} (keyframes allocated in model)" if k >= 0 else "0"
        raise FatalError(f"mj_setKeyframe: index must be {bound} {limit}")
    ready(m, d)
    d._native.to_keyframe(k)


@function
def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: int) -> None:
    """Copy the state of a signature from one data to another."""
    _checked_signature("mj_copyState", sig)
    ready(m, src)
    ready(m, dst)
    vector = np.empty(size_of_state(m, sig))
    read_state(src._native, sig, vector)
    write_state(dst._native, sig, vector)
    dst._read_flags()


@function
def mj_extractState(m: MjModel, src: np.ndarray, srcsig: int, dst: np.ndarray, dstsig: int) -> None:
    """Copy the part of a signature out of a state vector of another."""
    _checked_signature("mj_extractState", srcsig)
    if srcsig & dstsig != dstsig:
        raise FatalError("mj_extractState: dstsig is not a subset of srcsig")
    for name, array, sig in (("src", src, srcsig), ("dst", dst, dstsig)):
        if len(array) != size_of_state(m, sig):
            raise TypeError(f"{name} size should equal mj_stateSize(m, {name}sig)")
    start = at = 0
    for bit in (1 << k for k in range(NSTATE) if srcsig >> k & 1):
        size = size_of_state(m, bit)
        if bit & dstsig:
            dst[at : at + size] = src[start : start + size]
            at += size
        start += size


@function
def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> None:
    """Copy everything from one data to another."""
    ready(m, src)
    ready(m, dest)
    copy_world(src._native, dest._native)
    dest._read_flags()
    dest._copy_statistics(src)


#: interpolation by its number; -1 for that of the actuator or sensor
INTERPOLATIONS = {-1: None, 0: "zoh", 1: "linear", 2: "cubic"}


def _interpolation(name: str, interp: int) -> str | None:
    if interp not in INTERPOLATIONS:
        raise FatalError(f"{name}: invalid interpolation order {interp}")
    return INTERPOLATIONS[interp]


@function
def mj_readCtrl(
    m: MjModel, d: MjData, id: int, time: float, result: np.ndarray, interp: int
) -> None:
    """Controls of an actuator at a time, minus its delay."""
    check_index("actuator", id, m.nactuator)
    check_size("result", result, int(m.actuator_ctrlnum[id]), "actuator_ctrlnum[id]")
    ready(m, d)
    result[:] = d._native.read_ctrl(id, time, _interpolation("mj_readCtrl", interp))


@function
def mj_readSensor(
    m: MjModel, d: MjData, id: int, time: float, result: np.ndarray, interp: int
) -> np.ndarray:
    """The reading of a sensor at a time, minus its delay."""
    check_index("sensor", id, m.nsensor)
    if len(result) != m.sensor_dim[id]:
        raise TypeError("result should have length sensor_dim[id]")
    ready(m, d)
    result[:] = d._native.read_sensor(id, time, _interpolation("mj_readSensor", interp))
    return result


@function
def mj_initCtrlHistory(
    m: MjModel, d: MjData, id: int, times: np.ndarray | None, values: np.ndarray
) -> None:
    """Set past controls of an actuator, the oldest first."""
    check_index("actuator", id, m.nactuator)
    count = int(m.actuator_history[id, 0])
    if times is not None and len(times) != count:
        raise TypeError("times should have length actuator_history[2*id]")
    shape = (count, int(m.actuator_ctrlnum[id]))
    if values.size != shape[0] * shape[1]:
        raise TypeError("values should have length actuator_history[2*id]")
    ready(m, d)
    d._native.init_ctrl_history(id, values.reshape(shape), times)


@function
def mj_initSensorHistory(
    m: MjModel,
    d: MjData,
    id: int,
    times: np.ndarray | None,
    values: np.ndarray,
    phase: float,
) -> None:
    """Set past readings of a sensor, the oldest first, and when it was last read."""
    check_index("sensor", id, m.nsensor)
    shape = (int(m.sensor_history[id, 0]), int(m.sensor_dim[id]))
    if times is not None and len(times) != shape[0]:
        raise TypeError("times should have length sensor_history[2*id]")
    if values.shape != shape and not (shape[1] == 1 and values.shape == shape[:1]):
        raise TypeError("values should have shape (sensor_history[2*id], sensor_dim[id])")
    ready(m, d)
    d._native.init_sensor_history(id, values.reshape(shape), times, phase)
