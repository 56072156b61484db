"""Positions move along velocities; quaternions stay on their sphere."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from cortenforge.compare import mujoco_module
from tests.step.stages import cases, one, states

JOINTS = ("joint_hinge", "joint_slide", "joint_ball", "joint_free", "joint_several")


@cases(*JOINTS)
def test_there_and_back_as_mujoco(source):
    """Moved positions and the velocity between two of them, for short and long times."""
    mujoco, rng = mujoco_module(), np.random.default_rng(3)
    for both in states(source):
        model, start = both.model, both.data.qpos.copy()
        for time in (1e-3, 0.5, -2.0):
            rate = rng.normal(size=model.nv)
            theirs = start.copy()
            mujoco.mj_integratePos(both.reference, theirs, rate, time)
            ours = model.integrate_pos(start, rate, time)
            np.testing.assert_allclose(ours, theirs, atol=1e-12)
            between = np.zeros(model.nv)
            mujoco.mj_differentiatePos(both.reference, between, time, start, theirs)
            found = model.differentiate_pos(start, theirs, time)
            np.testing.assert_allclose(found, between, atol=1e-9)


def test_a_ball_turns_by_the_exponential_map():
    """002-S2: q exp(h w / 2) with w in the body's own axes, of unit length however far it turns."""
    data = one('<worldbody><body><joint type="ball"/><geom size=".1"/></body></worldbody>')
    model, rng = data.model, np.random.default_rng(6)
    for size in (1e-9, 1e-3, 1.0, 10.0):
        start = Rotation.random(rng=rng)
        spin = rng.normal(size=3) * size
        moved = model.integrate_pos(start.as_quat(scalar_first=True), spin, 0.7)
        assert abs(np.linalg.norm(moved) - 1) < 1e-15 * 4
        expected = start * Rotation.from_rotvec(0.7 * spin)
        found = Rotation.from_quat(moved, scalar_first=True)
        assert (expected.inv() * found).magnitude() < 1e-14 * 4
