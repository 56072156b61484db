"""States from outside: files and vectors that are not what they should be."""

from __future__ import annotations

import os
import zipfile

import numpy as np
import pytest

import cortenforge as cf
from tests.door.hostile import run_apart

SLEEPY = """
<mujoco>
  <option><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="9 9 .1"/>
    <body pos="0 0 .1" sleep="init"><freejoint/><geom size=".1"/></body>
    <body pos="0 0 .3" sleep="init"><freejoint/><geom size=".1"/></body>
    <body pos="1 0 .1" sleep="init"><joint name="j" type="slide" axis="0 0 1"/><geom size=".1"/>
    </body>
  </worldbody>
  <equality><joint joint1="j" active="false"/></equality>
  <sensor><jointpos joint="j" noise=".1"/></sensor>
</mujoco>"""
LATE = """
<mujoco>
  <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
  <actuator><motor joint="j" delay=".01" nsample="4"/></actuator>
  <sensor><jointpos joint="j" delay=".01" nsample="3"/></sensor>
</mujoco>"""

#: field -> values of its first entry that no step leaves
WRONG = {
    "tree_asleep": (700.0, 1e6, 3.0, 0.5, -12.0, np.nan, np.inf, 1e300),
    "eq_active": (2.0, -1.0, 0.5, np.nan),
    "noise": (-1.0, 0.5, 1e300, np.nan),
}


@pytest.fixture(scope="module")
def model() -> cf.Model:
    return cf.Model.from_mjcf(SLEEPY)


def spoiled(model: cf.Model, name: str, value: float, entry: int = 0) -> np.ndarray:
    data = model.make_data()
    getattr(data, name)[entry] = value
    return data.get_state().vector


@pytest.mark.parametrize("name", WRONG)
def test_whole_numbers_of_states(model, name, tmp_path):
    """Refused by every door, with the entry and the value; and nothing changes."""
    data, batch = model.make_data(), cf.BatchSim(model, 3, threads=1)
    before, all_before = data.digest(), batch.get_states()
    for value in WRONG[name]:
        vector = spoiled(model, name, value)
        cf.State(vector, model.hash).save(tmp_path / "state.npz")
        rows = np.stack([all_before[0], vector, all_before[0]])
        np.savez(tmp_path / "batch.npz", format=1, states=rows, model_hash=model.hash)
        mask = np.ones(3, bool)
        for door in (
            lambda: data.set_state(vector),  # noqa: B023
            lambda: data.load(tmp_path / "state.npz"),
            lambda: batch.set_states(rows),  # noqa: B023
            lambda: batch.set_states(vector),  # noqa: B023
            lambda: batch.reset_where(mask, rows),  # noqa: B023
            lambda: batch.reset_where(mask, rows, rng=np.random.default_rng(0)),  # noqa: B023
            lambda: batch.rollout(rows, np.zeros((1, 0)), progress=False),  # noqa: B023
            lambda: batch.load(tmp_path / "batch.npz"),
        ):
            with pytest.raises(cf.StateError, match=rf"{name}\[0\] of this state is"):
                door()
    assert data.digest() == before
    assert np.array_equal(batch.get_states(), all_before)


def test_places_in_histories():
    """The second number of each buffer says where its newest sample is."""
    model = cf.Model.from_mjcf(LATE)
    data = model.make_data()
    for at in (model.actuator_historyadr[0], model.sensor_historyadr[0]):
        for value in (4.0, -1.0, 0.5, np.nan, 1e9):
            vector = spoiled(model, "history", value, at + 1)
            with pytest.raises(cf.StateError, match=rf"history\[{at + 1}\] of this state is"):
                data.set_state(vector)


def test_a_sleeper_leads_to_sleepers(model):
    """The trees of the two stacked balls lead to each other."""
    data = model.make_data()
    assert data.tree_asleep.tolist()[:2] == [1.0, 0.0]
    vector = spoiled(model, "tree_asleep", -3.0, 1)
    with pytest.raises(cf.StateError, match=r"tree_asleep\[0\] of this state is 1: that tree is"):
        data.set_state(vector)


