"""URDF files: where meshes are found, what is told to the user, and who reads what."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from conformance.urdf_generate import MESHES, random_urdf

WEDGE = MESHES["wedge.stl"]
INERTIAL = (
    '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    "</inertial>"
)


def robot(*files: str, more: str = "") -> str:
    shapes = "".join(
        f'<collision><geometry><mesh filename="{file}"/></geometry></collision>' for file in files
    )
    return f'<robot name="r">{more}<link name="a">{shapes}</link></robot>'


def put(path: Path, content: str | bytes = WEDGE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def remarks(text: str) -> str:
    """What is told about a robot."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cf.Model.from_urdf(text, MESHES)
    told = [str(one.message) for one in caught if one.category is cf.UrdfWarning]
    assert len(told) <= 1
    return "".join(told)


# ---------------------------------------------------------------------- meshes


@pytest.mark.parametrize("scheme", ["package", "model"])
def test_packages_around_the_file(tmp_path, scheme):
    """The folder of the package's name above the file, or a folder of that name beside one."""
    put(tmp_path / "arm" / "meshes" / "wedge.stl")
    put(tmp_path / "hand" / "wedge.stl")
    text = robot(f"{scheme}://arm/meshes/wedge.stl", f"{scheme}://hand/wedge.stl")
    file = put(tmp_path / "arm" / "urdf" / "r.urdf", text)
    assert cf.Model.from_urdf(file).nmesh == 2


def test_package_with_three_strokes(tmp_path):
    put(tmp_path / "arm" / "wedge.stl")
    file = put(tmp_path / "r.urdf", robot("package:///arm/wedge.stl"))
    assert cf.Model.from_urdf(file).nmesh == 1


def test_package_that_is_a_file(tmp_path):
    """Some files call the mesh beside them a package."""
    put(tmp_path / "wedge.stl")
    file = put(tmp_path / "r.urdf", robot("package://wedge.stl"))
    assert cf.Model.from_urdf(file).nmesh == 1


@pytest.mark.parametrize("inside", ["", "share", "arm"])
def test_package_path_of_folders(tmp_path, inside):
    """Folders that hold packages, installations with `share`, or the package itself."""
    place = tmp_path / "ws" / ("" if inside == "arm" else inside) / "arm"
    put(place / "wedge.stl")
    file = put(tmp_path / "elsewhere" / "r.urdf", robot("package://arm/wedge.stl"))
    folder = tmp_path / "ws" / ("arm" if inside == "arm" else "")
    for path in ([tmp_path / "none", folder], [str(folder)], folder, str(folder)):
        assert cf.Model.from_urdf(file, package_path=path).nmesh == 1
    with pytest.raises(cf.UrdfError, match="in a package 'arm'") as refused:
        cf.Model.from_urdf(file)
    assert str(tmp_path / "elsewhere" / "arm" / "wedge.stl") in str(refused.value.hint)


def test_package_path_by_name(tmp_path):
    put(tmp_path / "unpacked" / "wedge.stl")
    text = robot("package://arm/wedge.stl")
    assert cf.Model.from_urdf(text, package_path={"arm": tmp_path / "unpacked"}).nmesh == 1
    with pytest.raises(cf.UrdfError, match="in a package 'arm'"):
        cf.Model.from_urdf(text, package_path={"leg": tmp_path / "unpacked"})


def test_package_path_from_the_environment_only_if_asked(tmp_path, monkeypatch):
    put(tmp_path / "b" / "arm" / "wedge.stl")
    folders = os.pathsep.join([str(tmp_path / "a"), "", str(tmp_path / "b")])
    monkeypatch.setenv("ROS_PACKAGE_PATH", folders)
    text = robot("package://arm/wedge.stl")
    assert cf.Model.from_urdf(text, package_path=["$ROS_PACKAGE_PATH"]).nmesh == 1
    with pytest.raises(cf.UrdfError):
        cf.Model.from_urdf(text)


def test_the_search_path_goes_before_the_folders_around(tmp_path):
    put(tmp_path / "arm" / "wedge.stl", b"not a mesh")
    put(tmp_path / "ws" / "arm" / "wedge.stl")
    file = put(tmp_path / "arm" / "r.urdf", robot("package://arm/wedge.stl"))
    assert cf.Model.from_urdf(file, package_path=[tmp_path / "ws"]).nmesh == 1
    with pytest.raises(cf.UrdfError, match="wedge"):
        cf.Model.from_urdf(file)


