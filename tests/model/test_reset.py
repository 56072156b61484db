"""A reset gives MuJoCo's initial state, in MuJoCo's order."""

from __future__ import annotations

import contextlib
import gc
import weakref
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from conformance.generate import random_model
from cortenforge.fields import DATA_FIELDS
from cortenforge.model.access.data_memory import survives_reset

mujoco = pytest.importorskip("mujoco")

MODEL = """<mujoco><option timestep="0.003"/><size nuserdata="3"/>
<worldbody><body mocap="true" name="m" pos="1 2 3" quat="1 2 3 4"/>
  <body name="b"><joint name="a" springyield="3" springref="4"/><joint name="c" type="slide"/>
    <geom size=".1"/><site name="s"/></body>
  <body name="c"><joint name="k" type="ball"/><geom size=".1"/></body></worldbody>
<equality><joint joint1="a" joint2="c" active="false"/><weld body1="b"/></equality>
<actuator><motor joint="a" nsample="3" delay=".1"/><intvelocity joint="c" actrange="-1 1"/>
  <orientation joint="k" input="quat" nsample="2"/></actuator>
<sensor><jointpos joint="a" nsample="4"/><jointvel joint="a"/>
  <accelerometer site="s" nsample="3" interval=".01"/>
  <accelerometer site="s" nsample="3" interval=".01 -.004" delay=".01"/></sensor>
<keyframe><key time="2" act=".5" ctrl="1 2 0 1 0 0" qpos="1 2 0 1 0 0" plastic=".5" mpos="4 5 6"
  qvel="1 2 3 4 5"/></keyframe></mujoco>"""
EVERYTHING = mujoco.mjtState.mjSTATE_INTEGRATION


@pytest.mark.parametrize("key", [None, 0])
def test_state_equals_mujoco(key: int | None) -> None:
    """002-A2, 14-AC1: every number that integration needs, delays and plastic state included."""
    reference = mujoco.MjModel.from_xml_string(MODEL)
    theirs = mujoco.MjData(reference)
    ours = cf.Model.from_mjcf(MODEL).make_data()
    ours.history[:] = ours.eq_active[:] = ours.plastic[:] = 7
    if key is None:
        ours.reset()
    else:
        ours.reset_to_keyframe(key)
        mujoco.mj_resetDataKeyframe(reference, theirs, key)
    state = np.zeros(mujoco.mj_stateSize(reference, EVERYTHING))
    mujoco.mj_getState(reference, theirs, state, EVERYTHING)
    # behind MuJoCo's state, there is that of sleep
    vector = ours.get_state().vector[: state.size]
    np.testing.assert_allclose(vector, state, rtol=1e-15, atol=1e-16)
    assert ours.history.size > 40 and ours.eq_active.tolist() == [0, 1]


#: the world's orientation, which MuJoCo leaves to the first forward evaluation
AHEAD = {"xquat"}


def test_every_field_equals_mujoco() -> None:
    """9-AC4, 002-A4: whatever stood in a Data, a reset leaves mj_resetData's numbers everywhere.

    Controls, activations, readings of sensors and applied forces among them.
    """
    theirs = mujoco.MjData(mujoco.MjModel.from_xml_string(MODEL))
    ours = cf.Model.from_mjcf(MODEL).make_data()
    # islands are those of the last evaluation
    told = [f for f in DATA_FIELDS if f.role != "scratch" and f.group != "solver"]
    fields = [f.name for f in told if hasattr(theirs, f.name)]
    for name in fields:
        ours._store.assign(name, 7)
    ours.reset()
    assert {"ctrl", "act", "sensordata", "qfrc_applied", "xfrc_applied", "qacc"} <= set(fields)
    assert ours.ctrl.size and ours.act.size and ours.sensordata.size
    for name in set(fields) - AHEAD:
        found, expected = np.ravel(getattr(ours, name)), np.ravel(getattr(theirs, name))
        np.testing.assert_allclose(found, expected, rtol=1e-15, atol=1e-16, err_msg=name)


#: the state of sleep, which MuJoCo's vector leaves out
SLEEP = {"tree_asleep", "placed_qpos", "placed_mocap"}
SLEEP |= {"resting_qacc", "resting_qfrc", "resting_rate", "resting_read"}


def test_every_state_of_mujoco_is_kept() -> None:
    """All components but that of plugins; noise and deformables are our own."""
    own = ("noise", "soft state", "soft input")
    states = [field for field in DATA_FIELDS if field.role in ("state", "input")]
    kept = {field.name for field in states if field.group not in own}
    names = {"warmstart": "qacc_warmstart"}
    parts = [
        name.removeprefix("mjSTATE_").lower()
        for name, value in mujoco.mjtState.__members__.items()
        if name.startswith("mjSTATE") and int(value).bit_count() == 1
    ]
    assert len(parts) == mujoco.mjtState.mjNSTATE
    assert {names.get(part, part) for part in parts} - {"plugin"} == kept - SLEEP


def test_states_restore_delays_and_equalities() -> None:
    data = cf.Model.from_mjcf(MODEL).make_data()
    # zeros and ones: cursors among them are numbers of samples, of which there are two
    written = np.arange(data.history.size) % 2
    data.history[:] = written
    data.eq_active[:] = [1, 0]
    data.plastic[:] = 2
    kept = data.get_state()
    data.reset()
    assert (data.history != written).any()
    data.set_state(kept)
    assert (data.history == written).all()
    assert data.eq_active.tolist() == [1, 0] and data.plastic.tolist() == [2]


