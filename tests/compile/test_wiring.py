"""Contact pairs, excludes, equalities and tendons compile to MuJoCo's arrays."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compile.constants.reference_kinematics import ReferenceKinematics

from .oracle import compiled, differences, mujoco

WORLD = """<worldbody><geom name="floor" type="plane" size="1 1 1"/><site name="w" pos="0 0 .2"/>
<geom name="ball" type="sphere" size=".2" pos=".3 0 .5"/><site name="beside" pos=".3 .4 .5"/>
<site name="within" pos=".31 .02 .5"/>
<body name="a" pos="0 0 1" euler="10 20 30"><joint name="ja" type="slide" springref=".3"/>
  <joint name="ja2" type="slide" axis="1 0 0"/>
  <geom name="ga" size=".1" adhesion="2"/><site name="sa"/></body>
<body name="b" pos="1 0 1"><joint name="jb" type="ball"/>
  <geom name="gb" type="cylinder" size=".1 .2" contype="0" conaffinity="0" pos=".5 .1 0"/>
  <site name="sb" pos=".1 .3 .2"/>
  <body name="c" pos="1 0 0"><joint name="jc" ref="20" springref="-10"/><geom name="gc" size=".1"/>
    <site name="sc"/></body></body>
<body name="f" pos="2 0 0"><freejoint/><geom name="gf" size=".1"/>
  <site name="sf" pos="0 1 0"/></body>
