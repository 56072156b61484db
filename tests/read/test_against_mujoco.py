"""Reading and refusing, held against MuJoCo on many snippets and on the public models."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

ROOT = Path(__file__).resolve().parents[2]
MODELS = Path(os.environ.get("CORTENFORGE_MODELS", ROOT.parent / "shared" / "models"))
INDEX = MODELS / "index.json"


def world(text: str) -> str:
    return f"<mujoco><worldbody>{text}</worldbody></mujoco>"


def section(text: str) -> str:
    return f"<mujoco>{text}<worldbody/></mujoco>"


def geom(attributes: str) -> str:
    return world(f'<geom size="1" {attributes}/>')


def joint(attributes: str) -> str:
    return world(f'<body><joint {attributes}/><geom size="1"/></body>')


# snippets on which the reader alone decides, as MuJoCo's reader does
SNIPPETS = [
    "<mujoco/>",
    "<MUJOCO/>",
    '<mujoco model="a"/>',
    '<mujoco name="a"/>',
    "<mujoco><body></mujoco>",
    *map(
        geom,
        [
            'pos="1 2 3"',
            'pos="1 2"',
            'pos="1 2 3 4"',
            'pos=""',
            'pos=" 1 2 3 "',
            'pos="1_0 0 0"',
            'pos="0x10 0 0"',
            'pos="1,2,3"',
            'pos="1e400 0 0"',
            'pos="1e-400 0 0"',
            'pos="1. .5 +2"',
            'pos="--1 0 0"',
            'pos="1d5 0 0"',
            'pos="a b c"',
            'group="1"',
            'group="1.0"',
            'group=""',
            'group="-1"',
            'group="99999999999"',
            'group="0x1"',
            'group="1 2"',
            'rgba="1 1 1 1"',
            'rgba="1 1 1"',
            'rgba="1e39 0 0 1"',
            'friction="1"',
            'friction="1 1 1"',
            'friction="1 1 1 1"',
            'type="sphere"',
            'type=""',
            'type="Sphere"',
            'name=""',
            'class=""',
            'class="main"',
            'class="none"',
            'quat="0 0 0 0"',
            'quat="1 0 0 0"',
            'quat="1 0 0"',
            'quat="1 0 0 0" euler="0 0 0"',
            'euler="1 2 3" zaxis="0 0 1"',
            'shellinertia="true"',
            'shellinertia="True"',
            'shellinertia="1"',
            'solref="1"',
            'solref="1 2 3"',
            'solimp="0.9 0.95 0.001 0.5 2"',
            'solimp="1 1 1 1 1 1"',
            'castshadow="false"',
            'fluidshape="ellipsoid"',
            'fluidshape="box"',
            'fluidcoef="1 2"',
            'surfacevel="1 0 0"',
            'adhesion="1"',
            'priority="3"',
            'gap="1"',
            'user="1 2 3"',
            'user=""',
            'contype="-1"',
            'foo="1"',
            'margin="0x1p3"',
            'margin="1.5e"',
            'fitscale="2"',
            'mocap="true"',
        ],
    ),
    *map(
        joint,
        [
            'type="ball"',
            'type="Hinge"',
            'axis="0 1"',
            'stiffness="1"',
            'stiffness="1 2 3"',
            'stiffness="1 2 3 4"',
            'damping="1 2"',
            'springdamper="1"',
            'springdamper="1 1"',
            'limited="auto"',
            'limited="maybe"',
            'actuatorgravcomp="true"',
            'actuatorfrcrange="0 1"',
            'align="true"',
            'ref="1" springref="2"',
            'armature="a"',
            'solreflimit="1 1"',
            'actuatorfrclimited="false"',
            'user="1"',
            'springlength="1"',
        ],
    ),
    *map(
        world,
        [
            "<site/>",
            '<site size="1 2"/>',
            '<site group="1" rgba="1 1 1 1"/>',
            '<site mass="1"/>',
            "<camera/>",
            '<camera output="rgb depth"/>',
            '<camera output="rgb rgb"/>',
            '<camera output="x"/>',
            '<camera output=""/>',
            '<camera resolution="1 1.5"/>',
            '<camera fovy="30" sensorsize="1 1"/>',
            '<camera projection="orthographic"/>',
            '<camera mode="follow"/>',
            "<light/>",
            '<light directional="true"/>',
            '<light directional="true" type="spot"/>',
            '<light type="point"/>',
            '<light type="sun"/>',
            '<light type="image"/>',
            '<light range="1" bulbradius="2" intensity="3"/>',
            "<body/>",
            '<body class="main"/>',
            '<body childclass="main"/>',
            '<body childclass="x"/>',
            '<body sleep="sometimes"/>',
            '<body simple="false"/>',
            '<body simple="true"/>',
            '<body fuse="false"/>',
            '<body fuse="true"/>',
            '<body mocap="1"/>',
            '<body gravcomp="1"/>',
            '<body name="world"/>',
            '<body name="a"/><body name="a"/>',
            '<body name="a"/><frame name="a"/>',
            '<frame name="a"/><frame name="a"/>',
            "<frame/>",
            '<frame quat="0 0 0 0"/>',
            '<frame childclass="x"/>',
            "<joint/>",
            "<freejoint/>",
            '<inertial pos="0 0 0" mass="1"/>',
            "<frame><joint/></frame>",
            "<worldbody/>",
            "<key/>",
            "<boddy/>",
            '<geom size="1"><site/></geom>',
            "<replicate/>",
            '<replicate count="2"/>',
            '<replicate count="2.5"/>',
            '<replicate count="2" offset="1 2"/>',
            '<replicate count="2"><joint/></replicate>',
            '<replicate count="2"><freejoint/></replicate>',
            '<replicate count="2" childclass="x"/>',
            '<body name="a0"/><replicate count="2"><body name="a"/></replicate>',
            '<body><freejoint align="auto"/><geom size="1"/></body>',
            '<body><freejoint align="yes"/><geom size="1"/></body>',
            '<body><freejoint class="main"/><geom size="1"/></body>',
            '<body><inertial mass="1"/></body>',
            '<body><inertial pos="0 0 0"/></body>',
            '<body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" quat="1 0 0 0"/>'
            "</body>",
            '<body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"/></body>',
            '<body><inertial pos="0 0 0" mass="1"/><inertial pos="0 0 0" mass="1"/></body>',
        ],
    ),
    *map(
        section,
        [
            "<default/>",
            '<default class="main"/>',
            '<default class="x"/>',
            '<default class=""/>',
            "<default><default/></default>",
            '<default><default class="a"/></default>',
            '<default><default class="a"/><default class="a"/></default>',
            '<default><default class="main"/></default>',
            '<default><geom name="x"/></default>',
            "<default><geom/><geom/></default>",
            "<default><freejoint/></default>",
            "<default><body/></default>",
            '<default><camera target="x"/></default>',
            '<default><geom class="x"/></default>',
            "<default/><default/>",
            '<default><light directional="true" type="spot"/></default>',
            "<option/><option/>",
            "<option><flag/><flag/></option>",
            "<option><option/></option>",
            '<option integrator="RK4"/>',
            '<option integrator="rk4"/>',
            '<option integrator="discrete"/>',
            '<option solver="PGS"/>',
            '<option cone="elliptic"/>',
            '<option jacobian="sparse"/>',
            '<option gravity="0 0"/>',
            '<option o_friction="1 2 3"/>',
            '<option iterations="1.5"/>',
            '<option actuatorgroupdisable="0 30"/>',
            '<option actuatorgroupdisable="31"/>',
            '<option actuatorgroupdisable="-1"/>',
            '<option><flag gravity="true"/></option>',
            '<option><flag ipc="disable" speculative="enable" diagexact="disable"/></option>',
            '<option><flag passive="disable"/></option>',
            "<compiler/>",
            '<compiler eulerseq="xy"/>',
            '<compiler eulerseq="xYz"/>',
            '<compiler angle="deg"/>',
            '<compiler coordinate="global"/>',
            '<compiler coordinate="local"/>',
            '<compiler inertiagrouprange="0 3"/>',
            '<compiler inertiagrouprange="0"/>',
            '<compiler passthrough="textures"/>',
            '<compiler savecanonical="false" savecompiled="false"/>',
            '<compiler conflict="merge"/>',
            '<compiler conflict="none"/>',
            "<compiler><lengthrange/><lengthrange/></compiler>",
            '<compiler><lengthrange mode="all"/></compiler>',
            '<compiler convexhull="true"/>',
            '<size memory="1K"/>',
            '<size memory="1Q"/>',
            '<size memory="-1"/>',
            '<size memory="1.5M"/>',
            '<size memory="1 K"/>',
            '<size memory="1K" njmax="3"/>',
            '<size njmax="-2"/>',
            '<size nconmax="5"/>',
            '<size nkey="2"/>',
            '<size nuserdata="3"/>',
            '<size nuser_body="2"/>',
            '<size nuser_body="-2"/>',
            '<statistic extent="0"/>',
            '<statistic extent="1"/>',
            '<statistic center="0 0"/>',
            '<visual><map znear="0"/></visual>',
            '<visual><map znear="1"/></visual>',
            "<visual><map/><map/></visual>",
            "<visual/><visual/>",
            '<visual><global realtime="0"/></visual>',
            '<visual><global offwidth="1.5"/></visual>',
            '<visual><rgba fog="1 1 1"/></visual>',
            '<visual><rgba contactgap="1 1 1 1"/></visual>',
            '<visual><scale frustum="1"/></visual>',
            '<visual><headlight active="1"/></visual>',
            "<visual><foo/></visual>",
            '<visual><quality shadowsize="1"/></visual>',
            '<custom><numeric name="a"/></custom>',
            '<custom><numeric name="a" size="2"/></custom>',
            '<custom><numeric name="a" size="0"/></custom>',
            '<custom><numeric data="1"/></custom>',
            '<custom><numeric name="a" size="1" data="1 2"/></custom>',
            '<custom><text name="a" data="x"/></custom>',
            '<custom><text name="a" data=""/></custom>',
            '<custom><text name="a"/></custom>',
            '<custom><text name="a">x</text></custom>',
            '<custom><text name="a"><![CDATA[x]]></text></custom>',
            '<custom><text name="a" data="x"/><text name="a" data="x"/></custom>',
            '<custom><tuple name="a"/></custom>',
            '<custom><tuple name="a"><element objtype="x" objname="y"/></tuple></custom>',
            '<custom><tuple name="a"><element objtype="body" objname="world"/></tuple></custom>',
            '<custom><tuple name="a"><element objtype="body"/></tuple></custom>',
            "<keyframe/>",
            '<keyframe><key name="a"/><key name="a"/></keyframe>',
            '<keyframe><key time="a"/></keyframe>',
            '<keyframe><key foo="1"/></keyframe>',
            "<asset/>",
            "<contact/>",
            "<sensor><foo/></sensor>",
            '<worldbody name="x"/>',
            "<foo/>",
        ],
    ),
]

# where we refuse on purpose what MuJoCo takes
STRICTER = [
    ("document type", "<!DOCTYPE mujoco><mujoco/>"),
    ("two roots", "<mujoco/><mujoco/>"),
    ("not a number", geom('pos="nan 0 0"')),
    ("infinite", geom('pos="inf 0 0"')),
    ("spelt infinity", geom('pos="infinity 0 0"')),
    ("huge", geom('pos="1e200 0 0"')),
    ("euler sequence", section('<compiler eulerseq="xyq"/>')),
    ("tree outside the world", section("<frame/>")),
    ("attribute without meaning", world('<replicate count="2" pos="0 0 1"/>')),
    ("replicate of none", world('<replicate count="0"/>')),
    ("include with an attribute", '<mujoco><include file="a" prefix="b"/></mujoco>'),
]


def accepted_by_mujoco(text: str) -> bool:
    mujoco = pytest.importorskip("mujoco")
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return False
    return True


def accepted(text: str) -> bool:
    try:
        read_mjcf(text)
    except MjcfError:
        return False
    return True


@pytest.mark.oracle
@pytest.mark.parametrize("text", SNIPPETS)
def test_accepts_and_refuses_what_mujoco_does(text) -> None:
    assert accepted(text) == accepted_by_mujoco(text)


@pytest.mark.parametrize(("label", "text"), STRICTER, ids=[label for label, _ in STRICTER])
def test_stricter_than_mujoco_on_purpose(label, text) -> None:
    assert not accepted(text)


def listed_models() -> list[str]:
    if not INDEX.exists():
        return []
    return [entry["path"] for entry in json.loads(INDEX.read_text(encoding="utf-8"))]


@pytest.mark.skipif(not INDEX.exists(), reason="needs the folder of public models")
@pytest.mark.parametrize("path", listed_models())
def test_public_models_are_read_or_refused_as_not_yet_supported(path) -> None:
    try:
        spec = read_mjcf(MODELS / path)
    except MjcfError as refused:
        assert "not supported yet" in str(refused)
        assert refused.line > 0 and refused.element
    else:
        assert spec.worldbody.children


@pytest.mark.skipif(not INDEX.exists(), reason="needs the folder of public models")
def test_files_that_are_no_models_never_crash() -> None:
    """Parts of models and models of other versions: a spec or an `MjcfError`, nothing else."""
    listed = set(listed_models())
    for path in sorted(MODELS.rglob("*.xml")):
        if str(path.relative_to(MODELS)) not in listed:
            accepted(str(path))
