"""Models, worlds, batches and descriptions as pickles and copies: the same bits, and small."""

from __future__ import annotations

import copy
import functools
import multiprocessing
import pickle
import sys
from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import (
    ArgumentError,
    BatchTooLarge,
    MjcfError,
    ModelError,
    StateError,
    SubsetError,
    UnsupportedFeature,
)

PILE = """
<mujoco>
  <option timestep="0.005"><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="a" pos="0 0 0.1"><freejoint/><geom name="box" type="box" size="0.1 0.1 0.1"/></body>
    <body name="b" pos="0.05 0 0.35"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="c" pos="2 0 1">
      <joint name="swing" axis="0 1 0" damping="0.1"/><geom size="0.05" pos="0.3 0 0"/>
    </body>
  </worldbody>
  <actuator>
    <general name="push" joint="swing" dyntype="filter" dynprm="0.1" gainprm="0.2"/>
  </actuator>
  <sensor><jointpos name="angle" joint="swing" noise="0.01"/></sensor>
</mujoco>
"""
SOFT = """
<mujoco><worldbody><geom type="plane" size="1 1 1"/></worldbody>
  <deformable><cloth name="flag" count="4 4" size="0.3 0.3" pos="0 0 0.1"/></deformable></mujoco>
"""


def push(model: cf.Model, data: cf.Data) -> None:
    """A callback at the top of a module."""
    data.ctrl[0] = 1.0 - data.qpos[-1]


def pile() -> cf.Data:
    """A pile in motion, of a model that was edited in place, with inputs and noise."""
    model = cf.Model.from_mjcf(PILE)
    model.body_mass[1] *= 1.5
    model.geom_friction[1, 0] = 0.3
    model.opt.gravity = (0.1, 0, -9)
    model.vis.map.znear = 0.25
    data = model.make_data()
    data.seed_noise(3)
    data.ctrl[0] = 0.4
    data.xfrc_applied[2, 0] = 0.2
    data.step(60)
    return data


def twins(original: Any) -> dict[str, Any]:
    """The original once more, in every way there is."""
    return {
        **{f"pickle {p}": pickle.loads(pickle.dumps(original, p)) for p in (2, 4, 5)},
        "copy": copy.copy(original),
        "deepcopy": copy.deepcopy(original),
        "copy()": original.copy(),
    }


def fields(owner: Any) -> dict[str, bytes]:
    kept = [f.name for f in owner._engine.fields if f.role != "scratch"]
    return {name: owner._store.arrays[name].tobytes() for name in kept}


def test_a_world_goes_on_with_the_same_bits() -> None:
    """State, inputs, derived fields and room are as they were, and 100 steps later as well."""
    data = pile()
    found = twins(data)
    for way, twin in found.items():
        assert fields(twin) == fields(data), way
        assert twin._store.capacities == data._store.capacities, way
        assert twin.model.vis.map.znear == 0.25
        twin.step(100)
    data.step(100)
    for way, twin in found.items():
        assert twin.digest() == data.digest(), way
        assert twin.sensordata.tobytes() == data.sensordata.tobytes(), way


def test_sleepers_sleep_on() -> None:
    data = pile()
    data.model.opt.gravity = (0, 0, -9.81)
    data.xfrc_applied[:] = 0
    data.step(1500)
    assert (data.tree_asleep >= 0).any()
    twin = pickle.loads(pickle.dumps(data))
    assert twin.tree_asleep.tolist() == data.tree_asleep.tolist()
    for one in (data, twin):
        one.qvel[0] = 0.5
        one.step(50)
    assert twin.digest() == data.digest()


def test_a_model_is_as_it_was_edited() -> None:
    model = pile().model
    for way, twin in twins(model).items():
        assert twin.hash == model.hash and twin.names == model.names, way
        for name, array in model._store.arrays.items():
            if name not in ("watched_seen", "version"):
                assert twin._store.arrays[name].tobytes() == array.tobytes(), (way, name)
        assert not np.shares_memory(twin.body_mass, model.body_mass)
        assert twin.names["body"] is not model.names["body"]
        twin.body_mass[1] = 9
        twin.vis.rgba.haze[0] = 0.5
        twin.set_const()
        assert twin.make_data().model is twin
    assert model.body_mass[1] != 9 and model.vis.rgba.haze[0] != 0.5


