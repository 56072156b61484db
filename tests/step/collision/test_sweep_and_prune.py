"""A sweep finds what the list finds: the same contacts, in the same order, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.collision import crowd
from cortenforge.model.changes import candidates
from tests.step.collision.test_stage import (
    LISTED,
    assert_lanes_are_alone,
)

#: crowds of sixteen geoms and more
CROWDS = (0, 2, 5, 6, 7)


def sweep_all(monkeypatch, *, in_order: bool) -> None:
    """Every list counts as long; a few geoms are sorted, too, or never."""
    monkeypatch.setattr(candidates, "SHORT_LIST", 0)
    monkeypatch.setattr(candidates, "SHORT_LIST_IN_LANES", 0)
    monkeypatch.setattr(candidates, "MAX_UNSORTED", 0 if in_order else 10**9)


@pytest.fixture(params=["sorted", "held against all"])
def swept(request, monkeypatch):
    """Both ways to sweep."""
    sweep_all(monkeypatch, in_order=request.param == "sorted")


def contacts(model, qpos):
    data = model.make_data()
    data.qpos[:] = qpos
    data.collide()
    return {name: getattr(data, name)[: data.ncon].tobytes() for name in LISTED}


@pytest.mark.parametrize("in_order", [True, False], ids=["sorted", "held against all"])
@pytest.mark.parametrize("seed", CROWDS)
def test_a_sweep_finds_what_the_list_has(seed, in_order, monkeypatch):
    """Planes, pairs with margins of their own and everything else."""
    monkeypatch.setattr(candidates, "SHORT_LIST", 10**9)
    listed = cf.Model.from_mjcf(crowd(seed))
    sweep_all(monkeypatch, in_order=in_order)
    swept = cf.Model.from_mjcf(crowd(seed))
    assert len(swept.swept_geom) > 0 == len(listed.swept_geom)
    assert swept.swept_sorted == in_order
    rng = np.random.default_rng(seed)
    for _ in range(5):
        qpos = swept.integrate_pos(swept.qpos0, rng.normal(size=swept.nv), 0.2)
        assert contacts(swept, qpos) == contacts(listed, qpos)


def test_lanes_sweep_each_for_itself(swept):
    """Marks of all worlds together, contacts of each world alone."""
    model = cf.Model.from_mjcf(crowd(2))
    assert model.swept_in_lanes
    assert_lanes_are_alone(model)


def test_history_decides_nothing(swept):
    """The order of the last sweep is where the next one starts, and no more."""
    model = cf.Model.from_mjcf(crowd(6))
    rng = np.random.default_rng(6)
    places = [model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 1.0) for _ in range(4)]
    data = model.make_data()
    for qpos in [*places, *reversed(places)]:
        data.qpos[:] = qpos
        data.collide()
        found = {name: getattr(data, name)[: data.ncon].tobytes() for name in LISTED}
        assert found == contacts(model, qpos)


def test_long_lists_are_swept():
    """Seventy balls have 2,415 pairs; a change of the list takes the sweep with it."""
    text = (
        '<mujoco><worldbody><geom type="plane" size="1 1 1"/>'
        '<replicate count="70" offset=".15 0 0"><body pos="0 0 .1"><freejoint/><geom size=".1"/>'
        "</body></replicate></worldbody></mujoco>"
    )
    model = cf.Model.from_mjcf(text)
    data = model.make_data()
    data.collide()
    assert len(model.swept_geom) == 70 and len(model.always_candidate) == 70
    assert data.ncon == 70 + 69
    model.geom_contype[10:] = 0
    model.geom_conaffinity[10:] = 0
    data.collide()
    assert len(model.swept_geom) == 0
    assert data.ncon == 9 + 8
    model.geom_contype[:] = 1
    model.geom_conaffinity[:] = 1
    data.collide()
    assert data.ncon == 70 + 69
