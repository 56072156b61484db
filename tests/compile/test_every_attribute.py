"""Every attribute of MuJoCo's actuators, tendons, equalities, pairs and sensors, once.

The list is MuJoCo's own schema: an attribute without a value here is an error.
"""

from __future__ import annotations

import warnings

import pytest

from tests.grammar.test_schema import PLACES

from .oracle import differences

GEOM = '<geom size=".1 .2" type="capsule" pos=".1 .2 .1"/>'
WORLD = f"""<asset><material name="m" rgba="1 0 0 1"/>
<mesh name="pad" builtin="wedge" params="8 6 20 30 0"/></asset>
<worldbody><site name="w" pos="1 2 3" euler="10 20 30"/><camera name="cam" pos="0 0 9"/>
<geom name="g0" type="sphere" size=".2" pos="5 0 0"/>
<body name="b" pos="0 0 1"><joint name="h" axis="1 2 3" range="-30 50"/>{GEOM}
  <geom name="g1" size=".1" mass=".1"/><site name="s" pos=".1 0 0" type="sphere" size=".3"/>
  <body name="c" pos="0 1 0"><joint name="k" axis="0 1 0" range="-3 5"/>{GEOM}
    <geom name="g2" type="cylinder" size=".1 .2"/><site name="t" pos="0 .3 .4"/></body></body>
<body name="f" pos="3 0 0"><joint name="ball" type="ball" range="0 80"/>{GEOM}
  <geom name="g3" type="mesh" mesh="pad"/></body></worldbody>"""
TENDONS = """
<spatial name="ts" range="0 9"><site site="w"/><site site="s"/><site site="t"/></spatial>
<fixed name="tf" range="-1 1"><joint joint="h" coef="1"/><joint joint="k" coef="2"/></fixed>"""
ACTUATORS = '<motor name="mot" joint="h"/>'


def model(section: str, elements: str) -> str:
    """A model whose section holds these elements, beside what they can refer to."""
    parts = {"tendon": TENDONS, "actuator": ACTUATORS, "equality": "", "sensor": "", "contact": ""}
    parts[section] += elements
    return f"<mujoco>{WORLD}{''.join(f'<{k}>{v}</{k}>' for k, v in parts.items())}</mujoco>"


