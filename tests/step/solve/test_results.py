"""What solvers say of how they went."""

from __future__ import annotations

import pytest

from cortenforge.enums import Cone

from .touching import HEAP, along, apart, pair

CONES = pytest.mark.parametrize("cone", list(Cone), ids=lambda cone: cone.name.lower())


@CONES
@pytest.mark.oracle
def test_at_the_usual_tolerance_iterations_are_as_many(cone):
    ours, mujocos = [], []
    for data, theirs in along(HEAP, cone, 150, 10):
        assert data.nisland == theirs.nisland
        ours += data.solver_niter[: data.nisland].tolist()
        mujocos += theirs.solver_niter[: theirs.nisland].tolist()
        # what is left at a tolerance of 1e-8 in the cost
        assert apart(data.qacc, theirs.qacc) < 1e-4
    assert sum(ours) <= 1.05 * sum(mujocos) + 2


def test_a_solver_that_is_cut_short_says_so():
    _, data, *_ = pair(HEAP, Cone.PYRAMIDAL)
    data.step(50)
    assert data.solver_converged == 1
    _, short, *_ = pair(HEAP, Cone.PYRAMIDAL, iterations=1, tolerance=0)
    short.set_state(data.get_state())
    short.forward()
    assert short.solver_converged == 0
    assert set(short.solver_niter[: short.nisland].tolist()) == {1}
    assert short.solver_residual >= max(short.solver_gradient[: short.nisland])
