"""Models built in Python equal models read from text, and mistakes are named at their line."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np
import pytest

import cortenforge as cf
from conformance.roundtrip import changed_fields
from cortenforge.compile import compile_spec
from cortenforge.enums import GeomType

CAR = """
<mujoco model="car">
  <compiler angle="radian"/>
  <option timestep="0.001" gravity="0 0 -1"><flag energy="enable"/></option>
  <visual><map znear="0.02"/></visual>
  <default>
    <geom friction="0.9 0.01 0.001"/>
    <default class="wheel"><geom type="cylinder" size="0.1 0.02"/><joint damping="0.1"/></default>
    <position kp="7"/>
  </default>
  <custom>
    <numeric name="gains" data="1 2.5"/>
    <text name="note" data="a &lt; b"/>
    <tuple name="pair"><element objtype="body" objname="left" prm="0.5"/></tuple>
  </custom>
  <asset>
    <texture name="grid" type="2d" builtin="checker" width="8" height="8"/>
    <material name="paint" texture="grid" rgba="1 0 0 1"/>
    <mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hill" nrow="2" ncol="2" size="1 1 1 0.1" elevation="0 1 2 3"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1"/>
    <geom type="hfield" hfield="hill"/>
    <body name="car" pos="0 0 0.2">
      <freejoint name="root"/>
      <inertial pos="0 0 0" mass="2" diaginertia="0.1 0.2 0.25"/>
      <geom name="hull" type="box" size="0.2 0.1 0.05" material="paint" contype="0"/>
      <camera name="eye" mode="targetbody" target="left"/>
      <frame pos="0.1 0 0" euler="0 0.5 0" childclass="wheel">
        <site name="hook"/>
        <body name="left" pos="0 0.1 0">
          <joint name="spin" axis="0 1 0" range="-1 1"/><geom name="tyre" size="0.15"/>
          <site name="hub" size="0.01"/>
        </body>
      </frame>
      <geom type="mesh" mesh="tet" mass="0.1"/>
    </body>
  </worldbody>
  <contact><pair geom1="hull" geom2="tyre"/><exclude body1="car" body2="left"/></contact>
  <equality><weld site1="hook" site2="hub"/></equality>
  <tendon>
    <spatial name="rope" stiffness="3"><site site="hook"/><geom geom="tyre"/><site site="hub"/>
    </spatial>
  </tendon>
  <actuator><position name="turn" joint="spin" ctrlrange="-1 1"/><motor tendon="rope"/></actuator>
  <sensor><gyro site="hub"/><contact geom1="tyre" data="found force" num="2"/></sensor>
  <keyframe><key name="start" qpos="0 0 1 1 0 0 0 0.5" ctrl="0.1 0"/></keyframe>
