"""What refers to elements in frames with a scale, against MuJoCo."""

from __future__ import annotations

from pathlib import Path

import pytest

import cortenforge.models
from conformance.cases import public_folder
from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

from .oracle import differences

SIMILAR = 'scale="1.7" massscale="2.3"'
GEOMETRY = 'scale="1.7" massscale="2.3" scaling="geometry"'
SCALES = (SIMILAR, GEOMETRY)
INSIDE = """<body name="a" pos=".1 .2 .3"><joint name="h" axis="0 1 0" range="-1 2"/>
<joint name="s" type="slide" axis="1 0 0" range="-1 3"/><geom name="g" size=".1 .2 .3" type="box"/>
<site name="si" pos=".1 .2 .3"/><site name="s2" pos=".3 0 0"/>
<body name="a2" pos="0 0 .5"><joint name="b" type="ball"/><geom name="g2" size=".1"/>
<site name="s3" pos="1 0 0"/><frame scale="1.3" pos=".1 0 0"><body name="n" pos="1 0 0">
<joint name="ns" type="slide"/><geom name="ng" size=".1"/><site name="nsi"/></body></frame></body>
</body><body name="f"><freejoint name="fj"/><geom size=".1"/></body><body mocap="true"/>
<body name="q"><joint type="free" damping="3" armature=".3" frictionloss=".2" stiffness="2"/>
<geom size=".1"/></body><frame pos=".1 .2 .3" euler="1 0 0" scale="1.3"><frame pos=".3 0 0">
<body name="w" pos=".1 0 0"><freejoint/><geom size=".1"/></body></frame></frame>"""
OUTSIDE = """<geom name="floor" type="plane" size="1 1 1"/><body name="o" pos="3 3 3">
<joint name="oh" axis="1 0 0"/><joint name="os" type="slide"/><geom name="og" size=".1"/>
<site name="osi"/></body>
<frame scale="2"><body name="z" pos="5 0 0"><joint name="zs" type="slide"/>
<geom name="zg" size=".1"/><site name="zi"/></body></frame>"""
TENDONS = """<tendon><fixed name="ts"><joint joint="s" coef="2"/></fixed>
<fixed name="th"><joint joint="h" coef="2"/></fixed>
<fixed name="tm"><joint joint="h" coef="2"/><joint joint="s" coef="3"/></fixed>
<fixed name="to"><joint joint="os" coef="2"/><joint joint="s" coef="2"/></fixed>
<spatial name="tp"><site site="si"/><site site="s3"/></spatial></tendon>"""


def model(scale: str, more: str) -> str:
    """A model with something in a frame that scales, something outside, and more."""
    frame = f'<frame pos="1 2 3" euler=".1 .2 .3" {scale}>{INSIDE}</frame>'
    return (
        f'<mujoco><compiler angle="radian"/><worldbody>{OUTSIDE}{frame}</worldbody>{more}</mujoco>'
    )


def both(more: str) -> list[str]:
    """What differs from MuJoCo, with forces that follow and with forces that stay."""
    return [f"{name} ({scale})" for scale in SCALES for name in differences(model(scale, more))]


MECHANICS = """range="1 2" springlength="1 2" stiffness="1 2 3" damping="1 2 3" frictionloss="2"
margin=".1" actuatorfrcrange="-1 2" solimplimit=".9 .95 .1 .5 2" solimpfriction=".9 .95 .1 .5 2"
springyield=".5" solreflimit="-100 -20" """


def test_fixed_tendons_are_mujocos():
    """They are lengths when any joint slides; those across frames have the units outside."""
    names = ("s", "h", "s h", "s os", "oh h", "h os", "s zs", "s ns", "ns", "oh ns")
    paths = (
        "".join(f'<joint joint="{name}" coef="{2 + i}"/>' for i, name in enumerate(one.split()))
        for one in names
    )
    rows = "".join(f"<fixed {MECHANICS}>{path}</fixed>" for path in paths)
    assert both(f"<tendon>{rows}<fixed><joint joint='s' coef='2'/></fixed></tendon>") == []


def test_spatial_tendons_are_mujocos():
    """Their units are those of the innermost frame around the whole path."""
    paths = (
        '<site site="si"/><site site="s3"/>',
        '<site site="osi"/><site site="si"/><site site="s3"/>',
        '<site site="si"/><geom geom="g2" sidesite="s2"/><site site="s3"/><pulley divisor="2"/>'
        '<site site="si"/><site site="s3"/>',
        '<site site="si"/><geom geom="g2" sidesite="osi"/><site site="s3"/>',
        '<site site="si"/><geom geom="og"/><site site="s2"/>',
        '<site site="nsi"/><site site="s3"/>',
        '<site site="zi"/><site site="s3"/>',
    )
    rows = "".join(f'<spatial width=".1" {MECHANICS}>{path}</spatial>' for path in paths)
    assert both(f"<tendon>{rows}<spatial>{paths[0]}</spatial></tendon>") == []


