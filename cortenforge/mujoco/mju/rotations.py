"""Quaternions (w, x, y, z), rotation matrices and poses.

    a b = (a_w b_w - a.b, a_w b + b_w a + a x b)        q' = (0, w) q / 2,  w in the world
    pose (p, q) of (p2, q2): (p + R(q) p2, q q2)

Sources: Sola, "Quaternion kinematics for the error-state Kalman filter", 2017 (arXiv:1711.02508);
Mueller, Bender, Chentanez and Macklin, "A robust method to extract the rotational part of
deformations", MIG 2016 (`mju_mat2Rot`).
"""

from __future__ import annotations

import math

import numpy as np

from cortenforge.kernel.language.values import hamilton_product
from cortenforge.math.vector import MINVAL
from cortenforge.mujoco.errors import FatalError
from cortenforge.mujoco.registry import function
from cortenforge.spec.rotation import conjugate, from_axes, rotate, rotation_matrix

IDENTITY = (1.0, 0.0, 0.0, 0.0)
#: of `mju_mat2Rot`: iterations at most, and the angle at which they end
MOST_ITERATIONS, SMALL_TURN = 500, 1e-9


def axis_of(vector: list[float]) -> tuple[list[float], float]:
    """A vector's direction, the x axis if it is zero, and its length."""
    length = math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
    if length < MINVAL:
        return [1.0, 0.0, 0.0], length
    return [part / length for part in vector], length


def axis_angle(axis: list[float], angle: float) -> tuple[float, float, float, float]:
    """Quaternion of a rotation about an axis."""
    if angle == 0.0:
        return IDENTITY
    s = math.sin(0.5 * angle)
    return math.cos(0.5 * angle), axis[0] * s, axis[1] * s, axis[2] * s


def unit_quaternion(q: list[float]) -> list[float]:
    """A quaternion scaled to length 1; the identity if it is zero."""
    length = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if length < MINVAL:
        return list(IDENTITY)
    return q if abs(length - 1.0) <= MINVAL else [part / length for part in q]


def rotation_vector_of(q: list[float]) -> list[float]:
    """Axis times angle of a quaternion; the angle is at most pi."""
    axis, length = axis_of(q[1:])
    angle = 2.0 * math.atan2(length, q[0])
    if angle > math.pi:
        angle -= 2.0 * math.pi
    return [part * angle for part in axis]


@function
def mju_rotVecQuat(res: np.ndarray, vec: np.ndarray, quat: np.ndarray) -> None:
    """Rotate a vector by a quaternion."""
    res[:] = rotate(tuple(quat.tolist()), tuple(vec.tolist()))


@function
def mju_negQuat(res: np.ndarray, quat: np.ndarray) -> None:
    """Conjugate quaternion: the inverse rotation."""
    res[:] = conjugate(tuple(quat.tolist()))


@function
def mju_mulQuat(res: np.ndarray, quat1: np.ndarray, quat2: np.ndarray) -> None:
    """Product of quaternions."""
    res[:] = hamilton_product(*quat1.tolist(), *quat2.tolist())


@function
def mju_mulQuatAxis(res: np.ndarray, quat: np.ndarray, axis: np.ndarray) -> None:
    """Product of a quaternion and an axis, a quaternion without real part."""
    w, a, b, c = quat.tolist()
    x, y, z = axis.tolist()
    res[:] = hamilton_product(w, a, b, c, 0.0, x, y, z)


@function
def mju_axisAngle2Quat(res: np.ndarray, axis: np.ndarray, angle: float) -> None:
    """Quaternion of a rotation about an axis."""
    res[:] = axis_angle(axis.tolist(), angle)


@function
def mju_quat2Vel(res: np.ndarray, quat: np.ndarray, dt: float) -> None:
    """Angular velocity that gives a rotation in a time."""
    res[:] = rotation_vector_of(quat.tolist())
    with np.errstate(all="ignore"):
        res /= dt


@function
def mju_subQuat(res: np.ndarray, qa: np.ndarray, qb: np.ndarray) -> None:
    """Rotation vector from qb to qa, in the axes of qb."""
    back = conjugate(tuple(qb.tolist()))
    res[:] = rotation_vector_of(list(hamilton_product(*back, *qa.tolist())))


@function
def mju_quat2Mat(res: np.ndarray, quat: np.ndarray) -> None:
    """Rotation matrix of a quaternion."""
    res[:] = rotation_matrix(tuple(quat.tolist()))


