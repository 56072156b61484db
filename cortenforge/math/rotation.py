"""Rotations: unit quaternions (w, x, y, z) and rotation vectors (axis times angle).

    R(q) v = v + 2 u x (w v + u x v),  u = (x, y, z)         exp(a) = (cos |a|/2, sin(|a|/2) a/|a|)
    q(t) = q exp(w t), w in the axes of q                     log(q) = 2 atan2(|u|, w) u / |u|

Source: Sola, "Quaternion kinematics for the error-state Kalman filter", 2017 (arXiv:1711.02508).
"""

from __future__ import annotations

import math

from cortenforge.kernel import any_lane, kernel, mat3, quat, select, vec3
from cortenforge.math.scalar import round_half_away
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import MINVAL, cross, dot, norm, unit

PI = math.pi
#: below this angle the series of `rotation_vector_rate` is exact to rounding
SMALL_ANGLE = 0.02


@kernel(lanes=True)
def unit_quat(q):
    """A quaternion scaled to length 1; the identity if it is zero.  Mirrors mju_normalize4."""
    square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z
    # as in MuJoCo, a length that is 1 to MINVAL stays; most are, and need no square root
    off = abs(square - 1.0) > 2.0 * MINVAL
    if any_lane(off):
        length = math.sqrt(square)
        scale = 1.0 / max(length, MINVAL)
        scaled = select(length < MINVAL, quat(1.0, 0.0, 0.0, 0.0), q * scale)
        q = select(off, scaled, q)
    return q


@kernel(lanes=True)
def conjugate(q):
    """The inverse rotation.  Mirrors mju_negQuat."""
    return quat(q.w, -q.x, -q.y, -q.z)


@kernel(lanes=True)
def rotate(q, v):
    """A vector rotated by a unit quaternion.  Mirrors mju_rotVecQuat."""
    tx = q.w * v.x + q.y * v.z - q.z * v.y
    ty = q.w * v.y + q.z * v.x - q.x * v.z
    tz = q.w * v.z + q.x * v.y - q.y * v.x
    return vec3(
        v.x + 2.0 * (q.y * tz - q.z * ty),
        v.y + 2.0 * (q.z * tx - q.x * tz),
        v.z + 2.0 * (q.x * ty - q.y * tx),
    )


@kernel(lanes=True)
def axis_angle_quat(axis, angle):
    """Quaternion of a rotation about a unit axis.  Mirrors mju_axisAngle2Quat."""
    s, c = sin_cos(0.5 * angle)
    return quat(c, axis.x * s, axis.y * s, axis.z * s)


@kernel(lanes=True)
def quat_to_matrix(q):
    """Rotation matrix of a unit quaternion.  Mirrors mju_quat2Mat."""
    ww, xx, yy, zz = q.w * q.w, q.x * q.x, q.y * q.y, q.z * q.z
    wx, wy, wz = q.w * q.x, q.w * q.y, q.w * q.z
    xy, xz, yz = q.x * q.y, q.x * q.z, q.y * q.z
    return mat3(
        ww + xx - yy - zz,
        2.0 * (xy - wz),
        2.0 * (xz + wy),
        2.0 * (xy + wz),
        ww - xx + yy - zz,
        2.0 * (yz - wx),
        2.0 * (xz - wy),
        2.0 * (yz + wx),
        ww - xx - yy + zz,
    )


@kernel(lanes=True)
def rotation_vector(q):
    """Rotation vector of a quaternion, of angle at most pi.  Mirrors mju_quat2Vel."""
    axis = vec3(q.x, q.y, q.z)
    angle = 2.0 * math.atan2(norm(axis), q.w)
    angle = select(angle > PI, angle - 2.0 * PI, angle)
    return unit(axis) * angle


@kernel(lanes=True)
def shortest_rotation_vector(turn):
    """The shortest of the rotation vectors of the same rotation."""
    angle = norm(turn)
    long = angle > PI
    left = angle - 2.0 * PI * round_half_away(angle / (2.0 * PI))
    return select(long, turn * (left / select(long, angle, 1.0)), turn)


@kernel(lanes=True)
def subtract_quats(a, b):
    """Rotation vector from b to a, log(b^-1 a), in the axes of b.  Mirrors mju_subQuat."""
    return rotation_vector(conjugate(b) * a)


@kernel(lanes=True)
def integrate_quat(q, velocity, time):
    """Orientation after rotating for a time: q exp(velocity time).  Mirrors mju_quatIntegrate."""
    return unit_quat(q) * axis_angle_quat(unit(velocity), time * norm(velocity))


@kernel(lanes=True)
def rotation_vector_rate(turn, velocity):
    """Rate of a rotation vector a while its frame rotates with velocity w in its own axes.

        a' = w + a x w / 2 + c a x (a x w),   c = (1 - (|a|/2) cot(|a|/2)) / |a|^2

    The inverse of the right Jacobian of the exponential map. Runge-Kutta needs it because
    velocities of different stages are in different tangent spaces (Munthe-Kaas, "Runge-Kutta
    methods on Lie groups", BIT 38, 1998).
    """
    square = dot(turn, turn)
    angle = math.sqrt(square)
    half = 0.5 * max(angle, SMALL_ANGLE)
    s, c = sin_cos(half)
    exact = (1.0 - half * c / s) / (4.0 * half * half)
    series = 1.0 / 12.0 + square * (1.0 / 720.0 + square * (1.0 / 30240.0))
    third = select(angle < SMALL_ANGLE, series, exact)
    twist = cross(turn, velocity)
    return velocity + twist * 0.5 + cross(turn, twist) * third
