"""The user's filter of contacts, as a function and as a kernel; sleeping trees."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.collision import crowd
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.kernel import kernel
from tests.step.collision.test_stage import ENGINE, assert_same, lanes_of, scattered

#: with more candidates than are run down one by one
CROWD = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
  <replicate count="80" offset="0 0 .02"><body><freejoint/><geom size=".1"/></body></replicate>
</worldbody><contact><pair geom1="first" geom2="second"/></contact></mujoco>""".replace(
    "<replicate",
    '<body pos="3 0 0"><freejoint/><geom name="first" size=".1"/></body>'
    '<body pos="3 0 0"><freejoint/><geom name="second" size=".1"/></body><replicate',
)


@kernel(lanes=True)
def high(m, d, g1: int, g2: int):
    """Pairs whose second geom is higher than the ground by some."""
    return d.geom_xpos[g2, 2] + 0.01 * g1 > 0.3


@kernel
def branching(m, d, g1: int, g2: int):
    """Not lane-safe: control flow depends on data."""
    if d.geom_xpos[g2, 2] > 0.3:
        return True
    return g1 == 3


def high_ones(model, data, one, other):
    """The same for all pairs at once."""
    return data.geom_xpos[other, 2] + 0.01 * one > 0.3


def found(data):
    """Both geoms of every contact."""
    data.collide()
    return data.contact.geom.tolist()


@pytest.mark.parametrize("source", [crowd(1), CROWD], ids=["listed", "swept"])
def test_pairs_that_must_not_touch(source):
    """10: a function gets all near pairs at once, a kernel each; other contacts stay as they were.

    Pairs of the description pass all filters, as in MuJoCo.
    """
    model = cf.Model.from_mjcf(source)
    data = model.make_data()
    before = found(data)
    pairs = np.stack((model.pair_geom1, model.pair_geom2), axis=1).tolist()
    listed = {frozenset(two) for two in pairs}
    out = high_ones(model, data, *np.array(before).T)
    left = [
        two for two, gone in zip(before, out, strict=True) if not gone or frozenset(two) in listed
    ]
    assert 0 < len(left) < len(before)
    calls = []

    def filtering(model, data, one, other):
        calls.append(len(one))
        return high_ones(model, data, one, other)

    model.callbacks.contactfilter = filtering
    assert found(data) == left
    assert len(calls) == 1 and calls[0] >= len({tuple(g) for g in before}) - len(listed)
    model.callbacks.contactfilter = high
    assert found(data) == left
    model.callbacks.contactfilter = None
    assert found(data) == before


@pytest.mark.oracle
def test_contacts_are_mujocos():
    """10: where mjcb_contactfilter says the same, contacts are the same."""
    mujoco = mujoco_module()
    model, reference = cf.Model.from_mjcf(crowd(2)), load_reference(crowd(2))
    theirs = mujoco.MjData(reference)
    mujoco.set_mjcb_contactfilter(
        lambda m, d, one, other: (
            int((one + other) % 3 == 0)
            or not (
                m.geom_contype[one] & m.geom_conaffinity[other]
                or m.geom_contype[other] & m.geom_conaffinity[one]
            )
        )
    )
    try:
        mujoco.mj_kinematics(reference, theirs)
        mujoco.mj_collision(reference, theirs)
    finally:
        mujoco.set_mjcb_contactfilter(None)
    model.callbacks.contactfilter = lambda m, d, one, other: (one + other) % 3 == 0
    assert found(model.make_data()) == theirs.contact.geom.tolist() != []


def test_lanes_have_the_contacts_of_single_worlds():
    """10: a kernel chooses for eight worlds at once, for each by itself."""
    for source in (crowd(3), CROWD):
        model = cf.Model.from_mjcf(source)
        model.callbacks.contactfilter = high
        batch = cf.BatchSim(model, 8, threads=1, engine=ENGINE)
        scattered(model, batch, 3)
        model._store.assign("missing", 0)
        assert batch.step_all(1) == [None] * 8
        total = 0
        for i, own in enumerate(lanes_of(batch)):
            data = batch.env(i)
            data.collide()
            assert_same(own, data, i)
            total += data.ncon
        assert total > 20


