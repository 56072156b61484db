"""Sleep beside the integrator `discrete`, whose metric may couple trees asleep and awake."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import cortenforge as cf
from tests.step.sleeping.sleepers import FIELDS
from tests.step.stages import Pair, pair

#: a tree that never sleeps and one that may, with drives and tendons in and between them
COUPLED = """<mujoco><option gravity="0 0 0" integrator="discrete" timestep=".01" tolerance="1e-15">
<flag sleep="enable" constraint="{constraint}"/></option><worldbody>
<body name="a" sleep="{first}"><joint name="x" type="slide" axis="1 0 0" damping=".1"
range="-1 {most}"/><geom size=".1"/></body>
<body name="b" pos="0 1 0" sleep="{second}"><joint name="y" type="slide" axis="0 1 0" stiffness="1"
damping=".1"/><geom size=".1"/><body pos="0 .3 0"><joint name="z" axis="1 0 0" damping=".2"
stiffness="1"/><geom size=".08"/></body></body>
<body name="c" pos="3 0 0"><joint name="w" type="slide" axis="1 0 0"/><geom size=".1"/></body>
</worldbody>
<tendon><fixed name="t"><joint joint="x" coef="1"/><joint joint="y" coef="-1"/></fixed>
<fixed name="u" stiffness="2" damping=".3"><joint joint="y" coef="1"/><joint joint="z" coef="2"/>
</fixed></tendon><actuator>{drives}</actuator></mujoco>"""
WITHIN = '<position tendon="u" kp="3" kv=".2"/>'
BETWEEN = '<position joint="y" kp="3" kv=".2"/><position tendon="t" kp="1" kv=".3"/>'
FORCED = '<position tendon="t" kp="100" kv="30"/><motor joint="x"/>'
POLICIES = [("allowed", "allowed"), ("auto", "auto"), ("never", "allowed"), ("allowed", "init")]


def coupled(policies: tuple[str, str], drives: str, constraint: str = "enable", most: str = "1"):
    """Both engines in the scene, slowly moving."""
    first, second = policies
    text = COUPLED.format(
        constraint=constraint, first=first, second=second, drives=drives, most=most
    )
    both = pair(text)
    for data in (both.data, both.theirs):
        data.qvel[:] = 2e-4
        data.qvel[-1] = 0.01
    return both


def compare(both: Pair, number: int) -> None:
    """Fields are MuJoCo's, to nine digits of what is slow here."""
    for name in (*FIELDS, "qfrc_constraint"):
        ours, theirs = (np.ravel(getattr(one, name)) for one in (both.data, both.theirs))
        size = max(1e-5, float(np.abs(theirs).max(initial=0)))
        np.testing.assert_allclose(ours, theirs, 0, 1e-9 * size, err_msg=f"{name} {number}")


@pytest.mark.parametrize("constraint", ["enable", "disable"])
@pytest.mark.parametrize("drives", ["", WITHIN, BETWEEN], ids=["none", "within", "between"])
@pytest.mark.parametrize("policies", POLICIES, ids="-".join)
def test_trees_that_are_coupled(policies, drives, constraint):
    """Those awake go on as if sleepers were free; sleepers keep the acceleration they had.

    Where a tree falls asleep, others end the step with what they feel then.
    """
    both = coupled(policies, drives, constraint)
    slept = 0
    for number in range(60):
        both.step()
        compare(both, number)
        slept += int((both.data.tree_asleep >= 0).any())
    assert slept or policies == ("auto", "auto")


def test_lanes_have_the_bits_of_single_worlds():
    """Some worlds asleep, some awake, with a coupling between."""
    model = coupled(("never", "allowed"), BETWEEN).model
    batch = cf.BatchSim(model, 9)
    worlds = [model.make_data() for _ in range(9)]
    for i, data in enumerate(worlds):
        data.qvel[:] = batch.qvel[i] = 2e-4 * (1 + i)
    for _ in range(4):
        batch.step_all(7)
        for i, data in enumerate(worlds):
            data.step(7)
            for name in ("qpos", "qvel", "tree_asleep", "resting_qacc"):
                assert getattr(batch.env(i), name).tobytes() == getattr(data, name).tobytes(), name
    asleep = [bool((data.tree_asleep >= 0).any()) for data in worlds]
    assert any(asleep) and not all(asleep)


def test_a_sleeper_tied_to_what_is_constrained():
    """MuJoCo's Newton stops there for good. Here, the sleeper stays, and holds nothing."""
    both = coupled(("never", "init"), FORCED, most=".0001")
    for data in (both.data, both.theirs):
        data.qvel[:], data.ctrl[:] = 0.0, (0.0, 3.0)
    with pytest.raises(mujoco.FatalError, match="spans islands"):
        for _ in range(10):
            mujoco.mj_step(both.reference, both.theirs)
    both.data.step(400)
    assert both.data.tree_asleep[1] >= 0 and both.data.nefc == 1
    # at rest, forces balance: the motor, the drive and the limit
    qfrc = both.data.qfrc_smooth[0] + both.data.qfrc_constraint[0]
    assert abs(qfrc) < 1e-6 and both.data.qfrc_constraint[0] < -2.9