<body name="st" pos="3 0 0" euler="0 40 0"><geom size=".1" name="gs"/><site name="ss"/></body>
</worldbody>"""

CONTACTS = {
    "pair": '<pair geom1="ga" geom2="gb"/>',
    "order": '<pair name="p" geom1="gf" geom2="gc"/><pair name="q" geom1="gb" geom2="ga"/>'
    '<pair name="r" geom1="gc" geom2="floor"/><pair name="s" geom1="ga" geom2="gb"/>',
    "numbers": '<pair geom1="ga" geom2="gb" condim="6" friction="1 2 3" solref=".1" gap=".3"'
    ' solreffriction="-1 -2" solimp=".5 .6 .7 .8" margin=".2" adhesion="4"/>',
    "one body": '<pair geom1="ga" geom2="ga"/>',
    "excludes": '<exclude name="x" body1="f" body2="a"/><exclude body1="world" body2="st"/>'
    '<exclude name="y" body1="a" body2="b"/>',
}
EQUALITIES = {
    "connect": '<connect body1="a" body2="c" anchor=".1 .2 .3"/>'
    '<connect body1="b" anchor="1 0 0"/>',
    "connect sites": '<connect name="x" site1="sa" site2="sb" active="false"/>',
    "weld": '<weld body1="a" body2="f"/><weld body1="st" body2="c" anchor="1 2 3"/>',
    "weld to the world": '<weld body1="c" torquescale=".4"/><weld body1="world" body2="a"/>',
    "weld with pose": '<weld body1="a" body2="b" relpose="1 2 3 4 3 2 1" anchor="0 1 0"/>'
    '<weld body1="a" relpose="1 2 3 0 0 0 0"/>',
    "weld sites": '<weld site1="sa" site2="sc" solref=".1" solimp=".5"/>',
    "joint": '<joint joint1="ja" joint2="jc" polycoef="1 2 3"/><joint name="j" joint1="jc"/>',
    "tendon": '<tendon tendon1="t1" tendon2="t2"/><tendon tendon1="t2" polycoef="1"/>',
}
SITES = '<site site="sa"/><site site="sb"/>'
TENDONS = {
    "straight": f"<spatial>{SITES}<site site='w'/></spatial>",
    "numbers": '<spatial group="2" range="0 1" actuatorfrcrange="-1 2" solreflimit=".1"'
    ' solimplimit=".5 .6" solreffriction="-3 -4" solimpfriction=".1" frictionloss=".1" margin=".2"'
    ' stiffness="1 2" damping="3 4 5" width=".1" rgba="1 0 0 .5" user="1 2 3"'
    f' springlength=".5">{SITES}</spatial>',
    "switches": f'<spatial limited="false" range="0 1" actuatorfrclimited="true"'
    f' actuatorfrcrange="-1 0">{SITES}</spatial><spatial limited="true" range="1 2">{SITES}'
    "</spatial>",
    "rest lengths": f'<spatial springlength="-1">{SITES}</spatial><spatial springlength="-.5 2">'
    f'{SITES}</spatial><spatial springlength="-1 3">{SITES}</spatial>',
    "sphere": '<spatial><site site="w"/><geom geom="ball"/><site site="sb"/></spatial>',
    "cylinder": '<spatial><site site="sc"/><geom geom="gb"/><site site="w"/></spatial>',
    "side": '<spatial><site site="w"/><geom geom="ball" sidesite="beside"/><site site="sb"/>'
    '<geom geom="gb" sidesite="beside"/><site site="sa"/></spatial>',
    "inside": '<spatial><site site="sa"/><geom geom="ball" sidesite="within"/><site site="sb"/>'
    "</spatial>",
    "pulleys": f'<spatial><pulley divisor="2"/>{SITES}<pulley divisor="3"/><site site="sc"/>'
    '<geom geom="ball"/><site site="w"/></spatial>',
    "fixed": '<fixed><joint joint="jc" coef="2"/><joint joint="ja" coef="-1"/></fixed>',
    "fixed with numbers": '<fixed range="-1 1" stiffness="2" springlength=".1 .2" user="4">'
    '<joint joint="jc" coef="0"/></fixed>',
    "armature": f'<spatial armature=".3">{SITES}<site site="sc"/></spatial>',
    "armature of joints": '<fixed armature="2"><joint joint="ja" coef="1"/><joint joint="ja2"'
    ' coef="3"/></fixed>',
    "three trees": '<spatial><site site="sa"/><site site="sb"/><site site="sf"/></spatial>',
    "spring of two trees": f'<spatial damping="0 1">{SITES}</spatial>',
    "no dofs": '<spatial><site site="ss"/><site site="w"/></spatial>',
}
COMPILERS = ("", "<compiler fusestatic='true'/>", "<compiler discardvisual='true'/>")


def model(sections: str, head: str = "") -> str:
    """A document with these sections around the tree."""
    return f"<mujoco>{head}{WORLD}{sections}</mujoco>"


TWO_TENDONS = (
    f'<tendon><spatial name="t1">{SITES}</spatial><fixed name="t2"><joint joint="ja" coef="1"/>'
    "</fixed></tendon>"
)


@pytest.mark.oracle
@pytest.mark.parametrize("name", CONTACTS)
@pytest.mark.parametrize("head", COMPILERS)
def test_contacts(name: str, head: str) -> None:
    assert differences(model(f"<contact>{CONTACTS[name]}</contact>", head)) == []


@pytest.mark.oracle
@pytest.mark.parametrize("name", EQUALITIES)
@pytest.mark.parametrize("head", COMPILERS[:2])
def test_equalities(name: str, head: str) -> None:
    text = model(f"{TWO_TENDONS}<equality>{EQUALITIES[name]}</equality>", head)
    assert differences(text) == []


@pytest.mark.oracle
@pytest.mark.parametrize("name", TENDONS)
@pytest.mark.parametrize("head", COMPILERS)
def test_tendons(name: str, head: str) -> None:
    assert differences(model(f"<tendon>{TENDONS[name]}</tendon>", head)) == []


@pytest.mark.oracle
def test_default_classes() -> None:
    head = (
        '<default><pair condim="4" friction="2 3"/><equality active="false" solref=".1"/>'
        '<tendon springlength=".5" width=".2" armature=".1" range="0 1" rgba="1 1 0 1" user="1 2"/>'
        '<default class="other"><pair friction="5"/><equality solref=".3 .4"/>'
        '<tendon springlength=".1 .2" solreflimit=".9" actuatorfrcrange="-1 1"/></default>'
        "</default>"
    )
    sections = (
        '<contact><pair geom1="ga" geom2="gb"/><pair class="other" geom1="gc" geom2="ga"/>'
        "</contact>"
        '<equality><weld body1="a"/><weld class="other" body1="c" solref=".7"/></equality>'
        f'<tendon><spatial>{SITES}</spatial><fixed class="other"><joint joint="ja" coef="1"/>'
        f'</fixed><spatial class="other" springlength="2" user="9">{SITES}</spatial></tendon>'
        '<size nuser_tendon="4"/>'
    )
    assert differences(model(sections, head)) == []


REPLICAS = """<worldbody><geom name="floor" type="plane" size="1 1 1"/><site name="w"/>
<replicate count="2" sep="-" offset="1 0 0"><body name="o"><joint name="jo"/>
  <geom name="go" size=".2"/><site name="so" pos=".1 0 0"/>
  <replicate count="3" sep="x" euler="0 0 20"><body name="i" pos=".5 0 0"><joint name="ji"/>
    <geom name="gi" size=".1"/><site name="si" pos=".3 0 0"/></body></replicate>