SOLIMP = 'solimp=".9 .95 .1 .5 2"'
EQUALITIES = (
    *(f'<connect body1="{pair}" anchor="1 2 3"' for pair in ('a" body2="o', 'o" body2="a', "a")),
    '<connect body1="z" body2="a" anchor="1 2 3"',
    '<connect site1="si" site2="osi"',
    '<connect site1="osi" site2="si"',
    *(
        f'<weld body1="{pair}" relpose="1 2 3 1 0 0 0" anchor="1 2 3" torquescale="2"'
        for pair in ('a" body2="o', 'o" body2="a', "a", 'a2" body2="a', 'n" body2="z')
    ),
    '<weld body1="o" body2="a" anchor="1 2 3" torquescale="2"',
    '<weld site1="si" site2="osi" torquescale="2"',
    *(f'<joint joint1="{one}" polycoef="1 2 3 4 5"' for one in ("s", "h")),
    *(
        f'<joint joint1="{pair}" polycoef="1 2 3 4 5"'
        for pair in ('s" joint2="h', 'h" joint2="s', 's" joint2="os', 'oh" joint2="s')
    ),
    *(
        f'<tendon tendon1="{pair}" polycoef="1 2 3 4 5"'
        for pair in ("ts", 'th" tendon2="tp', 'tp" tendon2="th', 'to" tendon2="ts')
    ),
)


def test_equalities_are_mujocos():
    """Anchors, poses and polynomials in the units of the ends they belong to."""
    rows = "".join(f"{one} {SOLIMP}/>{one}/>" for one in EQUALITIES)
    assert both(f"{TENDONS}<equality>{rows}</equality>") == []


def test_pairs_are_mujocos():
    """Between two scales it is their geometric mean."""
    values = """friction="1 2 3 4 5" solimp=".9 .95 .1 .5 2" margin=".1" gap=".05" adhesion="2"
solref="-100 -10" """
    geoms = (("g", "ng"), ("g", "og"), ("og", "g2"), ("og", "floor"), ("g", "floor"), ("g", "zg"))
    rows = "".join(
        f'<pair geom1="{a}" geom2="{b}" {values}/>' if i % 2 else f'<pair geom1="{a}" geom2="{b}"/>'
        for i, (a, b) in enumerate(geoms * 2)
    )
    assert both(f"<contact>{rows}</contact>") == []


SITE_SENSORS = (
    *("touch", "accelerometer", "velocimeter", "gyro"),
    *("force", "torque", "magnetometer", "rangefinder"),
)
JOINT_SENSORS = ("pos", "vel", "actuatorfrc", "limitpos", "limitvel", "limitfrc")
OTHER_SENSORS = (
    '<actuatorpos actuator="ms"',
    '<actuatorvel actuator="mh"',
    '<actuatorfrc actuator="mh"',
    '<actuatorfrc actuator="msi"',
    '<ballangvel joint="b"',
    *(
        f'<{tag} objtype="site" objname="si"'
        for tag in ("framepos", "framelinvel", "frameangvel", "framelinacc", "frameangacc")
    ),
    '<framepos objtype="body" objname="n" reftype="site" refname="osi"',
    '<framepos objtype="site" objname="osi" reftype="site" refname="si"',
    *(f'<{tag} body="a"' for tag in ("subtreecom", "subtreelinvel", "subtreeangmom")),
    '<insidesite site="si" objtype="body" objname="a2"',
    *(f'<{tag} geom1="g" geom2="og"' for tag in ("distance", "normal", "fromto")),
    '<distance body1="a" body2="z"',
    '<distance geom1="og" body2="a"',
    *("<e_potential", "<e_kinetic", "<clock", '<contact geom1="g" data="force"'),
    '<user objtype="site" objname="si" dim="1"',
)


def test_sensors_are_mujocos():
    """Cutoffs and noise in the units of what is read."""
    heads = [f'<{tag} site="si"' for tag in SITE_SENSORS]
    heads += [f'<joint{tag} joint="{name}"' for tag in JOINT_SENSORS for name in ("s", "h")]
    heads += [f'<tendon{tag} tendon="{name}"' for tag in ("pos", "vel") for name in ("ts", "th")]
    heads += [*OTHER_SENSORS, '<tendonactuatorfrc tendon="th"', '<tendonactuatorfrc tendon="to"']
    rows = "".join(f'{head} cutoff="2" noise="3"/>' for head in heads)
    motors = """<actuator><motor name="ms" joint="s"/><motor name="mh" joint="h"/>
<motor name="msi" site="si"/></actuator>"""
    assert both(f"{TENDONS}{motors}<sensor>{rows}</sensor>") == []


