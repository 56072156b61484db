"""Finding, changing, renaming and deleting elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from conformance.roundtrip import changed_fields
from cortenforge import models
from cortenforge.compile import compile_spec

mujoco = pytest.importorskip("mujoco")

WIRED = """
<mujoco>
  <default><default class="c"><geom material="mat"/></default></default>
  <custom>
    <tuple name="tp"><element objtype="body" objname="a2"/></tuple>
    <tuple name="tq"><element objtype="body" objname="b"/></tuple>
  </custom>
  <asset>
    <texture name="tex" type="2d" builtin="flat" width="2" height="2"/>
    <material name="mat"><layer role="rgb" texture="tex"/></material>
    <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  </asset>
  <worldbody>
    <body name="a">
      <joint name="j1"/><geom name="g1" size=".1"/><site name="s1"/>
      <frame name="f" pos="0 0 1">
        <body name="a2"><joint name="j2" type="ball"/><geom name="g2" size=".1"/><site name="s2"/>
        </body>
      </frame>
    </body>
    <body name="b" pos="1 0 0">
      <joint name="j3" type="slide"/><geom name="g3" type="mesh" mesh="m" class="c"/>
      <site name="s3"/><camera name="cam" mode="targetbody" target="a"/>
    </body>
    <body name="hand" mocap="true"/><body name="foot" mocap="true"/>
  </worldbody>
  <contact>
    <pair name="p" geom1="g1" geom2="g3"/><pair name="q" geom1="g2" geom2="g3"/>
    <exclude name="x" body1="a2" body2="b"/><exclude name="y" body1="a" body2="b"/>
  </contact>
  <equality>
    <connect name="e1" body1="a2" body2="b" anchor="0 0 0"/><weld name="e2" site1="s1" site2="s3"/>
    <tendon name="e3" tendon1="t1" tendon2="t2"/>
  </equality>
  <tendon>
    <spatial name="t1"><site site="s2"/><geom geom="g2"/><site site="s3"/></spatial>
    <fixed name="t2"><joint joint="j1" coef="1"/><joint joint="j3" coef="1"/></fixed>
  </tendon>
  <actuator>
    <motor name="m1" tendon="t1"/><general name="m2" joint="j3" dyntype="integrator"/>
    <motor name="m3" joint="j1"/><general name="m4" site="s2" dyntype="integrator"/>
  </actuator>
  <sensor>
    <ballquat name="q1" joint="j2"/><framepos name="q2" objtype="site" objname="s2"/>
    <tendonpos name="q3" tendon="t1"/><tendonpos name="q4" tendon="t2"/>
    <framepos name="q5" objtype="body" objname="b" reftype="body" refname="a2"/>
    <actuatorfrc name="q6" actuator="m1"/><actuatorfrc name="q7" actuator="m2"/>
    <contact name="q8" subtree1="a" geom2="g3"/><clock name="q9"/>
  </sensor>
  <keyframe>
    <key name="k" qpos="1 1 0 0 0 3" qvel="4 5 6 7 8" ctrl="1 2 3 4" act="7 8"
      mpos="0 0 1 0 0 2" mquat="1 0 0 0 0 1 0 0"/>
  </keyframe>
