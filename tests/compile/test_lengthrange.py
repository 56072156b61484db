"""Length ranges of actuators, found by simulation as in MuJoCo."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cortenforge.compile.constants import lengthrange
from cortenforge.errors import MjcfError

from .oracle import compiled, mujoco

#: where a motion settles, both engines end in the same place
TOLERANCE = 1e-9
SHORT = 'mode="all" inttotal="1.5" interval=".2" timeconst=".1" tolrange=".5"'
WORLD = """<worldbody><site name="w" pos=".3 .1 .8" euler="10 20 30"/>
<body pos="0 0 1"><joint name="h" axis="0 1 0" range="-30 50" damping="3" stiffness="9" {joint}/>
  <geom type="capsule" size=".1 .2" pos=".1 0 .2"/><site name="q" pos=".1 0 .3"/>
  <body pos="0 0 .4"><joint name="k" axis="0 1 0" range="-100 10" frictionloss="1"/>
    <geom type="capsule" size=".05 .2" pos="0 0 .2"/><site name="s" pos=".05 0 .2"/>
    <geom name="wrap" type="cylinder" size=".03 .1" euler="90 0 0"/></body></body>
<body name="a" pos="1 0 0"><joint name="b" type="ball" range="0 60" armature=".01"/>
  <geom size=".1 .2" type="capsule"/></body>
<body name="f" pos="2 0 0"><joint name="l" type="slide" axis="1 0 0" range="-1 1"/>
  <geom size=".1"/></body></worldbody>"""
TENDON = """<spatial name="t" {tendon}><site site="w"/><site site="q"/><site site="s"/></spatial>
<spatial name="around"><site site="q"/><geom geom="wrap"/><site site="s"/></spatial>
<fixed name="sum"><joint joint="h" coef="1"/><joint joint="k" coef=".5"/></fixed>"""


def model(
    actuator: str,
    settings: str = SHORT,
    *,
    joint: str = "",
    tendon: str = "",
    equality: str = "",
    option: str = "",
) -> str:
    return f"""<mujoco><compiler><lengthrange {settings}/></compiler><option {option}/>
{WORLD.format(joint=joint)}<tendon>{TENDON.format(tendon=tendon)}</tendon>
<equality>{equality}</equality><actuator>\n{actuator}</actuator></mujoco>"""


CASES = {
    "joint": model('<muscle joint="h"/>'),
    "gear": model('<muscle joint="k" gear="-2"/>'),
    "ball": model('<motor joint="b" gear="1 .5 .2"/>'),
    "ball in parent": model('<motor jointinparent="b" gear="1 .5 .2"/>'),
    "tendon": model('<muscle tendon="t"/>'),
    "around a cylinder": model('<muscle tendon="around"/>'),
    "sum of joints": model('<motor tendon="sum" gear="2"/>'),
    "sites": model('<motor site="s" refsite="w" gear="1 2 0 0 0 .3"/>'),
    "crank": model('<motor cranksite="s" slidersite="w" cranklength="2"/>'),
    "second output": model('<orientation joint="b"/><muscle joint="h"/>', SHORT[11:]),
    "several": model('<muscle joint="h"/><muscle tendon="t"/>'),
    "limited tendon": model('<muscle tendon="t"/>', tendon='range=".7 .9"'),
    "heavy tendon": model('<muscle tendon="t"/>', tendon='armature=".1"'),
    "equality of joints": model(
        '<muscle tendon="t"/>', equality='<joint joint1="k" joint2="h" polycoef="0 -.5 .1"/>'
    ),
    "fixed joint": model('<muscle tendon="t"/>', equality='<joint joint1="k" polycoef="-.3"/>'),
    "equality of tendons": model(
        '<muscle joint="k"/>', equality='<tendon tendon1="sum" polycoef=".1"/>'
    ),
    "two tendons": model(
        '<muscle joint="k"/>', equality='<tendon tendon1="sum" tendon2="around" polycoef="0 3"/>'
    ),
    "welded": model('<muscle joint="h"/>', equality='<weld body1="a" body2="f"/>'),
    "connected": model(
        '<muscle tendon="t"/><muscle joint="l"/>',
        equality='<connect body1="a" body2="f" anchor="0 0 .1"/>',
    ),
    "sites held together": model(
        '<muscle joint="k"/>',
        equality='<connect site1="s" site2="w" solref=".1 1"/>',
    ),
    "inactive weld": model('<muscle joint="h"/>', equality='<weld body1="a" active="false"/>'),
    "direct reference": model('<muscle joint="h"/>', joint='solreflimit="-500 -10" margin=".1"'),
    "mixed reference": model('<muscle joint="h"/>', joint='solreflimit=".02 -1"'),
    "soft limit": model('<muscle joint="h"/>', joint='solimplimit=".5 .9 .05 .3 3"'),
    "linear limit": model('<muscle joint="h"/>', joint='solimplimit=".5 .9 .05 .3 1"'),
    "flat limit": model('<muscle joint="h"/>', joint='solimplimit=".9 .9"'),
    "flags of the model": model('<muscle joint="h"/>', option='density="1000" viscosity="9"'),
    "implicit": model('<muscle joint="h"/>', option='integrator="implicit"'),
    "fast implicit": model('<muscle joint="h"/>', option='integrator="implicitfast"'),
    "Runge-Kutta": model('<muscle joint="h"/>', option='integrator="RK4"'),
    "other settings": model(
        '<muscle tendon="t"/>',
        'accel="100" maxforce="30" timeconst=".2" timestep=".005" inttotal="3" interval=".1"',
    ),
    "step of the model": model(
        '<muscle joint="h"/>', SHORT + ' timestep="0"', option='timestep=".008"'
    ),
    "many": model('<muscle joint="h"/><muscle joint="k" gear="2"/><muscle tendon="t"/>' * 6, ""),
    "asleep": model('<muscle joint="h"/>').replace(
        "<option />", '<option><flag sleep="enable"/></option>'
    ),
    "sensors that are not there": model('<muscle joint="h"/>').replace(
        "</mujoco>", '<sensor><user dim="1" needstage="acc"/></sensor></mujoco>'
    ),
    "no interval": model('<muscle joint="h"/>', SHORT.replace('interval=".2"', 'interval="0"')),
}


@pytest.mark.parametrize("case", CASES)
def test_equals_mujoco(case: str) -> None:
    reference = mujoco.MjModel.from_xml_string(CASES[case]).actuator_lengthrange
    found = compiled(CASES[case]).arrays["actuator_lengthrange"]
    assert (reference[-1, 0] < reference[-1, 1]) and found.shape == reference.shape
    np.testing.assert_allclose(found, reference, rtol=TOLERANCE, atol=TOLERANCE)


def test_default_settings() -> None:
    text = model('<muscle joint="h"/>', "")
    reference = mujoco.MjModel.from_xml_string(text).actuator_lengthrange
    found = compiled(text).arrays["actuator_lengthrange"]
    np.testing.assert_allclose(found, reference, rtol=TOLERANCE)


@pytest.mark.parametrize(
    ("actuator", "settings", "words"),
    [
        ('<muscle tendon="t"/>', SHORT + ' accel="0"', "gives no range"),
        ('<muscle joint="h"/>', SHORT.replace("1.5", "0"), "gives no range"),
        ('<adhesion body="a" ctrlrange="0 1"/>', SHORT, "gives no range"),
        ('<muscle joint="h"/>', 'inttotal=".5" interval=".4"', "did not settle"),
    ],
)
def test_failures_are_those_of_mujoco(actuator: str, settings: str, words: str) -> None:
    text = model(actuator, settings)
    with pytest.raises(ValueError, match=r"(?i)lengthrange"):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(MjcfError, match=words) as refused:
        compiled(text)
    assert refused.value.line and refused.value.attribute == "lengthrange"


#: MuJoCo's own test of length ranges
REPLICATED = """<mujoco><compiler><lengthrange mode="all"/></compiler>
<worldbody><site name="a"/><replicate offset="0 .1 0" count="17">
  <body pos="1 0 1"><joint axis="0 -1 0" range="0 90"/>
    <geom type="capsule" size=".02" fromto="0 0 0 0 0 -1"/><site name="b" pos="0 0 -1"/></body>
