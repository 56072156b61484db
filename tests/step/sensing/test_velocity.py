"""Sensors of velocities."""

from __future__ import annotations

import numpy as np

from tests.step.sensing.readings import SENSED, assert_readings, reading, sensed, world

#: two metres out on a hinge that turns about z; the site looks along the tangent
WHEEL = """
<body name="wheel"><joint axis="0 0 1"/><geom name="g" size=".1" pos="2 0 0" mass="3"/>
<site name="s" pos="2 0 0" euler="0 0 90"/></body>
<body name="still" pos="2 0 0"><site name="rest"/></body>
"""


@SENSED
def test_readings_are_mujocos(source):
    """Among random models of seeds of its own."""
    for both in sensed(source, seed=5):
        assert_readings(both)


def test_velocimeter_and_gyro():
    """002-I4: r w forwards, and w about the axis, in the axes of the site."""
    data = world(WHEEL, '<velocimeter site="s"/><gyro site="s"/>')
    data.qvel[:] = 1.5
    data.forward()
    np.testing.assert_allclose(data.sensordata, [3, 0, 0, 0, 0, 1.5], atol=1e-14)


def test_frame_velocity():
    """002-I4: in the world; as seen by what stands; and what stands, as seen by what turns."""
    text = ""
    for kind in ("lin", "ang"):
        moving, still = 'objtype="site" objname="s"', 'objtype="site" objname="rest"'
        text += f"""<frame{kind}vel name="{kind}" {moving}/>
        <frame{kind}vel name="{kind} seen" {moving} reftype="xbody" refname="still"/>
        <frame{kind}vel name="{kind} riding" {still} reftype="xbody" refname="wheel"/>
        <frame{kind}vel name="{kind} along" {moving} reftype="xbody" refname="wheel"/>"""
    data = world(WHEEL, text)
    data.qvel[:] = 1.5
    data.forward()
    for name, expected in (
        ("lin", (0, 3, 0)),
        ("lin seen", (0, 3, 0)),
        ("lin riding", (0, -3, 0)),
        ("lin along", (0, 0, 0)),
        ("ang", (0, 0, 1.5)),
        ("ang seen", (0, 0, 1.5)),
        ("ang riding", (0, 0, -1.5)),
        ("ang along", (0, 0, 0)),
    ):
        np.testing.assert_allclose(reading(data, name), expected, atol=1e-14, err_msg=name)


TENDONS = """<mujoco><option><flag contact="disable"/></option><worldbody>
<site name="a" pos="0 0 1"/><body><joint name="j" axis="0 1 0"/><geom size=".1" pos="0 0 .3"/>
<body pos="0 0 .5"><joint name="k" type="slide" axis="1 0 0"/><geom size=".1"/>
<site name="b"/></body>
</body></worldbody><tendon><fixed name="fixed"><joint joint="j" coef="2"/>
<joint joint="k" coef="3"/></fixed>
<spatial name="spatial"><site site="a"/><site site="b"/></spatial></tendon><sensor>
<tendonpos tendon="fixed"/><tendonpos tendon="spatial" cutoff=".4"/><tendonvel tendon="fixed"/>
<tendonvel tendon="spatial"/></sensor></mujoco>"""


def test_tendons():
    """000.6-AC5, 002-I4: lengths and velocities of tendons; as MuJoCo has them, and by hand."""
    for both in sensed(TENDONS):
        assert_readings(both)
        data = both.data
        assert data.sensordata[[0, 2]].tolist() == [data.ten_length[0], data.ten_velocity[0]]
        assert data.sensordata[1] == min(data.ten_length[1], 0.4)
        assert data.sensordata[3] == data.ten_velocity[1]
        expected = [2 * data.qpos[0] + 3 * data.qpos[1], 2 * data.qvel[0] + 3 * data.qvel[1]]
        np.testing.assert_allclose(data.sensordata[[0, 2]], expected, rtol=1e-14)


def test_subtree_velocity_and_momentum():
    """002-I4: the centre moves at r w; about itself a ball has 2/5 m r^2 w."""
    data = world(WHEEL, '<subtreelinvel body="wheel"/><subtreeangmom body="wheel"/>')
    data.qvel[:] = 1.5
    data.forward()
    expected = [0, 3, 0, 0, 0, 0.4 * 3 * 0.01 * 1.5]
    np.testing.assert_allclose(data.sensordata, expected, atol=1e-14)
