"""Velocities about each tree's centre of mass."""

from __future__ import annotations

import numpy as np

from tests.step.stages import cases, states, written_by


@cases("joint_hinge", "joint_ball", "joint_free", "joint_several", "tree_branching")
def test_fields_are_mujocos(source):
    """Velocities of bodies, and rates of motion axes."""
    for both in states(source):
        both.assert_equal(*written_by("step.velocity.com_velocity"))


@cases("joint_free", "joint_several")
def test_velocity_is_the_sum_of_the_dofs_above(source):
    """Each dof between the world and a body adds its axis times its speed."""
    for both in states(source):
        model, data = both.model, both.data
        for body in range(1, model.nbody):
            total, above = np.zeros(6), body
            while above:
                first = model.body_dofadr[above]
                for i in range(first, first + model.body_dofnum[above]):
                    total += data.cdof[i] * data.qvel[i]
                above = model.body_parentid[above]
            np.testing.assert_allclose(data.cvel[body], total, atol=1e-11)


@cases("joint_ball", "joint_free", "joint_several")
def test_velocity_is_the_slope_of_the_centre(source):
    """Follow the motion for a moment: centres of mass move as their velocities say."""
    h = 1e-6
    for both in states(source):
        model, data = both.model, both.data
        start, speed = data.qpos.copy(), data.qvel.copy()
        arm = data.xipos - data.subtree_com[model.body_rootid]
        moving = data.cvel[:, 3:] + np.cross(data.cvel[:, :3], arm)
        places = []
        for sign in (1, -1):
            data.qpos[:] = model.integrate_pos(start, sign * speed, h)
            data.forward(smooth_only=True)
            places.append(data.xipos.copy())
        data.qpos[:] = start
        np.testing.assert_allclose((places[0] - places[1]) / (2 * h), moving, atol=1e-7)
