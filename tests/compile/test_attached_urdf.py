"""Robots in URDF that MJCF models attach, against MuJoCo."""

from __future__ import annotations

import pytest

from cortenforge.errors import UrdfError
from cortenforge.read import read_mjcf

from .oracle import differences

INERTIA = """<inertial><origin xyz="0 0 .1"/><mass value="2"/>
<inertia ixx="1" iyy="1.2" izz="1.5" ixy="0" ixz=".1" iyz="0"/></inertial>"""
ROBOT = f"""<robot name="r"><link name="base">{INERTIA}<visual name="v"><geometry>
<box size=".1 .2 .3"/></geometry></visual><collision name="c"><geometry><sphere radius=".1"/>
</geometry></collision></link><link name="l1">{INERTIA}<collision><geometry>
<cylinder radius=".1" length=".2"/></geometry></collision></link><link name="l2">{INERTIA}</link>
<joint name="j1" type="revolute"><parent link="base"/><child link="l1"/>
<origin xyz="0 0 .5" rpy=".1 .2 .3"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="3"/>
<dynamics damping=".1" friction=".2"/></joint><joint name="j2" type="prismatic">
<parent link="l1"/><child link="l2"/><mimic joint="j1" multiplier="2" offset=".3"/>
<limit lower="-1" upper="1" effort="3"/></joint></robot>"""
SEEN = '<robot name="r"><mujoco><compiler discardvisual="false" fusestatic="false"/></mujoco>'
ROBOTS = {
    "plain": ROBOT,
    "with visuals": ROBOT.replace('<robot name="r">', SEEN),
    "fixed to the world": ROBOT.replace('"base"', '"world"'),
}
WHOLE = '<attach model="r" prefix="p_"/>'


def model(attach: str, settings: str = "") -> str:
    """A model that attaches a robot."""
    return f"""<mujoco>{settings}<asset><model name="r" file="r.urdf"/></asset><worldbody>
<frame pos="1 2 3" euler="10 20 30">{attach}</frame></worldbody></mujoco>"""


@pytest.mark.parametrize("robot", ROBOTS)
def test_whole_robots_are_mujocos(robot):
    """Visuals go as the URDF says; bodies stay unless the model itself fuses them."""
    assert differences(model(WHOLE), {"r.urdf": ROBOTS[robot].encode()}) == []


@pytest.mark.parametrize("settings", ['discardvisual="true"', 'fusestatic="true"'])
def test_settings_of_the_model_are_mujocos(settings):
    """Settings for the whole model are those of the model that attaches."""
    assets = {"r.urdf": ROBOTS["with visuals"].encode()}
    assert differences(model(WHOLE, f"<compiler {settings}/>"), assets) == []


@pytest.mark.parametrize("body", ["base", "l1"])
def test_parts_of_robots_are_mujocos(body):
    """A link with what is below it."""
    part = f'<attach model="r" body="{body}" prefix="p_"/>'
    assert differences(model(part), {"r.urdf": ROBOT.encode()}) == []


def test_the_world_of_a_robot_can_be_a_body():
    """Then it has the inertia of its link."""
    assets = {"r.urdf": ROBOTS["fixed to the world"].encode()}
    part = '<attach model="r" body="world" prefix="p_"/>'
    assert differences(model(part), assets) == []


def test_robots_are_scaled():
    """In a frame with a scale."""
    text = model(WHOLE).replace("<frame ", '<frame scale="2" ')
    assert differences(text, {"r.urdf": ROBOT.encode()}) == []


def test_errors_are_those_of_urdf():
    """With the place in the URDF."""
    broken = ROBOT.replace('<link name="base">', "<link>")
    with pytest.raises(UrdfError, match="'name' is missing") as caught:
        read_mjcf(model(WHOLE), assets={"r.urdf": broken.encode()})
    assert (caught.value.file, caught.value.line) == ("r.urdf", 1)