</replicate></worldbody>
<tendon><spatial name="b"><site site="a"/><site site="b"/></spatial></tendon>
<actuator><position name="b" tendon="b" ctrlrange="0 3" kp="100" dampratio="1"/></actuator>
</mujoco>"""


def test_as_many_actuators_as_there_are() -> None:
    """17 actuators and 34,000 steps; the first tendon goes from 1 to the root of 5."""
    reference = mujoco.MjModel.from_xml_string(REPLICATED).actuator_lengthrange
    found = compiled(REPLICATED).arrays["actuator_lengthrange"]
    np.testing.assert_allclose(found, reference, rtol=TOLERANCE)
    np.testing.assert_allclose(found[0], (1, 5**0.5), rtol=1e-3)


def test_distances_hold() -> None:
    """An equality of our own: a slide is held at a distance, softly, so that it can hardly move."""
    settings = SHORT.replace('tolrange=".5"', "")
    held = '<distance geom1="one" geom2="other"/>'
    text = (
        f"<mujoco><compiler><lengthrange {settings}/></compiler><worldbody>"
        '<geom name="one" size=".1" contype="0"/><body pos="1 0 0"><joint name="j" type="slide" '
        'axis="1 0 0"/><geom name="other" size=".1"/></body></worldbody>'
        f'<equality>{held}</equality><actuator><motor joint="j"/></actuator></mujoco>'
    )
    low, high = compiled(text).arrays["actuator_lengthrange"][0]
    assert -0.02 < low < -1e-4 and 1e-4 < high < 0.02
    with pytest.raises(MjcfError, match="did not settle"):
        compiled(text.replace(held, ""))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (model('<muscle joint="h"/>', 'inttotal="1e20"'), "would take 1e+22 steps"),
        (model('<muscle joint="h"/>', 'timestep="1e-9"'), "would take 1e+10 steps"),
    ],
)
def test_what_is_not_simulated_is_refused(text: str, words: str) -> None:
    """What would never end."""
    with pytest.raises(MjcfError, match=re.escape(words)) as refused:
        compiled(text)
    assert (refused.value.element, refused.value.attribute) == ("muscle", "lengthrange")


def test_given_ranges_need_no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is simulated, and no kernel is compiled, for a model that does not ask for it."""

    def refuse(*_: object) -> None:
        raise AssertionError("simulated")

    monkeypatch.setattr(lengthrange, "simulated_ranges", refuse)
    assert (
        compiled(model('<muscle joint="h" lengthrange="0 1"/>')).arrays["actuator_lengthrange"][
            0, 1
        ]
        == 1
    )
    compiled(model('<muscle joint="h"/>', 'uselimit="true"'))
    compiled(model('<muscle joint="h"/>', 'mode="none"'))
    with pytest.raises(AssertionError, match="simulated"):
        compiled(model('<muscle joint="h"/>'))
