"""The benchmark of load times measures every kind of load."""

from __future__ import annotations

import os
from dataclasses import asdict

import pytest

pytest.importorskip("mujoco")
pytestmark = pytest.mark.oracle


def test_load_time(tmp_path) -> None:
    from benchmarks.load import SWITCH, load_time

    path = tmp_path / "model.xml"
    path.write_text("<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>")
    before = os.environ.get(SWITCH)
    found = asdict(load_time(path, rounds=1, name="one ball"))
    assert found.pop("model") == "one ball"
    assert all(time > 0 for time in found.values())
    assert os.environ.get(SWITCH) == before
