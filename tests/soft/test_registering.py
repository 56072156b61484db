"""Deformables put into a world that runs; their state, copies, batches and views."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf

BODY = """<mujoco><worldbody><body name="hand" pos="0 0 1"><freejoint/><geom size="0.1"/>
  <site name="tip" pos="0 0 0.1"/></body></worldbody>
  <keyframe><key name="up" qpos="0 0 5 1 0 0 0"/></keyframe></mujoco>"""


def world() -> cf.Data:
    data = cf.Model.from_mjcf(BODY).make_data()
    data.step(10)
    return data


def cloth(**settings) -> cf.Cloth:
    return cf.Cloth.grid(4, 3, name="flag", pos=(0, 0, 2), pinned="left", **settings)


def rope() -> cf.CapsuleChain:
    return cf.CapsuleChain.line((1, 0, 1), (2, 0, 1), 5, name="rope")


def test_register_and_fetch():
    """11-S5: a body is registered, fetched by number or name, and can be changed."""
    data = world()
    assert data.register_deformable(cloth()) == 0
    assert data.register_deformable(rope()) == 1
    flag = data.deformable("flag")
    assert flag.positions == pytest.approx(cloth().vertices)
    assert data.deformable(1).name == "rope"
    assert data.deformable(1).positions == pytest.approx(rope().vertices)
    assert flag.faces.tolist() == cloth().faces.tolist()
    assert len(data.deformable("rope").faces) == 0
    flag.positions[3] = 7
    assert data.softvert_pos[3].tolist() == [7, 7, 7]
    flag.velocities[:] = 1
    assert data.softvert_vel[: len(flag.velocities)].all()
    flag.forces[0] = (0, 0, 5)
    assert data.softvert_applied[0, 2] == 5
    assert np.isinf(flag.masses[:3]).all()
    assert flag.masses[3:].sum() < cloth().masses().sum()
    with pytest.raises(KeyError, match="did you mean 'flag'"):
        data.deformable("flg")
    with pytest.raises(cf.ArgumentError, match="expected a Cloth"):
        data.register_deformable("flag")


def test_the_world_goes_on():
    """State and inputs of rigid bodies stay; the model is another one."""
    data = world()
    before = data.model
    data.qfrc_applied[0] = 3
    data.time = 4.5
    kept = (data.qpos.copy(), data.qvel.copy(), data.qacc_warmstart.copy(), data.xpos.copy())
    data.register_deformable(cloth())
    assert data.model is not before
    assert before.nsoft == 0
    assert (data.time, data.qfrc_applied[0]) == (4.5, 3)
    for one, other in zip(
        kept, (data.qpos, data.qvel, data.qacc_warmstart, data.xpos), strict=True
    ):
        assert np.array_equal(one, other)
    data.softvert_vel[0] = 2
    data.register_deformable(rope())
    assert data.softvert_vel[0].tolist() == [2, 2, 2]


def test_the_same_as_compiled():
    """With names and hash of a model that had the deformables from the start."""
    data = cf.Model.from_mjcf(BODY).make_data()
    data.register_deformable(cf.Cloth.grid(4, 3, name="flag", pinned=0))
    flag = '<cloth name="flag" count="4 3"><pin vertex="0"/></cloth>'
    text = BODY.replace("<keyframe>", f"<deformable>{flag}</deformable><keyframe>")
    compiled = cf.Model.from_mjcf(text)
    assert data.model.hash == compiled.hash
    assert data.model.names == compiled.names
    assert data.model.hash != cf.Model.from_mjcf(BODY).hash


def test_models_share_nothing():
    """A model with more deformables is edited without the first one."""
    model = cf.Model.from_mjcf(BODY)
    model.opt.timestep = 0.01
    model.body_mass[1] = 7
    model.callbacks.control = lambda model, data: None
    more = model.with_deformables([cloth(), rope()])
    assert more.opt.timestep == 0.01
    assert more.body_mass[1] == 7
    assert more.callbacks.control is model.callbacks.control
    more.body_mass[1] = 8
    more.names["soft"][0] = "other"
    more.vis.map.znear = 5
    assert model.body_mass[1] == 7
    assert model.names["soft"] == []
    assert model.vis.map.znear != 5
    with pytest.raises(cf.SoftError, match="another deformable already has the name 'rope'"):
        more.with_deformables([rope()])


def test_candidates_for_contact_come_along():
    """A model with geoms that can touch, and with grids of distances, is taken as it is."""
    floor = '<worldbody><geom type="plane" size="1 1 0.1"/><geom size="0.1" pos="3 0 0"/>'
    model = cf.Model.from_mjcf(BODY.replace("<worldbody>", floor))
    data = model.make_data()
    data.register_deformable(cloth())
    assert len(model.candidate_geom) == 2
    assert np.array_equal(data.model.candidate_geom, model.candidate_geom)
    data.step(500)
    alone = model.make_data()
    alone.step(500)
    assert data.ncon == alone.ncon == 1
    assert data.qpos == pytest.approx(alone.qpos, abs=1e-9)


def test_places_beside_bodies_are_those_of_now():
    """A body that moved holds vertices where they are when they are registered."""
    data = cf.Model.from_mjcf(BODY).make_data()
    data.qpos[:3] = (0, 0, 3)
    data.register_deformable(cloth().attach(0, body="hand").attach(1, site="tip"))
    model = data.model
    assert model.softpin_pos[0] == pytest.approx(cloth().vertices[0] - [0, 0, 3])
    assert model.softpin_pos[1] == pytest.approx([0, 0, 0.1])
    # of the model itself in the reference position, and earlier ones are left alone
    data.qpos[:3] = (9, 9, 9)
    data.register_deformable(rope())
    assert np.array_equal(data.model.softpin_pos, model.softpin_pos)
    still = model.with_deformables([cf.Cloth.grid(2, 2).attach(0, body="hand")])
    assert still.softpin_pos[2] == pytest.approx([-0.5, -0.5, -1])
    with pytest.raises(cf.SoftError, match="there is no body 'hnd'"):
        data.register_deformable(cf.Cloth.grid(2, 2).attach(0, body="hnd"))


def test_reset_puts_vertices_back():
    """Where they were registered, at rest; a keyframe as well."""
    data = world()
    data.register_deformable(cloth())
    data.register_deformable(rope())
    for reset in (data.reset, lambda: data.reset_to_keyframe("up")):
        data.softvert_pos[:] = 9
        data.softvert_vel[:] = 9
        data.softvert_applied[:] = 9
        data.softrod_quat[:] = 0
        data.softhold_geom[:] = 3
        reset()
        assert data.deformable(0).positions == pytest.approx(cloth().vertices)
        assert not data.softvert_vel.any()
        assert not data.softvert_applied.any()
        assert not data.softhold_geom.any()
        assert np.array_equal(data.softrod_quat, data.model.softrod_quat0)


def test_states_and_copies(tmp_path):
    """11-S5: state, copies, files and digests have the vertices; copies own theirs."""
    data = world()
    data.register_deformable(cloth())
    data.register_deformable(rope())
    data.step(5)
    state, digest = data.get_state(), data.digest()
    twin = data.copy()
    assert twin.digest() == digest
    data.save(tmp_path / "state.npz")
    data.step(5)
    assert data.digest() != digest
    assert twin.digest() == digest
    after = data.digest()
    data.load(tmp_path / "state.npz")
    assert data.digest() == digest
    data.set_state(state)
    data.step(5)
    assert data.digest() == after
    twin.step(5)
    assert twin.digest() == after
    with pytest.raises(cf.StateError, match="another model"):
        cf.Model.from_mjcf(BODY).make_data().set_state(state)


def test_batches_have_their_own():
    """11-S5: each world of a batch has the vertices for itself, bit by bit a single one's."""
    model = cf.Model.from_mjcf(BODY).with_deformables([cloth(), rope()])
    batch = cf.BatchSim(model, 3)
    alone = model.make_data()
    alone.qvel[0] = 1
    batch.env(1).qvel[0] = 1
    batch.step_all(5)
    alone.step(5)
    assert np.array_equal(batch.env(1).softvert_pos, alone.softvert_pos)
    assert batch.env(1).digest() == alone.digest()
    batch.reset(1)
    assert batch.env(1).softvert_pos == pytest.approx(model.softvert_pos0[:-1])
    assert batch.env(2).softvert_pos != pytest.approx(model.softvert_pos0[:-1])
    batch.reset_where(np.array([True, False, True]))
    assert np.array_equal(batch.env(2).softrod_quat, model.softrod_quat0)
    with pytest.raises(cf.ArgumentError, match="with_deformables"):
        batch.env(0).register_deformable(cloth())


