"""Jacobians of operations on unit quaternions, in the tangent space of rotations."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cortenforge.derive.kernels.rotation_jacobians import (
    inverse_rotation_matrix,
    right_jacobian,
    right_jacobian_inverse,
)
from cortenforge.errors import ShapeError
from cortenforge.kernel import vec3
from cortenforge.quaternions import conjugate_quats, quat_products, rotation_vectors


class QuatIntegrate(NamedTuple):
    """Jacobians (3, 3) of integrating a quaternion: by the quaternion, and by the velocity."""

    dquat: np.ndarray
    dvel: np.ndarray


class QuatDifference(NamedTuple):
    """Jacobians (3, 3) of the rotation vector from b to a: by a, and by b."""

    da: np.ndarray
    db: np.ndarray


def quat_integrate(vel: Any, time: float) -> QuatIntegrate:
    """Jacobians of rotating a quaternion with a velocity for a time; see `mjd_quatIntegrate`.

    vel: angular velocity (3,), in body axes [rad/s].

    They do not depend on the quaternion.
    """
    turn = _numbers("vel", vel, 3) * float(time)
    return QuatIntegrate(_turned_back(turn), float(time) * _matrix(right_jacobian(vec3(*turn))))


def quat_difference(a: Any, b: Any) -> QuatDifference:
    """Jacobians of the rotation vector that takes b to a, in the axes of b; see `mjd_subQuat`."""
    one, other = (q / np.linalg.norm(q) for q in (_numbers("a", a, 4), _numbers("b", b, 4)))
    turn = rotation_vectors(quat_products(conjugate_quats(other), one))
    da = _matrix(right_jacobian_inverse(vec3(*turn.tolist())))
    return QuatDifference(da, -da.T)


def _numbers(name: str, value: Any, count: int) -> np.ndarray:
    found = np.asarray(value, float)
    if found.shape != (count,):
        raise ShapeError(f"{name}: expected {count} numbers, got an array {found.shape}")
    return found


def _turned_back(turn: np.ndarray) -> np.ndarray:
    return _matrix(inverse_rotation_matrix(vec3(*turn.tolist())))


def _matrix(value: Any) -> np.ndarray:
    return np.array(value.parts, float).reshape(3, 3)
