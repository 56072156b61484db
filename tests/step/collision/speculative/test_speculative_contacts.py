"""Contacts that fast geoms would have within a step, against MuJoCo and against what is known."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.speculative import KINDS, ROUND, compare_pair
from conformance.speculative import TARGETS as TARGETS_THROWN
from cortenforge.compare import load_reference, mujoco_module
from tests.step.collision.test_stage import ENGINE, assert_same, lanes_of

SHAPES = {
    "sphere": 'size=".05"',
    "capsule": 'type="capsule" size=".05 .1" euler="0 60 10"',
    "lying capsule": 'type="capsule" size=".05 .1" euler="0 90 0"',
    "cylinder": 'type="cylinder" size=".05 .1" euler="10 20 0"',
    "ellipsoid": 'type="ellipsoid" size=".05 .1 .07" euler="10 20 0"',
    "box": 'type="box" size=".05 .05 .05"',
    "tilted box": 'type="box" size=".05 .06 .07" euler="20 30 10"',
}
TARGETS = {"plane": 'type="plane" size="5 5 1"', "sheet": 'type="box" size="5 5 .001"'}


def scene(target, shape, more="", option="", flag=""):
    """A shape one metre above something; steps of 2 ms."""
    return (
        f'<mujoco><option timestep=".002" {option}><flag speculative="enable" {flag}/></option>'
        f"<worldbody><geom {target}/>{more}"
        f'<body pos="0 0 1"><freejoint/><geom {shape}/></body></worldbody></mujoco>'
    )


def fallen(text, velocity, spin=(0, 0, 0)):
    """Contacts in both engines."""
    mujoco, reference = mujoco_module(), load_reference(text)
    theirs, data = mujoco.MjData(reference), cf.Model.from_mjcf(text).make_data()
    for side in (data, theirs):
        side.qvel[:3], side.qvel[3:6] = velocity, spin
    mujoco.mj_forward(reference, theirs)
    data.collide()
    return data.contact, theirs.contact


def assert_equal(ours, theirs):
    """The same number of contacts, as hard and along the same normal."""
    assert len(ours) == len(theirs) > 0
    np.testing.assert_array_equal(ours.geom, theirs.geom)
    np.testing.assert_array_equal(ours.exclude, theirs.exclude)
    size = np.abs(theirs.dist).max()
    np.testing.assert_allclose(ours.dist, theirs.dist, atol=1e-9 * max(1.0, size))
    np.testing.assert_allclose(ours.frame, theirs.frame, atol=1e-9)


@pytest.mark.oracle
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("target", TARGETS)
def test_falling_geoms(shape, target):
    """10: what falls a metre in a step: the time of impact, normals and effective distances."""
    ours, theirs = fallen(scene(TARGETS[target], SHAPES[shape]), (30, 10, -500))
    assert_equal(ours, theirs)
    if shape != "cylinder":  # which four of a cap's sixteen corners, rounding decides
        np.testing.assert_allclose(ours.pos, theirs.pos, atol=1e-9)
    ours, theirs = fallen(scene(TARGETS[target], SHAPES[shape]), (30, 10, -500), (20, 30, 0))
    assert_equal(ours, theirs)
    if shape != "cylinder":
        # to MuJoCo's ccd_tolerance
        np.testing.assert_allclose(ours.pos, theirs.pos, atol=1e-5)


@pytest.mark.oracle
@pytest.mark.parametrize("second", KINDS)
@pytest.mark.parametrize("first", TARGETS_THROWN)
def test_geoms_that_fly_and_turn(first, second):
    """10: numbers, effective distances, normals and places of contacts are MuJoCo's."""
    found = compare_pair(first, second, 40)
    rounded = not ROUND.isdisjoint((first, second))
    assert found.counted == found.throws
    assert max(found.dist) < (1e-5 if rounded else 1e-9)
    assert max(found.normal) < (1e-4 if rounded else 1e-9)
    # of a cap's sixteen corners, rounding decides which four
    if "cylinder" not in (first, second):
        assert max(found.pos) < (1e-5 if rounded else 1e-9)


@pytest.mark.oracle
@pytest.mark.parametrize("speed", [464.9, 469.9, 475.1])
def test_what_does_not_come_to_the_margin(speed):
    """10: a capsule that would be a millimetre short of the plane at the end of the step."""
    text = scene(TARGETS["plane"], SHAPES["lying capsule"])
    ours, theirs = fallen(text, (0, 0, -speed))
    assert len(ours) == len(theirs) == (2 if speed > 475 else 0)


