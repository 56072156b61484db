"""Sensors of accelerations and forces."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from tests.step.sensing.readings import SENSED, assert_readings, reading, sensed, world

ALL = """<accelerometer name="accelerometer" site="s"/><force name="force" site="s"/>
<torque name="torque" site="s"/><framelinacc name="lin" objtype="site" objname="s"/>
<frameangacc name="ang" objtype="site" objname="s"/>"""
GRAVITY = 'gravity="0 0 -10"'


@SENSED
def test_readings_are_mujocos(source):
    """Among random models of seeds of its own."""
    for both in sensed(source, seed=9):
        assert_readings(both)


@pytest.mark.parametrize("body", ["<body>", '<body mocap="true">'])
def test_what_stands_feels_gravity(body):
    """002-I4: an accelerometer at rest reads g upwards, also on what cannot move."""
    data = world(f'{body}<geom size=".1"/><site name="s" euler="180 0 0"/></body>', ALL, GRAVITY)
    data.forward()
    np.testing.assert_allclose(reading(data, "accelerometer"), [0, 0, -10], atol=1e-14)
    np.testing.assert_allclose(reading(data, "lin"), [0, 0, 10], atol=1e-14)
    np.testing.assert_allclose(reading(data, "ang"), [0, 0, 0], atol=1e-14)


def test_what_falls_feels_nothing():
    """002-I4: no acceleration, and nothing holds it."""
    body = '<body><freejoint/><geom size=".1"/><site name="s"/></body>'
    data = world(body, ALL, GRAVITY)
    data.forward()
    np.testing.assert_allclose(data.sensordata, 0, atol=1e-12)


def test_a_turning_wheel():
    """002-I4: r w^2 inwards and r a along; the axle pulls with m r w^2, and holds the weight."""
    body = """<body><joint axis="0 0 1" armature="1e6"/><geom size=".1" pos="2 0 0" mass="3"/>
    <site name="s"/><site name="rim" pos="2 0 0"/></body>"""
    sensors = ALL + '<accelerometer name="rim" site="rim"/>'
    data = world(body, sensors, GRAVITY)
    data.qvel[:] = 1.5
    data.qfrc_applied[:] = 1e6
    data.forward()
    a = data.qacc[0]
    np.testing.assert_allclose(reading(data, "rim"), [-2 * 2.25, 2 * a, 10], rtol=1e-13)
    np.testing.assert_allclose(reading(data, "ang"), [0, 0, a], atol=1e-13)
    # what the child gets from its parent, at the axle
    np.testing.assert_allclose(reading(data, "force"), [-3 * 4.5, 3 * 2 * a, 30], rtol=1e-13)
    spin = (0.4 * 3 * 0.01 + 3 * 4) * a
    np.testing.assert_allclose(reading(data, "torque"), [0, -60, spin], atol=1e-12)


def test_force_and_torque_of_a_shelf():
    """002-I4: a welded shelf rests on its parent; pushes go through to it."""
    body = """<body><geom size=".1"/><body name="shelf" pos="0 0 1"><geom size=".1" pos="1 0 0"
    mass="2"/><site name="s"/></body></body>"""
    data = world(body, ALL, GRAVITY)
    data.forward()
    np.testing.assert_allclose(reading(data, "force"), [0, 0, 20], atol=1e-13)
    np.testing.assert_allclose(reading(data, "torque"), [0, -20, 0], atol=1e-13)
    data.xfrc_applied[2] = 0, 5, 0, 0, 0, 7
    data.forward()
    np.testing.assert_allclose(reading(data, "force"), [0, -5, 20], atol=1e-13)
    np.testing.assert_allclose(reading(data, "torque"), [0, -20, -5 - 7], atol=1e-13)


#: every transmission; a hinge about y beside a ball, with a site on the hinge's arm
ACTED = """
<mujoco>
  <option gravity="0 0 0"><flag contact="disable"/></option>
  <worldbody>
    <site name="rail" pos="0 0 0" euler="0 90 0"/>
    <body><joint name="hinge" axis="0 1 0" actuatorfrcrange="-4 9"/><geom size=".1" pos=".5 0 0"/>
      <site name="tip" pos=".5 0 0"/></body>
    <body pos="0 2 0"><joint name="ball" type="ball"/><geom size=".1"/></body>
  </worldbody>
  <tendon>
    <fixed name="fixed"><joint joint="hinge" coef="0.5"/></fixed>
    <spatial name="rope"><site site="rail"/><site site="tip"/></spatial>
  </tendon>
  <actuator>
    <motor name="joint" joint="hinge" gear="3"/>
    <motor name="parent" jointinparent="ball" gear="0 0 2"/>
    <motor name="tendon" tendon="fixed" gear="4"/><motor name="other" tendon="fixed" gear="-1"/>
    <motor name="spatial" tendon="rope" gear="2"/>
    <motor name="site" site="tip" refsite="rail" gear="1 0 0 0 0 0"/>
    <motor name="crank" cranksite="tip" slidersite="rail" cranklength="0.6"/>
    <orientation name="turn" joint="ball" kp="2"/>
  </actuator>
  <sensor>{sensors}</sensor>
