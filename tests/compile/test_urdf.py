"""URDF compiles to MuJoCo's arrays: each element and attribute by itself, and random robots."""

from __future__ import annotations

import functools
import warnings

import numpy as np
import pytest

import cortenforge as cf
from conformance.urdf_generate import MESHES, random_urdf
from cortenforge.compare import compare_model
from cortenforge.compare.oracle import muted_warnings
from cortenforge.enums import EqualityType

from .oracle import mujoco

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::cortenforge.MjcfWarning")]

BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
INERTIAL = (
    '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    "</inertial>"
)
VISIBLE = '<mujoco><compiler discardvisual="false"/></mujoco>'


def link(name: str, content: str = INERTIAL + BOX) -> str:
    return f'<link name="{name}">{content}</link>'


def joint(name: str, kind: str, parent: str, child: str, more: str = "") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{more}</joint>'


def jointed(kind: str, more: str = "") -> str:
    return link("a") + link("b") + joint("j", kind, "a", "b", more)


def holding(content: str) -> str:
    """A moving link with something in it."""
    return link("a") + link("b", content) + joint("j", "revolute", "a", "b")


def inertial(mass: str = "1", moments: str = "1 1 1 0 0 0", origin: str = "") -> str:
    names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    given = " ".join(f'{n}="{v}"' for n, v in zip(names, moments.split(), strict=True))
    return f'<inertial>{origin}<mass value="{mass}"/><inertia {given}/></inertial>'


def shape(geometry: str, tag: str = "collision", more: str = "", name: str = "") -> str:
    called = f' name="{name}"' if name else ""
    return f"<{tag}{called}>{more}<geometry>{geometry}</geometry></{tag}>"


def mesh(file: str, scale: str = "") -> str:
    return shape(f'<mesh filename="{file}"' + (f' scale="{scale}"' if scale else "") + "/>")


BALL = '<sphere radius="1"/>'
PLACED = '<origin xyz="1 2 3" rpy=".1 .2 .3"/>'
RED = '<material name="red"><color rgba="1 0 0 1"/></material>'

