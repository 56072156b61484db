"""Pools in one process: what they compute, and what they refuse.  They need no Ray."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from tests.ray import pool_work as work


@pytest.fixture
def pool() -> cf.ray.Pool:
    """Ants in this process."""
    return cf.ray.Pool(work.ant(), work.WORLDS, workers=0, shard=work.SHARD, seed=2)


def test_steps_are_those_of_a_batch(pool: cf.ray.Pool) -> None:
    """Bit by bit, with fields, and from states that were set."""
    batch = cf.BatchSim(work.ant(), work.WORLDS)
    rng = np.random.default_rng(0)
    batch.qvel[:] = 0.1 * rng.normal(size=batch.qvel.shape)
    pool.set_states(batch.get_states())
    batch.bind("xpos")
    for nstep in (4, 3):
        ctrl = rng.uniform(-1, 1, (work.WORLDS, batch.model.nu))
        batch.step_all(nstep, ctrl=ctrl)
        found = pool.step(nstep, ctrl=ctrl, fields=["xpos"])
        np.testing.assert_array_equal(found.states, batch.get_states())
        np.testing.assert_array_equal(found.fields["xpos"], batch.xpos)
        assert found.errors == [None] * work.WORLDS
    # the controls of before go on
    batch.step_all(2)
    np.testing.assert_array_equal(pool.step(2).states, batch.get_states())
    np.testing.assert_array_equal(pool.get_states(), batch.get_states())
    pool.reset()
    batch.reset_all()
    np.testing.assert_array_equal(pool.get_states(), batch.get_states())


def test_rollouts_are_those_of_a_batch(pool: cf.ray.Pool) -> None:
    """With controls of each world and for all, errors included; `rollout` makes its own pool."""
    model = work.ant()
    batch = cf.BatchSim(model, work.WORLDS)
    states = batch.get_states()
    states[9, 1 + model.nq] = np.inf
    controls = np.random.default_rng(0).uniform(-1, 1, (work.WORLDS, 3, model.nu))
    before = pool.get_states()
    for given in (controls, controls[0]):
        wanted = batch.rollout(states, given, fields=["xpos"], nstep=2)
        found = pool.rollout(states, given, fields=["xpos"], nstep=2)
        whole = cf.ray.rollout(model, states, given, fields=["xpos"], nstep=2, workers=0)
        for one in (found, whole):
            np.testing.assert_array_equal(one.states, wanted.states)
            np.testing.assert_array_equal(one.fields["xpos"], wanted.fields["xpos"])
            assert [str(error) for error in one.errors] == [str(error) for error in wanted.errors]
    assert isinstance(found.errors[9], cf.InvalidVelocity)
    np.testing.assert_array_equal(pool.get_states(), before)


def test_generators_belong_to_worlds_and_calls() -> None:
    """They are those of the seed, the world and the call, whatever the shards are."""
    drawn = []
    for shard in (8, 50):
        with cf.ray.Pool(work.ant(), work.WORLDS, workers=0, shard=shard, seed=2) as pool:
            drawn += [np.concatenate(pool.map(work.randomise, 1.0)) for _ in range(2)]
    np.testing.assert_array_equal(drawn[0], drawn[2])
    np.testing.assert_array_equal(drawn[1], drawn[3])
    assert len(np.unique(drawn)) == 2 * work.WORLDS
    with cf.ray.Pool(work.ant(), work.WORLDS, workers=0, seed=3) as other:
        assert not np.isin(other.map(work.randomise, 1.0)[0], drawn).any()


def test_functions_change_worlds(pool: cf.ray.Pool) -> None:
    """States and parameters are kept from call to call, and go when the pool is reset."""
    masses = np.concatenate(pool.map(work.randomise, 0.5))
    found = pool.map(lambda shard: shard.batch.parameters["body_mass"][:, 1].copy())
    usual = work.ant().body_mass[1]
    np.testing.assert_allclose(np.concatenate(found), usual * masses, rtol=1e-15)
    heavy = pool.step(20).states
    pool.reset()
    assert pool.map(lambda shard: len(shard.batch.parameters)) == [0] * 7
    assert np.abs(heavy - pool.step(20).states).max() > 1e-3


def test_rows_go_with_their_worlds(pool: cf.ray.Pool) -> None:
    """Each shard gets its rows of arrays, and numbers of its worlds."""
    numbers = np.arange(work.WORLDS) * 10
    found = pool.map(lambda shard, scale, rows: shard.worlds * scale - rows, 10, rows=[numbers])
    np.testing.assert_array_equal(np.concatenate(found), 0)
    assert [len(one) for one in found] == [8] * 6 + [2]


def test_noise_belongs_to_worlds() -> None:
    """Generators of sensor noise are part of a world's state."""
    text = """<mujoco><worldbody><body><joint name="h"/><geom size=".1" pos="0 0 -.3"/></body>
    </worldbody><sensor><jointpos joint="h" noise=".1"/></sensor></mujoco>"""
    model = cf.Model.from_mjcf(text)
    batch = cf.BatchSim(model, 20)
    batch.bind("sensordata")
    batch.seed_noise(7)
    with cf.ray.Pool(model, 20, workers=0, shard=8) as pool:
        pool.map(lambda shard: shard.batch.seed_noise(7 + int(shard.worlds[0])))
        for _ in range(3):
            batch.step_all()
            found = pool.step(fields=["sensordata"]).fields["sensordata"]
            np.testing.assert_array_equal(found, batch.sensordata)
    assert len(np.unique(found)) == 20


