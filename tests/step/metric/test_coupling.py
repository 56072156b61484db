"""Tendons and transmissions of several dofs, in the metric of a step."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from tests.laws.mechanics import dense_inertia
from tests.step.stages import pair

#: two trees, and two branches of one, that tendons couple; in each world another one is slack
COUPLED = """<mujoco><option integrator="discrete" timestep="0.01" tolerance="1e-15"
iterations="500"><flag contact="disable"/></option><worldbody><body><joint name="a" axis="0 1 0"/>
<geom size=".1" pos=".3 0 0"/><body pos=".4 0 0"><joint name="b" axis="0 1 0"/><geom size=".1"
pos=".3 0 0"/></body><body pos="0 0 .4"><joint name="c" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
</body></body><body pos="0 2 0"><joint name="e" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
</worldbody><tendon><fixed name="bc" stiffness="{}" springlength="0 .2"><joint joint="b" coef="1"/>
<joint joint="c" coef="-2"/></fixed><fixed name="ae" stiffness="{}" damping="3"><joint joint="a"
coef="1"/><joint joint="e" coef=".5"/></fixed></tendon><actuator><position tendon="bc" kp="20"/>
</actuator></mujoco>"""


@pytest.mark.parametrize("stiffness", [0.0, 50.0, 1e8])
def test_accelerations_are_mujocos(stiffness):
    """Whatever the springs; MuJoCo iterates, too, and leaves more of stiff ones."""
    both, rng = pair(COUPLED.format(stiffness, stiffness)), np.random.default_rng(1)
    for _ in range(5):
        both.write(rng)
        both.step()
        size = max(1.0, np.abs(both.theirs.qacc).max())
        np.testing.assert_allclose(both.data.qacc, both.theirs.qacc, atol=1e-8 * size)


@pytest.mark.parametrize("stiffness", [50.0, 1e8])
def test_metric_is_inverted(stiffness):
    """The residual of what is found, worked out densely."""
    data = cf.Model.from_mjcf(COUPLED.format(stiffness, stiffness)).make_data()
    data.qpos[:], data.qvel[:] = (0.1, 0.5, -0.2, 0.3), (1, -1, 2, 0.5)
    data.forward()
    h = data.model.opt.timestep
    metric = dense_inertia(data.model, data)
    bc, ae = np.array([0, 1, -2, 0.0]), np.array([1, 0, 0, 0.5])
    K = (stiffness + 20) * np.outer(bc, bc) + stiffness * np.outer(ae, ae)
    metric += h * h * K + h * 3 * np.outer(ae, ae)
    force = data.qfrc_smooth - h * K @ data.qvel
    left = np.abs(metric @ data.qacc - force).max()
    assert left < 1e-10 * np.abs(force).max()


def test_worlds_with_and_without_couplings():
    """A tendon that is slack couples nothing: such a world has the bits that it has alone."""
    model = cf.Model.from_mjcf(COUPLED.format(50, 0).replace('kp="20"', 'kp="0"'))
    batch = cf.BatchSim(model, 8)
    batch.qpos[:] = np.linspace(-0.5, 0.5, 32).reshape(8, 4)
    starts = batch.qpos.copy()
    assert batch.step_all(5) == [None] * 8
    for w in range(8):
        data = model.make_data()
        data.qpos[:] = starts[w]
        data.step(5)
        np.testing.assert_array_equal(batch.qvel[w], data.qvel)
