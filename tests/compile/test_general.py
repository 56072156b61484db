"""The `<general>` actuator, one acceptance criterion a test.

What a criterion says of forces is checked here by the arrays that determine them, and by the forces
in step/actuation.
"""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.enums import Bias, Dynamics, Gain
from cortenforge.errors import MjcfError

from .oracle import compiled, differences

WORLD = '<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>'
#: everything that decides the force of an actuator and the change of its activation
DECIDING = [
    *(f"actuator_{name}type" for name in ("trn", "dyn", "gain", "bias")),
    *(f"actuator_{name}prm" for name in ("dyn", "gain", "bias")),
    *(f"actuator_{name}" for name in ("gear", "actnum", "ctrlnum", "ctrlspec", "actearly")),
    *(f"actuator_{name}limited" for name in ("ctrl", "force", "act")),
    *(f"actuator_{name}range" for name in ("ctrl", "force", "act", "length")),
]


def model(actuator: str, default: str = "") -> str:
    return f"<mujoco><default>{default}</default>{WORLD}<actuator>\n{actuator}</actuator></mujoco>"


def arrays(actuator: str, default: str = "") -> dict[str, np.ndarray]:
    """Arrays of a model with one actuator, after a comparison with MuJoCo's."""
    text = model(actuator, default)
    assert differences(text) == []
    return compiled(text).arrays


def padded(*values: float) -> list[float]:
    return [*values, *[0.0] * (10 - len(values))]


def same_force(first: str, second: str) -> bool:
    one, other = arrays(first), arrays(second)
    return all(np.array_equal(one[name], other[name]) for name in DECIDING)


def test_criterion_1_explicit_gain_and_bias() -> None:
    found = arrays(
        '<general joint="j" gaintype="affine" gainprm="0 0 -5" biastype="none" '
        'ctrllimited="true" ctrlrange="0 1"/>'
    )
    assert found["actuator_gaintype"] == Gain.AFFINE
    assert found["actuator_biastype"] == Bias.NONE
    assert found["actuator_gainprm"][0].tolist() == padded(0, 0, -5)
    assert found["actuator_biasprm"][0].tolist() == padded()


def test_criterion_2_explicit_dynamics() -> None:
    """8-AC2: a filter has one activation."""
    found = arrays('<general joint="j" dyntype="filter" dynprm="0.05"/>')
    assert found["actuator_dyntype"] == Dynamics.FILTER
    assert found["actuator_dynprm"][0].tolist() == padded(0.05)
    assert found["actuator_actnum"] == 1


def test_criterion_3_bare_general_is_a_motor() -> None:
    """8-AC3: the defaults of all parameters."""
    found = arrays('<general joint="j"/>')
    assert found["actuator_gainprm"][0].tolist() == padded(1)
    assert found["actuator_biasprm"][0].tolist() == padded()
    assert found["actuator_dynprm"][0].tolist() == padded(1)
    assert same_force('<general joint="j"/>', '<motor joint="j"/>')


def test_criterion_4_servo() -> None:
    general = (
        '<general joint="j" gaintype="fixed" gainprm="100" biastype="affine" '
        'biasprm="0 -100 -10" dyntype="filterexact" dynprm="0.01" input="pos"/>'
    )
    assert same_force(general, '<position joint="j" kp="100" kv="10" timeconst="0.01"/>')


def test_criterion_4_servo_without_its_input() -> None:
    """What the control means is all that a general actuator leaves open."""
    one = arrays(
        '<general joint="j" gainprm="100" biastype="affine" biasprm="0 -100 -10" '
        'dyntype="filterexact" dynprm="0.01"/>'
    )
    other = arrays('<position joint="j" kp="100" kv="10" timeconst="0.01"/>')
    differing = [name for name in DECIDING if not np.array_equal(one[name], other[name])]
    assert set(differing) <= {"actuator_ctrlspec"}


MUSCLE = "0.75 1.05 -1 200 0.5 1.6 1.5 0.6 1.4"


def test_criterion_5_muscle() -> None:
    general = (
        '<general joint="j" gaintype="muscle" biastype="muscle" dyntype="muscle" '
        f'gainprm="{MUSCLE}" biasprm="{MUSCLE}" dynprm="0.01 0.04 0" lengthrange="0 1"/>'
    )
    muscle = (
        '<muscle joint="j" timeconst="0.01 0.04" range="0.75 1.05" force="-1" scale="200" '
        'lmin="0.5" lmax="1.6" vmax="1.5" fpmax="0.6" fvmax="1.4" lengthrange="0 1"/>'
    )
    assert same_force(general, muscle)


