"""Quaternions (w, x, y, z) as arrays (..., 4), many at once.

    a b = (a_w b_w - a.b, a_w b + b_w a + a x b)         log(q) = 2 atan2(|q|, q_w) q / |q|
    R(q) v = v + q_w t + q x t,   t = 2 q x v            (q, a, b: vector parts)

Kernels have their own in `math.rotation`; the compiler's single ones are tuples, `spec.rotation`.
Source: Sola, "Quaternion kinematics for the error-state Kalman filter", 2017 (arXiv:1711.02508).
"""

from __future__ import annotations

import numpy as np


def conjugate_quats(q: np.ndarray) -> np.ndarray:
    """Inverse rotations of unit quaternions (..., 4)."""
    found: np.ndarray = q * np.array([1.0, -1.0, -1.0, -1.0])
    return found


def quat_products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of quaternions (..., 4): rotation b, then a."""
    aw, bw, av, bv = a[..., :1], b[..., :1], a[..., 1:], b[..., 1:]
    scalar = aw * bw - (av * bv).sum(axis=-1, keepdims=True)
    return np.concatenate([scalar, aw * bv + bw * av + np.cross(av, bv)], axis=-1)


def rotate_vectors(q: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) rotated by unit quaternions (..., 4)."""
    w, axis = q[..., :1], q[..., 1:]
    twice = 2 * np.cross(axis, vectors)
    found: np.ndarray = vectors + w * twice + np.cross(axis, twice)
    return found


def rotation_vectors(q: np.ndarray) -> np.ndarray:
    """Rotation vectors (..., 3) of unit quaternions (..., 4), with angles of at most pi."""
    length = np.linalg.norm(q[..., 1:], axis=-1)
    angle = 2.0 * np.arctan2(length, q[..., 0])
    angle = np.where(angle > np.pi, angle - 2.0 * np.pi, angle)
    scale = np.divide(angle, length, out=np.full_like(angle, 2.0), where=length > 0)
    found: np.ndarray = q[..., 1:] * scale[..., None]
    return found


def rotation_matrices(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    entries = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(entries), (0, 1), (-2, -1))


def quats_from_matrices(mats: np.ndarray) -> np.ndarray:
    """Quaternions (n, 4) of rotation matrices (n, 3, 3)."""
    m = np.asarray(mats, float).reshape(-1, 3, 3)
    x, y, z = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    # squares of the four components, times four; dividing by the largest is stable
    squares = np.stack([1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z], 1)
    a, b, c = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    d, e, f = m[:, 1, 0] + m[:, 0, 1], m[:, 0, 2] + m[:, 2, 0], m[:, 2, 1] + m[:, 1, 2]
    tables = np.stack(
        [
            np.stack([squares[:, 0], a, b, c], 1),
            np.stack([a, squares[:, 1], d, e], 1),
            np.stack([b, d, squares[:, 2], f], 1),
            np.stack([c, e, f, squares[:, 3]], 1),
        ],
        1,
    )
    chosen = tables[np.arange(len(m)), squares.argmax(1)]
    return np.asarray(chosen / np.maximum(np.linalg.norm(chosen, axis=1, keepdims=True), 1e-300))
