"""Parts of a state by MuJoCo's signatures."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.model.internals import read_state, state_size, write_state

mujoco = pytest.importorskip("mujoco")

MODEL = """<mujoco><size nuserdata="3"/><worldbody>
  <body mocap="true" name="m" pos="1 2 3"/>
  <body name="b"><joint name="a" springyield="3" springref="4"/><joint name="c" type="slide"/>
    <geom size=".1"/></body></worldbody>
<equality><joint joint1="a" joint2="c" active="false"/><weld body1="b"/></equality>
<actuator><motor joint="a" nsample="3" delay=".1"/><intvelocity joint="c" actrange="-1 1"/>
</actuator></mujoco>"""
SIGNATURES = [
    *(1 << bit for bit in range(15)),
    *(int(one) for name, one in mujoco.mjtState.__members__.items() if "NSTATE" not in name),
    0,
    0b101010101010101,
]
#: fields that a test sets at random
SET = (
    *("qpos", "qvel", "act", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied"),
    *("mocap_pos", "mocap_quat", "userdata", "plastic", "eq_active"),
)


@pytest.fixture
def pair():
    """Both engines in the same random state."""
    reference = mujoco.MjModel.from_xml_string(MODEL)
    theirs, ours = mujoco.MjData(reference), cf.Model.from_mjcf(MODEL).make_data()
    rng = np.random.default_rng(0)
    for name in set(SET) - {"eq_active"}:
        getattr(ours, name)[...] = rng.normal(size=getattr(ours, name).shape)
    ours.eq_active[:], ours.time = [1, 0], 0.25
    for name in SET:
        getattr(theirs, name)[...] = getattr(ours, name)
    theirs.time = 0.25
    return ours, reference, theirs


@pytest.mark.parametrize("signature", SIGNATURES)
def test_vectors_are_mujocos(pair, signature):
    """Sizes, reading and writing of every field by itself, and of all of MuJoCo's sums."""
    ours, reference, theirs = pair
    size = mujoco.mj_stateSize(reference, signature)
    assert state_size(ours.model, signature) == size
    expected, found = np.zeros(size), np.full(size, np.nan)
    mujoco.mj_getState(reference, theirs, expected, signature)
    read_state(ours, signature, found)
    np.testing.assert_array_equal(found, expected)
    twin = ours.model.make_data()
    write_state(twin, signature, expected)
    again = np.zeros(size)
    read_state(twin, signature, again)
    np.testing.assert_array_equal(again, expected)
    # nothing else has changed
    fresh = ours.model.make_data()
    write_state(fresh, 0x7FFF ^ signature, _vector(ours, 0x7FFF ^ signature))
    write_state(twin, 0x7FFF ^ signature, _vector(ours, 0x7FFF ^ signature))
    np.testing.assert_array_equal(_vector(twin, 0x7FFF), _vector(ours, 0x7FFF))
    np.testing.assert_array_equal(
        _vector(fresh, 0x7FFF ^ signature), _vector(ours, 0x7FFF ^ signature)
    )


def _vector(data: cf.Data, signature: int) -> np.ndarray:
    found = np.zeros(state_size(data.model, signature))
    read_state(data, signature, found)
    return found


def test_bad_signatures_and_integers_are_refused(pair):
    """Beyond the last bit; equalities that are neither active nor not; from a callback."""
    ours = pair[0]
    for signature in (-1, 1 << 15):
        with pytest.raises(cf.ArgumentError, match="signature: expected a sum of mjtState"):
            state_size(ours.model, signature)
    before = ours.digest()
    with pytest.raises(cf.StateError, match=r"eq_active\[1\] of this state is 0.5"):
        write_state(ours, 1 << 9, np.array([1.0, 0.5]))
    assert ours.digest() == before
    ours.model.callbacks.control = lambda m, d: write_state(d, 1, np.zeros(1))
    with pytest.raises(cf.ArgumentError, match="a callback cannot set the state of"):
        ours.step()


def test_worlds_of_a_batch_have_arrays_elsewhere(pair):
    """A Data whose arrays belong to a batch gives and takes the same vectors."""
    ours = pair[0]
    batch = cf.BatchSim(ours.model, 2)
    world = batch.env(1)
    write_state(world, 0x7FFF, _vector(ours, 0x7FFF))
    np.testing.assert_array_equal(_vector(world, 0x7FFF), _vector(ours, 0x7FFF))
    np.testing.assert_array_equal(batch.qpos[1], ours.qpos)
