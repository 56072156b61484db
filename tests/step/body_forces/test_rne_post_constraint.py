"""Accelerations of bodies, and the forces between them."""

from __future__ import annotations

import numpy as np

from tests.step.stages import cases, pair, states, written_by


@cases("joint_free", "joint_several", "tree_branching", "static_only", "flags_off")
def test_fields_are_mujocos(source):
    """With pushes and turns on every body."""
    rng = np.random.default_rng(1)
    for both in states(source):
        pushes = rng.normal(size=both.data.xfrc_applied.shape)
        both.data.xfrc_applied[:] = both.theirs.xfrc_applied[:] = pushes
        both.forward()
        both.assert_equal(*written_by("step.body_forces.rne_post_constraint"))


def test_the_world_carries_everything():
    """What stands still rests on the world with its weight, wherever it hangs."""
    both = pair("static_only")
    both.forward()
    held = both.data.cfrc_int[0, 3:]
    weight = -both.model.opt.gravity * both.model.body_mass[1:].sum()
    np.testing.assert_allclose(held, weight, rtol=1e-12, atol=1e-12)
