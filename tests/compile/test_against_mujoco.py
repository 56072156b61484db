"""Compiled models equal MuJoCo's, feature by feature and on random models."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.generate import smooth_model

from .oracle import differences

BOX = '<geom type="box" size=".3 .2 .1"/>'
TWO = '<geom type="box" size=".1 .2 .3" pos=".3 0 .1" euler="20 10 5"/><geom size=".2"/>'

JOINTS = {
    "hinge": '<joint axis="1 2 3" pos=".1 .2 .3" ref="30" springref="-20" armature=".2"/>',
    "slide": '<joint type="slide" axis="0 2 0" ref=".3" springref=".1" margin=".01"/>',
    "ball": '<joint type="ball" pos=".1 0 0" damping="1 2 3" range="0 60"/>',
    "free": '<joint type="free" stiffness="3 2" frictionloss=".1" group="3"/>',
    "freejoint": '<freejoint group="2"/>',
    "several": '<joint type="slide"/><joint axis="1 0 0"/><joint axis="0 1 1" pos="0 0 1"/>',
    "slides": '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0" armature="1"/>',
    "limits": '<joint range="-30 40" actuatorfrcrange="-1 2" actuatorgravcomp="true"/>',
    "unlimited": '<joint range="-30 40" limited="false"/>',
    "springdamper": '<joint springdamper=".1 .5" stiffness="1 2 3" damping="4 5 6"/>',
    "solver": '<joint solreflimit=".1" solimplimit=".8 .9" solreffriction="-5 -6"/>',
    "in frames": '<frame pos="1 0 0" euler="0 30 0"><frame zaxis="1 1 0"><joint axis="1 0 0"'
    ' pos=".1 0 0"/></frame></frame>',
}

ORIENTATIONS = {
    "quat": 'quat="1 2 3 4"',
    "axisangle": 'axisangle="1 1 0 70"',
    "zaxis": 'zaxis="1 -2 3"',
    "zaxis down": 'zaxis="0 0 -1"',
    "xyaxes": 'xyaxes="1 1 0 0 1 1"',
    "euler": 'euler="10 20 30"',
    "xyaxes turned": 'xyaxes="-1 0 0 0 -1 0"',
    "xyaxes flipped": 'xyaxes="-1 0 0 0 1 0"',
    "xyaxes rolled": 'xyaxes="1 0 0 0 -1 0"',
}

INERTIAS = {
    "one geom": BOX,
    "geoms": TWO,
    "diagonal": '<inertial pos=".1 .2 .3" mass="2" diaginertia=".1 .2 .25" euler="10 0 0"/>',
    "full": '<inertial pos="0 0 1" mass="2" fullinertia=".5 .4 .3 .05 .02 -.03"/>',
    "full, equal moments": '<inertial pos="0 0 1" mass="2" fullinertia=".5 .5 .5 .1 .1 .1"/>',
    "tiny": '<inertial pos="0 0 0" mass="1e-6" fullinertia="5e-13 4e-13 3e-13 1e-13 0 0"/>',
    "in a frame": '<frame pos="1 0 0" euler="40 0 0"><inertial pos="0 0 1" mass="1"'
    ' diaginertia="1 1 1.5"/></frame>',
    "masses": '<geom size=".1" mass="2"/><geom type="capsule" size=".1 .2" density="10"/>',
    "groups": '<geom size=".1" group="1"/><geom size=".2" group="4" pos="1 0 0"/>',
    "ellipsoid": '<geom type="ellipsoid" size=".1 .2 .3"/>',
    "cylinder": '<geom type="cylinder" size=".1 .3" pos=".1 0 0"/>',
    "explicit and geoms": '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>' + TWO,
}

COMPILERS = {
    "radians": 'angle="radian"',
    "fixed axes": 'eulerseq="ZYx"',
    "align": 'alignfree="true"',
    "bounds": 'boundmass="3" boundinertia=".4"',
    "groups": 'inertiagrouprange="1 3"',
    "from geoms": 'inertiafromgeom="true"',
    "total": 'settotalmass="10"',
    "fuse": 'fusestatic="true"',
    "discard": 'discardvisual="true"',
    "all": 'fusestatic="true" discardvisual="true" alignfree="true"',
}

SHAPES = {
    "sphere": 'size=".2"',
    "capsule": 'type="capsule" size=".1 .3"',
    "cylinder": 'type="cylinder" size=".1 .3"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .3"',
    "box": 'type="box" size=".1 .2 .3"',
    "capsule fromto": 'type="capsule" size=".1" fromto="0 0 1 .1 .2 .3"',
    "box fromto": 'type="box" size=".1" fromto="0 0 0 0 0 -2"',
}

# a fixed, a free and a jointed body with every kind of thing on them
SCENE = """
<mujoco>
  <compiler {compiler}/>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <light pos="0 0 3" dir="0 1 -1" directional="true"/>
    <body name="free" pos="1 2 3" euler="10 20 30"><freejoint/>
      <geom type="box" size=".3 .2 .1" pos=".1 0 0" euler="0 0 1"/>
      <geom size=".2" contype="0" conaffinity="0" margin=".2" gap=".1" group="2"/>
      <site pos=".1 .2 .3"/>
      <body pos="0 1 0" euler="0 45 0"><geom type="capsule" size=".1 .2"/>
        <camera pos="0 1 0"/><light pos="1 0 0"/><site type="box" size=".1 .1 .1"/></body>
    </body>
    <body pos="0 0 1" gravcomp=".3"><joint axis="0 1 0"/><joint type="slide"/><geom size=".3"/>
      <body pos="1 0 0"><geom type="ellipsoid" size=".1 .2 .1" contype="0" conaffinity="0"/>
        <camera mode="targetbody" target="free" fovy="30"/>
        <body pos="0 1 0"><joint type="ball"/><geom type="cylinder" size=".1 .1" group="1"/></body>
      </body>
    </body>
    <body pos="3 0 0"><geom size=".1"/><body><freejoint/><geom size=".2"/></body></body>
  </worldbody>
