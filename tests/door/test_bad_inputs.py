"""Controls, activations and forces that are no numbers, or not as many as there should be."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.fields import INPUT_FIELDS

MODEL = """
<mujoco>
  <option><flag contact="disable"/></option>
  <worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
  <actuator><motor joint="j"/><general joint="j" dyntype="filter" dynprm=".1"/>
    <muscle joint="j" lengthrange="0 1" ctrlrange="0 1"/></actuator>
  <sensor><jointpos joint="j"/></sensor>
</mujoco>"""
BAD = [np.nan, np.inf, -np.inf, 1e300]


@pytest.fixture(scope="module")
def model() -> cf.Model:
    return cf.Model.from_mjcf(MODEL)


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", ["ctrl", "act", "qfrc_applied", "xfrc_applied", "qpos", "qvel"])
def test_numbers_that_are_none(model, name, bad):
    """A typed error with the state untouched, or a warning and finite answers; never NaN."""
    data = model.make_data()
    array = getattr(data, name)
    array[(-1,) * array.ndim] = bad
    before = data.digest()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.StepWarning)
        try:
            data.step()
        except cf.StepError:
            assert data.digest() == before
        else:
            assert np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", ["ctrl", "act", "qfrc_applied", "xfrc_applied", "qpos", "qvel"])
@pytest.mark.filterwarnings("ignore::cortenforge.StepWarning")
def test_in_one_world_of_many(model, name, bad):
    """The others have the bits that they would have without it."""
    batch, well = cf.BatchSim(model, 9, threads=1), cf.BatchSim(model, 9, threads=1)
    for one in (batch, well):
        one.ctrl[:] = 0.1
    array = getattr(batch, name)
    array[(4,) + (-1,) * (array.ndim - 1)] = bad
    errors = batch.step_all(3)
    assert all(error is None for i, error in enumerate(errors) if i != 4)
    others = np.arange(9) != 4
    well.step_all(3)
    assert np.array_equal(batch.get_states()[others], well.get_states()[others])
    assert errors[4] is not None or np.isfinite(batch.qpos[4]).all()


WRONG = [np.zeros(2), np.zeros(4), np.zeros((3, 1)), "abc", None, [1j, 0, 0], [[1], [2, 3]], {}]


@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_controls_of_wrong_sizes_and_types(model, value):
    """Refused with a ShapeError, and nothing is written."""
    data, batch = model.make_data(), cf.BatchSim(model, 5)
    for owner in (data, batch):
        owner.ctrl[:] = 0.25
        with pytest.raises(cf.ShapeError):
            owner.ctrl = value
        assert (owner.ctrl == 0.25).all()
    start = batch.get_states()
    with pytest.raises(cf.ShapeError):
        batch.rollout(start, value)
    assert np.array_equal(batch.get_states(), start)


@pytest.mark.parametrize("kind", [np.float32, np.int8, np.uint64, bool, np.float16])
def test_numbers_of_any_real_type_are_taken(model, kind):
    data, batch = model.make_data(), cf.BatchSim(model, 5)
    for owner in (data, batch):
        owner.ctrl = np.ones(3, kind)
        assert (owner.ctrl == 1.0).all() and owner.ctrl.dtype == np.float64


@pytest.mark.parametrize("name", [field.name for field in INPUT_FIELDS])
def test_every_input_refuses_what_does_not_fit(model, name):
    data = model.make_data()
    for value in (np.zeros((7, 7, 7)), "text", 1j):
        with pytest.raises(cf.ShapeError):
            setattr(data, name, value)
