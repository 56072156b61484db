"""Actuators: every element, attribute and transmission, against MuJoCo."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import cortenforge as cf

from .oracle import compiled, differences, mujoco

GEOM = 'contype="0" conaffinity="0"'
WORLD = f"""
<worldbody>
  <body name="b"><joint name="ball" type="ball"/>
    <geom size=".1 .2 .3" type="ellipsoid" pos=".1 .2 .3" {GEOM}/>
    <site name="s" pos="1 0 0" euler="10 20 30"/>
    <body pos="0 0 1" euler="30 40 50"><joint name="h" axis="1 2 3" range="-30 50" ref="20"/>
      <geom size=".1 .2" type="capsule" pos=".1 0 .2" {GEOM}/>
      <site name="t" pos="1 2 0" euler="50 20 30"/></body></body>
  <body name="f" euler="20 30 40"><freejoint name="free"/><geom type="box" size=".1 .2 .3" {GEOM}/>
    <site name="fs" pos=".1 .2 .3" euler="20 50 80"/></body>
  <site name="w" pos="3 2 1" euler="1 2 3"/>
  <body name="r" pos="1 1 1"><joint name="sl" type="slide" range="0 2"/><geom size=".1" {GEOM}/>
    <site name="cs"/><body><joint name="sl2" type="slide" axis="1 1 1"/>
      <geom size=".1" pos=".1 .2 .3" {GEOM}/><site name="cs2" pos=".2 .3 .4"/></body></body>