JOINTS = {
    **{kind: jointed(kind) for kind in ("revolute", "continuous", "prismatic", "planar")},
    "fixed": jointed("fixed"),
    "spherical": jointed("spherical", '<axis xyz="0 1 0"/><limit lower="0" upper="2"/>'),
    "floating": jointed("floating", f'{PLACED}<limit lower="-1" upper="2" effort="3"/>'),
    "floating, damped": jointed("floating", '<dynamics damping=".3" friction=".2"/>'),
    "axis": jointed("prismatic", f'{PLACED}<axis xyz="1 2 3"/>'),
    "planar, tilted": jointed("planar", '<axis xyz="1 2 3"/><dynamics damping="1" friction="2"/>'),
    "planar, down": jointed("planar", '<axis xyz="0 0 -2"/><limit lower="-1" upper="1"/>'),
    "limit": jointed("revolute", '<limit lower="-1" upper="2" effort="5" velocity="3"/>'),
    "reversed": jointed("revolute", '<limit lower="1" upper="-2" effort="-5"/>'),
    "equal": jointed("revolute", '<limit lower="1" upper="1" effort="0"/>'),
    "zeros": jointed("prismatic", '<limit lower="0" upper="0" effort="1"/>'),
    "only lower": jointed("revolute", '<limit lower="-1" effort="1"/>'),
    "only upper": jointed("prismatic", '<limit upper="1"/>'),
    "empty": jointed("revolute", '<limit lower="" upper="2"/><origin xyz="" rpy=""/>'),
    "continuous, limited": jointed("continuous", '<limit lower="-1" upper="2" effort="4"/>'),
    "continuous, nonsense": jointed("continuous", '<limit lower="x" upper="2" effort="4"/>'),
    "spherical, reversed": jointed("spherical", '<limit lower="2" upper="0" effort="4"/>'),
    "planar, effort": jointed("planar", '<limit lower="1" upper="1" effort="4"/>'),
    "negative damping": jointed("revolute", '<dynamics damping="-1" friction="-1"/>'),
    "same name": link("a") + link("b") + link("c") + joint("j", "revolute", "a", "b")
    + joint("j", "revolute", "b", "c"),
    "no name": link("a") + link("b") + joint("", "revolute", "a", "b"),
    "planar name": link("a") + link("b") + link("c") + joint("j", "planar", "a", "b")
    + joint("j_TX", "revolute", "b", "c"),
    "hexadecimal": jointed("revolute", '<origin xyz="0x1p2 0 0"/>'),
    "fixed, broken rest": jointed("fixed", '<limit lower="x"/>'),
}  # fmt: skip
TREES = {
    "one link": link("a"),
    "nothing": "",
    "two roots": link("r") + jointed("revolute"),
    "order": link("c") + link("b") + link("a") + joint("j2", "revolute", "a", "b")
    + joint("j1", "revolute", "a", "c"),
    "welded": jointed("revolute") + link("c") + joint("k", "fixed", "b", "c", PLACED),
    "world": link("world", "") + link("b") + joint("j", "revolute", "world", "b", PLACED),
    "world with shapes": link("world", BOX + shape(BALL, more=PLACED)) + link("b")
    + joint("j", "revolute", "world", "b"),
    "world with inertia": link("world", inertial("3", "1 2 2.5 .1 0 0", PLACED)) + link("b")
    + joint("j", "revolute", "world", "b"),
    "world without moments": link("world", inertial("3", "0 0 0 0 0 0", PLACED)) + link("b")
    + joint("j", "revolute", "world", "b"),
    "world apart": link("a") + link("world", BOX) + link("c") + joint("j", "revolute", "a", "c"),
    "floating base": link("world", "") + link("b") + joint("j", "floating", "world", "b", PLACED),
    "unnamed link": link("", INERTIAL) + link("b") + joint("j", "revolute", "", "b"),
    "odd names": link("a&amp;b") + link("ä") + joint("j k", "revolute", "a&amp;b", "ä"),
}  # fmt: skip
INERTIAS = {
    "full": holding(inertial(moments="1 2 2.5 .1 .2 -.1")),
    "full, placed": holding(inertial(moments="1 2 2.5 .1 .2 -.1", origin=PLACED)),
    "diagonal, placed": holding(inertial(moments="1 2 2.5 0 0 0", origin=PLACED)),
    "fused": holding(inertial(moments="1 2 2.5 .1 .2 -.1", origin=PLACED))
    + link("c", inertial("2", "1 2 2.5 0 0 0", PLACED)) + joint("k", "fixed", "b", "c", PLACED),
    "kept apart": '<mujoco><compiler fusestatic="false"/></mujoco>'
    + holding(inertial(moments="1 2 2.5 .1 .2 -.1", origin=PLACED))
    + link("c", inertial("3", "0 0 0 0 0 0", PLACED)) + joint("k", "fixed", "b", "c", PLACED),
    "balanced": '<mujoco><compiler balanceinertia="true"/></mujoco>'
    + holding(inertial(moments="10 1 1 0 0 0")),
    "bounded": '<mujoco><compiler boundmass=".01" boundinertia=".1"/></mujoco>'
    + holding(inertial("0", "0 0 0 0 0 0", PLACED)),
    "bounded, none": '<mujoco><compiler boundmass=".01" boundinertia=".1"/></mujoco>' + holding(""),
    "from shapes": holding(BOX + shape('<sphere radius=".2"/>', more=PLACED)),
    "from shapes, asked": '<mujoco><compiler inertiafromgeom="true"/></mujoco>'
    + holding(INERTIAL + BOX),
    "an empty link, bounded": '<mujoco><compiler inertiafromgeom="true" boundinertia=".001"/>'
    "</mujoco>" + holding(BOX) + link("c", "") + joint("k", "fixed", "b", "c"),
}  # fmt: skip
SHAPES = {
    "box": holding(INERTIAL + shape('<box size="1 2 3"/>', more=PLACED)),
    "cylinder": holding(INERTIAL + shape('<cylinder radius="1" length="3"/>')),
    "capsule": holding(INERTIAL + shape('<capsule radius="1" length="3"/>')),
    "sphere": holding(INERTIAL + shape(BALL)),
    "two shapes": holding(INERTIAL + shape(f'{BALL}<box size="1 2 3"/>')),
    "empty visual": holding(INERTIAL + "<visual/>" + shape('<box size="0 0 0"/>', "visual")),
    "visual": VISIBLE + holding(INERTIAL + BOX + shape(BALL, "visual", PLACED)),
    "names": VISIBLE + holding(
        INERTIAL + shape(BALL, name="x") + shape(BALL, "visual", name="x")
        + shape(BALL, name="y") + shape(BALL) + shape(BALL, name="z") + shape(BALL)
    ),
    "colours": VISIBLE + RED + '<material name="blue"/>' + holding(
        INERTIAL + shape(BALL, "visual", '<material name="red"/>') + shape(BALL)
        + shape(BALL, "visual", '<material name="blue"/>')
        + shape(BALL, "visual", '<material><color rgba=".1 .2 .3 .4"/></material>')
        + shape(BALL) + shape(BALL, more='<material name="red"/>')
    ),
    "colour of what is dropped": RED + holding(
        INERTIAL + shape(BALL, "visual", '<material name="red"/>') + shape(BALL)
    ),
    "colour from another link": VISIBLE + link("a", shape(BALL, "visual", RED)) + link(
        "b", INERTIAL + shape(BALL, "visual", '<material name="red"/>')
    ) + joint("j", "revolute", "a", "b"),
    "first colour": VISIBLE + RED + '<material name="red"><color rgba="0 0 1 1"/></material>'
    + holding(INERTIAL + shape(BALL, "visual", '<material name="red"/>')),
    "negative colour": VISIBLE + holding(
        INERTIAL
        + shape(BALL, "visual", '<material name="p"><color rgba="-1 0 0 1"/></material>')
    ),
    "mesh": holding(INERTIAL + mesh("wedge.stl")),
    "mesh, mirrored": holding(mesh("wedge.stl", "-1 1 2")),
    "meshes": holding(
        INERTIAL + mesh("wedge.stl") + mesh("wedge.stl", "2 2 2") + mesh("wedge.stl", "2 2 2")
        + mesh("wedge.stl", "3 3 3") + mesh("x/wedge.stl") + mesh("./wedge.stl")
    ),
    "meshes, names taken": holding(
        INERTIAL + mesh("slab.stl") + mesh("slab.stl", "2 2 2") + mesh("slab1.stl")
        + mesh("slab1.stl", "2 2 2") + mesh("a\\slab.stl")
    ),
    "meshes, stripped": '<mujoco><compiler strippath="true"/></mujoco>' + holding(
        INERTIAL + mesh("wedge.stl") + mesh("x/wedge.stl") + mesh("package://x/y/wedge.stl")
    ),
    "package": holding(INERTIAL + mesh("package://robot/meshes/wedge.stl")),
    "dropped mesh": holding(INERTIAL + shape('<mesh filename="no.stl"/>', "visual") + BOX),
}  # fmt: skip
SETTINGS = {
    "degrees": '<mujoco><compiler angle="degree" eulerseq="zyx"/></mujoco>'
    + jointed("revolute", f'{PLACED}<limit lower="0" upper="1"/>'),
    "option": '<mujoco><option timestep=".1" integrator="RK4"><flag gravity="disable"/></option>'
    '<size nuserdata="5"/></mujoco>' + jointed("revolute"),
    "unknown": '<mujoco><compiler convexhull="x"/><asset/><option><foo/></option></mujoco>'
    + jointed("revolute"),
    "total mass": '<mujoco><compiler settotalmass="7"/></mujoco>' + jointed("revolute"),
    "alignment": '<mujoco><compiler alignfree="true"/></mujoco>'
    + link("a")
    + link("b", inertial(origin=PLACED))
    + joint("j", "floating", "a", "b"),
    "other languages": '<gazebo reference="a"><kp>1</kp></gazebo><transmission name="t"/>'
    + jointed("revolute", '<safety_controller k_velocity="1"/><calibration rising="0"/>'),
}


