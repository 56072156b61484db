"""Sensors of positions."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import mujoco_module
from cortenforge.enums import Disable
from tests.step.sensing.readings import SENSED, assert_readings, reading, sensed, world
from tests.step.stages import pair

#: a rotation by +90 degrees about z
QUARTER = (np.sqrt(0.5), 0, 0, np.sqrt(0.5))


@SENSED
def test_readings_are_mujocos(source):
    """001.6-AC6: all types that need no contact, ray or constraint, of all types of objects."""
    for both in sensed(source):
        assert_readings(both)


def test_magnetometer():
    """000.6-AC4: the field, in the axes of the site: R' B."""
    data = world('<site name="s" euler="0 0 90"/>', '<magnetometer site="s"/>', 'magnetic="1 2 3"')
    data.forward()
    np.testing.assert_allclose(data.sensordata, [2, -1, 3], atol=1e-15)
    axes = data.site_xmat[0].reshape(3, 3)
    np.testing.assert_array_equal(data.sensordata, axes.T @ [1, 2, 3])


JOINTS = """
<body><joint name="hinge"/><geom size=".1"/></body><body><joint name="slide" type="slide"/>
<geom size=".1"/></body><body><joint name="ball" type="ball"/><geom size=".1"/></body>
"""


def test_joints_and_clock():
    """002-I4, 000.6-S2: joints read as set, quaternions of length one; the clock is the time."""
    sensors = """<jointpos joint="hinge"/><jointpos joint="slide"/><ballquat joint="ball"/><clock/>
    <jointvel joint="hinge"/><jointvel joint="slide"/><ballangvel joint="ball"/>"""
    data = world(JOINTS, sensors)
    data.qpos[:] = 0.5, -2, 3, 0, 0, 4
    data.qvel[:] = 1, 2, 3, 4, 5
    data.time = 7.5
    data.forward()
    expected = [0.5, -2, 0.6, 0, 0, 0.8, 7.5, 1, 2, 3, 4, 5]
    np.testing.assert_allclose(data.sensordata, expected, rtol=1e-15)


FRAMES = """
<site name="eye" pos="1 0 0" euler="0 0 90"/>
<body name="b" pos="0 2 0" euler="0 0 90"><geom name="g" size=".1" pos="1 0 0"/></body>
<camera name="c" pos="0 0 3" euler="90 0 0"/>
"""


@pytest.mark.parametrize(
    ("kind", "name", "place"),
    [
        ("body", "b", (0, 3, 0)),
        ("xbody", "b", (0, 2, 0)),
        ("geom", "g", (0, 3, 0)),
        ("site", "eye", (1, 0, 0)),
        ("camera", "c", (0, 0, 3)),
    ],
)
def test_frame_place(kind, name, place):
    """002-I4: where an object is, and where it is for an eye that is turned by 90 degrees."""
    obj = f'objtype="{kind}" objname="{name}"'
    sensors = f'<framepos {obj}/><framepos {obj} reftype="site" refname="eye"/>'
    data = world(FRAMES, sensors)
    data.forward()
    x, y, z = place
    np.testing.assert_allclose(data.sensordata, [x, y, z, y, 1 - x, z], atol=1e-15)


def test_frame_axes_and_rotation():
    """002-I4: axes and quaternion of a frame, in the world and for one that is turned along."""
    text = ""
    for kind in ("xaxis", "yaxis", "zaxis", "quat"):
        obj = f'<frame{kind} objtype="xbody" objname="b"'
        text += f'{obj} name="{kind}"/>{obj} name="{kind} seen" reftype="site" refname="eye"/>'
    data = world(FRAMES, text)
    data.forward()
    for kind, expected, seen in (
        ("xaxis", (0, 1, 0), (1, 0, 0)),
        ("yaxis", (-1, 0, 0), (0, 1, 0)),
        ("zaxis", (0, 0, 1), (0, 0, 1)),
        ("quat", QUARTER, (1, 0, 0, 0)),
    ):
        np.testing.assert_allclose(reading(data, kind), expected, atol=1e-15)
        np.testing.assert_allclose(reading(data, f"{kind} seen"), seen, atol=1e-15)


def test_subtree_centre():
    """002-I4: two equal balls have their centre in the middle."""
    body = """<body name="b"><freejoint/><geom size=".1" pos="1 0 0"/>
    <body pos="0 3 0"><geom size=".1"/></body></body>"""
    data = world(body, '<subtreecom body="b"/>')
    data.forward()
    np.testing.assert_allclose(data.sensordata, [0.5, 1.5, 0], rtol=1e-15)


