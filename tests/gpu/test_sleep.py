"""Sleep on a device: trees fall asleep, and wake, in the same step as on the CPU."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.gpu import GpuBatchSim

#: without gravity: a resting ball, one that rolls to it, and a damped arm that comes to rest
BALLS_AND_ARM = """
<mujoco><option gravity="0 0 0" timestep="0.01" sleep_tolerance="1e-3">
    <flag sleep="enable"/></option>
  <worldbody>
    <body sleep="init"><joint name="rests" type="slide" axis="1 0 0"/>
      <geom size="0.1" condim="1"/></body>
    <body pos="-0.4 0 0"><joint name="rolls" type="slide" axis="1 0 0"/>
      <geom size="0.1" condim="1"/></body>
    <body pos="0 1 0"><joint name="arm" axis="0 1 0" damping="0.1"/>
      <geom size="0.05" pos="0.1 0 0" contype="0" conaffinity="0"/></body>
  </worldbody>
  <sensor><jointvel joint="arm"/></sensor>
</mujoco>"""
STEPS = 60


@pytest.fixture(scope="module")
def sleepers(gpu) -> GpuBatchSim:
    """Three worlds: the ball rolls at one speed or another, or lies still."""
    return GpuBatchSim(cf.Model.from_mjcf(BALLS_AND_ARM), 3)


@pytest.fixture
def moving(sleepers: GpuBatchSim) -> GpuBatchSim:
    """The same at the start."""
    sleepers.reset_all()
    sleepers.qvel[:, 1] = 2.0, 1.0, 0.0
    sleepers.qvel[:, 2] = 0.1
    return sleepers


def asleep(worlds) -> np.ndarray:
    """Which trees sleep, in each world."""
    return worlds.tree_asleep >= 0.0


def test_trees_sleep_and_wake_as_on_the_cpu(moving):
    """In the same steps; a ball that is hit wakes, and sleepers keep velocity and readings."""
    reference = moving.cpu_reference()
    reference.bind("sensordata")
    seen = []
    for _ in range(STEPS):
        assert moving.step_all() == reference.step_all() == [None] * moving.n
        np.testing.assert_array_equal(moving.tree_asleep, reference.tree_asleep)
        np.testing.assert_allclose(moving.qpos, reference.qpos, atol=1e-5)
        seen.append(asleep(moving))
    ball, roller, arm = np.array(seen).transpose(2, 0, 1)
    assert ball[0].all() and not ball[-1, :2].any() and ball[:, 2].all()
    assert not roller[:, :2].any() and roller[-1, 2]
    assert not arm[0].any() and arm[-1].all()
    assert (moving.qvel[:, 2] == 0.0).all()
    np.testing.assert_allclose(moving.sensordata, reference.sensordata, atol=1e-6)


def test_a_push_wakes_a_tree(moving):
    """Also one that adds up to nothing; a force of zero does not."""
    moving.step_all(2)
    moving.qfrc_applied[:, 0] = 1e-6, 0.0, 0.0
    moving.xfrc_applied[1, 1, 1:3] = 1.0, -1.0
    reference = moving.cpu_reference()
    assert moving.step_all() == reference.step_all() == [None] * moving.n
    assert asleep(moving)[:, 0].tolist() == [False, False, True]
    np.testing.assert_array_equal(moving.tree_asleep, reference.tree_asleep)


def test_a_reset_puts_trees_to_sleep_again(moving):
    """Those of the policy `init`, as in a new Data."""
    moving.qfrc_applied[:, 0] = 1.0
    moving.step_all()
    assert not asleep(moving)[:, 0].any()
    moving.reset_where([True, False, True])
    assert asleep(moving)[:, 0].tolist() == [True, False, True]
