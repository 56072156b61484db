"""Forces on bodies become forces on joints."""

from __future__ import annotations

import numpy as np

from cortenforge.compare import mujoco_module
from tests.step.stages import cases, states


@cases("joint_free", "joint_several", "tree_branching", "static_only")
def test_force_on_a_body_is_its_jacobian_transposed(source):
    """What a force and a torque at a centre of mass do to each dof, by MuJoCo's Jacobian."""
    rng = np.random.default_rng(8)
    for both in states(source):
        model, data = both.model, both.data
        jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        for body in range(1, model.nbody):
            data.xfrc_applied[:] = 0
            data.forward()
            without = data.qfrc_smooth.copy()
            force = rng.normal(size=6)
            data.xfrc_applied[body] = force
            data.forward()
            mujoco_module().mj_jacBodyCom(both.reference, both.theirs, jacp, jacr, body)
            expected = jacp.T @ force[:3] + jacr.T @ force[3:]
            size = max(1.0, np.abs(without).max(initial=0))
            np.testing.assert_allclose(data.qfrc_smooth - without, expected, atol=1e-11 * size)
