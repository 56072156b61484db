"""What batches of worlds that differ are compiled for."""

from __future__ import annotations

import cortenforge as cf
from cortenforge.batch.lockstep import step_groups
from cortenforge.batch.program import lane_linker
from cortenforge.kernel.language.reach import Shared
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.step.engine import ENGINE

PENDULUM = """<mujoco><worldbody><body><joint axis="0 1 0"/>
<geom type="capsule" size=".02" fromto="0 0 0 0 0 -.2"/></body></worldbody></mujoco>"""


def test_worlds_that_differ_need_no_more_than_their_model():
    """Integers decide, and these all worlds share: a pendulum has no contacts in any world."""
    model = cf.Model.from_mjcf(PENDULUM)
    linker = lane_linker(ENGINE, True)
    some = linker.reach([step_groups], Shared(plain_model(model)))
    ever = linker.reach([step_groups])
    names = {unit.name for alone in (True, False) for unit in some.found(alone=alone)}
    everything = {unit.name for alone in (True, False) for unit in ever.found(alone=alone)}
    assert names < everything and len(names) < len(everything) / 3
    assert "step.solve.stage:solve_constraints" in everything - names


def test_reals_that_differ_decide_nothing():
    """Damping that only some worlds have is compiled for."""
    batch = cf.BatchSim(cf.Model.from_mjcf(PENDULUM), 8)
    batch.expand("dof_damping")
    batch.parameters["dof_damping"][3:] = 0.5
    batch.qvel[:] = 1.0
    assert batch.step_all(50) == [None] * 8
    assert abs(batch.qvel[4, 0]) < abs(batch.qvel[0, 0])
