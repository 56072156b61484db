"""What training loops ask of a batch: controls in a call, resets to states, parameters, files."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.models import find


@pytest.fixture(scope="module")
def model():
    text = find("double_pendulum").read_text()
    joint = cf.Model.from_mjcf(text).name_of("joint", 0)
    motor = f'<actuator><motor joint="{joint}"/></actuator></mujoco>'
    return cf.Model.from_mjcf(text.replace("</mujoco>", motor))


@pytest.fixture
def batch(model):
    batch = cf.BatchSim(model, 10, threads=1)
    batch.qpos[:] = np.random.default_rng(0).normal(size=batch.qpos.shape)
    return batch


def test_controls_in_the_call(batch, model):
    """Controls of a call are those of the batch from then on; one row serves all worlds."""
    twin = cf.BatchSim(model, 10)
    twin.set_states(batch.get_states())
    twin.ctrl[:] = 0.5
    twin.step_all(3)
    batch.step_all(3, ctrl=[0.5])
    assert batch.get_states().tobytes() == twin.get_states().tobytes()
    with pytest.raises(cf.ShapeError, match="ctrl"):
        batch.step_all(ctrl=np.zeros((9, 1)))


def test_reset_to_states_of_each_world(batch):
    """9-AC4: masked worlds begin where they are told to, the others are not touched."""
    begin = batch.get_states()
    batch.step_all(5)
    after = batch.get_states()
    mask = np.arange(10) % 3 == 0
    batch.reset_where(mask, begin)
    assert batch.get_states()[mask].tobytes() == begin[mask].tobytes()
    assert batch.get_states()[~mask].tobytes() == after[~mask].tobytes()
    batch.reset_where(mask, begin[4])
    assert all(row.tobytes() == begin[4].tobytes() for row in batch.get_states()[mask])
    with pytest.raises(cf.ShapeError, match="states"):
        batch.reset_where(mask, begin[:3])


def test_reset_to_states_that_are_drawn(batch):
    """9-AC4: each world gets one of the states, and the same generator draws the same."""
    table = batch.get_states()[:3]
    batch.step_all(5)
    mask = np.ones(10, bool)
    mask[2] = False
    kept = batch.get_states()[2].copy()
    batch.reset_where(mask, table, rng=np.random.default_rng(5))
    first = batch.get_states()
    rows = {row.tobytes() for row in table}
    assert {row.tobytes() for row in first[mask]} == rows and first[2].tobytes() == kept.tobytes()
    batch.reset_where(mask, table, rng=np.random.default_rng(5))
    assert batch.get_states().tobytes() == first.tobytes()


def test_parameters_that_are_drawn(batch, model):
    """Values lie in their range, seeds repeat, and constants are those of a model edited so."""
    batch.randomize("body_mass", scale=(0.8, 1.2), seed=3)
    masses = batch.parameters["body_mass"].copy()
    ratio = masses[:, 1:] / model.body_mass[1:]
    assert np.all((ratio >= 0.8) & (ratio <= 1.2)) and np.ptp(ratio) > 0.2
    other = cf.BatchSim(model, 10)
    other.randomize("body_mass", scale=(0.8, 1.2), seed=3)
    assert other.parameters["body_mass"].tobytes() == masses.tobytes()
    for world in (0, 7):
        edited = cf.Model.from_mjcf(find("double_pendulum"))
        edited.body_mass[:] = masses[world]
        edited.set_const()
        for name in ("body_subtreemass", "dof_invweight0", "body_invweight0", "dof_M0"):
            np.testing.assert_array_equal(batch.parameters[name][world], getattr(edited, name))


def test_constants_follow_again(batch):
    """A second draw leaves nothing of the first."""
    batch.randomize("body_mass", scale=(0.8, 1.2), seed=3)
    once = batch.parameters["body_subtreemass"].copy()
    batch.randomize("body_mass", scale=(0.8, 1.2), seed=4)
    twice = batch.parameters["body_subtreemass"].copy()
    assert not np.array_equal(once, twice)
    batch.parameters["body_mass"] = batch.model.body_mass
    batch.set_const()
    expected = np.broadcast_to(batch.model.body_subtreemass, twice.shape)
    np.testing.assert_array_equal(batch.parameters["body_subtreemass"], expected)


def test_constants_of_some_worlds(batch):
    """Others keep those that they had; numbers of no worlds are refused."""
    batch.expand("body_mass")
    batch.parameters["body_mass"][:, 1:] *= 2.0
    batch.set_const([1, 7])
    doubled = 2.0 * batch.model.body_subtreemass
    found = batch.parameters["body_subtreemass"]
    np.testing.assert_allclose(found[[1, 7]], np.stack([doubled, doubled]))
    others = np.delete(found, [1, 7], axis=0)
    np.testing.assert_array_equal(others, np.stack([batch.model.body_subtreemass] * 8))
    for wrong in ([10], [-1], [0.5], 3):
        with pytest.raises(cf.ArgumentError, match="worlds: expected numbers from 0 to 9"):
            batch.set_const(wrong)


def test_some_elements_are_drawn(batch, model):
    """Others keep the model's values; what nothing depends on expands nothing else."""
    batch.randomize("dof_damping", add=(0.1, 0.2), seed=0, elements=[1])
    assert list(batch.parameters) == ["dof_damping"]
    added = batch.parameters["dof_damping"] - model.dof_damping
    assert np.all(added[:, 0] == 0.0) and np.all((added[:, 1] > 0.09) & (added[:, 1] < 0.21))


def test_what_cannot_be_drawn(batch):
    """Ranges the wrong way round, both ways at once, integers."""
    for given in ({}, {"scale": (1.2, 0.8)}, {"scale": 2.0}, {"scale": (0, 1), "add": (0, 1)}):
        with pytest.raises(cf.ArgumentError):
            batch.randomize("body_mass", **given)
    with pytest.raises(cf.ShapeError, match="body_parentid"):
        batch.randomize("body_parentid", scale=(1, 2))


def test_save_and_load(batch, model, tmp_path):
    """Every bit of states, inputs and parameters comes back, and goes on the same."""
    batch.randomize("body_mass", scale=(0.8, 1.2))
    batch.step_all(4, ctrl=0.3)
    batch.save(tmp_path / "batch.npz")
    twin = cf.BatchSim(model, 10)
    twin.load(tmp_path / "batch.npz")
    assert twin.get_states().tobytes() == batch.get_states().tobytes()
    assert list(twin.parameters) == list(batch.parameters)
    batch.step_all(20), twin.step_all(20)
    assert twin.get_states().tobytes() == batch.get_states().tobytes()


def test_what_cannot_be_loaded(batch, tmp_path):
    """Other models, other numbers of worlds, files that are something else: nothing changes."""
    batch.save(tmp_path / "batch.npz")
    (tmp_path / "text.npz").write_text("no archive")
    before = batch.get_states()
    with pytest.raises(cf.StateError, match="not a saved batch"):
        batch.load(tmp_path / "text.npz")
    with pytest.raises(cf.StateError, match="another model"):
        cf.BatchSim(cf.Model.from_mjcf(find("humanoid_floating")), 10).load(tmp_path / "batch.npz")
    with pytest.raises(cf.ShapeError, match="states"):
        cf.BatchSim(batch.model, 9).load(tmp_path / "batch.npz")
    assert batch.get_states().tobytes() == before.tobytes()
