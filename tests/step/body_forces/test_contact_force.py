"""Forces of contacts out of constraint rows."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compare import mujoco_module
from cortenforge.step.body_forces.contact_force import contact_forces
from tests.step.borrowed import borrow
from tests.step.stages import pair

CONES = pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
#: contacts of every dimension, one that sticks, one in its gap
HEAP = """<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="5 5 1"/>
<body pos="0 0 .099"><freejoint/><geom size=".1" condim="1"/></body>
<body pos="1 0 .099"><freejoint/><geom type="box" size=".1 .1 .1" condim="3"/></body>
<body pos="2 0 .099"><freejoint/><geom size=".1" condim="4" friction="1 .1 .1"/></body>
<body pos="3 0 .099"><freejoint/><geom size=".1" condim="6" friction="1 .1 .1"/></body>
<body pos="4 0 .1"><freejoint/><geom size=".1" adhesion="20"/></body>
<body pos="5 0 .105"><freejoint/><geom size=".1" gap=".01"/></body>
</worldbody></mujoco>"""


def heap(cone: str):
    """Both engines with balls that slide and spin."""
    both = pair(HEAP.format(cone=cone))
    both.data.qvel[:] = both.theirs.qvel[:] = np.random.default_rng(1).normal(size=36)
    borrow(both)
    return both


@CONES
def test_forces_are_mujocos(cone):
    """Of every dimension, with adhesion, and of a contact without rows."""
    both = heap(cone)
    wanted = np.zeros((both.theirs.ncon, 6))
    for c in range(both.theirs.ncon):
        mujoco_module().mj_contactForce(both.reference, both.theirs, c, wanted[c])
    assert set(both.data.contact.dim) >= {1, 3, 4, 6} and np.any(both.data.contact.adhesion)
    assert np.any(both.data.contact.efc_address < 0) and np.abs(wanted).sum() > 1
    both.data._run_unit(contact_forces, 0, both.data.ncon)
    np.testing.assert_allclose(both.data.contact_wrench[: both.data.ncon], wanted, atol=1e-12)