def test_a_kernel_that_is_not_lane_safe():
    """It runs for one world."""
    model = cf.Model.from_mjcf(crowd(1))
    before = found(model.make_data())
    model.callbacks.contactfilter = branching
    assert not model.callbacks.in_lanes
    assert 0 < len(found(model.make_data())) < len(before)


@pytest.mark.parametrize("wrong", [None, True, np.zeros(3, bool), 0.5, "no"])
def test_what_is_no_mask_is_refused(wrong):
    """10: an error that names the callback; the state is as it was, and the world goes on."""
    model = cf.Model.from_mjcf(crowd(1))
    data = model.make_data()
    before = data.get_state()
    model.callbacks.contactfilter = lambda *_: wrong
    with pytest.raises(cf.errors.ArgumentError, match=r"contactfilter returned .*mask of shape"):
        data.collide()
    assert np.array_equal(np.asarray(data.get_state()), np.asarray(before))
    model.callbacks.contactfilter = None
    data.collide()


def test_what_a_filter_raises_comes_out():
    """10: as it was raised, with inputs that it wrote put back."""
    model = cf.Model.from_mjcf(crowd(1))
    data = model.make_data()

    def bad(model, data, one, other):
        data.qfrc_applied[:] = 7
        raise ZeroDivisionError("mine")

    model.callbacks.contactfilter = bad
    with pytest.raises(ZeroDivisionError, match="mine"):
        data.collide()
    assert not data.qfrc_applied.any()
    with pytest.raises(cf.errors.ArgumentError, match="contactfilter: expected a function of"):
        model.callbacks.contactfilter = lambda model, data: None


SLEEPERS = """<mujoco><option><flag sleep="enable"/></option><worldbody>
  <geom type="plane" size="9 9 1"/>
  <body pos="0 0 .05" sleep="init"><freejoint/><geom name="a" type="box" size=".1 .1 .1"/></body>
  <body pos="0 0 1"><freejoint/><geom name="b" size=".1"/></body>
  <body pos="2 0 .05" sleep="init"><freejoint/><geom name="c" type="cylinder" size=".1 .1"/></body>
  <body pos="2 0 .2" mocap="true"><geom name="d" type="box" size=".1 .1 .1"/></body>
  <body pos="4 0 .05" sleep="init"><freejoint/>
    <geom name="e" type="ellipsoid" size=".1 .2 .1"/></body>
  <body pos="4 .1 .05" sleep="init"><freejoint/><geom name="f" size=".1"/></body>
</worldbody><contact><pair geom1="a" geom2="b"/><pair geom1="e" geom2="f"/></contact></mujoco>"""


@pytest.mark.oracle
def test_sleepers_touch_only_what_is_awake():
    """10: neither each other nor the ground, as in MuJoCo; mocap bodies are awake."""
    mujoco = mujoco_module()
    model, reference = cf.Model.from_mjcf(SLEEPERS), load_reference(SLEEPERS)
    data, theirs = model.make_data(), mujoco.MjData(reference)
    data.qpos[9] = theirs.qpos[9] = 0.2
    mujoco.mj_kinematics(reference, theirs)
    mujoco.mj_collision(reference, theirs)
    data.collide()
    assert theirs.body_awake.tolist() == data.body_awake.tolist()
    assert data.contact.geom.tolist() == theirs.contact.geom.tolist()
    np.testing.assert_allclose(data.contact.dist, theirs.contact.dist, atol=1e-9)
    named = {model.name_of("geom", g) for g in data.contact.geom.ravel().tolist()}
    assert named == {"a", "b", "c", "d"}