def test_files_in_memory_go_first(tmp_path):
    put(tmp_path / "arm" / "wedge.stl", b"not a mesh")
    text = robot("package://arm/wedge.stl")
    for name in ("package://arm/wedge.stl", "arm/wedge.stl", "wedge.stl"):
        for extension in ("", '<mujoco><compiler meshdir="m/n"/></mujoco>'):
            made = text.replace("<link", extension + "<link")
            model = cf.Model.from_urdf(made, {name: WEDGE, "other.stl": b""})
            assert model.nmesh == 1


def test_files_in_memory_by_full_name():
    assets = {"arm/a/wedge.stl": WEDGE, "arm/b/wedge.stl": MESHES["slab.stl"]}
    text = robot("package://arm/a/wedge.stl", "package://arm/b/wedge.stl")
    model = cf.Model.from_urdf(text, assets)
    assert model.names["mesh"] == ["wedge", "wedge1"]
    assert not np.allclose(model.geom_size[0], model.geom_size[1])


def test_address_of_a_file(tmp_path):
    put(tmp_path / "m" / "wedge.stl")
    file = put(tmp_path / "r" / "r.urdf", robot(f"file://{tmp_path}/m/wedge.stl"))
    assert cf.Model.from_urdf(file).nmesh == 1


def test_relative_files_are_seen_from_the_mesh_folder(tmp_path):
    """As in MuJoCo: from the file's folder, or from the folder that the compiler names."""
    put(tmp_path / "arm" / "meshes" / "wedge.stl")
    for text in (
        robot("../meshes/wedge.stl"),
        robot("wedge.stl", more='<mujoco><compiler meshdir="../meshes"/></mujoco>'),
        robot("x/y/wedge.stl", more='<mujoco><compiler meshdir="../meshes" strippath="true"/>'
              "</mujoco>"),
        robot("package://x/wedge.stl", more='<mujoco><compiler assetdir="../meshes"'
              ' strippath="true"/></mujoco>'),
    ):  # fmt: skip
        assert cf.Model.from_urdf(put(tmp_path / "arm" / "urdf" / "r.urdf", text)).nmesh == 1


def test_sandbox_allows_packages_in_the_folder(tmp_path):
    put(tmp_path / "robot" / "arm" / "wedge.stl")
    put(tmp_path / "robot" / "hand.stl")
    text = robot("package://arm/wedge.stl", "package://robot/hand.stl")
    file = put(tmp_path / "robot" / "r.urdf", text)
    assert cf.Model.from_urdf(file, sandbox=True).nmesh == 2


# ---------------------------------------------------------------------- what is told


def test_unused_elements_are_counted():
    text = (
        '<robot version="1">\n<gazebo/>\n<gazebo/><transmission/>\n<link name="a"/><link name="b">'
        f'{INERTIAL}</link><joint name="j" type="revolute"><parent link="a"/><child link="b"/>\n'
        '<limit lower="0" upper="1" velocity="1"/><safety_controller/><calibration/></joint>'
        "</robot>"
    )
    told = remarks(text)
    assert "<string>: not used: " in told
    for part in (
        "robot/version (1, line 1)",
        "gazebo (2, from line 2)",
        "transmission (1, line 3)",
        "limit/velocity (1, line 5)",
        "safety_controller",
        "calibration",
    ):
        assert part in told


