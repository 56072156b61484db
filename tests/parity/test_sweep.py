"""The sweep itself, on a handful of models: it runs, it reports, it is not fooled."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from conformance import document, trajectory
from conformance.cases import Case, smooth_cases
from conformance.fieldwise import sweep_fields
from conformance.sweep import Sweep
from conformance.trajectory import Track

pytestmark = pytest.mark.oracle
SETTINGS = {"steps": 20, "states": 1}


@pytest.fixture(scope="module")
def report() -> dict:
    sweep = Sweep(Console(quiet=True))
    sweep.fields("random models", list(smooth_cases(4000, 3)), states=1)
    for integrator in ("Euler", "RK4"):
        sweep.trajectories(
            integrator, list(smooth_cases(4000, 2, integrator)), trajectory.Course(20)
        )
    return sweep.as_dict(SETTINGS)


def test_report_is_plain_json(report):
    assert json.loads(json.dumps(report))["mujoco"] == report["mujoco"]


def test_page_names_every_part(report):
    text = document.page(report)
    for heading in ("# Conformance", "## Fields", "## Trajectories", "## Largest error"):
        assert heading in text


def test_tables_render(report):
    console = Console(record=True, width=120, file=io.StringIO())
    for table in document.summary(report):
        console.print(table)
    shown = console.export_text()
    (fields,) = report["fields"]
    assert f"{fields['compared']}" in next(
        line for line in shown.splitlines() if "random models" in line
    )
    for integrator in ("Euler", "RK4"):
        assert " 20 " in next(line for line in shown.splitlines() if f" {integrator} " in line)


def test_our_own_models_may_not_be_refused():
    """A foreign model with an unknown element is set aside; one of ours is a failure."""
    case = Case("bad", "<mujoco><worldbody><nonsense/></worldbody></mujoco>", 0)
    assert sweep_fields("x", [case], 1, foreign=True).refused
    assert sweep_fields("x", [case], 1, foreign=False).differing


def test_a_lost_track_is_only_excused_by_chaos():
    lost = Track("a", error=1e-3, lost_at=200, chaos_error=1e-12, chaos_at=None)
    assert not lost.ok
    assert Track("a", 1e-3, 200, 1e-3, 210).ok
    assert not Track("a", 1e-3, 100, 1e-3, 400).ok


def test_a_track_that_fails_is_reported():
    (track,) = trajectory.track_all(
        [Case("bad", "<mujoco><oops/></mujoco>", 0)], trajectory.Course(10)
    )
    assert track.failure
    assert not track.ok
