"""Keyframes: taken, given, captured in a model and in a description."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import mujoco_module

XML = """
<mujoco>
  <option integrator="RK4"><flag contact="disable" limit="disable"/></option>
  <size nkey="3"/>
  <worldbody>
    <body mocap="true" name="hand" pos="1 2 3"/><body mocap="true" name="eye"/>
    <body><freejoint/><geom type="box" size=".1 .2 .3"/>
      <body pos=".4 0 0"><joint name="j" type="ball"/><geom size=".1" pos=".1 0 0"/>
        <body pos=".2 0 0"><joint name="k" stiffness="5" springyield="0.1" axis="0 1 0"/>
          <geom size=".1" pos=".1 .1 0"/></body></body></body>
  </worldbody>
  <actuator><general joint="k" dyntype="filter" dynprm=".1"/><motor joint="k"/></actuator>
  <keyframe><key name="one" qvel="1 0 0 0 0 0 0 0 0 0"/></keyframe>
</mujoco>"""
HELD = ("time", "qpos", "qvel", "act", "plastic", "ctrl", "mocap_pos", "mocap_quat")


def somewhere(model: cf.Model) -> cf.Data:
    """A state with a bit of everything."""
    data, rng = model.make_data(), np.random.default_rng(6)
    for name in ("qvel", "act", "ctrl", "mocap_pos", "mocap_quat"):
        array = getattr(data, name)
        array[...] = rng.normal(size=array.shape)
    data.mocap_quat[:] /= np.linalg.norm(data.mocap_quat, axis=1, keepdims=True)
    data.step(57)
    return data


def same_bits(a: cf.Data, b: cf.Data) -> bool:
    found = [np.asarray(getattr(a, name)).tobytes() for name in HELD]
    return found == [np.asarray(getattr(b, name)).tobytes() for name in HELD]


@pytest.mark.parametrize("key", ["one", 2])
def test_a_captured_state_comes_back_bit_by_bit(key):
    """14-AC1: kept in the model under a name or a number, and taken from there."""
    model = cf.Model.from_mjcf(XML)
    data = somewhere(model)
    data.to_keyframe(key)
    other = model.make_data()
    other.reset_to_keyframe(key)
    assert same_bits(data, other)
    assert other.time > 0.1 and other.plastic[0] != 0 and other.act[0] != 0
    # what a keyframe does not hold is reset
    data.qacc_warmstart[:] = data.qfrc_applied[:] = data.xfrc_applied[:] = 0
    assert data.digest() == other.digest()


def test_captured_as_mujoco_does():
    """Each number is where mj_setKeyframe puts it."""
    mujoco = mujoco_module()
    model, reference = cf.Model.from_mjcf(XML), mujoco.MjModel.from_xml_string(XML)
    data, theirs = somewhere(model), mujoco.MjData(reference)
    for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "plastic"):
        getattr(theirs, name)[:] = getattr(data, name)
    theirs.time = data.time
    data.to_keyframe(1)
    mujoco.mj_setKeyframe(reference, theirs, 1)
    names = ("time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat", "plastic")
    for name in names:
        ours, wanted = getattr(model, f"key_{name}"), getattr(reference, f"key_{name}")
        np.testing.assert_array_equal(ours[1], wanted[1].reshape(ours[1].shape), name)


def test_a_description_keeps_a_captured_state():
    """14-AC1: through a Spec, its MJCF and back, to the same bits."""
    spec = cf.Spec.from_mjcf(XML)
    data = somewhere(spec.compile())
    spec.add_key(name="here", **data.keyframe())
    for model in (spec.compile(), cf.Model.from_mjcf(spec.to_xml())):
        other = model.make_data()
        other.reset_to_keyframe("here")
        assert same_bits(data, other)
    plain = cf.Spec.from_mjcf("<mujoco><worldbody/></mujoco>")
    plain.add_key(name="nothing", **plain.compile().make_data().keyframe())
    plain.compile().make_data().reset_to_keyframe("nothing")


def test_keys_that_are_not_there():
    """Errors name what there is, and change nothing."""
    model = cf.Model.from_mjcf(XML)
    data = somewhere(model)
    before, kept = data.digest(), model.key_qpos.copy()
    for call in (data.to_keyframe, data.reset_to_keyframe):
        with pytest.raises(KeyError, match="there are: one"):
            call("two")
        with pytest.raises(IndexError, match="has 3"):
            call(3)
        with pytest.raises(IndexError):
            call(-1)
        with pytest.raises(cf.ArgumentError):
            call(1.5)
    assert data.digest() == before and np.array_equal(kept, model.key_qpos)
