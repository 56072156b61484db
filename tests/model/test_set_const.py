"""`model.set_const` after edits in place, against mj_setConst after the same edits."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from conformance.generate import random_model
from cortenforge.compare import load_reference
from cortenforge.compare.hulls import ORDER_DEPENDENT
from cortenforge.compile.constants.set_const import DERIVED_FIELDS
from cortenforge.errors import ModelError
from cortenforge.fields import MODEL_FIELDS
from tests.compile.oracle import close

mujoco = pytest.importorskip("mujoco")

#: what is edited, by which factor or to what distance
SCALED = ("body_mass", "body_inertia", "geom_size", "dof_armature", "actuator_gear")
SHIFTED = (
    "body_pos", "jnt_pos", "qpos0", "geom_pos", "site_pos", "cam_pos", "light_pos", "geom_margin",
    "dof_armature", "actuator_armature", "qpos_spring", "body_gravcomp",
)  # fmt: skip
ROBOT = """
<mujoco>
  <asset><hfield name="h" nrow="2" ncol="2" size="1 1 .5 .1" elevation="0 1 1 0"/></asset>
  <worldbody>
    <geom type="hfield" hfield="h"/>
    <camera mode="trackcom" pos="1 1 1"/><light mode="track" pos="0 0 3"/>
    <body pos="1 0 1"><freejoint/><geom type="box" size=".1 .2 .3" fluidshape="ellipsoid"/></body>
    <body name="a" pos="0 0 1"><joint name="ja" axis="0 1 0" armature=".1" pos=".1 0 0"/>
      <geom type="capsule" size=".05 .3" pos="0 0 .1"/><site name="s1" pos=".1 0 0"/>
      <body name="b" pos=".3 0 .2"><joint name="jb" type="ball"/>
        <geom type="ellipsoid" size=".1 .2 .3"/>
        <body name="c" pos=".1 .1 0"><joint name="js" type="slide" stiffness="3"/>
          <geom type="cylinder" size=".1 .2"/><site name="s3" pos="0 0 .3"/></body></body></body>
  </worldbody>
  <tendon>
    <spatial name="t"><site site="s1"/><site site="s3"/></spatial>
    <fixed name="f" springlength=".1 .2"><joint joint="ja" coef="2"/><joint joint="js" coef="1"/>
    </fixed>
  </tendon>
  <equality>
    <connect body1="a" body2="c" anchor="0 0 .1"/><weld body1="b" body2="a"/>
    <weld body1="c" body2="a" relpose="1 2 3 1 0 0 0"/>
  </equality>
  <actuator>
    <motor joint="ja" gear="3"/><position joint="js" kp="10" dampratio="1"/><general tendon="t"/>
  </actuator>
</mujoco>
"""


def differences(ours: cf.Model, theirs: object) -> list[str]:
    """Fields of a model that are not MuJoCo's; but for the order of hulls."""
    found = []
    for name, array in ours._store.arrays.items():
        reference = getattr(theirs, name, None)
        if isinstance(reference, np.ndarray) and name not in ORDER_DEPENDENT:
            same = np.asarray(reference).reshape(array.shape)
            if not close(array, same):
                found.append(name)
    flags = ("ngravcomp", "flg_gravcomp", "flg_surfacevel", "flg_adhesion")
    return found + [name for name in flags if getattr(ours, name) != getattr(theirs, name)]


def edited(ours: cf.Model, theirs: object, *names: str) -> None:
    """Give MuJoCo's model the arrays that were edited in ours."""
    for name in names:
        reference = getattr(theirs, name)
        reference[...] = getattr(ours, name).reshape(reference.shape)


@pytest.mark.parametrize("seed", range(60))
def test_random_edits_of_random_models(seed: int) -> None:
    """Every field is MuJoCo's, after edits of a few arrays at once."""
    text = random_model(seed)
    ours, theirs = cf.Model.from_mjcf(text), load_reference(text)
    before = differences(ours, theirs)
    chance = np.random.default_rng(seed)
    scaled, shifted = (
        chance.choice(SCALED, 2, replace=False),
        chance.choice(SHIFTED, 3, replace=False),
    )
    for name in scaled:
        getattr(ours, name)[...] *= chance.uniform(0.8, 1.2, getattr(ours, name).shape)
    for name in shifted:
        getattr(ours, name)[...] += chance.uniform(0.01, 0.05, getattr(ours, name).shape)
    edited(ours, theirs, *scaled, *shifted)
    ours.set_const()
    mujoco.mj_setConst(theirs, mujoco.MjData(theirs))
    assert [name for name in differences(ours, theirs) if name not in before] == []


EDITS = {
    "poses": {
        "body_quat": lambda a: a[2:].__iadd__(0.1),
        "body_ipos": lambda a: a[2:].__iadd__(0.05),
        "jnt_axis": lambda a: a[1].put([0, 1, 2], [0.0, 0.6, 0.8]),
        "light_dir": lambda a: a.__iadd__(0.3),
    },
    "welds": {"eq_data": lambda a: a[:, 6:10].fill(0.0)},
    "tendons": {"tendon_armature": lambda a: a.fill(0.05), "tendon_stiffness": lambda a: a.fill(2)},
    "actuators": {
        "actuator_biasprm": lambda a: a[1].put(2, 0.7),
        "actuator_damping": lambda a: a.fill(0.2),
        "actuator_armature": lambda a: a.fill(0.1),
    },
    "contacts": {
        "geom_contype": lambda a: a[1:3].fill(6),
        "geom_gap": lambda a: a.fill(0.1),
        "geom_surfacevel": lambda a: a.fill(1.0),
        "geom_adhesion": lambda a: a.fill(0.5),
    },
    "height fields": {"hfield_size": lambda a: a.__imul__(2.0), "geom_size": lambda a: a.fill(0.3)},
    "what is not read": {
        "tendon_lengthspring": lambda a: a.fill(-1.0),
        "dof_damping": lambda a: a.fill(0.3),
        "geom_rbound": lambda a: a.fill(9.0),
    },
    "nothing": {},
}


