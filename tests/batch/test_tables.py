"""Tables of columns that a batch fills: observations in one array of the caller's."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import cortenforge as cf

SCENE = """<mujoco><option timestep="0.005"/><worldbody>
<geom name="floor" type="plane" size="5 5 1"/>
<body name="ball" pos="0 0 .095"><freejoint/><geom name="big" size=".1"/>
<body name="arm" pos=".3 0 0"><joint name="arm" axis="0 1 0" damping=".1"/>
<geom name="small" size=".05"/>
</body></body>
<body name="lone" pos="2 0 3"><freejoint/><geom name="lone" size=".1"/></body>
</worldbody><actuator><motor joint="arm"/></actuator></mujoco>"""
COLUMNS = ("time", "qpos[2:]", "cinert[1:]", "ncon", "xpos[1:, :2]", "xquat[2, -1]", "cfrc_ext[1:]")


@pytest.fixture(scope="module")
def model() -> cf.Model:
    return cf.Model.from_mjcf(SCENE)


def stirred(model: cf.Model, n: int) -> cf.BatchSim:
    batch = cf.BatchSim(model, n, threads=1)
    rng = np.random.default_rng(5)
    batch.qpos[:, 2] -= 0.01 * rng.uniform(size=n)
    batch.qvel[:] = 0.1 * rng.normal(size=batch.qvel.shape)
    return batch


def expected(batch: cf.BatchSim) -> np.ndarray:
    """The columns from arrays that are bound by their names."""
    xpos, n = batch.xpos, batch.n
    parts = (
        batch.time,
        batch.qpos[:, 2:],
        batch.cinert[:, 1:],
        batch.ncon,
        xpos[:, 1:, :2],
        batch.xquat[:, 2, -1],
        batch.cfrc_ext[:, 1:],
    )
    return np.hstack([np.reshape(part, (n, -1)) for part in parts])


@pytest.mark.parametrize("n", [2, 9, 20])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_table_has_the_numbers_of_its_columns(model, n, dtype):
    """After steps, evaluations and resets, in rows apart from each other, few worlds or many."""
    batch = stirred(model, n)
    batch.bind("xpos", "cinert", "xquat", "cfrc_ext")
    whole = np.full((n, 200), 7.0, dtype)
    width = expected(batch).shape[1]
    table = whole[:, 3 : 3 + width]
    batch.bind(*COLUMNS, into=table)
    batch.step_all(3)
    np.testing.assert_array_equal(table, expected(batch).astype(dtype))
    assert batch.ncon.min() >= 1
    batch.forward_all()
    np.testing.assert_array_equal(table, expected(batch).astype(dtype))
    mask = np.arange(n) == 1
    kept = table.copy()
    batch.step_all(2, where=mask)
    np.testing.assert_array_equal(table[~mask], kept[~mask])
    np.testing.assert_array_equal(table[mask], expected(batch).astype(dtype)[mask])
    batch.reset_where(mask)
    assert not table[mask].any()
    batch.forward_where(mask)
    np.testing.assert_array_equal(table[mask], expected(batch).astype(dtype)[mask])
    assert (whole[:, :3] == 7.0).all() and (whole[:, 3 + width :] == 7.0).all()


@pytest.mark.parametrize("n", [2, 9])
def test_facts_of_contacts(model, n):
    """What touches what, and with what force, against the contacts of each world alone."""
    batch = stirred(model, n)
    batch.qpos[0, 2] = 1.0
    columns = (
        "in_contact[floor, big]",
        "in_contact[small, floor]",
        "contact_force[big]",
        "contact_force[floor, big]",
        "contact_force[lone]",
        "nefc",
    )
    table = np.zeros((n, 12))
    batch.bind(*columns, into=table)
    worlds = [batch.env(i).copy() for i in range(n)]
    batch.step_all(4)
    floor, big, small = (model.geom(name).id for name in ("floor", "big", "small"))
    for row, data in zip(table, worlds, strict=True):
        data.step(4)
        pairs = [tuple(sorted(pair)) for pair in data.contact_geom[: data.ncon].tolist()]
        force = np.zeros(3)
        for c, pair in enumerate(pairs):
            if pair == (floor, big):
                force += data.contact_frame[c].reshape(3, 3).T @ data.contact_force(c)[:3]
        assert row[0] == ((floor, big) in pairs) and row[1] == ((floor, small) in pairs)
        np.testing.assert_allclose(row[2:5], force, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(row[5:8], -force, rtol=1e-12, atol=1e-12)
        assert not row[8:11].any() and row[11] == data.nefc
    assert table[0, 0] == 0.0 and table[1, 0] == 1.0
    # the ball is carried: its weight and the arm's, within what accelerates them
    assert table[1, 4] > 0.0


def test_arrays_that_were_taken_stay_live(model):
    """Binding more, a table or an array, leaves none of those before stale."""
    batch = stirred(model, 9)
    batch.bind("xpos")
    xpos, first, second = batch.xpos, np.zeros((9, 13)), np.zeros((9, 2, 3))
    batch.bind("qvel", into=first)
    batch.bind("xquat")
    batch.bind("xpos[1:3]", into=second)
    batch.bind("in_contact[floor, big]", into=(touching := np.zeros((9, 1), np.float32)))
    batch.step_all()
    assert batch.xpos is xpos and xpos.any()
    np.testing.assert_array_equal(first, batch.qvel)
    np.testing.assert_array_equal(second, xpos[:, 1:3])
    assert touching.all()
    # the same array again: other columns
    batch.bind("qfrc_bias", into=first)
    batch.unbind(second)
    before = second.copy()
    batch.qvel[:] += 1.0
    batch.step_all()
    batch.bind("qfrc_bias")
    batch.forward_all()
    np.testing.assert_array_equal(first, batch.qfrc_bias)
    np.testing.assert_array_equal(second, before)
    with pytest.raises(cf.ArgumentError, match="was not given to bind"):
        batch.unbind(second)
    twin = copy.copy(batch)
    kept = first.copy()
    twin.step_all(3)
    np.testing.assert_array_equal(first, kept)


def test_inverse_dynamics_leave_the_state(model):
    """A table is never an input: columns of the state are those of the worlds."""
    batch = stirred(model, 9)
    batch.bind("qacc", "qfrc_inverse")
    table = np.full((9, 15), np.nan)
    batch.bind("qpos", into=table)
    qpos = batch.qpos.copy()
    batch.inverse_all()
    np.testing.assert_array_equal(batch.qpos, qpos)
    np.testing.assert_array_equal(table, qpos)
    assert np.isfinite(batch.qfrc_inverse).all()


def test_worlds_that_fail_are_nan(model):
    batch = stirred(model, 9)
    table = np.zeros((9, 4), np.float32)
    batch.bind("qvel[:3]", "ncon", into=table)
    batch.qpos[3, 0] = np.nan
    batch.step_all()
    np.testing.assert_array_equal(np.isnan(table).all(axis=1), np.arange(9) == 3)


BAD = {
    "column 'qposs': .*did you mean 'qpos'": ("qposs",),
    "column 'contact_dist'": ("contact_dist",),
    "one world has the shape": ("xpos[7]",),
    "are integers and slices": ("xpos[torso]",),
    "expected contact_force.geom. or contact_force.geom, other": ("contact_force",),
    "expected in_contact.geom, other": ("in_contact[floor]",),
    "no geom 'flor'": ("in_contact[flor, big]",),
    "geom 9: the model has 4": ("contact_force[9]",),
    "column 3": (3,),
    "name the columns": (),
    r"need an array of shape \(3, 13\), got \(3, 2\)": ("qvel",),
}


@pytest.mark.parametrize("words", BAD)
def test_bad_columns_bind_nothing(model, words):
    """The error names the column; the array is not written afterwards."""
    batch, table = stirred(model, 3), np.zeros((3, 2))
    with pytest.raises(cf.CortenForgeError, match=words):
        batch.bind(*BAD[words], into=table)
    assert batch.step_all() == [None] * 3 and not table.any()


def test_bad_tables(model):
    batch = stirred(model, 3)
    frozen = np.zeros((3, 1))
    frozen.flags.writeable = False
    for bad in (np.zeros((3, 1), int), [[0.0]] * 3, np.zeros(3), frozen, np.zeros((1, 3)), "abc"):
        with pytest.raises(cf.ShapeError, match="into"):
            batch.bind("time", into=bad)
    with pytest.raises(cf.ShapeError, match="is a column"):
        batch.bind("qpos[2:]")


@pytest.mark.parametrize("n", [2, 9])
def test_objects_by_name(model, n):
    """Fields of one object in all worlds are views of the batch's arrays."""
    batch = stirred(model, n)
    batch.bind("xpos", "geom_xpos", "qfrc_bias")
    batch.step_all(2)
    body = batch.body("arm")
    assert body.id == model.body("arm").id and body.name == "arm" and "xpos" in dir(body)
    assert body.xpos.shape == (n, 3) and np.shares_memory(body.xpos, batch.xpos)
    np.testing.assert_array_equal(body.xpos, batch.xpos[:, 2])
    np.testing.assert_array_equal(batch.geom("big").xpos, batch.geom_xpos[:, 1])
    joint = batch.joint("arm")
    assert joint.qpos.shape == (n, 1) and joint.qfrc_bias.shape == (n, 1)
    joint.qpos = 0.25
    joint.qvel = np.arange(n)[:, None]
    assert (batch.qpos[:, 7] == 0.25).all()
    np.testing.assert_array_equal(batch.qvel[:, 6], np.arange(n))
    batch.actuator(0).ctrl[:] = 1.0
    assert (batch.ctrl == 1.0).all() and "arm" in repr(body)
    with pytest.raises(cf.ShapeError, match="qvel: expected numbers of shape"):
        joint.qvel = np.zeros(n + 1)
    with pytest.raises(cf.UnknownName, match=r"no body 'amr'.*did you mean 'arm'"):
        batch.body("amr")
    with pytest.raises(cf.UnknownAttribute, match="xquat is not bound"):
        _ = body.xquat
    with pytest.raises(cf.UnknownAttribute, match="xposs"):
        _ = body.xposs
