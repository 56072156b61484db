"""Vectors and 3x3 matrices."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, mat3, select, vec3

#: below this, a length is zero (MuJoCo's mjMINVAL)
MINVAL = 1e-15


@kernel(lanes=True)
def dot(a, b):
    """Scalar product.  Mirrors mju_dot3."""
    return a.x * b.x + a.y * b.y + a.z * b.z


@kernel(lanes=True)
def cross(a, b):
    """Vector product.  Mirrors mju_cross."""
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)


@kernel(lanes=True)
def flat_cross(a, b):
    """Vector product in the x-y plane: twice the signed area of (origin, a, b)."""
    return a.x * b.y - a.y * b.x


@kernel(lanes=True)
def norm(a):
    """Euclidean length.  Mirrors mju_norm3."""
    return math.sqrt(a.x * a.x + a.y * a.y + a.z * a.z)


@kernel(lanes=True)
def unit(a):
    """A vector scaled to length 1; the x axis if it is zero.  Mirrors mju_normalize3."""
    length = norm(a)
    scale = 1.0 / max(length, MINVAL)
    return select(length < MINVAL, vec3(1.0, 0.0, 0.0), a * scale)


@kernel(lanes=True)
def abs_sum(a):
    """Sum of absolute components: zero if all are, nan if one is."""
    return abs(a.x) + abs(a.y) + abs(a.z)


@kernel(lanes=True)
def scaled_by(a, b):
    """Product by component."""
    return vec3(a.x * b.x, a.y * b.y, a.z * b.z)


@kernel
def signed_axis(axis: int, sign):
    """The unit vector along axis 0, 1 or 2, times a sign."""
    return vec3(sign if axis == 0 else 0.0, sign if axis == 1 else 0.0, sign if axis == 2 else 0.0)


@kernel(lanes=True)
def transpose(a):
    """Transposed matrix."""
    return mat3(a.xx, a.yx, a.zx, a.xy, a.yy, a.zy, a.xz, a.yz, a.zz)


@kernel(lanes=True)
def into_frame(a, v):
    """A world vector in the axes of a frame: transpose(a) @ v."""
    return vec3(
        a.xx * v.x + a.yx * v.y + a.zx * v.z,
        a.xy * v.x + a.yy * v.y + a.zy * v.z,
        a.xz * v.x + a.yz * v.y + a.zz * v.z,
    )


@kernel(lanes=True)
def inverse_symmetric(a11, a12, a13, a22, a23, a33):
    """Inverse of a positive definite symmetric matrix, by its cofactors."""
    c11 = a22 * a33 - a23 * a23
    c12 = a13 * a23 - a12 * a33
    c13 = a12 * a23 - a13 * a22
    scale = 1.0 / (a11 * c11 + a12 * c12 + a13 * c13)
    c11, c12, c13 = c11 * scale, c12 * scale, c13 * scale
    c22 = (a11 * a33 - a13 * a13) * scale
    c23 = (a12 * a13 - a11 * a23) * scale
    c33 = (a11 * a22 - a12 * a12) * scale
    return mat3(c11, c12, c13, c12, c22, c23, c13, c23, c33)
