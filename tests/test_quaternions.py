"""Quaternions as arrays: against SciPy, one at a time and many."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from cortenforge.quaternions import (
    conjugate_quats,
    quat_products,
    quats_from_matrices,
    rotate_vectors,
    rotation_matrices,
    rotation_vectors,
)


def unit_quats(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    """Random rotations; a quarter of them half turns, where the real part is zero."""
    found = np.random.default_rng(seed).normal(size=(*shape, 4))
    found.reshape(-1, 4)[::4, 0] = 0.0
    found /= np.linalg.norm(found, axis=-1, keepdims=True)
    return found


def scipy_of(quats: np.ndarray) -> Rotation:
    """The same rotations, in SciPy's class."""
    return Rotation.from_quat(np.roll(quats.reshape(-1, 4), -1, axis=1))


@pytest.mark.parametrize("shape", [(), (5,), (3, 4)], ids=str)
def test_operations_are_those_of_scipy(shape: tuple[int, ...]) -> None:
    """Products, inverses, rotated vectors, matrices and rotation vectors, of any shape."""
    a, b = unit_quats(0, shape), unit_quats(1, shape)
    vectors = np.random.default_rng(2).normal(size=(*shape, 3))
    expected = np.roll((scipy_of(a) * scipy_of(b)).as_quat(), 1, axis=-1).reshape(a.shape)
    sign = np.sign((expected * quat_products(a, b)).sum(axis=-1, keepdims=True))
    np.testing.assert_allclose(quat_products(a, b), sign * expected, atol=1e-14)
    identity = quat_products(conjugate_quats(a), a)
    np.testing.assert_allclose(identity, np.broadcast_to([1, 0, 0, 0], a.shape), atol=1e-14)
    turned = scipy_of(a).apply(vectors.reshape(-1, 3)).reshape(vectors.shape)
    np.testing.assert_allclose(rotate_vectors(a, vectors), turned, atol=1e-14)
    matrices = scipy_of(a).as_matrix().reshape(*shape, 3, 3)
    np.testing.assert_allclose(rotation_matrices(a), matrices, atol=1e-14)
    again = Rotation.from_rotvec(rotation_vectors(a).reshape(-1, 3)).as_matrix()
    np.testing.assert_allclose(again.reshape(matrices.shape), matrices, atol=1e-14)


def test_shapes_are_broadcast() -> None:
    """One rotation of many vectors, and many rotations of one."""
    quats, vectors = unit_quats(3, (6,)), np.random.default_rng(4).normal(size=(6, 3))
    many = rotate_vectors(quats[0], vectors)
    np.testing.assert_array_equal(many[2], rotate_vectors(quats[0], vectors[2]))
    many = rotate_vectors(quats[:, None], vectors)
    np.testing.assert_array_equal(many[1, 5], rotate_vectors(quats[1], vectors[5]))


def test_rotation_vectors_are_at_most_half_a_turn() -> None:
    """Both quaternions of a rotation give the shorter one; that of the identity is zero."""
    half = 0.5 * 2.0
    quat = np.array([np.cos(half), 0.0, np.sin(half), 0.0])
    for same in (quat, -quat):
        np.testing.assert_allclose(rotation_vectors(same), [0, 2, 0], atol=1e-15)
    for real in (1.0, -1.0):
        assert not rotation_vectors(np.array([real, 0.0, 0.0, 0.0])).any()


def test_quaternions_come_back_from_matrices() -> None:
    """Also those of half turns, where one of the numbers is zero."""
    quats = unit_quats(5, (200,))
    found = quats_from_matrices(rotation_matrices(quats))
    np.testing.assert_allclose(np.abs((found * quats).sum(1)), 1.0, atol=1e-12)
