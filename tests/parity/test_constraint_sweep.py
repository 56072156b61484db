"""Parts of the sweep about constraints, on a handful of models: they hold, and are not fooled."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from rich.console import Console

import cortenforge as cf
from conformance import document
from conformance.cases import Case, handmade_cases, load_both, random_cases
from conformance.findings import Finding
from conformance.hostile import HOSTILE, Trial, deep, endure
from conformance.integrators import step_constrained, step_smooth
from conformance.lanes import compare_lanes
from conformance.rows import compare_rows
from conformance.solutions import outside, recover_forces, solve_all
from conformance.stepping import step_all
from conformance.sweep import Sweep
from conformance.trajectory import Course, follow, track_all

pytestmark = pytest.mark.oracle
SEEDS = (6000, 8)
NEAR = Course(20, chunk=2, tolerance=1e-6, near=True)
BALL = '<body pos="0 0 .0995"><freejoint/><geom size=".1"/></body>'
FLOOR = '<geom type="plane" size="1 1 1"/>'


def assert_holds(found: Finding) -> None:
    """Something was compared, and nothing differs."""
    assert found.compared > 0 and found.ok, found.examples


def test_rows():
    """Random models and those made by hand, with either cone."""
    found = compare_rows("rows", [*random_cases(*SEEDS), *handmade_cases()], states=2)
    assert_holds(found)
    assert found.compared > 500


def test_solvers():
    """000.3-AC1, 000.3-AC3: each solver as near as MuJoCo's, Newton to 1e-8."""
    found = solve_all("solvers", random_cases(*SEEDS), states=1)
    assert_holds(found)
    assert found.notes["PGS solves"] == found.notes["CG solves"] > 20


def test_forces_outside_of_their_bounds():
    """Contacts that pull, friction beyond its cone, friction loss beyond its bound."""
    arm = '<body pos="1 0 1"><joint frictionloss=".1" range="10 20"/><geom size=".1"/></body>'
    text = "<mujoco><option cone='{}'/><worldbody>{}</worldbody></mujoco>"
    for cone in ("pyramidal", "elliptic"):
        data = cf.Model.from_mjcf(text.format(cone, FLOOR + BALL + arm)).make_data()
        data.qvel[:] = 0.2
        data.forward()
        assert (data.nf, data.nl) == (1, 1) and outside(data) <= 1e-12 < data.efc_force.max()
        contact = 2 if cone == "pyramidal" else 3
        for row, wrong in ((0, 0.2), (1, -1.0), (contact, 1e3 if contact == 3 else -1.0)):
            kept = data.efc_force[row]
            data.efc_force[row] = wrong
            assert outside(data) > 1e-3
            data.efc_force[row] = kept
        assert outside(data) <= 1e-12


def test_forward_and_inverse():
    """Inverse dynamics gives applied forces back, from contacts of our own."""
    assert_holds(recover_forces("inverse", random_cases(*SEEDS), states=1))


def test_trajectories():
    """20 steps of random models with constraints stay within 1e-6 of MuJoCo."""
    tracks = list(track_all(random_cases(*SEEDS), NEAR, foreign=True))
    assert all(track.ok for track in tracks), [track for track in tracks if not track.ok]
    assert sum(track.tracked for track in tracks) >= 4


def test_lockstep():
    """Worlds in lockstep with contacts, limits and equalities have the bits of worlds alone."""
    found = compare_lanes(random_cases(6001, 2), 10)
    assert found.models == 2 and found.ok, found.examples


def test_solvers_that_are_cut_short_are_run_again():
    """After one iteration of Newton's method engines are not at the same place."""
    bodies = "".join(
        f'<body pos="0 0 {0.0995 + 0.199 * k}"><freejoint/><geom size=".1" condim="6"/></body>'
        for k in range(3)
    )
    option = '<option iterations="1" ls_iterations="2"/>'
    text = f"<mujoco>{option}<worldbody>{FLOOR}{bodies}</worldbody></mujoco>"
    track = follow(Case("stack", text, 1), NEAR)
    assert track.tracked


