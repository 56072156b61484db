"""What wakes trees."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.enums import Enable
from tests.step.sleeping.sleepers import (
    BALL,
    BOX,
    STACK,
    asleep,
    everywhere,
    run,
    run_touching,
    scene,
    sleepers,
    tree_of,
)
from tests.step.stages import pair

FREE, ARM, HELD = "free", "arm", "held"


def put(name, index, value):
    """A change of one number of a field."""

    def change(data):
        getattr(data, name)[index] = value

    return change


#: what a user does, and which trees wake of it
TOUCHES = {
    "velocity": (put("qvel", 3, 1e-9), {FREE}),
    "minus zero": (put("qvel", 3, -0.0), {FREE}),
    "zero": (put("qvel", 3, 0.0), set()),
    "force": (put("qfrc_applied", 7, 1e-12), {ARM}),
    "push": (put("xfrc_applied", (3, 4), 1e-12), {ARM}),
    "position": (put("qpos", 0, 0.3), {FREE}),
    "rotation": (put("qpos", slice(3, 7), [0, 1, 0, 0]), {FREE}),
    "mocap": (put("mocap_pos", (0, 2), 0.1), {HELD}),
    "mocap turn": (put("mocap_quat", 0, [0, 0, 1, 0]), {HELD}),
    "control": (put("ctrl", slice(0, 2), 1.0), set()),
    "equality": (put("eq_active", 0, 1), {FREE}),
    # limits of tendons are constraints: without them, nothing wakes
    "tendon": (put("qpos", -2, 0.3), set()),
}


@pytest.mark.parametrize("name", TOUCHES)
def test_each_reason(name):
    """The tree that is touched wakes, at the same step as MuJoCo's, and sleeps again later."""
    change, woken = TOUCHES[name]
    both = asleep(sleepers())
    before = both.data.tree_asleep.copy()
    assert all(before[tree_of(both.model, body)] >= 0 for body in (FREE, ARM, HELD))
    everywhere(both, change)
    for number in run(both, 30):
        if number == 0:
            up = {b for b in (FREE, ARM, HELD) if both.data.tree_awake[tree_of(both.model, b)]}
            assert up == woken


@pytest.mark.parametrize("name", ["velocity", "position", "force"])
def test_with_runge_kutta(name):
    """Stages of Runge-Kutta move trees: what sleeps is what is at rest."""
    both = sleepers("RK4")
    for _ in run(both, 40):
        pass
    everywhere(both, TOUCHES[name][0])
    for _ in run(both, 30):
        pass


def test_forward_wakes_too():
    """Without a step, as in MuJoCo."""
    both = asleep(sleepers())
    everywhere(both, put("qvel", 0, 0.1))
    both.forward()
    np.testing.assert_array_equal(both.data.tree_asleep, both.theirs.tree_asleep)
    assert both.data.tree_awake[0] == 1


def test_without_the_flag_everyone_is_awake():
    """Switched off, all trees wake; switched on again, they count from the start."""
    both = asleep(sleepers())
    for wanted in (0, int(Enable.SLEEP)):
        for options in (both.model.opt, both.reference.opt):
            options.enableflags = options.enableflags & ~int(Enable.SLEEP) | wanted
        for number in run(both, 12):
            if not wanted:
                assert (both.data.tree_asleep < 0).all(), number


def at(step, name, index, value):
    """A change of one number before a step."""

    def change(number, data):
        if number == step:
            getattr(data, name)[index] = value

    return change


@pytest.mark.parametrize(
    ("name", "index", "value"),
    [("qvel", 8, 0.3), ("qpos", 7, 0.02), ("xfrc_applied", (1, 2), 100), ("qfrc_applied", 8, 50)],
)
def test_users_wake_whole_islands(name, index, value):
    """A box of a stack that is moved or pushed wakes the other one, and no box that is apart."""
    awake = run_touching(pair(scene(STACK)), 150, at(80, name, index, value))
    assert awake[79] == 0 and awake[80] == 2


def test_contacts_wake():
    """A ball wakes the stack that it hits, in the same step and with all of its contacts."""
    both = pair(scene(STACK + BALL))
    awake = run_touching(both, 330, at(60, "qvel", slice(18, 21), [3, 0, 0]))
    assert min(awake[60:200]) == 1 and max(awake[60:]) == 3
    assert 0 < both.data.tree_awake.sum() < 4


