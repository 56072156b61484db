"""The touch grid."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.step.sensing.touch_grid import touch_grid_sensors
from tests.step.borrowed import borrow
from tests.step.sensing.readings import assert_readings
from tests.step.stages import Pair, pair

PRESSED = """<mujoco><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension>
<option cone="{cone}"/><worldbody><geom type="plane" size="3 3 1"/>
<body name="low" pos="0 0 .19"><freejoint/><geom type="box" size=".2 .2 .2"/>
<site name="down" euler="10 5 3"/><site name="up" pos="0 0 .1" euler="180 0 20"/>
<body pos=".3 0 0"><geom size=".2" condim="6"/></body></body>
<body pos="0 0 .48"><freejoint/><geom type="box" size=".1 .1 .1" condim="4"/><site name="top"/>
</body><body pos=".15 .12 .48"><freejoint/><geom size=".1"/><site name="ball"/></body>
</worldbody><sensor>{sensors}</sensor></mujoco>"""
GRID = """<plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="{}" cutoff="{}">
<config key="size" value="{} {}"/><config key="fov" value="{} {}"/><config key="gamma" value="{}"/>
<config key="nchannel" value="{}"/></plugin>"""


def grids(cone: str) -> str:
    """Grids of every kind at every site."""
    rows = (
        (site, cutoff, *size, *view, gamma, channels)
        for site, cutoff, size, view, gamma, channels in (
            ("down", 0, (7, 5), (60, 60), 0, 6),
            ("down", 3, (8, 8), (90, 45), 0.5, 3),
            ("up", 0, (3, 9), (180, 90), 1, 1),
            ("top", 0, (1, 2), (60, 60), 0, 2),
            ("top", 0, (6, 6), (75, 60), 0.3, 5),
            ("ball", 0, (4, 4), (90, 60), 0, 6),
        )
    )
    return PRESSED.format(cone=cone, sensors="".join(GRID.format(*row) for row in rows))


def pressed(source: str, seed: int) -> Pair:
    both = pair(source)
    qvel = 0.3 * np.random.default_rng(seed).normal(size=both.model.nv)
    both.data.qvel[:] = both.theirs.qvel[:] = qvel
    both.data.sensordata[:] = 4
    borrow(both)
    both.data._run_unit(touch_grid_sensors)
    return both


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_readings_are_mujocos(cone):
    """Of grids that are even, finer in the middle, wide and narrow, with one to six channels."""
    both = pressed(grids(cone), 1)
    assert both.theirs.ncon > 6
    assert_readings(both)
    for i in range(both.model.nsensor):
        at = both.model.sensor_adr[i]
        assert both.data.sensordata[at : at + both.model.sensor_dim[i]].any(), i


def test_known_cell():
    """A ball on a floor presses the middle of a grid that looks down, with its whole weight."""
    source = PRESSED[: PRESSED.index("<body name")].format(cone="elliptic")
    grid = GRID.format("s", 0, 3, 5, 45, 45, 0, 1)
    both = pressed(
        f"""{source}<body pos="0 0 .099"><freejoint/><geom size=".1" mass="2"/>
        <site name="s"/></body></worldbody><sensor>{grid}</sensor></mujoco>""",
        2,
    )
    readings = both.data.sensordata.reshape(5, 3)
    lift = 2 * (both.data.qacc[2] + 9.81)
    np.testing.assert_allclose(readings[2, 1], lift, rtol=1e-9)
    assert np.count_nonzero(readings) == 1