</mujoco>"""
NAMES = ("joint", "parent", "tendon", "other", "spatial", "site", "crank", "turn")
ACTUATORS = "".join(
    f'<actuator{kind} name="{name} {kind}" actuator="{name}"/>'
    for name in NAMES
    for kind in ("pos", "vel", "frc")
)
FORCES = """<jointactuatorfrc name="hinge" joint="hinge"/>
<tendonactuatorfrc name="fixed" tendon="fixed"/><tendonactuatorfrc name="rope" tendon="rope"/>"""


def test_actuators_of_every_transmission():
    """000.6-AC6: lengths, velocities and forces, as MuJoCo has them, and by hand."""
    for both in sensed(ACTED.format(sensors=ACTUATORS + FORCES), seed=2):
        assert_readings(both)
        data = both.data
        for name, out in zip(NAMES[:-1], range(7), strict=True):
            assert reading(data, f"{name} pos") == data.actuator_length[out]
            assert reading(data, f"{name} vel") == data.actuator_velocity[out]
            assert reading(data, f"{name} frc") == data.actuator_force[out]
        assert reading(data, "turn pos").tolist() == data.actuator_length[7:].tolist()
        assert reading(data, "turn frc").tolist() == data.actuator_force[7:].tolist()
    angle, speed = 0.3, 2.0
    data.qpos[:] = angle, np.cos(0.2), 0, 0, np.sin(0.2)
    data.qvel[:] = speed, 0, 0, 1.5
    data.ctrl[:] = 0
    data.forward()
    # along the rail's z, which is x: a rod between the tip, half a metre out, and the rail
    x, z = 0.5 * np.cos(angle), 0.5 * np.sin(angle)
    root = np.sqrt(x * x + 0.36 - 0.25)
    slope = -z * (1 - x / root)
    expected = {
        "joint": (3 * angle, 3 * speed),
        "parent": (2 * 0.4, 2 * 1.5),
        "tendon": (4 * 0.5 * angle, 4 * 0.5 * speed),
        "other": (-0.5 * angle, -0.5 * speed),
        "spatial": (2 * 0.5, 0),
        "site": (0.5 * np.sin(angle), 0.5 * np.cos(angle) * speed),
        "crank": (x - root, slope * speed),
    }
    for name, (length, velocity) in expected.items():
        assert reading(data, f"{name} pos")[0] == pytest.approx(length, abs=1e-14), name
        assert reading(data, f"{name} vel")[0] == pytest.approx(velocity, abs=1e-13), name
    np.testing.assert_allclose(reading(data, "turn pos"), [0, 0, 0.4], atol=1e-14)


def test_forces_on_joints_and_tendons():
    """Without gears along a tendon, with them and with limits on a joint; cut off as others are."""
    sensors = FORCES + '<actuatorfrc name="cut" actuator="joint" cutoff="0.5"/>'
    data = cf.Model.from_mjcf(ACTED.format(sensors=sensors)).make_data()
    data.ctrl[[0, 2, 3]] = 1, 2, 0.5
    data.forward()
    assert reading(data, "fixed")[0] == 2.5
    assert reading(data, "rope")[0] == 0.0
    assert reading(data, "hinge")[0] == pytest.approx(3 * 1 + 0.5 * (4 * 2 - 0.5))
    assert reading(data, "cut")[0] == 0.5
    data.ctrl[0] = 4
    data.forward()
    assert reading(data, "hinge")[0] == 9
