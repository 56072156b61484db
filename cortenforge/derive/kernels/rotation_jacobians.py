"""Jacobians of rotations: exponential map of rotation vectors and its inverse.

With the rotation vector x, angle t = |x|, X the matrix of x cross:

    right Jacobian           1 - (1 - cos t) / t^2 X + (t - sin t) / t^3 X^2
    its inverse              1 + X / 2 + (1 - t cos(t/2) / (2 sin(t/2))) / t^2 X^2

Source: Sola, Deray and Atchuthan, A micro Lie theory for state estimation in robotics (2018).
Theory: docs/theory/derivatives.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, mat3, vec3
from cortenforge.math.rotation import axis_angle_quat, conjugate, quat_to_matrix
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import dot, norm, unit

#: below this angle [rad], series are exact to rounding
SMALL_ROTATION = 0.02


@kernel
def inverse_rotation_matrix(rotation):
    """Rotation matrix that takes vectors from the axes before a rotation to those after it."""
    return quat_to_matrix(conjugate(axis_angle_quat(unit(rotation), norm(rotation))))


@kernel
def right_jacobian(rotation):
    """Derivative of exp by the rotation vector, in the axes after the rotation."""
    square = dot(rotation, rotation)
    angle = math.sqrt(square)
    if angle < SMALL_ROTATION:
        one = 0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0))
        two = 1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0))
    else:
        s, c = sin_cos(angle)
        one = (1.0 - c) / square
        two = (angle - s) / (square * angle)
    return skew_polynomial(rotation, -one, two)


@kernel
def right_jacobian_inverse(rotation):
    """Derivative of the rotation vector by the rotation, in the axes after it."""
    square = dot(rotation, rotation)
    angle = math.sqrt(square)
    if angle < SMALL_ROTATION:
        two = 1.0 / 12.0 + square * (1.0 / 720.0 + square * (1.0 / 30240.0))
    else:
        s, c = sin_cos(0.5 * angle)
        two = (1.0 - 0.5 * angle * c / s) / square
    return skew_polynomial(rotation, 0.5, two)


@kernel
def skew_polynomial(rotation, one, two):
    """1 + one X + two X^2, where X is the cross product matrix of the rotation vector."""
    x, y, z = rotation.x, rotation.y, rotation.z
    rest = 1.0 - two * dot(rotation, rotation)
    return mat3(
        rest + two * x * x,
        two * x * y - one * z,
        two * x * z + one * y,
        two * x * y + one * z,
        rest + two * y * y,
        two * y * z - one * x,
        two * x * z - one * y,
        two * y * z + one * x,
        rest + two * z * z,
    )


@kernel
def step_rotation_vector(d, dof: int, time):
    """Rotation vector of three dofs in a step: the velocity after the step, times its duration."""
    x = d.qvel[dof] + time * d.moving[dof]
    y = d.qvel[dof + 1] + time * d.moving[dof + 1]
    return vec3(x * time, y * time, (d.qvel[dof + 2] + time * d.moving[dof + 2]) * time)