def test_mocap_bodies_wake_what_they_touch():
    """Mocap bodies are awake, however long they have not moved."""
    hand = '<body mocap="true" pos="0 0 1"><geom size=".1"/></body>'

    def lower(number, data):
        data.mocap_pos[0, 2] = 1 - 0.01 * max(0, number - 60)

    both = pair(scene(STACK + hand))
    awake = run_touching(both, 130, lower)
    assert awake[60] == 0 and awake[-1] == 2


def test_equalities_wake_and_hold():
    """Boxes that fell asleep apart wake when they are tied, and sleep again as one island."""
    rest = """<equality><connect body1="low" body2="far" anchor=".5 0 0" active="false"/>
    <weld body1="high" body2="far" active="false"/></equality>"""
    bodies = STACK.replace("0 0 .2998", "2 0 .0999")

    def tie(number, data):
        at(40, "eq_active", 0, 1)(number, data)
        at(120, "eq_active", 1, 1)(number, data)

    both = pair(scene(bodies, rest))
    awake = run_touching(both, 220, tie)
    assert (awake[39], awake[40], awake[119], awake[120]) == (0, 2, 0, 3)
    assert awake[-1] == 0
    np.testing.assert_array_equal(both.data.tree_asleep, [1, 2, 0])


@pytest.mark.parametrize("flag", ["enable", "disable"])
def test_tendons_wake_at_their_limits(flag):
    """A tree that pulls a tendon tight wakes the one at its other end; a switch prevents it."""
    joint = (
        '<body pos="0 {0} 1"><joint name="{0}" type="slide" axis="1 0 0" damping="{1}"/>{2}</body>'
    )
    bodies = joint.format(1, 0.1, BOX) + joint.format(2, 0, BOX)
    rest = """<tendon><fixed limited="true" range="-1 .1"><joint joint="1" coef="1"/>
    <joint joint="2" coef="-1"/></fixed></tendon>"""
    both = pair(scene(bodies, rest, flags=f'limit="{flag}"'))
    awake = run_touching(both, 200, at(40, "qvel", 0, 0.8))
    assert awake[39] == 0 and awake[41] == 1
    assert awake[-1] == (2 if flag == "enable" else 1)


CHAIN = """<mujoco><option gravity="0 0 0"><flag sleep="enable" constraint="disable"/></option>
<worldbody>{bodies}</worldbody><tendon>{tendons}</tendon><equality>{equalities}</equality></mujoco>"""


def chain(count, between):
    """Trees in a row, and something between neighbours."""
    bodies = "".join(
        f'<body name="b{i}" pos="{i} 0 0"><joint name="j{i}" type="slide"/><geom size=".1"/></body>'
        for i in range(count)
    )
    text = "".join(between.format(a=i, b=i + 1) for i in range(count - 1))
    return pair(CHAIN.format(bodies=bodies, tendons="", equalities=text))


JOINT = '<joint joint1="j{a}" joint2="j{b}" active="false"/>'
WELD = '<weld body1="b{a}" body2="b{b}" active="false"/>'


@pytest.mark.parametrize("kind", [JOINT, WELD])
def test_a_row_of_equalities(kind):
    """Trees that fell asleep apart wake when an equality joins them, and by each other."""
    both = chain(4, kind)
    for _ in range(14):
        both.step()
    assert (both.data.tree_asleep >= 0).all()
    everywhere(both, put("eq_active", 1, 1))
    for number in range(40):
        if number == 15:
            everywhere(both, put("eq_active", slice(0, 3), 1))
            everywhere(both, put("qvel", 0, 0.05))
        both.step()
        np.testing.assert_array_equal(both.data.tree_asleep, both.theirs.tree_asleep)


def test_equalities_of_tendons_are_refused():
    """MuJoCo fails on them where trees may sleep."""
    tendons = '<fixed name="t"><joint joint="j0" coef="1"/></fixed>'
    text = CHAIN.format(
        bodies='<body><joint name="j0"/><geom size=".1"/></body>',
        tendons=tendons,
        equalities='<tendon name="e" tendon1="t"/>',
    )
    import cortenforge as cf

    model = cf.Model.from_mjcf(text)
    assert any("tendon equalities with sleep (e)" in text for text in model.supported())
    model.opt.enableflags = 0
    assert model.supported() == []
