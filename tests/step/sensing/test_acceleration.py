"""Sensors of accelerations and forces."""

from __future__ import annotations

import numpy as np
import pytest

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
