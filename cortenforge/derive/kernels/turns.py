"""How orientations that turn for a time follow where they start, and how fast they turn."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, mat3, vec3
from cortenforge.math.rotation import about, conjugate, to_matrix
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import dot, norm, unit

#: below this angle, series are exact to rounding
SMALL = 0.02


@kernel
def turned_back(turn):
    """The matrix that takes vectors from before a turn to the axes after it."""
    return to_matrix(conjugate(about(unit(turn), norm(turn))))


@kernel
def right_jacobian(turn):
    """How a rotation follows its rotation vector, in the axes after it."""
    square = dot(turn, turn)
    angle = math.sqrt(square)
    if angle < SMALL:
        one = 0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0))
        two = 1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0))
    else:
        s, c = sin_cos(angle)
        one = (1.0 - c) / square
        two = (angle - s) / (square * angle)
    return twisted(turn, -one, two)


@kernel
def right_jacobian_inverse(turn):
    """How a rotation vector follows its rotation, in the axes after it."""
    square = dot(turn, turn)
    angle = math.sqrt(square)
    if angle < SMALL:
        two = 1.0 / 12.0 + square * (1.0 / 720.0 + square * (1.0 / 30240.0))
    else:
        s, c = sin_cos(0.5 * angle)
        two = (1.0 - 0.5 * angle * c / s) / square
    return twisted(turn, 0.5, two)


@kernel
def twisted(turn, one, two):
    """1 + one T + two T^2, where T is the matrix of a cross product."""
    x, y, z = turn.x, turn.y, turn.z
    rest = 1.0 - two * dot(turn, turn)
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
def turn_at(d, dof: int, time):
    """The turn of a joint in a step, by its velocity after the step."""
    x = d.qvel[dof] + time * d.moving[dof]
    y = d.qvel[dof + 1] + time * d.moving[dof + 1]
    return vec3(x * time, y * time, (d.qvel[dof + 2] + time * d.moving[dof + 2]) * time)
