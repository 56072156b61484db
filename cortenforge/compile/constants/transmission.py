"""Actuators in a position: length, moment arms, and what follows from inertia.

Lengths and moment arms go when the engine's transmissions are kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.compile.constants.response import DenseResponse, Response, Row
from cortenforge.compile.constants.tendon_constants import dofs_above
from cortenforge.enums import Gain, JointType, Transmission, WrapType
from cortenforge.spec.rotation import (
    Quaternion,
    Vector,
    conjugate,
    matrix,
    multiply,
    normalized,
    rotate,
)

Arrays = dict[str, np.ndarray]
#: lengths, dofs, and moment arms (lengths, dofs) of an actuator
Acting = tuple[np.ndarray, np.ndarray, np.ndarray]
ON_JOINT = (Transmission.JOINT, Transmission.JOINTINPARENT)
SLEEP_AUTO_ALLOWED, SLEEP_AUTO_NEVER = 2, 1
MINVAL = 1e-15
# what a step of a tendon's path stands on
WRAPPED = {
    int(WrapType.JOINT): "jnt",
    int(WrapType.SITE): "site",
    int(WrapType.SPHERE): "geom",
    int(WrapType.CYLINDER): "geom",
}


@dataclass
class Poses:
    """A position: sites, unit motions of dofs, the points they are about, and tendons."""

    qpos: np.ndarray
    site_xpos: list[Vector]
    site_xquat: list[Quaternion]
    motion: np.ndarray
    centre: np.ndarray
    tendons: list[Row]
    tendon_length: np.ndarray


def actuator_armature(arrays: Arrays) -> np.ndarray:
    """Inertia that actuators add to each dof."""
    extra = np.zeros(len(arrays["jnt_type"]))
    gear = arrays["actuator_gear"][arrays["actuator_outadr"], 0]
    for i in np.flatnonzero(arrays["actuator_armature"]):
        if arrays["actuator_trntype"][i] in ON_JOINT:
            extra[arrays["actuator_trnid"][i, 0]] += arrays["actuator_armature"][i] * gear[i] ** 2
    return extra[arrays["dof_jntid"]]


def tendon_armature(arrays: Arrays) -> np.ndarray:
    """Inertia of each tendon, with what actuators add."""
    total = arrays["tendon_armature"].copy()
    gear = arrays["actuator_gear"][arrays["actuator_outadr"], 0]
    for i in np.flatnonzero(arrays["actuator_trntype"] == Transmission.TENDON):
        total[arrays["actuator_trnid"][i, 0]] += arrays["actuator_armature"][i] * gear[i] ** 2
    return total


def link_actuators(arrays: Arrays) -> None:
    """Mark joints and tendons to which actuators add damping or inertia, and trees that cannot
    fall asleep."""
    adds = (arrays["actuator_damping"] != 0) | (arrays["actuator_armature"] != 0)
    adds |= arrays["actuator_dampingpoly"].any(axis=1)
    linked, pulled = arrays["jnt_actuatorid"], arrays["tendon_actuatorid"]
    linked[:] = pulled[:] = -1
    policy = arrays["tree_sleep_policy"]
    for i, kind in enumerate(arrays["actuator_trntype"].tolist()):
        target, second = arrays["actuator_trnid"][i].tolist()
        if adds[i] and kind in ON_JOINT:
            linked[target] = i if linked[target] == -1 else -2
        elif adds[i] and kind == Transmission.TENDON:
            pulled[target] = i if pulled[target] == -1 else -2
        for body in _bodies_of(arrays, kind, target, second):
            tree = arrays["body_treeid"][body]
            if tree >= 0 and policy[tree] == SLEEP_AUTO_ALLOWED:
                policy[tree] = SLEEP_AUTO_NEVER


def _bodies_of(arrays: Arrays, kind: int, target: int, second: int) -> list[int]:
    """The bodies that an actuator moves."""
    if kind == Transmission.BODY:
        return [target]
    if kind == Transmission.TENDON:
        return _bodies_of_tendon(arrays, target)
    if kind in ON_JOINT or (kind == Transmission.SO3 and second < 0):
        return [int(arrays["jnt_bodyid"][target])]
    return [int(arrays["site_bodyid"][site]) for site in (target, second) if site >= 0]


def _bodies_of_tendon(arrays: Arrays, tendon: int) -> list[int]:
    """The bodies along the path of a tendon."""
    start = int(arrays["tendon_adr"][tendon])
    found = []
    for at in range(start, start + int(arrays["tendon_num"][tendon])):
        prefix = WRAPPED.get(int(arrays["wrap_type"][at]))
        if prefix is not None:
            found.append(int(arrays[f"{prefix}_bodyid"][arrays["wrap_objid"][at]]))
    return found


def set_actuator_constants(
    arrays: Arrays, poses: Poses, response: Response | DenseResponse
) -> np.ndarray:
    """actuator_length0 and actuator_acc0; returns the inverse inertia that each output meets."""
    lengths: list[float] = []
    rows: list[Row] = []
    for i in range(len(arrays["actuator_trntype"])):
        length, dofs, moment = acting(arrays, poses, i)
        lengths += length.tolist()
        rows += [(dofs[row != 0], row[row != 0]) for row in moment]
    arrays["actuator_length0"] = np.array(lengths, np.float64)
    arrays["actuator_acc0"], felt = response.of(rows)
    return felt


def resolve_damping_ratios(arrays: Arrays, felt: np.ndarray) -> None:
    """Replace a damping ratio, a positive biasprm[2] of a servo, by minus the damping."""
    for i, bias in enumerate(arrays["actuator_biasprm"]):
        pid = arrays["actuator_gaintype"][i] == Gain.PID
        stiffness = -bias[1] if pid else arrays["actuator_gainprm"][i, 0]
        if bias[2] <= 0 or stiffness != -bias[1]:
            continue
        out, count = arrays["actuator_outadr"][i], arrays["actuator_outnum"][i]
        inverse = float(np.mean(felt[out : out + count]))
        mass = 1 / inverse if inverse > MINVAL else 0.0
        bias[2] = -bias[2] * 2 * np.sqrt(stiffness * mass)


def acting(arrays: Arrays, poses: Poses, i: int) -> Acting:
    """One actuator in a position."""
    kind = int(arrays["actuator_trntype"][i])
    target, second = arrays["actuator_trnid"][i].tolist()
    gear = arrays["actuator_gear"][arrays["actuator_outadr"][i]]
    if kind in ON_JOINT:
        in_parent = kind == Transmission.JOINTINPARENT
        return _act_on_joint(arrays, poses.qpos, target, gear, in_parent)
    if kind == Transmission.SO3 and second < 0:
        at = arrays["jnt_qposadr"][target]
        turn = rotation_vector(tuple(poses.qpos[at : at + 4].tolist()))
        return turn, arrays["jnt_dofadr"][target] + np.arange(3), np.eye(3)
    if kind == Transmission.SO3:
        turn = _turn_between(poses, target, second)
        dofs, _, turning = _relative(arrays, poses, target, second)
        return turn, dofs, _frame(poses, target).T @ turning
    if kind == Transmission.SITE:
        return _act_on_site(arrays, poses, target, second, gear)
    if kind == Transmission.SLIDERCRANK:
        rod = arrays["actuator_cranklength"][i]
        return _act_on_crank(arrays, poses, target, second, rod, gear[0])
    if kind == Transmission.TENDON:
        dofs, values = poses.tendons[target]
        length = np.array([poses.tendon_length[target] * gear[0]])
        return length, dofs, (values * gear[0])[None]
    return np.zeros(1), np.zeros(0, int), np.zeros((1, 0))


def _act_on_joint(
    arrays: Arrays, qpos: np.ndarray, joint: int, gear: np.ndarray, in_parent: bool
) -> Acting:
    kind, dof = int(arrays["jnt_type"][joint]), int(arrays["jnt_dofadr"][joint])
    at = arrays["jnt_qposadr"][joint]
    if kind in (JointType.SLIDE, JointType.HINGE):
        return qpos[at : at + 1] * gear[0], np.array([dof]), gear[None, :1]
    # the turning part of the gear is given in the frame of the parent, or in the joint's own
    ball = kind == JointType.BALL
    quat = normalized(tuple(qpos[at + 3 * (not ball) :][:4].tolist()))
    axis = tuple(gear[:3].tolist() if ball else gear[3:].tolist())
    if in_parent:
        axis = rotate(conjugate(quat), axis)
    if ball:
        length = np.array([rotation_vector(quat) @ axis])
        return length, dof + np.arange(3), np.array([axis])
    return np.zeros(1), dof + np.arange(6), np.array([(*gear[:3].tolist(), *axis)])


def _act_on_site(
    arrays: Arrays, poses: Poses, site: int, reference: int, gear: np.ndarray
) -> Acting:
    dofs, moving, turning = _relative(arrays, poses, site, reference)
    frame = _frame(poses, site if reference < 0 else reference)
    row = (frame @ gear[:3]) @ moving + (frame @ gear[3:]) @ turning
    length = 0.0
    if reference >= 0:
        shift = np.subtract(poses.site_xpos[site], poses.site_xpos[reference])
        length = float(frame.T @ shift @ gear[:3])
        if gear[3:].any():
            length += float(_turn_between(poses, site, reference) @ gear[3:])
    return np.array([length]), dofs, row[None]


def _act_on_crank(
    arrays: Arrays, poses: Poses, crank: int, slider: int, rod: float, gear: float
) -> Acting:
    """A slider moved along its z axis by a rod to the crank."""
    axis = _frame(poses, slider)[:, 2]
    arm = np.subtract(poses.site_xpos[crank], poses.site_xpos[slider])
    along = float(arm @ axis)
    square = along * along + rod * rod - float(arm @ arm)
    root = np.sqrt(square) if square > 0 else 0.0
    to_arm, to_axis = axis, arm
    if square > 0:
        to_arm, to_axis = axis * (1 - along / root) + arm / root, arm * (1 - along / root)
    dofs = np.union1d(_chain(arrays, crank), _chain(arrays, slider))
    moving, _ = _jacobian(arrays, poses, crank, dofs)
    sliding, turning = _jacobian(arrays, poses, slider, dofs)
    change_of_axis = np.cross(turning, axis, axis=0, axisb=0, axisc=0) if turning.size else turning
    row = to_axis @ change_of_axis + to_arm @ (moving - sliding)
    return np.array([(along - root) * gear]), dofs, (row * gear)[None]


def _frame(poses: Poses, site: int) -> np.ndarray:
    return np.array(matrix(poses.site_xquat[site])).reshape(3, 3)


def _turn_between(poses: Poses, site: int, reference: int) -> np.ndarray:
    """The rotation that takes the reference site's frame to the site's, as a vector."""
    return rotation_vector(multiply(conjugate(poses.site_xquat[reference]), poses.site_xquat[site]))


def rotation_vector(quat: Quaternion) -> np.ndarray:
    """A rotation as a vector, by the shorter way."""
    vector = np.array(quat[1:])
    norm = float(np.linalg.norm(vector))
    if norm < MINVAL:
        return np.zeros(3)
    angle = 2 * np.arctan2(norm, quat[0])
    if angle > np.pi:
        angle -= 2 * np.pi
    turn: np.ndarray = vector / norm * angle
    return turn


def _relative(
    arrays: Arrays, poses: Poses, site: int, reference: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Jacobians of a site with respect to another; dofs that move both do not count."""
    dofs = _chain(arrays, site)
    if reference < 0:
        return dofs, *_jacobian(arrays, poses, site, dofs)
    dofs = np.setxor1d(dofs, _chain(arrays, reference))
    moving, turning = _jacobian(arrays, poses, site, dofs)
    other_moving, other_turning = _jacobian(arrays, poses, reference, dofs)
    return dofs, moving - other_moving, turning - other_turning


def _chain(arrays: Arrays, site: int) -> np.ndarray:
    """Dofs that move a site, in rising order."""
    return np.array(dofs_above(arrays, int(arrays["site_bodyid"][site])), int)


def _jacobian(
    arrays: Arrays, poses: Poses, site: int, dofs: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Velocity and rate of turn of a site for each of some dofs at unit speed."""
    root = arrays["body_rootid"][arrays["site_bodyid"][site]]
    moves = np.isin(dofs, _chain(arrays, site))
    motion = np.where(moves[:, None], poses.motion[dofs], 0.0)
    offset = np.array(poses.site_xpos[site]) - poses.centre[root]
    return (motion[:, 3:] + np.cross(motion[:, :3], offset)).T, motion[:, :3].T.copy()
