"""Projected Gauss-Seidel."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks.crowds import pile
from cortenforge.enums import Cone, Solver
from cortenforge.step.solve.visiting_order import PCG_MULTIPLIER, random_below

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
    """Both visit rows in the same order, and stop about as far from the minimum in every state."""
    _, exact, *_ = pair(HEAP, cone, tolerance=1e-14, iterations=200)
    states, same, islands = 0, 0, 0
    for data, theirs in along(HEAP, cone, 200, 10, solver=int(Solver.PGS)):
        exact.set_state(data.get_state())
        exact.forward()
        ours, mujocos = apart(data.qacc, exact.qacc), apart(theirs.qacc, exact.qacc)
        assert ours <= 10 * mujocos
        count = data.nisland
        # MuJoCo starts all islands from the last acceleration or none; here each decides for itself
        same += int(np.sum(data.solver_niter[:count] == theirs.solver_niter[:count]))
        islands += count
        states += 1
    assert states == 20 and same > 0.9 * islands


def test_a_cone_without_force_finds_friction_that_pays():
    """Where the normal residual alone asks for no force, friction may ask for both.

    MuJoCo's own PGS can stay without force there, far from the minimum.
    """
    xml = pile(12, ("sphere", "capsule", "box"))
    _, exact, *_ = pair(xml, Cone.ELLIPTIC, tolerance=1e-14, iterations=200)
    _, other, *_ = pair(xml, Cone.ELLIPTIC, Solver.PGS, tolerance=1e-12, iterations=1000)
    for _ in range(20):
        exact.step(20)
        other.set_state(exact.get_state())
        for data in (exact, other):
            data.forward()
        assert apart(other.qacc, exact.qacc) < 1e-3


def test_orders_are_those_of_the_generator():
    """The first numbers of PCG32 from the state 1, stream 1, worked out with wide integers."""
    d = SimpleNamespace(iefc_seed=[1, *[0] * 7])
    state = 1
    for count in (*range(1, 60), 1000, 32768, 100_000):
        old = state
        state = (old * PCG_MULTIPLIER + 1) % 2**64
        word = ((old >> 18 ^ old) >> 27) % 2**32
        by = old >> 59
        wanted = ((word >> by) | (word << (32 - by))) % 2**32
        assert random_below.function(d, count) == wanted % count
