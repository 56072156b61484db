"""A reset world of a batch is as MuJoCo resets it, on a model with everything that has a state."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare.difference import OWN_GROUPS
from cortenforge.fields import DATA_FIELDS
from tests.model.test_reset import MODEL

mujoco = pytest.importorskip("mujoco")

KEPT = [f.name for f in DATA_FIELDS if f.role in ("state", "input") and f.group not in OWN_GROUPS]


@pytest.fixture
def batch() -> cf.BatchSim:
    """Worlds with actuators, sensors, delays and equalities, and a seven in every number."""
    batch = cf.BatchSim(cf.Model.from_mjcf(MODEL), 11, threads=2)
    for name in KEPT:
        setattr(batch, name, 7.0)
    return batch


def assert_reset(batch: cf.BatchSim, worlds: list[int]) -> None:
    """Exactly these worlds have mj_resetData's numbers; the others still have sevens."""
    theirs = mujoco.MjData(mujoco.MjModel.from_xml_string(MODEL))
    for name in KEPT:
        expected = np.ravel(getattr(theirs, name)).astype(float)
        for i, row in enumerate(np.asarray(getattr(batch, name)).reshape(batch.n, -1)):
            wanted = expected if i in worlds else np.full_like(expected, 7.0)
            np.testing.assert_allclose(row, wanted, rtol=1e-15, atol=1e-16, err_msg=f"{name} {i}")


def test_reset_correctness(batch):
    """9-AC4: state, controls, activations, delays and applied forces, of chosen worlds alone."""
    assert all(getattr(batch, name).size for name in ("ctrl", "act", "history", "eq_active"))
    batch.reset(4)
    assert_reset(batch, [4])
    mask = np.zeros(11, bool)
    mask[[0, 2]] = True
    batch.reset_where(mask)
    assert_reset(batch, [0, 2, 4])
    batch.reset_all()
    assert_reset(batch, list(range(11)))


def test_reset_is_that_of_a_world_alone(batch):
    """9-AC4: the same bits as Data.reset."""
    data = batch.model.make_data()
    data.reset()
    batch.reset(3)
    np.testing.assert_array_equal(batch.get_states()[3], data.get_state().vector)


def test_readings_of_sensors_are_reset(batch):
    """9-AC4: a field that was bound is cleared in the world that is reset."""
    batch.bind("sensordata")
    batch.sensordata[:] = 7.0
    batch.reset(3)
    assert batch.sensordata.size
    np.testing.assert_array_equal((batch.sensordata == 7.0).all(axis=1), np.arange(11) != 3)
    assert not batch.sensordata[3].any()


def test_wrong_worlds_are_refused(batch):
    """An index or a mask that does not fit is an error, and nothing is reset."""
    with pytest.raises(IndexError, match="the batch has 11"):
        batch.reset(11)
    with pytest.raises(cf.ShapeError, match="mask"):
        batch.reset_where([True, False])
    assert_reset(batch, [])
