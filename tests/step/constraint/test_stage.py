"""Rows of constraints: MuJoCo's, kind by kind; alone and in lanes; with all the room they need."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.collision import crowd
from conformance.generate import random_model
from conformance.rows import differences, run_rows
from cortenforge.compare import mujoco_module
from cortenforge.enums import ConstraintType, Disable, Jacobian
from cortenforge.fields.data_constraint import CONSTRAINT
from cortenforge.step.constraint.kinds import CONTACTS, EQUALITIES, FRICTIONS, LIMITS
from tests.step.constraint.models import EQUALITIES as HOLDING
from tests.step.constraint.models import Both, scene

STATES = 4
#: fields with an entry a row, or an entry of the Jacobian
LISTED = [f.name for f in CONSTRAINT if set(f.shape) & {"nefcmax", "nJmax"}]
#: what a solver writes
SOLVED = {"efc_state", "efc_force"}


def assert_rows(text: str, seed: int = 0) -> np.ndarray:
    """Rows are MuJoCo's in some states; how many there were of each kind."""
    both, rng = Both(text), np.random.default_rng(seed)
    kinds = np.zeros(len(ConstraintType), int)
    for number in range(STATES):
        if number:
            both.move(rng)
        wrong = both.wrong()
        assert not wrong, f"state {number}: " + "\n".join(wrong)
        kinds += np.bincount(both.data.efc_type, minlength=len(kinds))
    return kinds


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_contacts_limits_and_friction(cone, condim):
    """004-M8: friction loss of dofs and tendons; beside it contacts of every kind, and limits."""
    options = f'cone="{cone}" impratio="3"'
    kinds = assert_rows(scene(options=options, geom=f'condim="{condim}" friction="1.2 .01 .02"'))
    own = 5 if condim == 1 else 6 if cone == "pyramidal" else 7
    assert kinds[own] > 0
    assert kinds[1] > 0 and kinds[2] > 0 and kinds[3] > 0 and kinds[4] > 0


@pytest.mark.parametrize("name", HOLDING)
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_equalities(name, jacobian):
    """000-Q2: connect, weld, joint and tendon, of bodies and of sites."""
    rest = f"<equality>{HOLDING[name]}</equality>"
    kinds = assert_rows(
        scene(options=f'jacobian="{jacobian}"', flags='contact="disable"', rest=rest)
    )
    assert kinds[0] >= 3


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_exact_diagonal_moving_surfaces_and_pulling_contacts(cone, condim):
    """002-M1: `diagexact`; `surfacevel`, `adhesion` in the gap and out of it, `solreffriction`."""
    floor = 'adhesion="3" gap=".1" surfacevel="1 2 3 .1 .2 .3"'
    pair = '<contact><pair geom1="ge" geom2="gd" solreffriction=".05 .7" margin="2"/></contact>'
    hold = "<equality><weld body1='e'/></equality>"
    assert_rows(
        scene(
            options=f'cone="{cone}"',
            flags='diagexact="enable"',
            floor=floor,
            geom=f'condim="{condim}"',
            rest=pair + hold,
        )
    )


@pytest.mark.parametrize(
    "flags",
    ["refsafe", "constraint", "equality", "frictionloss", "limit", "contact"],
)
def test_flags(flags):
    """What a flag switches off has no rows; without `refsafe`, time constants are as they are."""
    rest = f"<equality>{HOLDING['weld']}</equality>"
    assert_rows(scene(flags=f'{flags}="disable"', rest=rest))


def test_references_of_mixed_signs_are_the_default():
    """As in MuJoCo: one positive number and one that is not make no reference."""
    both = Both(scene())
    for model in (both.model, both.reference):
        model.jnt_solref[1:] = 0.03, -1
        model.dof_solref[:] = -5, 1
    both.move(np.random.default_rng(1))
    assert not both.wrong()
    assert both.data.nl > 0


def test_inactive_equalities_have_no_rows():
    """`eq_active` is the state's."""
    both = Both(scene(rest=f"<equality>{HOLDING['weld']}</equality>"))
    assert not both.wrong()
    assert both.data.ne == 12
    for data in (both.data, both.theirs):
        data.eq_active[0] = 0
    assert not both.wrong()
    assert both.data.ne == 6


