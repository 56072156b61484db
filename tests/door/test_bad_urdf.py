"""Bad URDF: each rule broken once, refused with file, line, element and attribute."""

from __future__ import annotations

import os

import pytest

import cortenforge as cf
from cortenforge.errors import UrdfError
from cortenforge.report import validate

pytestmark = pytest.mark.filterwarnings("ignore::cortenforge.UrdfWarning")

BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
INERTIA = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
INERTIAL = f'<inertial><mass value="1"/>{INERTIA}</inertial>'
LINKS = f'<link name="a"/><link name="b">{INERTIAL}</link><link name="c">{INERTIAL}</link>'
ENDS = '<parent link="a"/><child link="b"/>'
JOINT = f'<joint name="j" type="revolute">{ENDS}</joint>'
VISIBLE = '<mujoco><compiler discardvisual="false"/></mujoco>'


def joint(content: str, kind: str = "revolute") -> str:
    return f'{LINKS}\n<joint name="j" type="{kind}">{ENDS}{content}</joint>'


def link(content: str) -> str:
    return f'<link name="a"/>{JOINT}\n<link name="b">{content}</link>'


def geometry(shape: str) -> str:
    return link(f"{INERTIAL}<collision><geometry>{shape}</geometry></collision>")


def visual(content: str) -> str:
    return f"{VISIBLE}{link(f'{INERTIAL}<visual>{content}</visual>')}"


def inertial(moments: str, mass: str = "1") -> str:
    names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    given = " ".join(f'{n}="{v}"' for n, v in zip(names, moments.split(), strict=True))
    return link(f'<inertial><mass value="{mass}"/><inertia {given}/></inertial>')


