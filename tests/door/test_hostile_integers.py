"""Integers of models and worlds, written by users: refused, or checked, and never a crash."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.fields import DATA_FIELDS, MODEL_FIELDS
from tests.door.hostile import run_apart

MODEL = """
<mujoco>
  <size nuserdata="2"/>
  <option><flag sleep="enable"/></option>
  <asset>
    <texture name="t" type="2d" builtin="checker" width="8" height="8"/>
    <material name="m" texture="t"/><material name="n" rgba="1 0 0 1"/>
    <mesh name="tet" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
    <hfield name="h" nrow="3" ncol="3" size="1 1 .1 .1" elevation="0 0 0 0 1 0 0 0 0"/>
    <skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">
      <bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
    </skin>
  </asset>
  <worldbody>
    <light name="l" pos="0 0 3" texture="t"/><camera name="c" pos="0 -3 1" resolution="2 2"/>
    <geom type="plane" size="0 0 .1" material="m"/><geom type="hfield" hfield="h" pos="3 0 0"/>
    <body name="b" pos="0 0 .1"><freejoint/>
      <geom name="g" size=".11" material="n"/><geom name="q" type="mesh" mesh="tet"/>
      <site name="p" material="m"/>
      <body pos="0 0 .3"><joint name="j" limited="true" range="-1 1"/><geom size=".05"/>
        <site name="e"/></body>
    </body>
    <body pos="0 0 .35"><freejoint/><geom name="f" size=".1" condim="4"/></body>
  </worldbody>
  <contact><pair geom1="g" geom2="f" condim="6"/></contact>
  <equality><joint joint1="j"/></equality>
  <tendon><spatial name="w" material="n"><site site="p"/><site site="e"/></spatial></tendon>
  <actuator><motor joint="j" group="1"/></actuator>
  <sensor><rangefinder site="p"/><rangefinder camera="c"/><touch site="p"/></sensor>
</mujoco>"""
#: those that NumPy's users would call integers
INTEGERS = ("int", "byte", "wide", "word")

PROGRAM = """
import sys, warnings, numpy as np, cortenforge as cf
warnings.simplefilter("ignore")
model = cf.Model.from_mjcf(sys.argv[1])
data = model.make_data()
def use():
    data.reset(); data.step(2); data.forward()
def look():
    data.ray([0, 0, 3], [0, 0, -1]); data.ray([0, 0, 3], [0, 0, -1], normal=True, bodyexclude=1)
    data.multi_ray([0, 0, 3], np.eye(3) - 1.0)
def draw():
    data.render(width=16, height=16); data.render(width=16, height=16, camera="c")
use(); look(); draw()
names, refused = sys.argv[2].split(), 0
for name in names:
    array = model._store.arrays[name]
    shown = array if not array.ndim else getattr(model, name)
    before = array.copy()
    # iterations take their time
    values = (-7, 9999) if name.startswith("opt_") else (2**31 - 1, 700, -2)
    # pictures know nothing of options
    calls = (use,) if name.startswith("opt_") else (look, draw, use)
    for value in values:
        for place in {0, array.size - 1} if array.size else ():
            print(name, value, place, flush=True)
            shown.reshape(-1)[place] = np.array(value).astype(array.dtype)
            for one in calls:
                try:
                    one()
                except cf.CortenForgeError:
                    refused += 1
            array[...] = before
print("refused", refused, "went well")
"""


def integers(fields) -> list:
    return [field for field in fields if field.kind in INTEGERS]


@pytest.fixture(scope="module")
def model() -> cf.Model:
    return cf.Model.from_mjcf(MODEL)


def test_integers_that_users_write_never_crash(model):
    """Steps, rays and pictures go well or raise what is typed, whatever the numbers are."""
    written = [f.name for f in integers(MODEL_FIELDS) if f.writable and f.name != "tex_data"]
    empty = [name for name in written if not model._store.arrays[name].size]
    assert all(name.startswith("soft_") for name in empty), empty
    ended = run_apart(PROGRAM, MODEL, " ".join(written))
    assert ended.code == 0 and ended.out.endswith("went well\n"), ended.out[-2000:]


@pytest.mark.parametrize("owner", ["model", "data"])
def test_other_integers_are_for_reading(model, owner):
    """Neither in place nor by assignment; those that can be written are a known few."""
    one = model if owner == "model" else model.make_data()
    fields = integers(MODEL_FIELDS if owner == "model" else DATA_FIELDS)
    closed = [field for field in fields if not field.writable]
    assert len(closed) > 100
    for field in closed:
        with pytest.raises(cf.ArgumentError, match=f"{field.name} is read-only"):
            setattr(one, field.name, 0)
        if field.shape:
            array = getattr(one, field.name)
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0


def test_named_objects_show_them_for_reading(model):
    with pytest.raises(ValueError, match="read-only"):
        model.geom("g").bodyid[0] = 99
    with pytest.raises(ValueError, match="bodyid"):
        model.geom("g").bodyid = 99
    model.geom("g").matid = 0
    assert model.geom_matid[model.geom("g").id] == 0


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("geom_matid", 99999999, r"geom_matid\[0\] is 99999999: .* below nmat = 2"),
        ("site_matid", -2, r"site_matid\[0\] is -2"),
        ("tendon_matid", 2, r"tendon_matid\[0\] is 2"),
        ("light_texid", 1, r"light_texid\[0\] is 1: .* below ntex = 1"),
        ("geom_condim", 5, r"geom_condim\[0\] is 5: expected 1, 3, 4 or 6"),
        ("pair_dim", 7, r"pair_dim\[0\] is 7"),
    ],
)
def test_steps_say_what_is_wrong(name, value, message):
    """And go on when it is put back."""
    model = cf.Model.from_mjcf(MODEL)
    data, batch = model.make_data(), cf.BatchSim(model, 9, threads=1)
    before = getattr(model, name)[0]
    getattr(model, name)[0] = value
    with pytest.raises(cf.ModelError, match=message):
        data.step()
    with pytest.raises(cf.ModelError, match=message):
        batch.step_all()
    getattr(model, name)[0] = before
    data.step()
    assert not any(batch.step_all())


def test_pictures_say_what_is_wrong():
    """Materials that are written have no other reader than pictures."""
    model = cf.Model.from_mjcf(MODEL)
    data = model.make_data()
    data.forward()
    model.mat_texid[0, 1] = 5
    with pytest.raises(cf.ModelError, match=r"mat_texid\[0, 1\] is 5: expected"):
        data.render(width=8, height=8)
    model.mat_texid[0, 1] = -1
    assert data.render(width=8, height=8).shape == (8, 8, 3)


def test_reals_can_all_be_written(model):
    """Masses, sizes, states, forces: nothing of that is closed."""
    for fields in (MODEL_FIELDS, DATA_FIELDS):
        assert all(f.writable for f in fields if f.dtype.kind == "f")
    data = model.make_data()
    data.qpos[:], data.xpos[:] = data.qpos, 0.0
    assert np.shares_memory(data.xpos, data._store.arrays["xpos"])