</body></replicate></worldbody>"""


@pytest.mark.oracle
@pytest.mark.parametrize(
    "sections",
    [
        '<contact><pair geom1="floor" geom2="gi"/><pair name="p" geom1="go" geom2="floor"/>'
        '<exclude name="e" body1="world" body2="i"/><exclude body1="o" body2="i"/></contact>',
        '<equality><joint joint1="ji"/><weld name="x" body1="o"/><joint joint1="jo"/></equality>',
        '<tendon><fixed name="f"><joint joint="jo" coef="2"/></fixed><spatial name="s"><site'
        ' site="si"/><site site="w"/></spatial></tendon><equality><tendon tendon1="f"/>'
        '<tendon tendon1="s" name="es"/></equality><custom><tuple name="t"><element'
        ' objtype="tendon" objname="s"/></tuple><tuple name="u"><element objtype="equality"'
        ' objname="es"/></tuple></custom>',
    ],
)
def test_replicas(sections: str) -> None:
    assert differences(f"<mujoco>{REPLICAS}{sections}</mujoco>") == []


# ---------------------------------------------------------------------- paths


def wrapped_model(rng: np.random.Generator) -> str:
    """Tendons around spheres and cylinders, with side sites outside, inside or absent."""

    def at(size: float) -> str:
        return " ".join(f"{x:.17g}" for x in rng.normal(size=3) * size)

    def shape() -> str:
        kind = rng.choice(["sphere", "cylinder"])
        return f'type="{kind}" size="{rng.uniform(0.05, 0.4):.3g} .3" pos="{at(0.2)}"'

    def around(name: str) -> str:
        side = rng.choice(["", 'sidesite="side"', 'sidesite="in"'])
        return f'<geom geom="{name}" {side}/>'

    return f"""<mujoco><option><flag contact="disable"/></option><worldbody>
    <site name="w" pos="{at(0.5)}"/><geom name="gw" {shape()} euler="{at(50)}"/>
    <site name="side" pos="{at(0.6)}"/><site name="in" pos="{at(0.05)}"/>
    <body pos="{at(0.5)}" euler="{at(50)}"><freejoint/><geom name="ga" {shape()}/>
      <site name="sa" pos="{at(0.6)}"/>
      <body pos="{at(0.5)}"><joint name="h" axis="{at(1)}" pos="{at(0.1)}" springref="30"/>
        <geom name="gb" {shape()}/><site name="sb" pos="{at(0.6)}"/>
        <body pos="{at(0.5)}"><joint type="slide" name="s"/><joint type="ball" pos="{at(0.1)}"/>
          <geom size=".1" pos="{at(0.1)}"/><site name="sc" pos="{at(0.6)}"/></body></body></body>
    </worldbody><tendon>
    <spatial><site site="w"/>{around("gw")}<site site="sa"/>{around("ga")}<site site="sb"/>
    </spatial>
    <spatial><site site="sa"/>{around("gb")}<site site="sc"/><pulley divisor="2.5"/>
      <site site="sc"/>{around("gw")}<site site="w"/></spatial>
    <spatial><site site="w"/>{around("gw")}<site site="side"/></spatial>
    <fixed><joint joint="s" coef=".3"/><joint joint="h" coef="-2"/></fixed></tendon></mujoco>"""


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(12))
def test_lengths_at_random_states(seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = wrapped_model(rng)
    assert differences(text) == []
    arrays, theirs = compiled(text).arrays, mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(theirs)
    for _ in range(10):
        data.qpos[:] = theirs.qpos0
        mujoco.mj_integratePos(theirs, data.qpos, rng.normal(size=theirs.nv), 1.0)
        mujoco.mj_forward(theirs, data)
        placed = ReferenceKinematics(arrays, data.qpos.copy())
        placed.add_tendons(arrays)
        np.testing.assert_allclose(placed.ten_length, data.ten_length, rtol=0, atol=1e-11)


# ---------------------------------------------------------------------- in the engine


def load(masks: str, sections: str, flags: str = "") -> cf.Model:
    """Two free bodies with one geom each."""
    bodies = "".join(
        f'<body name="{name}"><freejoint/><geom name="g{name}" size=".1" {masks}/></body>'
        for name in "ab"
    )
    return cf.Model.from_mjcf(
        f"<mujoco><option><flag {flags}/></option><worldbody>{bodies}</worldbody>{sections}"
        "</mujoco>"
    )


def test_excluded_bodies_have_no_contacts() -> None:
    assert load("", "").constraining
    model = load("", '<contact><exclude body1="b" body2="a"/></contact>')
    assert not model.constraining
    model.make_data().step()


def test_a_pair_has_contacts_whatever_the_masks_say() -> None:
    masks = 'contype="0" conaffinity="0"'
    assert not load(masks, "").constraining
    assert load(masks, '<contact><pair geom1="ga" geom2="gb"/></contact>').constraining


def test_equalities_can_be_switched_off() -> None:
    held = '<equality><weld body1="a" body2="b"/></equality>'
    masks = 'contype="0" conaffinity="0"'
    assert load(masks, held).constraining
    model = load(masks, held, 'equality="disable"')
    assert not model.constraining
    model.make_data().step()


def test_access_by_name() -> None:
    model = cf.Model.from_mjcf(
        f"<mujoco>{WORLD}{TWO_TENDONS}<equality><weld name='e' body1='a'/></equality>"
        "<contact><pair name='p' geom1='ga' geom2='gb'/><exclude name='x' body1='a' body2='b'/>"
        "</contact></mujoco>"
    )
    assert model.tendon("t1").length0 == model.tendon_length0[0]
    assert model.equality("e").obj1id == model.id_of("body", "a")
    assert model.pair("p").dim == 3
    assert model.exclude("x").signature == (1 << 16) + 2
    model.tendon("t2").stiffness = 5
    assert model.tendon_stiffness[1] == 5