def test_delays_need_a_step() -> None:
    model = cf.Model.from_mjcf(MODEL)
    model.opt.timestep = 0
    with pytest.raises(ValueError, match="timestep"):
        model.make_data()


def test_a_data_goes_without_the_collector() -> None:
    """Nothing in a Data refers to itself: memory of worlds that nobody uses is free at once."""
    model = cf.Model.from_mjcf(MODEL)
    gc.disable()
    try:
        data = model.make_data()
        data.step()
        gone = weakref.ref(data)
        del data
        assert gone() is None
    finally:
        gc.enable()


def _reset_field_by_field(data: cf.Data) -> dict[str, np.ndarray]:
    """What every field of a Data is to be after a reset, from the arrays of its model."""
    model = data.model
    fields = {name: np.zeros_like(array) for name, array in data._store.arrays.items()}
    fields["qpos"][:] = fields["placed_qpos"][:] = model.qpos0
    fields["eq_active"][:] = model.eq_active0
    fields["noise"][:] = data.noise
    for body in np.flatnonzero(model.body_mocapid >= 0):
        k = model.body_mocapid[body]
        fields["mocap_pos"][k] = fields["placed_mocap"][k, :3] = model.body_pos[body]
        fields["mocap_quat"][k] = fields["placed_mocap"][k, 3:] = model.body_quat[body]
    fields["xquat"][0] = [1, 0, 0, 0]
    fields["tree_asleep"][:] = -11
    for a in range(model.nactuator):
        if model.actuator_gaintype[a] == cf.enums.Gain.SO3 and model.actuator_ctrlnum[a] == 4:
            fields["ctrl"][model.actuator_ctrladr[a]] = 1
    fields["softvert_pos"][:] = model.softvert_pos0[: model.nsoftvert]
    fields["softrod_quat"][:] = model.softrod_quat0
    # histories and plastic state are compared with MuJoCo above
    for name in ("history", "plastic"):
        fields[name][:] = data._store.arrays[name]
    state = [f.name for f in DATA_FIELDS if f.role == "state"]
    # the state as a whole is the same memory again
    fields["state"][:] = np.concatenate([fields[name].reshape(-1) for name in state])
    return fields


BUNDLED = sorted(path.stem for path in Path(cf.models.__file__).parent.glob("*.xml"))
SOURCES = [*BUNDLED, MODEL, *(random_model(seed) for seed in range(20, 32))]


SOURCE_IDS = [*BUNDLED, "MODEL", *map(str, range(20, 32))]


@pytest.mark.parametrize("source", SOURCES, ids=SOURCE_IDS)
def test_a_reset_sets_every_field(source: str) -> None:
    """All but scratch and rows of lists, whose lengths become zero; copies have every number."""
    model = cf.load_model(cf.models.find(source) if source in BUNDLED else source)
    data, missing = model.make_data(), model.supported()
    data.forward(smooth_only=bool(missing))
    _fill(data, 7)
    twin = data.copy()
    for name, array in data._store.arrays.items():
        assert array.tobytes() == twin._store.arrays[name].tobytes(), name
    growing = {field.name for field in data._store.growing.fields}
    for one in (data, twin):
        one.reset()
        expected = _reset_field_by_field(one)
        for field in DATA_FIELDS:
            if field.name not in growing and not survives_reset(field):
                array = one._store.arrays[field.name]
                assert array.tobytes() == expected[field.name].tobytes(), field.name
    assert data._store.capacities == twin._store.capacities


@pytest.mark.parametrize("left", [0x07, 0xFF], ids=["numbers", "no numbers"])
@pytest.mark.parametrize("source", SOURCES, ids=SOURCE_IDS)
def test_what_a_reset_leaves_does_not_matter(source: str, left: int) -> None:
    """Steps after a reset are those of new data, bit for bit, whatever stood in its memory."""
    model = cf.load_model(cf.models.find(source) if source in BUNDLED else source)
    if model.supported():
        pytest.skip("cannot be stepped")
    data, new = model.make_data(), model.make_data()
    # some random models fly apart; states of both are still those of the last good step
    failures = contextlib.suppress(cf.errors.StepError)
    with failures:
        data.step(20)
    version = data._store.arrays["model_version"].item()
    data._store.arena.fill(left)
    data._store.growing.arena.fill(left)
    data._store.assign("model_version", version)
    data.noise[:] = new.noise
    data.reset()
    controls = np.random.default_rng(0).uniform(-1, 1, (30, model.nu))
    for ctrl in controls:
        data.ctrl[:] = new.ctrl[:] = ctrl
        with failures:
            data.step()
        with failures:
            new.step()
        assert data.digest() == new.digest()
    for name in ("sensordata", "qfrc_constraint", "efc_force", "cfrc_ext"):
        assert getattr(data, name).tobytes() == getattr(new, name).tobytes(), name


def _fill(data: cf.Data, number: int) -> None:
    """Write a number everywhere but in noise, which a reset keeps."""
    for field in DATA_FIELDS:
        if field.name != "noise":
            data._store.arrays[field.name][...] = number
