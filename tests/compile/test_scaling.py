"""Frames that scale their contents, against MuJoCo; what is not there yet is refused."""

from __future__ import annotations

import pytest

from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

from .oracle import differences, mujoco

CONTENTS = """<body name="a" pos=".1 .2 .3" euler="1 2 3" gravcomp=".5">
<joint name="h" pos=".1 .2 .3" axis="0 1 1" range="-10 20" stiffness="2 3 4" damping="3 5 6"
 armature=".3" frictionloss=".4" margin=".02" ref="5" springref="7" actuatorfrcrange="-2 3"
 solreflimit=".03 1.1" solimplimit=".9 .95 .002" solimpfriction=".8 .9 .01"/>
<joint name="s" type="slide" axis="1 0 0" range="-.1 .2" stiffness="2 3 4" damping="3 5 6"
 armature=".3" frictionloss=".4" margin=".02" ref=".5" springref=".7" springyield=".1"
 actuatorfrcrange="-2 3"
 solimplimit=".9 .95 .002" solimpfriction=".8 .9 .01"/>
<joint name="b" type="ball" range="0 50" stiffness="2" damping="3" armature=".3" margin=".02"/>
<geom name="g" size=".1 .2 .3" type="box" pos=".1 0 0" density="700" friction=".7 .05 .02"
 margin=".02" gap=".01" solref=".03 1.2" solimp=".9 .95 .002 .4 3" surfacevel="1 2 3 4 5 6"
 adhesion="2"/><geom type="capsule" fromto="0 0 0 .3 .3 .3" size=".05" mass="2"/>
<geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"/>
<geom size=".2" mass="3" shellinertia="true"/><site/><site type="capsule" size=".1 .2 .3"/>
<site name="si" pos=".1 .2 .3" size=".05 .06 .07" type="box"/>
<camera pos=".1 .2 .3" fovy="30" ipd=".07"/>
<camera sensorsize=".01 .02" focal=".03 .03" principal=".001 .002" resolution="10 10"/>
<light pos=".1 .2 .3" bulbradius=".03" range="7" attenuation="1 2 3"/>
<body pos="0 0 .5"><inertial pos=".1 .1 .1" mass="2" diaginertia=".1 .2 .25" euler="5 6 7"/>
<joint type="slide" springdamper=".2 1"/><geom size=".1"/></body></body>
<geom name="w" pos=".5 .5 .5" size=".1"/><body name="f" pos="0 0 1"><freejoint/><geom size=".3"/>
</body><body mocap="true" pos="1 1 1"/>"""
SCALES = (
    'scale="2"',
    'scale="1.7" scaling="geometry"',
    'massscale="3"',
    'massscale="3" scaling="geometry"',
    'scale="1.7" massscale="2.3"',
    'scale=".5 .5 .5"',
    'scale="1"',
)


def model(scale: str, more: str = "", contents: str = CONTENTS) -> str:
    """A model with a frame that scales its contents."""
    frame = f'<frame pos="1 2 3" euler="10 20 30" {scale}>{contents}</frame>'
    return f"<mujoco><worldbody>{frame}</worldbody>{more}</mujoco>"


@pytest.mark.parametrize("scale", SCALES)
def test_scaled_contents_are_mujocos(scale):
    """Every attribute by its dimension."""
    assert differences(model(scale)) == []


def test_nested_scales_multiply():
    """Each frame has its own rule for forces."""
    inner = f'<frame pos="1 0 0" scale="3" massscale="2">{CONTENTS}</frame>'
    assert differences(model('scale="1.3" scaling="geometry"', contents=inner)) == []


def test_values_of_classes_are_scaled():
    """Contents take values from their class before they are scaled."""
    text = model('scale="3"', contents='<geom class="k"/><geom type="plane" size="1 2 3"/>')
    classes = '<default><default class="k"><geom size=".2" pos="1 0 0"/></default></default>'
    assert differences(text.replace("<mujoco>", f"<mujoco>{classes}")) == []


ALLOWED = (
    '<sensor><jointpos joint="s"/><framepos objtype="site" objname="si"/></sensor>',
    '<contact><exclude body1="a" body2="f"/></contact>',
    '<custom><tuple name="t"><element objtype="geom" objname="g"/></tuple></custom>',
    '<keyframe><key time="1"/></keyframe>',
)


