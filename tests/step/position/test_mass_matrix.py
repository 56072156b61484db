"""The joint-space inertia matrix M and its factor."""

from __future__ import annotations

import numpy as np

from cortenforge.compare import mujoco_module
from tests.laws.mechanics import dense_inertia
from tests.step.stages import cases, states, written_by

MODELS = ("joint_hinge", "joint_free", "joint_several", "simple_bodies", "tree_branching")


@cases(*MODELS, "empty")
def test_fields_are_mujocos(source):
    """Composite inertias, M in MuJoCo's sparsity, the factor and its diagonal."""
    for both in states(source):
        both.assert_equal(*written_by("step.position.mass_matrix"))


@cases("joint_several", "tree_branching")
def test_matrix_is_mujocos_when_it_is_written_out(source):
    """M, both halves, from MuJoCo's own function: no rule of storage can hide a difference."""
    for both in states(source):
        full = np.zeros((both.model.nv, both.model.nv))
        mujoco_module().mj_fullM(both.reference, both.theirs, full)
        found = dense_inertia(both.model, both.data)
        np.testing.assert_allclose(found, full, atol=1e-10 * max(1.0, np.abs(full).max()))


@cases("tree_branching")
def test_composite_inertia_of_a_root_is_that_of_its_tree(source):
    """Ten numbers that add up, from the tips to the root."""
    for both in states(source):
        model, data = both.model, both.data
        for root in np.unique(model.body_rootid[1:]):
            tree = np.flatnonzero(model.body_rootid == root)
            np.testing.assert_allclose(data.crb[root], data.cinert[tree].sum(axis=0), atol=1e-12)