# what follows a first line, the second of which is at fault; the element and attribute named
CASES = [
    # links and the tree
    ("\n<link/>", "link", "name"),
    ('<link name="a"/>\n<link name="a"/>', "link", "name"),
    (LINKS + '\n<joint name="j" type="revolute"><child link="b"/></joint>', "joint", None),
    (LINKS + '\n<joint name="j" type="revolute"><parent link="a"/></joint>', "joint", None),
    (LINKS + f'\n<joint type="revolute">{ENDS}</joint>', "joint", "name"),
    (LINKS + f'\n<joint name="j">{ENDS}</joint>', "joint", "type"),
    (joint("", "Revolute"), "joint", "type"),
    (joint('<parent link="a"/>'), "parent", None),
    (LINKS + '\n<joint name="j" type="fixed"><parent/><child link="b"/></joint>', "parent", "link"),
    (LINKS + '\n<joint name="j" type="fixed"><parent link="z"/><child link="b"/></joint>',
     "parent", "link"),
    (LINKS + '\n<joint name="j" type="fixed"><parent link="a"/><child link="z"/></joint>',
     "child", "link"),
    (LINKS + JOINT + '\n<joint name="k" type="fixed"><parent link="c"/><child link="b"/></joint>',
     "joint", None),
    (LINKS + '\n<joint name="j" type="fixed"><parent link="a"/><child link="a"/></joint>',
     "joint", None),
    (LINKS + JOINT + '<joint name="l" type="fixed"><parent link="b"/><child link="c"/></joint>'
     '\n<joint name="k" type="fixed"><parent link="c"/><child link="a"/></joint>', "joint", None),
    (LINKS + '<link name="world"/>\n<joint name="j" type="fixed"><parent link="a"/>'
     '<child link="world"/></joint>', "joint", None),
    (LINKS + JOINT + '\n<joint name="k" type="floating"><parent link="b"/><child link="c"/>'
     "</joint>", "joint", None),
    # joints
    (joint('<axis xyz="0 0 0"/>'), "axis", "xyz"),
    (joint('<axis xyz="0 1"/>'), "axis", "xyz"),
    (joint("<axis/>"), "axis", "xyz"),
    (joint('<axis xyz="0 0 0"/>', "planar"), "axis", "xyz"),
    (joint('<origin xyz="0 0"/>'), "origin", "xyz"),
    (joint('<origin rpy="0 0 0 0"/>'), "origin", "rpy"),
    (joint('<origin xyz="0 nan 0"/>'), "origin", "xyz"),
    (joint('<origin xyz="0,0,0"/>'), "origin", "xyz"),
    (joint('<origin xyz="0 0 1e31"/>'), "origin", "xyz"),
    (joint("<origin/><origin/>"), "origin", None),
    (joint('<limit lower="low" upper="1"/>'), "limit", "lower"),
    (joint('<limit lower="1 2" upper="3"/>'), "limit", "lower"),
    (joint('<limit effort="-inf"/>'), "limit", "effort"),
    (joint('<limit lower="0" upper="1"/><limit/>'), "limit", None),
    (joint('<limit lower="-1" upper="1"/>', "spherical"), "joint", "lower upper"),
    (joint('<dynamics damping="much"/>'), "dynamics", "damping"),
    (joint('<dynamics friction="1 2"/>'), "dynamics", "friction"),
    (joint("<dynamics/><dynamics/>"), "dynamics", None),
    (joint("<mimic/>"), "mimic", "joint"),
    (joint('<mimic joint="j"/>'), "mimic", "joint"),
    (joint('<mimic joint="j" multiplier="x"/>'), "mimic", "multiplier"),
    (joint('<mimic joint="j" offset="1 2"/>'), "mimic", "offset"),
    ('<mujoco><compiler autolimits="false"/></mujoco>' + joint('<limit lower="0" upper="1"/>'),
     "joint", "lower upper"),
    # inertia
    (link(""), "link", None),
    (link(f"<inertial>{INERTIA}</inertial>"), "inertial", None),
    (link('<inertial><mass value="1"/></inertial>'), "inertial", None),
    (link(f"<inertial><mass/>{INERTIA}</inertial>"), "mass", "value"),
    (link(f'<inertial><mass value="x"/>{INERTIA}</inertial>'), "mass", "value"),
    (link('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'),
     "inertia", "ixy"),
    (link(INERTIAL * 2), "inertial", None),
    (inertial("1 1 1 0 0 0", "-1"), "inertial", "mass"),
    (inertial("1 1 1 0 0 0", "0"), "link", None),
    (inertial("-1 1 1 0 0 0"), "inertial", "ixx iyy izz ixy ixz iyz"),
    (inertial("1 1 1 5 0 0"), "inertial", "ixx iyy izz ixy ixz iyz"),
    (inertial("10 1 1 0 0 0"), "inertial", None),
    (inertial("0 0 0 0 0 0"), "link", None),
    # shapes
    (link(f"{INERTIAL}<collision/>"), "collision", None),
    (visual(""), "visual", None),
    (geometry(""), "geometry", None),
    (geometry('<ellipsoid size="1 1 1"/>'), "geometry", None),
    (geometry('<box size="1 1 1"/>' * 2), "box", None),
    (geometry("<box/>"), "box", "size"),
    (geometry('<box size="1 1"/>'), "box", "size"),
    (geometry('<box size="1 1 0"/>'), "box", "size"),
    (geometry('<sphere radius="-1"/>'), "sphere", "radius"),
    (geometry('<cylinder radius="1"/>'), "cylinder", "length"),
    (geometry('<capsule length="1"/>'), "capsule", "radius"),
    (geometry("<mesh/>"), "mesh", "filename"),
    (geometry('<mesh filename="none.stl"/>'), "mesh", "filename"),
    (geometry('<mesh filename="bad.stl"/>'), "mesh", "filename"),
    (geometry('<mesh filename="arm.dae"/>'), "mesh", "filename"),
    (geometry('<mesh filename="arm.blend"/>'), "mesh", "filename"),
    (geometry('<mesh filename="bad.stl" scale="1"/>'), "mesh", "scale"),
    (geometry('<mesh filename="package://none/arm.stl"/>'), "mesh", "filename"),
    (geometry('<mesh filename="package://"/>'), "mesh", "filename"),
    (geometry('<mesh filename="http://example.org/arm.stl"/>'), "mesh", "filename"),
    (visual(f"<material/>{BOX}"), "material", "name"),
    (visual('<material name="x"><color/></material>'), "color", "rgba"),
    (visual('<material name="x"><color rgba="1 0 0"/></material>'), "color", "rgba"),
    (visual('<material name="x"/><material name="x"/>'), "material", None),
    ('\n<material name="x"><color rgba="red"/></material>', "color", "rgba"),
    # settings
    ("<mujoco/>\n<mujoco/>", "mujoco", None),
    ("<mujoco><compiler/>\n<compiler/></mujoco>", "compiler", None),
    ('<mujoco>\n<compiler fusestatic="maybe"/></mujoco>', "compiler", "fusestatic"),
    ('<mujoco>\n<option timestep="fast"/></mujoco>', "option", "timestep"),
    ('<mujoco>\n<size nuserdata="-x"/></mujoco>', "size", "nuserdata"),
    # macros
    ('\n<xacro:include filename="x"/>', "xacro:include", None),
]  # fmt: skip
ASSETS = {"bad.stl": b"not a mesh", "arm.dae": b"<COLLADA/>", "arm.blend": b"BLENDER"}


