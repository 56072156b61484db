"""Functions that write what later calls read: histories, keyframes, length ranges, callbacks."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cortenforge.mujoco as ours

theirs = pytest.importorskip("mujoco")
pytestmark = pytest.mark.oracle

XML = """
<mujoco>
  <option gravity="0 0 0"/>
  <size nkey="2"/>
  <worldbody>
    <body>
      <joint name="hinge" axis="0 1 0" range="-60 80" limited="true" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/>
      <site name="tip" pos="0 0 -.5"/>
    </body>
    <body mocap="true" pos="0 0 1"/>
  </worldbody>
  <actuator>
    <general name="push" joint="hinge" gear="2" delay=".008" nsample="4" dyntype="filter"
      dynprm=".1"/>
    <muscle name="pull" joint="hinge" lengthrange="-1.5 2"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="hinge" delay=".008" nsample="4"/>
    <framepos name="place" objtype="site" objname="tip" delay=".008" nsample="3"/>
  </sensor>
</mujoco>
"""


def both() -> list[tuple[Any, Any, Any]]:
    """(module, model, data) of MuJoCo's and of ours, in the same state."""
    found = []
    for module in (theirs, ours):
        model = module.MjModel.from_xml_string(XML)
        data = module.MjData(model)
        data.qpos[0], data.qvel[0], data.ctrl[:] = 0.3, -0.5, (0.7, 0.2)
        found.append((module, model, data))
    return found


def assert_equal(found: list[Any]) -> None:
    np.testing.assert_allclose(found[1], found[0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("times", [None, [-0.009, -0.005, -0.003, -0.001]])
def test_past_controls(times: list[float] | None) -> None:
    """They are read back between their times, and act in the steps that follow."""
    found = []
    for module, model, data in both():
        given = None if times is None else np.array(times)
        module.mj_initCtrlHistory(model, data, 0, given, np.array([0.1, -0.4, 0.9, 0.3]))
        assert data.history.any()
        read = np.zeros((3, 1))
        for row, when in zip(read, (0.0, 0.003, 0.0045), strict=True):
            module.mj_readCtrl(model, data, 0, when, row, 1)
        history = data.history.copy()
        module.mj_step(model, data, 6)
        found.append(np.concatenate([history, read[:, 0], data.qpos, data.act, data.sensordata]))
    assert_equal(found)


@pytest.mark.parametrize("times", [None, [-0.009, -0.005, -0.001]])
def test_past_readings(times: list[float] | None) -> None:
    """Of a sensor with three numbers, and when it was read last."""
    found = []
    for module, model, data in both():
        given = None if times is None else np.array(times)
        values = np.arange(9.0).reshape(3, 3) ** 1.5
        module.mj_initSensorHistory(model, data, 1, given, values, 0.002)
        assert data.history.any()
        history = data.history.copy()
        module.mj_step(model, data, 3)
        found.append(np.concatenate([history, data.sensordata, data.history]))
    assert_equal(found)


@pytest.mark.parametrize(
    "call",
    [
        lambda mj, m, d: mj.mj_initCtrlHistory(m, d, 0, None, np.zeros(3)),
        lambda mj, m, d: mj.mj_initCtrlHistory(m, d, 0, np.zeros(3), np.zeros(4)),
        lambda mj, m, d: mj.mj_initSensorHistory(m, d, 1, None, np.zeros((2, 3)), 0.0),
        lambda mj, m, d: mj.mj_initSensorHistory(m, d, 1, np.zeros(2), np.zeros((3, 3)), 0.0),
    ],
)
def test_histories_of_another_size(call: Any) -> None:
    for sides in both():
        with pytest.raises(TypeError):
            call(*sides)


def test_a_keyframe_holds_the_state() -> None:
    """All of it: a reset to the keyframe goes on as the data did."""
    found = []
    for module, model, data in both():
        module.mj_step(model, data, 5)
        data.mocap_pos[0] = (1.0, 2.0, 3.0)
        module.mj_setKeyframe(model, data, 1)
        assert model.key_time[1] == data.time > 0.0
        key = [getattr(model, f"key_{name}")[1] for name in ("qpos", "qvel", "act", "ctrl", "mpos")]
        fresh = module.MjData(model)
        module.mj_resetDataKeyframe(model, fresh, 1)
        for name in ("time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"):
            np.testing.assert_array_equal(getattr(fresh, name), getattr(data, name))
        assert not model.key_qvel[0].any()
        found.append(np.concatenate(key))
    assert_equal(found)


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize(("existing", "limit"), [(1, 0), (0, 1), (0, 0)])
def test_length_range_of_an_actuator(mode: int, existing: int, limit: int) -> None:
    """One that exists is kept; else that of its joint's limits; else by pulling with a force."""
    found = []
    for module, model, data in both():
        options = module.MjLROpt()
        module.mj_defaultLROpt(options)
        # strong enough to settle at the limits
        options.accel = 3000.0
        options.mode, options.useexisting, options.uselimit = mode, existing, limit
        for actuator in range(2):
            module.mj_setLengthRange(model, data, actuator, options)
        found.append(model.actuator_lengthrange.copy())
    np.testing.assert_allclose(found[1], found[0], rtol=1e-8)
    wanted = {(1, 0): (-1.5, 2.0), (0, 1): np.deg2rad((-60.0, 80.0))}.get((existing, limit))
    if mode and wanted is not None:
        np.testing.assert_allclose(found[1][1], wanted)


def test_callbacks_are_removed() -> None:
    """All of them, and the clock: a later step calls none."""
    for module, model, data in both():
        called: list[int] = []

        def note(m: Any, d: Any, called: list[int] = called) -> None:
            called.append(1)

        def now(called: list[int] = called) -> float:
            called.append(2)
            return 0.0

        module.set_mjcb_control(note)
        module.set_mjcb_passive(note)
        module.set_mjcb_time(now)
        try:
            module.mj_step(model, data)
            assert called.count(1) == 2 and 2 in called
            before = called.copy()
            module.mj_resetCallbacks()
            module.mj_step(model, data)
            assert called == before
        finally:
            module.set_mjcb_control(None)
            module.set_mjcb_passive(None)
            # after mj_resetCallbacks, MuJoCo has no clock at all
            module.set_mjcb_time(None)


READER = """
import pickle, sys
import cortenforge.mujoco as mj
d = pickle.load(sys.stdin.buffer)
mj.mj_step(d.model, d, 20)
sys.stdout.buffer.write(pickle.dumps((d, d.qpos.tobytes())))
"""


def test_a_pickle_goes_on_in_another_process() -> None:
    """It is made here, steps there, comes back, and has the bits of one that stayed."""
    model = ours.MjModel.from_xml_string(XML)
    data = ours.MjData(model)
    data.qpos[0], data.ctrl[:] = 0.4, (0.5, 0.1)
    ours.mj_step(model, data, 7)
    root = str(Path(ours.__file__).parents[2])
    other = subprocess.run(
        [sys.executable, "-c", READER],
        input=pickle.dumps(data),
        capture_output=True,
        check=True,
        cwd=root,
        timeout=120,
    )
    back, bits = pickle.loads(other.stdout)
    ours.mj_step(model, data, 20)
    assert bits == data.qpos.tobytes() == back.qpos.tobytes()
    assert back.time == data.time and back.warning.number.tolist() == data.warning.number.tolist()
    ours.mj_step(back.model, back, 5)
    ours.mj_step(model, data, 5)
    assert back.qpos.tobytes() == data.qpos.tobytes()
