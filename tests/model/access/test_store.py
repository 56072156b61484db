"""Memory, field attributes and what can be assigned to them."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.fields import DATA_FIELDS, MODEL_FIELDS
from cortenforge.model.access import declared
from cortenforge.model.stubs import stub_text

XML = """
<mujoco>
  <option timestep="0.01"><flag contact="disable"/></option>
  <worldbody>
    <body name="torso"><freejoint name="root"/><geom name="ball" size=".1"/>
      <body name="arm" pos=".2 0 0"><joint name="elbow" axis="0 1 0"/><geom size=".05"/></body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def model():
    return cf.Model.from_mjcf(XML)


@pytest.fixture
def data(model):
    return model.make_data()


def test_every_field_has_its_declared_shape_and_type(model, data):
    """The tables decide what exists."""
    for owner, fields in ((model, MODEL_FIELDS), (data, DATA_FIELDS)):
        sizes = {**model._store.sizes, **owner._store.capacities}
        for field in fields:
            value = np.asarray(getattr(owner, field.name))
            assert value.shape == field.shape_for(sizes), field.name
            if field.shape:
                assert value.dtype == field.dtype, field.name


def test_one_aligned_arena(data):
    """Arrays are views into one block of memory, each on its own cache line but for the state.

    The state stands together at the beginning, so that a step can keep it and put it back, and the
    inputs follow. What can grow stands apart.
    """
    start = data._store.arena.ctypes.data
    end = start + data._store.arena.nbytes
    for field in DATA_FIELDS:
        array = data._store.arrays[field.name]
        if array.size:
            assert array.ctypes.data % 64 == 0 or field.role in ("state", "input")
            grows = field in data._store.growing.fields
            assert (start <= array.ctypes.data < end) != grows
    assert data.state.ctypes.data == start
    data.state[:] = np.arange(data.model.nstate)
    parts = [data._store.arrays[f.name].reshape(-1) for f in DATA_FIELDS if f.role == "state"]
    np.testing.assert_array_equal(np.concatenate(parts), np.arange(data.model.nstate))


def test_assignment_copies(data):
    """A field keeps its memory: kernels hold its address."""
    address = data.qpos.ctypes.data
    source = np.arange(16.0)[::2]
    data.qpos = source
    assert data.qpos.ctypes.data == address
    np.testing.assert_array_equal(data.qpos, source)
    source[0] = 99.0
    assert data.qpos[0] == 0.0
    data.time = 2
    assert data.time == 2.0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("qpos", np.zeros(3)),
        ("qpos", np.zeros((8, 1))),
        ("qvel", "fast"),
        ("qvel", [1, 2, "x", 4, 5, 6, 7]),
        ("xfrc_applied", np.zeros(6)),
        ("qpos", np.zeros(8, complex)),
        ("time", [1.0, 2.0]),
        ("qpos", None),
    ],
)
def test_wrong_shape_or_type_is_refused(data, name, value):
    """A ShapeError names the field and what it expects."""
    before = np.array(getattr(data, name))
    with pytest.raises(cf.ShapeError, match=name):
        setattr(data, name, value)
    np.testing.assert_array_equal(getattr(data, name), before)


def test_misspelt_field_is_refused(model, data):
    """Assigning to a name that does not exist is an error, not a silent nothing."""
    with pytest.raises(AttributeError, match="no attribute 'qpso'; did you mean 'qpos'"):
        data.qpso = 1
    with pytest.raises(AttributeError, match=r"Model\.nbody cannot be assigned to"):
        model.nbody = 3
    with pytest.raises(AttributeError, match="did you mean 'timestep'"):
        model.opt.timestepp = 0.1
    with pytest.raises(AttributeError):
        _ = data.nothing


def test_integer_fields_take_integers_only(model):
    """No silent truncation."""
    with pytest.raises(cf.ShapeError):
        model.opt.integrator = 0.5
    with pytest.raises(cf.ShapeError):
        model.opt.solver = 0.5
    model.opt.integrator = 1
    assert model.opt.integrator == 1


def test_named_access(model, data):
    """Names and numbers lead to the same views; writing through them works."""
    assert model.body("arm").id == 2
    np.testing.assert_array_equal(model.body("arm").pos, [0.2, 0, 0])
    model.body("arm").mass = 3.0
    assert model.body_mass[2] == 3.0
    assert model.joint("elbow").range.shape == (2,)
    assert model.joint("elbow").armature.shape == (1,)
    data.joint("elbow").qpos[0] = 0.3
    assert data.qpos[7] == 0.3
    data.joint("root").qvel = [1, 2, 3, 4, 5, 6]
    np.testing.assert_array_equal(data.qvel[:6], [1, 2, 3, 4, 5, 6])
    data.forward()
    np.testing.assert_array_equal(data.geom("ball").xpos, data.geom_xpos[0])
    np.testing.assert_array_equal(data.body(2).xpos, data.xpos[2])
    assert "mass" in dir(model.body("arm")) and "torso" in repr(model.body("torso"))


def test_unknown_names_suggest(model, data):
    """Errors offer the nearest name."""
    with pytest.raises(KeyError, match="did you mean 'torso'"):
        data.body("torsoo")
    with pytest.raises(IndexError, match="the model has 3"):
        data.body(7)
    with pytest.raises(AttributeError, match="did you mean 'xpos'"):
        _ = data.body("torso").xposs
    with pytest.raises(AttributeError):
        data.body("torso").speed = 1
    with pytest.raises(KeyError):
        model.key("home")


def test_stub_file_is_fresh():
    """`python -m cortenforge.model.stubs` was run after the last change of the tables."""
    from pathlib import Path

    stub = Path(declared.__file__).with_suffix(".pyi")
    assert stub.read_text() == stub_text()


@pytest.mark.parametrize("nstep", [-1, 2**63, 2**64, 2**64 + 1, -(2**64)])
def test_impossible_counts_are_refused(model, nstep):
    """A count that 64 bits cannot hold takes no other number of steps."""
    data = model.make_data()
    with pytest.raises(cf.ArgumentError, match="nstep"):
        data.step(nstep)
    assert data.time == 0


@pytest.mark.parametrize("option", ["integrator", "cone", "jacobian", "solver"])
@pytest.mark.parametrize("value", [-3, 7, 2**40])
def test_options_name_one_of_the_choices(model, option, value):
    """A number that names no integrator is refused when it is assigned, and the choices listed."""
    before = getattr(model.opt, option)
    with pytest.raises(cf.ArgumentError, match=rf"opt.{option}: expected one of 0 \("):
        setattr(model.opt, option, value)
    with pytest.raises(cf.ArgumentError):
        setattr(model, f"opt_{option}", value)
    assert getattr(model.opt, option) == before


@pytest.mark.parametrize("key", [1.5, 1.0, None, b"torso", ["torso"], np.array([1, 2])])
def test_objects_are_found_by_name_or_number_only(model, key):
    """A number with a fraction is not cut to another object's."""
    for owner in (model, model.make_data()):
        with pytest.raises(cf.ArgumentError, match="body: expected a name or a number"):
            owner.body(key)
    assert model.body(np.int64(2)).name == "arm"
