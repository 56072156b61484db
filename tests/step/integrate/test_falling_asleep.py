"""Falling asleep."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cortenforge as cf
from conformance.cases import Case, load_both, public_cases
from conformance.generate import smooth_model
from cortenforge.compare import mujoco_module
from cortenforge.enums import Disable, Enable, Integrator
from tests.step.sleeping.sleepers import (
    BALL,
    BOX,
    SCENE,
    STACK,
    assert_same,
    run,
    run_touching,
    scene,
    sleepers,
    started,
    tree_of,
)
from tests.step.stages import Pair, pair

INTEGRATORS = pytest.mark.parametrize("integrator", ["Euler", "RK4", "discrete"])


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
DRAWN = [
    (seed, integrator)
    for seed in range(7100, 7112)
    for integrator in ("Euler", "discrete")
    if "nsample" not in smooth_model(seed, integrator)
]


@pytest.mark.parametrize(("seed", "integrator"), DRAWN)
def test_random_models(seed, integrator):
    """Slow ones fall asleep in part; 100 steps equal MuJoCo's."""
    both = pair(smooth_model(seed, integrator))
    for options in (both.model.opt, both.reference.opt):
        # at which MuJoCo's search for accelerations in the metric of a step stops
        options.tolerance = 1e-15
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
@pytest.mark.parametrize("integrator", [None, Integrator.DISCRETE])
@pytest.mark.parametrize("case", public(), ids=lambda case: case.name)
def test_public_models(case, integrator):
    """100 steps without constraints, all fields at every tenth."""
    model, reference = load_both(replace(case, integrator=integrator))
    if integrator is not None:
        model.opt.tolerance = reference.opt.tolerance = 1e-15
    both = Pair(model, model.make_data(), reference, mujoco_module().MjData(reference))
    assert model.supported() == []
    for number in range(100):
        both.step()
        if number % 10 == 9:
            assert_same(both, number)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["Newton", "CG"])
def test_islands_sleep_together(solver, cone):
    """A stack waits for its last box; then its trees lead to each other, and contacts are gone."""
    option = f'solver="{solver}" cone="{cone}" tolerance="1e-14" iterations="300"'
    both = pair(scene(STACK, option=option))
    awake = run_touching(both, 120)
    # the box that stands by itself does not wait for the stack
    assert awake[9] == 2 and awake[-1] == 0
    assert 1 not in awake
    np.testing.assert_array_equal(both.data.tree_asleep, [1, 0, 2])
    assert both.data.ncon == both.data.nefc == 0
    # as in MuJoCo, which leaves what it knew of sleepers: gravity without the floor
    assert both.data.qacc[2] == pytest.approx(-9.81)


def test_solvers_see_those_awake():
    """004-M9: rows and islands are those of the boxes that are awake, and of no others."""
    data = pair(scene(STACK)).data
    far = slice(12, 18)
    assert data.model.body("far").dofadr == far.start
    data.step()
    assert data.nisland == 2 and np.isin(range(*far.indices(18)), data.efc_J_colind).all()
    while data.ntree_awake == 3:
        data.step()
    data.step()
    assert data.ntree_awake == 2 and data.nisland == 1 and data.nefc > 0
    assert not np.isin(range(*far.indices(18)), data.efc_J_colind).any()
    assert data.dof_island[far].tolist() == [-1] * 6


def test_noslip_and_runge_kutta():
    """The first lets trees sleep; stages of the other move them, which wakes them again."""
    assert run_touching(pair(scene(STACK, option='noslip_iterations="3"')), 120)[-1] == 0
    # MuJoCo leaves the energy of the last stage
    text = scene(STACK, option='integrator="RK4"').replace('energy="enable"', "")
    awake = run_touching(pair(text), 120)
    assert min(awake) < 3 and awake[-1] > 0


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast", "discrete"])
def test_implicit_steps(integrator):
    """Trees sleep and wake by them as by Euler's, dampers among them."""
    arm = f'<body pos="0 2 1"><joint damping=".1" axis="0 1 0" pos="0 0 .2"/>{BOX}</body>'
    both = pair(scene(STACK + arm + BALL, option=f'integrator="{integrator}"'))

    def throw(number, data):
        if number == 60:
            data.qvel[-6:-3] = 4, 0, 0

    awake = run_touching(both, 260, throw)
    assert min(awake[:60]) < 3 and max(awake[60:]) > min(awake[60:])


