"""Sensors of contacts."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.step.sensing.contacts import contact_sensors
from tests.step.borrowed import borrow
from tests.step.sensing.readings import assert_readings, reading
from tests.step.stages import Pair, pair

SCENE = """<mujoco><option cone="{cone}"/><worldbody>
<geom name="floor" type="plane" size="3 3 1" surfacevel=".3 .1 0 0 0 0"/>
<site name="zone" type="box" size=".3 .3 .05"/>
<body name="box" pos="0 0 .19"><freejoint/><geom name="box" type="box" size=".2 .2 .2"/>
<body name="arm" pos=".3 0 0"><joint/><geom name="arm" size=".21"/>
<body name="hand" pos=".3 0 0"><joint axis="0 1 0"/><geom name="hand" size=".2" condim="4"/></body>
</body></body>
<body name="ball" pos="0 0 .49"><freejoint/><geom name="ball" size=".12" condim="6"/></body>
<body name="far" pos="0 2 .105"><freejoint/><geom name="far" size=".1" gap=".01"/></body>
</worldbody><sensor>{sensors}</sensor></mujoco>"""
OBJECTS = (
    *("", 'geom1="floor"', 'geom2="floor"', 'geom1="box" geom2="floor"', 'geom1="ball"'),
    *('geom1="floor" geom2="box"', 'body1="box"', 'body2="box"', 'body1="ball" body2="box"'),
    *('subtree1="box"', 'subtree2="box"', 'subtree1="box" subtree2="box"', 'site="zone"'),
    *('subtree1="box" geom2="floor"', 'site="zone" geom2="floor"', 'site="zone" body2="box"'),
    *('geom1="hand" body2="world"', 'subtree1="world"', 'geom1="far"', 'geom1="far" geom2="ball"'),
)
ALL = "found force torque dist pos normal tangent"
SHOWN = (ALL, ALL + " linvel angvel", "found", "dist linvel", "found angvel", "force", "pos normal")
ORDERS = ("none", "mindist", "maxforce", "netforce")


def sensed(cone: str, sensors: str) -> Pair:
    """Both engines in a state with many contacts, and what was shown of them."""
    both = pair(SCENE.format(cone=cone, sensors=sensors))
    both.data.qvel[:] = both.theirs.qvel[:] = np.random.default_rng(3).normal(size=both.model.nv)
    sense(both)
    return both


def sense(both: Pair) -> None:
    both.data.sensordata[:] = 9
    borrow(both)
    for stage in (1, 2, 3):
        both.data._run_unit(contact_sensors, stage)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_readings_are_mujocos(cone):
    """Every way to match, to choose and to show, with one, three and more slots than contacts."""
    sensors = ""
    for n, objects in enumerate(OBJECTS):
        for k, order in enumerate(ORDERS):
            data = SHOWN[(n + k) % len(SHOWN)]
            if order == "netforce":
                data = ALL if "vel" in data else data
            count = (1, 3, 20)[(n + 2 * k) % 3]
            sensors += f'<contact {objects} data="{data}" reduce="{order}" num="{count}"/>'
    both = sensed(cone, sensors)
    assert both.theirs.ncon > 7 and np.any(both.data.contact.exclude)
    assert set(both.model.sensor_needstage) == {1, 2, 3}
    assert_readings(both)


def test_cutoff_is_ignored():
    """As in MuJoCo."""
    both = sensed("pyramidal", '<contact geom1="box" data="found force" num="3" cutoff=".01"/>')
    assert_readings(both)
    assert both.data.sensordata.max() > 0.01


def test_known_contact():
    """A ball on a floor: one contact, whose normal points at what was named second."""
    both = pair("""<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
    <body name="b" pos=".3 .2 .09"><freejoint/><geom name="ball" size=".1" mass="2"/></body>
    </worldbody><sensor>
    <contact name="up" geom1="floor" geom2="ball" data="found force dist pos normal linvel"/>
    <contact name="down" geom1="ball" data="found force dist pos normal linvel" num="2"/>
    <contact name="net" body1="b" reduce="netforce" data="found force torque pos"/>
    </sensor></mujoco>""")
    both.data.qvel[:3] = both.theirs.qvel[:3] = [0.1, 0.2, -0.3]
    sense(both)
    lift = 2 * (both.data.qacc[2] + 9.81)
    up, down, net = (reading(both.data, name) for name in ("up", "down", "net"))
    assert up[0] == down[0] == net[0] == 1
    np.testing.assert_allclose([up[1], down[1]], lift, rtol=1e-9)
    np.testing.assert_allclose([up[4], down[4]], -0.01, atol=1e-15)
    np.testing.assert_allclose(up[5:11], [0.3, 0.2, -0.005, 0, 0, 1], atol=1e-15)
    np.testing.assert_allclose(down[8:11], [0, 0, -1], atol=1e-15)
    # along the normal it comes nearer, whoever looks; the friction of the floor holds it back
    np.testing.assert_allclose([up[11], down[11]], -0.3, rtol=1e-12)
    np.testing.assert_allclose(np.hypot(*up[12:14]), np.hypot(0.1, 0.2), rtol=1e-12)
    np.testing.assert_allclose(net[1:4], [*-2 * both.data.qacc[:2], -lift], rtol=1e-9)
    np.testing.assert_allclose(net[7:10], [0.3, 0.2, -0.005], atol=1e-15)
    assert not down[14:].any()
