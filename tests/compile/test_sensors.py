"""Sensors compile to MuJoCo's arrays, kind by kind, and load where they cannot be computed yet."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compile.wiring.sensors import sensor_arrays
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf
from cortenforge.sensors import SENSOR_BY_TAG

from .oracle import compiled, differences, mujoco

pytestmark = pytest.mark.oracle

WORLD = """<worldbody>
  <site name="w"/><geom name="wg" size="1"/>
  <body name="b"><joint name="j" range="0 1"/><geom name="g" size=".1"/><site name="s"/>
    <camera name="c" resolution="3 2"/><camera name="small"/>
    <body name="bb"><joint type="ball" name="ball" range="0 1"/><geom name="g2" size=".1"/></body>
  </body></worldbody>
  <custom><tuple name="t"><element objtype="sensor" objname="first"/></tuple></custom>
  <keyframe><key name="k"/></keyframe>"""
REPLICAS = """<worldbody><site name="w"/><geom name="wg" size="1"/>
  <replicate count="2" offset="1 0 0"><body name="b"><joint name="j" range="0 1"/>
  <geom name="g" size=".1"/><site name="s"/><camera name="c" resolution="3 2"/>
  <replicate count="3" sep="_" euler="0 0 1"><geom name="r" size=".1"/></replicate>
  </body></replicate></worldbody>"""
STATIC = """<compiler fusestatic="true" discardvisual="true"/><worldbody>
  <body name="a"><freejoint/><geom size="1"/>
    <body name="f"><site name="fs"/><geom name="v" contype="0" conaffinity="0" size="1"/></body>
    <body><site name="us"/></body>
    <body name="t"><geom name="tg" size="1" contype="0" conaffinity="0"/></body>
  </body></worldbody>"""

AT_SITE = "touch accelerometer velocimeter gyro force torque magnetometer"
OF_FRAME = "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel"
OF_JOINT = "jointpos jointvel jointactuatorfrc jointlimitpos jointlimitvel jointlimitfrc"
ALL_CONTACT = "found force torque dist pos normal tangent linvel angvel"

SENSORS = [
    *(f'<{tag} site="s"/>' for tag in AT_SITE.split()),
    *(f'<{tag} joint="j"/>' for tag in OF_JOINT.split()),
    *(f'<{tag} objtype="geom" objname="g"/>' for tag in OF_FRAME.split()),
    *(
        f'<{tag} objtype="{kind}" objname="{name}"/>'
        for tag in ("framelinacc", "frameangacc")
        for kind, name in (("body", "b"), ("xbody", "b"), ("camera", "c"), ("site", "w"))
    ),
    '<framepos objtype="xbody" objname="bb" reftype="camera" refname="c"/>',
    '<framequat objtype="site" objname="s" reftype="body" refname="world"/>',
    '<ballquat joint="ball"/><ballangvel joint="ball"/><jointlimitpos joint="ball"/>',
    '<subtreecom body="world"/><subtreelinvel body="b"/><subtreeangmom body="bb"/>',
    '<camprojection site="s" camera="c"/><camprojection site="w" camera="small"/>',
    '<rangefinder site="s"/><rangefinder camera="c"/><rangefinder camera="small" data=""/>',
    '<rangefinder site="s" data="dist point depth"/>',
    '<rangefinder camera="c" data="dist dir origin point normal depth"/>',
    '<insidesite site="s" objtype="geom" objname="g"/>',
    '<insidesite site="s" objtype="camera" objname="c" cutoff="1"/>',
    '<insidesite site="s" objtype="site" objname="w" enclosed="true"/>',
    '<insidesite site="s" objtype="xbody" objname="b" enclosed="true" cutoff="1"/>',
    '<distance geom1="g" geom2="g2" cutoff="2"/><normal geom1="g" body2="bb" cutoff="1"/>',
    '<fromto body1="b" body2="bb"/><distance body1="b" geom2="g"/>',
    '<contact/><contact site="s" geom2="g" cutoff="1"/><contact geom1="g" geom2="g"/>',
    '<contact body1="b" subtree2="world" num="3"/><contact subtree1="b" body2="world"/>',
    '<contact data="force"/><contact data="found linvel"/><contact data="dist pos normal"/>',
    '<contact data="dist" reduce="maxforce"/><contact data="dist" reduce="mindist"/>',
    '<contact reduce="netforce" num="3"/>',
    f'<contact data="{ALL_CONTACT}" num="4" reduce="mindist"/>',
    "<e_potential/><e_kinetic/><clock/>",
    '<user dim="3"/><user dim="0"/><user dim="1" needstage="none" datatype="positive"/>',
    '<user dim="3" datatype="axis" needstage="vel"/><user dim="4" datatype="quaternion"/>',
    '<user dim="2" objtype="key" objname="k"/><user dim="2" objtype="tuple" objname="t"/>',
    '<user dim="2" objtype="sensor" objname="first"/><user dim="2" objtype="xbody" objname="b"/>',
    '<clock nsample="4" delay=".01" interp="cubic" interval=".02 -.01"/>',
    '<gyro site="s" nsample="3" interp="linear"/><clock/><clock nsample="1" interval=".1"/>',
    '<clock nsample="-2" interval=".1"/><clock nsample="1" delay="-1"/>',
    '<clock user="1"/><gyro site="s" user="2 3"/><clock noise=".5" cutoff="2"/>',
]

# sensors of a model with replicas
REPLICATED = [
    '<gyro name="q" site="s"/><jointpos joint="j"/>',
    '<clock name="k"/><gyro site="s"/><e_kinetic/>',
    '<touch name="t" site="w"/><gyro site="s"/><touch name="t2" site="w"/>',
    '<framepos name="f" objtype="site" objname="s" reftype="site" refname="w"/>',
    '<framepos name="f" objtype="site" objname="w" reftype="site" refname="s"/>',
    '<framepos name="f" objtype="site" objname="s" reftype="xbody" refname="b"/>',
    '<framepos name="f" objtype="geom" objname="r" reftype="body" refname="b"/>',
    '<framepos name="f" objtype="geom" objname="r" reftype="site" refname="w"/>',
    '<contact name="c" subtree1="b"/><contact body2="b"/><contact site="w" geom2="r"/>',
    '<user dim="3" name="u" objtype="camera" objname="c"/><rangefinder camera="c"/>',
    '<distance geom1="wg" geom2="r"/>',
]

# sensors that keep static bodies or invisible geoms
KEEPING = [
    "<clock/>",
    '<force site="fs"/>',
    '<torque site="us"/>',
    '<gyro site="fs"/>',
    '<framepos objtype="body" objname="t"/>',
    '<framepos objtype="geom" objname="tg"/>',
    '<contact subtree1="t"/>',
    '<contact geom1="tg"/>',
    '<distance geom1="tg" body2="f"/>',
    '<user dim="1" objtype="geom" objname="v"/>',
]


def model(sensors: str, world: str = WORLD) -> str:
    return f"<mujoco>{world}<sensor>{sensors}</sensor></mujoco>"


@pytest.mark.parametrize("sensors", SENSORS)
def test_sensors(sensors) -> None:
    """7-AC7, 7-AC9, 7-AC12: type, stage, dimension and address of every kind are MuJoCo's."""
    assert differences(model(sensors + '<clock name="first"/>')) == []


