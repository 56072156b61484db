"""What sleeping trees read."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import mujoco_module
from cortenforge.fields import DATA_FIELDS, bindable
from tests.step.sleeping.sleepers import (
    BALL,
    BOX,
    SCENE,
    STACK,
    asleep,
    everywhere,
    run,
    run_touching,
    scene,
    sleepers,
)
from tests.step.stages import pair

DERIVED = tuple(
    f.name
    for f in bindable(DATA_FIELDS)
    if f.group != "status" and f.name not in ("subtree_linvel", "subtree_angmom")
)


def test_controls_do_nothing():
    """A sleeping actuator makes no force, and its sensors read what they did."""
    both = asleep(sleepers())
    reading = both.data.sensordata.copy()

    def drive(data):
        data.ctrl[:] = 3

    everywhere(both, drive)
    for _ in run(both, 20):
        pass
    assert not both.data.actuator_force.any()
    changed = np.flatnonzero(both.data.sensordata != reading)
    # the clock, and what is read against the tree that moves on
    assert 0 < changed.size < reading.size / 2


def test_asleep_from_the_start():
    """Readings of the first position, and no acceleration, although gravity pulls."""
    text = SCENE.format(integrator="Euler", policy="init").replace("0 0 0", "0 0 -9.81", 1)
    both = pair(text)
    for _ in run(both, 30):
        pass
    assert not both.data.qacc[:6].any() and both.data.tree_asleep[0] == 0


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "discrete"])
@pytest.mark.parametrize("policy", ["auto", "init"])
def test_lanes_have_the_bits_of_single_worlds(integrator, policy):
    """Worlds that fall asleep and wake at steps of their own, and share lanes with others."""
    model = cf.Model.from_mjcf(SCENE.format(integrator=integrator, policy=policy))
    batch = cf.BatchSim(model, 12, threads=1)
    batch.bind(*DERIVED)
    worlds = [model.make_data() for _ in range(12)]
    for i, data in enumerate(worlds):
        # quiet from the start, later, or never
        speed = 2e-4 * (1 + i % 8) ** 1.5
        batch.qvel[i, :] = speed
        data.qvel[:] = speed
        batch.ctrl[i, :] = data.ctrl[:] = 0.1 * i
    slept = 0
    for call in range(4):
        if call == 2:
            batch.qfrc_applied[3, 0] = worlds[3].qfrc_applied[0] = 1e-3
            batch.qpos[5, 0] = worlds[5].qpos[0] = 0.25
        assert batch.step_all(12) == [None] * 12
        for i, data in enumerate(worlds):
            data.step(12)
            data.interaction_forces()
            slept += int((data.tree_asleep >= 0).sum())
            for name in (*DERIVED, "qpos", "qvel", "act", "tree_asleep", "placed_qpos"):
                ours, lane = np.ascontiguousarray(getattr(data, name)), getattr(batch, name)[i]
                assert ours.tobytes() == np.ascontiguousarray(lane).tobytes(), (name, i, call)
    assert 0 < slept < 4 * 12 * model.ntree


def test_contact_sensors_of_sleepers():
    """They read what they did; those of places read what is there now."""
    rest = """<sensor><touch site="s"/><accelerometer site="s"/>
    <contact body1="low" body2="high" data="found"/><contact site="s" data="found"/>
    <framepos objtype="body" objname="high"/><velocimeter site="s"/></sensor>"""
    both = pair(scene(STACK + BALL, rest, option='cone="elliptic" tolerance="1e-14"'))

    def throw(number, data):
        if number == 60:
            data.qvel[18:21] = 3, 0, 0

    # accelerations are differences of large forces
    awake = run_touching(both, 200, tolerance=1e-8)
    assert awake[59] == 1
    touch, found, in_site = both.data.sensordata[[0, 4, 5]]
    assert touch > 100 and found > 0 and in_site == 0
    run_touching(both, 150, lambda number, data: throw(number + 60, data), tolerance=1e-8)


def piled(integrator="Euler"):
    """A stack, a ball, a hinge on a fixed body, and things that are never left out."""
    rest = """<tendon><fixed name="t" limited="true" range="-1 .5"><joint joint="h" coef="1"/>
    <joint joint="k" coef="1"/></fixed></tendon><sensor><touch site="s"/><clock/></sensor>"""
    more = f"""<body pos="3 0 1"><geom size=".1"/><body pos=".3 0 0">
      <joint name="h" axis="0 1 0" damping=".1" stiffness="1"/>{BOX}</body></body>
    <body pos="3 2 1"><joint name="k" axis="0 0 1" frictionloss=".1"/>{BOX}</body>
    <body mocap="true" pos="0 5 1"><geom size=".1"/>
      <body><joint type="slide"/>{BOX}</body></body>"""
    return scene(STACK + more + BALL, rest, option=f'integrator="{integrator}"')


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "discrete"])
def test_lanes_that_touch_have_the_bits_of_single_worlds(integrator):
    """Islands that fall asleep and wake by contact in some lanes, and not in others."""
    model = cf.Model.from_mjcf(piled(integrator))
    batch = cf.BatchSim(model, 12, threads=1)
    batch.bind(*DERIVED)
    worlds = [model.make_data() for _ in range(12)]
    slept, woken = 0, 0
    for call in range(6):
        for i, data in enumerate(worlds):
            if call == 2 and i % 3 == 0:
                data.qvel[-6:-3] = batch.qvel[i, -6:-3] = 1 + i, 0, 0
            if call == 3 and i % 4 == 1:
                data.xfrc_applied[2, 2] = batch.xfrc_applied[i, 2, 2] = 30.0
        assert batch.step_all(30) == [None] * 12
        for i, data in enumerate(worlds):
            before = data.tree_asleep >= 0
            data.step(30)
            data.interaction_forces()
            slept += int((data.tree_asleep >= 0).sum())
            woken += int((before & (data.tree_asleep < 0)).sum())
            for name in (*DERIVED, "qpos", "qvel", "qacc_warmstart", "tree_asleep", "resting_qfrc"):
                ours, lane = np.ascontiguousarray(getattr(data, name)), getattr(batch, name)[i]
                assert ours.tobytes() == np.ascontiguousarray(lane).tobytes(), (name, i, call)
    # stages of Runge-Kutta wake trees before a call ends
    assert slept > 0 and (woken > 0 or integrator == "RK4")


def test_islands_are_state():
    """Restored while they sleep, worlds go on to the same bits, also when they are hit."""
    data = pair(piled()).data
    data.step(90)
    other = data.model.make_data()
    other.step(7)
    other.set_state(data.get_state())
    assert (data.tree_asleep >= 0).sum() >= 3
    for steps in (20, 150):
        for one in (data, other):
            one.step(steps)
        for name in (*DERIVED, "qpos", "qvel", "qacc_warmstart", "tree_asleep"):
            assert getattr(data, name).tobytes() == getattr(other, name).tobytes(), name
        for one in (data, other):
            one.qvel[-6:-3] = 4, 0, 0
    assert data.tree_asleep[0] < 0


def test_a_restored_state_has_the_same_future():
    """What sleepers read belongs to the state, not to the Data in which they fell asleep."""
    data = asleep(sleepers()).data
    other = data.model.make_data()
    other.set_state(data.get_state())
    for one in (data, other):
        one.ctrl[:] = 3
        one.step(3)
    for name in (*DERIVED, "qpos", "act", "qacc_warmstart"):
        assert getattr(data, name).tobytes() == getattr(other, name).tobytes(), name


TENDONS = """<mujoco><option gravity="0 0 0"><flag sleep="enable"/></option>
<worldbody><site name="w" pos="0 0 1"/><light mode="trackcom" pos="0 0 2"/>
  <camera mode="trackcom"/><camera mode="targetbodycom" target="world" pos="1 2 3"/>
  <light mode="targetbodycom" target="world" pos="2 1 3"/>
  <body name="a" sleep="init" pos="1 0 0"><joint name="a" type="slide" ref="-.3" armature=".1"/>
    <geom size=".1" contype="0"/><site name="s" pos="0 .3 0"/></body>
  <body name="b" pos="3 0 0"><freejoint/><geom size=".1" contype="0"/><site name="t"/></body>
