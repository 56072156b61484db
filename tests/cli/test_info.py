"""`cortenforge info`: parts of a model, and models of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from cortenforge.cli.app import app

ROBOT = """
<mujoco model="robot">
  <worldbody>
    <camera name="over" pos="0 0 3" fovy="50" mode="targetbody" target="link"/>
    <body name="link"><joint name="hinge" range="-1 1" limited="true"/>
      <geom size=".1"/><site name="tip" pos="0 0 .1"/>
      <body name="tool"><joint name="slide" type="slide"/><geom size=".1"/>
        <site name="bit"/></body></body>
  </worldbody>
  <tendon><fixed name="cord" stiffness="7"><joint joint="hinge" coef="1"/></fixed></tendon>
  <equality><weld name="held" body1="tool" active="false"/></equality>
  <actuator>
    <motor name="push" joint="hinge" gear="30" ctrlrange="-2 2" ctrllimited="true"/>
    <position name="servo" joint="slide" kp="40" kv="3"/>
    <velocity name="spin" tendon="cord" kv="5"/>
    <general name="odd" site="tip" gainprm="1" biastype="affine" biasprm="1 2 3"/>
    <orientation name="turn" site="bit" refsite="tip"/>
  </actuator>
  <sensor><force name="felt" site="tip" noise=".5"/><jointpos name="angle" joint="hinge"/></sensor>
  <keyframe><key name="bent" time="2" qpos="1 0"/></keyframe>
</mujoco>
"""
URDF = '<robot name="arm"><link name="a"/></robot>'


def show(*words: str) -> str:
    result = CliRunner().invoke(app, ["info", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def row(text: str, name: str) -> list[str]:
    """Cells of the line of a table that begins with a name."""
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in text.splitlines()]
    return next(cells for cells in rows if cells and cells[0] == name)


@pytest.fixture
def robot(tmp_path: Path) -> str:
    (tmp_path / "robot.xml").write_text(ROBOT)
    return show(str(tmp_path / "robot.xml"), "--no-tree")


@pytest.mark.parametrize(
    "cells",
    [
        ["push", "motor", "joint hinge", "30", "-2 … 2", ""],
        ["servo", "position, kp 40, kv 3", "joint slide", "1", "", ""],
        ["spin", "velocity, kv 5", "tendon cord", "1", "", ""],
        ["odd", "gain fixed, bias affine", "site tip", "1", "", ""],
        ["turn", "so3", "site bit, tip", "1 0 0 0 0 0 1 0 0 0 0 0 1", ", ,", ""],
        ["felt", "force", "site tip", "3", "0", "", "0.5"],
        ["angle", "jointpos", "joint hinge", "1", "3", "", ""],
        ["cord", "fixed", "1", "0", "", "7", ""],
        ["held", "weld", "body tool and body world", "off"],
        ["over", "targetbody", "world", "link", "50°"],
        ["bent", "2 s"],
    ],
    ids=lambda cells: cells[0],
)
def test_parts_have_a_line_each(robot: str, cells: list[str]) -> None:
    assert row(robot, cells[0]) == cells


def test_what_a_model_does_not_have_has_no_table() -> None:
    text = show("pendulum")
    assert "keyframes (" in text
    assert not any(f"{kind} (" in text for kind in ("actuators", "sensors", "tendons"))


def test_a_folder_offers_its_models(tmp_path: Path) -> None:
    """Models of both formats, in folders below, too; not what is no model."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "robot.xml").write_text(ROBOT)
    (tmp_path / "deep" / "arm.urdf").write_text(URDF)
    (tmp_path / "scene.xml").write_text('<mujoco><include file="robot.xml"/></mujoco>')
    (tmp_path / "broken.xml").write_text("<mujoco><")
    (tmp_path / "part.xml").write_text("<mujocoinclude/>")
    (tmp_path / "package.xml").write_text("<package/>")
    text = show(str(tmp_path))
    assert row(text, f"{tmp_path}/robot.xml")[1:] == ["MJCF", "robot", "2", "2", "5"]
    assert row(text, f"{tmp_path}/scene.xml")[1:] == ["MJCF", "", "0+", "0+", "0+"]
    assert row(text, f"{tmp_path}/deep/arm.urdf")[1:] == ["URDF", "arm", "1", "0", "0"]
    assert row(text, f"{tmp_path}/broken.xml")[1].startswith("cannot be read: broken XML")
    assert "part.xml" not in text and "package.xml" not in text


def test_a_folder_without_models(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["info", str(tmp_path)])
    assert result.exit_code == 1 and "there are no model files" in result.stderr


def test_other_commands_say_that_it_is_a_folder(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["simulate", str(tmp_path)])
    assert result.exit_code == 1 and f"cortenforge info {tmp_path}" in result.stderr
