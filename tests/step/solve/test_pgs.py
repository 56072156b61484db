"""Projected Gauss-Seidel."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Cone, Solver

from .touching import HEAP, along, apart, pair

CONES = pytest.mark.parametrize("cone", list(Cone), ids=lambda cone: cone.name.lower())


@CONES
def test_solvers_agree(cone):
    """All find the one minimum, each as far as it comes."""
    _, exact, *_ = pair(HEAP, cone, tolerance=1e-14, iterations=200)
    _, other, *_ = pair(HEAP, cone, Solver.PGS, tolerance=1e-14, iterations=2000)
    for _ in range(8):
        exact.step(20)
        other.set_state(exact.get_state())
        for data in (exact, other):
            data.forward()
        # gains below 1e-14 of the cost are no more seen: its square root is what is left
        assert apart(other.qacc, exact.qacc) < 1e-5
        assert other.solver_converged


@CONES
@pytest.mark.oracle
def test_as_near_as_mujocos(cone):
    """At the usual tolerance both are about as far from the minimum."""
    _, exact, *_ = pair(HEAP, cone, tolerance=1e-14, iterations=200)
    ours, mujocos = [], []
    for data, theirs in along(HEAP, cone, 200, 10, solver=int(Solver.PGS)):
        exact.set_state(data.get_state())
        exact.forward()
        ours.append(apart(data.qacc, exact.qacc))
        mujocos.append(apart(theirs.qacc, exact.qacc))
    assert np.median(ours) <= 10 * np.median(mujocos)
    assert max(ours) <= 3 * max(mujocos)


def test_cones_without_force_are_left_along_their_edges():
    """A wedge that a slope pulls on: along its normal alone, nothing would be gained."""
    text = """<mujoco><option cone="elliptic" solver="{}" iterations="500" tolerance="1e-14"/>
    <worldbody><body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
    <geom size=".1" mass="1" friction="2"/></body>
    <geom type="plane" size="1 1 1" pos="0 0 -.0995" friction="2"/></worldbody></mujoco>"""
    found = []
    for solver in ("PGS", "Newton"):
        data = cf.Model.from_mjcf(text.format(solver)).make_data()
        # the contact is about to part, and slides so fast that friction would press it on again
        data.qvel[:] = [3.0, 0.2]
        data.qfrc_applied[:] = [0.0, 9.81]
        data.forward()
        found.append(data.qacc.copy())
    np.testing.assert_allclose(found[0], found[1], atol=1e-5 * np.abs(found[1]).max())
