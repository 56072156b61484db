"""What a batch counts in each world: contacts, rows of constraints, islands."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.batch.counts import COUNTED
from cortenforge.errors import ArgumentError, ShapeError, UnknownAttribute
from cortenforge.fields import DATA_FIELDS

#: equality, friction, limit and contact
MODEL = """
<mujoco><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body name="ball" pos="0 0 0.2"><freejoint/><geom name="ball" size="0.1"/></body>
  <body pos="1 0 1"><joint name="one" axis="0 1 0" range="-1 1" limited="true" frictionloss="0.1"/>
    <geom type="capsule" size="0.05" fromto="0 0 0 0.3 0 0"/></body>
  <body pos="2 0 1"><joint name="two" axis="0 1 0"/>
    <geom type="capsule" size="0.05" fromto="0 0 0 0.3 0 0"/></body>
</worldbody>
<equality><joint joint1="one" joint2="two"/></equality>
</mujoco>
"""


@pytest.fixture(scope="module")
def model() -> cf.Model:
    return cf.Model.from_mjcf(MODEL)


def counts(owner: object) -> list:
    return [np.asarray(getattr(owner, name)).tolist() for name in COUNTED]


def raised(model: cf.Model, n: int) -> cf.BatchSim:
    """Worlds with balls higher and higher, and a joint that is beyond its limit in some."""
    batch = cf.BatchSim(model, n, threads=1)
    batch.qpos[:, 2] = 0.08 + 0.01 * np.arange(n)
    batch.qpos[::3, 7] = 1.2
    return batch


def test_all_that_is_counted_is_kept() -> None:
    assert sorted(COUNTED) == sorted(field.name for field in DATA_FIELDS if field.counted)


@pytest.mark.parametrize("n", [2, 11], ids=["one by one", "in lockstep"])
def test_counts_are_those_of_each_world(model: cf.Model, n: int) -> None:
    batch = raised(model, n)
    alone = [batch.env(i).copy() for i in range(n)]
    kept = batch.ncon
    assert batch.step_all(3) == [None] * n
    for data in alone:
        data.step(3)
    assert counts(batch) == np.transpose([counts(data) for data in alone]).tolist()
    # the array is always the present one
    assert kept.shape == (n,) and kept.dtype == np.int32 and kept.tolist() == batch.ncon.tolist()
    batch.qpos[:, 2] = 5.0
    batch.forward_all()
    assert batch.ncon.tolist() == [0] * n and (batch.nefc > 0).all()


def test_worlds_differ(model: cf.Model) -> None:
    """The model above counts different things in different worlds."""
    batch = raised(model, 11)
    batch.step_all()
    assert set(batch.ncon.tolist()) == {0, 1} and set(batch.nl.tolist()) == {0, 1}
    assert len(set(batch.nefc.tolist())) > 2 and (batch.ne == 1).all() and (batch.nf == 1).all()


@pytest.mark.parametrize("n", [2, 11], ids=["one by one", "in lockstep"])
def test_what_failed_is_not_counted(model: cf.Model, n: int) -> None:
    """-1 in worlds that failed, as bound reals are NaN; 0 after a reset."""
    batch = raised(model, n)
    batch.bind("qacc")
    batch.qvel[1] = np.nan
    errors = batch.step_all()
    assert [error is not None for error in errors] == [i == 1 for i in range(n)]
    assert [one[1] for one in counts(batch)] == [-1] * len(COUNTED)
    assert np.isnan(batch.qacc[1]).all() and np.isfinite(batch.qacc[0]).all()
    assert batch.nefc[0] > 0
    batch.reset(1)
    assert [one[1] for one in counts(batch)] == [0] * len(COUNTED)


def test_counts_are_bound_already(model: cf.Model) -> None:
    """State, inputs and counts may be named, in rollouts as well."""
    batch = raised(model, 3)
    batch.bind("ncon", "qpos", "ctrl", "xpos")
    assert list(batch._bound.arrays) == ["xpos"]
    done = batch.rollout(batch.get_states(), np.zeros((3, 2, 0)), fields=["ncon", "xpos"])
    assert done.fields["ncon"].shape == (3, 2) and done.fields["ncon"].dtype == np.int32
    assert done.fields["ncon"][:, -1].tolist() == batch.ncon.tolist()
    twin = copy.deepcopy(batch)
    assert counts(twin) == counts(batch)


def test_counts_are_for_reading(model: cf.Model) -> None:
    batch = cf.BatchSim(model, 3)
    with pytest.raises(ArgumentError, match="ncon is read-only"):
        batch.ncon = 1
    with pytest.raises(ValueError, match="read-only"):
        batch.ncon[0] = 1


def test_what_cannot_be_bound_says_where_it_is(model: cf.Model) -> None:
    """The message of an attribute and that of `bind` agree, and what they say works."""
    batch = raised(model, 3)
    for name in ("solver_niter", "efc_type", "contact_dist"):
        with pytest.raises(ShapeError, match=r"one world at a time: env = batch\.env\(i\)"):
            batch.bind(name)
    with pytest.raises(UnknownAttribute, match=r"env\.forward\(\); env\.solver_niter"):
        _ = batch.solver_niter
    env = batch.env(0)
    env.forward()
    assert env.solver_niter[0] > 0
    with pytest.raises(ShapeError, match="'xpoz' is not a field of Data; did you mean 'xpos'"):
        batch.bind("xpoz")
