"""Rangefinders of sites and of cameras."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import SensorType
from cortenforge.errors import ModelError
from tests.step.sensing.readings import assert_readings, reading, sensed, world

FLOOR = '<geom type="plane" size="9 9 .1"/>'
#: rays of sites and cameras against every type of geom; bodies that move see each other
SENSORS = """
<mujoco>
  <option><flag contact="disable"/></option>
  <asset>
    <mesh name="torus" builtin="supertorus" params="20 .5 .7 1.3" scale=".5 .4 .6"/>
    <mesh name="field" builtin="supertorus" params="20 .5 .7 1.3" scale=".3 .4 .35"/>
    <hfield name="hills" nrow="4" ncol="5" size="1 .7 .5 .2"
            elevation=".1 .9 .3 .2 .6  .5 .4 .8 .1 .3  .2 .7 .6 .9 .4  .3 .1 .5 .2 .8"/>
    <material name="glass" rgba="1 1 1 0"/>
  </asset>
  <worldbody>
    <geom type="plane" size="9 9 .1"/>
    <geom type="hfield" hfield="hills" pos="0 1 .1"/>
    <geom size=".5" pos="0 0 2" material="glass"/>
    <body pos="1 0 1">
      <freejoint/>
      <geom type="mesh" mesh="torus" pos="0 0 .2"/>
      <geom type="capsule" size=".1 .2" pos=".4 .5 0"/>
      <site name="down" pos=".1 .2 -.1" euler="175 7 0"/>
      <site name="up" euler="3 4 5"/>
      <camera name="wide" resolution="7 5" fovy="80" euler="3 100 2"/>
    </body>
    <body pos="-1 .2 1" euler="20 30 10">
      <freejoint/>
      <geom type="sdf" mesh="field"/>
      <geom type="box" size=".1 .2 .3" pos=".5 .3 .2"/>
      <geom type="cylinder" size=".1 .2" pos="-.5 .3 .2"/>
      <geom type="ellipsoid" size=".1 .2 .3" pos="0 -.6 .2"/>
      <site name="out" pos="0 0 .1" euler="40 80 20"/>
    </body>
    <body pos=".1 .2 3" euler="4 5 6">
      <freejoint/>
      <geom size=".1"/>
      <site name="below" euler="180 0 0"/>
      <camera name="above" resolution="6 7" fovy="60" euler="2 3 1"/>
      <camera name="flat" resolution="5 7" projection="orthographic" fovy="3" euler="2 3 1"/>
      <camera name="lens" resolution="8 6" sensorsize=".01 .012" focal=".01 .011"
              principal=".001 .002" euler="1 2 3"/>
    </body>
  </worldbody>
  <sensor>
    <rangefinder site="down"/>
    <rangefinder site="up"/>
    <rangefinder site="out" data="dist dir origin point normal depth"/>
    <rangefinder site="below" data="point depth" cutoff="1.5"/>
    <rangefinder site="up" data="dist normal"/>
    <rangefinder camera="wide" data="dist dir origin point normal depth"/>
    <rangefinder camera="above" data="dist"/>
    <rangefinder camera="above" data="dir normal depth" cutoff="2.6"/>
    <rangefinder camera="flat" data="dist dir origin point normal depth"/>
    <rangefinder camera="lens" data="dist point"/>
  </sensor>
</mujoco>"""


def test_known_distances():
    """000.6-AC3: along the z axis of the site, to 1e-6 and better; 000.6-S1: -1 if nothing is met,
    which survives a cutoff, be it below one."""
    bodies = f"""{FLOOR}<body pos="1 2 3" euler="0 60 0"><site name="s" euler="0 120 0"/>
    <site name="up" euler="0 -60 0"/></body>"""
    sensors = "".join(
        f'<rangefinder name="{site}{k}" site="{site}" cutoff="{cutoff}"/>'
        for site in ("s", "up")
        for k, cutoff in enumerate((0, 0.25, 5))
    )
    data = world(bodies, sensors)
    data.forward()
    for k, expected in enumerate((3, 0.25, 3)):
        assert reading(data, f"s{k}") == pytest.approx(expected, abs=1e-12)
        assert reading(data, f"up{k}").tolist() == [-1]


def test_fields_of_a_ray():
    """Each with its meaning, in the order of the manual; without a hit zero, or -1."""
    bodies = (
        f"""{FLOOR}<body pos="0 0 3"><site name="s" euler="0 135 0"/><site name="up"/></body>"""
    )
    every = 'data="dist dir origin point normal depth"'
    data = world(
        bodies,
        f'<rangefinder name="a" site="s" {every}/><rangefinder name="b" site="up" {every}/>',
    )
    data.forward()
    half = np.sqrt(0.5)
    expected = [3 / half, half, 0, -half, 0, 0, 3, 3, 0, 0, 0, 0, 1, 3 / half]
    np.testing.assert_allclose(reading(data, "a"), expected, atol=1e-12)
    assert reading(data, "b").tolist() == [-1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, -1]


def test_pictures():
    """Pixels row by row from the upper left; depths are from the picture's plane."""
    bodies = f"""{FLOOR}<geom type="box" size=".4 .4 .5" pos="-1 1 .5"/>
    <body pos="0 0 4"><camera name="eye" resolution="4 2" fovy="90"/>
    <camera name="flat" resolution="2 2" projection="orthographic" fovy="4"/></body>"""
    sensors = "".join(
        f'<rangefinder name="{camera} {data}" camera="{camera}" data="{data}"/>'
        for camera in ("eye", "flat")
        for data in ("depth", "origin")
    )
    data = world(bodies, sensors)
    data.forward()
    assert reading(data, "eye depth").reshape(2, 4).round(12).tolist() == [[4] * 4] * 2
    assert reading(data, "flat depth").reshape(2, 2).round(12).tolist() == [[3, 4], [4, 4]]
    at = reading(data, "flat origin").reshape(2, 2, 3)
    assert at[0].round(12).tolist() == [[-1, 1, 4], [1, 1, 4]]
    assert at[1].round(12).tolist() == [[-1, -1, 4], [1, -1, 4]]
    assert reading(data, "eye origin").reshape(8, 3).tolist() == [[0, 0, 4]] * 8


