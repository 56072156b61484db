"""URDF mangled at random: a compiled model or a `UrdfError`, never anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cortenforge as cf
from conformance.urdf_generate import MESHES

from .mangling import attributes_of, cut_and_paste, edits, tried, with_value

pytestmark = pytest.mark.filterwarnings("ignore::cortenforge.MjcfWarning")

ROBOT = """<robot name="m" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <mujoco><compiler discardvisual="false" boundmass="0.1"/><option timestep="0.001"/></mujoco>
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="world"/>
  <link name="a">
    <inertial><origin xyz="0 0 1" rpy="0 1 0"/><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0.1" iyz="0"/></inertial>
    <visual><geometry><cylinder radius="1" length="2"/></geometry><material name="red"/></visual>
    <collision name="c"><geometry><mesh filename="package://p/slab.stl" scale="1 1 2"/></geometry>
    </collision>
  </link>
  <link name="b"><collision><geometry><box size="1 2 3"/></geometry></collision></link>
  <joint name="j" type="floating"><parent link="world"/><child link="a"/></joint>
  <joint name="k" type="revolute"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="1"/>
    <dynamics damping="0.1" friction="0.2"/><mimic joint="j" multiplier="2"/></joint>
  <gazebo reference="a"><kp>100</kp></gazebo>
</robot>
"""
WORDS = [
    "1e30",
    "-1",
    "0",
    "nan",
    "0 0 0",
    "1 2 3 4",
    "true",
    "",
    "a",
    "world",
    "planar",
    "fixed",
    "prismatic",
    "k",
    "package://",
    "file://..",
    "../x.stl",
    "slab.stl",
    "1e-300",
    "&#65;",
    "<",
    '"',
    "/>",
    "<link>",
    "</link>",
    "<origin/>",
    "<xacro:x/>",
    "\0",
    "\u0663",
]


@tried(120)
@given(edits(ROBOT, WORDS))
def test_cut_and_paste(changes) -> None:
    """Stretches of the text replaced by words that may or may not fit there."""
    _load(cut_and_paste(ROBOT, changes))


@tried(120)
@given(attributes_of(ROBOT), st.sampled_from(WORDS[:20]))
def test_any_attribute_with_any_value(which, word) -> None:
    """One attribute's value replaced: the document stays well formed."""
    _load(with_value(ROBOT, which, word))


@tried(50)
@given(st.data())
def test_elements_moved_about(data) -> None:
    """Lines of the document in another order, and some of them twice or not at all."""
    first, *lines, last = ROBOT.strip().split("\n")
    _load("\n".join([first, *data.draw(st.lists(st.sampled_from(lines), max_size=20)), last]))


def test_the_original_loads() -> None:
    assert cf.Model.from_urdf(ROBOT, MESHES).nv == 7


def _load(text: str) -> None:
    if not text.lstrip().startswith("<"):
        return
    try:
        cf.Model.from_urdf(text, MESHES)
    except cf.UrdfError as refused:
        assert refused.file == "<string>"
