"""Inverse dynamics of many worlds."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Enable, Integrator

#: contact, limits, friction, an equality and damping
TEXT = """<mujoco><option><flag {flags}/></option><worldbody><geom type="plane" size="5 5 .1"/>
<body name="a" pos="0 0 .15"><freejoint/><geom size=".1 .1 .1" type="box"/>
  <body pos=".2 0 0"><joint name="j" axis="0 1 0" range="-30 30" damping=".5" frictionloss=".1"/>
    <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
    <body pos=".3 0 0"><joint name="k" axis="0 1 0"/><geom size=".05"/></body></body></body>
</worldbody><equality><joint joint1="k" joint2="j" polycoef="0 .5"/></equality>
<actuator><motor joint="j"/></actuator>
<sensor><accelerometer site="s"/><jointlimitfrc joint="j"/></sensor></mujoco>""".replace(
    '<geom size=".05"/>', '<geom size=".05"/><site name="s"/>'
)


def scattered(model: cf.Model, n: int) -> cf.BatchSim:
    batch = cf.BatchSim(model, n)
    rng = np.random.default_rng(n)
    batch.qpos[:, :3] += rng.uniform(-0.1, 0.02, (n, 3))
    batch.qpos[:, 7:] = rng.normal(size=(n, 2))
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    batch.ctrl[:] = rng.normal(size=batch.ctrl.shape)
    return batch


@pytest.mark.parametrize("flags", ["", 'invdiscrete="enable"'])
@pytest.mark.parametrize("n", [2, 11])
def test_each_world_has_the_bits_it_has_alone(n, flags):
    """One by one and in lanes, with a group that is not full; sensors are filled, too."""
    model = cf.Model.from_mjcf(TEXT.format(flags=flags))
    batch = scattered(model, n)
    batch.bind("energy", "qacc", "qfrc_inverse", "qfrc_constraint", "sensordata")
    wanted = np.random.default_rng(1).normal(size=batch.qacc.shape)
    batch.qacc[:] = wanted
    before = batch.get_states()
    batch.inverse_all()
    np.testing.assert_array_equal(batch.get_states(), before)
    np.testing.assert_array_equal(batch.qacc, wanted)
    assert np.abs(batch.qfrc_constraint).max() > 1
    for i in range(n):
        alone = batch.env(i)
        alone.qacc[:] = wanted[i]
        alone.inverse()
        for name in ("qfrc_inverse", "qfrc_constraint", "sensordata"):
            np.testing.assert_array_equal(getattr(batch, name)[i], getattr(alone, name), name)


def test_forward_then_inverse_gives_the_applied_forces():
    """What is applied to worlds that touch the ground comes back to 1e-8."""
    model = cf.Model.from_mjcf(TEXT.format(flags=""))
    model.opt.tolerance, model.opt.iterations = 1e-15, 200
    batch = scattered(model, 19)
    batch.qfrc_applied[:] = np.random.default_rng(2).normal(size=batch.qvel.shape)
    batch.bind("qacc", "qfrc_inverse", "qfrc_actuator", "qfrc_bias", "qfrc_constraint")
    batch.forward_all()
    size = 1 + np.abs(batch.qfrc_constraint).max()
    batch.inverse_all()
    applied = batch.qfrc_applied + batch.qfrc_actuator
    np.testing.assert_allclose(batch.qfrc_inverse, applied, rtol=0, atol=1e-8 * size)


def test_what_is_refused():
    model = cf.Model.from_mjcf(TEXT.format(flags=""))
    batch = cf.BatchSim(model, 3)
    with pytest.raises(cf.ArgumentError, match="qacc"):
        batch.inverse_all()
    batch.bind("qacc")
    model.opt.integrator, model.opt.enableflags = Integrator.RK4, int(Enable.INVDISCRETE)
    with pytest.raises(cf.ArgumentError, match="RK4"):
        batch.inverse_all()
