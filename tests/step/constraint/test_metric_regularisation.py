"""Rows of constraints in the metric of a step: see tests/step/metric/test_metric.py, too."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from tests.step.stages import pair

LIMITED = """<mujoco><option integrator="{}" timestep="{}"/><worldbody><body><joint name="s"
type="slide" axis="0 0 1" range="0 1" limited="true" stiffness="{}"/><geom size=".1" mass="1"/>
</body></worldbody></mujoco>"""


def test_heavier_rows_are_softer_in_proportion():
    """A limit of a mass on a spring: its inverse weight shrinks as the metric grows."""
    found = {}
    for stiffness in (0.0, 1e4):
        both = pair(LIMITED.format("discrete", 0.01, stiffness))
        both.data.qpos[:] = both.theirs.qpos[:] = -0.01
        both.step()
        np.testing.assert_allclose(both.data.efc_R, both.theirs.efc_R, rtol=1e-12)
        np.testing.assert_allclose(both.data.qvel, both.theirs.qvel, rtol=1e-9)
        found[stiffness] = both.data.efc_R[0]
    # 1 + h^2 k = 2
    assert found[1e4] == pytest.approx(found[0.0] / 2)


@pytest.mark.parametrize("step", [0.001, 0.02, 0.2])
def test_limits_are_stable_at_any_step(step):
    """A mass that falls on its limit comes to rest there, without a rebound above the start."""
    data = cf.Model.from_mjcf(LIMITED.format("discrete", step, 0)).make_data()
    data.qpos[:] = 0.1
    heights = []
    for _ in range(max(200, int(4 / step))):
        data.step()
        heights.append(data.qpos[0])
    assert max(heights) <= 0.1 and abs(data.qvel[0]) < 1e-6
