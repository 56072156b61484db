"""Named access: every field of every object kind has MuJoCo's shape, type and values."""

from __future__ import annotations

import contextlib

import mujoco
import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import ShapeError, UnknownAttribute

SCENE = """
<mujoco>
  <asset>
    <texture name="chequered" type="2d" builtin="checker" width="4" height="6"/>
    <material name="paint" texture="chequered"/>
    <hfield name="hills" nrow="3" ncol="4" size="1 1 1 1"/>
    <mesh name="wedge" inertia="shell" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  </asset>
  <worldbody>
    <camera name="eye"/><light name="sun"/><site name="tip"/>
    <body name="held" mocap="true"/>
    <body name="trunk" pos="0 0 3">
      <freejoint name="free"/><geom name="big" size="1"/>
      <body name="arm">
        <joint name="hinge" stiffness="3" springyield="1" damping="1"/>
        <joint name="slide" type="slide"/>
        <geom name="small" size="1"/>
      </body>
      <body name="leg"><joint name="ball" type="ball"/><geom size="1"/></body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="cord" stiffness="1" springyield="2">
      <joint joint="hinge" coef="1"/><joint joint="slide" coef="2"/>
    </fixed>
  </tendon>
  <equality><joint name="tie" joint1="hinge"/></equality>
  <contact>
    <pair name="both" geom1="big" geom2="small"/><exclude name="none" body1="trunk" body2="arm"/>
  </contact>
  <actuator>
    <general name="lag" joint="slide" dyntype="integrator" actlimited="true" actrange="-1 1"/>
    <motor name="pull" tendon="cord" gear="2"/>
  </actuator>
  <sensor><jointpos name="angle" joint="hinge"/><accelerometer name="felt" site="tip"/></sensor>
  <custom>
    <numeric name="few" data="1 2 3"/>
    <tuple name="group">
      <element objtype="body" objname="arm" prm="1"/><element objtype="geom" objname="big"/>
    </tuple>
  </custom>
  <keyframe><key name="start"/></keyframe>
</mujoco>
"""
OBJECTS = {
    "body": ("world", "held", "trunk", "arm"),
    "joint": ("free", "hinge", "slide", "ball"),
    "geom": ("big",),
    "site": ("tip",),
    "camera": ("eye",),
    "light": ("sun",),
    "tendon": ("cord",),
    "actuator": ("lag", "pull"),
    "sensor": ("angle", "felt"),
    "equality": ("tie",),
    "pair": ("both",),
    "exclude": ("none",),
    "texture": ("chequered",),
    "material": ("paint",),
    "hfield": ("hills",),
    "mesh": ("wedge",),
    "numeric": ("few",),
    "tuple": ("group",),
    "key": ("start",),
}
#: other names of the same in MuJoCo
SYNONYMS = {"cam", "eq", "jnt", "keyframe", "mat", "tex"}


@pytest.fixture(scope="module")
def both() -> tuple[cf.Data, mujoco.MjData, mujoco.MjModel]:
    reference = mujoco.MjModel.from_xml_string(SCENE)
    theirs = mujoco.MjData(reference)
    mujoco.mj_forward(reference, theirs)
    ours = cf.Model.from_mjcf(SCENE).make_data()
    ours.forward()
    return ours, theirs, reference


def fields_of(view: object) -> list[str]:
    return [name for name in dir(view) if not name.startswith("_") and name not in ("id", "name")]


def kinds_of(reference: mujoco.MjModel) -> set[str]:
    """Kinds that MuJoCo has accessors for: methods of a number that give something with a name."""
    found = set()
    for name in dir(reference):
        if not name.startswith("_") and callable(method := getattr(reference, name)):
            with contextlib.suppress(TypeError, IndexError):
                found |= {name} if hasattr(method(0), "name") else set()
    return found


def test_every_kind_is_compared(both) -> None:
    assert kinds_of(both[2]) - SYNONYMS == set(OBJECTS)


