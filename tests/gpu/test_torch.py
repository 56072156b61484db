"""Observations and controls of a batch on a device as tensors of PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.gpu import GpuBatchSim

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install "cortenforge[torch]"')

DRIVEN = """
<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
</worldbody><actuator><motor joint="a"/></actuator></mujoco>"""


def test_a_policy_sees_and_moves_worlds(gpu):
    """As arrays do: the same controls, the same motion, in the type that is asked for."""
    batch = GpuBatchSim(cf.Model.from_mjcf(DRIVEN), 3)
    reference = batch.cpu_reference()
    ctrl = torch.tensor([[0.5], [-1.0], [0.0]], requires_grad=True)
    cf.torch.apply(batch, ctrl)
    reference.ctrl = [[0.5], [-1.0], [0.0]]
    for worlds in (batch, reference):
        assert worlds.step_all(5) == [None] * 3
    observed = cf.torch.fields(batch, "qpos", "qvel", "xpos")
    assert observed.dtype == torch.float32 and observed.shape == (3, 1 + 1 + 6)
    expected = cf.torch.fields(reference, "qpos", "qvel", "xpos", dtype=torch.float64)
    np.testing.assert_allclose(observed, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(cf.torch.states(batch), np.hstack([batch.qpos, batch.qvel]))
    observed[:] = 0.0
    assert batch.qvel[0, 0] != 0.0


def test_what_is_no_tensor_of_reals_is_refused(gpu):
    """With the name of the argument."""
    batch = GpuBatchSim(cf.Model.from_mjcf(DRIVEN), 2)
    with pytest.raises(cf.ArgumentError, match="ctrl: expected a tensor of reals"):
        cf.torch.apply(batch, torch.zeros((2, 1), dtype=torch.int32))
    with pytest.raises(cf.ShapeError, match="ctrl"):
        cf.torch.apply(batch, torch.zeros((3, 1)))
    with pytest.raises(cf.ArgumentError, match="names: expected"):
        cf.torch.fields(batch)
    with pytest.raises(cf.ShapeError, match="qposs"):
        cf.torch.fields(batch, "qposs")
