"""Sections: merged when repeated, with MuJoCo's defaults when absent."""

from __future__ import annotations

import numpy as np

from cortenforge.read import read_mjcf

WORLD = "<worldbody/>"


def test_empty_model_has_every_default() -> None:
    spec = read_mjcf("<mujoco/>")
    assert spec.modelname == "MuJoCo Model"
    assert spec.file == "<string>"
    assert spec.option["timestep"] == 0.002
    assert spec.option["gravity"].tolist() == [0, 0, -9.81]
    assert spec.flag["gravity"] == "enable" and spec.flag["energy"] == "disable"
    assert spec.compiler["angle"] == "degree" and spec.compiler["autolimits"] is True
    assert spec.size["nuser_geom"] == -1 and spec.size["memory"] == -1
    assert spec.statistic["extent"] is None
    assert spec.visual["map"]["znear"] == 0.01
    assert set(spec.visual) == {"global", "quality", "headlight", "map", "scale", "rgba"}
    assert spec.worldbody.children == [] and spec.keys == [] and spec.numerics == []


def test_repeated_sections_are_merged_and_the_last_value_wins() -> None:
    spec = read_mjcf("""<mujoco model="m">
      <option timestep="1" gravity="0 0 0" o_solref="0.5 0.6"><flag energy="enable"/></option>
      <option timestep="2" o_solref="0.7"><flag contact="disable"/></option>
      <compiler angle="radian"/><compiler eulerseq="zyx"/>
      <visual><map znear="1"/></visual><visual><map zfar="2"/><rgba fog="1 1 1 1"/></visual>
      <size nkey="3"/><size nuserdata="4"/>
      <statistic extent="5"/><statistic meansize="6"/>
    </mujoco>""")
    assert (spec.option["timestep"], spec.option["gravity"].tolist()) == (2, [0, 0, 0])
    assert spec.option["o_solref"].tolist() == [0.7, 0.6]
    assert (spec.flag["energy"], spec.flag["contact"]) == ("enable", "disable")
    assert (spec.compiler["angle"], spec.compiler["eulerseq"]) == ("radian", "zyx")
    assert (spec.visual["map"]["znear"], spec.visual["map"]["zfar"]) == (1, 2)
    assert (spec.size["nkey"], spec.size["nuserdata"]) == (3, 4)
    assert (spec.statistic["extent"], spec.statistic["meansize"]) == (5, 6)


def test_disabled_actuator_groups_add_up() -> None:
    spec = read_mjcf(
        '<mujoco><option actuatorgroupdisable="1 2"/><option actuatorgroupdisable="2 5"/></mujoco>'
    )
    assert spec.option["actuatorgroupdisable"].tolist() == [1, 2, 5]


def test_length_range_is_kept() -> None:
    spec = read_mjcf('<mujoco><compiler><lengthrange mode="none" accel="5"/></compiler></mujoco>')
    (lengthrange,) = spec.compiler.children
    assert (lengthrange["mode"], lengthrange["accel"], lengthrange["timestep"]) == ("none", 5, 0.01)


def test_world_bodies_are_joined_in_order() -> None:
    spec = read_mjcf(
        '<mujoco><worldbody><body name="a"/></worldbody><worldbody>'
        '<geom name="g" size="1"/><body name="b"/></worldbody></mujoco>'
    )
    assert [element.name for element in spec.worldbody.children] == ["a", "g", "b"]


def test_custom() -> None:
    spec = read_mjcf("""<mujoco><custom>
      <numeric name="n" data="1 2 3"/><numeric name="padded" size="5" data="1"/>
      <text name="t" data="hello"/>
      <tuple name="u"><element objtype="body" objname="world" prm="2"/></tuple>
    </custom></mujoco>""")
    assert [(n.name, n["size"], n["data"].tolist()) for n in spec.numerics] == [
        ("n", 3, [1, 2, 3]),
        ("padded", 5, [1]),
    ]
    assert spec.texts[0]["data"] == "hello"
    (item,) = spec.tuples[0].children
    assert (item["objtype"], item["objname"], item["prm"]) == ("body", "world", 2)


def test_keys() -> None:
    spec = read_mjcf(
        '<mujoco><keyframe><key name="k" time="1" qpos="1 2"/></keyframe>'
        "<keyframe><key/></keyframe></mujoco>"
    )
    assert [key.name for key in spec.keys] == ["k", ""]
    assert spec.keys[0]["qpos"].tolist() == [1, 2]
    assert spec.keys[1]["time"] == 0 and spec.keys[1]["qpos"] is None


def test_value_types() -> None:
    spec = read_mjcf("""<mujoco><worldbody><body name="b" mocap="true" user="1 2">
      <geom name="g" size="1" type="box" shellinertia="true"/>
      <camera name="c" resolution="640 480" output="rgb depth"/></body></worldbody></mujoco>""")
    body, geom, camera = list(spec.worldbody.walk())[1:]
    assert body["mocap"] is True and body["sleep"] == "auto"
    assert isinstance(body["user"], np.ndarray)
    assert geom["shellinertia"] is True and geom["type"] == "box" and geom["group"] == 0
    assert camera["resolution"].tolist() == [640, 480] and camera["output"] == "rgb depth"


def test_empty_sections_of_later_issues_mean_nothing() -> None:
    spec = read_mjcf(
        "<mujoco><asset/><contact/><equality/><tendon/><actuator/><sensor/><deformable/>"
        "<extension/></mujoco>"
    )
    assert spec.to_xml() == read_mjcf("<mujoco/>").to_xml()


def test_errors_of_elements_quote_the_value() -> None:
    spec = read_mjcf('<mujoco>\n<worldbody>\n<geom name="g" size="1 2"/></worldbody></mujoco>')
    geom = spec.worldbody.children[0]
    assert str(geom.error("no", "size")) == '<string>:3: <geom> "g": size="1 2 0": no'