def jointed(kind: str, content: str, name: str = "j") -> str:
    return (
        f'<link name="a"/>\n<link name="b">{INERTIAL}</link><joint name="{name}" type="{kind}">'
        f'<parent link="a"/><child link="b"/>{content}</joint>'
    )


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (jointed("revolute", ""), "line 2: this revolute joint has no limits"),
        (jointed("prismatic", '<limit effort="1"/>'), "this prismatic joint has no limits"),
        (jointed("revolute", '<limit lower="2" upper="1"/>'), "lower limit is above the upper"),
        (jointed("revolute", '<limit lower="1" upper="1"/>'), "both limits are equal"),
        (jointed("revolute", '<limit lower="1"/>'), "only one limit"),
        (jointed("continuous", '<limit lower="1" upper="2"/>'), "of a continuous joint"),
        (jointed("continuous", '<orign xyz="0 0 1"/>'), "orign"),
        (jointed("continuous", '<origin xzy="0 0 1"/>'), "origin/xzy (did you mean 'xyz'?)"),
        (jointed("continuous", '<mimic joint="i"/>'), "there is no joint 'i' to mimic"),
        (jointed("fixed", '<mimic joint="k"/>') + '<link name="c"/><joint name="k" type="fixed">'
         '<parent link="a"/><child link="c"/></joint>', "a fixed joint cannot mimic"),
        ('<mujoco><compiler convexhull="true"/><asset/></mujoco>', "compiler/convexhull"),
        ('<link name="a"/>\n<link name="b"/>', "line 2: 2 links have no parent"),
        ('<link name="a"><visual><material name="pink"/></visual></link>', "'pink' has a colour"),
        ('<material name="m"><texture/></material><link name="a"><visual><material name="m">'
         "<texture/></material></visual></link>", "texture (2, from line 1)"),
        ('<link name="a">' + '<collision name="g"><geometry><sphere radius="1"/></geometry>'
         "</collision>" * 2 + "</link>", "another geom is called 'g'"),
    ],
)  # fmt: skip
def test_surprises_are_told(text, remark):
    assert remark in remarks(f"<robot>{text}</robot>")


def test_many_remarks_are_cut_short():
    links = "".join(f'<link name="{i}">{INERTIAL}</link>' for i in range(30))
    joints = "".join(
        f'<joint name="{i}" type="revolute"><parent link="{i}"/><child link="{i + 1}"/></joint>'
        for i in range(29)
    )
    assert "and 21 more remarks" in remarks(f"<robot>{links}{joints}</robot>")


# ---------------------------------------------------------------------- who reads what


def test_load_model_goes_by_the_root_element(tmp_path):
    text = f'<?xml version="1.0"?>\n<!-- <mujoco> -->\n{robot("wedge.stl")}'
    assert cf.load_model(text, MESHES).nmesh == 1
    file = put(tmp_path / "robot.xml", text)
    put(tmp_path / "wedge.stl")
    assert cf.load_model(file).nmesh == 1
    assert cf.load_model("<mujoco/>").nbody == 1
    mjcf = put(tmp_path / "model.urdf", "<mujoco><!-- <robot> --></mujoco>")
    assert cf.load_model(mjcf).nbody == 1


def test_load_model_passes_options_on(tmp_path):
    put(tmp_path / "m" / "wedge.stl")
    text = robot("package://arm/wedge.stl")
    assert cf.load_model(text, package_path={"arm": tmp_path / "m"}).nmesh == 1


def test_description_can_be_edited_and_compiled():
    spec = cf.Spec.from_urdf(f"<robot name='r'>{jointed('continuous', '')}</robot>")
    assert spec.modelname == "r"
    assert spec.compile().nv == 1


@pytest.mark.filterwarnings("ignore::cortenforge.MjcfWarning")
@pytest.mark.parametrize("seed", [0, 2, 3])
def test_robots_are_saved_as_mjcf(seed):
    """Bit by bit the same model; only inertia of the world cannot be said in MJCF."""
    text = random_urdf(seed)
    saved = cf.Spec.from_urdf(text, MESHES).to_xml()
    assert cf.Model.from_mjcf(saved, MESHES).hash == cf.Model.from_urdf(text, MESHES).hash


def test_inertia_of_the_world_cannot_be_saved():
    spec = cf.Spec.from_urdf(f'<robot>\n<link name="world">{INERTIAL}</link></robot>')
    with pytest.raises(cf.MjcfError, match="cannot express inertia of the world") as refused:
        spec.to_xml()
    assert (refused.value.line, refused.value.element) == (2, "inertial")


def test_other_languages_are_read_over():
    """Text, namespaces and unknown elements stand in the files of other tools."""
    text = (
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro" xacro:x="1">some text'
        '<gazebo xmlns="http://example.org"><kp>1e6</kp></gazebo><link name="a"/></robot>'
    )
    assert "gazebo" in remarks(text)
