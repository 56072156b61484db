"""Sensors of distances: between geoms and bodies, against MuJoCo and against what is known."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.convex import ASSETS, GEOMS
from conformance.fields import load_plugins
from conformance.fields import scene as field_scene
from tests.step.sensing.readings import reading, world
from tests.step.stages import pair

KINDS = ("distance", "normal", "fromto")
BODIES = f"""
<geom name="floor" type="plane" size="1 1 1" quat="1 .02 .03 .1" pos="0 0 -.6"/>
<body name="one"><freejoint/><geom name="a" {GEOMS["blob"]}/>
  <geom name="b" {GEOMS["sphere"]} pos=".3 0 0"/><geom name="c" {GEOMS["cylinder"]} pos="0 .3 0"/>
</body>
<body name="two"><freejoint/><geom name="d" {GEOMS["box"]}/>
  <geom name="e" {GEOMS["capsule"]} pos="0 0 .3"/></body>"""
OBJECTS = (
    'geom1="a" geom2="d"', 'geom1="d" geom2="a"', 'geom1="b" geom2="e"', 'geom1="e" geom2="c"',
    'geom1="floor" geom2="a"', 'geom1="d" geom2="floor"', 'body1="one" geom2="d"',
    'geom1="floor" body2="one"', 'body1="one" body2="world"',
)  # fmt: skip


def sensors(cutoff, objects=OBJECTS):
    """All three kinds, of all of these."""
    return "".join(f'<{kind} {two} cutoff="{cutoff}"/>' for two in objects for kind in KINDS)


def scene(cutoff):
    return f"""<mujoco><option><flag contact="disable"/></option><asset>{ASSETS}</asset>
    <worldbody>{BODIES}</worldbody><sensor>{sensors(cutoff)}</sensor></mujoco>"""


@pytest.mark.oracle
@pytest.mark.parametrize("cutoff", [0, 0.2, 5])
def test_readings_are_mujocos(cutoff):
    """10: between geoms and bodies, in either order, apart, beyond the cutoff and overlapping."""
    both, rng = pair(scene(cutoff)), np.random.default_rng(7)
    assert both.model.supported() == []
    touched = 0
    for _ in range(20):
        qpos = rng.normal(size=both.model.nq) * 0.35
        both.data.qpos[:] = both.theirs.qpos[:] = qpos
        both.forward()
        for i in range(0, both.model.nsensor, 3):
            at = int(both.model.sensor_adr[i])
            ours, theirs = (x.sensordata[at : at + 10] for x in (both.data, both.theirs))
            # to MuJoCo's ccd_tolerance where a smooth geom is one of both
            deep = theirs[0] < 0
            np.testing.assert_allclose(ours[0], theirs[0], atol=1e-6 if deep else 1e-9)
            if not deep:
                np.testing.assert_allclose(ours[1:], theirs[1:], atol=2e-5)
            touched += deep
    assert touched > 10


def test_two_balls():
    """10: apart, the normal leads from the first to the second; overlapping, the other way."""
    data = world(
        '<geom name="a" size=".3"/><body pos="0 0 1"><freejoint/><geom name="b" size=".2"/></body>',
        '<distance name="dist" geom1="a" geom2="b" cutoff="9"/>'
        '<normal name="normal" geom1="a" geom2="b" cutoff="9"/>'
        '<fromto name="fromto" geom1="a" geom2="b" cutoff="9"/>',
    )
    for height, sign in ((1.0, 1), (0.4, -1)):
        data.qpos[2] = height
        data.forward()
        assert reading(data, "dist") == pytest.approx(height - 0.5)
        np.testing.assert_allclose(reading(data, "normal"), (0, 0, sign), atol=1e-12)
        np.testing.assert_allclose(
            reading(data, "fromto"), (0, 0, 0.3, 0, 0, height - 0.2), atol=1e-12
        )


def test_beyond_the_cutoff():
    """Then it is the distance, and there is neither a direction nor a segment."""
    data = world(
        '<geom name="a" size=".3"/><body pos="0 0 1"><freejoint/><geom name="b" size=".2"/></body>',
        '<distance name="dist" geom1="a" geom2="b" cutoff=".4"/>'
        '<normal name="normal" geom1="a" geom2="b" cutoff=".4"/>'
        '<fromto name="fromto" geom1="a" geom2="b"/>',
    )
    data.forward()
    assert reading(data, "dist") == 0.4
    assert not reading(data, "normal").any() and not reading(data, "fromto").any()


def test_deep_where_mujoco_is_wrong():
    """10: the axis of a capsule deep in a box; out by the nearest side, and the radius."""
    data = world(
        '<geom name="a" type="capsule" size=".05 .5"/><body pos=".02 0 0"><freejoint/>'
        '<geom name="b" type="box" size=".1 .3 .4"/></body>',
        '<distance name="dist" geom1="a" geom2="b"/><normal name="normal" geom1="a" geom2="b"/>',
    )
    data.forward()
    assert reading(data, "dist") == pytest.approx(-(0.1 - 0.02 + 0.05), abs=1e-12)
    np.testing.assert_allclose(reading(data, "normal"), (-1, 0, 0), atol=1e-12)


def test_planes_have_no_distance():
    """As in MuJoCo, two planes are never nearer than the cutoff."""
    data = world(
        '<geom name="a" type="plane" size="1 1 1"/><geom name="b" type="plane" size="1 1 1"/>',
        '<distance name="dist" geom1="a" geom2="b" cutoff=".4"/>',
    )
    data.forward()
    assert reading(data, "dist") == 0.4


def test_iterations_that_run_out_name_the_sensor():
    """10: a warning, and an answer all the same; a question of its own names the geoms."""
    text = """<mujoco><option ccd_iterations="2"><flag contact="disable"/></option><worldbody>
    <geom name="a" type="ellipsoid" size=".3 .2 .1"/><body pos=".6 .5 .4"><freejoint/>
    <geom name="b" type="cylinder" size=".1 .3"/></body></worldbody>
    <sensor><distance name="eye" geom1="a" geom2="b" cutoff="9"/></sensor></mujoco>"""
    data = cf.Model.from_mjcf(text).make_data()
    with pytest.warns(cf.errors.StepWarning, match="'eye'.*ccd_iterations = 2"):
        data.forward()
    assert np.isfinite(reading(data, "eye")).all()
    with pytest.warns(cf.errors.StepWarning, match="'a' and 'b'.*ccd_iterations = 2"):
        data.geom_distance("a", "b")


def test_bodies_with_height_fields():
    """10: that of the nearest prism; MuJoCo has no such numbers. A field itself is refused."""
    text = """<mujoco><asset><hfield name="x" nrow="3" ncol="4" size="1 1 .3 .1"
      elevation="0 .2 1 .4 .3 .1 .6 .2 .9 0 .5 .7"/></asset><worldbody>
    <geom name="field" type="hfield" hfield="x"/>
    <body pos=".1 .2 .9"><freejoint/><geom name="ball" size=".2"/></body></worldbody>
    <sensor><distance name="dist" {0} geom2="ball" cutoff="9"/>
    <normal name="normal" {0} geom2="ball" cutoff="9"/>
    <fromto name="fromto" geom1="ball" body2="world" cutoff="9"/></sensor></mujoco>"""
    data = cf.Model.from_mjcf(text.format('body1="world"')).make_data()
    for height in (0.9, 0.5, 0.4):
        data.qpos[2] = height
        data.forward()
        dist, points = data.geom_distance("field", "ball")
        assert reading(data, "dist") == pytest.approx(dist, abs=1e-12)
        np.testing.assert_allclose(reading(data, "fromto"), points[::-1].ravel(), atol=1e-12)
        way = (points[1] - points[0]) / abs(dist)
        np.testing.assert_allclose(reading(data, "normal"), way, atol=1e-9)
    with pytest.raises(cf.errors.MjcfError, match="height fields"):
        cf.Model.from_mjcf(text.format('geom1="field"'))


@pytest.mark.oracle
def test_distance_fields_have_no_distance():
    """As in MuJoCo: sensors read their cutoff."""
    load_plugins()
    text = field_scene("box").replace(
        "</worldbody>",
        '</worldbody><sensor><distance geom1="ring" geom2="other" cutoff="5"/>'
        '<fromto geom1="ring" geom2="other" cutoff="5"/></sensor>',
    )
    both = pair(text.replace('<body mocap="true"><geom', '<body mocap="true"><geom name="other"'))
    both.data.qpos[2] = both.theirs.qpos[2] = 1.0
    both.forward()
    assert both.data.sensordata.tolist() == both.theirs.sensordata.tolist() == [5.0, *[0.0] * 6]