def test_every_model_runs():
    """What MuJoCo steps is stepped; what explodes only here, or stops otherwise, is counted."""
    found = step_all("steps", random_cases(*SEEDS), steps=20)
    assert_holds(found)
    assert found.models == SEEDS[1]


def test_models_that_do_not_run_are_counted(monkeypatch):
    cases = [Case("ball", f"<mujoco><worldbody>{FLOOR}{BALL}</worldbody></mujoco>", 0)]
    monkeypatch.setattr(cf.Data, "step", lambda data, count: data.qpos.fill(np.nan))
    assert step_all("x", cases, steps=3).wrong == 1

    def explode(data, count):
        raise cf.InvalidAcceleration("x")

    monkeypatch.setattr(cf.Data, "step", explode)
    assert step_all("x", cases, steps=3).wrong == 1


@pytest.mark.parametrize("kind", ["deep", *HOSTILE])
def test_hostile(kind):
    """Deep inside of others, heavy on light, stiff, contradicting, moving nothing, singular."""
    found = endure(kind, deep(60) if kind == "deep" else HOSTILE[kind](12))
    assert_holds(found)


def test_what_is_wrong_is_counted(monkeypatch):
    """A world that ends with a number that is not finite, a number out of bounds, a crash."""
    found = Finding("x", "numbers")
    found.hold("a", 2e-8, 1e-8)
    found.hold("b", float("nan"), 1e-8)
    found.hold("c", 1e-9, 1e-8)
    assert found.wrong == 2 and found.compared == 3 and found.worst == 1e-9 and not found.ok
    text = f"<mujoco><worldbody>{BALL}</worldbody></mujoco>"
    monkeypatch.setattr(cf.Data, "step", lambda data, count: np.divide(data.qacc, 0, out=data.qacc))
    with np.errstate(all="ignore"):
        assert not endure("x", [Trial("ball", text)]).ok
    assert not compare_rows("x", [Case("bad", "<mujoco/", 0)], 1).models


def test_report_tells_of_them():
    """The page and the table name every part."""
    sweep = Sweep(Console(quiet=True))
    text = f"<mujoco><worldbody>{FLOOR}{BALL}</worldbody></mujoco>"
    for title, look in {"rows": compare_rows, "solvers": solve_all}.items():
        sweep.constraints(title, [Case("ball", text, 0)], lambda t, c, look=look: look(t, c, 1))
    report = json.loads(json.dumps(sweep.as_dict({})))
    page = document.page(report)
    assert report["ok"] and "## Constraints" in page
    console = Console(record=True, width=120, file=io.StringIO())
    for table in document.summary(report):
        console.print(table)
    shown = console.export_text()
    for run in report["constraints"]:
        assert run["compared"] > 0
        count = f"{run['compared']:,} {run['unit']}"
        (line,) = [line for line in shown.splitlines() if f" {run['title']} " in line]
        assert count in line
        (row,) = [line for line in page.splitlines() if line.startswith(f"| {run['title']} |")]
        assert f"{run['compared']:,}" in row


@pytest.mark.parametrize("look", [step_smooth, step_constrained])
def test_steps_of_every_integrator(look):
    """13-AC6, 13-AC7: the next state, with and without constraints."""
    assert_holds(look("steps", random_cases(*SEEDS), 1))


def test_steps_of_another_model_are_found(monkeypatch):
    """With other damping, every integrator ends elsewhere."""
    text = """<mujoco><worldbody><body><joint axis="0 1 0" damping="1"/><geom size=".1"
    pos=".3 0 0"/></body></worldbody></mujoco>"""
    case = Case("damped", text, 1)
    assert_holds(step_smooth("one", [case], 1))

    def other(case: Case) -> tuple:
        model, reference = load_both(case)
        model.dof_damping[:] = 2.0
        return model, reference

    monkeypatch.setattr("conformance.integrators.load_both", other)
    # of each integrator at least the velocity, and of two their derivative
    assert step_smooth("one", [case], 1).wrong >= 7
