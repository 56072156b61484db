"""Kinematics, inertia, bias and energy against closed-form solutions of planar arms."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf

from .mechanics import GRAVITY, THREE_LINKS, TWO_LINKS, PlanarArm, dense_inertia

ARMS = pytest.mark.parametrize("arm", [TWO_LINKS, THREE_LINKS], ids=["two links", "three links"])
CLOSE = {"rtol": 0, "atol": 1e-12}


def states(arm: PlanarArm, count: int = 20):
    """The same model in random states, forward evaluated."""
    data = cf.Model.from_mjcf(arm.xml()).make_data()
    rng = np.random.default_rng(5)
    for _ in range(count):
        data.qpos[:] = rng.uniform(-np.pi, np.pi, arm.n)
        data.qvel[:] = rng.normal(size=arm.n) * 2
        data.forward()
        yield data


@ARMS
def test_forward_kinematics(arm):
    """002-C1: every rod ends where trigonometry says."""
    for data in states(arm):
        np.testing.assert_allclose(data.site_xpos, arm.ends(data.qpos), **CLOSE)


@ARMS
def test_composite_inertia(arm):
    """002-C2: M is the Hessian of the kinetic energy of the Lagrangian."""
    for data in states(arm):
        M = dense_inertia(data.model, data)
        np.testing.assert_allclose(M, arm.inertia(data.qpos), **CLOSE)


@ARMS
def test_bias_force(arm):
    """002-C3: Newton and Euler, body by body, give what Lagrange gives at once."""
    for data in states(arm):
        np.testing.assert_allclose(data.qfrc_bias, arm.bias(data.qpos, data.qvel), **CLOSE)


@ARMS
def test_energy(arm):
    """002-S5: potential and kinetic energy of the Lagrangian."""
    for data in states(arm):
        np.testing.assert_allclose(data.energy, arm.energy(data.qpos, data.qvel), **CLOSE)


@ARMS
def test_acceleration(arm):
    """The equation of motion, solved densely."""
    for data in states(arm):
        expected = np.linalg.solve(arm.inertia(data.qpos), -arm.bias(data.qpos, data.qvel))
        np.testing.assert_allclose(data.qacc, expected, rtol=1e-11, atol=1e-11)


def test_two_links_by_the_textbook():
    """The two-link arm once more, written out as every robotics course does."""
    (l1, _), (c1, c2), (m1, m2) = TWO_LINKS.lengths, TWO_LINKS.centres, TWO_LINKS.masses
    i1, i2 = TWO_LINKS.inertias
    for data in states(TWO_LINKS):
        (q1, q2), (v1, v2) = data.qpos, data.qvel
        h = m2 * l1 * c2 * np.sin(q2)
        m22 = i2 + m2 * c2**2
        m12 = m22 + m2 * l1 * c2 * np.cos(q2)
        m11 = i1 + m1 * c1**2 + i2 + m2 * (l1**2 + c2**2 + 2 * l1 * c2 * np.cos(q2))
        g2 = m2 * GRAVITY * c2 * np.cos(q1 + q2)
        g1 = (m1 * c1 + m2 * l1) * GRAVITY * np.cos(q1) + g2
        np.testing.assert_allclose(
            dense_inertia(data.model, data), [[m11, m12], [m12, m22]], **CLOSE
        )
        bias = [-h * v2 * (2 * v1 + v2) + g1, h * v1**2 + g2]
        np.testing.assert_allclose(data.qfrc_bias, bias, **CLOSE)