@pytest.mark.parametrize(("text", "element", "attribute"), CASES, ids=[case[0] for case in CASES])
def test_refused_at_its_place(text: str, element: str, attribute: str | None) -> None:
    opening = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro">'
    with pytest.raises(UrdfError) as refused:
        cf.Model.from_urdf(f"{opening}{text}</robot>", ASSETS)
    error = refused.value
    assert (error.file, error.line, error.element) == ("<string>", 2, element)
    assert error.attribute == attribute
    assert "<string>:2" in str(error)


def test_many_rules_are_broken() -> None:
    assert len(CASES) == len({case[0] for case in CASES}) >= 30


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<robot>\n<link", 2),
        ("<robot>\n</link>", 2),
        ("<robot/>\n<robot/>", 2),
        ("\n\n<link/>", 3),
        ("<mujoco/>", 1),
        ("<robot><xacro:if/></robot>", 1),
        ("<!DOCTYPE robot><robot/>", 1),
    ],
)
def test_broken_documents(text: str, line: int) -> None:
    with pytest.raises(UrdfError) as refused:
        cf.Model.from_urdf(text)
    assert refused.value.line == line


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('<link name="arm"/><joint name="j" type="fixed"><parent link="amr"/>'
         '<child link="arm"/></joint>', "did you mean 'arm'"),
        ('<link name="a"/><joint name="j" type="fixed"><parent link="world"/><child link="a"/>'
         "</joint>", 'needs <link name="world"/>'),
        (joint("", "revolut"), "did you mean 'revolute'"),
        (geometry('<mesh filename="arm.dae"/>'), "OBJ or STL"),
        (geometry('<mesh filename="package://arm/a.stl"/>'), "package_path="),
        (inertial("10 1 1 0 0 0"),
         '<mujoco><compiler balanceinertia="true"/></mujoco> in <robot>'),
    ],
)  # fmt: skip
def test_hints(text: str, hint: str) -> None:
    with pytest.raises(UrdfError) as refused:
        cf.Model.from_urdf(f"<robot>{text}</robot>")
    assert hint in str(refused.value.hint)


