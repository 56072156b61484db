"""Which geoms can touch: the list, and what changes it after loading."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Disable

TREE = """
<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body name="a"><freejoint/><geom name="ga" size=".1"/>
    <body name="b"><joint/><geom name="gb" size=".1"/>
      <body name="welded"><geom name="gw" size=".1"/></body>
      <body name="c"><joint/><geom name="gc" size=".1"/></body></body></body>
  <body name="still"><geom name="gs" size=".1"/></body>
</worldbody><contact>{contact}</contact></mujoco>
"""


def pairs(model):
    names = [model.name_of("geom", g) for g in range(model.ngeom)]
    return {frozenset(names[g] for g in pair) for pair in model.candidate_geom.tolist()}


def model_of(contact=""):
    return cf.Model.from_mjcf(TREE.format(contact=contact))


def test_relatives_and_still_bodies_do_not_touch():
    """Parents, welded bodies and what cannot move at all are left out."""
    moving = {"ga", "gb", "gw", "gc"}
    still = {"floor", "gs"}
    expected = {frozenset((m, s)) for m in moving for s in still} | {frozenset(("ga", "gc"))}
    assert pairs(model_of()) == expected


def test_excludes_and_pairs():
    """A pair passes every filter; an exclude takes bodies away, but not a pair."""
    both = '<exclude body1="a" body2="c"/><pair geom1="ga" geom2="gc" condim="1"/>'
    assert frozenset(("ga", "gc")) not in pairs(model_of('<exclude body1="a" body2="c"/>'))
    model = model_of(both + '<pair geom1="gb" geom2="ga"/>')
    assert {frozenset(("ga", "gc")), frozenset(("ga", "gb"))} <= pairs(model)
    assert sorted(model.candidate_pair[model.candidate_pair >= 0].tolist()) == [0, 1]


def test_flags_and_masks_changed_after_loading():
    """They take effect with the next call, masks of geoms without set_const."""
    model = model_of()
    data = model.make_data()
    data.collide()
    model.opt.disableflags = Disable.FILTERPARENT
    data.collide()
    assert frozenset(("ga", "gb")) in pairs(model)
    model.opt.disableflags = 0
    model.geom_contype[:] = 0
    model.geom_conaffinity[:] = 0
    data.collide()
    assert pairs(model) == set() and data.ncon == 0
    model.geom_contype[:2] = 1
    model.geom_conaffinity[:2] = 1
    data.collide()
    assert pairs(model) == {frozenset(("floor", "ga"))}
    assert data.ncon == 1


def test_margins_sizes_and_parameters_changed_after_loading():
    """So do numbers."""
    model = cf.Model.from_mjcf(
        '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .5"><freejoint/>'
        '<geom size=".1"/></body></worldbody></mujoco>'
    )
    data = model.make_data()
    data.collide()
    assert data.ncon == 0
    model.geom_margin[1] = 0.45
    data.collide()
    assert data.contact[0].dist == pytest.approx(0.4)
    model.geom_margin[1] = 0.0
    model.geom_size[1, 0] = 0.6
    model.geom_friction[1] = (3, 2, 1)
    data.collide()
    assert data.contact[0].dist == pytest.approx(-0.1)
    assert data.contact[0].friction == pytest.approx([3, 3, 2, 1, 1])


def test_bounds_follow_sizes():
    """A ball that grows touches what was beyond its bounding sphere."""
    model = cf.Model.from_mjcf(
        '<mujoco><worldbody><geom type="box" size=".1 .1 .1"/><body pos="0 0 1"><freejoint/>'
        '<geom size=".1"/></body></worldbody></mujoco>'
    )
    data = model.make_data()
    data.collide()
    assert data.ncon == 0
    model.geom_size[1, 0] = 1.0
    data.collide()
    assert data.contact[0].dist == pytest.approx(-0.1)
    assert model.geom_rbound[1] == 1.0


def test_worlds_with_parameters_of_their_own_follow_the_list():
    """A list that moved in memory is found again."""
    model = model_of()
    batch = cf.BatchSim(model, 2)
    batch.expand("geom_friction")
    worlds = [batch.env(i) for i in range(2)]
    for data in worlds:
        data.collide()
    model.geom_contype[2:] = 0
    model.geom_conaffinity[2:] = 0
    for data in worlds:
        data.collide()
        assert data.ncon == 1
    model.geom_contype[:] = 1
    model.geom_conaffinity[:] = 1
    counts = []
    for data in worlds:
        data.collide()
        counts.append(data.ncon)
    assert counts[0] == counts[1] > 5


def test_the_order_is_that_of_bodies():
    """Bodies first, then geoms; a list of 300 geoms is made in no time."""
    model = cf.Model.from_mjcf(
        '<mujoco><worldbody><replicate count="300" offset="1 0 0"><body><freejoint/>'
        '<geom size=".1"/></body></replicate></worldbody></mujoco>'
    )
    bodies = np.sort(model.geom_bodyid[model.candidate_geom], axis=1)
    assert len(bodies) == 300 * 299 // 2
    assert [tuple(row) for row in bodies.tolist()] == sorted(map(tuple, bodies.tolist()))
