"""Contacts of public models against MuJoCo's: at rest, at keyframes, in random states."""

from __future__ import annotations

import pytest

from conformance.cases import public_cases, public_folder
from conformance.collision import Both, compare_states

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(public_folder() is None, reason="the folder of public models is not there"),
]
#: models whose contacts are all known, of many kinds
NAMES = (
    "mujoco/humanoid/humanoid.xml",
    "mujoco/humanoid/22_humanoids.xml",
    "mujoco/hammock/hammock.xml",
    "mujoco/replicate/newton_cradle.xml",
)
CASES = {case.name: case for case in public_cases()}


@pytest.mark.parametrize("name", [name for name in NAMES if name in CASES])
def test_public_models_have_mujocos_contacts(name):
    case = CASES[name]
    found, wrong = compare_states(Both(case.source), case.seed, 3)
    assert found and not wrong, wrong[:2]
