"""What sleeping trees read."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.fields import DATA_FIELDS, bindable
from tests.step.sleeping.sleepers import SCENE, asleep, everywhere, run, sleepers
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


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
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
            slept += int((data.tree_asleep >= 0).sum())
            for name in (*DERIVED, "qpos", "qvel", "act", "tree_asleep", "placed_qpos"):
                ours, lane = np.ascontiguousarray(getattr(data, name)), getattr(batch, name)[i]
                assert ours.tobytes() == np.ascontiguousarray(lane).tobytes(), (name, i, call)
    assert 0 < slept < 4 * 12 * model.ntree


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

    names = ("ten_length", "ten_J", "ten_velocity", "qfrc_passive", "M", "actuator_length")
    views = ("cam_xpos", "cam_xmat", "light_xpos", "light_xdir", "sensordata", "tree_asleep")
    for change in (lambda data: None, move, lambda data: data.qpos.__setitem__(0, 0.7)):
        everywhere(both, change)
        for advance in (both.forward, both.step):
            advance()
            for name in (*names, *views):
                ours, theirs = (np.ravel(getattr(one, name)) for one in (both.data, both.theirs))
                np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12, err_msg=name)
        asleep_now = both.data.tree_asleep[0] >= 0
        assert asleep_now == (both.data.ten_length[0] == 0)
    assert not asleep_now
