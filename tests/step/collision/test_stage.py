"""The collision stage: lanes, growth, and models whose lists change."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import cortenforge as cf
from conformance.collision import crowd
from cortenforge.enums import Disable
from cortenforge.fields import DATA_FIELDS
from tests.step.collision.still import ENGINE

LISTED = tuple(f.name for f in DATA_FIELDS if f.group == "contact" and f.name != "ncon")


def scattered(model, batch, seed):
    rng = np.random.default_rng(seed)
    for i in range(batch.n):
        batch.qpos[i] = model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.1)


def lanes_of(batch):
    """The contacts that each lane of the first thread holds."""
    (memory,) = batch._memory
    counts = memory.lanes("ncon")
    return [
        {name: memory.worlds[lane].arrays[name][:count] for name in LISTED}
        for lane, count in enumerate(counts.tolist())
    ]


def assert_same(own, data, world):
    for name in LISTED:
        alone = getattr(data, name)[: data.ncon]
        assert own[name].tobytes() == alone.tobytes(), (world, name)


def assert_lanes_are_alone(model) -> None:
    """Eight scattered worlds in lockstep have the contacts of each by itself."""
    batch = cf.BatchSim(model, 8, threads=1, engine=ENGINE)
    scattered(model, batch, 2)
    model._store.assign("missing", 0)
    assert batch.step_all(1) == [None] * 8
    for i, own in enumerate(lanes_of(batch)):
        data = batch.env(i)
        data.collide()
        assert_same(own, data, i)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("expanded", [False, True], ids=["shared", "expanded"])
def test_lanes_have_the_contacts_of_single_worlds(seed, expanded):
    """10: bit by bit, growing as they need, whatever their neighbours do."""
    model = cf.Model.from_mjcf(crowd(seed))
    batch = cf.BatchSim(model, 8, threads=1, engine=ENGINE)
    if expanded:
        batch.expand("geom_friction", "geom_margin", "geom_size")
        scale = np.random.default_rng(seed).uniform(0.8, 1.1, (8, 1, 1))
        batch.parameters["geom_size"][:] = model.geom_size * scale
        batch.parameters["geom_friction"][:] = model.geom_friction * scale
        batch.parameters["geom_margin"][:] = 0.01 * scale[:, :, 0]
    scattered(model, batch, seed)
    model._store.assign("missing", 0)
    assert batch.step_all(1) == [None] * 8
    found = lanes_of(batch)
    assert sum(len(own["contact_dist"]) for own in found) > 20
    for i in range(8):
        data = batch.env(i)
        data.collide()
        assert_same(found[i], data, i)


def test_a_failed_neighbour_changes_nothing():
    """A world that is nowhere has no contacts, and the others have theirs."""
    model = cf.Model.from_mjcf(crowd(1))
    batch = cf.BatchSim(model, 8, threads=1, engine=ENGINE)
    scattered(model, batch, 1)
    batch.qpos[3] = np.nan
    model._store.assign("missing", 0)
    batch.step_all(1)
    for i, own in enumerate(lanes_of(batch)):
        data = batch.env(i)
        data.collide()
        assert_same(own, data, i)
        assert (data.ncon == 0) == (i == 3)


PILE = """
<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
  <replicate count="{count}" offset="0 0 .0001">
    <body><freejoint/><geom size=".1"/></body></replicate>
</worldbody></mujoco>
"""


def test_the_list_grows_and_nothing_is_lost():
    """Every ball touches the ground and every other one."""
    data = cf.Model.from_mjcf(PILE.format(count=20)).make_data()
    before = data.contact_dist
    data.collide()
    assert data.ncon == len(data.contact) == 20 + 20 * 19 // 2
    assert len(before) < data.ncon <= len(data.contact_dist)
    pairs = [tuple(pair) for pair in data.contact.geom.tolist()]
    assert pairs == sorted(pairs)


def test_flags_switch_contacts_off():
    """As MuJoCo's contact and constraint flags; a list that was full is empty then."""
    model = cf.Model.from_mjcf(PILE.format(count=2))
    data = model.make_data()
    data.collide()
    assert data.ncon == 3
    for flag in (Disable.CONTACT, Disable.CONSTRAINT):
        model.opt.disableflags = flag
        data.collide()
        assert data.ncon == 0
        data.forward()
        model.opt.disableflags = 0
        data.collide()
        assert data.ncon == 3


def test_numbers_of_pairs_have_an_end(monkeypatch):
    """Every kind of pair is known; how many geoms there may be is not without end."""
    monkeypatch.setattr("cortenforge.model.changes.candidates.LONGEST_LIST", 100)
    monkeypatch.setattr("cortenforge.model.changes.candidates.MAX_UNLISTED", 19)
    model = cf.Model.from_mjcf(PILE.format(count=20))
    with pytest.raises(cf.UnsupportedFeature, match="more than 19 geoms"):
        model.make_data().collide()
    assert any(line.startswith("collisions") for line in model.supported())


PROGRAM = """
import sys
import cortenforge as cf
data = cf.Model.from_mjcf(sys.argv[1]).make_data()
data.collide()
print(data.ncon, data.contact_dist[:data.ncon].sum(), data.contact_pos[:data.ncon].sum())
print("numba" in sys.modules)
"""


def test_plain_python_finds_the_same():
    """Without Numba, for a debugger."""
    text = crowd(5)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, text],
        capture_output=True, text=True, check=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    numbers, loaded = done.stdout.strip().splitlines()
    data = cf.Model.from_mjcf(text).make_data()
    data.collide()
    expected = data.ncon, data.contact.dist.sum(), data.contact.pos.sum()
    assert loaded == "False"
    assert np.allclose([float(x) for x in numbers.split()], expected, atol=1e-12)
