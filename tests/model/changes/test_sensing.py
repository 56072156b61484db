"""What a model says about its sensors."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Disable, SensorType
from cortenforge.sensors import USER_GROUPS, Stage

XML = """<mujoco><option><flag contact="disable"/></option>
<asset><mesh name="m" builtin="sphere" params="1"/></asset>
<worldbody><camera name="c" resolution="4 4"/><site name="zone" size="1"/>
<site name="meshed" type="mesh" mesh="m"/>
<body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body>
<body pos="1 0 0"><geom name="h" size=".1"/></body></worldbody>{}</mujoco>"""

REFUSED = {
    '<insidesite site="zone" objtype="geom" objname="g" enclosed="true" name="it"/>': "(it)",
}


@pytest.mark.parametrize("sensor", REFUSED)
def test_what_is_missing_is_refused_by_name(sensor):
    """001.6-AC6: nothing reads zero for want of physics; without sensors the model runs."""
    model = cf.Model.from_mjcf(XML.format(f"<sensor>{sensor}</sensor>"))
    (sentence,) = model.supported()
    assert REFUSED[sensor] in sentence and 'sensor="disable"' in sentence
    with pytest.raises(cf.UnsupportedFeature, match="sensors"):
        model.make_data().step()
    model.opt.disableflags |= int(Disable.SENSOR)
    assert model.supported() == []
    model.make_data().step()


def test_every_type_is_there():
    """Each of MuJoCo's 49 types is in a group that a kernel reads."""
    assert [int(kind) for kind in SensorType] == list(range(49))
    assert [kind for kind in SensorType if not kind.group] == [SensorType.USER]
    assert all(USER_GROUPS[stage] for stage in Stage if stage != Stage.NONE)


#: where readings are held against values that are known without any engine, by words of the types
KNOWN = {
    "step.sensing.test_position.test_magnetometer": "MAGNETOMETER",
    "step.sensing.test_rangefinder.test_known_distances": "RANGEFINDER",
    "step.sensing.test_position.test_camera_projection": "CAMPROJECTION",
    "step.sensing.test_position.test_joints_and_clock": (
        "JOINTPOS JOINTVEL BALLQUAT BALLANGVEL CLOCK"
    ),
    "step.sensing.test_position.test_frame_place": "FRAMEPOS",
    "step.sensing.test_position.test_frame_axes_and_rotation": (
        "FRAMEQUAT FRAMEXAXIS FRAMEYAXIS FRAMEZAXIS"
    ),
    "step.sensing.test_position.test_subtree_centre": "SUBTREECOM",
    "step.sensing.test_position.test_energy": "E_POTENTIAL E_KINETIC",
    "step.sensing.test_inside_site.test_shapes": "INSIDESITE",
    "step.sensing.test_geom_distance.test_two_balls": "GEOMDIST GEOMNORMAL GEOMFROMTO",
    "step.sensing.test_velocity.test_tendons": "TENDONPOS TENDONVEL",
    "step.sensing.test_velocity.test_velocimeter_and_gyro": "VELOCIMETER GYRO",
    "step.sensing.test_velocity.test_frame_velocity": "FRAMELINVEL FRAMEANGVEL",
    "step.sensing.test_velocity.test_subtree_velocity_and_momentum": "SUBTREELINVEL SUBTREEANGMOM",
    "step.sensing.test_acceleration.test_a_turning_wheel": "ACCELEROMETER FRAMEANGACC",
    "step.sensing.test_acceleration.test_what_stands_feels_gravity": "FRAMELINACC",
    "step.sensing.test_acceleration.test_force_and_torque_of_a_shelf": "FORCE TORQUE",
    "step.sensing.test_acceleration.test_actuators_of_every_transmission": (
        "ACTUATORPOS ACTUATORVEL ACTUATORFRC"
    ),
    "step.sensing.test_acceleration.test_forces_on_joints_and_tendons": "JOINTACTFRC TENDONACTFRC",
    "step.sensing.test_user_sensors.test_readings_are_cut_off_after_their_stage": "USER",
    "step.sensing.test_touch.test_known_force": "TOUCH",
    "step.sensing.test_contacts.test_known_contact": "CONTACT",
    "step.sensing.test_touch_grid.test_known_cell": "PLUGIN",
    "step.sensing.test_limits.test_known_values": "JOINTLIMITPOS JOINTLIMITVEL JOINTLIMITFRC",
    "step.sensing.test_limits.test_known_tendon": "TENDONLIMITPOS TENDONLIMITVEL TENDONLIMITFRC",
    "step.sensing.test_tactile.test_known_depth": "TACTILE",
}


def test_every_type_that_is_there_has_a_known_value():
    """001.6-AC6: against an analytic value as well as against MuJoCo."""
    named = " ".join(KNOWN.values()).split()
    assert sorted(named) == sorted(SensorType.__members__)


@pytest.mark.parametrize(
    ("place", "kind"), [(place, kind) for place, kinds in KNOWN.items() for kind in kinds.split()]
)
def test_a_wrong_reading_is_noticed(place, kind, monkeypatch):
    """001.6-AC6: the test that knows a type's value passes, and fails if that is read half again
    and a little more."""
    module, _, name = place.rpartition(".")
    test = getattr(importlib.import_module(f"tests.{module}"), name)
    given = first_parameters(test)
    test(**given)

    def wrong(data):
        readings, model = data._store.arrays["sensordata"].copy(), data.model
        for i in np.flatnonzero(model.sensor_type == SensorType[kind]):
            readings[model.sensor_adr[i] : model.sensor_adr[i] + model.sensor_dim[i]] *= 1.5
            readings[model.sensor_adr[i] : model.sensor_adr[i] + model.sensor_dim[i]] += 1e-3
        return readings

    monkeypatch.setattr(cf.Data, "sensordata", property(wrong), raising=False)
    with pytest.raises(AssertionError):
        test(**given)


def first_parameters(test):
    """The first of each of a test's parameters."""
    given = {}
    for mark in getattr(test, "pytestmark", ()):
        names, values, *_ = mark.args
        names = [one.strip() for one in names.split(",")] if isinstance(names, str) else names
        first = getattr(values[0], "values", values[0])
        given |= zip(names, first if len(names) > 1 else [first], strict=True)
    return given