def test_vertices_that_touch_geoms():
    """Which geom a vertex of a deformable touches is a number, too."""
    model = cf.Model.from_mjcf("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    soft = model.with_deformables([cf.Cloth.grid(3, 3, spacing=0.1)])
    data = soft.make_data()
    data.softhold_geom[5] = 2.0
    with pytest.raises(cf.StateError, match=r"softhold_geom\[5\] of this state is 2: .* 0 to 1"):
        data.set_state(data.get_state())


STEPPED = """
import sys, numpy as np, cortenforge as cf
model = cf.Model.from_mjcf(sys.argv[1])
data, batch = model.make_data(), cf.BatchSim(model, 9, threads=1)
for value in (700.0, 1e6, 1e18, np.nan, np.inf, -1e18, 0.5, 2.5):
    for one in (data, batch):
        one.reset() if one is data else one.reset_all()
        one.tree_asleep[..., :] = value
        one.tree_asleep[..., 1] = -1.0
        one.qvel[..., -1] = 1.0
        one.step(3) if one is data else one.step_all(3)
        one.tree_asleep[..., :] = value
        one.qvel[..., 0] = 1.0
        one.step(3) if one is data else one.step_all(3)
print("went well")
"""


def test_states_that_are_written_in_place():
    """What no file or vector brings in, a program can still write: it leads nowhere."""
    ended = run_apart(STEPPED, SLEEPY)
    assert ended.code == 0 and ended.out.endswith("went well\n"), ended


# files ----------------------------------------------------------------------------------------


def test_a_file_that_unfolds_is_refused(model, tmp_path):
    """A small file that claims a huge vector is refused by its header, in little memory."""
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, value in (("format", np.int64(1)), ("model_hash", np.array(model.hash))):
            with file.open(name + ".npy", "w") as one:
                np.lib.format.write_array(one, np.asarray(value))
        for name in ("vector", "states"):
            with file.open(name + ".npy", "w") as one:
                head = {"descr": "<f8", "fortran_order": False, "shape": (10**7,)}
                np.lib.format.write_array_header_1_0(one, head)
                for _ in range(80):
                    one.write(bytes(10**6))
    assert path.stat().st_size < 10**6
    with pytest.raises(cf.StateError, match=r"80000000 bytes in a file of \d+: compressed"):
        cf.State.load(path)
    data = model.make_data()
    with pytest.raises(cf.StateError, match=r"vector is \(10000000,\), expected \(\d+,\)"):
        data.load(path)
    with pytest.raises(cf.ShapeError, match=r"has states \(10000000,\), not \(2, \d+\)"):
        cf.BatchSim(model, 2).load(path)


def test_only_what_is_used_is_read(model, tmp_path):
    """Whatever else a file holds is not looked at; but it cannot be large."""
    data = model.make_data()
    state = data.get_state()
    vectors = {"format": 1, "vector": state.vector, "model_hash": model.hash}
    np.savez(tmp_path / "more.npz", **vectors, junk=np.array([object()]))
    data.load(tmp_path / "more.npz")
    np.savez(tmp_path / "large.npz", **vectors, junk=np.zeros(2**18))
    with pytest.raises(cf.StateError, match=r"has \d+ bytes, and a saved state of this model"):
        data.load(tmp_path / "large.npz")
    assert cf.State.load(tmp_path / "large.npz").model_hash == model.hash


def test_what_is_no_file_is_refused(model, tmp_path):
    """Neither waits for a pipe nor reads a device."""
    os.mkfifo(tmp_path / "pipe")
    batch = cf.BatchSim(model, 2)
    places = {"/dev/zero": "a device", tmp_path / "pipe": "a pipe"}
    for path, kind in places.items():
        for load in (cf.State.load, model.make_data().load, batch.load):
            with pytest.raises(cf.StateError, match=f"it is {kind}"):
                load(path)


@pytest.mark.parametrize("wrong", ["states", "field", "shape", "type"])
def test_a_refused_batch_changes_nothing(model, tmp_path, wrong):
    """Not even which parameters worlds have for themselves."""
    batch = cf.BatchSim(model, 3, threads=1)
    states = batch.get_states()
    arrays = {"format": 1, "model_hash": model.hash, "states": states}
    arrays["parameter body_mass"] = np.full((3, model.nbody), 5.0)
    if wrong == "states":
        arrays["states"] = states + 1j
    elif wrong == "field":
        arrays["parameter geom_type"] = np.zeros((3, model.ngeom))
    elif wrong == "shape":
        arrays["parameter geom_size"] = np.zeros((3, 1))
    else:
        arrays["parameter geom_size"] = np.full((3, model.ngeom, 3), "x")
    np.savez(tmp_path / "batch.npz", **arrays)
    with pytest.raises(cf.StateError):
        batch.load(tmp_path / "batch.npz")
    assert not len(batch.parameters) and np.array_equal(batch.get_states(), states)
