"""Forces of constraints at an acceleration."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compare import mujoco_module
from cortenforge.enums import ConstraintState
from cortenforge.step.solve.constraint_update import constraint_forces_at
from tests.step.borrowed import borrow, take
from tests.step.stages import pair

#: every kind of row
EVERYTHING = """<mujoco><option cone="{cone}" impratio="3"/><worldbody>
<geom type="plane" size="5 5 1"/>
<body name="a" pos="0 0 .09"><freejoint/><geom size=".1" condim="1"/></body>
<body name="b" pos="1 0 .09"><freejoint/><geom type="box" size=".1 .1 .1" condim="3"/></body>
<body name="c" pos="2 0 .09"><freejoint/><geom size=".1" condim="4" friction="1 .1 .1"/></body>
<body name="d" pos="3 0 .09"><freejoint/><geom size=".1" condim="6" friction="1 .1 .1"/></body>
<body name="e" pos="4 0 1"><joint name="e" range="10 20" frictionloss="2"/><geom size=".1"
pos=".2 0 0"/><site name="e" pos=".2 0 0"/></body><site name="w" pos="4 1 1"/>
</worldbody><equality><connect body1="a" body2="b" anchor=".5 0 0"/><weld body1="d"/></equality>
<tendon><spatial name="t" range=".1 .2" frictionloss=".5"><site site="e"/><site site="w"/></spatial>
</tendon></mujoco>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_forces_are_mujocos(cone):
    """At accelerations of all sizes, so that rows are in every state."""
    both, rng = pair(EVERYTHING.format(cone=cone)), np.random.default_rng(1)
    seen: set[int] = set()
    for push in (0.1, 1, 10, 100, 1000) * 4:
        both.data.qvel[:] = both.theirs.qvel[:] = rng.normal(size=both.model.nv)
        borrow(both)
        both.theirs.qacc[:] += push * rng.normal(size=both.model.nv)
        mujoco_module().mj_inverse(both.reference, both.theirs)
        take(both)
        for name in ("efc_force", "efc_state", "qfrc_constraint"):
            both.data._store.arrays[name][:] = 77
        both.data._run_unit(constraint_forces_at)
        np.testing.assert_array_equal(both.data.efc_state[: both.data.nefc], both.theirs.efc_state)
        for name in ("efc_force", "qfrc_constraint"):
            wanted = getattr(both.theirs, name)
            ours = getattr(both.data, name)[: len(wanted)]
            np.testing.assert_allclose(
                ours, wanted, atol=1e-11 * np.abs(wanted).max(), err_msg=name
            )
        seen |= set(both.theirs.efc_state.tolist())
    possible = set(map(int, ConstraintState))
    assert seen == (possible if cone == "elliptic" else possible - {ConstraintState.CONE})