def mimicking(first: str, second: str, mimic: str) -> str:
    one = joint("j", first, "a", "b")
    return link("a") + link("b") + link("c") + one + joint("k", second, "a", "c", mimic)


MIMICS = {
    "plain": mimicking("revolute", "revolute", '<mimic joint="j"/>'),
    "scaled": mimicking("continuous", "prismatic", '<mimic joint="j" multiplier="2" offset=".5"/>'),
    "blank": mimicking("revolute", "revolute", '<mimic joint="j" multiplier=""/>'),
    "of nothing": mimicking("revolute", "revolute", '<mimic joint="none"/>'),
    "of a fixed joint": mimicking("fixed", "revolute", '<mimic joint="j" offset=".3"/>'),
    "of a fixed joint's": mimicking("revolute", "fixed", '<mimic joint="j"/>'),
    "of a ball": mimicking("spherical", "revolute", '<mimic joint="j"/>'),
    "of a plane": mimicking("planar", "revolute", '<mimic joint="j"/>'),
    "in a ring": link("a") + link("b") + link("c")
    + joint("j", "revolute", "a", "b", '<mimic joint="k"/>')
    + joint("k", "revolute", "a", "c", '<mimic joint="j"/>'),
    "of the joint of that name": link("a") + link("b") + link("c") + link("d")
    + joint("j", "planar", "a", "b") + joint("j", "revolute", "a", "c")
    + joint("k", "revolute", "a", "d", '<mimic joint="j"/>'),
    "of the joint that moves": link("a") + link("b") + link("c") + link("d")
    + joint("j", "fixed", "a", "b") + joint("j", "revolute", "a", "c")
    + joint("k", "revolute", "a", "d", '<mimic joint="j"/>'),
}  # fmt: skip
GROUPS = {
    "joint": JOINTS,
    "tree": TREES,
    "inertia": INERTIAS,
    "shape": SHAPES,
    "setting": SETTINGS,
    "mimic": MIMICS,
}
CASES = {f"{group}: {name}": text for group, some in GROUPS.items() for name, text in some.items()}