@pytest.mark.oracle
@pytest.mark.parametrize("aside", [0.0, 0.099, 0.101, 0.12])
def test_balls_that_pass_each_other(aside):
    """10: beside each other there is no contact, however near."""
    text = scene('type="plane" size="1 1 1" pos="0 0 -9"', 'size=".05"', '<geom size=".05"/>')
    text = text.replace('pos="0 0 1"', f'pos="{aside} 0 1"')
    ours, theirs = fallen(text, (0, 0, -600))
    assert len(ours) == len(theirs) == (1 if aside < 0.1 else 0)


PARAMETERS = (
    ('solref=".05 .7"', "", ""), ('solref="-1000 -50"', "", ""), ('solref=".001 1"', "", ""),
    ('solref="0 -499" solimp=".9 .95 .02"', "", ""), ('margin=".1" gap=".2"', "", ""),
    ('solref=".001 1"', "", 'refsafe="disable"'), ("", 'integrator="discrete"', ""),
    ("", 'o_margin=".1"', 'override="enable"'),
)  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize(("traits", "option", "flag"), PARAMETERS)
def test_effective_distances(traits, option, flag):
    """10: spring and damper of the contact, whatever they are, arrest what they have to."""
    text = scene(f"{TARGETS['plane']} {traits}", f'size=".05" {traits}', "", option, flag)
    assert_equal(*fallen(text, (0, 0, -500)))


def test_a_bullet_and_a_sheet():
    """10: at 98% of the way to the surface; without the flag it would pass unseen."""
    text = scene(TARGETS["sheet"], 'size=".05"')
    model = cf.Model.from_mjcf(text)
    data = model.make_data()
    data.qvel[2] = -1000.0
    data.collide()
    (contact,) = data.contact
    time = 0.98 * (1.0 - 0.05 - 0.001) / 2.0
    # a spring of 1 / timeconst**2 and a damper of 2 / timeconst
    assert contact.dist == pytest.approx(-(1 - time - 0.2) / 0.01 * 2.0)
    assert contact.exclude == 0 and contact.frame[:3] == pytest.approx([0, 0, -1])
    assert contact.pos == pytest.approx([0, 0, 0.95])
    model.opt.enableflags = 0
    data.collide()
    assert data.ncon == 0


@pytest.mark.parametrize("speed", [20.0, 24.9, 400.0])
def test_what_is_slow_or_far_has_no_contact(speed):
    """Less than its own radius in a step, or not as far as the plane."""
    data = cf.Model.from_mjcf(scene(TARGETS["plane"], 'size=".05"')).make_data()
    data.qpos[2] = 1.0 if speed > 100 else 0.0505
    data.qvel[2] = -speed
    data.collide()
    assert data.ncon == 0


@pytest.mark.oracle
def test_nothing_behind_another_thing():
    """10: the floor below a table is out of sight, as in MuJoCo."""
    table = '<geom type="box" size="1 1 .001" pos="0 0 .5"/>'
    ours, theirs = fallen(scene(TARGETS["plane"], 'size=".05"', table), (0, 0, -600))
    assert_equal(ours, theirs)
    assert ours.geom.tolist() == [[2, 1]]


@pytest.mark.oracle
def test_two_that_fly_towards_each_other():
    """10: the contact is nearer to the slower one."""
    text = """<mujoco><option timestep=".002" gravity="0 0 0"><flag speculative="enable"/></option>
    <worldbody><body><freejoint/><geom size=".05"/></body>
    <body pos="1 0 0"><freejoint/><geom size=".03"/></body></worldbody></mujoco>"""
    mujoco, reference = mujoco_module(), load_reference(text)
    theirs, data = mujoco.MjData(reference), cf.Model.from_mjcf(text).make_data()
    for side in (data, theirs):
        side.qvel[:2], side.qvel[6] = (200, 10), -300
    mujoco.mj_forward(reference, theirs)
    data.collide()
    assert_equal(data.contact, theirs.contact)
    np.testing.assert_allclose(data.contact.pos, theirs.contact.pos, atol=1e-9)


def test_lanes_have_the_contacts_of_single_worlds():
    """10: bit by bit, some of them fast."""
    model = cf.Model.from_mjcf(scene(TARGETS["plane"], SHAPES["tilted box"]))
    batch = cf.BatchSim(model, 8, threads=1, engine=ENGINE)
    rng = np.random.default_rng(1)
    batch.qvel[:] = rng.normal(size=(8, 6)) * (20, 20, 10, 20, 20, 20)
    batch.qvel[::2, 2] -= 500
    model._store.assign("missing", 0)
    batch.step_all(1)
    counts = []
    for i, own in enumerate(lanes_of(batch)):
        data = batch.env(i)
        data.collide()
        assert_same(own, data, i)
        counts.append(data.ncon)
    assert counts == [4, 0, 4, 0, 4, 0, 4, 0]