def test_an_edit_that_cannot_be_is_found_in_the_copy() -> None:
    """What was edited after the model was last looked at is looked at where the copy is used."""
    model = cf.Model.from_mjcf(PILE)
    model.geom_matid[0] = 99_999_999
    twin = pickle.loads(pickle.dumps(model))
    with pytest.raises(ModelError, match="geom_matid"):
        twin.make_data().step()


def test_what_is_pickled_together_stays_together() -> None:
    data = pile()
    for again in (lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy):
        model, one, other = again((data.model, data, data.copy()))
        assert one.model is model and other.model is model and model is not data.model
    assert copy.copy(data).model is data.model


def test_pickles_are_small() -> None:
    """A world adds what people see of it; several share their model."""
    data = cf.Model.from_mjcf(cf.models.find("humanoid_floating")).make_data()
    data.step(10)
    model = len(pickle.dumps(data.model))
    assert model < 60_000
    assert len(pickle.dumps(data)) < model + 45_000
    assert len(pickle.dumps([data] * 10)) < model + 46_000


def test_deformables_come_along() -> None:
    data = cf.Model.from_mjcf(SOFT).make_data()
    data.step(40)
    twin = pickle.loads(pickle.dumps(data))
    for one in (data, twin):
        one.step(40)
    assert twin.digest() == data.digest()
    more = twin.model.with_deformables([cf.CapsuleChain.line((0, 0, 1), (1, 0, 1), 4, name="r")])
    assert more.names["soft"] == ["flag", "r"]


def test_callbacks_come_along_if_a_worker_can_find_them() -> None:
    data = pile()
    data.model.callbacks.control = push
    twin = pickle.loads(pickle.dumps(data))
    assert twin.model.callbacks.control is push
    for one in (data, twin):
        one.step(20)
    assert twin.digest() == data.digest() and twin.ctrl[0] != 0.4
    # what stands in no module can be copied, but not sent
    data.model.callbacks.control = lambda model, data: None
    assert copy.deepcopy(data).model.callbacks.control is data.model.callbacks.control
    assert data.model.copy().callbacks.control is data.model.callbacks.control


