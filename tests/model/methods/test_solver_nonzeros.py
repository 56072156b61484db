"""solver_nnz: MuJoCo's counts for every solver and format, with islands and without."""

from __future__ import annotations

import itertools

import mujoco
import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Disable, Jacobian, Solver

SCENE = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="0.1 0 0.28"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="2 0 0.09"><freejoint/><geom size=".1"/>
      <body pos="0.2 0 0"><joint axis="0 1 0"/><geom size="0.1"/>
        <body pos="0.2 0 0"><joint name="tip" axis="0 1 0" frictionloss="0.1"/><geom size="0.1"/>
        </body></body>
      <body pos="0 0.2 0"><joint name="side" axis="1 0 0"/><geom size="0.1"/></body>
    </body>
    <body pos="-2 0 1">
      <joint name="bound" limited="true" range="0.2 1"/><geom size=".1" pos="0 .3 0"/>
      <body pos="0 0.3 0"><joint axis="1 0 0"/><geom size=".05" pos="0 .2 0"/></body>
    </body>
    <body pos="0 3 3"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <equality><joint joint1="tip" joint2="side"/></equality>
</mujoco>
"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", list(Solver))
def test_counts_are_mujocos(solver: Solver, cone: str) -> None:
    text = SCENE.replace("<worldbody>", f'<option cone="{cone}"/><worldbody>', 1)
    reference, ours = mujoco.MjModel.from_xml_string(text), cf.Model.from_mjcf(text)
    seen = 0
    for jacobian, off in itertools.product(list(Jacobian), (0, int(Disable.ISLAND))):
        for model in (reference, ours):
            model.opt.jacobian, model.opt.solver, model.opt.disableflags = jacobian, solver, off
        theirs, data = mujoco.MjData(reference), ours.make_data()
        mujoco.mj_forward(reference, theirs)
        data.forward()
        assert data.nefc == theirs.nefc
        assert data.solver_nnz.tolist() == theirs.solver_nnz.tolist(), (jacobian, off)
        seen += int(data.solver_nnz.any())
    assert seen == 6


def test_without_constraints_there_are_none() -> None:
    data = cf.Model.from_mjcf(cf.models.find("double_pendulum")).make_data()
    data.step()
    assert data.solver_nnz.shape == (20,) and not data.solver_nnz.any()
    with pytest.raises(ValueError, match="read-only"):
        data.solver_nnz[0] = 1
    assert data.solver_nnz.dtype == np.int32
