"""`data.contact` reads as MuJoCo's does."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf

HAND = """
<mujoco><worldbody>
  <geom name="table" type="plane" size="1 1 1"/>
  <body name="hand" pos="0 0 .1"><freejoint/><geom name="palm" size=".1"/>
    <body name="finger" pos=".3 0 0"><joint/><geom name="tip" size=".1"/></body></body>
  <body name="cube" pos=".45 0 .1"><freejoint/><geom name="side" type="box" size=".1 .1 .1"/></body>
</worldbody></mujoco>
"""


@pytest.fixture
def data():
    data = cf.Model.from_mjcf(HAND).make_data()
    data.collide()
    return data


def test_a_list_of_rows(data):
    """Length, index, slice, iteration, from the end as well."""
    contact = data.contact
    assert len(contact) == data.ncon > 4
    assert contact[0].dist == data.contact_dist[0]
    assert contact[-1].geom.tolist() == data.contact_geom[data.ncon - 1].tolist()
    assert [one.dist for one in contact] == contact.dist.tolist()
    assert len(contact[1:3]) == 2 and contact[1:3].dist.tolist() == contact.dist[1:3].tolist()
    with pytest.raises(IndexError):
        contact[data.ncon]


@pytest.mark.oracle
def test_attributes_are_mujocos(data):
    """All of mjContact but what the solver keeps for itself."""
    mujoco = pytest.importorskip("mujoco")
    reference = mujoco.MjModel.from_xml_string(HAND)
    theirs = mujoco.MjData(reference)
    mujoco.mj_kinematics(reference, theirs)
    mujoco.mj_collision(reference, theirs)
    names = {name for name in dir(theirs.contact) if not name.startswith("_")} - {"H", "mu"}
    assert names <= set(dir(data.contact)) | {"count", "index"}
    for name in names & set(dir(data.contact)):
        ours, other = getattr(data.contact, name), getattr(theirs.contact, name)
        assert np.shape(ours) == np.shape(other), name
        assert np.allclose(ours, other, atol=1e-12), name
        assert np.allclose(getattr(data.contact[1], name), getattr(theirs.contact[1], name))


def test_numbers_can_be_written(data):
    data.contact[0].dist = -1.0
    data.contact.friction[:] = 0.5
    assert data.contact_dist[0] == -1.0
    assert (data.contact_friction[: data.ncon] == 0.5).all()
    with pytest.raises(AttributeError, match="nonsense"):
        data.contact[0].nonsense = 1
    with pytest.raises(AttributeError, match="nonsense"):
        getattr(data.contact, "nonsense")  # noqa: B009


def test_contacts_between_names(data):
    """By geom, by body, by subtree; in either order; with anything."""
    (touch,) = data.contacts_between("finger", "cube")
    assert touch.dist == pytest.approx(-0.05)
    assert len(data.contacts_between("cube", "tip")) == 1
    assert len(data.contacts_between("hand", "cube")) == 0
    assert len(data.contacts_between("hand", "cube", subtree=True)) == 1
    assert len(data.contacts_between("cube", "table")) == 4
    assert len(data.contacts_between("side")) == 5
    assert data.contacts_between("hand", "finger").dist.shape == (0,)
    with pytest.raises(KeyError, match="thumb"):
        data.contacts_between("thumb", "cube")


def test_forces_of_contacts_that_were_found() -> None:
    """A contact is its own number: `contact_force` and `explain_contact` take both."""
    model = cf.Model.from_mjcf(cf.models.find("humanoid"))
    data, other = model.make_data(), model.make_data()
    for world in (data, other):
        world.reset_to_keyframe("stand")
        world.step(60)
        world.forward()
    found = data.contacts_between("floor", "left_foot")
    numbers = [i for i in range(data.ncon) if data.contact[i].pos[1] > 0]
    assert len(found) == len(numbers) > 0
    for contact, i in zip(found, numbers, strict=True):
        assert (data.contact_force(contact) == data.contact_force(i)).all()
        assert data.explain_contact(contact) == data.explain_contact(i)
    with pytest.raises(cf.ArgumentError, match="another Data"):
        other.contact_force(found[0])
