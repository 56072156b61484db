"""How forces of the medium change with velocities."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.enums import Integrator
from tests.step.derivative.differences import dense_derivative, differences, within_pattern
from tests.step.stages import states


@pytest.mark.parametrize("source", ["fluid_box", "fluid_ellipsoid"])
def test_drag_and_lift(source):
    """Against differences: boxes, and ellipsoids with lift and added mass."""
    for both in states(source):
        if not both.data.qvel.any():
            continue  # quadratic drag has no slope at rest
        both.model.opt.integrator = int(Integrator.IMPLICIT)
        before = both.data.copy()
        both.data.step()
        found = dense_derivative(both.model, both.data)
        expected = differences(before, "qfrc_passive") - differences(before, "qfrc_bias")
        expected = within_pattern(both.model, expected)
        size = 1 + np.abs(expected).max(initial=0)
        np.testing.assert_allclose(found, expected, atol=1e-7 * size)
