"""Lengths and moment arms of transmissions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.step.actuation.driven import FREE_TO_ACT, driven_cases
from tests.step.stages import pair, states, written_by


@driven_cases()
def test_fields_are_mujocos(source):
    """Joints, joints in their parents, sites, cranks and orientations, at random states."""
    for both in states(source):
        both.assert_equal(*written_by("step.position.transmission"))


def moments(data):
    """Moment arms as a matrix."""
    model, full = data.model, np.zeros((data.model.nout, data.model.nv))
    for out in range(model.nout):
        start = model.moment_rowadr[out]
        row = slice(start, start + model.moment_rownnz[out])
        full[out, model.moment_colind[row]] = data.actuator_moment[row]
    return full


LENGTHS = """
<motor joint="hinge" gear="3"/><motor joint="ball" gear="1 2 3"/>
<motor jointinparent="ball" gear="3 1 2"/>
<motor cranksite="tip" slidersite="rail" cranklength="3"/>
<motor site="tip" refsite="rail" gear="1 2 3 0 0 0"/>
"""


def test_arms_are_the_slope_of_the_length():
    """Lengths change as their moment arms say; rotations along the way that turns them most."""
    both = pair(FREE_TO_ACT.format(actuators=LENGTHS))
    rng, step = np.random.default_rng(3), 1e-6
    data, model = both.data, both.model
    for _ in range(3):
        qpos = model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.2)
        ends = []
        direction = rng.normal(size=model.nv)
        for side in (0.0, step, -step):
            data.qpos[:] = model.integrate_pos(qpos, direction, side) if side else qpos
            data.forward()
            ends.append(data.actuator_length.copy())
            if not side:
                slope = moments(data) @ direction
        measured = (ends[1] - ends[2]) / (2 * step)
        # the rotation vector of a ball joint is no coordinate: its rate is not the angular velocity
        plain = [0, 3, 4]
        np.testing.assert_allclose(measured[plain], slope[plain], atol=1e-8)


def test_a_rod_that_does_not_reach():
    """Its length is that along the axis of the slider, as in MuJoCo; nothing is nan."""
    crank = '<motor cranksite="tip" slidersite="rail" cranklength="0.01"/>'
    for both in states(FREE_TO_ACT.format(actuators=crank)):
        both.assert_equal(*written_by("step.position.transmission"))
        assert np.isfinite(both.data.actuator_moment).all()


def test_sites_on_one_body_act_on_nothing():
    """A site that is pushed against another of its own body: every dof moves both."""
    pushed = '<motor site="tip" refsite="thumb" gear="1 2 3 1 2 3"/>'
    for both in states(FREE_TO_ACT.format(actuators=pushed)):
        both.assert_equal(*written_by("step.position.transmission"))
        assert both.model.moment_rownnz.tolist() == [0]
        assert (both.data.qfrc_actuator == 0).all()


def test_a_gear_of_zero_acts_on_nothing():
    both = next(states(FREE_TO_ACT.format(actuators='<motor joint="hinge" gear="0"/>')))
    both.data.ctrl[0] = 5.0
    both.data.forward()
    assert both.data.actuator_force[0] == 5.0
    assert both.data.qfrc_actuator == pytest.approx(np.zeros(both.model.nv))