def test_criterion_6_default_class() -> None:
    """8-AC6: types and parameters come from a class; the element's own win."""
    default = '<default class="d"><general gaintype="affine" gainprm="0 0 -10"/></default>'
    found = arrays('<general class="d" joint="j"/>', default)
    assert found["actuator_gaintype"] == Gain.AFFINE
    assert found["actuator_gainprm"][0].tolist() == padded(0, 0, -10)
    found = arrays('<general class="d" joint="j" gaintype="fixed" gainprm="3"/>', default)
    assert found["actuator_gaintype"] == Gain.FIXED
    # the tail is inherited, as in MuJoCo
    assert found["actuator_gainprm"][0].tolist() == padded(3, 0, -10)


def test_criterion_7_partial_parameters() -> None:
    """8-AC7: parameters that are not given are zero."""
    found = arrays('<general joint="j" gainprm="50"/>')
    assert found["actuator_gainprm"][0].tolist() == padded(50)


def test_criterion_8_default_time_constant() -> None:
    """8-AC8: one second."""
    found = arrays('<general joint="j" dyntype="filter"/>')
    assert found["actuator_dynprm"][0].tolist() == padded(1)


@pytest.mark.parametrize("attribute", ["gaintype", "biastype", "dyntype"])
def test_criterion_9_unknown_type(attribute: str) -> None:
    """8-AC9: the error lists the types that there are."""
    with pytest.raises(MjcfError, match=r"must be one of .*affine|must be one of .*filter") as bad:
        compiled(model(f'<general joint="j" {attribute}="invalid"/>'))
    error = bad.value
    assert (error.line, error.element, error.attribute) == (2, "general", attribute)
    assert error.got == "invalid"


def test_criterion_10_user_types_are_those_of_mujoco() -> None:
    """The criterion refuses them; MuJoCo 4.0 loads them for callbacks, and so do we."""
    found = arrays('<general joint="j" gaintype="user" biastype="user" dyntype="user"/>')
    assert found["actuator_gaintype"] == Gain.USER
    assert found["actuator_biastype"] == Bias.USER
    assert found["actuator_dyntype"] == Dynamics.USER


@pytest.mark.parametrize("attribute", ["gaintype", "biastype", "dyntype", "gainprm"])
@pytest.mark.parametrize("tag", ["motor", "position", "velocity", "damper", "cylinder", "muscle"])
def test_criterion_11_shortcuts_keep_their_types(tag: str, attribute: str) -> None:
    """The criterion ignores these attributes; MuJoCo refuses them, and nothing is ignored here."""
    value = "1" if attribute == "gainprm" else "affine"
    with pytest.raises(MjcfError, match=f"no attribute '{attribute}'") as bad:
        compiled(model(f'<{tag} joint="j" {attribute}="{value}"/>'))
    assert (bad.value.element, bad.value.attribute) == (tag, attribute)


@pytest.mark.parametrize(
    ("kind", "states"),
    [("none", 0), ("integrator", 1), ("filter", 1), ("filterexact", 1), ("muscle", 1)],
)
def test_criterion_12_dynamics_and_their_states(kind: str, states: int) -> None:
    """8-AC12: counts here, rates in step/actuation."""
    found = arrays(f'<general joint="j" dyntype="{kind}"/>')
    assert found["actuator_dyntype"] == Dynamics[kind.upper()]
    assert found["actuator_actnum"] == states
    assert (found["actuator_actadr"] == -1) == (states == 0)


def test_criterion_13_ten_parameters_are_kept() -> None:
    """The criterion drops the tenth; MuJoCo 4.0 keeps ten, and so do we; eleven are too many."""
    ten = " ".join(str(n) for n in range(1, 11))
    for name in ("gainprm", "biasprm", "dynprm"):
        found = arrays(f'<general joint="j" {name}="{ten}"/>')
        assert found[f"actuator_{name}"][0].tolist() == list(range(1, 11))
        with pytest.raises(MjcfError, match="1 to 10"):
            compiled(model(f'<general joint="j" {name}="{ten} 11"/>'))
