"""Kernels of a task inside the calls of a batch: fields of their own, draws, episodes."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.batch.draws import uniform_draws
from cortenforge.kernel import kernel, select

SCENE = """<mujoco><option timestep="0.005"/><worldbody>
<geom name="floor" type="plane" size="5 5 1"/>
<body name="ball" pos="0 0 .12"><freejoint/><geom name="big" size=".1"/>
<body pos=".3 0 0"><joint name="arm" axis="0 1 0" damping=".1"/><geom size=".05"/></body></body>
</worldbody><actuator><motor joint="arm"/></actuator></mujoco>"""
#: of the reset below
NOISE = 0.1


@kernel(lanes=True)
def scale_action(m, d):
    """Controls from actions, and the place where the call begins."""
    d.ctrl[0] = 0.5 * d.action[0]
    d.last_x = d.qpos[0]


@kernel(lanes=True)
def count_high(m, d):
    """Count steps of the physics in which the ball is high, in cells of a table."""
    d.steps = d.steps + 1.0
    for k in range(2):
        d.high[k, 0] = d.high[k, 0] + select(d.qpos[2] > 0.05 * (k + 1), 1.0, 0.0)


@kernel(lanes=True)
def reward_speed(m, d):
    """Reward of the way in a call, and whether the ball has fallen."""
    d.reward = d.qpos[0] - d.last_x
    d.done = select(d.qpos[2] < 0.099, 1.0, 0.0)
    d.load = d.cfrc_ext[1, 0]


@kernel(lanes=True)
def begin(m, d):
    """Noise on positions and velocities."""
    for i in range(3):
        d.qpos[i] = d.qpos[i] + NOISE * d.uniform[i]
    for i in range(m.nv):
        d.qvel[i] = d.normal[i]
    d.steps = 0.0
    d.done = 0.0


@kernel(lanes=True)
def look(m, d):
    """Observation: height and arm."""
    d.obs[0] = d.xpos[1, 2]
    d.obs[1] = d.qpos[7]


STATE = {
    "action": 1, "last_x": (), "reward": (), "done": (), "steps": (), "load": (), "obs": (2,),
    "high": (2, 1),
}  # fmt: skip


def program(**other) -> cf.WorldProgram:
    given = dict(
        state=STATE, before=scale_action, substep=count_high, after=reward_speed, reset=begin,
        observe=look, requests=("cfrc_ext",), uniforms=3, normals=7,
    )  # fmt: skip
    return cf.WorldProgram(**{**given, **other})


@pytest.fixture(scope="module")
def model() -> cf.Model:
    return cf.Model.from_mjcf(SCENE)


def begun(model: cf.Model, n: int, threads: int = 1, **other) -> cf.BatchSim:
    batch = cf.BatchSim(model, n, threads=threads, program=program(**other))
    batch.seed(7)
    batch.restart_where(np.ones(n, bool))
    return batch


def everything(batch: cf.BatchSim) -> np.ndarray:
    own = [np.reshape(values, (batch.n, -1)) for values in batch.world_state.values()]
    return np.hstack([batch.get_states(), *own])


def test_kernels_run_at_their_places(model):
    """They compute what the same lines compute in NumPy, before, during and after the steps."""
    batch, rng = begun(model, 20), np.random.default_rng(0)
    plain = cf.BatchSim(model, 20)
    plain.bind("xpos", "cfrc_ext")
    plain.set_states(batch.get_states())
    own = batch.world_state
    assert (own["episode"] == 0).all() and (own["draw"] == 10).all()
    for _ in range(5):
        actions = rng.normal(size=(20, 1))
        own["action"] = actions
        start, high, before = batch.qpos[:, 0].copy(), own["high"].copy(), own["steps"].copy()
        assert batch.step_all(4) == [None] * 20
        for _ in range(4):
            plain.step_all(ctrl=0.5 * actions)
            high[:, :, 0] += plain.qpos[:, 2:3] > [0.05, 0.1]
        np.testing.assert_array_equal(batch.get_states(), plain.get_states())
        np.testing.assert_array_equal(own["reward"], plain.qpos[:, 0] - start)
        np.testing.assert_array_equal(own["done"], plain.qpos[:, 2] < 0.099)
        np.testing.assert_array_equal(own["steps"], before + 4)
        np.testing.assert_array_equal(own["high"], high)
        np.testing.assert_array_equal(own["load"], plain.cfrc_ext[:, 1, 0])
        seen = np.stack([plain.xpos[:, 1, 2], plain.qpos[:, 7]], axis=1)
        np.testing.assert_array_equal(own["obs"], seen)
    assert own["done"].any() and not own["done"].all() and own["load"].any()


def test_long_calls_run_before_and_after_once(model):
    """A call that is taken in slices is one call to the program."""
    batch = begun(model, 9)
    start = batch.qpos[:, 0].copy()
    batch.step_all(700)
    np.testing.assert_array_equal(batch.world_state["reward"], batch.qpos[:, 0] - start)
    assert (batch.world_state["steps"] == 700).all()


def test_episodes_begin_with_their_draws(model):
    """Draws depend on seed, world and episode; NumPy gives the same numbers."""
    batch = begun(model, 20)
    own, worlds = batch.world_state, np.arange(20)
    first = batch.qpos[:, :3].copy()
    expected = model.qpos0[:3] + NOISE * uniform_draws(7, worlds, 0, 0, 3)
    # kernels fuse the product and the sum, and NumPy rounds twice
    np.testing.assert_allclose(first, expected, rtol=1e-15)
    assert abs(batch.qvel.mean()) < 0.3 and 0.7 < batch.qvel.std() < 1.3
    mask = worlds % 3 == 0
    before = everything(batch)
    batch.restart_where(mask)
    np.testing.assert_array_equal(everything(batch)[~mask], before[~mask])
    again = model.qpos0[:3] + NOISE * uniform_draws(7, worlds[mask], 1, 0, 3)
    np.testing.assert_allclose(batch.qpos[mask, :3], again, rtol=1e-15)
    np.testing.assert_array_equal(own["episode"], mask)
    seen = np.stack([batch.qpos[:, 2], batch.qpos[:, 7]], axis=1)
    np.testing.assert_array_equal(own["obs"][mask], seen[mask])
    # the same seed again: the same episodes
    batch.seed(7)
    batch.restart_where(np.ones(20, bool))
    np.testing.assert_array_equal(batch.qpos[:, :3], first)
    batch.seed(8)
    batch.restart_where(np.ones(20, bool), qvel=np.ones(7))
    assert (batch.qpos[:, :3] != first).all()


@kernel(lanes=True)
def push(m, d):
    """A force that is drawn anew for each call."""
    d.qfrc_applied[0] = d.normal[0]
    d.ctrl[0] = d.uniform[1]


def test_draws_of_calls(model):
    """Each call goes on where the last one of the episode ended."""
    batch = begun(model, 9, before=push, step_uniforms=2, step_normals=1)
    seen = []
    for _ in range(3):
        batch.step_all(2)
        seen.append(batch.ctrl[:, 0].copy())
    worlds = np.arange(9)
    for call, found in enumerate(seen):
        # ten at the reset, and three a call
        expected = uniform_draws(7, worlds, 0, 10 + 3 * call, 2)[:, 1]
        np.testing.assert_array_equal(found, expected)
    assert len(np.unique(seen)) == 27


@pytest.mark.parametrize("threads", [1, 2])
def test_worlds_do_not_depend_on_others(model, threads):
    """One world alone, or among others on several threads: the same bits."""
    many, one = begun(model, 33, threads), begun(model, 1)
    one.world_state["world"] = 17
    one.seed(7)
    one.restart_where([True])
    for batch in (many, one):
        for k in range(6):
            batch.world_state["action"] = 0.3 * k
            batch.step_all(3)
            batch.restart_where(batch.world_state["done"] > 0)
    np.testing.assert_array_equal(everything(many)[17], everything(one)[0])
    assert many.world_state["episode"].max() > 0


def test_a_world_that_fails_keeps_its_fields(model):
    batch = begun(model, 9)
    batch.step_all(2)
    kept = {name: values[4].copy() for name, values in batch.world_state.items()}
    batch.qpos[4, 0] = np.nan
    errors = batch.step_all(2)
    assert [i for i, error in enumerate(errors) if error] == [4]
    for name, values in batch.world_state.items():
        np.testing.assert_array_equal(values[4], kept[name])
    assert (batch.world_state["steps"] == np.where(np.arange(9) == 4, 2, 4)).all()
    batch.restart_where(np.arange(9) == 4)
    assert batch.step_all(2) == [None] * 9


def test_own_fields_are_columns_of_tables(model):
    """An observation that a kernel computes, in float32, beside others."""
    batch = begun(model, 9)
    table = np.zeros((9, 4), np.float32)
    batch.bind("obs", "qvel[:1]", "in_contact[floor, big]", into=table)
    batch.step_all(3)
    np.testing.assert_array_equal(table[:, :2], batch.world_state["obs"].astype(np.float32))
    np.testing.assert_array_equal(table[:, 2], batch.qvel[:, 0].astype(np.float32))
    batch.restart_where(np.ones(9, bool))
    np.testing.assert_array_equal(table[:, :2], batch.world_state["obs"].astype(np.float32))


def test_worlds_that_differ_in_their_model(model):
    """Parameters of each world's own go with programs."""
    batch = begun(model, 9)
    batch.expand("opt_gravity")
    batch.parameters["opt_gravity"][3, 2] = 0.0
    batch.step_all(3)
    assert (batch.world_state["steps"] == 3).all()
    # the ball of the third world falls no faster, but for its arm's swing
    assert batch.qvel[3, 2] > np.delete(batch.qvel[:, 2] - batch.qvel[:, 2].mean(), 3).min()