SHORTCUTS = (
    '<motor {} ctrlrange="-1 2" forcerange="-1 2" damping="1 2 3" armature="2"/>',
    '<position {} kp="3" kv="2" ctrlrange="-1 2"/>',
    '<position {} kp="3" dampratio="1" ctrlrange="-1 2" timeconst=".1"/>',
    '<velocity {} kv="3" ctrlrange="-1 2"/>',
    '<intvelocity {} kp="3" kv="1" ctrlrange="-1 2" actrange="-1 2"/>',
    '<damper {} kv="3" ctrlrange="0 2"/>',
    '<cylinder {} timeconst="1" area="2" bias="1 2 3" ctrlrange="-1 2"/>',
    '<cylinder {} diameter="2" bias="1 -2 -3"/>',
    '<muscle {} force="20" lengthrange="1 2"/>',
    '<muscle {} lengthrange="1 2"/>',
    '<pid {} input="pos vel ff" kp="3" kv="2" ki="4" imax="5" slewmax="6" velrange="-1 2" '
    'posrange="-2 3" ffrange="-3 4" forcerange="-1 1"/>',
)
AFFINE = 'biastype="affine" biasprm="1 -2 -3 4" gainprm="2 2 3 4" ctrlrange="-1 2"'
GENERALS = (
    f"<general {{}} {AFFINE}/>",
    f'<general {{}} input="pos" {AFFINE} dyntype="filterexact" dynprm="2 3" actrange="-1 2"/>',
    f'<general {{}} input="vel" {AFFINE} dyntype="integrator" actrange="-1 2"/>',
    f'<general {{}} input="pressure" {AFFINE} dyntype="filter" actrange="-1 2"/>',
    f'<general {{}} input="pos" gaintype="affine" {AFFINE}/>',
    f'<general {{}} gaintype="affine" {AFFINE} dyntype="filter" actrange="-1 2"/>',
    '<general {} gaintype="muscle" biastype="muscle" gainprm=".1 .2 3 4 .5 1.6 7 8 9" '
    'biasprm=".1 .2 3 4 .5 1.6 7 8 9" lengthrange="1 2"/>',
    '<general {} gaintype="muscle" biastype="affine" gainprm=".1 .2 3 4 .5 1.6 7 8 9" '
    'biasprm="1 -2 -3" lengthrange="1 2"/>',
    '<general {} biastype="muscle" biasprm=".1 .2 3 4 .5 1.6 7 8 9" lengthrange="1 2"/>',
)


@pytest.mark.parametrize("target", ['joint="s"', 'joint="h"', 'tendon="tm"', 'tendon="to"'])
def test_actuators_are_mujocos(target):
    """Gains, biases and ranges by what the controls are."""
    rows = "".join(one.format(target) for one in SHORTCUTS + GENERALS)
    assert both(f"{TENDONS}<actuator>{rows}</actuator>") == []


OTHER_ACTUATORS = (
    *(
        f'<position {target} kp="3" kv="2" forcerange="-1 2" lengthrange="1 2" ctrlrange="-1 2"/>'
        for target in (
            'site="si" gear="0 0 0 1 2 3"',
            'site="si" refsite="osi" gear="1 2 3 4 5 6"',
            'site="osi" refsite="si" gear="1 0 0 1 0 0"',
            'cranksite="si" slidersite="osi" cranklength="1"',
            'cranksite="si" slidersite="s2" cranklength=".4"',
            'joint="b" gear="1 2 3"',
            'joint="fj" gear="1 2 3 1 2 3"',
            'joint="fj" gear="0 0 0 1 2 3"',
            'jointinparent="b"',
        )
    ),
    '<adhesion body="a" gain="3" forcerange="-1 2" ctrlrange="0 2"/>',
    '<orientation joint="b" kp="3" kv="2" forcerange="0 2"/>',
    '<orientation joint="b" kp="3" dampratio="1"/>',
    '<orientation site="si" refsite="osi" kp="3" kv="2" forcerange="0 2"/>',
    '<position joint="s" kp="3" inheritrange=".5"/>',
    '<intvelocity joint="s" kp="3" inheritrange=".5"/>',
    '<position joint="ns" kp="3" ctrlrange="-1 2"/>',
)


def test_other_transmissions_are_mujocos():
    """Sites, cranks, bodies, balls, free joints."""
    assert both(f"<actuator>{''.join(OTHER_ACTUATORS)}</actuator>") == []


