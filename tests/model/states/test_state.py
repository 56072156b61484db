"""States are restored bit for bit, and only into the model they came from."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf

XML = """
<mujoco>
  <size nuserdata="2"/>
  <option><flag contact="disable"/></option>
  <worldbody>
    <body mocap="true" name="hand" pos="1 2 3"/>
    <body><freejoint/><geom size=".1 .2 .3" type="box"/>
      <body pos=".5 0 0"><joint type="ball" damping="1"/><geom size=".1"/></body>
    </body>
  </worldbody>
  <keyframe>
    <key name="up" time="3" qpos="0 0 1 1 0 0 0 1 0 0 0" qvel="1 0 0 0 0 0 0 0 0"
         mpos="0 0 5" mquat="0 1 0 0"/>
  </keyframe>
</mujoco>
"""


@pytest.fixture
def data():
    data = cf.Model.from_mjcf(XML).make_data()
    rng = np.random.default_rng(1)
    data.qvel = rng.normal(size=data.model.nv)
    data.qfrc_applied = rng.normal(size=data.model.nv)
    data.xfrc_applied[1:] = rng.normal(size=(data.model.nbody - 1, 6))
    data.userdata = [1.5, -2.5]
    data.step(20)
    return data


def test_restored_state_continues_bit_for_bit(data):
    """Warm start and inputs included."""
    kept = data.get_state()
    data.step(50)
    first = data.digest()
    other = data.model.make_data()
    other.set_state(kept)
    other.step(50)
    assert other.digest() == first
    np.testing.assert_array_equal(other.qacc_warmstart, data.qacc_warmstart)
    other.set_state(np.asarray(kept))
    other.step(50)
    assert other.digest() == first


def test_copy_is_independent(data):
    """A copy has the same bits and goes its own way."""
    twin = data.copy()
    assert twin.digest() == data.digest()
    np.testing.assert_array_equal(twin.xpos, data.xpos)
    twin.step()
    assert twin.digest() != data.digest()


def test_saved_file_is_plain_and_exact(data, tmp_path):
    """npz without pickle."""
    data.save(tmp_path / "state.npz")
    with np.load(tmp_path / "state.npz", allow_pickle=False) as file:
        assert set(file) == {"format", "vector", "model_hash"}
    other = data.model.make_data()
    other.load(tmp_path / "state.npz")
    assert other.digest() == data.digest()


def test_state_of_another_model_is_refused(data, tmp_path):
    """Same sizes, other mass: another model."""
    other = cf.Model.from_mjcf(XML.replace('size=".1 .2 .3"', 'size=".1 .2 .4"')).make_data()
    before = other.digest()
    data.save(tmp_path / "state.npz")
    with pytest.raises(cf.StateError, match="another model"):
        other.set_state(data.get_state())
    with pytest.raises(cf.StateError, match="another model"):
        other.load(tmp_path / "state.npz")
    assert other.digest() == before


def test_damaged_states_are_refused(data, tmp_path):
    """Wrong length, wrong file, cut file: a StateError, and nothing changes."""
    before = data.digest()
    with pytest.raises(cf.StateError, match="shape"):
        data.set_state(np.zeros(3))
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(cf.StateError, match="not a saved state"):
        data.load(tmp_path / "text.npz")
    data.save(tmp_path / "state.npz")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "state.npz").read_bytes()[:100])
    with pytest.raises(cf.StateError):
        data.load(tmp_path / "cut.npz")
    np.savez(tmp_path / "objects.npz", format=1, vector=np.array([{}]), model_hash="x")
    with pytest.raises(cf.StateError):
        data.load(tmp_path / "objects.npz")
    with pytest.raises(FileNotFoundError):
        data.load(tmp_path / "missing.npz")
    assert data.digest() == before


def spoiled(content: bytes, count: int = 400) -> list[bytes]:
    """A file cut short, and with bytes changed, at places spread over it and at random ones."""
    rng = np.random.default_rng(5)
    found = [content[:end] for end in range(0, len(content), max(1, len(content) // 50))]
    for _ in range(count):
        other = bytearray(content)
        for place in rng.integers(len(content), size=rng.integers(1, 4)):
            other[place] = rng.integers(256)
        found.append(bytes(other))
    return found


@pytest.mark.filterwarnings("ignore")
def test_spoiled_files_are_state_errors(data, tmp_path):
    """Whatever is wrong inside a file is a StateError; what is loaded is what was saved."""
    file = tmp_path / "state.npz"
    data.save(file)
    saved = cf.State.load(file)
    refused = 0
    for content in spoiled(file.read_bytes()):
        file.write_bytes(content)
        try:
            loaded = cf.State.load(file)
        except cf.StateError:
            refused += 1
        else:
            np.testing.assert_array_equal(loaded.vector, saved.vector)
    assert refused > 300


def test_file_that_cannot_be_read_is_an_os_error(tmp_path):
    """A missing file and a folder are no damaged states."""
    with pytest.raises(FileNotFoundError):
        cf.State.load(tmp_path / "missing.npz")
    with pytest.raises(OSError):
        cf.State.load(tmp_path)


def test_imaginary_parts_are_not_lost(data, tmp_path):
    """Numbers that are not real are refused, in a file and in memory."""
    state = data.get_state()
    wrong = state.vector + 1j
    np.savez(tmp_path / "s.npz", format=1, vector=wrong, model_hash=state.model_hash)
    with pytest.raises(cf.StateError, match="real numbers"):
        cf.State.load(tmp_path / "s.npz")
    for vector in (wrong, cf.State(wrong, state.model_hash), [None], "text", [[1.0], [1.0, 2.0]]):
        with pytest.raises(cf.StateError, match="real numbers"):
            data.set_state(vector)


def test_reset_and_keyframes(data):
    """002-A4, 14-AC1: reset clears state and inputs; a keyframe sets what it holds."""
    data.reset()
    fresh = data.model.make_data()
    assert data.digest() == fresh.digest()
    assert data.time == 0 and not data.qvel.any() and not data.qfrc_applied.any()
    np.testing.assert_array_equal(data.mocap_pos[0], [1, 2, 3])
    data.reset_to_keyframe("up")
    assert data.time == 3.0 and data.qvel[0] == 1.0
    np.testing.assert_array_equal(data.mocap_pos[0], [0, 0, 5])
    data.reset_to_keyframe(0)
    with pytest.raises(KeyError, match="no key"):
        data.reset_to_keyframe("down")
    with pytest.raises(IndexError):
        data.reset_to_keyframe(4)


def test_digest_sees_every_bit(data):
    """One changed bit changes the digest; derived fields do not count."""
    before = data.digest()
    data.xpos[1] = 5.0
    assert data.digest() == before
    data.qpos[0] = np.nextafter(data.qpos[0], 2)
    assert data.digest() != before
