"""How smooth forces change with velocities, against differences of the forces themselves."""

from __future__ import annotations

import numpy as np

from cortenforge.enums import Integrator
from tests.step.derivative.differences import dense_derivative, differences, within_pattern
from tests.step.stages import cases, states

MODELS = cases("joint_several", "joint_free", "tendons")


@MODELS
def test_all_smooth_forces(source):
    """qDeriv of an implicit step; differences are good to their square, and to rounding."""
    for both in states(source):
        # as in MuJoCo, what the inertia of tendons adds to bias forces is taken as it is
        both.model.tendon_armature[:] = 0
        if not both.data.qvel.any():
            continue  # quadratic damping has no slope at rest
        both.model.opt.integrator = int(Integrator.IMPLICIT)
        data = both.data
        before = data.copy()
        data.step()
        found = dense_derivative(both.model, data)
        expected = differences(before, "qfrc_passive") - differences(before, "qfrc_bias")
        expected = within_pattern(both.model, expected)
        size = 1 + np.abs(expected).max(initial=0)
        np.testing.assert_allclose(found, expected, atol=1e-7 * size)