</worldbody>"""


def model(actuators: str, more: str = "") -> str:
    """A model with a few joints and sites, and actuators on them."""
    return f"<mujoco>{more}{WORLD}<actuator>{actuators}</actuator></mujoco>"


TRANSMISSIONS = {
    "hinge": '<motor joint="h" gear="3"/>',
    "hinge in parent": '<position jointinparent="h" dampratio="2"/>',
    "ball": '<motor joint="ball" gear="1 2 3 4 5 6"/>',
    "ball in parent": '<motor jointinparent="ball" gear="1 2 3"/>',
    "free": '<motor joint="free" gear="1 2 3 4 5 6"/>',
    "free in parent": '<motor jointinparent="free" gear="1 2 3 4 5 6"/>',
    "site": '<motor site="t" gear="1 2 3 4 5 6"/>',
    "site and ancestor": '<motor site="t" refsite="s" gear="1 2 3 4 5 6"/>',
    "site and other tree": '<motor site="t" refsite="fs" gear="1 2 3 4 5 6"/>',
    "site of the world": '<motor site="w" refsite="t" gear="1 2 3 0 0 0"/>',
    "rotation of a site": '<motor site="fs" refsite="w" gear="0 0 0 1 2 3"/>',
    "site and itself": '<motor site="t" refsite="t"/>',
    "crank": '<general cranksite="t" slidersite="w" cranklength="10" gear="2"/>',
    "crank of one tree": '<general cranksite="cs2" slidersite="cs" cranklength="1" gear="2"/>',
    "crank out of reach": '<general cranksite="t" slidersite="fs" cranklength=".1"/>',
    "crank and ancestor": '<general cranksite="t" slidersite="s" cranklength="5"/>',
    "body": '<adhesion body="f" gain="3" ctrlrange="0 1"/>',
    "orientation": '<orientation joint="ball" dampratio="1" kp="3" forcerange="0 4"/>',
    "orientation of a site": '<orientation site="t" refsite="s" dampratio="1" input="quat"/>',
    "nothing that moves": '<position site="w" dampratio="1"/>',
}

KINDS = {
    "general": '<general joint="h"/>',
    "affine": '<general joint="h" gaintype="affine" gainprm="0 0 -5" biastype="none" '
    'ctrllimited="true" ctrlrange="0 1"/>',
    "filter": '<general joint="h" dyntype="filter" dynprm="0.05"/>',
    "user": '<general joint="h" dyntype="user" actdim="4" actrange="0 1" gaintype="user" '
    'biastype="user"/><general joint="h" dyntype="filter" actearly="true"/>',
    "input": '<general joint="h" input="pressure"/>',
    "orientation in general": '<general joint="ball" gainprm="5" biasprm="0 -5 1" gaintype="so3" '
    'biastype="so3" dyntype="integrator"/>',
    "range of the joint": '<position joint="h" inheritrange=".5" timeconst=".1"/>',
    "range in general": '<general joint="sl" inheritrange="1" biastype="affine" biasprm="0 -1"/>',
    "critical": '<position joint="sl" inheritrange="1" dampratio="1" kp="5"/>',
    "velocity": '<velocity joint="h" kv="3" ctrlrange="-1 1"/>',
    "intvelocity": '<intvelocity joint="h" inheritrange=".5" dampratio=".3"/>',
    "pid": '<pid joint="h" kp="3" ki="2" imax="4" slewmax="1" input="pos vel ff" velrange="-1 1" '
    'inheritrange="1" nsample="5"/>',
    "pid without position": '<pid site="t" refsite="w" dampratio="1" input="ff" ffrange="-1 1"/>',
    "damper": '<damper joint="h" kv="2" ctrlrange="0 1"/>',
    "cylinder": '<cylinder joint="sl" diameter=".3" bias="1 2 3" timeconst=".2"/>',
    "muscle": '<muscle joint="h" lengthrange="0 1" force="-2" tausmooth=".1"/>',
    "dcmotor": '<dcmotor joint="h" resistance="2" motorconst="3 4" saturation="1 2 3" '
    'inductance=".1" thermal="1 2 0 .1 20 30" lugre="1 2 3 4 5" controller="1 2 3 4 5 6" '
    'input="pos vel" cogging="1 2 3"/>',
    "nominal motor": '<dcmotor joint="h" nominal="12 1 100" damping=".001" saturation="0 3"/>',
    "passive motor": '<dcmotor joint="h" resistance="2" input="none"/>',
    "armature": '<motor joint="h" armature=".3" damping="1 2 3" gear="2"/>',
    "two on a joint": '<motor joint="h" armature=".3" gear="2"/>'
    '<motor joint="h" armature=".5" gear="3" damping="0 1"/>',
    "armature of a ball": '<motor joint="ball" armature="1" gear="2 3"/>',
    "user data": '<motor joint="h" user="1 2 3"/><motor joint="sl" user="2"/>',
    "history": '<general joint="h" nsample="3" interp="cubic" delay="1" group="4"/>'
    '<orientation joint="ball" input="quat" nsample="2"/>',
    "limits": '<position joint="h" kv=".1" forcerange="-1 1" ctrllimited="false" '
    'ctrlrange="-1 1"/>',
}

CASES = TRANSMISSIONS | KINDS


@pytest.mark.parametrize("case", CASES)
def test_equals_mujoco(case: str) -> None:
    assert differences(model(CASES[case])) == []


def test_all_together_with_keyframes_and_tuples() -> None:
    """Addresses of blocks; key_ctrl and key_act; names."""
    more = (
        '<keyframe><key/><key ctrl="1 2 3" act="1 2"/></keyframe>'
        '<custom><tuple name="q"><element objtype="actuator" objname="last"/></tuple></custom>'
    )
    text = model("".join(CASES.values()) + '<motor name="last" joint="h"/>', more)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert differences(text) == []
    assert compiled(model('<motor name="a" joint="h"/>')).names["actuator"] == ["a"]


DEFAULTS = {
    "same shortcut": (
        '<position kp="100" kv="10" timeconst=".1"/>',
        '<position joint="h" kp="5"/>',
    ),
    "ratio replaced": ('<position kp="100" dampratio="1"/>', '<position joint="h" kv="3"/>'),
    "other shortcut": ('<position kp="100" kv="10" ctrlrange="0 1"/>', '<motor joint="h"/>'),
    "general from shortcut": ('<position kp="100" kv="10"/>', '<general joint="h"/>'),
    "shortcut from general": ('<general gainprm="7 8"/>', '<velocity joint="h"/>'),
    "other gain": ('<general gainprm="7" gaintype="affine"/>', '<position joint="h"/>'),
    "input discarded": ('<position kp="1"/>', '<general joint="h" gaintype="affine"/>'),
    "two in a class": ('<position kp="100"/><velocity kv="3"/>', '<position joint="h"/>'),
    "ancestor": (
        '<position kp="100" kv="4"/><default class="p"><velocity ctrlrange="0 2"/></default>',
        '<position joint="h" class="p"/>',
    ),
    "partial gear": ('<motor gear="1 2 3"/>', '<position joint="ball" gear="5"/>'),
    "range then inherited": (
        '<position ctrlrange="0 1"/>',
        '<position joint="h" inheritrange="1"/>',
    ),
    "inherited then range": (
        '<position inheritrange="1"/>',
        '<position joint="h" ctrlrange="0 1"/>',
    ),
    "motor": (
        '<dcmotor resistance="2" motorconst="3" saturation="5 0 1" inductance=".1" '
        'cogging="1 2 3"/>',
        '<dcmotor joint="h" saturation="0" inductance="0" cogging="4"/>',
    ),
    "muscle": (
        '<muscle force="10" range=".7 1.1" timeconst=".02 .05"/>',
        '<muscle joint="h" lengthrange="0 1" lmin=".4" timeconst="-1 .3"/>',
    ),
    "pid": (
        '<pid kp="3" kv="4" ki="5" imax="6" slewmax="7" input="pos ff"/>',
        '<pid joint="h" ki="0" input=""/>',
    ),
    "damper": ('<damper kv="2" ctrlrange="0 1"/>', '<damper joint="h"/>'),
    "limited by a damper": ('<damper kv="2" ctrlrange="0 1"/>', '<motor joint="h"/>'),
    "cylinder": ('<cylinder diameter="2" bias="1 2 3"/>', '<cylinder joint="h" timeconst="2"/>'),
}


@pytest.mark.parametrize("case", DEFAULTS)
def test_defaults_equal_mujoco(case: str) -> None:
    """Mechanical attributes are always inherited, parameters only within one shortcut."""
    default, actuator = DEFAULTS[case]
    assert differences(model(actuator, f"<default>{default}</default>")) == []


def test_replicated_with_what_they_act_on() -> None:
    text = f"""<mujoco><worldbody>
    <replicate count="2" offset="1 0 0" sep="_"><body name="b"><joint name="j"/>
      <geom size=".1" {GEOM}/><site name="s"/></body></replicate>
    <body><joint name="k"/><geom size=".1" {GEOM}/></body></worldbody>
    <actuator><motor name="A" joint="j"/><motor name="B" joint="k"/>
      <general name="C" site="s" refsite="s"/></actuator></mujoco>"""
    assert differences(text) == []
    assert compiled(text).names["actuator"] == ["B", "A_0", "C_0", "A_1", "C_1"]


@pytest.mark.parametrize("limits", ["true", "false"])
def test_length_ranges(limits: str) -> None:
    """A given range or a joint's limits serve."""
    more = f'<compiler><lengthrange uselimit="{limits}"/></compiler>'
    assert differences(model('<muscle joint="h" lengthrange="1 2"/>', more)) == []
    if limits == "true":
        assert differences(model('<muscle joint="h" gear="2"/>', more)) == []


