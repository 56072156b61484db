"""A loaded model that is changed in place: what follows, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Disable
from cortenforge.fields import MODEL_FIELDS, MODEL_LAYOUT
from cortenforge.kernel.language.plain import PlainStruct
from cortenforge.kernel.language.reach import Reach
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.models import find
from cortenforge.step.engine import ENGINE
from cortenforge.step.run import run_forward, run_steps

SPHERES = """
<mujoco><worldbody>
  <body name="low"><freejoint/><geom name="a" size=".1"/></body>
  <body name="high" pos="0 0 3"><freejoint/><geom name="b" size=".1"/></body>
</worldbody></mujoco>
"""


def without_contacts():
    return SPHERES.replace('size=".1"', 'size=".1" contype="0" conaffinity="0"')


def test_contacts_switched_off_after_loading():
    """Bodies that can touch nothing any more are stepped."""
    model = cf.Model.from_mjcf(SPHERES)
    data = model.make_data()
    data.qpos[9] = 0.15
    data.step()
    assert data.ncon == 1 and data.nefc > 0
    model.body_contype[:] = 0
    model.body_conaffinity[:] = 0
    data.step(100)
    data.forward()
    assert data.ncon == 0 and not data.qfrc_constraint.any()


def test_contacts_switched_on_after_loading():
    """Geoms that can touch from now on are not stepped as if they could not."""
    model = cf.Model.from_mjcf(without_contacts())
    data = model.make_data()
    data.step()
    for name in ("geom_contype", "geom_conaffinity", "body_contype", "body_conaffinity"):
        getattr(model, name)[1 if "body" in name else 0 :] = 1
    data.qpos[9] = 0.15
    data.step()
    assert data.ncon == 1 and data.qfrc_constraint.any()
    batch = cf.BatchSim(cf.Model.from_mjcf(without_contacts()), 16)
    batch.step_all()
    batch.qpos[:, 9] = 0.15
    batch.model.geom_contype[:] = batch.model.geom_conaffinity[:] = 1
    batch.model.body_contype[1:] = batch.model.body_conaffinity[1:] = 1
    batch.step_all()
    assert (batch.qvel[:, 8] > 0.05).all()


def test_bodies_and_geoms_must_both_agree():
    """A body's bits are made of its geoms' at loading; MuJoCo asks both, and so do we."""
    model = cf.Model.from_mjcf(SPHERES)
    model.geom_contype[:] = model.geom_conaffinity[:] = 0
    assert model.supported() == []
    model.make_data().step()


@pytest.mark.parametrize(
    "change",
    [
        lambda m: setattr(m.opt, "integrator", 1),
        lambda m: setattr(m.opt, "density", 2.0),
        lambda m: setattr(m.opt, "enableflags", 1 << 1),
        lambda m: setattr(m.opt, "disableflags", int(m.opt.disableflags) | Disable.GRAVITY),
    ],
)
def test_options_take_effect_at_the_next_step(change):
    """A model whose options change steps as one that was loaded with them."""
    model, fresh = (cf.Model.from_mjcf(find("double_pendulum")) for _ in range(2))
    data = model.make_data()
    data.step(3)
    change(model)
    change(fresh)
    data.reset()
    twin = fresh.make_data()
    for one in (data, twin):
        one.qvel[:] = 1.0
        one.step(10)
    assert np.array_equal(data.qpos, twin.qpos) and np.array_equal(data.energy, twin.energy)


@pytest.mark.parametrize(
    ("field", "index", "value"),
    [
        ("body_parentid", 2, 900),
        ("jnt_qposadr", 1, 10**6),
        ("dof_parentid", 0, 5),
        ("geom_bodyid", 0, -4),
        ("M_colind", 0, 10**8),
        ("dof_runlength", 0, 4),
        ("jnt_type", 0, 9),
    ],
)
@pytest.mark.parametrize("way", ["step", "forward", "batch"])
def test_structure_cannot_be_changed(field, index, value, way):
    """An index out of range is an error that names it, never a crash, even if one insists."""
    model = cf.Model.from_mjcf(find("humanoid_floating"))
    model.make_data().step()
    array = getattr(model, field)
    before = array[index]
    with pytest.raises(ValueError, match="read-only"):
        array[index] = value
    with pytest.raises(cf.ArgumentError, match=rf"{field} is read-only: .*cf\.Spec"):
        setattr(model, field, array)
    array.flags.writeable = True
    array[index] = value
    with pytest.raises(cf.ModelError, match=rf"{field}\[{index}\] was {before} and is {value}"):
        if way == "batch":
            cf.BatchSim(model, 9).step_all()
        else:
            getattr(model.make_data(), way)()
    array[index] = before
    model.make_data().step()


def test_what_decides_on_units_is_watched():
    """Every field that the choice of units looks at is one whose change is noticed."""
    seen = set()

    class Spy(PlainStruct):
        def __getattr__(self, name):
            if name in fields:
                seen.add(name)
            return super().__getattr__(name)

    fields = {field.name: field for field in MODEL_FIELDS}
    for name in ("humanoid_floating", "tumbling_box", "double_pendulum"):
        model = cf.Model.from_mjcf(find(name))
        store = model._store
        spy = Spy(MODEL_LAYOUT, {**store.arrays, **store.sizes, **store.capacities})
        for entry in (run_steps, run_forward):
            Reach(spy).follow(entry)
    assert "opt_integrator" in seen
    assert not {
        name for name in seen if not fields[name].watched and fields[name].group != "engine"
    }


def test_units_follow_the_model():
    """What a model does not reach is not loaded for it."""
    model = cf.Model.from_mjcf(find("pendulum"))
    model.opt.integrator = model.opt.enableflags = 0
    reach = Reach(plain_model(model)).follow(run_steps)
    names = {unit.name for unit in reach.found(alone=False)}
    assert "step.integrate.euler:euler" in names
    assert not names & {
        "step.integrate.rk4:rk4",
        "step.velocity.fluid:fluid_forces",
        "step.energy:potential_energy",
    }
    every = {unit.name for unit in ENGINE.linker.reach([run_steps]).found(alone=False)}
    assert names < every and "step.integrate.rk4:rk4" in every


def test_watched_fields_stand_together():
    """They are compared as words, so each has a place in one block, and none is an asset."""
    model = cf.Model.from_mjcf(find("humanoid_floating"))
    start, size = model.watched_now.ctypes.data, model.watched_now.nbytes
    for field in MODEL_FIELDS:
        array = model._store.arrays[field.name]
        if field.watched and array.size:
            assert start <= array.ctypes.data < start + size, field.name
    assert size < 20_000


def test_who_was_not_asked_hears_of_a_change():
    """A batch that looks at a changed model first leaves nobody else with the units of before."""
    model, fresh = (cf.Model.from_mjcf(find("double_pendulum")) for _ in range(2))
    for one in (model, fresh):
        one.opt.integrator = 0
    data, batch = model.make_data(), cf.BatchSim(model, 16)
    data.step()
    batch.step_all()
    model.opt.integrator = fresh.opt.integrator = 1
    model.opt.density = fresh.opt.density = 1.2
    batch.step_all()
    twin = fresh.make_data()
    for one in (data, twin):
        one.reset()
        one.qvel[:] = 1.0
        one.step(5)
    assert np.array_equal(data.qpos, twin.qpos)
