"""Rows of contacts."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.rows import differences
from cortenforge.compare import mujoco_module
from tests.step.constraint.models import STATES, Both, assert_rows, scene


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_contacts_limits_and_friction(cone, condim):
    """004-M8: friction loss of dofs and tendons; beside it contacts of every kind, and limits."""
    options = f'cone="{cone}" impratio="3"'
    kinds = assert_rows(scene(options=options, geom=f'condim="{condim}" friction="1.2 .01 .02"'))
    own = 5 if condim == 1 else 6 if cone == "pyramidal" else 7
    assert kinds[own] > 0
    assert kinds[1] > 0 and kinds[2] > 0 and kinds[3] > 0 and kinds[4] > 0


def test_own_contacts_lead_to_the_same_rows():
    """A whole forward pass, with contacts of this engine and adhesion of a body to them."""
    sticky = "".join(f'<adhesion body="{body}" ctrlrange="0 9"/>' for body in "ad")
    rest = f"<actuator>{sticky}</actuator>"
    both, rng = Both(scene(rest=rest, geom='gap=".1"')), np.random.default_rng(0)
    mujoco = mujoco_module()
    # the solver is not there yet, and nothing here asks for it
    both.model._store.assign("missing", 0)
    touched = 0
    for _ in range(STATES):
        both.move(rng)
        both.data.forward()
        mujoco.mj_forward(both.reference, both.theirs)
        assert not differences(both.data, both.reference, both.theirs)
        moment = np.zeros((2, both.model.nv))
        mujoco.mju_sparse2dense(
            moment,
            both.theirs.actuator_moment,
            both.theirs.moment_rownnz,
            both.theirs.moment_rowadr,
            both.theirs.moment_colind,
        )
        np.testing.assert_allclose(both.data.actuator_moment.reshape(2, -1), moment, atol=1e-12)
        touched += np.count_nonzero(moment)
    assert touched > 0
