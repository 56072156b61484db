"""Springs, dampers, gravity compensation, and the sum of passive forces."""

from __future__ import annotations

import numpy as np
import pytest

from tests.step.stages import cases, one, states, written_by

MODELS = ("springdamper", "damping_explicit", "gravity_compensation", "flags_off")


@cases(*MODELS, "joint_ball", "joint_free")
def test_fields_are_mujocos(source):
    """Each kind of passive force by itself, and their sum."""
    for both in states(source):
        both.assert_equal(*written_by("step.velocity.passive"))


def hinge(attributes: str):
    return one(f'<worldbody><body><joint {attributes}/><geom size=".1"/></body></worldbody>')


@pytest.mark.parametrize("turn", [-1.5, 0.0, 0.3, 2.0])
def test_spring_of_a_hinge(turn):
    """Against the shift from its rest, with quadratic and cubic terms."""
    data = hinge('stiffness="3 0.5 0.2" springref="20"')
    data.qpos[0] = turn
    data.forward()
    x = turn - np.deg2rad(20)
    assert data.qfrc_spring[0] == pytest.approx(-x * (3 + 0.5 * x + 0.2 * x**2), abs=1e-14)


@pytest.mark.parametrize("speed", [-2.0, 0.0, 0.7])
def test_damper_of_a_hinge(speed):
    """Against the velocity, odd in it."""
    data = hinge('damping="0.4 0.3 0.1"')
    data.qvel[0] = speed
    data.forward()
    force = -speed * (0.4 + 0.3 * abs(speed) + 0.1 * speed**2)
    assert data.qfrc_damper[0] == pytest.approx(force, abs=1e-14)


def test_compensated_chain_has_no_weight():
    """With gravcomp 1 everywhere, what gravity takes is given back, dof by dof."""
    data = one(
        '<worldbody><body gravcomp="1"><joint type="ball"/><geom size=".1" pos=".3 0 0"/>'
        '<body pos=".6 0 0" gravcomp="1"><joint axis="0 1 0"/><geom size=".2" pos=".1 0 0"/></body>'
        "</body></worldbody>"
    )
    data.qpos[:] = [0.5, 0.5, -0.5, 0.5, 0.7]
    data.forward()
    assert np.abs(data.qfrc_bias).max() > 1
    np.testing.assert_allclose(data.qfrc_gravcomp, data.qfrc_bias, atol=1e-12)
    np.testing.assert_allclose(data.qacc, 0, atol=1e-12)
