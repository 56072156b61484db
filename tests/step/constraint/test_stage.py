"""Rows of constraints: MuJoCo's, kind by kind; alone and in lanes; with all the room they need."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.collision import crowd
from conformance.generate import random_model
from conformance.rows import differences, make_constraint_rows
from cortenforge.compare import mujoco_module
from cortenforge.enums import Disable
from cortenforge.fields.data_constraint import CONSTRAINT
from cortenforge.step.constraint.kinds import (
    HAS_CONTACTS,
    HAS_EQUALITIES,
    HAS_FRICTIONLOSS,
    HAS_LIMITS,
)
from tests.step.constraint.models import EQUALITIES as HOLDING
from tests.step.constraint.models import Both, assert_rows, scene

#: fields with an entry a row, or an entry of the Jacobian
LISTED = [f.name for f in CONSTRAINT if set(f.shape) & {"nefcmax", "nJmax"}]
#: what a solver writes
SOLVED = {"efc_state", "efc_force"}


@pytest.mark.parametrize("seed", range(3000, 3006))
def test_random_models(seed):
    """Everything that compiles, mixed freely."""
    assert_rows(random_model(seed), seed)


def test_models_without_constraints_have_none():
    """Bits of what a model may have, by its parts and its flags."""
    model = cf.Model.from_mjcf(scene(rest=f"<equality>{HOLDING['weld']}</equality>"))
    assert model.constraining == HAS_EQUALITIES | HAS_FRICTIONLOSS | HAS_LIMITS | HAS_CONTACTS
    data = model.make_data()
    for flag, bit in (
        (Disable.EQUALITY, HAS_EQUALITIES),
        (Disable.FRICTIONLOSS, HAS_FRICTIONLOSS),
        (Disable.LIMIT, HAS_LIMITS),
        (Disable.CONTACT, HAS_CONTACTS),
        (Disable.CONSTRAINT, 15),
    ):
        model.opt.disableflags = int(flag)
        data.forward(smooth_only=True)
        assert model.constraining == 15 & ~bit
    bare = cf.Model.from_mjcf(
        "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>"
    )
    assert bare.constraining == 0


def test_what_sleeps_has_no_rows():
    """Friction, limits and equalities of sleeping trees are left out, those of others are there."""
    arm = (
        '<body name="{0}" pos="{1} 0 0"><joint name="{0}" axis="0 1 0" range="-{2} 60" damping="2" '
        'frictionloss=".1"/><geom size=".1" pos=".3 0 0"/></body>'
    )
    text = f"""<mujoco><option><flag sleep="enable" contact="disable"/></option>
      <worldbody>{arm.format("a", 0, 1)}{arm.format("b", 1, 1)}{arm.format("c", 2, 1)}</worldbody>
      <tendon><fixed name="t" frictionloss=".2" range="0 .001" limited="true">
        <joint joint="a" coef="1"/></fixed></tendon>
      <equality><joint joint1="a" polycoef=".1 0 0 0 0"/><joint joint1="c"/></equality></mujoco>"""
    both, mujoco = Both(text), mujoco_module()
    for _ in range(3000):
        both.theirs.qfrc_applied[1] = 1.0
        mujoco.mj_step(both.reference, both.theirs)
    asleep = both.theirs.tree_asleep >= 0
    assert asleep.tolist() == [True, False, True]
    mujoco.mj_forward(both.reference, both.theirs)
    both.data.qpos[:], both.data.qvel[:] = both.theirs.qpos, both.theirs.qvel
    both.data.forward(smooth_only=True)
    both.data.tree_asleep[:] = both.theirs.tree_asleep
    make_constraint_rows(both.data)
    assert not differences(both.data, both.reference, both.theirs)
    assert set(both.data.efc_id.tolist()) == {1}
    both.data.tree_asleep[:] = -11
    make_constraint_rows(both.data)
    assert both.data.nefc > 4


@pytest.mark.parametrize("seed", [0, 3])
def test_lanes_have_the_rows_of_single_worlds(seed):
    """8: eight worlds with different numbers of rows, bit by bit, growing as they need."""
    model = cf.Model.from_mjcf(crowd(seed))
    batch = cf.BatchSim(model, 8, threads=1)
    rng = np.random.default_rng(seed)
    for i in range(8):
        batch.qpos[i] = model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.02 * i)
        batch.qvel[i] = rng.normal(size=model.nv)
    worlds = [batch.env(i) for i in range(8)]
    model._store.assign("missing", 0)
    batch.forward_all()
    (memory,) = batch._memory
    counts = memory.lanes("nefc")
    assert len(set(counts.tolist())) > 3 and counts.max() > 20
    for i, data in enumerate(worlds):
        data.forward()
        assert counts[i] == data.nefc
        own = memory.worlds[i].arrays
        for name in LISTED:
            if name not in SOLVED:
                alone = getattr(data, name)
                assert own[name][: len(alone)].tobytes() == alone.tobytes(), (i, name)


def test_worlds_may_have_friction_that_their_model_has_not():
    """A world that differs has rows for it, and the others have none."""
    text = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>"
    model = cf.Model.from_mjcf(text)
    batch = cf.BatchSim(model, 3, threads=1)
    batch.expand("dof_frictionloss")
    batch.parameters["dof_frictionloss"][1] = 0.5
    worlds = [batch.env(i) for i in range(3)]
    for data in worlds:
        data.forward()
    assert [data.nefc for data in worlds] == [0, 1, 0]
    assert worlds[1].efc_frictionloss.tolist() == [0.5]
