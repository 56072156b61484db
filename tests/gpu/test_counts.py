"""What a step of the humanoid takes on a device: the committed table, and its limits."""

from __future__ import annotations

import json

import pytest

from conformance.gpu_counts import TABLE, measure

#: a driver rounds otherwise, and the solver takes another round in a few worlds
ROUNDING = 0.05


@pytest.fixture(scope="module")
def counted(gpu) -> dict:
    """Counts of this device."""
    return measure()


def test_the_table_is_that_of_the_shaders(counted):
    """`python -m conformance.gpu_counts` updates it."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    for name in ("bytes_per_world", "dispatches"):
        assert counted[name] == table[name], name
    for name in ("data_bytes", "model_bytes", "most_turns"):
        assert counted[name] == pytest.approx(table[name], rel=ROUNDING), name
    for found, expected in zip(counted["shaders"], table["shaders"], strict=True):
        assert found["name"] == expected["name"]
        assert found["turns"] == pytest.approx(expected["turns"], rel=ROUNDING)


def test_a_step_keeps_within_limits(counted):
    """Dispatches, memory of a world, turns that a software driver allows a shader, accesses."""
    assert counted["dispatches"] <= 40
    assert counted["bytes_per_world"] <= 100_000
    assert counted["most_turns"] <= 60_000
    # half of it is the solver's
    assert counted["data_bytes"] <= 340_000