#: values that are not defaults; a value may need another attribute beside it
COMMON = {
    "group": 'group="3"',
    "nsample": 'nsample="4"',
    "interp": 'interp="cubic" nsample="4"',
    "delay": 'delay=".01" nsample="4"',
    "user": 'user="1 2 3"',
    "solref": 'solref=".1 .2"',
    "solimp": 'solimp=".5 .6 .01 .3 3"',
    "margin": 'margin=".01"',
    "active": 'active="false"',
    "polycoef": 'polycoef=".1 .2 .3 .4 .5"',
}
ACTUATOR = COMMON | {
    "ctrllimited": 'ctrllimited="true" ctrlrange="-1 2"',
    "ctrlrange": 'ctrlrange="-1 2"',
    "forcelimited": 'forcelimited="true" forcerange="-3 4"',
    "forcerange": 'forcerange="-3 4"',
    "actlimited": 'actlimited="true" actrange="-1 3" dyntype="filter"',
    "actrange": 'actrange="-1 3" dyntype="filter"',
    "actdim": 'actdim="3" dyntype="user"',
    "actearly": 'actearly="true" dyntype="filter"',
    "lengthrange": 'lengthrange="1 2"',
    "gear": 'gear="2 3 4 5 6 7"',
    "damping": 'damping="1 2 3"',
    "armature": 'armature=".3"',
    "cranklength": 'cranksite="t" slidersite="w" cranklength="9"',
    "cranksite": 'cranksite="s" slidersite="w" cranklength="9"',
    "slidersite": 'cranksite="s" slidersite="t" cranklength="9"',
    "joint": 'joint="k"',
    "jointinparent": 'jointinparent="ball" gear="1 2 3"',
    "tendon": 'tendon="ts" gear="3"',
    "site": 'site="s" gear="1 2 3 4 5 6"',
    "refsite": 'site="s" refsite="w" gear="1 2 3 4 5 6"',
    "body": 'body="b"',
    "dyntype": 'dyntype="integrator"',
    "gaintype": 'gaintype="affine"',
    "biastype": 'biastype="affine"',
    "dynprm": 'dynprm="3 4" dyntype="filter"',
    "gainprm": 'gainprm="3 4"',
    "biasprm": 'biasprm="3 -4" biastype="affine"',
    "input": 'input="vel"',
    "inheritrange": 'inheritrange=".7" biastype="affine" gainprm="2" biasprm="0 -2"',
    "velrange": 'gaintype="pid" biastype="affine" gainprm="0" velrange="-1 2"',
    "ffrange": 'gaintype="pid" biastype="affine" gainprm="0" input="pos ff" ffrange="-1 2"',
    "kp": 'kp="5"',
    "kv": 'kv="4"',
    "dampratio": 'dampratio=".8"',
    "timeconst": 'timeconst=".3"',
    "area": 'area="3"',
    "diameter": 'diameter=".4"',
    "bias": 'bias="1 2 3"',
    "ki": 'ki="2"',
    "imax": 'ki="2" imax="3"',
    "slewmax": 'slewmax="4"',
    "posrange": 'posrange="-1 1"',
    "gain": 'gain="7"',
    "range": 'range=".7 1.2"',
    "force": 'force="5"',
    "scale": 'scale="100"',
    "lmin": 'lmin=".4"',
    "lmax": 'lmax="1.7"',
    "vmax": 'vmax="1.4"',
    "fpmax": 'fpmax="1.1"',
    "fvmax": 'fvmax="1.3"',
    "tausmooth": 'tausmooth=".1"',
    "motorconst": 'motorconst="2 3"',
    "resistance": 'resistance="3"',
    "nominal": 'nominal="12 1 100"',
    "saturation": 'saturation="1 2 3"',
    "inductance": 'inductance=".1"',
    "cogging": 'cogging="1 2 3"',
    "controller": 'controller="1 2 3 4 5 6" input="pos vel"',
    "thermal": 'thermal="1 2 0 .1 20 30"',
    "lugre": 'lugre="1 2 3 4 5"',
}
#: where a tag takes other values
OWN = {
    "position": {"inheritrange": 'inheritrange=".7"'},
    "intvelocity": {
        "inheritrange": 'inheritrange=".7"',
        "actlimited": 'actlimited="true" actrange="-1 3"',
        "actrange": 'actrange="-1 3"',
    },
    "pid": {
        "inheritrange": 'inheritrange=".7"',
        "velrange": 'velrange="-1 2"',
        "ffrange": 'input="pos ff" ffrange="-1 2"',
        "input": 'input="pos ff"',
    },
    "orientation": {
        "input": 'input="quat"',
        "joint": 'joint="ball"',
        "site": 'site="s" refsite="w"',
        "refsite": 'site="t" refsite="w"',
        "forcelimited": 'forcelimited="true" forcerange="0 4"',
        "forcerange": 'forcerange="0 4"',
        "ctrlrange": 'ctrlrange="-1 2"',
    },
    "muscle": {"timeconst": 'timeconst=".02 .05"'},
    "damper": {"ctrlrange": 'ctrlrange="0 2"'},
    "adhesion": {"ctrlrange": 'ctrlrange="0 2"'},
    "dcmotor": {"input": 'input="vel" controller="0 0 3"', "resistance": 'resistance="4"'},
}
#: what an actuator needs at least
NEEDS = {
    "orientation": 'joint="ball"',
    "adhesion": 'body="b" ctrlrange="0 1"',
    "damper": 'joint="h" kv="1" ctrlrange="0 1"',
    "muscle": 'joint="h" lengthrange="0 1"',
    "dcmotor": 'joint="h" resistance="2" motorconst="1"',
}
TARGETS = ("joint=", "jointinparent=", "tendon=", "cranksite=", "site=", "body=")


def attributes_of(section: str, tag: str) -> list[str]:
    return sorted(PLACES["mujoco", section, tag] - {"name", "class"})