@pytest.mark.parametrize("sensors", REPLICATED)
def test_replicated_sensors(sensors) -> None:
    text = model(sensors, REPLICAS)
    assert differences(text) == []
    theirs = mujoco.MjModel.from_xml_string(text)
    assert compiled(text).names["sensor"] == [theirs.sensor(i).name for i in range(theirs.nsensor)]


@pytest.mark.parametrize("sensors", KEEPING)
def test_sensors_keep_what_they_name(sensors) -> None:
    assert differences(model(sensors, STATIC)) == []


@pytest.mark.parametrize("width", [-1, 0, 2, 5])
def test_user_numbers(width) -> None:
    users = '<clock user="1 2"/>' if width in (-1, 2, 5) else "<clock/>"
    text = f'<mujoco><size nuser_sensor="{width}"/><sensor>{users}<clock/></sensor></mujoco>'
    assert differences(text) == []


@pytest.mark.parametrize("tag", SENSOR_BY_TAG)
def test_every_kind_has_mujocos_number(tag) -> None:
    kind = SENSOR_BY_TAG[tag]
    assert getattr(mujoco.mjtSensor, f"mjSENS_{kind.name}") == kind


TACTILE = """<mujoco><asset><mesh name="m" builtin="sphere" params="1"/></asset><worldbody><body>
  <joint/><geom name="g" size=".1" {}/><site name="s" type="mesh" mesh="m"/></body></worldbody>
  <sensor><tactile geom="g" mesh="m"/></sensor></mujoco>"""


