"""Tactile sensors."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.step.sensing.tactile import tactile_sensors
from tests.step.borrowed import borrow
from tests.step.sensing.readings import assert_readings
from tests.step.stages import Pair, pair

PLATE = 'builtin="plate" params="20 21" scale=".2 .2 .05"'
PAD = """<mujoco><asset><mesh name="p" {mesh}/></asset><worldbody>
<body pos=".1 .2 .3" euler="10 20 30"><freejoint/><geom type="box" size=".2 .2 .05"/>
<geom name="s" type="mesh" mesh="p" contype="0" conaffinity="0" pos=".01 .02 .03" euler="3 4 5"
mass="0"/></body>
<body pos=".1 .2 .38" euler="40 50 60"><freejoint/>{geoms}</body>
<body pos=".1 .3 .38" euler="40 50 60"><freejoint/><geom size=".1"/></body></worldbody>
<sensor><tactile geom="s" mesh="p" cutoff="{cutoff}"/></sensor></mujoco>"""
GEOMS = {
    "sphere": '<geom size=".1"/><geom size=".12" pos="-.02 0 0"/>',
    "capsule": '<geom type="capsule" size=".08 .1"/>',
    "ellipsoid": '<geom type="ellipsoid" size=".1 .12 .13"/>',
    "cylinder": '<geom type="cylinder" size=".1 .12"/>',
    "box": '<geom type="box" size=".1 .12 .13"/>',
}


def felt(source: str) -> Pair:
    """Both engines, with what was felt."""
    both = pair(source)
    both.data.qvel[:] = both.theirs.qvel[:] = np.random.default_rng(2).normal(size=both.model.nv)
    both.data.sensordata[:] = 5
    borrow(both)
    both.data._run_unit(tactile_sensors)
    return both


@pytest.mark.parametrize("kind", GEOMS)
def test_readings_are_mujocos(kind):
    """Of a plate in shapes of every kind, several at a time, with a cutoff and without."""
    for cutoff in (0, 0.01):
        both = felt(PAD.format(mesh=PLATE, geoms=GEOMS[kind], cutoff=cutoff))
        assert_readings(both)
        depth, *speeds = both.data.sensordata.reshape(3, -1)
        assert 20 < (depth > 0).sum() < len(depth) and all(speed.any() for speed in speeds)


def test_a_mesh_without_tangents():
    """Feels depth alone."""
    mesh = 'builtin="sphere" params="3" scale=".2 .1 .15"'
    both = felt(PAD.format(mesh=mesh, geoms=GEOMS["sphere"], cutoff=0))
    assert_readings(both)
    depth, *speeds = both.data.sensordata.reshape(3, -1)
    assert depth.any() and not np.any(speeds)


def test_geoms_of_the_same_body():
    """Pairs of geoms that move with the sensor: it feels others, and not the one that it is on."""
    near = '<geom name="a" size=".1" pos="0 0 .05"/><geom name="b" size=".15" pos="0 .1 .05"/>'
    pairs = '<contact><pair geom1="a" geom2="b"/></contact><sensor>'
    text = PAD.format(mesh=PLATE, geoms=GEOMS["sphere"], cutoff=0)
    text = text.replace('<geom name="s"', near + '<geom name="s"').replace("<sensor>", pairs)
    for geom in "sb":
        both = felt(text.replace('tactile geom="s"', f'tactile geom="{geom}"'))
        assert_readings(both)
        assert np.any(both.theirs.contact.exclude == 3)


def test_known_depth():
    """A plate in the top of a floor: one depth; MuJoCo's tangents of a plate are along y and z."""
    text = f"""<mujoco><asset><mesh name="p" {PLATE}/></asset><worldbody>
    <geom type="plane" size="9 9 1"/><body pos="0 0 .04"><freejoint/><geom type="box"
    size=".2 .2 .05"/><geom name="s" type="mesh" mesh="p" contype="0" conaffinity="0" mass="0"
    pos="0 0 -.05"/></body></worldbody><sensor><tactile geom="s" mesh="p"/></sensor></mujoco>"""
    both = pair(text)
    both.data.qvel[:3] = both.theirs.qvel[:3] = [0.5, 0.3, -0.1]
    borrow(both)
    both.data._run_unit(tactile_sensors)
    height = both.data.geom_xpos[2, 2] + both.model.mesh_vert @ both.data.geom_xmat[2, 6:]
    depth, *speeds = both.data.sensordata.reshape(3, -1)
    np.testing.assert_allclose(depth, np.maximum(0, -height), atol=1e-12)
    inside = depth > 0
    assert inside.any()
    np.testing.assert_allclose(np.transpose(speeds)[inside], [[0.3, 0.1]] * inside.sum())
    assert not np.any(np.array(speeds)[:, ~inside])
