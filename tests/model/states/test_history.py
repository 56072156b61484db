"""Past controls and readings, read and set by users."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import load_reference, mujoco_module

XML = """<mujoco><option timestep="0.01"><flag contact="disable"/></option>
<worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".5 0 0"/>
  <site name="s" pos="1 0 0"/></body></worldbody>
<actuator><motor name="late" joint="j" nsample="4" delay=".02"/><motor name="now" joint="j"/>
</actuator>
<sensor><framepos name="late" objtype="site" objname="s" nsample="4" delay=".015"/>
  <jointpos name="now" joint="j"/>
  <jointpos name="seldom" joint="j" nsample="2" interval=".03"/></sensor></mujoco>"""
INTERP = ("zoh", "linear", "cubic")


@pytest.fixture
def both():
    """Both engines after some steps, with controls that change."""
    model, reference = cf.Model.from_mjcf(XML), load_reference(XML)
    mujoco = mujoco_module()
    data, theirs = model.make_data(), mujoco.MjData(reference)
    for k in range(6):
        data.ctrl[:] = theirs.ctrl[:] = np.sin(k), k
        data.step()
        mujoco.mj_step(reference, theirs)
    return data, reference, theirs


@pytest.mark.parametrize("interp", range(3))
@pytest.mark.parametrize("time", [-1.0, 0.02, 0.0431, 0.0555, 0.06, 0.072, 9.0])
def test_reading_is_mujocos(both, time, interp):
    data, reference, theirs = both
    mujoco = mujoco_module()
    for number in range(reference.nsensor):
        result = np.zeros(reference.sensor_dim[number])
        found = mujoco.mj_readSensor(reference, theirs, number, time, result, interp)
        ours = data.read_sensor(number, time, INTERP[interp])
        np.testing.assert_allclose(ours, result if found is None else found, atol=1e-14)
    for number in range(reference.nactuator):
        result = np.zeros(1)
        found = mujoco.mj_readCtrl(reference, theirs, number, time, result, interp)
        ours = data.read_ctrl(number, time, INTERP[interp])
        np.testing.assert_allclose(ours, result if found is None else found, atol=1e-14)


def test_setting_is_mujocos(both):
    """With times that are there, and with new ones; a sensor's last reading, too."""
    data, reference, theirs = both
    mujoco = mujoco_module()
    rng = np.random.default_rng(0)
    for times in (None, np.array([0.01, 0.02, 0.035, 0.05])):
        values = rng.normal(size=(4, 1))
        data.init_ctrl_history("late", values, times)
        mujoco.mj_initCtrlHistory(reference, theirs, 0, times, values)
        assert data.history[:10].tolist() == theirs.history[:10].tolist()
    values = rng.normal(size=(2, 1))
    data.init_sensor_history("seldom", values, [0.0, 0.03], phase=0.025)
    mujoco.mj_initSensorHistory(reference, theirs, 2, np.array([0.0, 0.03]), values, 0.025)
    at = reference.sensor_historyadr[2]
    assert data.history[at:].tolist() == theirs.history[at:].tolist()


def test_what_was_set_acts(both):
    data = both[0]
    data.init_ctrl_history("late", [1, 2, 3, 4], data.time + 0.01 * np.arange(-4, 0))
    data.ctrl[:] = 0
    data.forward()
    assert data.actuator_force.tolist() == [3, 0]
    assert data.read_ctrl("late").tolist() == [3]
    assert data.read_ctrl("now").tolist() == [0]


def test_what_cannot_be(both):
    """9-done-5: wrong shapes, times that do not increase, objects without a history."""
    data = both[0]
    before = data.history.copy()
    with pytest.raises(cf.ShapeError, match=r"\(4, 1\)"):
        data.init_ctrl_history("late", [1, 2])
    with pytest.raises(cf.ShapeError, match="times"):
        data.init_ctrl_history("late", [1, 2, 3, 4], [1, 2])
    with pytest.raises(cf.ArgumentError, match="increasing"):
        data.init_ctrl_history("late", [1, 2, 3, 4], [1, 2, 2, 3])
    with pytest.raises(cf.ArgumentError, match="increasing"):
        data.init_ctrl_history("late", [1, 2, 3, 4], [1, 2, np.nan, 3])
    with pytest.raises(cf.ArgumentError, match="now has no history"):
        data.init_sensor_history("now", [1])
    np.testing.assert_array_equal(data.history, before)
