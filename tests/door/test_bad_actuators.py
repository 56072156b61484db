"""Bad actuators: each is refused at its line, with the element and the attribute to blame."""

from __future__ import annotations

import pytest

from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

TREE = (
    '<worldbody><site name="w"/><body name="b"><joint name="ball" type="ball"/><geom size=".1"/>'
    '<site name="s"/><body><joint name="h" range="0 1"/><joint name="free of limits"/>'
    '<geom size=".1"/></body></body></worldbody>'
)

#: the actuator, the attribute to blame, words of the message
BAD: list[tuple[str, str | None, str]] = [
    ("<motor/>", None, "no target"),
    ('<motor joint=""/>', None, "no target"),
    ('<motor joint="none"/>', "joint", "no joint"),
    ('<motor jointinparent="none"/>', "jointinparent", "no joint"),
    ('<motor site="none"/>', "site", "no site"),
    ('<motor site="s" refsite="none"/>', "refsite", "no site"),
    ('<general body="none"/>', "body", "no body"),
    ('<motor tendon="t"/>', "tendon", "there is no tendon of this name"),
    ('<motor joint="h" site="s"/>', "site", "only one of"),
    ('<motor joint="h" refsite="s"/>', "refsite", "on a site"),
    ('<motor joint="h" cranklength="1"/>', "cranklength", "cranksite"),
    ('<motor joint="h" slidersite="s"/>', "slidersite", "cranksite"),
    ('<motor cranksite="s" cranklength="1"/>', "slidersite", "slidersite"),
    ('<motor cranksite="s" slidersite="w"/>', "cranklength", "positive length"),
    ('<motor cranksite="s" slidersite="no" cranklength="1"/>', "slidersite", "no site"),
    ('<motor joint="h" class="none"/>', "class", "no default class"),
    ('<motor joint="h" kp="1"/>', "kp", "no attribute"),
    ('<motor joint="h" gear="1 2 3 4 5 6 7"/>', "gear", "1 to 6"),
    ('<motor joint="h" gear="x"/>', "gear", "not a number"),
    ('<motor joint="h" group="1.5"/>', "group", "not an integer"),
    ('<motor joint="h" interp="spline"/>', "interp", "must be one of"),
    ('<motor joint="h" ctrllimited="maybe"/>', "ctrllimited", "must be one of"),
    ('<motor joint="h" ctrlrange="1"/>', "ctrlrange", "expected 2"),
    ('<motor joint="h" ctrlrange="2 1"/>', "ctrlrange", "below"),
    ('<motor joint="h" forcerange="2 1"/>', "forcerange", "below"),
    ('<motor joint="h" ctrllimited="true"/>', "ctrlrange", "below"),
    ('<motor joint="h" delay="1"/>', "delay", "nsample"),
    ('<motor joint="h" nsample="20000000"/>', "nsample", "limit"),
    ('<motor site="s" armature="1"/>', "armature", "joint or tendon"),
    ('<motor site="s" damping="1"/>', "damping", "joint or tendon"),
    ('<motor joint="h" actdim="1"/>', "actdim", "no attribute"),
    ('<general joint="h" dyntype="fast"/>', "dyntype", "must be one of"),
    ('<general joint="h" gaintype="fast"/>', "gaintype", "must be one of"),
    ('<general joint="h" biastype="fast"/>', "biastype", "must be one of"),
    ('<general joint="h" gainprm="1 2 3 4 5 6 7 8 9 10 11"/>', "gainprm", "1 to 10"),
    ('<general joint="h" actrange="0 1"/>', "actrange", "no activation"),
    ('<general joint="h" dyntype="filter" actrange="1 0"/>', "actrange", "below"),
    ('<general joint="h" dyntype="filter" actdim="0"/>', "actdim", "has a state"),
    ('<general joint="h" dyntype="filter" actdim="2"/>', "actdim", "several states"),
    ('<general joint="h" actdim="1"/>', "actdim", "no state"),
    ('<general joint="h" input="pos vel"/>', "input", "one input"),
    ('<general joint="h" input="vel pos"/>', "input", "order"),
    ('<general joint="h" input="push"/>', "input", "unknown input"),
    ('<general joint="h" gaintype="user" input="pos"/>', "input", "no choice"),
    ('<general joint="h" dyntype="pid"/>', "dyntype", "goes with gaintype"),
    ('<general joint="h" gaintype="pid"/>', None, "biastype"),
    ('<general joint="h" gaintype="so3"/>', "gaintype", "together"),
    ('<general joint="h" gaintype="dcmotor" input="pos"/>', "input", "motor constant"),
    (
        '<general joint="h" inheritrange="1" biastype="affine" biasprm="0 -1" dyntype="filter"/>',
        "inheritrange",
        "not for",
    ),
    (
        '<general joint="h" dyntype="dcmotor" gaintype="dcmotor" biastype="dcmotor"/>',
        None,
        "actearly",
    ),
    ('<general joint="h" gaintype="muscle" lengthrange="0 1"/>', None, "lower end"),
    ('<position joint="h" kv="1" dampratio="1"/>', "dampratio", "only one of"),
    ('<position joint="h" kv="-1"/>', "kv", "at least 0"),
    ('<position joint="h" dampratio="-1"/>', "dampratio", "at least 0"),
    ('<position joint="h" timeconst="-1"/>', "timeconst", "at least 0"),
    ('<position joint="h" inheritrange="1" ctrlrange="0 1"/>', "inheritrange", "exclude"),
    ('<position joint="ball" inheritrange="1"/>', "inheritrange", "needs a hinge"),
    ('<position site="s" inheritrange="1"/>', "inheritrange", "needs a hinge"),
    ('<position joint="free of limits" inheritrange="1"/>', "inheritrange", "no range"),
    ('<intvelocity joint="h" inheritrange="1" actrange="0 1"/>', "inheritrange", "exclude"),
    ('<pid joint="h" inheritrange="1" posrange="0 1"/>', "inheritrange", "exclude"),
    ('<pid joint="h" input="voltage"/>', "input", "pos, vel, ff"),
    ('<pid joint="h" ki="1" input="vel"/>', "input", "pos input"),
    ('<pid joint="h" slewmax="-1"/>', "slewmax", "at least 0"),
    ('<pid joint="h" ki="1" imax="-1"/>', "imax", "negative"),
    ('<orientation joint="h"/>', "joint", "ball joint"),
    ('<orientation site="s"/>', "site", "refsite"),
    ('<orientation joint="ball" input="pos vel"/>', "input", "expmap or quat"),
    ('<orientation joint="ball" forcerange="-1 1"/>', "forcerange", "start at 0"),
    ('<damper joint="h"/>', "ctrlrange", "below"),
    ('<damper joint="h" ctrlrange="-1 1"/>', "ctrlrange", "negative"),
    ('<damper joint="h" kv="-1" ctrlrange="0 1"/>', "kv", "at least 0"),
    ('<cylinder joint="h" bias="1 2"/>', "bias", "expected 3"),
    ('<muscle joint="h"/>', "lengthrange", "singular"),
    ('<muscle joint="h" lengthrange="0 1" lmin="2"/>', "lmin", "lmin < 1 < lmax"),
    ('<muscle joint="h" lengthrange="0 1" range="2 1"/>', "range", "lower end"),
    ('<muscle joint="h" lengthrange="0 1" vmax="0"/>', "vmax", "positive"),
    ('<muscle joint="h" tausmooth="-1"/>', "tausmooth", "at least 0"),
    ('<muscle site="s"/>', "site", "no attribute"),
    ('<adhesion body="b"/>', "ctrlrange", "below"),
    ('<adhesion body="b" ctrlrange="-1 1"/>', "ctrlrange", "negative"),
    ('<adhesion body="b" ctrlrange="0 1" gain="-1"/>', "gain", "at least 0"),
    ('<adhesion joint="h"/>', "joint", "no attribute"),
    ('<dcmotor joint="h"/>', "motorconst", "must be positive"),
    ('<dcmotor joint="h" motorconst="1"/>', "resistance", "must be positive"),
    ('<dcmotor joint="h" motorconst="-1 2" resistance="1"/>', "motorconst", "negative"),
    ('<dcmotor joint="h" motorconst="1" resistance="1" inductance="-1"/>', "inductance", "negat"),
    ('<dcmotor joint="h" motorconst="1" resistance="1" thermal="1"/>', "thermal", "positive"),
    ('<dcmotor joint="h" motorconst="1" resistance="1" controller="1"/>', "controller", "input"),
    ('<dcmotor joint="h" resistance="1" input="none" nsample="2"/>', "nsample", "no history"),
    ('<dcmotor joint="h" resistance="1" input="none" saturation="0 1"/>', "saturation", "constant"),
    ('<plugin plugin="p"/>', "plugin", "plugin 'p' is not supported yet"),
    ("<pendulum/>", None, "unknown element"),
    ('<motor name="a" joint="h"/><motor name="a" joint="h"/>', "name", "taken"),
]


