"""How Coriolis and centrifugal forces change with velocities."""

from __future__ import annotations

import numpy as np

import cortenforge as cf
from tests.step.derivative.differences import CHAIN, derivative, differences


def test_bias_of_two_links():
    """12-AC15: against differences; here to their own error."""
    text = CHAIN.format("", 0, 0, 0, "")
    model = cf.Model.from_mjcf(text)
    data = model.make_data()
    data.qpos[:2], data.qvel[:2] = (0.3, 0.7), (1, 0.5)
    expected = -differences(data, "qfrc_bias")
    found = derivative(text, (0.3, 0.7, 0), (1, 0.5, 0))
    np.testing.assert_allclose(found, expected, atol=1e-8)
