"""Vectors, quaternions and poses as tuples: on a handful of numbers much faster than arrays.

Thresholds and branches are MuJoCo's, so that borderline input takes the same path.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeVar

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Matrix = tuple[float, float, float, float, float, float, float, float, float]
Pose = tuple[Vector, Quaternion]
Numbers = TypeVar("Numbers", bound=tuple[float, ...])

MIN_NORM = 1e-14
ZERO_VECTOR: Vector = (0.0, 0.0, 0.0)
UNIT_QUAT: Quaternion = (1.0, 0.0, 0.0, 0.0)
IDENTITY_POSE: Pose = (ZERO_VECTOR, UNIT_QUAT)
_DIAGONAL: Matrix = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def vector_norm(values: tuple[float, ...]) -> float:
    """Length of a vector, 0 when its square is below 1e-14 (too short to have a direction)."""
    square = 0.0
    for value in values:
        square += value * value
    return 0.0 if square < MIN_NORM else math.sqrt(square)


def normalized(values: Numbers) -> Numbers:
    """The vector scaled to unit length; unchanged when it is zero or unit already."""
    length = vector_norm(values)
    if length == 0.0 or abs(length - 1.0) <= MIN_NORM:
        return values
    return tuple(value / length for value in values)  # type: ignore[return-value]  # as many


def vector(values: Iterable[float]) -> Vector:
    """Three numbers."""
    x, y, z = values
    return (float(x), float(y), float(z))


def quaternion(values: Iterable[float]) -> Quaternion:
    """Four numbers."""
    w, x, y, z = values
    return (float(w), float(x), float(y), float(z))


def radians(angle: float) -> float:
    """An angle in degrees, by the operations that MuJoCo uses."""
    return angle / 180.0 * math.pi


def cross(a: Vector, b: Vector) -> Vector:
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a: Vector, b: Vector) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def add(a: Vector, b: Vector) -> Vector:
    """Sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract(a: Vector, b: Vector) -> Vector:
    """Difference of two vectors."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def multiply_quats(p: Quaternion, q: Quaternion) -> Quaternion:
    """Product of two rotations, normalised."""
    return normalized(
        (
            p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
            p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
            p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
        )
    )


def conjugate(q: Quaternion) -> Quaternion:
    """The inverse of a unit quaternion."""
    return (q[0], -q[1], -q[2], -q[3])


def rotation_matrix(q: Quaternion) -> Matrix:
    """Rotation matrix of a quaternion, row by row."""
    if q == UNIT_QUAT:
        return _DIAGONAL
    w, x, y, z = q
    ww, xx, yy, zz = w * w, x * x, y * y, z * z
    return (
        ww + xx - yy - zz,
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        ww - xx + yy - zz,
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        ww - xx - yy + zz,
    )


def rotate_by_matrix(m: Matrix, v: Vector) -> Vector:
    """Matrix times vector."""
    return (
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    )


def rotate(q: Quaternion, v: Vector) -> Vector:
    """The vector turned by the quaternion."""
    if q == UNIT_QUAT or v == ZERO_VECTOR:
        return v
    axis = q[1:]
    inner = cross(axis, v)
    t = (inner[0] + q[0] * v[0], inner[1] + q[0] * v[1], inner[2] + q[0] * v[2])
    outer = cross(axis, t)
    return (v[0] + 2 * outer[0], v[1] + 2 * outer[1], v[2] + 2 * outer[2])


def compose_poses(parent: Pose, child: Pose) -> Pose:
    """The child's pose seen from where the parent's pose is given."""
    moved = rotate_by_matrix(rotation_matrix(parent[1]), child[0])
    return add(parent[0], moved), multiply_quats(parent[1], child[1])


def inverse_pose(pose: Pose) -> Pose:
    """The pose that undoes a pose."""
    back = conjugate(pose[1])
    x, y, z = rotate_by_matrix(rotation_matrix(back), pose[0])
    return (-x, -y, -z), back


def from_euler(angles: Iterable[float], sequence: str) -> Quaternion:
    """Three rotations about axes in sequence: lower case moving axes, upper case fixed ones."""
    result = UNIT_QUAT
    for letter, angle in zip(sequence, angles, strict=True):
        step = [math.cos(angle / 2), 0.0, 0.0, 0.0]
        step["xyz".index(letter.lower()) + 1] = math.sin(angle / 2)
        one = quaternion(step)
        result = multiply_quats(result, one) if letter.islower() else multiply_quats(one, result)
    return normalized(result)


def from_z_to(axis: Vector) -> Quaternion:
    """The shortest rotation that takes the z axis to the given unit vector."""
    side = cross((0.0, 0.0, 1.0), axis)
    sine = vector_norm(side)
    side = normalized(side) if sine >= 1e-10 else (1.0, 0.0, 0.0)
    half = math.atan2(sine, axis[2]) / 2
    s = math.sin(half)
    return (math.cos(half), side[0] * s, side[1] * s, side[2] * s)


def from_axes(x: Vector, y: Vector, z: Vector) -> Quaternion:
    """The rotation whose matrix has the three unit vectors as columns."""
    trace = x[0] + y[1] + z[2]
    if trace > 0:
        w = 0.5 * math.sqrt(1 + trace)
        q = (w, (y[2] - z[1]) / (4 * w), (z[0] - x[2]) / (4 * w), (x[1] - y[0]) / (4 * w))
    elif x[0] > y[1] and x[0] > z[2]:
        i = 0.5 * math.sqrt(1 + x[0] - y[1] - z[2])
        q = ((y[2] - z[1]) / (4 * i), i, (y[0] + x[1]) / (4 * i), (z[0] + x[2]) / (4 * i))
    elif y[1] > z[2]:
        j = 0.5 * math.sqrt(1 - x[0] + y[1] - z[2])
        q = ((z[0] - x[2]) / (4 * j), (y[0] + x[1]) / (4 * j), j, (z[1] + y[2]) / (4 * j))
    else:
        k = 0.5 * math.sqrt(1 - x[0] - y[1] + z[2])
        q = ((x[1] - y[0]) / (4 * k), (z[0] + x[2]) / (4 * k), (z[1] + y[2]) / (4 * k), k)
    return normalized(q)