def test_without_islands_nobody_sleeps():
    """Constraints that are not told apart keep all trees awake; without any, each sleeps."""
    both = pair(scene(STACK, flags='island="disable"'))
    for _ in range(60):
        both.step()
        np.testing.assert_array_equal(both.data.tree_asleep, both.theirs.tree_asleep)
    np.testing.assert_array_equal(both.data.tree_asleep, [-11, -11, -11])
    for options in (both.model.opt, both.reference.opt):
        options.disableflags |= int(Disable.CONTACT)
        options.gravity[:] = 0
    for data in (both.data, both.theirs):
        data.qvel[:] = 0
    for _ in range(12):
        both.step()
        np.testing.assert_array_equal(both.data.tree_asleep, both.theirs.tree_asleep)
    np.testing.assert_array_equal(both.data.tree_asleep, [0, 1, 2])


def test_friction_and_limits_let_trees_sleep():
    """Rows of one tree are an island of one tree."""
    joint = '<joint name="{}" type="slide" axis="1 0 0" frictionloss="{}" range="-2 .01"/>'
    bodies = "".join(
        f'<body pos="0 {k} 1">{joint.format(f"j{k}", 30 * k)}{BOX}</body>' for k in range(1, 4)
    )
    option = 'gravity="0 0 0"'
    both = pair(
        scene(bodies, option=option).replace("<option", '<compiler autolimits="true"/><option')
    )

    def push(number, data):
        data.qvel[number % 3] += 0.3 * (number in (0, 40, 80))

    awake = run_touching(both, 160, push)
    assert min(awake) == 0 and awake[-1] < 3


def started_asleep(policies: str) -> str:
    """A stack of two and two boxes apart from it, with policies."""
    places = ("0 0 .0999", "0 0 .2998", "1 0 .0999", "3 0 .0999")
    body = '<body name="b{}" pos="{}" sleep="{}"><freejoint/>' + BOX + "</body>"
    named = zip(range(4), places, policies.split(), strict=True)
    return scene("".join(body.format(*row) for row in named) + BALL)


def test_islands_that_sleep_from_the_start():
    """They lie as they were put, are one island each, and wake together."""
    both = pair(started_asleep("init init init auto"))
    np.testing.assert_array_equal(both.data.tree_asleep, [1, 0, 2, -10, -10])
    np.testing.assert_array_equal(both.data.tree_asleep, both.theirs.tree_asleep)

    def throw(number, data):
        if number == 20:
            data.qvel[24:27] = 3, 0, 0

    awake = run_touching(both, 300, throw)
    assert awake[15] == 1 and max(awake[20:]) == 3


def test_trees_that_cannot_sleep_from_the_start():
    """What rests on a tree that is awake starts awake, and a warning names the first."""
    text = started_asleep("init auto init auto")
    with pytest.warns(cf.StepWarning, match="2 trees are marked.* 1 of them .*body b0"):
        both = pair(text)
    np.testing.assert_array_equal(both.data.tree_asleep, [-11, -10, 2, -10, -10])
    with pytest.warns(cf.StepWarning, match="cannot sleep"):
        both.data.reset()
    run_touching(both, 80)


#: public models with constraints, and for how many steps they are no chaos and do not land hard,
#: where solvers stop at their tolerance, with or without sleep
CONSTRAINED = {
    "mujoco/sleep/100_humanoids.xml": 30,
    "mujoco/sleep/dominos.xml": 300,
    "mujoco/sleep/humanoid.xml": 300,
    "mujoco_tests/engine/sleep/contact.xml": 700,
    "mujoco_tests/engine/sleep/equality.xml": 100,
    "mujoco_tests/engine/sleep/init.xml": 800,
    "mujoco_tests/engine/sleep/mocap.xml": 200,
    "mujoco_tests/engine/sleep/scene.xml": 200,
    "mujoco_tests/engine/sleep/sensor.xml": 800,
    "mujoco_tests/engine/sleep/static.xml": 100,
    "mujoco_tests/engine/sleep/tendon.xml": 300,
}


@pytest.mark.skipif(not public_cases(), reason="no folder of public models")
@pytest.mark.parametrize(
    "case", [c for c in public_cases() if c.name in CONSTRAINED], ids=lambda case: case.name
)
def test_public_models_with_constraints(case):
    """Trees fall asleep and wake at MuJoCo's steps, and are where MuJoCo has them."""
    model, reference = load_both(case)
    both = Pair(model, model.make_data(), reference, mujoco_module().MjData(reference))
    if case.name.endswith("humanoid.xml") or case.name.endswith("100_humanoids.xml"):

        def push(number, data):
            if number == 5:
                data.qvel[:3] = 2, 0, 3
    else:
        push = None
    awake = run_touching(both, CONSTRAINED[case.name], push, tolerance=1e-8)
    assert len(set(awake)) > 1 or case.name.endswith(("scene.xml", "static.xml", "mocap.xml"))


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