</mujoco>
"""


def car() -> cf.Spec:
    """The same model, element by element."""
    spec = cf.Spec("car")
    spec.compiler["angle"] = "radian"
    spec.option.set(timestep=0.001, gravity=[0, 0, -1])
    spec.flag["energy"] = "enable"
    spec.visual["map"]["znear"] = 0.02
    _add_classes_and_assets(spec)
    world = spec.worldbody
    world.add_light(pos=(0, 0, 3), dir=(0, 0, -1))
    world.add_geom(type=GeomType.HFIELD, hfield="hill")
    body = world.add_body(name="car", pos=np.array([0, 0, 0.2]))
    body.add_freejoint(name="root")
    body.set_inertial(pos=[0, 0, 0], mass=2, diaginertia=[0.1, 0.2, 0.25])
    body.add_geom(name="hull", type="box", size="0.2 0.1 0.05", material="paint", contype=0)
    frame = body.add_frame(pos=[0.1, 0, 0], euler=[0, 0.5, 0], childclass="wheel")
    frame.add_site(name="hook")
    left = frame.add_body(name="left", pos=[0, 0.1, 0])
    left.add_joint(name="spin", axis=[0, 1, 0], range=[-1, 1])
    left.add_geom(name="tyre", size=0.15)
    left.add_site(name="hub", size=0.01)
    body.add_geom(type="mesh", mesh="tet", mass=0.1)
    body.add_camera(name="eye", mode="targetbody", target="left")
    _add_what_refers(spec)
    return spec


def _add_classes_and_assets(spec: cf.Spec) -> None:
    spec.default().add_geom(friction=[0.9, 0.01, 0.001])
    wheel = spec.add_default("wheel")
    wheel.add_geom(type="cylinder", size=[0.1, 0.02])
    wheel.add_joint(damping=0.1)
    spec.default().add("position", kp=7)
    spec.add_texture(name="grid", type="2d", builtin="checker", width=8, height=8)
    spec.add_material(name="paint", texture="grid", rgba=[1, 0, 0, 1])
    spec.add_mesh(name="tet", vertex=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    spec.add_hfield(name="hill", nrow=2, ncol=2, size=[1, 1, 1, 0.1], elevation=np.arange(4.0))


def _add_what_refers(spec: cf.Spec) -> None:
    spec.add_numeric(name="gains", data=[1, 2.5])
    spec.add_text(name="note", data="a < b")
    spec.add_tuple("pair", [("body", "left", 0.5)])
    spec.add_pair(geom1="hull", geom2="tyre")
    spec.add_exclude(body1="car", body2="left")
    spec.add_equality("weld", site1="hook", site2="hub")
    rope = spec.add_tendon("spatial", name="rope", stiffness=3)
    rope.add("site", site="hook")
    rope.add("geom", geom="tyre")
    rope.add("site", site="hub")
    spec.add_actuator("position", name="turn", joint="spin", ctrlrange=(-1, 1))
    spec.add_actuator("motor", tendon="rope")
    spec.add_sensor("gyro", site="hub")
    spec.add_sensor("contact", geom1="tyre", data=["found", "force"], num=2)
    spec.add_key(name="start", qpos=[0, 0, 1, 1, 0, 0, 0, 0.5], ctrl=[0.1, 0])


def test_built_and_read_models_are_the_same() -> None:
    """Every kind of element, added from Python, compiles to the bits of the text."""
    read, built = compile_spec(cf.Spec.from_mjcf(CAR)), compile_spec(car())
    assert changed_fields(read, built) == []


def test_a_built_model_is_written() -> None:
    """What was built is written and loaded to the same bits."""
    spec = car()
    assert changed_fields(compile_spec(spec), compile_spec(cf.Spec.from_mjcf(spec.to_xml()))) == []
    assert spec.compile().hash == cf.Model.from_mjcf(spec.to_xml()).hash


def test_an_empty_description() -> None:
    """Nothing but the world compiles."""
    model = cf.Spec().compile()
    assert model.nbody == 1 and model.nv == 0
    assert cf.Spec().modelname == "MuJoCo Model"


def test_edits_between_compilations() -> None:
    """Each compilation sees the description as it is then."""
    spec = cf.Spec()
    body = spec.worldbody.add_body(name="b")
    body.add_freejoint()
    geom = body.add_geom(size=0.1, mass=1)
    masses = []
    for mass in (1, 2, 3):
        geom["mass"] = mass
        masses.append(float(spec.compile().body_mass[1]))
    assert masses == [1, 2, 3]


def test_classes_reach_elements_old_and_new() -> None:
    """A class counts for its elements whether it is edited before or after they are added."""
    spec = cf.Spec()
    red = spec.add_default("red")
    spec.worldbody.add_geom(name="a", class_="red", size=0.1, friction=0.5)
    red.add_geom(rgba=[1, 0, 0, 1], friction=[1, 2, 3])
    spec.worldbody.add_geom(name="b", class_="red", size=0.1)
    model = spec.compile()
    assert model.geom_rgba.tolist() == [[1, 0, 0, 1]] * 2
    assert model.geom_friction.tolist() == [[0.5, 2, 3], [1, 2, 3]]
    assert spec.geom("a")["friction"].tolist() == [0.5, 2, 3]


def test_files_from_memory() -> None:
    """Assets can be put beside the description."""
    spec = cf.Spec()
    spec.assets["tet.obj"] = (
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3"
    )
    spec.add_mesh(file="tet.obj")
    spec.worldbody.add_geom(type="mesh", mesh="tet")
    assert spec.mesh("tet")["file"] == "tet.obj"
    assert spec.compile().nmesh == 1


def test_files_are_not_looked_for_beside_the_program() -> None:
    """A missing file is missed in the model's folder, not in that of the program."""
    spec = cf.Spec()
    spec.add_mesh(file="test_building.py.obj")
    with pytest.raises(cf.MjcfError, match=r"no file 'test_building\.py\.obj'"):
        spec.compile()


