"""Where bodies are for given joint positions."""

from __future__ import annotations

import math

import numpy as np

from cortenforge.enums import JointType
from cortenforge.spec.rotation import (
    Quaternion,
    Vector,
    add,
    multiply,
    normalized,
    rotate,
    subtract,
)

Arrays = dict[str, np.ndarray]


def body_poses(arrays: Arrays, qpos: np.ndarray) -> tuple[list[Vector], list[Quaternion]]:
    """Positions and orientations of all bodies; mocap bodies stand where they were put."""
    xpos: list[Vector] = [(0.0, 0.0, 0.0)]
    xquat: list[Quaternion] = [(1.0, 0.0, 0.0, 0.0)]
    local = zip(
        arrays["body_parentid"].tolist(),
        arrays["body_pos"].tolist(),
        arrays["body_quat"].tolist(),
        strict=True,
    )
    for body, (parent, offset, turned) in enumerate(local):
        if not body:
            continue
        pos = add(xpos[parent], rotate(xquat[parent], tuple(offset)))
        quat = multiply(xquat[parent], tuple(turned))
        first, count = int(arrays["body_jntadr"][body]), int(arrays["body_jntnum"][body])
        for joint in range(first, first + count):
            pos, quat = _moved(arrays, joint, qpos, pos, quat)
        xpos.append(pos)
        xquat.append(quat)
    return xpos, xquat


def _moved(
    arrays: Arrays, joint: int, qpos: np.ndarray, pos: Vector, quat: Quaternion
) -> tuple[Vector, Quaternion]:
    """A body's pose after one more of its joints."""
    kind, adr = arrays["jnt_type"][joint], int(arrays["jnt_qposadr"][joint])
    values = tuple(qpos[adr : adr + 7].tolist())
    if kind == JointType.FREE:
        return values[:3], normalized(values[3:])
    axis = tuple(arrays["jnt_axis"][joint].tolist())
    if kind == JointType.BALL:
        turn = normalized(values[:4])
    else:
        change = values[0] - float(arrays["qpos0"][adr])
        if not change:
            return pos, quat
        if kind == JointType.SLIDE:
            x, y, z = rotate(quat, axis)
            return add(pos, (change * x, change * y, change * z)), quat
        sine = math.sin(0.5 * change)
        turn = (math.cos(0.5 * change), sine * axis[0], sine * axis[1], sine * axis[2])
    arm = tuple(arrays["jnt_pos"][joint].tolist())
    anchor = add(pos, rotate(quat, arm))
    quat = multiply(quat, turn)
    return subtract(anchor, rotate(quat, arm)), quat