@pytest.mark.parametrize("kind", OBJECTS)
def test_fields_are_those_of_mujoco(kind: str, both) -> None:
    """Shapes, and values where the two engines agree on them; names and numbers, too."""
    data, theirs, reference = both
    compared = 0
    for ours, other in ((data.model, reference), (data, theirs)):
        if not hasattr(other, kind):
            continue
        for name in OBJECTS[kind]:
            view, known = getattr(ours, kind)(name), getattr(other, kind)(name)
            assert (view.id, view.name) == (known.id, known.name)
            for field in fields_of(known):
                found, expected = getattr(view, field), getattr(known, field)
                assert isinstance(found, np.ndarray), (name, field)
                assert found.shape == expected.shape, (name, field)
                compared += 1
    assert compared


def test_values_are_those_of_mujoco(both) -> None:
    data, theirs, reference = both
    for ours, other, fields in (
        (data.model, reference, ("mass", "inertia", "parentid", "armature", "damping", "solref")),
        (data, theirs, ("xpos", "qpos", "qvel", "moment", "length", "plastic")),
    ):
        for kind, names in OBJECTS.items():
            for name in names if hasattr(other, kind) else ():
                view, known = getattr(ours, kind)(name), getattr(other, kind)(name)
                for field in set(fields) & set(fields_of(known)):
                    np.testing.assert_allclose(
                        getattr(view, field), getattr(known, field), atol=1e-12, err_msg=field
                    )


def test_numbers_are_arrays_of_length_one(both) -> None:
    """`[0]` and `[:]` are idioms of programs that were written for MuJoCo."""
    data = both[0]
    model = data.model
    assert model.body("arm").mass.shape == (1,)
    before = model.body_mass[model.body("arm").id]
    model.body("arm").mass[0] *= 2
    assert model.body_mass[model.body("arm").id] == 2 * before
    model.body("arm").mass[:] = before
    model.body("arm").mass *= 1
    data.actuator("pull").ctrl[:] = 0.5
    assert data.ctrl.tolist() == [0, 0.5]
    data.actuator("pull").ctrl = 0
    assert data.actuator("pull").ctrl.tolist() == [0]


def test_what_joints_and_dofs_share_is_the_joints(both) -> None:
    model = both[0].model
    joint = model.joint("ball")
    assert joint.solref.shape == (2,) and np.shares_memory(joint.solref, model.jnt_solref)
    assert joint.dof_solref.shape == (3, 2) and np.shares_memory(joint.dof_solref, model.dof_solref)


def test_several_outputs_have_moments_each() -> None:
    model = cf.Model.from_mjcf(
        """<mujoco><worldbody><body><joint name="j" type="ball"/><geom size="1"/></body></worldbody>
        <actuator><orientation name="turn" joint="j" kp="1"/></actuator></mujoco>"""
    )
    data = model.make_data()
    data.forward()
    assert data.actuator("turn").moment.tolist() == np.eye(3).tolist()


def test_what_is_not_there_is_refused(both) -> None:
    data = both[0]
    with pytest.raises(UnknownAttribute, match="no body field 'mas'; did you mean 'mass'"):
        _ = data.model.body("arm").mas
    with pytest.raises(UnknownAttribute, match="did you mean 'ctrl'"):
        data.actuator("pull").ctr = 1
    with pytest.raises(UnknownAttribute, match="no statistic 'extend'; did you mean 'extent'"):
        data.model.stat.extend = 1
    with pytest.raises(ShapeError, match=r"body_mass: expected numbers of shape \(1,\)"):
        data.model.body("arm").mass = [1, 2]
    with pytest.raises(ShapeError, match="body_mass: expected numbers"):
        data.model.body("arm").mass = "heavy"
    with pytest.raises(UnknownAttribute, match=r"data\.actuator_moment"):
        data.actuator("pull").moment = 3
