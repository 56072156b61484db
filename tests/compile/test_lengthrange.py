"""Length ranges of actuators, found by simulation as in MuJoCo."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compile.constants.range_constraints import Rows, UnsolvedError, solve
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
    "inactive weld": model('<muscle joint="h"/>', equality='<weld body1="a" active="false"/>'),
    "direct reference": model('<muscle joint="h"/>', joint='solreflimit="-500 -10" margin=".1"'),
    "mixed reference": model('<muscle joint="h"/>', joint='solreflimit=".02 -1"'),
    "soft limit": model('<muscle joint="h"/>', joint='solimplimit=".5 .9 .05 .3 3"'),
    "linear limit": model('<muscle joint="h"/>', joint='solimplimit=".5 .9 .05 .3 1"'),
    "flat limit": model('<muscle joint="h"/>', joint='solimplimit=".9 .9"'),
    "flags of the model": model('<muscle joint="h"/>', option='density="1000" viscosity="9"'),
    "fast implicit": model('<muscle joint="h"/>', option='integrator="implicitfast"'),
    "Runge-Kutta": model('<muscle joint="h"/>', option='integrator="RK4"'),
    "other settings": model(
        '<muscle tendon="t"/>',
        'accel="100" maxforce="30" timeconst=".2" timestep=".005" inttotal="3" interval=".1"',
    ),
    "step of the model": model(
        '<muscle joint="h"/>', SHORT + ' timestep="0"', option='timestep=".008"'
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (model('<muscle joint="h"/>', equality='<weld body1="a" body2="f"/>'), "welded bodies"),
        (model('<muscle joint="h"/>', equality='<distance geom1="wrap"/>'), "welded bodies"),
        (model('<muscle joint="h"/>', option='integrator="implicit"'), 'integrator "implicit"'),
        (model('<muscle joint="h"/>', option='integrator="discrete"'), 'integrator "discrete"'),
        (model('<muscle joint="h"/>', 'inttotal="1e20"'), "too long"),
        (model('<muscle joint="h"/>', 'timestep="1e-9"'), "too long"),
        (model('<muscle joint="h"/>' * 9, ""), "9 actuators and 18000 steps"),
    ],
)
def test_what_is_not_simulated_is_refused(text: str, words: str) -> None:
    with pytest.raises(MjcfError, match=words) as refused:
        compiled(text)
    error = refused.value
    assert "not supported yet" in str(error)
    assert (error.element, error.attribute) == ("muscle", "lengthrange")


def test_solution_is_the_least() -> None:
    """No acceleration nearby has a lower cost, whichever limits push."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        factor = rng.normal(size=(4, 4))
        inertia, free = factor @ factor.T + np.eye(4), rng.normal(size=4)
        one_way = np.array([False, True, True, True, True])
        rows = Rows(rng.normal(size=(5, 4)), rng.normal(size=5), rng.uniform(1, 9, 5), one_way)

        def cost(a: np.ndarray, inertia=inertia, free=free, rows=rows) -> float:
            missing = rows.jacobian @ a - rows.reference
            missing[rows.one_way] = np.minimum(missing[rows.one_way], 0)
            return float((a - free) @ inertia @ (a - free) + rows.weight @ missing**2)

        found = solve(inertia, free, rows)
        lowest = cost(found)
        assert all(cost(found + 1e-4 * rng.normal(size=4)) > lowest for _ in range(20))


def test_no_answer_is_no_silence() -> None:
    nothing = Rows(np.zeros((1, 1)), np.array([np.nan]), np.ones(1), np.array([True]))
    assert solve(np.eye(1), np.ones(1), nothing).tolist() == [1]
    assert issubclass(UnsolvedError, ArithmeticError)