@pytest.mark.parametrize(("line", "attribute", "says"), BAD, ids=[line for line, _, _ in BAD])
def test_bad_actuator_is_refused(line: str, attribute: str | None, says: str) -> None:
    text = f"<mujoco>\n{TREE}\n<actuator>\n{line}\n</actuator></mujoco>"
    with pytest.raises(MjcfError) as refused:
        compile_spec(read_mjcf(text))
    error = refused.value
    assert error.line == 4
    assert error.where.element in line
    assert error.attribute == attribute
    assert says in str(error)


@pytest.mark.parametrize(
    ("default", "attribute"),
    [
        ('<motor joint="h"/>', "joint"),
        ('<motor lengthrange="0 1"/>', "lengthrange"),
        ('<position kv="1" dampratio="1"/>', "dampratio"),
        ("<dcmotor/>", "motorconst"),
        ('<damper kv="-1"/>', "kv"),
    ],
)
def test_bad_default_is_refused(default: str, attribute: str) -> None:
    with pytest.raises(MjcfError) as refused:
        read_mjcf(f"<mujoco><default>{default}</default></mujoco>")
    assert refused.value.attribute == attribute


def test_ranges_need_a_word_without_autolimits() -> None:
    actuator = '<actuator><motor joint="ball" ctrlrange="0 1"/></actuator>'
    tree = TREE.replace('range="0 1"', "")
    with pytest.raises(MjcfError, match="autolimits"):
        compile_spec(read_mjcf(f'<mujoco><compiler autolimits="false"/>{tree}{actuator}</mujoco>'))