def test_copies_have_the_program(model):
    batch = begun(model, 9)
    batch.step_all(2)
    for twin in (batch.copy(), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        np.testing.assert_array_equal(everything(twin), everything(batch))
    for one in (batch, twin):
        one.step_all(3)
        one.restart_where(np.arange(9) < 4)
    np.testing.assert_array_equal(everything(twin), everything(batch))


@kernel
def not_in_lanes(m, d):
    d.ctrl[0] = 0.0


@kernel(lanes=True)
def branches(m, d):
    if d.qpos[0] > 0.0:
        d.ctrl[0] = 0.0


@kernel(lanes=True)
def of_three(m, d, i: int):
    d.ctrl[i] = 0.0


BAD = {
    "after: expected a kernel, a function with @kernel": dict(after=print),
    r"after: expected a kernel \(m, d\) with @kernel.lanes=True.": dict(after=not_in_lanes),
    "before: expected a kernel": dict(before=of_three),
    "may differ between worlds; use select": dict(reset=branches),
    "Data has a field 'qpos'": dict(state={"qpos": 3}),
    "'episode' cannot be the name": dict(state={"episode": 1}),
    "'a b' cannot be": dict(state={"a b": 1}),
    "expected a shape such as": dict(state={"x": (1, 2, 3)}),
    "expected a shape": dict(state={"x": "3"}),
    "requests: expected some of cacc": dict(requests=("xpos",)),
    "uniforms: expected a whole number": dict(uniforms=-1),
}


@pytest.mark.parametrize("words", BAD)
def test_bad_programs_are_refused(words):
    """When they are made, with what is wrong."""
    with pytest.raises(cf.CortenForgeError, match=words):
        cf.WorldProgram(**BAD[words])


def test_bad_uses_are_refused(model):
    with pytest.raises(cf.ArgumentError, match=r"expected a cf\.WorldProgram"):
        cf.BatchSim(model, 3, program=begin)
    plain = cf.BatchSim(model, 3)
    with pytest.raises(cf.ArgumentError, match="no program"):
        plain.restart_where(np.ones(3, bool))
    with pytest.raises(cf.ArgumentError, match="no program"):
        plain.seed(1)
    batch = begun(model, 3)
    with pytest.raises(cf.ArgumentError, match="seed: "):
        batch.seed(2**31)
    with pytest.raises(cf.UnknownName, match="did you mean 'reward'"):
        batch.world_state["rewards"]
    with pytest.raises(cf.ShapeError, match="action"):
        batch.world_state["action"] = np.zeros(5)
    with pytest.raises(cf.UnknownAttribute, match="cannot be assigned"):
        batch.program = None
    called = model.copy()
    called.callbacks.control = lambda model, data: None
    with pytest.raises(cf.ArgumentError, match="a batch with a program takes kernels"):
        cf.BatchSim(called, 3, program=program()).step_all()


def test_draws_are_spread():
    """Uniform numbers of neighbours in world, episode and draw are independent."""
    numbers = np.stack([uniform_draws(3, np.arange(200), e, 0, 50) for e in range(20)])
    assert abs(numbers.mean() - 0.5) < 0.004 and abs(numbers.var() - 1 / 12) < 0.001
    assert len(np.unique(numbers)) > 0.999 * numbers.size
    flat = numbers - 0.5
    for axis in range(3):
        near = (flat * np.roll(flat, 1, axis)).mean()
        assert abs(near) < 0.001
