"""Projected Gauss-Seidel."""

from __future__ import annotations

import numpy as np
import pytest

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
    # in the worst state, a box that has just been put down, MuJoCo's PGS needs 88 iterations, and
    # ours is not there after 100
    assert max(ours) <= 30 * max(mujocos)
