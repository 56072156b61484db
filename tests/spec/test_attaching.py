"""Models attached from Python: as MuJoCo does it, written and read again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from conformance.roundtrip import changed_fields
from cortenforge.compile import compile_spec
from tests.compile.attach_models import random_attachments

pytestmark = pytest.mark.filterwarnings("ignore::cortenforge.errors.MjcfWarning")

TABLE = """
<mujoco model="table"><default><geom rgba="0 1 0 1" friction="0.5"/><motor gear="3"/></default>
<worldbody><geom name="top" type="box" size="1 1 .1"/>
<body name="shelf" pos="0 0 1"><joint name="lift" type="slide"/><geom size=".2"/>
<site name="hook" pos="1 2 3" euler="0 0 90"/><frame name="corner" pos="1 0 0"/></body></worldbody>
<actuator><motor name="motor" joint="lift"/></actuator>
<keyframe><key name="up" qpos="0.5" ctrl="2"/></keyframe></mujoco>
"""
ARM = """
<mujoco model="arm"><compiler angle="radian"/>
<default><geom rgba="1 0 0 1"/><default class="link"><geom size=".05" mass="2"/></default></default>
<asset><material name="steel"/></asset>
<worldbody><geom name="base" size=".1" material="steel"/>
<body name="arm" pos="0 0 1" euler="0 0.5 0"><joint name="j" range="-1 1"/>
<geom name="g" class="link"/><body name="hand" pos="0 0 .5"><joint name="k" ref="0.1"/>
<geom class="link"/></body></body></worldbody>
<contact><exclude body1="arm" body2="hand"/></contact>
<actuator><position name="servo" joint="j" kp="5"/></actuator>
<sensor><jointpos name="angle" joint="j"/></sensor>
<keyframe><key name="bent" qpos="0.3 0.4" ctrl="0.7"/></keyframe></mujoco>
"""
PLACES = {"frame": "corner", "site": "hook"}
FIELDS = (
    *("body_pos", "body_quat", "body_mass", "body_inertia", "jnt_range", "qpos0", "geom_pos"),
    *("geom_quat", "geom_rgba", "geom_friction", "geom_matid", "actuator_gear", "sensor_objid"),
    *("exclude_signature", "key_qpos", "key_ctrl", "key_time"),
)


@pytest.mark.oracle
@pytest.mark.parametrize("kind", PLACES)
def test_attached_as_in_mujoco(kind: str) -> None:
    """Another model at a frame or a site gives the arrays that MjSpec.attach gives."""
    mujoco = pytest.importorskip("mujoco")
    ours, theirs = cf.Spec.from_mjcf(TABLE), mujoco.MjSpec.from_string(TABLE)
    place = getattr(ours, kind)(PLACES[kind])
    ours.attach(cf.Spec.from_mjcf(ARM), place, prefix="l_", suffix="_1")
    where = {kind: getattr(theirs, kind)(PLACES[kind])}
    theirs.attach(mujoco.MjSpec.from_string(ARM), prefix="l_", suffix="_1", **where)
    model, reference = ours.compile(), theirs.compile()
    for name in FIELDS:
        np.testing.assert_allclose(
            getattr(model, name), getattr(reference, name), atol=1e-12, err_msg=name
        )
    for kind_, count in (("body", "nbody"), ("geom", "ngeom"), ("sensor", "nsensor")):
        names = [getattr(reference, kind_)(i).name for i in range(getattr(reference, count))]
        assert model.names[kind_] == names


def test_a_part_of_a_model() -> None:
    """A body comes with what refers to it, and nothing else of the tree."""
    spec, arm = cf.Spec.from_mjcf(TABLE), cf.Spec.from_mjcf(ARM)
    hand = spec.attach(arm, spec.body("shelf"), part=arm.body("hand"), prefix="p_")
    assert hand is spec.body("p_hand") and hand.parent is spec.body("shelf")
    assert [one.name for one in spec.bodies] == ["", "shelf", "p_hand"]
    assert [one.name for one in spec.actuators] == ["motor"]
    assert spec.compile().qpos0.tolist() == [0, 0.1]


def test_the_other_model_stays_as_it_is() -> None:
    """It can be attached again, and changes of it come too late for what is attached."""
    spec, arm = cf.Spec(), cf.Spec.from_mjcf(ARM)
    text = arm.to_xml()
    for number in range(3):
        spec.attach(arm, spec.worldbody.add_frame(pos=[number, 0, 0]), prefix=f"{number}_")
    assert arm.to_xml() == text
    before = compile_spec(spec)
    arm.compiler["angle"] = "degree"
    arm.joint("j")["range"] = [-2, 2]
    assert changed_fields(before, compile_spec(spec)) == []
    assert spec.compile().nu == 3 and spec.compile().nkey == 3


@pytest.mark.parametrize("prefix", ["a_", ""])
def test_attached_models_are_written(prefix: str, tmp_path: Path) -> None:
    """One file with both units, both main classes and all keyframes has the same bits."""
    spec = cf.Spec.from_mjcf(TABLE)
    spec.attach(cf.Spec.from_mjcf(ARM), spec.site("hook"), prefix=prefix)
    spec.save(tmp_path / "both.xml")
    back = cf.Spec.from_mjcf(tmp_path / "both.xml")
    assert changed_fields(compile_spec(spec), compile_spec(back)) == []
    assert back.geom(f"{prefix}g")["friction"].tolist() == [1, 0.005, 0.0001]


def test_quaternions_of_attached_keyframes_keep_their_bits() -> None:
    """A keyframe that was attached is written after it was normalised, and read again."""
    spec = cf.Spec()
    child = cf.Spec()
    child.worldbody.add_body(name="b").add_freejoint()
    child.body("b").add_geom(size=0.1)
    rng = np.random.default_rng(0)
    for number in range(50):
        child.add_key(name=str(number), qpos=rng.normal(size=7))
    spec.attach(child, prefix="c_")
    back = cf.Spec.from_mjcf(spec.to_xml())
    assert changed_fields(compile_spec(spec), compile_spec(back)) == []


@pytest.mark.parametrize("prefix", ["a_", ""])
def test_attached_models_can_be_edited(prefix: str) -> None:
    """Classes of both models count after a change, each for its own elements."""
    spec = cf.Spec.from_mjcf(TABLE)
    spec.attach(cf.Spec.from_mjcf(ARM), spec.site("hook"), prefix=prefix)
    before = compile_spec(spec)
    spec.add_default("of no use").add_geom(margin=1)
    assert changed_fields(before, compile_spec(spec)) == []
    link = next(spec.default(f"{prefix}link").children_of("geom"))
    link["mass"] = 4
    assert spec.compile().body(f"{prefix}hand").mass == 4
    spec.body(f"{prefix}arm")["name"] = "limb"
    spec.delete(spec.body("limb"))
    assert spec.compile().nu == 1
    assert changed_fields(compile_spec(cf.Spec.from_mjcf(spec.to_xml())), compile_spec(spec)) == []


@pytest.mark.parametrize("seed", [1, 3, 8, 11, 18, 19])
def test_random_attachments_are_written(seed: int) -> None:
    """Models that attach models, nested and replicated, keep every bit."""
    text, assets = random_attachments(seed)
    spec = cf.Spec.from_mjcf(text, assets)
    before = compile_spec(spec)
    back = cf.Spec.from_mjcf(spec.to_xml(), assets)
    assert changed_fields(before, compile_spec(back)) == []
    assert changed_fields(before, compile_spec(spec.copy())) == []


def test_settings_that_one_file_cannot_hold() -> None:
    """A model with other rules for inertia is attached and compiled, but not written."""
    spec = cf.Spec.from_mjcf(TABLE)
    arm = cf.Spec.from_mjcf(ARM)
    arm.compiler["inertiafromgeom"] = "true"
    spec.attach(arm, prefix="a_")
    spec.compile()
    with pytest.raises(cf.MjcfError, match="inertiafromgeom=true, here it is auto"):
        spec.to_xml()


def test_mistakes() -> None:
    """A name that is taken, a place of another model, a place that holds nothing."""
    spec, arm = cf.Spec.from_mjcf(TABLE), cf.Spec.from_mjcf(ARM)
    before = spec.to_xml()
    spec.body("shelf")["name"] = "arm"
    with pytest.raises(cf.MjcfError, match="there is a body 'arm' already") as caught:
        spec.attach(arm)
    assert caught.value.file == __file__ and "prefix" in (caught.value.hint or "")
    with pytest.raises(ValueError, match="in the other"):
        spec.attach(arm, arm.body("arm"), prefix="x")
    with pytest.raises(cf.MjcfError, match="expected one of worldbody, body, frame, site"):
        spec.attach(arm, spec.geom("top"), prefix="x")
    with pytest.raises(cf.MjcfError, match="expected one of body, frame"):
        spec.attach(arm, part=arm.geom("g"), prefix="x")
    spec.body("arm")["name"] = "shelf"
    assert spec.to_xml() == before