</mujoco>
"""
LISTS = (
    *("bodies", "joints", "geoms", "sites", "pairs", "excludes", "equalities", "tendons"),
    *("actuators", "sensors", "tuples", "keys", "meshes", "materials"),
)
OTHERS = "joint:j2 geom:g2 site:s2 tendon:t1 actuator:m1 mesh:m material:mat texture:tex"
RENAMED = (
    "body:a body:b body:a2 joint:j1 joint:j3 geom:g1 geom:g2 site:s2 site:s3 tendon:t1 actuator:m1 "
    "mesh:m material:mat texture:tex default:c camera:cam tuple:tp sensor:q1 frame:f"
)


def names(spec: Any) -> dict[str, list[str]]:
    """Names of all objects, by list; the world, which is called differently, is left out."""
    found = {name: [one.name for one in getattr(spec, name)] for name in LISTS}
    return found | {"bodies": found["bodies"][1:]}


@pytest.mark.parametrize("body", ["a2", "b", "hand", "a"])
def test_deleting_a_body_is_as_in_mujoco(body: str) -> None:
    """What refers to a deleted body goes with it, and its numbers in keyframes."""
    ours, theirs = cf.Spec.from_mjcf(WIRED), mujoco.MjSpec.from_string(WIRED)
    ours.delete(ours.body(body))
    theirs.delete(theirs.body(body))
    assert names(ours) == names(theirs)
    if body == "a":  # a camera looks at it, and is left with a target that is gone
        with pytest.raises(cf.MjcfError, match="target"):
            ours.compile()
        return
    model, reference = ours.compile(), theirs.compile()
    for name in ("key_qpos", "key_qvel", "key_ctrl", "key_act", "key_mpos", "key_mquat"):
        np.testing.assert_allclose(getattr(model, name), getattr(reference, name), err_msg=name)
    again = compile_spec(cf.Spec.from_mjcf(ours.to_xml()))
    assert changed_fields(compile_spec(ours), again) == []


def test_deleting_a_frame_deletes_what_is_inside() -> None:
    """A frame goes with its bodies."""
    ours, theirs = cf.Spec.from_mjcf(WIRED), mujoco.MjSpec.from_string(WIRED)
    ours.delete(ours.frame("f"))
    theirs.delete(theirs.frame("f"))
    assert names(ours) == names(theirs)


@pytest.mark.parametrize("what", OTHERS.split())
def test_deleting_anything_else_leaves_references(what: str) -> None:
    """As in MuJoCo, only the element itself goes; the compiler names who misses it."""
    kind, name = what.split(":")
    ours, theirs = cf.Spec.from_mjcf(WIRED), mujoco.MjSpec.from_string(WIRED)
    ours.delete(getattr(ours, kind)(name))
    theirs.delete(getattr(theirs, kind)(name))
    assert names(ours) == names(theirs)
    with pytest.raises(cf.MjcfError):
        ours.compile()
    with pytest.raises(ValueError):
        theirs.compile()


def test_a_deleted_element_is_gone() -> None:
    """It cannot be found, changed or deleted again; its name is free."""
    spec = cf.Spec.from_mjcf(WIRED)
    body = spec.body("a2")
    spec.delete(body)
    assert body.parent is None and body.spec is None
    with pytest.raises(KeyError, match="no body 'a2'"):
        spec.body("a2")
    with pytest.raises(ValueError, match="does not belong"):
        spec.delete(body)
    with pytest.raises(ValueError, match="belongs to no description"):
        body["pos"] = [0, 0, 1]
    spec.worldbody.add_body(name="a2")


def test_sections_cannot_be_deleted() -> None:
    """The world and the settings are parts of every model."""
    spec = cf.Spec()
    for section in (spec.worldbody, spec.option, spec.visual["map"]):
        with pytest.raises(cf.MjcfError, match="cannot be deleted"):
            spec.delete(section)


def test_a_class_in_use_cannot_be_deleted() -> None:
    """Who uses it is named, and nothing has changed."""
    spec = cf.Spec.from_mjcf(WIRED)
    before = spec.to_xml()
    with pytest.raises(cf.MjcfError, match="no default class 'c'") as caught:
        spec.delete(spec.default("c"))
    assert caught.value.where.name == "g3"
    assert spec.to_xml() == before
    spec.geom("g3")["class"] = None
    spec.delete(spec.default("c"))
    assert spec.compile().nmat == 1


@pytest.mark.parametrize("what", RENAMED.split())
def test_references_follow_a_new_name(what: str) -> None:
    """After renaming, the model is what it was but for the name."""
    kind, name = what.split(":")
    spec = cf.Spec.from_mjcf(WIRED)
    before = compile_spec(spec)
    spec.find(kind, name)["class" if kind == "default" else "name"] = "new name"
    assert spec.find(kind, "new name") is not None
    with pytest.raises(KeyError):
        spec.find(kind, name)
    assert f'"{name}"' not in spec.to_xml()
    after = compile_spec(spec)
    changed = changed_fields(before, after)
    assert changed == ([] if kind in ("default", "frame") else [f"names.{kind}"])
    assert changed_fields(after, compile_spec(cf.Spec.from_mjcf(spec.to_xml()))) == []


def test_a_name_that_is_taken() -> None:
    """Renaming to another object's name is refused."""
    spec = cf.Spec.from_mjcf(WIRED)
    with pytest.raises(cf.MjcfError, match="already taken"):
        spec.body("a").set(name="b")
    assert spec.body("a").name == "a"


def test_values_replace_what_excludes_them() -> None:
    """A new orientation replaces an old one, however either is written; None takes away."""
    spec = cf.Spec.from_mjcf(
        '<mujoco><default><geom euler="90 0 0"/></default><worldbody><geom name="g" size="1 1 1" '
        'type="box" quat="1 1 0 0"/></worldbody></mujoco>'
    )
    geom = spec.geom("g")
    geom["zaxis"] = [0, 1, 0]
    assert "quat" not in geom.attributes
    del geom["zaxis"]
    assert geom["euler"].tolist() == [90, 0, 0] and not geom.own().get("euler")
    geom.set(type="sphere", size=2, euler=None)
    assert geom["size"].tolist() == [2, 0, 0] and geom["type"] == "sphere"
    del geom["size"]
    with pytest.raises(cf.MjcfError):
        spec.compile()