@pytest.mark.parametrize("mode", ["none", "muscle", "muscleuser", "all"])
def test_modes_of_length_ranges(mode: str) -> None:
    more = f'<compiler><lengthrange mode="{mode}" uselimit="true" useexisting="false"/></compiler>'
    actuators = (
        '<muscle joint="h" lengthrange="3 4"/><general joint="sl" gaintype="user"/>'
        '<motor joint="sl"/>'
    )
    assert differences(model(actuators, more)) == []


def test_fused_bodies_stay_where_actuators_need_them() -> None:
    text = f"""<mujoco><compiler fusestatic="true"/><worldbody><body name="a"><joint/>
      <geom size=".1" {GEOM}/><body name="stays"><geom size=".1" {GEOM}/></body>
      <body name="goes" pos="1 0 0"><geom size=".1" {GEOM}/><site name="s" pos="0 1 0"/></body>
    </body></worldbody><actuator><adhesion body="stays" ctrlrange="0 1"/><motor site="s"/>
    </actuator></mujoco>"""
    assert differences(text) == []


def test_all_kinds_run() -> None:
    """Adhesion, too, which acts by contacts."""
    unlimited = '<option><flag limit="disable"/></option>'
    drive = model('<motor name="drive" joint="h"/>', unlimited)
    assert cf.Model.from_mjcf(drive).supported() == []
    loaded = cf.Model.from_mjcf(model('<adhesion name="a" body="f" ctrlrange="0 1"/>', unlimited))
    assert loaded.supported() == []
    loaded.make_data().step()


def test_inertia_and_damping_of_actuators_reach_joints() -> None:
    text = model(KINDS["armature"] + KINDS["two on a joint"] + KINDS["armature of a ball"])
    reference = mujoco.MjModel.from_xml_string(text)
    theirs = mujoco.MjData(reference)
    ours = cf.Model.from_mjcf(text).make_data()
    ours.qvel[:] = theirs.qvel[:] = np.linspace(-1, 2, reference.nv)
    mujoco.mj_forward(reference, theirs)
    ours.forward(smooth_only=True)
    assert np.allclose(ours.M, theirs.M, rtol=1e-12, atol=1e-12)
    assert np.allclose(ours.qfrc_damper, theirs.qfrc_damper, rtol=1e-12, atol=1e-12)


def test_named_access() -> None:
    loaded = cf.Model.from_mjcf(
        model('<motor name="m" joint="h"/><orientation name="o" joint="ball" input="quat"/>')
    )
    data = loaded.make_data()
    assert data.ctrl.tolist() == [0, 1, 0, 0, 0]
    assert data.actuator("o").ctrl.tolist() == [1, 0, 0, 0]
    assert loaded.actuator("o").ctrlrange.shape == (4, 2)
    assert loaded.actuator("o").gear.shape == (3, 6)
    assert loaded.actuator("m").gear.tolist() == [1, 0, 0, 0, 0, 0]
    data.actuator("m").ctrl = 2.0
    assert data.ctrl[0] == 2
    data.forward(smooth_only=True)
    assert data.actuator("m").force.tolist() == [2.0]
    assert data.actuator("o").length.shape == data.actuator("o").force.shape == (3,)
