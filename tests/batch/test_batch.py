"""The surface of BatchSim: errors, resets, views, parameters, rollouts."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Enable
from cortenforge.models import find


@pytest.fixture(scope="module")
def model():
    return cf.Model.from_mjcf(find("double_pendulum"))


@pytest.fixture
def batch(model):
    batch = cf.BatchSim(model, 11, threads=2)
    batch.qpos[:] = np.random.default_rng(0).normal(size=batch.qpos.shape)
    return batch


def test_bit_exact_determinism(batch, model):
    """9-AC1: step_all gives every world the state that Data.step gives it."""
    start = batch.get_states()
    assert batch.step_all(25) == [None] * 11
    for i in range(11):
        data = model.make_data()
        data.set_state(start[i])
        data.step(25)
        np.testing.assert_array_equal(data.get_state().vector, batch.get_states()[i])


def test_error_isolation(batch):
    """9-AC2: a failing world does not change any other, and keeps its own state."""
    twin = cf.BatchSim(batch.model, 11)
    twin.set_states(batch.get_states())
    batch.qpos[3, 0] = np.nan
    batch.qvel[8, 1] = 1e12
    errors = batch.step_all(10)
    assert twin.step_all(10) == [None] * 11
    assert [i for i, e in enumerate(errors) if e] == [3, 8]
    assert isinstance(errors[3], cf.InvalidPosition) and isinstance(errors[8], cf.InvalidVelocity)
    assert errors[3].steps_done == 0 and "qpos[0]" in str(errors[3])
    others = [i for i in range(11) if i not in (3, 8)]
    np.testing.assert_array_equal(batch.get_states()[others], twin.get_states()[others])
    assert np.isnan(batch.qpos[3, 0]) and batch.qvel[8, 1] == 1e12 and batch.time[3] == 0.0


def test_failure_in_the_middle_keeps_the_last_good_state(model):
    """A world that diverges after some steps stops where a single world stops."""
    explosive = cf.Model.from_mjcf(find("double_pendulum"))
    explosive.opt.timestep = 0.5
    explosive.jnt_stiffness[:] = 1e4
    batch = cf.BatchSim(explosive, 4)
    batch.qpos[1] = 1.0
    start = batch.get_states()
    errors = batch.step_all(1000)
    data = explosive.make_data()
    data.set_state(start[1])
    with pytest.raises(cf.StepError) as caught:
        data.step(1000)
    assert errors[1].steps_done == caught.value.steps_done > 0
    np.testing.assert_array_equal(batch.get_states()[1], data.get_state().vector)


def test_no_auto_reset(batch):
    """9-AC3: a failed world fails again until it is reset."""
    batch.qpos[3, 0] = np.nan
    assert batch.step_all()[3] is not None
    assert batch.step_all()[3] is not None
    batch.reset(3)
    assert batch.step_all()[3] is None


def test_sequential_fallback(batch):
    """9-AC6: one thread gives the same bits as several."""
    single = cf.BatchSim(batch.model, 11, threads=1)
    single.set_states(batch.get_states())
    batch.step_all(20)
    single.step_all(20)
    np.testing.assert_array_equal(single.get_states(), batch.get_states())


def test_bound_fields_are_filled_after_a_step(batch):
    """Any derived field as (n, ...); others say how to get them."""
    with pytest.raises(AttributeError, match=r"batch.bind\('xpos'\)"):
        _ = batch.xpos
    batch.bind("xpos", "energy")
    batch.bind("qacc")
    batch.step_all(3)
    assert batch.xpos.shape == (11, batch.model.nbody, 3) and batch.qacc.shape == batch.qvel.shape
    batch.forward_all()
    data = batch.env(4)
    data.forward()
    np.testing.assert_array_equal(batch.xpos[4], data.xpos)
    np.testing.assert_array_equal(batch.qacc[4], data.qacc)
    with pytest.raises(cf.ShapeError, match="status"):
        batch.bind("status")


def test_env_shares_state_with_the_batch(batch):
    """What is written to one is seen by the other."""
    data = batch.env(2)
    data.qpos[0] = 0.125
    assert batch.qpos[2, 0] == 0.125
    data.step(3)
    assert batch.time[2] == data.time > 0
    batch.qvel[2] = 7.0
    assert (data.qvel == 7.0).all()
    with pytest.raises(IndexError):
        batch.env(-1)


def test_assignment_checks_shapes(batch):
    """Whole arrays can be assigned; wrong shapes are refused."""
    batch.qpos = np.zeros(batch.qpos.shape)
    batch.qvel = 1.0
    assert not batch.qpos.any() and (batch.qvel == 1.0).all()
    with pytest.raises(cf.ShapeError, match="qpos"):
        batch.qpos = np.zeros((3, 3))
    with pytest.raises(cf.ShapeError):
        cf.BatchSim(batch.model, -1)
    with pytest.raises(ValueError, match="nstep"):
        batch.step_all(-1)


def test_empty_and_dofless_batches(model):
    """n = 0 and nv = 0 are batches like others."""
    assert cf.BatchSim(model, 0).step_all(5) == []
    still = cf.Model.from_mjcf("<mujoco><worldbody><body/></worldbody></mujoco>")
    batch = cf.BatchSim(still, 3)
    assert batch.step_all(5) == [None] * 3
    assert batch.time == pytest.approx(5 * still.opt.timestep)


def test_worlds_with_parameters_of_their_own(batch, model):
    """Expanded fields differ between worlds; each world is what a model so edited would give."""
    batch.expand("body_mass", "opt_gravity")
    batch.parameters["body_mass"][4] *= 2.0
    batch.parameters["opt_gravity"][5] = [0, 0, -1.62]
    start = batch.get_states()
    batch.bind("qacc")
    assert batch.step_all(10) == [None] * 11
    for i in (3, 4, 5):
        edited = cf.Model.from_mjcf(find("double_pendulum"))
        edited.body_mass = batch.parameters["body_mass"][i]
        edited.opt.gravity = batch.parameters["opt_gravity"][i]
        data = edited.make_data()
        data.set_state(start[i])
        data.step(10)
        np.testing.assert_array_equal(data.qpos, batch.qpos[i])
        np.testing.assert_array_equal(data.qacc, batch.qacc[i])
    with pytest.raises(cf.ShapeError, match="body_parentid"):
        batch.expand("body_parentid")
    assert batch.bytes_per_world > 0


def test_failures_among_worlds_with_parameters(batch):
    """Errors are as isolated and as detailed as in lockstep."""
    batch.expand("dof_damping")
    batch.bind("xpos")
    batch.qvel[6, 1] = np.inf
    twin = batch.env(2).copy()
    errors = batch.step_all(4)
    assert [i for i, e in enumerate(errors) if e] == [6]
    assert isinstance(errors[6], cf.InvalidVelocity) and errors[6].dof == 1
    twin.step(4)
    np.testing.assert_array_equal(twin.qpos, batch.qpos[2])
    batch.reset(6)
    batch.forward_all()
    env = batch.env(6)
    env.forward()
    np.testing.assert_array_equal(env.xpos, batch.xpos[6])


def test_rollout(model):
    """States and fields after each control, and the same as stepping by hand."""
    batch = cf.BatchSim(model, 3)
    start = np.array([model.make_data().get_state().vector] * 3)
    start[:, 1] = [0.1, 0.2, np.nan]
    result = batch.rollout(start, np.zeros((3, 6, 0)), fields=["xpos"], nstep=2)
    assert result.states.shape == (3, 6, start.shape[1])
    assert result.fields["xpos"].shape == (3, 6, model.nbody, 3)
    assert result.errors[0] is None and isinstance(result.errors[2], cf.InvalidPosition)
    data = model.make_data()
    data.set_state(start[1])
    data.step(12)
    np.testing.assert_array_equal(result.states[1, -1], data.get_state().vector)
    with pytest.raises(cf.ShapeError, match="controls"):
        batch.rollout(start, np.zeros((2, 6, 0)))
    with pytest.raises(cf.ShapeError, match="states"):
        batch.rollout(start[:2], np.zeros((6, 0)))


def test_unsupported_models_are_refused():
    """As for a single world."""
    bodies = '<body><freejoint/><geom size=".1"/></body>' * 2
    model = cf.Model.from_mjcf(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    model.opt.enableflags = int(Enable.IPC)
    with pytest.raises(cf.UnsupportedFeature, match="ipc"):
        cf.BatchSim(model, 2).step_all()
    model.opt.enableflags = 0
    model.opt.disableflags = 16
    model.opt.timestep = 0.0
    for n in (2, 9):
        errors = cf.BatchSim(model, n).step_all()
        assert len(errors) == n and all(isinstance(e, cf.InvalidTimestep) for e in errors)


def test_memory_is_reported():
    """4096 humanoids fit in 2 GB."""
    batch = cf.BatchSim(cf.Model.from_mjcf(find("humanoid_floating")), 16)
    assert 0 < batch.bytes_per_world < 2e9 / 4096


def test_feature_gated(model):
    """9-AC7: BatchSim needs no threads: with one, none is started; the bits are those of two."""
    one, two = cf.BatchSim(model, 17, threads=1), cf.BatchSim(model, 17, threads=2)
    there = set(threading.enumerate())
    assert one.threads == 1
    assert one.step_all(3) == [None] * 17
    assert set(threading.enumerate()) <= there
    assert two.step_all(3) == [None] * 17
    assert len(set(threading.enumerate()) - there) == 1
    np.testing.assert_array_equal(one.get_states(), two.get_states())


@pytest.mark.parametrize("index", [-1, 11, 10**9])
def test_zero_unwrap(batch, index):
    """An index that does not exist is a typed error, and nothing changes."""
    before = batch.get_states()
    for call in (batch.reset, batch.env):
        with pytest.raises(IndexError, match="the batch has 11"):
            call(index)
    with pytest.raises(cf.ShapeError):
        batch.set_states(np.zeros((2, 2)))
    np.testing.assert_array_equal(batch.get_states(), before)


@pytest.mark.parametrize("value", [None, "text", 1j, [None, 1.0], object(), [[1.0], [1.0, 2.0]]])
def test_only_real_numbers_are_assigned(batch, value):
    """None does not become NaN: what is no real number is refused, and nothing changes."""
    before = batch.get_states()
    with pytest.raises(cf.ShapeError, match="qpos: expected"):
        batch.qpos = value
    np.testing.assert_array_equal(batch.get_states(), before)


def test_states_of_another_model_are_refused(batch):
    """A State knows its model, also in a batch."""
    spec = cf.Spec.from_mjcf(find("double_pendulum"))
    spec.worldbody.add("site", name="another")
    wrong, right = spec.compile().make_data().get_state(), batch.env(2).get_state()
    before = batch.get_states()
    for states in (wrong, [wrong] * 11, [right] * 10 + [wrong]):
        with pytest.raises(cf.StateError, match="another model"):
            batch.set_states(states)
    with pytest.raises(cf.StateError, match="real numbers"):
        batch.set_states(before + 1j)
    np.testing.assert_array_equal(batch.get_states(), before)
    batch.set_states(right)
    np.testing.assert_array_equal(batch.get_states(), np.tile(before[2], (11, 1)))


def test_impossible_counts_are_refused(batch):
    """A count that 64 bits cannot hold is an error, not another count."""
    for nstep in (-1, 2**64):
        with pytest.raises(cf.ArgumentError, match="nstep"):
            batch.step_all(nstep)


def test_worlds_of_a_batch_one_after_another() -> None:
    """003: `envs()`, and the batch itself, give every world as a Data that is a view of it."""
    batch = cf.BatchSim(cf.Model.from_mjcf(cf.models.find("double_pendulum")), 5, threads=1)
    for i, world in enumerate(batch.envs()):
        world.qvel[0] = i
    assert batch.qvel[:, 0].tolist() == [0, 1, 2, 3, 4]
    assert [world.qvel[0] for world in batch] == [0, 1, 2, 3, 4]
    assert all(isinstance(world, cf.Data) and world.model is batch.model for world in batch)
    with pytest.raises(IndexError):
        batch.env(5)
