"""Lengths and moment arms of transmissions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.step.actuation.driven import FREE_TO_ACT, driven_cases
from tests.step.stages import pair, states, written_by


@driven_cases()
def test_fields_are_mujocos(source):
    """Joints, also in their parents, tendons, sites, cranks and orientations, at random states."""
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


PULLED = """
<mujoco>
  <option><flag contact="disable"/></option>
  <worldbody>
    <body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
      <body pos=".6 0 0"><joint name="b" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body>
    </body>
    <site name="top" pos="0 0 2"/>
    <body><joint name="s" type="slide" axis="0 0 1"/><geom size=".1" pos="1 0 0"/>
      <site name="low"/></body>
  </worldbody>
  <tendon>
    <fixed name="fixed"><joint joint="a" coef="0.3"/><joint joint="b" coef="-0.2"/></fixed>
    <spatial name="rope"><site site="top"/><site site="low"/></spatial>
  </tendon>
  <actuator>{}</actuator>
</mujoco>"""
ON_TENDONS = """
<position tendon="fixed" gear="3" kp="20" kv="2"/><motor tendon="rope" gear="2"/>"""
#: moment arms of the fixed tendon are its coefficients; a rope along a slide has an arm of -1
ON_JOINTS = """
<motor joint="a"/><motor joint="b"/><motor joint="s" gear="-2"/>"""


def test_a_tendon_is_as_its_joints():
    """000.4-AC2: with the same moment arms, joints move as they do by an actuator of a tendon."""
    pulled = pair(PULLED.format(ON_TENDONS))
    turned = pair(PULLED.format(ON_JOINTS))
    rng = np.random.default_rng(8)
    for both in (pulled, turned):
        both.data.qpos[:] = 0.4, -0.7, 0.2
    for _ in range(200):
        pull, lift = rng.normal(size=2)
        pulled.data.ctrl[:] = pull, lift
        a, b = 3 * 0.3, -3 * 0.2
        length = a * turned.data.qpos[0] + b * turned.data.qpos[1]
        speed = a * turned.data.qvel[0] + b * turned.data.qvel[1]
        force = 20 * (pull - length) - 2 * speed
        turned.data.ctrl[:] = a * force, b * force, lift
        for both in (pulled, turned):
            both.data.step()
        np.testing.assert_allclose(pulled.data.qpos, turned.data.qpos, rtol=0, atol=1e-10)
        np.testing.assert_allclose(pulled.data.qfrc_actuator, turned.data.qfrc_actuator, atol=1e-10)


def test_lengths_and_arms_of_tendons():
    """000.6-AC6: length times gear, and the tendon's own gradient times gear."""
    for both in states(PULLED.format(ON_TENDONS)):
        data = both.data
        both.assert_equal(*written_by("step.position.transmission"))
        assert data.actuator_length.tolist() == (data.ten_length * [3, 2]).tolist()
        expected = [[3 * 0.3, -3 * 0.2, 0], [0, 0, -2]]
        np.testing.assert_allclose(moments(data), expected, rtol=1e-15, atol=1e-15)


def test_a_gear_of_zero_acts_on_nothing():
    both = next(states(FREE_TO_ACT.format(actuators='<motor joint="hinge" gear="0"/>')))
    both.data.ctrl[0] = 5.0
    both.data.forward()
    assert both.data.actuator_force[0] == 5.0
    assert both.data.qfrc_actuator == pytest.approx(np.zeros(both.model.nv))
