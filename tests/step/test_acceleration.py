"""From forces to acceleration, without constraints."""

from __future__ import annotations

import numpy as np

from tests.laws.mechanics import dense_inertia
from tests.step.stages import cases, states, written_by


@cases("joint_several", "tree_branching", "simple_bodies", "gravity_compensation")
def test_fields_are_mujocos(source):
    """The sum of forces, and the acceleration that they give."""
    for both in states(source):
        both.assert_equal(*written_by("step.acceleration"))


@cases("joint_several", "tree_branching")
def test_forces_add_up(source):
    """A force on a dof appears in the sum as it is, and accelerates by the inverse of M."""
    for both in states(source):
        data = both.data
        M = dense_inertia(both.model, data)
        before, moving = data.qfrc_smooth.copy(), data.qacc.copy()
        push = np.random.default_rng(1).normal(size=both.model.nv)
        data.qfrc_applied += push
        data.forward()
        np.testing.assert_allclose(data.qfrc_smooth - before, push, atol=1e-9)
        expected = np.linalg.solve(M, push)
        size = max(1.0, np.abs(expected).max(initial=0), np.abs(moving).max(initial=0))
        np.testing.assert_allclose(data.qacc - moving, expected, atol=1e-9 * size)
        data.qfrc_applied -= push
