"""Mocap bodies: moved by the user, never by the physics."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.fields import DATA_FIELDS
from tests.step.stages import field, pair

ARM = """<body pos="0 0 1"><joint axis="0 1 0" damping=".1"/><geom size=".1" pos=".3 0 0"/>
    <body pos=".5 0 0"><joint type="ball"/><geom type="box" size=".1 .2 .1" pos=".2 0 0"/></body>
  </body>"""
MOCAP = """<body name="hand" mocap="true" pos="1 0 1" euler="0 0 45"><geom size=".2" mass="7"/>
    <site name="palm" pos="0 .1 0"/>
    <body name="thumb" pos="0 .2 0" euler="30 0 0"><geom size=".1" mass="3"/>
      <camera name="view" pos="0 0 .1"/></body></body>"""
OPTION = '<option integrator="{}"><flag contact="disable"/></option>'


def text(worldbody: str, integrator: str = "Euler") -> str:
    head = f"<mujoco>{OPTION.format(integrator)}"
    return f"{head}<worldbody>{worldbody}</worldbody></mujoco>"


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_it_adds_no_mass(integrator):
    """14-AC3: M, its factor, bias forces and the motion have the same bits with mocap bodies."""
    bare, with_mocap = (
        cf.Model.from_mjcf(text(body, integrator)).make_data() for body in (ARM, ARM + MOCAP)
    )
    for data in (bare, with_mocap):
        data.qvel[:] = (1, -2, 0.5, 0.3)
        data.step(40)
    with_mocap.mocap_pos[0] = (0, 3, 0)
    for data in (bare, with_mocap):
        data.step(10)
    for name in ("M", "qLD", "qLDiagInv", "qfrc_bias", "qacc", "qpos", "qvel"):
        assert np.array_equal(getattr(bare, name), getattr(with_mocap, name)), name
    arm = slice(1, 3)
    assert np.array_equal(bare.subtree_com[arm], with_mocap.subtree_com[arm])
    assert with_mocap.model.nv == bare.model.nv


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_it_is_where_the_user_puts_it(integrator):
    """14-AC2: poses are taken before kinematics, children move along, steps do not move it."""
    both = pair(text(ARM + MOCAP, integrator))
    rng = np.random.default_rng(8)
    places = [f for f in DATA_FIELDS if f.group == "position" and f.role == "derived"]
    for _ in range(5):
        position, rotation = rng.normal(size=3), 3 * rng.normal(size=4)
        for data in (both.data, both.theirs):
            data.mocap_pos[0], data.mocap_quat[0] = position, rotation
        both.forward()
        both.assert_equal(*places)
        hand, thumb = both.data.body("hand"), both.data.body("thumb")
        np.testing.assert_array_equal(hand.xpos, position)
        unit = rotation / np.linalg.norm(rotation)
        np.testing.assert_allclose(hand.xquat, unit, atol=1e-15)
        np.testing.assert_allclose(
            thumb.xpos, position + hand.xmat.reshape(3, 3) @ [0, 0.2, 0], atol=1e-14
        )
        both.step()
        # what the user wrote stays as it was written, unit or not
        np.testing.assert_array_equal(both.data.mocap_pos[0], position)
        np.testing.assert_array_equal(both.data.mocap_quat[0], rotation)
        both.assert_equal(field("qpos"), field("qvel"))


def test_a_quaternion_without_direction_is_none():
    """Zero, or too short: the identity, as in MuJoCo."""
    both = pair(text(MOCAP))
    for rotation in ((0, 0, 0, 0), (1e-20, 0, 0, 0), (0, 1e-300, 0, 0)):
        for data in (both.data, both.theirs):
            data.mocap_quat[0] = rotation
        both.forward()
        both.assert_equal(field("xquat"), field("xmat"))
        np.testing.assert_array_equal(both.data.body("hand").xquat, (1, 0, 0, 0))


def test_every_world_has_its_own():
    """A batch has (n, nmocap, ...) arrays, and the bits of single worlds."""
    model = cf.Model.from_mjcf(text(ARM + MOCAP))
    batch, rng = cf.BatchSim(model, 11, threads=1), np.random.default_rng(9)
    batch.bind("xpos", "xquat")
    assert batch.mocap_pos.shape == (11, 1, 3)
    batch.mocap_pos[:] = rng.normal(size=batch.mocap_pos.shape)
    batch.mocap_quat[:] = rng.normal(size=batch.mocap_quat.shape)
    start = batch.get_states()
    assert batch.step_all(5) == [None] * 11
    for i in range(11):
        data = model.make_data()
        data.set_state(start[i])
        data.step(5)
        assert np.array_equal(batch.xpos[i], data.xpos)
        assert np.array_equal(batch.xquat[i], data.xquat)
        assert np.array_equal(batch.get_states()[i], data.get_state().vector)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e11])
@pytest.mark.parametrize("name", ["mocap_pos", "mocap_quat"])
def test_a_pose_that_is_none(name, bad):
    """A typed error with the body's name; other worlds of a batch go on."""
    model = cf.Model.from_mjcf(text(ARM + MOCAP))
    data = model.make_data()
    getattr(data, name)[0, 1] = bad
    before = data.digest()
    with pytest.raises(cf.InvalidPosition, match="mocap body 'hand'") as caught:
        data.step()
    assert data.digest() == before and caught.value.object_name == "hand"
    batch = cf.BatchSim(model, 9, threads=1)
    getattr(batch, name)[4, 0, 2] = bad
    errors = batch.step_all(3)
    assert [i for i, error in enumerate(errors) if error is not None] == [4]
    assert isinstance(errors[4], cf.InvalidPosition)


def test_wrong_numbers_and_shapes():
    """Bodies that are not there, and poses of the wrong shape or type, are errors."""
    model = cf.Model.from_mjcf(text(ARM + MOCAP))
    data, batch = model.make_data(), cf.BatchSim(model, 3)
    for number in (1, -2):
        with pytest.raises(IndexError):
            data.mocap_pos[number] = 0
        with pytest.raises(IndexError):
            batch.mocap_pos[:, number] = 0
    for owner in (data, batch):
        for value in (np.zeros(4), np.zeros((2, 3)), "here", None, [[1j, 0, 0]]):
            with pytest.raises(cf.ShapeError):
                owner.mocap_pos = value
    still = cf.Model.from_mjcf(text(ARM)).make_data()
    with pytest.raises(IndexError):
        still.mocap_pos[0] = 1
