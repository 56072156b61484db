"""Coriolis, centrifugal and gravity forces."""

from __future__ import annotations

import numpy as np

from tests.step.stages import cases, states, written_by


@cases("joint_free", "joint_several", "tree_branching", "flags_off", "gravity_compensation")
def test_fields_are_mujocos(source):
    """The force that keeps the motion going as it is, without any acceleration."""
    for both in states(source):
        both.assert_equal(*written_by("step.velocity.rne"))


@cases("joint_ball", "joint_several")
def test_without_gravity_it_is_quadratic_in_velocity(source):
    """Twice as fast takes four times the force; at rest there is none."""
    for both in states(source):
        model, data = both.model, both.data
        model.opt.gravity[:] = 0
        speed, found = data.qvel.copy(), []
        for factor in (0.0, 1.0, 2.0):
            data.qvel[:] = factor * speed
            data.forward(smooth_only=True)
            found.append(data.qfrc_bias.copy())
        size = max(1.0, np.abs(found[2]).max(initial=0))
        assert not found[0].any()
        np.testing.assert_allclose(found[2], 4 * found[1], atol=1e-12 * size)


@cases("joint_free", "tree_branching")
def test_at_rest_it_carries_the_weight(source):
    """Each dof holds the weight of all bodies, by the axis along which it would move them."""
    for both in states(source):
        model, data = both.model, both.data
        data.qvel[:] = 0
        data.forward(smooth_only=True)
        expected = np.zeros(model.nv)
        for dof in range(model.nv):
            for body in range(1, model.nbody):
                above = body
                while above and above != model.dof_bodyid[dof]:
                    above = model.body_parentid[above]
                if above:
                    arm = data.xipos[body] - data.subtree_com[model.body_rootid[body]]
                    moves = data.cdof[dof, 3:] + np.cross(data.cdof[dof, :3], arm)
                    expected[dof] -= model.body_mass[body] * moves @ model.opt.gravity
        size = max(1.0, np.abs(expected).max(initial=0))
        np.testing.assert_allclose(data.qfrc_bias, expected, atol=1e-12 * size)
