"""Linear velocity and angular momentum of each subtree."""

from __future__ import annotations

import numpy as np

from tests.step.stages import cases, states, written_by


@cases("joint_free", "joint_several", "tree_branching", "static_only")
def test_fields_are_mujocos(source):
    """Of every subtree, the world's included."""
    for both in states(source):
        both.assert_equal(*written_by("step.body_forces.momentum"))


@cases("joint_free", "tree_branching")
def test_velocity_of_a_subtree_is_that_of_its_centre(source):
    """Follow the motion for a moment: the centre moves as subtree_linvel says."""
    h = 1e-6
    for both in states(source):
        model, data = both.model, both.data
        start, speed = data.qpos.copy(), data.qvel.copy()
        expected, places = data.subtree_linvel.copy(), []
        for sign in (1, -1):
            data.qpos[:] = model.integrate_pos(start, sign * speed, h)
            data.forward(smooth_only=True)
            places.append(data.subtree_com.copy())
        data.qpos[:] = start
        moved = model.body_subtreemass > 0
        slope = (places[0] - places[1]) / (2 * h)
        np.testing.assert_allclose(slope[moved], expected[moved], atol=1e-7)


@cases("joint_free", "tree_branching")
def test_angular_momentum_of_everything_is_the_sum_over_bodies(source):
    """Spin of each body and the moment of its motion, about the common centre."""
    for both in states(source):
        model, data = both.model, both.data
        arm = data.xipos - data.subtree_com[model.body_rootid]
        moving = data.cvel[:, 3:] + np.cross(data.cvel[:, :3], arm)
        total = np.zeros(3)
        for body in range(1, model.nbody):
            axes = data.ximat[body].reshape(3, 3)
            total += axes @ (model.body_inertia[body] * (axes.T @ data.cvel[body, :3]))
            away = data.xipos[body] - data.subtree_com[0]
            relative = moving[body] - data.subtree_linvel[0]
            total += model.body_mass[body] * np.cross(away, relative)
        size = max(1.0, np.abs(total).max())
        np.testing.assert_allclose(data.subtree_angmom[0], total, atol=1e-11 * size)
