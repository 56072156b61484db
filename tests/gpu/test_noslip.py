"""Noslip iterations on a device, beside the CPU."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.gpu import GpuBatchSim

#: a ball that is pushed along the floor, and a joint that is pushed against its friction
PUSHED = """
<mujoco><option noslip_iterations="20" noslip_tolerance="1e-6" {cone}/>
  <worldbody><geom type="plane" size="5 5 0.1"/>
    <body pos="0 0 0.0999"><freejoint/><geom size="0.1"/></body>
    <body pos="1 0 1"><joint axis="0 1 0" frictionloss="2"/><geom size="0.05" pos="0.1 0 0"/>
    </body>
  </worldbody></mujoco>"""
STEPS = 20


@pytest.mark.parametrize("cone", ["", 'cone="elliptic"'])
def test_forces_without_slip(gpu, cone):
    """The ball sticks and the joint stands as on the CPU; without the pass, both creep more."""
    model = cf.Model.from_mjcf(PUSHED.format(cone=cone))
    batch = GpuBatchSim(model, 2)
    batch.xfrc_applied[:, 1, 0] = 5.0, 15.0
    batch.qfrc_applied[:, 6] = 0.2, 0.1
    reference = batch.cpu_reference()
    reference.bind("qacc")
    slipping = batch.cpu_reference()
    reference.xfrc_applied = slipping.xfrc_applied = batch.xfrc_applied
    reference.qfrc_applied = slipping.qfrc_applied = batch.qfrc_applied
    for _ in range(STEPS):
        assert batch.step_all() == reference.step_all() == [None] * 2
        size = np.abs(reference.qacc).max(axis=1, keepdims=True)
        assert (np.abs(batch.qacc - reference.qacc) <= 1e-3 * np.maximum(size, 1.0)).all()
    np.testing.assert_allclose(batch.qpos, reference.qpos, atol=1e-6)
    model.opt.noslip_iterations = 0
    slipping.step_all(STEPS)
    assert (np.abs(slipping.qvel[:, 6]) > 10.0 * np.abs(batch.qvel[:, 6])).all()