SEEN = """
<camera name="wide" pos="0 0 5" resolution="200 100" fovy="90"/>
<camera name="lens" pos="0 0 5" resolution="200 100" sensorsize=".02 .01" focal=".01 .04"/>
<site name="s" pos="1 .5 3"/>
"""


def test_camera_projection():
    """002-I4: pixels from the upper left corner, by field of view and by lens.

    Two metres away, 50 pixels are half the height of a view of 90 degrees.
    """
    sensors = """<camprojection name="wide" site="s" camera="wide"/>
    <camprojection name="lens" site="s" camera="lens"/>"""
    data = world(SEEN, sensors)
    data.forward()
    np.testing.assert_allclose(reading(data, "wide"), [100 + 50 * 0.5, 50 - 50 * 0.25], rtol=1e-14)
    expected = [100 + 100 * 0.5, 50 - 400 * 0.25]
    np.testing.assert_allclose(reading(data, "lens"), expected, rtol=1e-6)


def test_a_changed_lens_is_noticed():
    """Single reals are no reals of kernels, and still a change of them is seen."""
    data = world(SEEN, '<camprojection site="s" camera="lens"/>')
    data.forward()
    before = data.sensordata.copy()
    data.model.cam_intrinsic[1, 0] *= 2
    data.forward()
    np.testing.assert_allclose(data.sensordata - before, [50, 0], atol=1e-5)
    data.model.cam_resolution[1] = 400, 200
    data.forward()
    np.testing.assert_allclose(data.sensordata, [400, -100], rtol=1e-6)


ENERGY = '<body pos="0 0 2"><joint type="slide" axis="1 0 0"/><geom size=".1" mass="3"/></body>'


@pytest.mark.parametrize("enabled", [False, True])
def test_energy(enabled):
    """002-I4: m g h and m v^2 / 2, whether or not energies are asked for otherwise."""
    data = world(ENERGY, "<e_potential/><e_kinetic/>", 'gravity="0 0 -10"')
    data.model.opt.enableflags = int(cf.enums.Enable.ENERGY) if enabled else 0
    for speed in (2.0, 4.0):
        data.qvel[:] = speed
        data.forward()
        np.testing.assert_allclose(data.sensordata, [60, 1.5 * speed**2], rtol=1e-15)
        np.testing.assert_array_equal(data.energy, data.sensordata)


@pytest.mark.parametrize("sensor", ["<e_kinetic/>", "<e_potential/>", "<clock/>"])
def test_energy_as_mujoco_leaves_it(sensor):
    """Without the flag, sensors leave in `energy` what MuJoCo's leave there."""
    both = pair(f"<mujoco><worldbody>{ENERGY}</worldbody><sensor>{sensor}</sensor></mujoco>")
    both.data.qvel[:] = both.theirs.qvel[:] = 2.0
    both.data.forward()
    mujoco_module().mj_forward(both.reference, both.theirs)
    np.testing.assert_allclose(both.data.energy, both.theirs.energy, rtol=1e-15)


def test_sensors_that_are_switched_off_keep_their_readings():
    """As in MuJoCo; and they read again when they are switched on."""
    data = world(JOINTS, '<jointpos joint="hinge"/><clock/>')
    data.qpos[0] = 1.0
    data.forward()
    data.model.opt.disableflags |= int(Disable.SENSOR)
    data.qpos[0] = 2.0
    data.forward()
    assert data.sensordata.tolist() == [1.0, 0.0]
    data.model.opt.disableflags &= ~int(Disable.SENSOR)
    data.forward()
    assert data.sensordata.tolist() == [2.0, 0.0]


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_a_step_leaves_readings_of_where_it_started(integrator):
    """000.8-AC9: stages of Runge-Kutta do not touch readings."""
    sensors = '<jointpos joint="hinge"/><jointvel joint="hinge"/><clock/>'
    data = world(JOINTS, sensors, f'integrator="{integrator}"')
    data.qpos[0], data.qvel[0], data.time = 1.0, 2.0, 3.0
    data.step()
    assert data.sensordata.tolist() == [1.0, 2.0, 3.0]
    assert data.qpos[0] != 1.0 and data.time != 3.0
