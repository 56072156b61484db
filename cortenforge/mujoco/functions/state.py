"""State vectors by signature, copies of data, keyframes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import FatalError
from cortenforge.mujoco.functions.pipeline import ready
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
    _checked_signature("mj_getState", sig)
    _check_length(m, state, sig)
    ready(m, d)
    at = 0
    for name in state_fields(sig):
        part = d._arrays[name]
        state[at : at + part.size] = part.reshape(-1)
        at += part.size


@function
def mj_setState(m: MjModel, d: MjData, state: np.ndarray, sig: int) -> None:
    """Set the state of a signature from a vector."""
    _checked_signature("mj_setState", sig)
    _check_length(m, state, sig)
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
