"""Falling asleep."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.cases import Case, load_both, public_cases
from conformance.generate import smooth_model
from cortenforge.compare import mujoco_module
from cortenforge.enums import Enable
from tests.step.sleeping.sleepers import SCENE, assert_same, run, sleepers, started, tree_of
from tests.step.stages import Pair, pair

INTEGRATORS = pytest.mark.parametrize("integrator", ["Euler", "RK4"])


@INTEGRATORS
@pytest.mark.parametrize("policy", ["auto", "never", "allowed", "init"])
def test_trees_fall_asleep_with_mujocos(integrator, policy):
    """At the same step, with the same fields then and afterwards, by every policy."""
    both = sleepers(integrator, policy)
    awake = [both.data.ntree_awake for _ in run(both, 60)]
    assert min(awake) < 4
    free = both.data.tree_awake[tree_of(both.model, "free")]
    assert free == (policy == "never") or integrator == "RK4"


def test_ten_quiet_steps():
    """A tree sleeps at the end of its tenth quiet step, and stays where it was to the last bit."""
    data = sleepers().data
    tree = tree_of(data.model, "free")
    for count in range(1, 10):
        data.step()
        assert data.tree_asleep[tree] == count - 11
    where = data.qpos.copy()
    data.step(30)
    assert data.tree_asleep[tree] == tree
    np.testing.assert_array_equal(data.qpos[:7].view(np.uint64), where[:7].view(np.uint64))
    assert not data.qvel[:6].any()


@pytest.mark.parametrize("factor", [0.999, 1.0, 1.001])
def test_the_tolerance_is_exclusive(factor):
    """dof_length times velocity has to be below it, whichever dof it is."""
    text = SCENE.format(integrator="Euler", policy="auto")
    for dof in (1, 4):
        both = pair(text)
        tolerance = both.model.opt.sleep_tolerance
        for data in (both.data, both.theirs):
            data.qvel[dof] = factor * tolerance / both.model.dof_length[dof]
        both.step()
        assert_same(both, (dof, factor))
        assert (both.data.tree_asleep[0] == -10) == (factor < 1)


#: random models; those with delays are refused beside sleep
DRAWN = [seed for seed in range(7100, 7112) if "nsample" not in smooth_model(seed)]


@pytest.mark.parametrize("seed", DRAWN)
def test_random_models(seed):
    """Slow ones fall asleep in part; 100 steps equal MuJoCo's."""
    both = pair(smooth_model(seed))
    for options in (both.model.opt, both.reference.opt):
        options.enableflags |= int(Enable.SLEEP)
        options.sleep_tolerance = 0.5
        options.gravity[:] *= 0.01
        options.timestep = 1e-3
    both = Pair(
        both.model,
        both.model.make_data(),
        both.reference,
        mujoco_module().MjData(both.reference),
    )
    for number in range(100):
        both.step()
        np.testing.assert_array_equal(both.data.tree_asleep, both.theirs.tree_asleep)
        for name in ("qpos", "qvel", "qacc", "act"):
            ours, theirs = getattr(both.data, name), getattr(both.theirs, name)
            size = max(1.0, np.abs(theirs).max(initial=0))
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-8 * size, err_msg=str(number))


def public() -> list[Case]:
    """Public models with sleep that need nothing else."""
    wanted = ("init", "contact", "equality", "mocap", "smooth", "static", "tendon", "perf/world")
    names = {f"mujoco_tests/engine/sleep/{name}.xml" for name in wanted}
    names |= {f"mujoco/sleep/{name}.xml" for name in ("dominos", "humanoid", "100_humanoids")}
    return [case for case in public_cases(unconstrained=True) if case.name in names]


@pytest.mark.skipif(not public_cases(), reason="no folder of public models")
@pytest.mark.parametrize("case", public(), ids=lambda case: case.name)
def test_public_models(case):
    """100 steps without constraints, all fields at every tenth."""
    model, reference = load_both(case)
    both = Pair(model, model.make_data(), reference, mujoco_module().MjData(reference))
    assert model.supported() == []
    for number in range(100):
        both.step()
        if number % 10 == 9:
            assert_same(both, number)


def test_sleep_is_state():
    """Saved, copied and restored in another Data, trees sleep on and wake as they would have."""
    both = started(sleepers())
    data = both.data
    data.step(15)
    twin, other = data.copy(), data.model.make_data()
    other.set_state(data.get_state())
    assert (data.tree_asleep >= 0).any()
    for one in (data, twin, other):
        one.step(3)
        one.qpos[0] += 0.1
        one.step(3)
    assert data.digest() == twin.digest()
    # rates of sleeping actuators and accelerations stay with a Data, as in MuJoCo
    for name in ("tree_asleep", "qpos", "qvel", "placed_qpos"):
        np.testing.assert_array_equal(getattr(other, name), getattr(data, name), err_msg=name)


def test_a_failed_step_puts_sleep_back():
    """A world that fails is where its step started, its counters, too."""
    data = sleepers().data
    data.step(12)
    before = data.get_state().vector.copy()
    data.qfrc_applied[-1] = np.nan
    with pytest.raises(cf.StepError, match="qacc"):
        data.step()
    data.qfrc_applied[-1] = 0
    np.testing.assert_array_equal(data.get_state().vector, before)
