"""Sides of hulls come in MuJoCo's order: contacts depend on which one is first."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import load_reference
from cortenforge.compile.mesh.hash_order import hash_table_order, order_of_hashes

FIELDS = ("polynum", "polyadr", "polyvertadr", "polyvertnum", "polyvert", "polymapadr", "polymap")


def with_mesh(points):
    """A model with one mesh, the hull of some points."""
    text = " ".join(f"{x:.6f}" for x in np.ravel(points))
    return f"""<mujoco><asset><mesh name="a" vertex="{text}"/></asset>
    <worldbody><geom type="mesh" mesh="a"/></worldbody></mujoco>"""


def blob(points, seed):
    """Points around an ellipsoid."""
    rng = np.random.default_rng(seed)
    at = rng.normal(size=(points, 3))
    return at / np.linalg.norm(at, axis=1, keepdims=True) * (0.12, 0.1, 0.15)


def assert_sides_equal(source):
    ours, theirs = cf.Model.from_mjcf(source), load_reference(source)
    for name in FIELDS:
        assert np.array_equal(getattr(ours, f"mesh_{name}"), getattr(theirs, f"mesh_{name}")), name
    np.testing.assert_allclose(ours.mesh_polynormal, theirs.mesh_polynormal, atol=1e-12)


@pytest.mark.parametrize("points", [4, 6, 10, 40, 300, 3000])
def test_sides_of_random_hulls(points):
    """From a few sides to thousands, which takes many more buckets."""
    for seed in range(3 if points < 1000 else 1):
        assert_sides_equal(with_mesh(blob(points, seed)))


@pytest.mark.parametrize("corners", [3, 4, 6, 9])
def test_sides_of_prisms(corners):
    """Sides that are made of several faces."""
    angle = 2 * np.pi * np.arange(corners) / corners + 0.1
    ring = np.stack((0.1 * np.cos(angle), 0.12 * np.sin(angle)), axis=1)
    points = [(x, y, z) for x, y in ring for z in (-0.1, 0.15)]
    assert_sides_equal(with_mesh(points))


def test_a_table_grows_as_its_elements_come():
    """Two buckets first, then primes; an element without a bucket goes to the front."""
    codes = np.array([1, 2, 3, 4, 9, 6, 20], np.uint64)
    orders = [order_of_hashes(codes[:count]).tolist() for count in range(len(codes) + 1)]
    assert orders[:4] == [[], [0], [1, 0], [2, 1, 0]]
    # 9 is in the bucket of 4 of five; of eleven, 20 is in that of 9
    assert orders[4:6] == [[3, 2, 1, 0], [4, 3, 2, 1, 0]]
    assert orders[6:] == [[5, 4, 3, 2, 1, 0], [5, 6, 4, 3, 2, 1, 0]]


def test_both_zeros_are_one_key():
    """A direction that is rounded to minus zero is no other direction."""
    one, other = np.array([0.0, 2.0, 3.0]), np.array([1.0, 0.0, 4.0])
    minus = np.array([-0.0, 2.0, 3.0]), np.array([1.0, -0.0, 4.0])
    assert np.array_equal(hash_table_order(one, other), hash_table_order(*minus))