def test_policies_are_evaluated_by_seed() -> None:
    """As by hand, an episode for each seed, and worlds of the pool stay as they are."""
    model = work.cartpole()
    seeds = np.array([4, 4, 17, 3])
    with cf.ray.Pool(model, 3, workers=0) as pool:
        before = pool.get_states()
        found = work.evaluate(pool, seeds)
        np.testing.assert_array_equal(pool.get_states(), before)
    assert found.returns[0] == found.returns[1] != found.returns[2]
    assert found.steps.tolist() == [30] * 4 and found.errors == [None] * 4
    data, total = model.make_data(), 0.0
    data.qpos[1] = np.random.default_rng(17).uniform(-0.2, 0.2)
    act = work.policy(np.array([17]))
    for _ in range(30):
        data.ctrl[:] = act(np.concatenate([data.qpos, data.qvel])[None])[0]
        data.step(2)
        total += np.cos(data.qpos[1])
    assert found.returns[2] == pytest.approx(total, rel=1e-12)


def test_failed_episodes_end() -> None:
    """Their returns are those up to there, and the rest goes on."""

    def begin(batch: cf.BatchSim, generators: list[np.random.Generator]) -> None:
        batch.qvel[0, 0] = np.inf

    with cf.ray.Pool(work.cartpole(), 1, workers=0) as pool:
        found = pool.evaluate(work.policy, [1, 2, 3], reward=work.upright, steps=5, begin=begin)
    assert isinstance(found.errors[0], cf.InvalidVelocity) and found.errors[1:] == [None] * 2
    assert found.steps.tolist() == [0, 5, 5] and found.returns[0] == 0


def test_rollouts_become_tables(tmp_path: Path) -> None:
    """A row for each world and time: in Arrow, and the same read from Parquet."""
    reason = 'needs PyArrow: pip install "cortenforge[ray]"'
    parquet = pytest.importorskip("pyarrow.parquet", reason=reason)
    model = work.cartpole()
    states = np.tile(model.make_data().get_state(), (3, 1))
    states[1, 1 + model.nq] = np.inf
    run = cf.ray.rollout(
        model, states, np.zeros((4, model.nu)), fields=["xpos"], workers=0, progress=False
    )
    table = cf.ray.arrow_table(run)
    cf.ray.write_parquet(run, tmp_path / "run.parquet")
    # as text, in which numbers that are none are alike; Parquet names elements of lists otherwise
    assert str(parquet.read_table(tmp_path / "run.parquet").to_pydict()) == str(table.to_pydict())
    assert table["world"].to_pylist() == [0] * 4 + [1] * 4 + [2] * 4
    assert table["time"].to_pylist() == [0, 1, 2, 3] * 3
    found = np.array(table["state"].to_pylist()).reshape(run.states.shape)
    np.testing.assert_array_equal(found, run.states)
    found = np.array(table["xpos"].to_pylist()).reshape(run.fields["xpos"].shape)
    np.testing.assert_array_equal(found, run.fields["xpos"])
    texts = table["error"].to_pylist()
    assert texts[:4] == texts[8:] == [None] * 4 and "qvel" in texts[4]


def test_misuse_is_refused(pool: cf.ray.Pool) -> None:
    """Arguments, shapes, names, and functions that fail."""
    model = work.ant()
    for arguments, name in (
        ({"worlds": 0}, "worlds: expected a whole number from 1"),
        ({"shard": 0}, "shard"),
        ({"workers": -1}, "workers"),
        ({"seed": 1.5}, "seed"),
        ({"threads": 0}, "threads"),
    ):
        with pytest.raises((cf.ArgumentError, cf.ShapeError), match=name):
            cf.ray.Pool(model, **{"worlds": 1, "workers": 0, **arguments})
    with pytest.raises(cf.ShapeError, match=r"ctrl: expected \(50, 8\), got \(49, 8\)"):
        pool.step(ctrl=np.zeros((49, 8)))
    with pytest.raises(cf.ShapeError, match="states"):
        pool.set_states(np.zeros(3))
    with pytest.raises(cf.ShapeError, match="controls: expected 50 worlds"):
        pool.rollout(pool.get_states(), np.zeros((2, 3, 8)))
    with pytest.raises(cf.ShapeError, match="rows: expected 50"):
        pool.map(work.positions, rows=[np.zeros(3)])
    with pytest.raises(cf.ArgumentError, match="function"):
        pool.map("positions")  # type: ignore[arg-type]
    with pytest.raises(cf.ArgumentError, match="seeds"):
        pool.evaluate(work.policy, [-1], reward=work.upright, steps=1)
    with pytest.raises(cf.ShapeError, match=r"reward: expected an array \(1,\)"):
        pool.evaluate(lambda seeds: lambda seen: 0, [1], reward=lambda batch: 0.0, steps=1)
    with pytest.raises(cf.UnknownAttribute, match="'set_states'"):
        _ = pool.set_state
    with pytest.raises(KeyError, match="0"):
        pool.map(work.failing)


def test_workers_need_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, pools work in this process, unless workers are asked for."""
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with cf.ray.Pool(work.cartpole(), 2) as pool:
        assert pool.workers == 0 and "this process" in repr(pool)
    with pytest.raises(cf.MissingPackage, match=r'workers=2 needs Ray: .*"cortenforge\[ray\]"'):
        cf.ray.Pool(work.cartpole(), 2, workers=2)