MISTAKES: dict[str, tuple[Callable[[cf.Spec], object], str, str | None]] = {
    "name": (lambda s: s.worldbody.add_geom(sise=1), "no attribute 'sise'", "size"),
    "count": (lambda s: s.worldbody.add_geom(pos=[1, 2]), "expected 3 numbers, found 2", None),
    "type": (lambda s: s.worldbody.add_geom(size="big"), "'big' is not a number", None),
    "object": (lambda s: s.worldbody.add_geom(size={}), "not dict", None),
    "word": (lambda s: s.worldbody.add_geom(type="spere"), "must be one of", "sphere"),
    "integer": (lambda s: s.worldbody.add_geom(condim=1.5), "not an integer", None),
    "boolean": (lambda s: s.worldbody.add_body(mocap=1), "must be one of false, true", None),
    "finite": (lambda s: s.worldbody.add_geom(size=np.nan), "not a finite number", None),
    "exclusive": (
        lambda s: s.worldbody.add_geom(quat=[1, 0, 0, 0], euler=[0, 0, 0]),
        "only one of quat",
        None,
    ),
    "required": (lambda s: s.add_sensor("gyro"), "'site' is missing", None),
    "element": (lambda s: s.worldbody.add("bod"), "unknown element <bod>", "body"),
    "place": (lambda s: s.worldbody.add_joint(), "the world body cannot have", "in a <body>"),
    "wrong place": (lambda s: s.body("b").add("motor"), "cannot be in <body>", "<actuator>"),
    "class": (lambda s: s.worldbody.add_geom(class_="rde"), "no default class 'rde'", "red"),
    "taken": (lambda s: s.worldbody.add_body(name="b"), "already taken", None),
    "world": (lambda s: s.worldbody.add_body(name="world"), "taken by the world body", None),
    "class taken": (lambda s: s.add_default("red"), "already taken", None),
    "replicate": (lambda s: s.worldbody.add("replicate", count=3), "exists only in files", "loop"),
    "inertial": (lambda s: s.body("b").add("inertial", mass=1, pos=[0, 0, 0]), "only one", None),
    "flag": (lambda s: s.flag.set(gravty="disable"), "no attribute 'gravty'", "gravity"),
    "second": (lambda s: s.default("red").add_geom(size=1), "only one <geom>", None),
    "tuple": (lambda s: s.add_tuple("t", []), "the tuple is empty", None),
}


#: what is not even of the right kind
OTHER_THINGS = {
    "tag": lambda s: s.worldbody.add(None),
    "number for a tag": lambda s: s.worldbody.add(3),
    "list for a tag": lambda s: s.worldbody.add(["body"]),
    "element for a tag": lambda s: s.worldbody.add(s.worldbody),
    "sensor": lambda s: s.add_sensor(None),
    "tuple": lambda s: s.add_tuple("t", 3),
    "tuple of nothing": lambda s: s.add_tuple("t", [None]),
    "deleted": lambda s: s.delete(None),
    "deleted name": lambda s: s.delete("b"),
    "attached": lambda s: s.attach(None),
    "place": lambda s: s.attach(cf.Spec(), to="b"),
    "part": lambda s: s.attach(cf.Spec(), part=3),
    "prefix": lambda s: s.attach(cf.Spec(), prefix=3),
    "body": lambda s: s.body(None),
    "geom": lambda s: s.geom(1.5),
    "class": lambda s: s.default(3),
    "source": lambda s: cf.Spec.from_mjcf(None),
    "bytes": lambda s: cf.Spec.from_mjcf(b"<mujoco/>"),
}


@pytest.mark.parametrize("case", OTHER_THINGS)
def test_things_of_another_kind_are_refused(case: str) -> None:
    """None, a number or a list where a name or an element is wanted: an ArgumentError says what."""
    spec = cf.Spec()
    spec.worldbody.add_body(name="b")
    before = spec.to_xml()
    with pytest.raises(cf.ArgumentError, match="expected"):
        OTHER_THINGS[case](spec)
    assert spec.to_xml() == before


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_are_named(case: str) -> None:
    """A wrong name, count, type or place: an error with element, this file, and a hint."""
    mistake, message, hint = MISTAKES[case]
    spec = cf.Spec()
    spec.add_default("red").add_geom(rgba=[1, 0, 0, 1])
    spec.worldbody.add_body(name="b").set_inertial(mass=1, pos=[0, 0, 0], diaginertia=[1, 1, 1])
    before = spec.to_xml()
    with pytest.raises(cf.MjcfError) as caught:
        mistake(spec)
    assert message in caught.value.message
    assert hint is None or hint in (caught.value.hint or "")
    assert caught.value.file == __file__
    lines = inspect.getsource(inspect.getmodule(test_mistakes_are_named)).splitlines()  # type: ignore[arg-type]
    assert "lambda" in "".join(lines[caught.value.line - 2 : caught.value.line])
    assert spec.to_xml() == before


def test_compile_errors_name_the_line() -> None:
    """What only the compiler can see is reported where the element was added."""
    spec = cf.Spec()
    spec.add_actuator("motor", joint="nothing")
    with pytest.raises(cf.MjcfError) as caught:
        spec.compile()
    assert caught.value.file == __file__ and caught.value.element == "motor"


def test_chains_longer_than_pythons_stack() -> None:
    """They compile and can be copied; a file cannot hold them, and says so."""
    spec = cf.Spec()
    body = spec.worldbody
    for _ in range(1020):
        body = body.add_body(pos=[0, 0, 0.1])
        body.add_geom(size=[0.1])
    assert spec.copy().compile().nbody == 1021
    with pytest.raises(cf.MjcfError, match="deeper than 500 levels"):
        spec.to_xml()
