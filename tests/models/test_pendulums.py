"""Pendulums made to measure move as textbooks say."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import cortenforge as cf

G = 9.81
BUILDERS = (
    cf.models.simple_pendulum,
    cf.models.double_pendulum,
    cf.models.spherical_pendulum,
    lambda length, mass: cf.models.n_link_pendulum(3, length, mass),
)


def test_simple_pendulum_accelerates_by_its_angle() -> None:
    model = cf.models.simple_pendulum(2.0, 3.0)
    data = model.make_data()
    for angle in (0.1, 1.0, 3.0):
        data.qpos[0] = angle
        data.forward()
        assert data.qacc[0] == pytest.approx(-G / 2.0 * math.sin(angle), rel=1e-11)


def test_one_link_is_a_rod() -> None:
    """A uniform rod swings as a point at two thirds of its length."""
    data = cf.models.n_link_pendulum(1, 1.5, 0.3).make_data()
    data.qpos[0] = 0.7
    data.forward()
    assert data.qacc[0] == pytest.approx(-1.5 * G / 1.5 * math.sin(0.7), rel=1e-11)


def test_double_pendulum_of_rods() -> None:
    """Equations of motion of two uniform rods, from a textbook's Lagrangian."""
    length, mass = 0.8, 0.4
    data = cf.models.double_pendulum(length, mass).make_data()
    first, second, one, two = 0.4, 1.1, 0.7, -1.3
    data.qpos[:] = [first, second - first]
    data.qvel[:] = [one, two - one]
    data.forward()
    cos, sin = math.cos(first - second), math.sin(first - second)
    matrix = mass * length**2 * np.array([[4 / 3, cos / 2], [cos / 2, 1 / 3]])
    force = mass * length**2 / 2 * sin * np.array([-(two**2), one**2])
    force -= mass * G * length * np.array([1.5 * math.sin(first), 0.5 * math.sin(second)])
    expected = np.linalg.solve(matrix, force)
    assert np.cumsum(data.qacc) == pytest.approx(expected, rel=1e-10)


def test_spherical_pendulum_keeps_energy_and_spin() -> None:
    data = cf.models.spherical_pendulum(1.0, 2.0).make_data()
    data.qpos[:] = [math.cos(0.4), 0, math.sin(0.4), 0]
    data.qvel[:] = [0.3, 0.2, 1.0]
    data.forward()
    energy = data.energy.sum()
    data.step(480)
    data.forward()
    assert data.energy.sum() == pytest.approx(energy, rel=1e-8)


@pytest.mark.parametrize("n", [1, 3, 12])
def test_chain(n: int) -> None:
    model = cf.models.n_link_pendulum(n, 0.5, 0.1)
    assert (model.nv, model.nbody) == (n, n + 1)
    assert model.opt.timestep == 1 / 240
    assert model.body_mass.sum() == pytest.approx(0.1 * n)
    assert not model.supported()
    data = model.make_data()
    data.forward()
    assert data.site("tip").xpos == pytest.approx([0, 0, 0], abs=1e-12)


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "three"])
def test_wrong_number_of_links(n: int) -> None:
    with pytest.raises(cf.ArgumentError, match="n: expected at least 1 link"):
        cf.models.n_link_pendulum(n)


@pytest.mark.parametrize("build", BUILDERS)
@pytest.mark.parametrize(("length", "mass"), [(0, 1), (1, -1), (math.nan, 1), (1, math.inf)])
def test_wrong_measures(build: Callable[..., cf.Model], length: float, mass: float) -> None:
    with pytest.raises(cf.ArgumentError, match="positive number"):
        build(length, mass)
