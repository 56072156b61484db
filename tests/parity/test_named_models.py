"""Models that anyone would try first load, and are MuJoCo's; skipped where they are not at hand."""

from __future__ import annotations

import pytest

from conformance import urdf
from conformance.cases import packages_folder
from conformance.corpus import collections, load_both

pytestmark = pytest.mark.oracle
#: joints and actuators of the suite's models, so that a file of the same name cannot stand in
SUITE = {"cartpole": (2, 1), "acrobot": (2, 1), "humanoid": (22, 21)}
#: a robot, the name of its file, and its moving joints: seven and two fingers; six
ROBOTS = {"Panda": ("panda", 9), "UR5": ("ur5_robot", 6)}


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
