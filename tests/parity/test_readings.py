"""Readings that are excused: only with a proof, which another reading does not have."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compare.oracle import mujoco_module
from cortenforge.compare.report import compare_loaded
from cortenforge.compare.sampled_distance import convex_distance
from cortenforge.compare.sensor_exceptions import excuse_readings
from cortenforge.compare.shared_contacts import zero_rounding_forces
from tests.step.stages import Pair, pair

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore:the distance that sensor")]
SHAPES = """<mujoco><worldbody>
<geom type="plane" size="1 1 1"/>
<body pos="0 0 .4"><geom type="box" size=".1 .2 .3"/></body>
<body pos=".25 0 .4"><geom type="sphere" size=".1"/></body>
<body pos="0 .3 .4" euler="90 0 0"><geom type="capsule" size=".05 .1"/></body>
<body pos=".2 0 .4"><geom type="cylinder" size=".15 .3"/></body>
<body pos="0 0 1.1"><geom type="ellipsoid" size=".1 .2 .3"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("one", "other", "exact"),
    [
        (0, 1, 0.1),
        (2, 0, 0.3),
        (1, 2, 0.05),
        (1, 3, -0.05),
        (1, 4, -0.05),
        (4, 4, -0.3),
        (1, 5, 0.1),
    ],
)
def test_referee(one, other, exact):
    """Distances and depths that are seen from the sizes of geoms."""
    data = pair(SHAPES).data
    data.forward()
    assert convex_distance(data, one, other) == pytest.approx(exact, abs=1e-9)


#: a capsule across a box, whose depth MuJoCo takes from contacts; a cylinder in its own place; a
#: camera below a height field that cannot be touched
READ = """<mujoco><asset><hfield name="h" nrow="3" ncol="3" size="1 1 .5 .1"
elevation="0 0 0 0 1 0 0 0 0"/></asset><worldbody>
<geom type="hfield" hfield="h" pos="0 0 5" contype="0" conaffinity="0"/>
<geom size=".1" pos="9 0 9"/>
<body pos="0 0 1"><freejoint/><geom name="box" type="box" size=".12 .13 .18"/>
<geom name="capsule" type="capsule" size=".12 .13" pos=".14 .09 -.13" euler="30 50 70"/></body>
<body name="can" pos="2 0 1"><freejoint/><geom name="can" type="cylinder" size=".1 .12"/></body>
<body pos=".3 .3 5.05"><camera name="eye" euler="180 0 0" resolution="1 1"/></body></worldbody>
<sensor><distance geom1="box" geom2="capsule"/><distance geom1="can" body2="can"/>
<rangefinder camera="eye"/></sensor></mujoco>"""


@pytest.fixture
def both() -> Pair:
    found = pair(READ)
    found.data.forward()
    mujoco_module().mj_forward(found.reference, found.theirs)
    return found


def test_readings_that_are_better_than_mujocos(both):
    """All three differ, and are taken over."""
    ours, theirs = both.data.sensordata.copy(), both.theirs.sensordata.copy()
    assert np.abs(ours - theirs)[0] > 1e-3 and theirs[2] == -1 < 0.1 < ours[2]
    excuse_readings(both.data, both.reference, both.theirs)
    np.testing.assert_array_equal(both.theirs.sensordata, ours)
    assert compare_loaded(both.model, both.reference, 1, 0).ok


def test_readings_that_are_worse_than_mujocos(both):
    """A distance that is farther from the exact one, and a ray that meets nothing there."""
    theirs = both.theirs.sensordata.copy()
    exact = convex_distance(both.data, 2, 3)
    both.data.sensordata[0] = exact + 3 * abs(theirs[0] - exact)
    both.data.sensordata[1] *= 0.5
    both.data.sensordata[2] *= 1.001
    excuse_readings(both.data, both.reference, both.theirs)
    np.testing.assert_array_equal(both.theirs.sensordata, theirs)


def test_forces_of_rounding():
    """What holds two places of one body together has no force, or that of a last digit."""
    text = """<mujoco><option jacobian="dense"/><worldbody>
    <body pos="1 2 3" euler="10 20 30"><freejoint/><geom size=".1"/>
    <site name="a" pos=".1 .2 .3"/><site name="b" pos=".1 .2 .4"/></body></worldbody>
    <equality><weld site1="a" site2="b"/></equality></mujoco>"""
    both = pair(text)
    both.data.forward()
    mujoco_module().mj_forward(both.reference, both.theirs)
    assert both.data.nefc == both.theirs.nefc == 6
    both.data.efc_force[:] = both.theirs.efc_force[:] = 5.0
    both.data.efc_aref[3] = 1.0
    zero_rounding_forces(both.data, both.reference, both.theirs)
    # turns move nothing, and one of them seems to be asked for
    assert both.theirs.efc_force.tolist() == [5.0] * 3 + [0.0] * 3
    assert both.data.efc_force.tolist() == [5.0] * 4 + [0.0] * 2