@pytest.mark.parametrize("more", ALLOWED)
def test_what_may_refer_to_scaled_elements(more):
    """References without a dimension are like others."""
    assert differences(model('scale="1.7"', more)) == []


def test_the_description_stays_as_it_is():
    """Compiling twice scales once."""
    spec = read_mjcf(model('scale="2"'))
    first, second = compile_spec(spec), compile_spec(spec)
    assert (first.arrays["geom_size"] == second.arrays["geom_size"]).all()


REFUSED = (
    ('scale="0"', "", "greater than 0"),
    ('scale="1 2"', "", "1 or 3 numbers"),
    ('scale="1 2 3" scaling="geometry"', "", "along each axis is not supported yet"),
    ('scaling="other"', "", "similar, geometry"),
    ('massscale="-1"', "", "at least 0"),
)


@pytest.mark.parametrize("scale,more,message", REFUSED)
@pytest.mark.filterwarnings("ignore::cortenforge.errors.MjcfWarning")
def test_what_is_missing_is_refused(scale, more, message):
    """Errors name the line and say what is not there."""
    with pytest.raises(MjcfError, match=message) as caught:
        compile_spec(read_mjcf(model(scale, more)))
    assert caught.value.line


ASSETS = """<asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3" refpos=".1 .2 .3" scale="1 2 3"/>
<mesh name="n" builtin="sphere" params="1"/>
<hfield name="f" nrow="2" ncol="2" size="1 2 3 4" elevation="1 2 3 4"/></asset>"""
MESH, HFIELD = '<geom type="mesh" mesh="m"/>', '<geom type="hfield" hfield="f"/>'
DOUBLE, TRIPLE = '<frame scale="2" pos="1 2 3">', '<frame scale="3" massscale="2">'
USES = (
    f"{DOUBLE}{MESH}</frame>",
    f"<body>{DOUBLE}{MESH}</frame></body>{MESH}",
    f"<body><body>{DOUBLE}{MESH}</frame></body>{TRIPLE}{MESH}</frame></body>"
    f"<body>{DOUBLE}{MESH}</frame></body>",
    f'<body>{DOUBLE}<site type="mesh" mesh="m"/></frame>{TRIPLE}{MESH}</frame></body>',
    f'{DOUBLE}<geom type="box" mesh="m"/><geom type="capsule" mesh="m" fitscale="1.1"/></frame>',
    f'<frame massscale="2">{MESH}</frame>{MESH}',
    f'{DOUBLE}<geom type="mesh" mesh="n" mass="3"/></frame><geom type="mesh" mesh="n"/>',
    f"{DOUBLE}{HFIELD}</frame>{HFIELD}{TRIPLE}{HFIELD}</frame>{DOUBLE}{HFIELD}</frame>",
)


@pytest.mark.parametrize("uses", USES)
def test_meshes_and_height_fields_have_an_instance_for_each_size(uses):
    """The first use resizes the asset itself; names tell the others apart."""
    text = f"<mujoco>{ASSETS}<worldbody>{uses}</worldbody></mujoco>"
    assert differences(text) == []
    theirs = mujoco.MjModel.from_xml_string(text)
    names = compile_spec(read_mjcf(text)).names
    for kind, get in (("mesh", theirs.mesh), ("hfield", theirs.hfield)):
        count = getattr(theirs, f"n{kind}")
        assert names[kind] == [get(i).name for i in range(count)]


def skin(first: str, second: str) -> str:
    """A skin with two bones."""
    bones = "".join(
        f'''<bone body="{name}" bindpos="1 2.3 3" bindquat="1 0 0 0" vertid="0 1 2"
 vertweight="1 1 1"/>'''
        for name in (first, second)
    )
    return f"""<asset><skin name="k" vertex="0 0 0 1 .3 .1 0 1.7 0" face="0 1 2" inflate=".1">
{bones}</skin></asset>"""


def test_skins_are_mujocos():
    """All bones have the same scale."""
    other = '<frame scale="1.7" massscale="2"><body name="b"><geom size=".1"/></body></frame>'
    text = model('scale="1.7"', skin("a", "f"))
    assert differences(text) == []
    text = model('scale="1.7"', skin("a", "b")).replace("<worldbody>", f"<worldbody>{other}")
    assert differences(text) == []
    with pytest.raises(MjcfError, match="bones are in frames with different scales"):
        compile_spec(read_mjcf(text.replace('scale="1.7" massscale="2"', "")))