def test_all_problems_at_once() -> None:
    """Links and joints are looked at one by one; what follows from a problem is not told."""
    text = (
        f'<robot>\n<link name="a"><collision/></link>\n<link name="b"><inertial/></link>{JOINT}\n'
        '<link name="c"/><joint name="k" type="screw"><parent link="a"/><child link="c"/></joint>\n'
        '<link name="d"/><joint name="l" type="fixed"><parent link="a"/><child link="d"/>'
        '<origin xyz="0"/></joint></robot>'
    )
    report = validate(text)
    assert [error.line for error in report.errors] == [2, 3, 4, 5]
    assert all(isinstance(error, UrdfError) for error in report.errors)
    one = validate(f"<robot>{inertial('10 1 1 0 0 0')}</robot>")
    assert [type(error) for error in one.errors] == [UrdfError]
    good = validate(f"<robot>{LINKS}{JOINT}</robot>")
    assert good.ok and "this revolute joint has no limits" in good.warnings[0]


def test_files_that_are_not_there(tmp_path) -> None:
    with pytest.raises(UrdfError, match="no such file"):
        cf.Model.from_urdf(tmp_path / "none.urdf")
    with pytest.raises(UrdfError, match="a folder"):
        cf.Model.from_urdf(tmp_path)
    with pytest.raises(UrdfError, match="found nothing"):
        cf.Model.from_urdf("")


def test_a_mjcf_error_as_well() -> None:
    """Programs that catch the errors of model files need not know URDF's."""
    with pytest.raises(cf.MjcfError):
        cf.load_model("<robot><link/></robot>")


def test_mjcf_is_not_urdf() -> None:
    with pytest.raises(UrdfError, match="<robot>") as refused:
        cf.Model.from_urdf("<mujoco/>")
    assert "load_model" in str(refused.value.hint)


def test_mjcf_reader_says_what_to_use() -> None:
    with pytest.raises(cf.MjcfError, match="this is URDF") as refused:
        cf.Model.from_mjcf('<?xml version="1.0"?><!-- <mujoco> --><robot xmlns:x="y"/>')
    assert not isinstance(refused.value, UrdfError)
    assert "from_urdf" in str(refused.value.hint)


def test_long_chains_are_refused() -> None:
    count = 600
    links = "".join(f'<link name="{i}"/>' for i in range(count))
    joints = "".join(
        f'<joint name="{i}" type="fixed"><parent link="{i}"/><child link="{i + 1}"/></joint>'
        for i in range(count - 1)
    )
    with pytest.raises(UrdfError, match="deeper"):
        cf.Model.from_urdf(f"<robot>{links}{joints}</robot>")


SAFE = (
    '<robot><link name="a"><collision><geometry><mesh filename="{}"/></geometry></collision>'
    "</link></robot>"
)


@pytest.mark.parametrize("address", ["../arm.stl", "package://out/arm.stl", "file://{}/arm.stl"])
def test_sandbox_keeps_meshes_in_the_folder(tmp_path, address) -> None:
    inner = tmp_path / "robot"
    (tmp_path / "out").mkdir()
    inner.mkdir()
    for folder in (tmp_path, tmp_path / "out"):
        (folder / "arm.stl").write_bytes(b"secret")
    file = inner / "r.urdf"
    file.write_text(SAFE.format(address.format(tmp_path)))
    with pytest.raises(UrdfError, match="sandbox"):
        cf.Model.from_urdf(file, sandbox=True, package_path=[tmp_path])
    with pytest.raises(UrdfError, match="mesh 'arm'"):
        cf.Model.from_urdf(file, package_path=[tmp_path])


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs links")
def test_sandbox_does_not_follow_links(tmp_path) -> None:
    inner = tmp_path / "robot"
    (inner / "pkg").mkdir(parents=True)
    (tmp_path / "arm.stl").write_bytes(b"secret")
    (inner / "pkg" / "arm.stl").symlink_to(tmp_path / "arm.stl")
    file = inner / "r.urdf"
    file.write_text(SAFE.format("package://pkg/arm.stl"))
    with pytest.raises(UrdfError, match="sandbox"):
        cf.Model.from_urdf(file, sandbox=True)