def test_views_by_name():
    """`model.soft(...)` and `data.soft(...)`: what is of vertices comes as slices."""
    data = world()
    data.register_deformable(cloth())
    data.register_deformable(rope())
    view = data.model.soft("rope")
    assert (view.id, view.name, view.vertadr, view.vertnum, view.rodnum) == (1, "rope", 12, 6, 5)
    data.soft("rope").vert_vel[:] = 3
    assert data.softvert_vel[12:].all()
    assert not data.softvert_vel[:12].any()
    assert data.soft("rope").rod_quat.shape == (5, 4)
    assert data.model.name_of("soft", 0) == "flag"


def test_what_is_refused():
    """Derivatives, sleep of trees and GPUs do not know deformables, and say so."""
    data = world()
    data.register_deformable(cloth())
    with pytest.raises(cf.UnsupportedFeature, match="derivatives of models with deformables"):
        data.transition_derivatives()
    with pytest.raises(cf.UnsupportedFeature, match="derivatives of models with deformables"):
        data.inverse_derivatives()
    with pytest.raises(cf.UnsupportedFeature, match="derivatives of models with deformables"):
        data.smooth_velocity_derivative()
    with pytest.raises(cf.UnsupportedFeature, match="derivatives of models with deformables"):
        data.smooth_position_derivative()
    data.model.opt.enableflags |= 1 << 4
    with pytest.raises(cf.UnsupportedFeature, match=r"deformables with sleep of trees \(flag\)"):
        data.step()


def test_bodies_that_touch_still_touch():
    """Lists of geoms that can touch are worked out anew: a ball rests on a floor beside a cloth."""
    text = BODY.replace("<worldbody>", '<worldbody><geom type="plane" size="5 5 1"/>')
    text = text.replace('pos="0 0 1"', 'pos="0 0 0.1"')
    plain = cf.Model.from_mjcf(text)
    data = plain.make_data()
    number = data.register_deformable(cloth())
    for world in (data, plain.with_deformables([cloth()]).make_data()):
        assert len(world.model.candidate_geom) == len(plain.candidate_geom) == 1
        world.step(300)
        assert world.ncon == 1 and world.qpos[2] == pytest.approx(0.1, abs=1e-3)
    assert number == 0
