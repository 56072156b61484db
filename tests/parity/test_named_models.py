"""Models that anyone would try first load, and are MuJoCo's.

Models of our own have what those have, and are always there. The public ones themselves are skipped
where they are not at hand, and the skip says where they come from.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conformance import urdf
from conformance.cases import packages_folder
from conformance.corpus import Entry, collections, load_both
from cortenforge.compare import load_reference, mujoco_module

pytestmark = pytest.mark.oracle
#: joints and actuators of the suite's models, so that a file of the same name cannot stand in
SUITE = {"cartpole": (2, 1), "acrobot": (2, 1), "humanoid": (22, 21)}
#: a robot, the name of its file, and its moving joints: seven and two fingers; six
ROBOTS = {"Panda": ("panda", 9), "UR5": ("ur5_robot", 6)}


MODELS = Path(__file__).with_name("models")
#: joints and actuators of models with what the suite's have; joints of robots with what those have
LIKE_THE_SUITE = {"cart_on_a_rail": (2, 1), "two_links": (2, 1), "person": (11, 10)}
LIKE_THE_ROBOTS = {"arm_of_seven": 9, "arm_of_six": 6}


@pytest.mark.parametrize("name", LIKE_THE_SUITE)
def test_model_like_those_of_the_control_suite(name):
    """002-I1: what cartpole, acrobot and humanoid have loads and moves as in MuJoCo."""
    entry = Entry(name, MODELS / f"{name}.xml")
    loaded = load_both(entry, rounds=1)
    assert (loaded.refused, loaded.differing, loaded.mujoco_error) == ("", [], "")
    model = entry.ours()
    assert (model.njnt, model.nu) == LIKE_THE_SUITE[name]
    check_motion(model, load_reference(entry.source))


@pytest.mark.parametrize("name", LIKE_THE_ROBOTS)
def test_robot_like_those_in_urdf(name):
    """002-I2: what Panda and UR5 have loads from URDF, every field as MuJoCo's."""
    outcome = urdf.compare_robot(MODELS / "arm_description" / "urdf" / f"{name}.urdf")
    assert outcome.equal, outcome.result
    assert outcome.model.njnt == LIKE_THE_ROBOTS[name]
    assert outcome.model.nmesh >= 1
    # a finger that mimics the other
    assert outcome.model.neq == (name == "arm_of_seven")


def check_motion(model, reference):
    """Fifty steps with some control are MuJoCo's."""
    mujoco, rng = mujoco_module(), np.random.default_rng(0)
    ours, theirs = model.make_data(), mujoco.MjData(reference)
    for _ in range(50):
        ours.ctrl[:] = theirs.ctrl[:] = rng.uniform(-1, 1, model.nu)
        ours.step()
        mujoco.mj_step(reference, theirs)
    np.testing.assert_allclose(ours.qpos, theirs.qpos, rtol=0, atol=1e-9)
    np.testing.assert_allclose(ours.sensordata, theirs.sensordata, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", SUITE)
def test_model_of_the_control_suite(name):
    """002-I1: cartpole, acrobot and humanoid of dm_control load, every field as MuJoCo's."""
    suite = next(part for part in collections() if part.title == "dm_control's suite")
    if suite.missing:
        pytest.skip(f"{suite.missing}: `make packages` fetches it")
    entry = next(one for one in suite.entries if one.name == f"{name}.xml")
    loaded = load_both(entry, rounds=1)
    assert (loaded.refused, loaded.differing, loaded.mujoco_error) == ("", [], "")
    model = entry.ours()
    assert (model.njnt, model.nu) == SUITE[name]


@pytest.mark.parametrize("name", ROBOTS)
def test_robot_in_urdf(name):
    """002-I2: Panda and UR5 load from URDF, every field as MuJoCo's."""
    stem, joints = ROBOTS[name]
    places = [*urdf.robots(), *urdf.robots([packages_folder()])]
    found = [place for place in places if place[0].stem == stem]
    if not found:
        pytest.skip(
            f"no {stem}.urdf: the package example-robot-data has it; unpack it in out/packages, "
            f"or name its folder in {urdf.VARIABLE}"
        )
    outcome = urdf.compare_robot(*found[0])
    assert outcome.equal, outcome.result
    assert outcome.model.njnt == joints