</mujoco>
"""


def moving(inside: str, body: str = "") -> str:
    return (
        f'<mujoco><worldbody><body name="a" pos="1 0 2" {body}>{inside}'
        '<body pos="0 0 1"><joint/><geom size=".2"/></body></body></worldbody></mujoco>'
    )


@pytest.mark.parametrize("name", JOINTS)
def test_joints(name: str) -> None:
    """Each joint type and attribute, with a child body behind it."""
    assert differences(moving(JOINTS[name] + TWO)) == []


@pytest.mark.parametrize("name", JOINTS)
def test_joints_of_a_leaf(name: str) -> None:
    """The same joints on a body that can be simple."""
    text = f"<mujoco><worldbody><body>{JOINTS[name]}{BOX}</body></worldbody></mujoco>"
    assert differences(text) == []


@pytest.mark.parametrize("name", ORIENTATIONS)
@pytest.mark.parametrize("tag", ["body", "geom", "site", "camera", "frame", "inertial"])
def test_orientations(tag: str, name: str) -> None:
    """Every form of orientation on every element that has one."""
    value = ORIENTATIONS[name]
    inside = {
        "body": f"<body {value}>{BOX}</body>",
        "geom": BOX.replace("/>", f" {value}/>"),
        "site": f"<site {value}/>",
        "camera": f'<camera pos="1 2 3" {value}/>',
        "frame": f'<frame pos="1 0 0" {value}>{TWO}<site/><light/><camera/></frame>',
        "inertial": f'<inertial pos="0 0 0" mass="1" diaginertia="1 2 2" {value}/>',
    }[tag]
    joint = "<joint/>" if tag in ("body", "site", "camera") else "<freejoint/>"
    text = moving(joint + inside + (TWO if joint == "<joint/>" else ""))
    assert differences(text) == []


@pytest.mark.parametrize("name", INERTIAS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_inertias(name: str, compiler: str) -> None:
    """Every form of inertia under every compiler option."""
    body = f'<body pos="1 0 0" euler="1 2 3"><freejoint/>{INERTIAS[name]}</body>'
    other = '<body><joint/><geom size=".2" group="1"/></body>'
    text = (
        f"<mujoco><compiler {COMPILERS[compiler]} balanceinertia='true'/><worldbody>{body}"
        f"{other}</worldbody></mujoco>"
    )
    if compiler == "groups" and "geom" in INERTIAS[name] and "group" not in INERTIAS[name]:
        text = text.replace("<freejoint/>", "")
    assert differences(text) == []


@pytest.mark.parametrize("compiler", COMPILERS)
def test_scene(compiler: str) -> None:
    """A whole scene under every compiler option."""
    text = SCENE.format(compiler=COMPILERS[compiler])
    # without fusing, a free joint stays where it is not allowed; groups leave bodies massless
    if "fuse" not in COMPILERS[compiler]:
        text = text.replace('<body><freejoint/><geom size=".2"/></body></body>', "</body>")
    if compiler == "groups":
        text = (
            text.replace("<geom ", '<geom group="1" ')
            .replace(' group="1"/>', "/>")
            .replace(' group="2"', "")
        )
    if compiler == "from geoms":
        text = text.replace(' contype="0" conaffinity="0"', "")
    assert differences(text) == []


@pytest.mark.parametrize("shell", ["false", "true"])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name: str, shell: str) -> None:
    """Volume, inertia, bounds and fluid coefficients of solids and shells."""
    geom = f'<geom {SHAPES[name]} shellinertia="{shell}" fluidshape="ellipsoid" fluidcoef="1 2"/>'
    assert differences(moving(f"<freejoint/>{geom}")) == []


def test_defaults_fill_the_tail_of_lists() -> None:
    """Numbers that are not given come from the class, an orientation replaces any other."""
    assert (
        differences("""
      <mujoco><default><geom size=".1 .2 .3" euler="90 0 0" friction="2 3 4" solimp=".5 .6"/>
        <joint damping="1 2 3" range="0 30"/></default>
      <worldbody><body><joint damping="4"/><joint type="slide" axis="1 0 0" range="-1 1"/>
        <geom size=".4" quat="1 0 0 1"/><geom type="box" friction="1" pos="1 0 0"/></body>
      </worldbody></mujoco>""")
        == []
    )


def test_custom_and_keyframes() -> None:
    """Numbers, texts, tuples, keyframes with free, ball and mocap bodies, user data."""
    assert (
        differences("""
      <mujoco><size nuserdata="3" nkey="4" nuser_geom="3"/><worldbody>
        <body name="b" user="1 2"><freejoint/><geom name="g" size=".1" user="1"/></body>
        <body><joint type="ball"/><geom size=".1"/><camera user="7"/><site user="1 2 3"/></body>
        <body mocap="true" pos="1 2 3" quat="1 1 0 0"/><body mocap="true"><geom size=".1"/></body>
      </worldbody>
      <custom><numeric name="n" size="5" data="1 2"/><text name="t" data="two words"/>
        <tuple name="u"><element objtype="geom" objname="g" prm="2"/>
          <element objtype="xbody" objname="b"/></tuple></custom>
      <keyframe><key time="2" qpos="1 2 3 2 0 0 0 0 0 0 0"/>
        <key name="k" qvel="1 2 3 4 5 6 7 8 9" mpos="1 2 3 4 5 6" mquat="1 0 1 0 0 3 0 4"/>
      </keyframe></mujoco>""")
        == []
    )


def test_cameras_and_lights() -> None:
    """Lenses in lengths and pixels, modes and targets, light types."""
    assert (
        differences("""
      <mujoco><statistic extent="3" center="1 2 3"/><visual><map znear=".02"/></visual><worldbody>
        <camera sensorsize=".1 .2" resolution="100 200" focalpixel="30 40" principal=".01 .02"/>
        <camera output="rgb depth" projection="orthographic" ipd=".1"/>
        <light type="point" attenuation="1 2 3" range="5" softness=".7" castshadow="false"/>
        <body name="t" pos="1 1 1"><freejoint/><geom size=".1" pos=".1 0 0"/>
          <camera mode="trackcom" pos="1 0 0"/><light mode="track" dir="1 0 0" pos="0 1 0"/></body>
        <body><camera mode="targetbodycom" target="t" pos="0 0 3" fovy="60"/>
          <light mode="targetbody" target="t"/></body>
      </worldbody></mujoco>""")
        == []
    )


def test_options_and_flags() -> None:
    """002-M5: options by name, flags as bits."""
    assert (
        differences("""
      <mujoco><option timestep=".01" integrator="implicitfast" cone="elliptic" solver="CG"
        gravity="1 2 3" o_solref=".1" iterations="7" actuatorgroupdisable="1 3">
        <flag contact="disable" energy="enable" sleep="enable" island="disable"/></option>
      </mujoco>""")
        == []
    )


def test_branching_tree_with_static_bodies() -> None:
    """Sparsity of M, B and D with simple bodies and bodies welded to others."""
    arm = '<body pos="0 0 .3"><joint axis="0 1 0"/><geom size=".1"/>{}</body>'
    static = '<body pos="0 .1 0"><geom size=".05"/>{}</body>'
    leaf = arm.format("")
    tree = arm.format(leaf + static.format(leaf) + arm.format(static.format("")))
    loose = '<body><freejoint/><geom size=".1"/></body>'
    assert (
        differences(
            f"<mujoco><worldbody>{loose}{tree}{static.format(tree + static.format(tree))}{loose}"
            f"{static.format(leaf)}</worldbody></mujoco>"
        )
        == []
    )


@pytest.mark.parametrize("seed", range(60))
def test_random_models(seed: int) -> None:
    """Random models of the project's generator."""
    assert differences(smooth_model(10_000 + seed)) == []


def test_fields_of_view_of_sensors() -> None:
    """Fields of view from sensors are MuJoCo's but for a unit of single precision."""
    sizes = np.random.default_rng(0).uniform(0.01, 1, (200, 4))
    cameras = "".join(
        f'<camera sensorsize="{a} {b}" focal="{c} {d}" resolution="100 100"/>'
        for a, b, c, d in sizes
    )
    assert differences(f"<mujoco><worldbody>{cameras}</worldbody></mujoco>") == []