def test_readings_are_mujocos():
    """Of sites and of every pixel of cameras, all data, against every type of geom."""
    met = 0
    for both in sensed(SENSORS):
        model = both.model
        for i in range(model.nsensor):
            at = slice(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i])
            ours, theirs = both.data.sensordata[at], both.theirs.sensordata[at]
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9, err_msg=f"sensor {i}")
            met += int(np.sum((ours != -1) & (ours != 0)))
    assert met > 1000


def test_other_sensors_beside_rangefinders():
    """Each kernel writes its own readings alone."""
    text = SENSORS.replace("<sensor>", "<sensor><clock/>").replace(
        "</sensor>", '<framepos objtype="site" objname="up"/></sensor>'
    )
    for both in sensed(text):
        assert_readings(both, SensorType.CLOCK, SensorType.FRAMEPOS)


@pytest.mark.parametrize("own", [False, True])
def test_lanes(own):
    """Eight worlds in lockstep read what each reads alone, also with sizes of their own."""
    model = cf.Model.from_mjcf(SENSORS)
    batch = cf.BatchSim(model, 11, threads=2)
    rng = np.random.default_rng(2)
    batch.qpos[:] += 0.2 * rng.normal(size=batch.qpos.shape)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    if own:
        batch.expand("geom_size", "cam_fovy", "sensor_cutoff")
        batch.parameters["geom_size"][:] *= rng.uniform(0.5, 1.5, size=(11, 1, 1))
        batch.parameters["cam_fovy"][:] *= rng.uniform(0.5, 1.5, size=(11, 1))
        batch.parameters["sensor_cutoff"][::2] = 1.2
    batch.bind("sensordata")
    start = batch.get_states()
    assert batch.step_all(3) == [None] * 11
    for i in range(11):
        alone = cf.Model.from_mjcf(SENSORS)
        if own:
            for name in ("geom_size", "cam_fovy", "sensor_cutoff"):
                getattr(alone, name)[:] = batch.parameters[name][i]
        data = alone.make_data()
        data.set_state(start[i])
        data.step(3)
        assert np.array_equal(data.sensordata.view(np.int64), batch.sensordata[i].view(np.int64))


def test_a_picture_cannot_get_larger():
    """A sensor has room for the pixels that its camera had; another number of them is refused."""
    model = cf.Model.from_mjcf(SENSORS)
    data = model.make_data()
    data.forward()
    model.cam_resolution[1] = [60, 70]
    with pytest.raises(ModelError, match=r"cam_resolution\[1\]"):
        data.forward()
    model.cam_resolution[1] = [7, 6]
    data.forward()


def test_noise_and_delays():
    """A distance has noise, nothing has none; a late reading is that of before."""
    bodies = f"""{FLOOR}<body pos="0 0 3"><joint type="slide" axis="0 0 1"/><geom size=".1"/>
    <site name="s" euler="180 0 0"/><site name="up"/></body>"""
    sensors = """<rangefinder name="s" site="s" noise=".1"/>
    <rangefinder name="up" site="up" noise=".1" cutoff=".5"/>
    <rangefinder name="late" site="s" delay=".1" nsample="60"/>"""
    data = world(bodies, sensors)
    data.seed_noise(1)
    data.step(100)
    height = 3 + data.qpos[0]
    assert 1e-4 < abs(reading(data, "s")[0] - height) < 0.5
    assert reading(data, "up").tolist() == [-1]
    assert reading(data, "late")[0] > height + 0.01