@pytest.mark.parametrize("seed", range(3000, 3006))
def test_random_models(seed):
    """Everything that compiles, mixed freely."""
    assert_rows(random_model(seed), seed)


def test_own_contacts_lead_to_the_same_rows():
    """A whole forward pass, with contacts of this engine and adhesion of a body to them."""
    sticky = "".join(f'<adhesion body="{body}" ctrlrange="0 9"/>' for body in "ad")
    rest = f"<actuator>{sticky}</actuator>"
    both, rng = Both(scene(rest=rest, geom='gap=".1"')), np.random.default_rng(0)
    mujoco = mujoco_module()
    # the solver is not there yet, and nothing here asks for it
    both.model.missing = 0
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


def test_rows_as_python_reads_them():
    """As many rows as there are; the Jacobian dense or by its entries, as the option says."""
    both = Both(scene(options='jacobian="dense"'))
    assert not both.wrong()
    data = both.data
    assert len(data.efc_pos) == data.nefc == len(data.efc_J) == both.theirs.nefc
    assert data.efc_KBIP.shape == (data.nefc, 4)
    assert data.efc_J.shape == (data.nefc, both.model.nv)
    np.testing.assert_allclose(data.efc_J.ravel(), both.theirs.efc_J, atol=1e-12)
    np.testing.assert_allclose(data.efc_J @ data.qvel, data.efc_vel, atol=1e-12)
    both.model.opt.jacobian = both.reference.opt.jacobian = Jacobian.SPARSE
    assert not both.wrong()
    assert data.efc_J.shape == (data.nJ,)
    np.testing.assert_allclose(data.contact.mu, both.theirs.contact.mu)


def test_rows_are_padded_to_fours():
    """Behind the last row are rows that do nothing, as solvers that read four at once need them."""
    both, rng = Both(scene()), np.random.default_rng(2)
    for _ in range(6):
        both.move(rng)
        assert not both.wrong()
        arrays, n = both.data._store.arrays, both.data.nefc
        behind = slice(n, -(-n // 4) * 4)
        for name in ("efc_D", "efc_R", "efc_aref", "efc_frictionloss", "efc_J_rownnz"):
            assert not arrays[name][behind].any(), name
        starts = np.cumsum(both.data.efc_J_rownnz) - both.data.efc_J_rownnz
        np.testing.assert_array_equal(both.data.efc_J_rowadr, starts)
        for row, count in zip(starts, both.data.efc_J_rownnz, strict=True):
            assert np.all(np.diff(both.data.efc_J_colind[row : row + count]) > 0)


def test_models_without_constraints_have_none():
    """Bits of what a model may have, by its parts and its flags."""
    model = cf.Model.from_mjcf(scene(rest=f"<equality>{HOLDING['weld']}</equality>"))
    assert model.constraining == EQUALITIES | FRICTIONS | LIMITS | CONTACTS
    data = model.make_data()
    for flag, bit in (
        (Disable.EQUALITY, EQUALITIES),
        (Disable.FRICTIONLOSS, FRICTIONS),
        (Disable.LIMIT, LIMITS),
        (Disable.CONTACT, CONTACTS),
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
    run_rows(both.data)
    assert not differences(both.data, both.reference, both.theirs)
    assert set(both.data.efc_id.tolist()) == {1}
    both.data.tree_asleep[:] = -11
    run_rows(both.data)
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
    model.missing = 0
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


def test_no_room_and_no_rows_left_behind():
    """A world without room says so and has no rows, whatever was there before."""
    both = Both(scene())
    assert not both.wrong()
    twin = both.model.make_data()
    twin.forward(smooth_only=True)
    assert twin._store.capacities["nefcmax"] == 0
    twin.ncon = 0
    run_rows(twin)
    assert twin._store.capacities["nefcmax"] % 4 == 0
    assert twin.nefc == both.data.ne + both.data.nf + both.data.nl
