"""MuJoCo's `discrete`: the acceleration of forward dynamics is the change of velocity."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import step_fields
from tests.step.integrate.scenes import MODELS, choose, scene
from tests.step.stages import field, states


@MODELS
def test_fields_are_mujocos(source):
    """Without constraints: the next state, accelerations and the factor."""
    for both in states(source):
        choose(both)
        both.step()
        both.assert_equal(*step_fields(), field("qacc_smooth"), field("qacc"))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_lanes_have_the_bits_of_single_worlds(cone):
    """Worlds in lockstep that touch, hang on springs, and are coupled by tendons."""
    model = scene(cone=cone).model
    batch, rng = cf.BatchSim(model, 11), np.random.default_rng(0)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    batch.ctrl[:] = rng.normal(size=batch.ctrl.shape)
    speeds, controls = batch.qvel.copy(), batch.ctrl.copy()
    assert batch.step_all(15) == [None] * 11
    for w in range(11):
        data = model.make_data()
        data.qvel[:], data.ctrl[:] = speeds[w], controls[w]
        data.step(15)
        np.testing.assert_array_equal(batch.qpos[w], data.qpos)
        np.testing.assert_array_equal(batch.qvel[w], data.qvel)


def test_stiff_servos_stay_where_they_are_told():
    """A servo far beyond what an explicit step can hold, with a body that lies on its arm."""
    text = """<mujoco><option integrator="{}" timestep="0.01"/><worldbody><body><joint name="h"
    axis="0 1 0"/><geom type="box" size=".5 .2 .02" pos=".5 0 0" mass="1"/></body><body
    pos=".7 0 .07"><freejoint/><geom type="box" size=".05 .05 .05" mass="2"/></body></worldbody>
    <actuator><position joint="h" kp="1e6"/></actuator></mujoco>"""
    data = cf.Model.from_mjcf(text.format("discrete")).make_data()
    data.step(300)
    torque = 9.81 * (1 * 0.5 + 2 * 0.7)
    assert data.qpos[0] == pytest.approx(torque / 1e6, rel=1e-3)
    assert np.abs(data.qvel).max() < 1e-6
    fast = cf.Model.from_mjcf(text.format("implicitfast")).make_data()
    with pytest.raises(cf.StepError):
        fast.step(300)