def test_keyframes_are_mujocos():
    """Numbers of keyframes are in the units of what they belong to."""
    actuators = "".join(one.format('joint="s"') for one in SHORTCUTS + GENERALS)
    actuators += '<pid joint="h" input="pos vel ff" kp="1" ki="1"/><orientation joint="b"/>'
    keys = """<key name="k" time="2" qpos="1 2 3 4 5 1 0 0 0 7 8 9 10 1 0 0 0 2 3 4 0 1 0 0 5 6 7"
qvel="1 2 3 4 5 6 7 8 9" mpos="1 2 3" ctrl="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21"
act="1 2 3 4 5 6 7 8 9 10"/><key/>"""
    more = f"<actuator>{actuators}</actuator><keyframe>{keys}</keyframe>"
    with pytest.warns(match="numbers are used"):
        assert both(more) == []


def test_plastic_state_of_keyframes_is_mujocos():
    """Where springs have yielded to."""
    text = model(SIMILAR, f"{TENDONS}<keyframe><key plastic='1 2 3 4'/></keyframe>")
    text = text.replace('name="s"', 'name="s" stiffness="3" springyield=".1"')
    text = text.replace('name="h"', 'name="h" stiffness="3" springyield=".1"')
    text = text.replace('name="ts"', 'name="ts" stiffness="3" springyield=".1"')
    text = text.replace('name="th"', 'name="th" stiffness="3" springyield=".1"')
    assert differences(text) == []


REFUSED = (
    '<actuator><dcmotor joint="s" motorconst="1" resistance="3"/></actuator>',
    '<actuator><general joint="s" gaintype="user"/></actuator>',
)


@pytest.mark.parametrize("more", REFUSED)
def test_what_has_no_known_units_is_refused(more):
    """As by MuJoCo, where forces follow."""
    with pytest.raises(MjcfError, match="cannot be scaled") as caught:
        compile_spec(read_mjcf(model(SIMILAR, more)))
    assert caught.value.line


def test_motors_that_turn_keep_their_parameters():
    """With geometry alone nothing about them changes."""
    motor = '<dcmotor joint="h" motorconst="1 2" resistance="3" ctrlrange="-1 2"/>'
    assert differences(model(GEOMETRY, f"<actuator>{motor}</actuator>")) == []
    user = '<general joint="s" gaintype="user" gainprm="3" ctrlrange="-1 2"/>'
    assert differences(model(GEOMETRY, f"<actuator>{user}</actuator>")) == []


CHILD = """<mujoco><worldbody><body name="r" pos="1 0 0"><freejoint/><geom size=".1"/><body>
<joint name="s" type="slide"/><joint name="h"/><geom size=".1"/></body></body><body mocap="true"
 pos="1 1 1"/></worldbody><actuator><position joint="s"/><motor joint="h"/><intvelocity joint="s"
 actrange="-1 1"/></actuator><keyframe><key name="home" qpos="1 2 3 0 1 0 0 4 5"
 qvel="1 2 3 4 5 6 7 8" ctrl="1 2 3" act="4" mpos="7 8 9"/></keyframe></mujoco>"""


@pytest.mark.parametrize("scale", [*SCALES, 'scale="1"'])
def test_attached_keyframes_are_scaled(scale):
    """A robot that is attached in a frame with a scale keeps its poses."""
    attach = f'<frame pos="1 2 3" euler="10 20 30" {scale}><attach model="m" prefix="p_"/></frame>'
    text = f"""<mujoco><asset><model name="m" file="m.xml"/></asset><worldbody>{attach}<body>
<freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    assert differences(text, {"m.xml": CHILD.encode()}) == []


ROBOTS = (
    "mujoco_tests/common/model.xml",
    "menagerie/agility_cassie/scene.xml",
    "menagerie/google_barkour_vb/scene_hfield_mjx.xml",
)


def robots() -> list[Path]:
    """A model of the package, and public ones where they are at hand."""
    own = Path(cortenforge.models.__file__).parent / "humanoid_floating.xml"
    shared = public_folder()
    return [own] if shared is None else [own, *(shared / path for path in ROBOTS)]


@pytest.mark.filterwarnings("ignore::cortenforge.errors.MjcfWarning")
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("path", robots(), ids=lambda path: path.stem)
def test_whole_robots_are_scaled(path, scale):
    """Robots with all that belongs to them, attached in a frame."""
    attach = f'<frame pos="1 2 3" euler="10 20 30" {scale}><attach model="m" prefix="p_"/></frame>'
    asset = f'<asset><model name="m" file="{path}"/></asset>'
    assert differences(f"<mujoco>{asset}<worldbody>{attach}</worldbody></mujoco>") == []
