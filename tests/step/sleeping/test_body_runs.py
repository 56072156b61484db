"""Runs of bodies: what is left out while trees sleep."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Enable
from cortenforge.step.sleeping.body_runs import RUN_TREE
from tests.step.sleeping.sleepers import BALL, BOX, STACK, scene
from tests.step.sleeping.test_resting_values import DERIVED, piled


def test_each_tree_is_a_run():
    """Runs cover everything, in order; without sleep there is one."""
    model = cf.Model.from_mjcf(piled())
    runs = model.runs[: model.nrun]
    for kind, count in enumerate(
        (model.nbody, model.njnt, model.nv, model.ngeom, model.nsite, model.nq)
    ):
        first, end = runs[:, 2 * kind], runs[:, 2 * kind + 1]
        assert first[0] == (1 if kind == 0 else 0) and end[-1] == count
        np.testing.assert_array_equal(first[1:], end[:-1])
    assert sorted(runs[runs[:, RUN_TREE] >= 0, RUN_TREE]) == list(range(model.ntree))
    model.opt.enableflags = 0
    assert model.supported() == [] and model.nrun == 1


def test_a_world_without_bodies():
    """Nothing to leave out."""
    data = cf.Model.from_mjcf(scene("")).make_data()
    data.step(3)
    assert data.model.nrun == 1 and data.time == pytest.approx(0.006)


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "discrete"])
def test_what_is_left_out_is_still_there(integrator):
    """A world that works everything out, step by step, has the same bits."""
    data = cf.Model.from_mjcf(piled(integrator)).make_data()
    other = data.model.make_data()
    left_out = 0
    for number in range(200):
        if number in (80, 150):
            for one in (data, other):
                one.qvel[-6:-3] = 3, 0, 0
        data.step()
        other._store.assign("tree_kept", 0)
        other.step()
        left_out += int((data.tree_kept != 0).sum())
        for name in (*DERIVED, "qpos", "qvel", "tree_asleep"):
            assert getattr(data, name).tobytes() == getattr(other, name).tobytes(), (name, number)
    assert left_out > 100 or integrator == "RK4"


def test_what_others_act_on_is_never_left_out():
    """Trees at a tendon, or carried by a mocap body, are worked out while they sleep."""
    data = cf.Model.from_mjcf(piled()).make_data()
    data.step(1500)
    asleep = data.tree_asleep >= 0
    names = data.model.names["body"]
    kept = {names[b] for b in data.model.tree_bodyadr[data.tree_kept != 0]}
    assert asleep.all() or asleep.sum() >= 4
    assert {"low", "high", "far"} <= kept <= {"low", "high", "far", "ball"}


def test_switching_sleep_off_and_on():
    """Runs follow the flag, and nobody is left out that was asleep before."""
    data = cf.Model.from_mjcf(scene(STACK + BALL)).make_data()
    twin = cf.Model.from_mjcf(scene(STACK + BALL)).make_data()
    for one in (data, twin):
        one.step(80)
        one.model.opt.enableflags &= ~int(Enable.SLEEP)
        one.step(1)
        one.model.opt.enableflags |= int(Enable.SLEEP)
        one.step(1)
    assert data.ntree_awake == 4 and not data.tree_kept.any()
    assert data.digest() == twin.digest()


def test_a_failed_step_leaves_sleepers_whole():
    """A tree that woke in a step that failed sleeps on, and is worked out anew."""
    data = cf.Model.from_mjcf(scene(STACK + BALL)).make_data()
    data.step(80)
    other = data.copy()
    data.qfrc_applied[0] = np.nan
    with pytest.raises(cf.StepError):
        data.step()
    data.qfrc_applied[0] = 0
    for one in (data, other):
        one.step(5)
        one.forward()
    for name in (*DERIVED, "qpos", "qvel", "tree_asleep"):
        assert getattr(data, name).tobytes() == getattr(other, name).tobytes(), name


def test_fixed_bodies_between_trees():
    """Centres of mass of what hangs on fixed bodies, with trees awake and asleep."""
    mujoco = pytest.importorskip("mujoco")
    arm = '<body pos="{0} 0 2"><geom size=".1"/><body><joint damping="1"/>'
    arm += '<geom pos="0 0 -.3" size=".1"/><body pos=".2 0 0"><geom size=".05"/></body></body>'
    arm += '<body pos="0 .5 0">{1}</body></body>'
    text = scene(arm.format(1, BOX) + STACK + arm.format(3, BOX))
    data = cf.Model.from_mjcf(text).make_data()
    reference = mujoco.MjModel.from_xml_string(text)
    theirs = mujoco.MjData(reference)
    data.qvel[0] = theirs.qvel[0] = 3
    for number in range(120):
        data.step()
        mujoco.mj_step(reference, theirs)
        for name in ("subtree_com", "xipos", "cinert", "tree_asleep"):
            np.testing.assert_allclose(
                np.ravel(getattr(data, name)),
                np.ravel(getattr(theirs, name)),
                rtol=0,
                atol=1e-10,
                err_msg=f"{name} {number}",
            )
    assert 0 < data.ntree_awake < data.model.ntree