@pytest.mark.parametrize("edit", EDITS)
def test_each_kind_of_edit(edit: str) -> None:
    """What is derived follows, what is given stays: fields and flags are MuJoCo's."""
    ours, theirs = cf.Model.from_mjcf(ROBOT), load_reference(ROBOT)
    for name, change in EDITS[edit].items():
        change(getattr(ours, name))
    edited(ours, theirs, *EDITS[edit])
    ours.set_const()
    mujoco.mj_setConst(theirs, mujoco.MjData(theirs))
    assert differences(ours, theirs) == []


@pytest.mark.parametrize("seed", range(100, 120))
def test_a_model_that_was_not_edited_stays(seed: int) -> None:
    """Bit for bit: constants do not depend on when they are worked out."""
    model = cf.Model.from_mjcf(random_model(seed))
    before = {name: array.tobytes() for name, array in model._store.arrays.items()}
    sizes = dict(model.sizes)
    model.set_const()
    changed = [n for n, array in model._store.arrays.items() if array.tobytes() != before[n]]
    # that it was looked at again is all that is new
    assert changed == ["version"] and model.sizes == sizes


def test_a_step_follows_the_edit() -> None:
    """Gravity compensation that a model did not have before is felt after `set_const`."""
    model = cf.Model.from_mjcf(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    model.body_gravcomp[1] = 1.0
    model.set_const()
    data = model.make_data()
    data.step(10)
    assert model.ngravcomp == 1 and np.all(data.qvel == 0)


def test_simple_bodies_stay_simple() -> None:
    """A body whose inertia was at its origin cannot be moved off it; nothing is changed then."""
    model, theirs = cf.Model.from_mjcf(ROBOT), load_reference(ROBOT)
    model.body_mass[1] = 2.0
    model.body_ipos[1] = 0.1
    edited(model, theirs, "body_mass", "body_ipos")
    before = model.dof_M0.copy()
    with pytest.raises(mujoco.FatalError, match="compiled as simple"):
        mujoco.mj_setConst(theirs, mujoco.MjData(theirs))
    with pytest.raises(ModelError, match=r'body 1 was compiled as simple.*simple="false"'):
        model.set_const()
    np.testing.assert_array_equal(model.dof_M0, before)


def test_armature_that_cannot_be() -> None:
    """Inertia of a tendon that spoils M is named, with what to do."""
    model = cf.Model.from_mjcf(
        """<mujoco><worldbody>
        <body><joint name="a"/><geom size=".1" pos=".2 0 0"/>
          <body><joint name="b"/><geom size=".1" pos=".2 0 0"/></body>
          <body><joint name="c"/><geom size=".1" pos="0 .2 0"/></body></body>
        </worldbody><tendon><fixed armature=".001"><joint joint="a" coef="1"/>
        <joint joint="b" coef="1"/><joint joint="c" coef="1"/></fixed></tendon></mujoco>"""
    )
    model.tendon_armature[0] = 1e3
    with pytest.raises(ModelError, match="armature of tendons"):
        model.set_const()


def test_arrays_are_those_of_mujoco() -> None:
    """MuJoCo's header lists what mj_setConst writes; what is missing here is structure."""
    header = Path(mujoco.__file__).parent / "include" / "mujoco" / "mjxmacro.h"
    listed = header.read_text().split("#define MJSETCONST_ARRAYS")[1].split("\n\n")[0]
    rows = re.findall(r"X\( (\w+),(.*?)\)", listed)
    written = {name for name, use in rows if "OUT" in use}
    known = {field.name for field in MODEL_FIELDS}
    assert written & known - set(DERIVED_FIELDS) == {
        "body_treeid", "tree_bodyadr", "tree_bodynum", "tree_dofadr", "tree_dofnum",
        "tendon_treenum", "tendon_treeid", "ten_J_rownnz", "ten_J_rowadr", "ten_J_colind",
    }  # fmt: skip
    assert set(DERIVED_FIELDS) <= written


@pytest.mark.oracle
@pytest.mark.parametrize("joints", ["<joint type='slide'/>", "<joint/>", "<freejoint/>"])
def test_bodies_without_mass(joints: str) -> None:
    """One that only slides is refused, as MuJoCo does; others are not, and nothing is changed."""
    xml = f"<mujoco><worldbody><body name='b'>{joints}<geom size='.1'/></body></worldbody></mujoco>"
    model, reference = cf.Model.from_mjcf(xml), load_reference(xml)
    model.body_mass[1] = reference.body_mass[1] = 0.0
    if "slide" not in joints:
        mujoco.mj_setConst(reference, mujoco.MjData(reference))
        model.set_const()
        return
    with pytest.raises(mujoco.FatalError):
        mujoco.mj_setConst(reference, mujoco.MjData(reference))
    before = model.dof_invweight0.copy()
    with pytest.raises(ModelError, match="body b slides and its mass is zero: set body_mass"):
        model.set_const()
    np.testing.assert_array_equal(model.dof_invweight0, before)
