"""The sweep of worlds in lockstep, on a handful of models: it runs, and it is not fooled."""

from __future__ import annotations

import json

import numpy as np
import pytest
from rich.console import Console

from conformance import document
from conformance.cases import Case
from conformance.lanes import Lockstep, compare_lanes, lane_cases
from conformance.sweep import Sweep

pytestmark = pytest.mark.oracle
STEPS = 40


@pytest.fixture(scope="module")
def report() -> dict:
    sweep = Sweep(Console(quiet=True))
    sweep.lanes("random models", list(lane_cases(5002, 3)), STEPS)
    return json.loads(json.dumps(sweep.as_dict({"steps": 0, "states": 0})))


def test_every_bit_of_every_world(report):
    """Both integrators, several batches, no mismatch."""
    (run,) = report["lockstep"]
    assert run["mismatches"] == 0, run["examples"]
    assert run["models"] == 9 and set(run["integrators"]) == {"EULER", "RK4"}
    assert run["worlds"] >= 48 and run["numbers"] > run["comparisons"] > 0


def test_page_and_table_tell_of_it(report):
    report["trajectories"] = {}
    assert "## Worlds in lockstep" in document.page(report)
    console = Console(record=True, width=120, quiet=True)
    for table in document.summary(report):
        console.print(table)


def test_a_bit_is_noticed():
    """The sign of a zero is a difference, and so is a world that fails a step late."""
    found = Lockstep("x", 1)
    found.compare("here", "x", np.array([[1.0, 0.0]]), np.array([[1.0, -0.0]]))
    found.expect("there", ("InvalidPosition", "bad", 3), ("InvalidPosition", "bad", 4))
    assert found.mismatches == 2 and not found.ok
    assert "x number 1: -0.0 in lanes, 0.0 alone" in found.examples[0]


def test_nan_is_equal_to_itself():
    found = Lockstep("x", 1)
    found.compare("here", "x", np.array([[np.nan]]), np.array([[np.nan]]))
    assert found.ok


def test_a_model_that_does_not_load_is_reported():
    assert not compare_lanes([Case("bad", "<mujoco><oops/></mujoco>", 0)], 1).ok