def written(tag: str, needs: str, value: str, inside: str = "") -> str:
    """An element with what it needs, where the value does not replace that."""
    given = {word.split("=")[0] for word in value.split('" ')}
    if any(value.startswith(target) or f" {target}" in value for target in TARGETS):
        given |= {"joint", "body"}
    kept = [word + '"' for word in needs.rstrip('"').split('" ') if word.split("=")[0] not in given]
    return f"<{tag} {' '.join(kept) if needs else ''} {value}>{inside}</{tag}>"


def check(section: str, elements: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for element in elements:
            assert differences(model(section, element)) == [], element


TAGS = [place[2] for place in PLACES if place[1:2] == ("actuator",) and len(place) == 3]


@pytest.mark.parametrize("tag", [tag for tag in TAGS if tag != "plugin"])
def test_actuators(tag: str) -> None:
    values = ACTUATOR | OWN.get(tag, {})
    needs = NEEDS.get(tag, 'joint="h"')
    check(
        "actuator",
        ["".join(written(tag, needs, values[one]) for one in attributes_of("actuator", tag))],
    )


TENDON = COMMON | {
    "limited": 'limited="true" range="0 3"',
    "range": 'range="0 3"',
    "actuatorfrclimited": 'actuatorfrclimited="true" actuatorfrcrange="-1 2"',
    "actuatorfrcrange": 'actuatorfrcrange="-1 2"',
    "solreflimit": 'solreflimit=".1 .2"',
    "solimplimit": 'solimplimit=".5 .6 .01 .3 3"',
    "solreffriction": 'solreffriction=".1 .2"',
    "solimpfriction": 'solimpfriction=".5 .6 .01 .3 3"',
    "frictionloss": 'frictionloss="2"',
    "springlength": 'springlength=".1 .2"',
    "springyield": 'springyield=".1"',
    "stiffness": 'stiffness="1 2 3"',
    "damping": 'damping="1 2 3"',
    "armature": 'armature=".1"',
    "width": 'width=".01"',
    "material": 'material="m"',
    "rgba": 'rgba="1 .5 0 1"',
}
PATHS = {
    "spatial": '<site site="w"/><site site="s"/><pulley divisor="2"/><site site="s"/>'
    '<site site="t"/>',
    "fixed": '<joint joint="k" coef="2"/>',
}


@pytest.mark.parametrize("tag", PATHS)
def test_tendons(tag: str) -> None:
    names = attributes_of("tendon", tag)
    check("tendon", ["".join(written(tag, "", TENDON[one], PATHS[tag]) for one in names)])


EQUALITY = COMMON | {
    "body1": 'body1="c" body2="f" anchor="1 2 3"',
    "body2": 'body1="b" body2="f" anchor="1 2 3"',
    "anchor": 'body1="b" anchor="1 2 3"',
    "site1": 'site1="s" site2="w"',
    "site2": 'site1="s" site2="t"',
    "relpose": 'body1="b" body2="f" relpose="1 2 3 4 5 6 7"',
    "torquescale": 'body1="b" torquescale=".3"',
    "joint1": 'joint1="k"',
    "joint2": 'joint1="k" joint2="h"',
    "tendon1": 'tendon1="tf"',
    "tendon2": 'tendon1="tf" tendon2="ts"',
}
ENDS = {
    "connect": 'body1="b" anchor="0 0 1"',
    "weld": 'body1="b"',
    "joint": 'joint1="h"',
    "tendon": 'tendon1="ts"',
}


@pytest.mark.parametrize("tag", ENDS)
def test_equalities(tag: str) -> None:
    names = attributes_of("equality", tag)
    elements = []
    for name in names:
        value = EQUALITY[name]
        # sites replace bodies
        needs = "" if value.startswith("site") else ENDS[tag]
        elements.append(written(tag, needs, value))
    check("equality", ["".join(elements)])


PAIR = COMMON | {
    "geom1": 'geom1="g2"',
    "geom2": 'geom2="g3"',
    "condim": 'condim="4"',
    "friction": 'friction="1 2 3 4 5"',
    "solreffriction": 'solreffriction=".1 .2"',
    "gap": 'gap=".1"',
    "adhesion": 'adhesion="3"',
}


def test_pairs_and_excludes() -> None:
    needs = 'geom1="g0" geom2="g1"'
    elements = [written("pair", needs, PAIR[one]) for one in attributes_of("contact", "pair")]
    assert set(attributes_of("contact", "exclude")) == {"body1", "body2"}
    elements += ['<exclude body1="b" body2="f"/>', '<exclude name="e" body1="c" body2="f"/>']
    check("contact", ["".join(elements)])


SENSOR = COMMON | {
    "noise": 'noise=".1"',
    "cutoff": 'cutoff="2"',
    "interval": 'interval=".01 -.002" nsample="4"',
    "site": 'site="t"',
    "joint": 'joint="k"',
    "tendon": 'tendon="tf"',
    "actuator": 'actuator="mot"',
    "body": 'body="c"',
    "camera": 'camera="cam"',
    "objtype": 'objtype="geom" objname="g1"',
    "objname": 'objtype="body" objname="c"',
    "reftype": 'reftype="site" refname="w"',
    "refname": 'reftype="body" refname="f"',
    "geom1": 'geom1="g2" geom2="g0"',
    "geom2": 'geom1="g1" geom2="g3"',
    "body1": 'body1="c" geom2="g0"',
    "body2": 'geom1="g0" body2="f"',
    "subtree1": 'subtree1="b"',
    "subtree2": 'subtree2="f"',
    "num": 'num="3"',
    "data": 'data="found force"',
    "reduce": 'reduce="mindist"',
    "geom": 'geom="g3"',
    "mesh": 'mesh="pad"',
    "enclosed": 'enclosed="true"',
    "datatype": 'datatype="positive"',
    "needstage": 'needstage="vel"',
    "dim": 'dim="4"',
}
SENSORS = [place[2] for place in PLACES if place[1:2] == ("sensor",) and len(place) == 3]
BALL = ("ballquat", "ballangvel")
#: directions cannot be cut off
UNBOUNDED = ("ballquat", "framequat", "framexaxis", "frameyaxis", "framezaxis")
BETWEEN = ("distance", "normal", "fromto")
#: what a sensor needs at least, by an attribute that it has
LEAST = {
    "dim": 'dim="2"',
    "geom": 'geom="g3" mesh="pad"',
    "num": 'geom1="g1"',
    "geom1": 'geom1="g1" geom2="g0"',
    "objtype": 'objtype="site" objname="s"',
    "camera": 'camera="cam" site="s"',
    "site": 'site="s"',
    "joint": 'joint="h"',
    "tendon": 'tendon="ts"',
    "actuator": 'actuator="mot"',
    "body": 'body="b"',
}


def sensor_value(tag: str, name: str) -> str:
    if tag in BALL and name == "joint":
        return 'joint="ball"'
    if name == "cutoff" and tag in UNBOUNDED:
        return 'cutoff="0"'
    if tag == "rangefinder":
        return {"camera": 'camera="cam"', "data": 'data="dist point"'}.get(name, SENSOR[name])
    if tag == "contact" and name in ("geom1", "geom2", "body1", "body2", "site"):
        return {"geom2": 'geom2="g0"', "body2": 'body2="f"', "body1": 'body1="c"'}.get(
            name, SENSOR[name].split('" ')[0].rstrip('"') + '"'
        )
    return SENSOR[name]


@pytest.mark.parametrize("tag", [tag for tag in SENSORS if tag != "plugin"])
def test_sensors(tag: str) -> None:
    names = attributes_of("sensor", tag)
    least = next((LEAST[one] for one in LEAST if one in names), "")
    if tag in BALL:
        least = 'joint="ball"'
    if tag == "rangefinder":
        least = 'site="s"'
    if tag == "insidesite":
        least = 'site="s" objtype="body" objname="c"'
    elements = []
    for name in names:
        value, needs = sensor_value(tag, name), least
        if tag == "rangefinder" and name == "camera":
            needs = ""
        if tag == "contact" and name in ("body1", "subtree1", "site"):
            needs = ""
        if tag in BETWEEN and value.split("=")[0] in ("body1", "geom1"):
            needs = ""
        elements.append(written(tag, needs, value))
    check("sensor", ["".join(elements)])
