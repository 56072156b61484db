"""How forces of actuators change with velocities."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from tests.step.derivative.differences import CHAIN, dense_derivative, derivative, differences


def test_affine_actuators():
    """12-AC14: gear^2 (gainprm[2] input + biasprm[2])."""
    actuator = """<actuator><general joint="b" gear="3" gaintype="affine" gainprm="0 0 -.7"
    biastype="affine" biasprm="0 0 -.2"/></actuator>"""
    found = derivative(CHAIN.format("", 0, 0, 0, actuator), ctrl=2.0)
    expected = np.zeros((3, 3))
    expected[1, 1] = 9 * (-0.7 * 2 - 0.2)
    np.testing.assert_allclose(found, expected, atol=1e-13)


@pytest.mark.parametrize("speed", [-4.0, -1.0, -0.2, 0.3, 1.7])
@pytest.mark.parametrize("kind", ["muscle", "hillmuscle"])
def test_muscles(kind, speed):
    """Both kinds of muscle, shortening and stretched."""
    parts = {
        "muscle": '<muscle joint="a" lengthrange="-.5 .5" force="10" vmax="3"/>',
        "hillmuscle": '<hillmuscle joint="a" offset="1" fmax="10" lopt=".9" slack=".1" vmax="3"/>',
    }
    text = CHAIN.format("", 0, 0, 0, f"<actuator>{parts[kind]}</actuator>")
    model = cf.Model.from_mjcf(text)
    data = model.make_data()
    data.qvel[0], data.act[:] = speed, 0.6
    data.forward()
    expected = differences(data, "qfrc_actuator") - differences(data, "qfrc_bias")
    data.step()
    np.testing.assert_allclose(dense_derivative(model, data), expected, atol=1e-7)