def test_tactile_sensors_feel_at_vertices_of_a_mesh() -> None:
    """Each vertex reads three numbers; the mesh of a site has a hull, as if it collided."""
    assert differences(TACTILE.format('contype="0"')) == []


def test_tactile_sensors_need_something_to_touch() -> None:
    with pytest.raises(MjcfError, match="no geom that collides"):
        compiled(TACTILE.format('contype="0" conaffinity="0"'))


def test_tendons_and_actuators_are_found_by_name() -> None:
    """Nothing but names and arrays of their own passes is needed."""
    spec = read_mjcf(
        '<mujoco><sensor><tendonpos tendon="t"/><tendonlimitfrc tendon="t"/>'
        '<actuatorfrc actuator="a"/><clock nsample="2"/></sensor></mujoco>'
    )
    arrays = {
        "tendon_limited": np.ones(1, np.uint8),
        "actuator_outnum": np.array([3], np.int32),
        "actuator_history": np.array([[4, 0]], np.int32),
        "actuator_ctrlnum": np.array([3], np.int32),
    }
    found, sizes = sensor_arrays(spec.sensors, {"tendon": ["t"], "actuator": ["a"]}, arrays)
    assert found["sensor_objtype"].tolist() == [18, 18, 19, 0]
    assert found["sensor_dim"].tolist() == [1, 1, 3, 1]
    assert found["sensor_historyadr"].tolist() == [-1, -1, -1, 18]
    assert sizes == {"nsensor": 4, "nsensordata": 6, "nhistory": 24}


def test_sensors_load_and_run() -> None:
    text = model('<touch name="a" site="s"/><clock name="first"/>').replace(
        "<worldbody>", '<option><flag limit="disable"/></option><worldbody>'
    )
    loaded = cf.Model.from_mjcf(text)
    data = loaded.make_data()
    assert loaded.supported() == []
    assert loaded.sensor("a").dim == 1
    assert data.sensor("first").data.tolist() == [0.0]
    data.sensor("a").data[:] = 3
    assert data.sensordata.tolist() == [3, 0]
    data.step()
    assert data.sensor("a").data[0] > 0


def test_switched_off_sensors_do_not_stop_a_model() -> None:
    loaded = cf.Model.from_mjcf(
        '<mujoco><option><flag sensor="disable"/></option><sensor><clock/></sensor></mujoco>'
    )
    assert loaded.supported() == []
    data = loaded.make_data()
    data.step()
    assert data.sensordata.tolist() == [0.0]


def test_a_user_sensor_of_no_stage_is_never_read() -> None:
    """As in MuJoCo: it reads zero, and its callback is not called for it."""
    loaded = cf.Model.from_mjcf(
        '<mujoco><sensor><user dim="2" needstage="none"/><clock/></sensor></mujoco>'
    )
    data = loaded.make_data()
    data.step()
    assert data.sensordata[:2].tolist() == [0.0, 0.0]
