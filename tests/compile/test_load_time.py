"""The benchmark of load times measures every kind of load."""

from __future__ import annotations

import os
from dataclasses import asdict

import pytest

pytest.importorskip("mujoco")
pytestmark = pytest.mark.oracle


def test_load_time(tmp_path) -> None:
    from benchmarks.load import VARIABLES, load_time, table_of

    path = tmp_path / "model.xml"
    path.write_text("<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>")
    before = {name: os.environ.get(name) for name in VARIABLES}
    time = load_time(path, rounds=1, name="one ball")
    found = asdict(time)
    assert found.pop("model") == "one ball"
    assert all(0 < time < float("inf") for time in found.values())
    assert {name: os.environ.get(name) for name in VARIABLES} == before
    assert table_of([time]).row_count == 1


def test_criteria_of_loads() -> None:
    from benchmarks.criteria import load_criteria

    large = {"model": "a", "theirs_first": 30.0, "theirs_again": 10.0}
    large |= {"ours_first": 29.0, "ours_again": 9.0}
    small = {"model": "b", "theirs_first": 3.0, "theirs_again": 1.0, "ours_again": 4.0}
    slow = [{**large, "ours_again": 11.0}, {**small, "ours_again": 6.0}]
    assert all(one.met for one in load_criteria([large, small]))
    assert [one.met for one in load_criteria(slow)] == [True, False, False]
    assert [one.met for one in load_criteria([{**large, "ours_first": 31.0}])] == [False, True]
