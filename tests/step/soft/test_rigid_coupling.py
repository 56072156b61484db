"""What deformables do to rigid bodies: forces on bodies and joints, equal and opposite."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from tests.soft.scenes import GRAVITY, force_of, masses, world

ARM = """<body name="upper" pos="0 0 .6"><joint axis="0 1 0" damping=".5"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="1" contype="0" conaffinity="0"/>
    <body name="lower" pos=".3 0 0"><joint axis="0 1 0" damping=".5"/>
      <joint type="slide" axis="0 0 1" damping="20"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass=".5" contype="0" conaffinity="0"/>
      <geom name="foot" type="sphere" pos=".3 0 0" size=".05" mass=".5"/></body></body>"""


def pressing_arm() -> cf.Data:
    """An arm that lies with its foot on a soft block."""
    block = cf.SoftBody.box((4, 4, 2), (0.3, 0.3, 0.1), material="foam", pinned="bottom",
                            pos=(0.5, 0, 0.45), radius=0.01)  # fmt: skip
    data = world(block, inside=ARM)
    data.step(300)
    return data


def test_forces_on_joints_are_those_of_the_contacts():
    """11-S4: qfrc_soft is what the contacts' forces do at their points, told in qfrc_constraint."""
    data = pressing_arm()
    data.forward()
    lower, foot = data.model.id_of("body", "lower"), data.model.id_of("geom", "foot")
    force = -force_of(data, foot)
    assert force[2] > 2
    assert data.soft_wrench[lower, 3:] == pytest.approx(force, rel=1e-9, abs=1e-9)
    linear, angular = data.jac_body_com("lower")
    expected = linear.T @ data.soft_wrench[lower, 3:] + angular.T @ data.soft_wrench[lower, :3]
    assert data.qfrc_soft == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert data.qfrc_constraint == pytest.approx(data.qfrc_soft, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "discrete"])
def test_rigid_and_soft_bodies_share_momentum(integrator: str) -> None:
    """What a soft ball loses in a collision the rigid one gains, in every step."""
    soft = cf.SoftBody.ball(0.1, cell=0.06, material="soft_rubber", pos=(0.25, 0.03, 0))
    ball = '<body><freejoint/><geom size=".1" mass="2"/></body>'
    option = f'<option gravity="0 0 0" integrator="{integrator}"/>'
    data = world(soft, inside=ball, beside=option)
    data.softvert_vel[:] = (-2, 0, 0.5)
    mass = masses(data)

    def momentum() -> np.ndarray:
        return mass @ data.softvert_vel + 2 * data.qvel[:3]

    before, touched = momentum(), False
    for _ in range(100):
        data.step()
        touched |= bool(np.abs(data.soft_wrench[1, 3:]).sum() > 1)
        assert momentum() == pytest.approx(before, abs=1e-11)
    assert touched
    assert data.qvel[0] < -0.5


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_a_hanging_weight_pulls_with_its_weight(integrator):
    """Forces of attachments: a rope holds a weight, and sensors of force read mg."""
    weight = """<body name="hook" pos="0 0 1"><geom size=".01" mass="1" contype="0"/>
        <site name="top"/></body>
      <body name="load" pos="0 0 .5"><freejoint/><geom size=".05" mass="2" contype="0"/>
        <site name="ring" pos="0 0 .05"/></body>"""
    rope = (
        cf.CapsuleChain.line((0, 0, 1), (0, 0, 0.55), 5, radius=0.004, material="rope", damping=20)
        .attach("first", site="top")
        .attach("last", site="ring")
    )
    beside = f'''<option integrator="{integrator}" timestep=".002"/>
      <sensor><force site="top"/></sensor>'''
    data = world(rope, inside=weight, beside=beside, softsleep=0)
    data.step(5000)
    data.forward()
    assert np.abs(data.qvel).max() < 1e-4
    assert data.qfrc_constraint[2] == pytest.approx(2 * GRAVITY, rel=1e-4)
    assert data.qfrc_soft == pytest.approx(data.qfrc_constraint)
    pull = (2 + masses(data).sum()) * GRAVITY
    assert data.soft_wrench[1, 5] == pytest.approx(-pull, rel=1e-4)
    # the hook is part of the world: what holds it up also holds the rope
    assert data.sensordata[2] == pytest.approx(pull + GRAVITY, rel=1e-4)


def test_sensors_of_touch_read_the_weight():
    """A soft block on a pad that is a part of a scale: touch and force read its weight to 1%."""
    pad = """<body name="scale" pos="0 0 .1"><geom type="box" size=".2 .2 .02" mass="1"/>
        <site name="pad" type="box" size=".2 .2 .03"/></body>"""
    block = cf.SoftBody.box((4, 4, 2), (0.2, 0.2, 0.1), material="gelatin", pos=(0, 0, 0.18),
                            damping=20)  # fmt: skip
    beside = '<sensor><touch site="pad"/><force site="pad"/></sensor>'
    data = world(block, inside=pad, beside=beside, softsleep=0)
    data.step(1500)
    data.forward()
    weight = masses(data).sum() * GRAVITY
    assert data.sensordata[0] == pytest.approx(weight, rel=0.01)
    assert data.sensordata[3] == pytest.approx(weight + GRAVITY, rel=0.01)


def test_inverse_dynamics_know_the_pushes():
    """Forces that would move an arm as it moves are those that act on it."""
    data = pressing_arm()
    data.qfrc_applied[:] = (0.3, -0.2, 1)
    data.forward()
    data.inverse()
    assert data.qfrc_inverse == pytest.approx(data.qfrc_applied, abs=1e-9)
    # the same motion of an arm with nothing below it needs the block's pushes as well
    alone = cf.Model.from_mjcf(
        f'<mujoco><option gravity="0 0 -{GRAVITY}"/><worldbody>{ARM}</worldbody></mujoco>'
    ).make_data()
    for name in ("qpos", "qvel", "qacc"):
        getattr(alone, name)[:] = getattr(data, name)
    alone.inverse()
    assert np.abs(data.qfrc_soft).min() > 0.5
    assert alone.qfrc_inverse == pytest.approx(data.qfrc_applied + data.qfrc_soft, abs=1e-9)


def test_bodies_that_nothing_moves_feel_no_change():
    """A wall gets the wrench, and no joint any force."""
    wall = """<geom name="wall" type="plane" size="1 1 .1"/>
      <body pos="3 0 3"><freejoint/><geom size=".1"/></body>"""
    block = cf.SoftBody.box((2, 2, 2), (0.1, 0.1, 0.1), material="foam", pos=(0, 0, 0.06))
    data = world(block, inside=wall, softsleep=0)
    data.step(500)
    assert not data.qfrc_soft.any()
    assert data.soft_wrench[0, 5] == pytest.approx(-masses(data).sum() * GRAVITY, rel=1e-3)
    assert not data.soft_wrench[1].any()