</worldbody>
<tendon><fixed name="f" stiffness="3" springlength=".2"><joint joint="a" coef="2"/></fixed>
  <spatial name="g" armature=".2"><site site="w"/><site site="s"/></spatial>
  <spatial name="h"><site site="w"/><site site="t"/></spatial></tendon>
<actuator><motor name="m" tendon="f"/></actuator>
<sensor><tendonpos tendon="f"/><actuatorpos actuator="m"/></sensor></mujoco>"""


def test_tendons_and_views_of_sleepers():
    """Sleeping tendons have no length; on the ground, cameras and lights do not follow."""
    both = pair(TENDONS)

    def move(data):
        data.qpos[1], data.qvel[2] = 5, 0.5

    def by_halves():
        both.data.step1()
        both.data.step2()
        mujoco_module().mj_step1(both.reference, both.theirs)
        mujoco_module().mj_step2(both.reference, both.theirs)

    names = ("ten_length", "ten_J", "ten_velocity", "qfrc_passive", "M", "actuator_length")
    views = ("cam_xpos", "cam_xmat", "light_xpos", "light_xdir", "sensordata", "tree_asleep")
    for change in (lambda data: None, move, lambda data: data.qpos.__setitem__(0, 0.7)):
        everywhere(both, change)
        for advance in (both.forward, both.step, by_halves):
            advance()
            for name in (*names, *views):
                ours, theirs = (np.ravel(getattr(one, name)) for one in (both.data, both.theirs))
                np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12, err_msg=name)
        asleep_now = both.data.tree_asleep[0] >= 0
        assert asleep_now == (both.data.ten_length[0] == 0)
    assert not asleep_now