@function
def mju_mat2Quat(quat: np.ndarray, mat: np.ndarray) -> None:
    """Quaternion of a rotation matrix."""
    columns = mat.reshape(3, 3).T.tolist()
    quat[:] = unit_quaternion(list(from_axes(*(tuple(column) for column in columns))))


@function
def mju_derivQuat(res: np.ndarray, quat: np.ndarray, vel: np.ndarray) -> None:
    """Time derivative of a quaternion, given the angular velocity in the world."""
    res[:] = hamilton_product(0.0, *(0.5 * vel).tolist(), *quat.tolist())


@function
def mju_quatIntegrate(quat: np.ndarray, vel: np.ndarray, scale: float) -> None:
    """Rotate a quaternion by an angular velocity, in its own axes, for a time."""
    axis, speed = axis_of(vel.tolist())
    turn = axis_angle(axis, scale * speed)
    w, x, y, z = unit_quaternion(quat.tolist())
    quat[:] = hamilton_product(w, x, y, z, *turn)


@function
def mju_quatZ2Vec(quat: np.ndarray, vec: np.ndarray) -> None:
    """The shortest rotation that takes the z axis to the direction of a vector."""
    x, y, z = vec.tolist()
    length = math.sqrt(x * x + y * y + z * z)
    if length < MINVAL:
        quat[:] = IDENTITY
        return
    x, y, z = x / length, y / length, z / length
    axis, sine = axis_of([-y, x, 0.0])
    if sine < MINVAL:
        # along z, or opposite to it
        quat[:] = IDENTITY if z > 0.0 else (0.0, 1.0, 0.0, 0.0)
        return
    quat[:] = axis_angle(axis, math.atan2(sine, z))


@function
def mju_mat2Rot(quat: np.ndarray, mat: np.ndarray) -> int:
    """Rotation nearest to a 3x3 matrix, from a first guess in quat.  Returns the iterations.

    Each iteration turns R by the rotation vector sum of r_i x m_i over |sum of r_i . m_i|, r_i and
    m_i the columns of R and of the matrix.
    """
    columns = mat.reshape(3, 3).T
    for iteration in range(MOST_ITERATIONS):
        own = np.reshape(rotation_matrix(tuple(quat.tolist())), (3, 3)).T
        turn = np.cross(own, columns).sum(0) / (abs(float((own * columns).sum())) + MINVAL)
        axis, angle = axis_of(turn.tolist())
        if angle < SMALL_TURN:
            return iteration
        product = hamilton_product(*axis_angle(axis, angle), *quat.tolist())
        quat[:] = unit_quaternion(list(product))
    return MOST_ITERATIONS


@function
def mju_euler2Quat(quat: np.ndarray, euler: np.ndarray, seq: str) -> None:
    """Quaternion of three rotations; axes of lower case move with them, upper case are fixed."""
    if len(seq) != 3:
        raise FatalError("mju_euler2Quat: seq must contain exactly 3 characters")
    found = IDENTITY
    for k, (letter, angle) in enumerate(zip(seq, euler.tolist(), strict=True)):
        if letter not in "xyzXYZ":
            raise FatalError(
                f"mju_euler2Quat: seq[{k}] is '{letter}', should be one of x, y, z, X, Y, Z"
            )
        step = axis_angle([float(letter.lower() == axis) for axis in "xyz"], angle)
        pair = (*found, *step) if letter.islower() else (*step, *found)
        found = hamilton_product(*pair)
    quat[:] = found


@function
def mju_mulPose(
    posres: np.ndarray,
    quatres: np.ndarray,
    pos1: np.ndarray,
    quat1: np.ndarray,
    pos2: np.ndarray,
    quat2: np.ndarray,
) -> None:
    """Product of two poses: the second as seen from where the first is given."""
    turn = quat1.tolist()
    moved = rotate(tuple(turn), tuple(pos2.tolist()))
    product = hamilton_product(*turn, *quat2.tolist())
    posres[:] = pos1 + moved
    quatres[:] = product


@function
def mju_negPose(posres: np.ndarray, quatres: np.ndarray, pos: np.ndarray, quat: np.ndarray) -> None:
    """The inverse of a pose."""
    back = conjugate(tuple(quat.tolist()))
    moved = rotate(back, tuple(pos.tolist()))
    quatres[:] = back
    posres[:] = [-part for part in moved]


@function
def mju_trnVecPose(res: np.ndarray, pos: np.ndarray, quat: np.ndarray, vec: np.ndarray) -> None:
    """A point, given in the frame of a pose, in the frame where the pose is given."""
    res[:] = pos + rotate(tuple(quat.tolist()), tuple(vec.tolist()))