@functools.cache
def loaded(text: str) -> cf.Model:
    return cf.Model.from_urdf(text, MESHES)


def differences(text: str) -> list[str]:
    """What of our model of a robot is not MuJoCo's."""
    with muted_warnings():
        reference = mujoco.MjModel.from_xml_string(text, MESHES)
    return [str(row) for row in compare_model(loaded(text), reference) if not row.ok]


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_arrays_are_mujocos(text):
    assert differences(f'<robot name="r">{text}</robot>') == []


@pytest.mark.parametrize("opening", ["<robot>", '<robot name="">', '<robot name="r2d2">'])
def test_name_of_the_model(opening):
    assert differences(f"{opening}{link('a')}</robot>") == []


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_random_robots(first):
    """More of them are compared by the sweep (`python -m conformance.urdf`)."""
    assert {seed: differences(random_urdf(seed)) for seed in range(first, first + 10)} == {
        seed: [] for seed in range(first, first + 10)
    }


def test_random_robots_are_varied():
    models = [loaded(random_urdf(seed)) for seed in range(40)]
    assert {int(kind) for model in models for kind in model.jnt_type} == {0, 1, 2, 3}
    assert {int(kind) for model in models for kind in model.geom_type} == {2, 3, 5, 6, 7}
    assert any(model.neq for model in models)
    assert any(model.body_mass[0] for model in models)
    assert random_urdf(5) == random_urdf(5) != random_urdf(6)


def test_without_mimicry():
    text = f"<robot>{MIMICS['scaled']}</robot>"
    assert cf.Model.from_urdf(text, mimic=False).neq == 0
    model = cf.Model.from_urdf(text)
    assert model.eq_type.tolist() == [EqualityType.JOINT]
    assert model.eq_data[0, :5].tolist() == [0.5, 2, 0, 0, 0]


def test_the_world_of_a_robot_may_be_heavy():
    """Only a URDF can give the world inertia; arrays and what a step makes of them are MuJoCo's."""
    text = f"<robot>{TREES['world with inertia']}</robot>"
    assert differences(text) == []
    model, reference = loaded(text), mujoco.MjModel.from_xml_string(text)
    assert model.body_mass[0] == 3
    assert model.body_inertia[0].any()
    np.testing.assert_allclose(model.body_subtreemass[0], 4)
    ours, theirs = model.make_data(), mujoco.MjData(reference)
    for data in (ours, theirs):
        data.qpos[:], data.qvel[:] = 0.3, 0.7
    ours.step(5)
    mujoco.mj_step(reference, theirs, 5)
    np.testing.assert_allclose(ours.subtree_com, theirs.subtree_com, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(ours.qpos, theirs.qpos, rtol=1e-12)
    # what the world weighs moves nothing
    weightless = text.replace('<mass value="3"/>', '<mass value="0"/>', 1)
    assert weightless != text
    light = loaded(weightless).make_data()
    light.qpos[:], light.qvel[:] = 0.3, 0.7
    light.step(5)
    np.testing.assert_array_equal(light.qpos, ours.qpos)


def test_nothing_is_warned_of_a_plain_robot():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cf.Model.from_urdf(f"<robot>{jointed('continuous')}</robot>")