@pytest.mark.parametrize("wrap", [lambda f: f, functools.partial])
def test_functions_without_a_place_are_refused(wrap, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("cloudpickle", "ray.cloudpickle", "dill"):
        monkeypatch.delitem(sys.modules, package, raising=False)
    model = cf.Model.from_mjcf(PILE)
    model.callbacks.control = wrap(lambda model, data: None)
    with pytest.raises(ArgumentError, match=r"callbacks\.control: .* cannot be pickled"):
        pickle.dumps(model.make_data())


def test_a_callback_may_lead_back_to_its_model() -> None:
    model = cf.Model.from_mjcf(PILE)
    policy = Policy(model)
    model.callbacks.control = policy.act
    for again in (lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy):
        twin = again(model)
        assert twin.callbacks.control.__self__.model is twin
        twin.make_data().step(3)


class Policy:
    """Something that a program has around a model."""

    def __init__(self, model: cf.Model) -> None:
        self.model = model

    def act(self, model: cf.Model, data: cf.Data) -> None:
        """Controls."""
        assert model is self.model
        data.ctrl[:] = 0.1


def batch() -> cf.BatchSim:
    made = cf.BatchSim(cf.Model.from_mjcf(cf.models.find("double_pendulum")), 11, threads=2)
    made.randomize("body_mass", scale=(0.8, 1.2), seed=1)
    made.bind("xpos")
    made.qvel[:] = np.random.default_rng(0).normal(size=made.qvel.shape)
    made.step_all(20)
    return made


def test_a_batch_goes_on_with_the_same_bits() -> None:
    original = batch()
    found = twins(original)
    for way, twin in found.items():
        assert twin.parameters["body_mass"].tobytes() == original.parameters["body_mass"].tobytes()
        assert twin.xpos.tobytes() == original.xpos.tobytes(), way
        assert twin.threads == 2 and len(twin) == 11
        assert (twin.model is original.model) == (way in ("copy", "copy()"))
        twin.step_all(30)
    original.step_all(30)
    for way, twin in found.items():
        assert twin.get_states().tobytes() == original.get_states().tobytes(), way
        assert twin.xpos.tobytes() == original.xpos.tobytes(), way


def test_a_world_of_a_batch_leaves_it() -> None:
    """With its own parameters, and memory of its own."""
    original = batch()
    world = original.env(3)
    twin = pickle.loads(pickle.dumps(world))
    for one in (world, twin):
        one.step(10)
    assert twin.digest() == world.digest()
    before = original.qpos.copy()
    twin.qpos[:] = 0
    assert np.array_equal(original.qpos, before)
    values = pickle.loads(pickle.dumps(original.parameters))
    assert np.array_equal(values["body_mass"], original.parameters["body_mass"])


def work(data: cf.Data) -> str:
    data.step(25)
    return data.digest()


def fail(model: cf.Model) -> None:
    model.make_data().set_state(np.zeros(1))


def test_workers_that_are_spawned() -> None:
    """What comes back has the bits that it has here; errors come back as they were raised."""
    data = pile()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.apply(work, (data,))
        with pytest.raises(StateError, match="expected a state vector of shape"):
            pool.apply(fail, (data.model,))
    assert found == work(data)


@pytest.mark.parametrize(
    "error",
    [
        MjcfError("bad", attribute="pos", got="1", hint="two"),
        UnsupportedFeature(["one", "two"]),
        BatchTooLarge(1, 2, 3, 4),
        SubsetError("f.py", 3, "rule", "text"),
    ],
)
def test_errors_are_pickled(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error) and vars(again) == vars(error)


def test_other_versions_are_refused() -> None:
    state = pile().model.__getstate__()
    with pytest.raises(StateError, match="another version"):
        cf.Model.__new__(cf.Model).__setstate__(state | {"fields": "others"})


def test_descriptions() -> None:
    spec = cf.Spec.from_mjcf(PILE)
    host = cf.Spec()
    host.option.timestep = spec.option.timestep
    host.attach(spec, prefix="a_")
    host.attach(spec, host.worldbody.add_frame(pos=[5, 0, 0]), prefix="b_")
    for original in (spec, host):
        for way, twin in twins(original).items():
            assert twin.to_xml() == original.to_xml(), way
            assert twin.compile().hash == original.compile().hash, way
            twin.worldbody.add_geom(size=0.1)
            assert len(twin.geoms) == len(original.geoms) + 1
    for again in (lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy):
        geom, whole = again((spec.geom("box"), spec))
        assert geom is whole.geom("box") and geom.spec is whole and whole is not spec
        geom.size = [0.2, 0.2, 0.2]
        assert spec.geom("box").size.tolist() == [0.1, 0.1, 0.1]
    alone = pickle.loads(pickle.dumps(spec.body("a").copy()))
    assert alone.spec is None and alone.children[1].parent is alone


def test_a_description_may_be_deeper_than_the_stack() -> None:
    spec = cf.Spec()
    inner = spec.worldbody
    for _ in range(2000):
        inner = inner.add_frame()
    inner.add_geom(name="last", size=1)
    for again in (lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy):
        assert again(spec).geom("last").size[0] == 1


@pytest.mark.parametrize(
    "thing",
    [
        cf.DerivativeConfig(eps=1e-5),
        cf.LengthRangeOptions(mode="all"),
        cf.RenderOptions(shadow=False),
        cf.Camera(distance=2),
        cf.Material(1e5, 0.3, 1000),
        cf.contact.from_physical(stiffness=100, mass=1),
    ],
)
def test_settings(thing: object) -> None:
    assert pickle.loads(pickle.dumps(thing)) == thing == copy.deepcopy(thing)


def test_views_follow_what_they_are_of() -> None:
    data = pile()
    state = data.get_state()
    assert np.array_equal(pickle.loads(pickle.dumps(state)).vector, state.vector)
    twin, body, opt = copy.deepcopy((data, data.body("a"), data.model.opt))
    body.xpos[0] = 7
    opt.timestep = 0.25
    assert twin.xpos[1, 0] == 7 and twin.model.opt.timestep == 0.25
    assert data.xpos[1, 0] != 7 and data.model.opt.timestep == 0.005
    assert len(copy.deepcopy(data.contact)) == data.ncon
