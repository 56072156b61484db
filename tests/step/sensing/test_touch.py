"""Sensors of touch."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.step.sensing.touch import touch_sensors
from tests.step.borrowed import borrow
from tests.step.sensing.readings import assert_readings, reading
from tests.step.stages import pair

ZONES = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
TOUCHED = """<mujoco><option cone="{cone}"/><worldbody>
<geom type="plane" size="1 1 1"/><site name="floor" size="1 1 1" type="box"/>
<body name="a" pos="0 0 .19"><freejoint/><geom type="box" size=".2 .2 .2"/>{sites}
<body pos=".3 0 0"><joint/><geom size=".2"/><site name="child" size=".3"/></body></body>
<body pos="0 0 .49"><freejoint/><geom size=".12" condim="6"/><site name="top" size=".12"/></body>
</worldbody><sensor>{sensors}<touch name="floor" site="floor"/><touch name="child" site="child"/>
<touch name="top" site="top"/><touch name="cut" site="top" cutoff="1"/></sensor></mujoco>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_readings_are_mujocos(cone):
    """000.6-AC2: zones of every shape, which contacts are in, beside, or behind."""
    rng = np.random.default_rng(0)
    sites, sensors = "", ""
    for n in range(30):
        place = " ".join(map(str, rng.uniform(-0.3, 0.3, 3)))
        turn = " ".join(map(str, rng.uniform(-90, 90, 3)))
        size = " ".join(map(str, rng.uniform(0.02, 0.2, 3)))
        sites += (
            f'<site name="s{n}" type="{ZONES[n % 5]}" pos="{place}" euler="{turn}" size="{size}"/>'
        )
        sensors += f'<touch site="s{n}"/>'
    both = pair(TOUCHED.format(cone=cone, sites=sites, sensors=sensors))
    for _ in range(3):
        qvel = rng.normal(size=both.model.nv)
        both.data.qvel[:] = both.theirs.qvel[:] = qvel
        borrow(both)
        assert both.theirs.ncon > 4
        both.data._run_unit(touch_sensors)
        assert_readings(both)
        felt = both.data.sensordata[:30] > 0
        assert 3 < felt.sum() < 27


def test_known_force():
    """000.6-AC2: a box that is held at rest weighs what it weighs, cut off where asked."""
    both = pair("""<mujoco><option gravity="0 0 -10" tolerance="1e-14"/><worldbody>
    <geom type="plane" size="1 1 1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"
    mass="3"/><site name="s" type="box" size=".2 .2 .2"/><site name="away" pos="0 0 .3"/></body>
    </worldbody><sensor><touch name="s" site="s"/><touch name="cut" site="s" cutoff="20"/>
    <touch name="away" site="away"/></sensor></mujoco>""")
    from cortenforge.compare import mujoco_module

    mujoco_module().mj_step(both.reference, both.theirs, 2000)
    both.data.qpos[:], both.data.qvel[:] = both.theirs.qpos, both.theirs.qvel
    borrow(both)
    both.data._run_unit(touch_sensors)
    # what is left of the motion after four seconds
    np.testing.assert_allclose(reading(both.data, "s"), 30, rtol=1e-6)
    np.testing.assert_allclose(reading(both.data, "cut"), 20)
    np.testing.assert_allclose(reading(both.data, "away"), 0)
