"""How dampers change with velocities."""

from __future__ import annotations

import numpy as np

from tests.step.derivative.differences import CHAIN, derivative


def test_damping_of_joints():
    """12-AC12: the diagonal is minus the damping, exactly; there is nothing beside it."""
    found = derivative(CHAIN.format("", 0.5, 1, 1.5, ""))
    np.testing.assert_array_equal(found, -np.diag([0.5, 1, 1.5]))


def test_damping_of_tendons():
    """12-AC13: -b J'J."""
    tendon = """<tendon><fixed damping="3"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/>
    <joint joint="c" coef=".5"/></fixed></tendon>"""
    found = derivative(CHAIN.format("", 0, 0, 0, tendon))
    row = np.array([1, -2, 0.5])
    np.testing.assert_allclose(found, -3 * np.outer(row, row), atol=1e-14)