def test_actuators_can_change_their_target() -> None:
    """A tendon takes the place of a joint."""
    spec = cf.Spec.from_mjcf(WIRED)
    spec.actuator("m3").set(tendon="t2")
    assert spec.actuator("m3")["joint"] is None
    assert spec.compile().actuator_trnid[2, 0] == 1


def test_changes_that_fail_change_nothing() -> None:
    """After an error the element is what it was."""
    spec = cf.Spec.from_mjcf(WIRED)
    before = spec.to_xml()
    for mistake in ({"size": "x"}, {"sise": 1}, {"class_": "cc"}, {"name": "g1"}, {"sise": None}):
        with pytest.raises(cf.MjcfError):
            spec.geom("g3").set(**mistake)
    with pytest.raises(cf.MjcfError):
        next(spec.default("c").children_of("geom")).set(size=[1, 2, 3, 4])
    assert spec.to_xml() == before


def test_lists_and_lookups() -> None:
    """Objects by kind, by name, with what is around them."""
    spec = cf.Spec.from_mjcf(WIRED)
    assert [body.name for body in spec.bodies] == ["", "a", "a2", "b", "hand", "foot"]
    assert spec.bodies[0] is spec.worldbody is spec.body("world")
    assert spec.joint("j2").parent is spec.body("a2")
    assert spec.body("a2").parent is spec.frame("f")
    assert spec.sensor("q1").parent is not None and spec.sensor("q1").parent.tag == "sensor"
    assert spec.geom("g1").spec is spec
    assert spec.pair("p") is spec.pairs[0] and spec.exclude("y") is spec.excludes[1]
    with pytest.raises(KeyError, match=r"no joint 'j11'; did you mean 'j1'\?"):
        spec.joint("j11")
    assert repr(spec.joint("j3")) == '<joint name="j3" type="slide"> at <string>:22'
    assert "6 bodies, 3 joints" in repr(spec)


def test_bones_follow_their_body() -> None:
    """A skin is found by name, and a bone still moves with a body that was renamed."""
    spec = cf.Spec.from_mjcf(WIRED)
    skin = spec.add_skin(name="skin", vertex=[0, 0, 0, 1, 0, 0, 0, 1, 0], face=[0, 1, 2])
    skin.add(
        "bone",
        body="a",
        bindpos=[0, 0, 0],
        bindquat=[1, 0, 0, 0],
        vertid=[0, 1, 2],
        vertweight=[1, 1, 1],
    )
    before = compile_spec(spec)
    spec.body("a")["name"] = "torso"
    assert spec.skin("skin").children[0]["body"] == "torso"
    assert changed_fields(before, compile_spec(spec)) == ["names.body"]
    assert changed_fields(compile_spec(spec), compile_spec(cf.Spec.from_mjcf(spec.to_xml()))) == []


def test_sections_of_several_lists() -> None:
    """What is added to the section around a mesh is found in its own list."""
    spec = cf.Spec.from_mjcf(WIRED)
    section = spec.mesh("m").parent
    assert section is not None and section.tag == "asset"
    section.add("material", name="new")
    assert [one.name for one in spec.materials] == ["mat", "new"] and len(spec.meshes) == 1


def test_values_cannot_be_changed_by_accident() -> None:
    """Arrays are shared between elements, so they are read-only."""
    spec = cf.Spec.from_mjcf(WIRED)
    with pytest.raises(ValueError, match="read-only"):
        spec.body("b")["pos"][0] = 5  # type: ignore[index]


def test_copies_are_independent() -> None:
    """A copy can be changed, and the original stays."""
    spec = cf.Spec.from_mjcf(WIRED)
    twin = spec.copy()
    assert twin.to_xml() == spec.to_xml()
    twin.delete(twin.body("a"))
    twin.option["timestep"] = 1
    twin.body("b").set(pos=[5, 5, 5], name="bb")
    twin.assets["x"] = b""
    assert changed_fields(compile_spec(spec), compile_spec(cf.Spec.from_mjcf(WIRED))) == []
    assert "x" not in spec.assets


def test_editing_a_file_that_was_read() -> None:
    """A humanoid gets heavier feet, and keeps everything else."""
    spec = cf.Spec.from_mjcf(models.find("humanoid_floating"))
    for geom in spec.geoms:
        if "foot" in (geom.parent or geom).name:
            geom["density"] = 2000
    plain, heavy = cf.Model.from_mjcf(models.find("humanoid_floating")), spec.compile()
    assert heavy.body_mass.sum() > plain.body_mass.sum()
    assert heavy.nq == plain.nq
