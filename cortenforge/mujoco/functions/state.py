"""State vectors by signature, copies of data, keyframes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from cortenforge.model.internals import copy_world
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import FatalError
from cortenforge.mujoco.functions.pipeline import ready
from cortenforge.mujoco.functions.sizes import check_index, check_size
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function

STATE = ENUMS["mjtState"]
NSTATE = int(STATE["mjNSTATE"])
#: fields of state vectors, by their bits, in order; None for what does not exist here
STATE_FIELDS: tuple[tuple[int, str | None], ...] = (
    (int(STATE["mjSTATE_TIME"]), "time"),
    (int(STATE["mjSTATE_QPOS"]), "qpos"),
    (int(STATE["mjSTATE_QVEL"]), "qvel"),
    (int(STATE["mjSTATE_ACT"]), "act"),
    (int(STATE["mjSTATE_HISTORY"]), "history"),
    (int(STATE["mjSTATE_WARMSTART"]), "qacc_warmstart"),
    (int(STATE["mjSTATE_CTRL"]), "ctrl"),
    (int(STATE["mjSTATE_QFRC_APPLIED"]), "qfrc_applied"),
    (int(STATE["mjSTATE_XFRC_APPLIED"]), "xfrc_applied"),
    (int(STATE["mjSTATE_EQ_ACTIVE"]), "eq_active"),
    (int(STATE["mjSTATE_MOCAP_POS"]), "mocap_pos"),
    (int(STATE["mjSTATE_MOCAP_QUAT"]), "mocap_quat"),
    (int(STATE["mjSTATE_USERDATA"]), "userdata"),
    (int(STATE["mjSTATE_PLUGIN"]), None),
    (int(STATE["mjSTATE_PLASTIC"]), "plastic"),
)
#: sizes of these fields in a model
SIZES: dict[str, Callable[[MjModel], int]] = {
    "time": lambda m: 1,
    "qpos": lambda m: m.nq,
    "qvel": lambda m: m.nv,
    "act": lambda m: m.na,
    "history": lambda m: m.nhistory,
    "qacc_warmstart": lambda m: m.nv,
    "ctrl": lambda m: m.nu,
    "qfrc_applied": lambda m: m.nv,
    "xfrc_applied": lambda m: 6 * m.nbody,
    "eq_active": lambda m: m.neq,
    "mocap_pos": lambda m: 3 * m.nmocap,
    "mocap_quat": lambda m: 4 * m.nmocap,
    "userdata": lambda m: m.nuserdata,
    "plastic": lambda m: m.nplastic,
}


def state_fields(sig: int) -> Iterator[str]:
    """Fields of a signature."""
    return (name for bit, name in STATE_FIELDS if sig & bit and name)


def _checked_signature(name: str, sig: int) -> None:
    if sig < 0:
        raise FatalError(f"{name}: invalid state signature {sig} < 0")
    if sig >= 1 << NSTATE:
        raise FatalError(f"{name}: invalid state signature {sig} >= 2^mjNSTATE")


def state_size(m: MjModel, sig: int) -> int:
    """How many numbers a state vector has."""
    return sum(SIZES[name](m) for name in state_fields(sig))


def _check_length(m: MjModel, state: np.ndarray, sig: int) -> None:
    if sig < 0:
        raise TypeError(f"sig must not be negative, got {sig}")
    if len(state) != state_size(m, sig):
        raise TypeError("state size should equal mj_stateSize(m, sig)")


@function
def mj_stateSize(m: MjModel, sig: int) -> int:
    """How many numbers the state of a signature has."""
    _checked_signature("mj_stateSize", sig)
    return state_size(m, sig)


@function
def mj_getState(m: MjModel, d: MjData, state: np.ndarray, sig: int) -> None:
    """Copy the state of a signature into a vector."""
    _check_length(m, state, sig)
    _checked_signature("mj_getState", sig)
    ready(m, d)
    at = 0
    for name in state_fields(sig):
        part = d._arrays[name]
        state[at : at + part.size] = part.reshape(-1)
        at += part.size


@function
def mj_setState(m: MjModel, d: MjData, state: np.ndarray, sig: int) -> None:
    """Set the state of a signature from a vector."""
    _check_length(m, state, sig)
    _checked_signature("mj_setState", sig)
    ready(m, d)
    at = 0
    for name in state_fields(sig):
        part = d._arrays[name]
        part[...] = state[at : at + part.size].reshape(part.shape)
        at += part.size
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
    for name in state_fields(sig):
        dst._arrays[name][...] = src._arrays[name]
    dst._read_flags()


@function
def mj_extractState(m: MjModel, src: np.ndarray, srcsig: int, dst: np.ndarray, dstsig: int) -> None:
    """Copy the part of a signature out of a state vector of another."""
    _checked_signature("mj_extractState", srcsig)
    if srcsig & dstsig != dstsig:
        raise FatalError("mj_extractState: dstsig is not a subset of srcsig")
    for name, array, sig in (("src", src, srcsig), ("dst", dst, dstsig)):
        if len(array) != state_size(m, sig):
            raise TypeError(f"{name} size should equal mj_stateSize(m, {name}sig)")
    start = at = 0
    wanted = set(state_fields(dstsig))
    for field in state_fields(srcsig):
        size = SIZES[field](m)
        if field in wanted:
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
