"""Centres of mass, and inertias and motion axes about them."""

from __future__ import annotations

import numpy as np

from tests.step.stages import cases, states, written_by

MODELS = ("tree_branching", "replicate", "joint_free", "joint_ball", "joint_several", "static_only")


@cases(*MODELS)
def test_fields_are_mujocos(source):
    """Centres of subtrees, inertias about them, motion axes."""
    for both in states(source):
        both.assert_equal(*written_by("step.position.com"))


@cases("tree_branching", "replicate")
def test_the_world_has_the_centre_of_everything(source):
    """The mean of all centres, weighted by mass."""
    for both in states(source):
        mass, centres = both.model.body_mass, both.data.xipos
        expected = mass @ centres / mass.sum()
        np.testing.assert_allclose(both.data.subtree_com[0], expected, atol=1e-12)


@cases("joint_ball", "joint_several")
def test_motion_axes_are_slopes_of_the_pose(source):
    """Move one dof a little: the centre of a tree's last body goes where its axis says."""
    h = 1e-6
    for both in states(source):
        model, data = both.model, both.data
        start, axes, com = data.qpos.copy(), data.cdof.copy(), data.subtree_com.copy()
        for dof in range(model.nv):
            body = model.dof_bodyid[dof]
            places = []
            for sign in (1, -1):
                data.qpos[:] = model.integrate_pos(start, sign * np.eye(model.nv)[dof], h)
                data.forward(smooth_only=True)
                places.append(data.xipos[body].copy())
            data.qpos[:] = start
            data.forward(smooth_only=True)
            # velocity of the tree's centre, moved to the body's own
            arm = data.xipos[body] - com[model.body_rootid[body]]
            slope = axes[dof, 3:] + np.cross(axes[dof, :3], arm)
            np.testing.assert_allclose((places[0] - places[1]) / (2 * h), slope, atol=1e-7)
