"""User sensors: zero, or what a callback writes, cut off where the sensor ends."""

from __future__ import annotations

import numpy as np

import cortenforge as cf
from tests.model.callback_kernels import MODEL


def made() -> cf.Model:
    return cf.Model.from_mjcf(MODEL.format(integrator="Euler", flags=""))


def test_without_a_callback_they_read_zero():
    """Whatever stood there before."""
    data = made().make_data()
    data.sensordata[:] = 7
    data.qpos[0] = 0.25
    data.forward()
    np.testing.assert_array_equal(data.sensordata, (0, 0, 0, 0, 0.25))


def test_readings_are_cut_off_after_their_stage():
    """A later stage sees what is left; positive readings are cut off at the top alone."""
    model, seen = made(), {}

    def read(model, data, stage):
        seen[stage] = data.sensordata.copy()
        if stage == 1:
            data.sensordata[:2] = (3, -3)
        elif stage == 2:
            data.sensordata[2] = -9
        else:
            data.sensordata[3] = 1e6

    model.callbacks.sensor = read
    data = model.make_data()
    data.qpos[0] = 0.25
    data.sensordata[:] = 7
    data.forward()
    np.testing.assert_array_equal(data.sensordata, (0.9, -0.9, -9, 1e6, 0.25))
    np.testing.assert_array_equal(seen[1], (0, 0, 7, 7, 0.25))
    np.testing.assert_array_equal(seen[3], (0.9, -0.9, -9, 0, 0.25))


def test_a_stage_without_user_sensors_is_not_called():
    stages = []
    model = cf.Model.from_mjcf(
        '<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><sensor>'
        '<user dim="1" needstage="vel"/><jointpos joint="j"/></sensor></mujoco>'
    )
    model.callbacks.sensor = lambda model, data, stage: stages.append(stage)
    model.make_data().step()
    assert stages == [2]
