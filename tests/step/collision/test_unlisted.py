"""Pairs that are too many to be listed: what a list finds, and thousands of bodies."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from benchmarks.crowds import scattered
from conformance.collision import crowd
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.model.changes import candidates
from tests.step.collision.test_stage import LISTED, assert_lanes_are_alone

#: crowds of sixteen geoms and more
CROWDS = (0, 2, 5, 6, 7)


@pytest.fixture
def unlisted(monkeypatch):
    """Every list counts as too long."""
    monkeypatch.setattr(candidates, "LONGEST_LIST", 0)


def rows(model, qpos):
    """Contacts as bytes, in order of their geoms: with several geoms a body, lists have another."""
    data = model.make_data()
    data.qpos[:] = qpos
    data.collide()
    found = [
        (*data.contact_geom[c].tolist(), *(getattr(data, name)[c].tobytes() for name in LISTED))
        for c in range(data.ncon)
    ]
    order = [row[:2] for row in found]
    return sorted(found), order


@pytest.mark.parametrize("seed", CROWDS)
def test_what_is_not_listed_touches_all_the_same(seed, monkeypatch):
    """10: filters are asked of near pairs; excludes, pairs of the description, planes, margins."""
    listed = cf.Model.from_mjcf(crowd(seed))
    monkeypatch.setattr(candidates, "LONGEST_LIST", 0)
    model = cf.Model.from_mjcf(crowd(seed))
    assert model.unlisted_shift > 0 == listed.unlisted_shift
    assert len(model.candidate_geom) < len(listed.candidate_geom)
    rng = np.random.default_rng(seed)
    for _ in range(5):
        qpos = model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.2)
        found, order = rows(model, qpos)
        assert found == rows(listed, qpos)[0]
        assert order == rows(model, qpos)[1]


def test_lanes_have_the_bits_of_one_world(unlisted):
    """Marks of all worlds together, contacts of each world alone."""
    model = cf.Model.from_mjcf(crowd(2))
    assert_lanes_are_alone(model)


def test_reports_count_them(monkeypatch):
    """As many pairs that could touch, that are near, and that do."""
    text = crowd(6)
    listed = cf.Model.from_mjcf(text).make_data().collision_report()
    monkeypatch.setattr(candidates, "LONGEST_LIST", 0)
    assert cf.Model.from_mjcf(text).make_data().collision_report() == listed


def test_a_filter_sees_them(unlisted):
    """The user's filter gets both geoms of every near pair, and takes away what it likes."""
    model = cf.Model.from_mjcf(crowd(6))
    data = model.make_data()
    data.collide()
    pairs = {tuple(row) for row in data.contact_geom[: data.ncon].tolist()}
    listed = {tuple(row) for row in np.sort(np.stack((model.pair_geom1, model.pair_geom2), 1), 1)}
    seen = set()

    def none(_model, _data, one, other):
        seen.update(zip(one.tolist(), other.tolist(), strict=True))
        return np.ones(len(one), bool)

    model.callbacks.contactfilter = none
    data.collide()
    left = {tuple(sorted(row)) for row in data.contact_geom[: data.ncon].tolist()}
    assert left <= listed
    assert {pair for pair in pairs if tuple(sorted(pair)) not in listed} <= seen


def test_three_thousand_bodies_touch_as_in_mujoco():
    """10: 4.5 million pairs; contacts, their order and numbers."""
    text = scattered(3000)
    model, reference = cf.Model.from_mjcf(text), load_reference(text)
    assert model.unlisted_shift == 12
    mujoco = mujoco_module()
    data, theirs = model.make_data(), mujoco.MjData(reference)
    data.collide()
    mujoco.mj_kinematics(reference, theirs)
    mujoco.mj_collision(reference, theirs)
    assert data.ncon == theirs.ncon > 3000
    assert np.array_equal(data.contact_geom[: data.ncon], theirs.contact.geom)
    assert np.allclose(data.contact.dist, theirs.contact.dist, rtol=0, atol=1e-12)
    assert np.allclose(data.contact.pos, theirs.contact.pos, rtol=0, atol=1e-12)
