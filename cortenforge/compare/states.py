"""Random states of a model, of either engine."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

__all__ = ["State", "random_state"]

FREE, BALL, SLIDE = 0, 1, 2


@dataclass(frozen=True)
class State:
    """What a caller can set before a step; the names are those of Data."""

    qpos: np.ndarray
    qvel: np.ndarray
    qfrc_applied: np.ndarray
    xfrc_applied: np.ndarray
    mocap_pos: np.ndarray
    mocap_quat: np.ndarray
    ctrl: np.ndarray
    act: np.ndarray

    def write(self, data: Any) -> None:
        """Copy this state into a Data of CortenForge or an MjData of MuJoCo."""
        for field in fields(self):
            getattr(data, field.name)[:] = getattr(self, field.name)


def random_state(model: Any, rng: np.random.Generator, *, raw_quaternions: bool = True) -> State:
    """Positions, velocities, activations, forces, controls and mocap poses for a model.

    With `raw_quaternions` a quarter of the quaternions are not of unit length, as a caller may
    write them: both engines have to normalise.
    """
    qpos = np.zeros(model.nq)
    for kind, start in zip(model.jnt_type, model.jnt_qposadr, strict=True):
        if kind == FREE:
            qpos[start : start + 3] = rng.normal(size=3) * 0.5
            qpos[start + 3 : start + 7] = _quaternion(rng, raw_quaternions)
        elif kind == BALL:
            qpos[start : start + 4] = _quaternion(rng, raw_quaternions)
        elif kind == SLIDE:
            qpos[start] = rng.uniform(-0.4, 0.4)
        else:
            qpos[start] = rng.uniform(-2.5, 2.5)
    mocap_quat = [_quaternion(rng, raw_quaternions) for _ in range(model.nmocap)]
    xfrc = rng.normal(size=(model.nbody, 6)) * (rng.random((model.nbody, 1)) < 0.3)
    xfrc[0] = 0  # nothing pushes the world
    return State(
        qpos=qpos,
        qvel=rng.normal(size=model.nv),
        qfrc_applied=rng.normal(size=model.nv) * (rng.random() < 0.7),
        xfrc_applied=xfrc,
        mocap_pos=rng.normal(size=(model.nmocap, 3)),
        mocap_quat=np.array(mocap_quat).reshape(-1, 4),
        ctrl=rng.normal(size=model.nu),
        act=rng.uniform(-0.5, 1.5, size=model.na),
    )


def _quaternion(rng: np.random.Generator, raw: bool) -> np.ndarray:
    quat = rng.normal(size=4)
    quat /= np.linalg.norm(quat)
    return quat * rng.uniform(0.5, 2) if raw and rng.random() < 0.25 else quat
