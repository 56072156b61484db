"""`python -m benchmarks.derivatives`: A and B of a step, in terms of MuJoCo's steps.

By turns with MuJoCo in one process, on the processor's clock, from states along a simulation; the
least of many. Errors are against differences of our own step that are extrapolated to no distance,
relative to the largest entry. Updates the part `derivatives` of `benchmarks/results.json`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import cortenforge as cf
from benchmarks.contact import subjects
from benchmarks.criteria import all_met, derivative_criteria
from benchmarks.machine import RESULTS, machine
from benchmarks.subjects import pendulum
from cortenforge.cli.screen import Screen
from cortenforge.compare import load_reference
from cortenforge.enums import Integrator

__all__ = ["Derived", "main", "measure", "measure_all", "table_of"]

#: models in contact, the keyframe at which each begins, and steps before its derivatives are taken
STATES: tuple[tuple[str, str, int | None, int], ...] = (
    ("humanoid standing", "humanoid", 1, 30),
    ("humanoid squatting", "humanoid", 0, 30),
    ("humanoid lying", "humanoid", None, 600),
    ("ant", "ant", None, 100),
    ("G1", "G1", None, 100),
    ("anymal", "anymal", None, 100),
)
METHODS = ("fd", "hybrid", "auto")
FIELDS = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart")
ROUNDS, CALLS = 20, 4
EPS = 1e-6


@dataclass(frozen=True)
class Derived:
    """One state: microseconds of MuJoCo's step, and derivatives in such steps.

    theirs:  of mjd_transitionFD, to one side and centred.
    steps:   by method, to one side and centred.
    errors:  the same for errors of A; `theirs_errors` of MuJoCo's.
    """

    name: str
    nv: int
    nu: int
    contacts: int
    step_us: float
    theirs: list[float]
    steps: dict[str, list[float]]
    errors: dict[str, list[float]]
    theirs_errors: list[float]


def worlds(source: str | Path, key: int | None, before: int) -> tuple[cf.Data, Any, Any]:
    """The same state in both engines; by Euler's method for RK4, which MuJoCo does not derive."""
    reference, model = load_reference(source), cf.Model.from_mjcf(source)
    if model.opt.integrator == Integrator.RK4:
        reference.opt.integrator = model.opt.integrator = int(Integrator.EULER)
    theirs = mujoco.MjData(reference)
    if key is not None and reference.nkey > key:
        mujoco.mj_resetDataKeyframe(reference, theirs, key)
    mujoco.mj_step(reference, theirs, before)
    data = model.make_data()
    take(data, theirs)
    return data, reference, theirs


def take(data: cf.Data, theirs: Any) -> None:
    """Take a state of MuJoCo's."""
    for name in FIELDS:
        getattr(data, name)[:] = getattr(theirs, name)


def least(turns: dict[Any, Callable[[], object]], before: Callable[[], None]) -> dict[Any, float]:
    """The least time of each, taking turns of several calls, so that caches are warm.

    before: makes the state what it was; not timed.
    """
    best = dict.fromkeys(turns, np.inf)
    for _ in range(ROUNDS):
        for name, turn in turns.items():
            for _ in range(CALLS):
                before()
                begin = time.thread_time()
                turn()
                best[name] = min(best[name], time.thread_time() - begin)
    return best


def measure(name: str, source: str | Path, key: int | None, before: int) -> Derived:
    """One state."""
    data, reference, theirs = worlds(source, key, before)
    n = 2 * reference.nv + reference.na
    A, B = np.zeros((n, n)), np.zeros((n, reference.nu))
    start = [getattr(theirs, field).copy() for field in FIELDS]

    def before_turn() -> None:
        for field, values in zip(FIELDS, start, strict=True):
            getattr(theirs, field)[:] = values

    turns: dict[Any, Callable[[], object]] = {"step": partial(mujoco.mj_step, reference, theirs)}
    for centered in (False, True):
        turns["theirs", centered] = partial(
            mujoco.mjd_transitionFD, reference, theirs, EPS, centered, A, B, None, None
        )
        for method in METHODS:
            config = cf.DerivativeConfig(EPS, centered, method, sensors=False)
            turns[method, centered] = partial(data.transition_derivatives, config)
    best = least(turns, before_turn)
    us = best["step"]
    errors, their_errors = accuracy(data, reference, theirs, start)
    return Derived(
        name,
        int(reference.nv),
        int(reference.nu),
        int(data.ncon) if data.ncon else int(theirs.ncon),
        1e6 * us,
        [best["theirs", centered] / us for centered in (False, True)],
        {method: [best[method, c] / us for c in (False, True)] for method in METHODS},
        errors,
        their_errors,
    )


def accuracy(
    data: cf.Data, reference: Any, theirs: Any, start: Sequence[np.ndarray]
) -> tuple[dict[str, list[float]], list[float]]:
    """Errors of A by each method, with solvers that go on until nothing changes."""
    data.model.opt.tolerance = reference.opt.tolerance = 0.0
    truth = extrapolated(data)
    scale = np.abs(truth).max()
    errors = {
        method: [
            off(
                data.transition_derivatives(cf.DerivativeConfig(EPS, c, method, sensors=False)).A,
                truth,
                scale,
            )
            for c in (False, True)
        ]
        for method in METHODS
    }
    A, B = np.zeros(truth.shape), np.zeros((len(truth), reference.nu))
    found = []
    for centered in (False, True):
        for field, values in zip(FIELDS, start, strict=True):
            getattr(theirs, field)[:] = values
        mujoco.mj_forward(reference, theirs)
        mujoco.mjd_transitionFD(reference, theirs, EPS, centered, A, B, None, None)
        found.append(off(A, truth, scale))
    return errors, found


def off(A: np.ndarray, truth: np.ndarray, scale: float) -> float:
    """How far a matrix is off, relative to the largest entry."""
    return float(np.abs(A - truth).max() / scale)


def extrapolated(data: cf.Data, eps: float = 4e-6) -> np.ndarray:
    """A by differences at three distances, extrapolated to none."""
    one, two, four = (
        data.transition_derivatives(cf.DerivativeConfig(eps / k, method="fd", sensors=False)).A
        for k in (1, 2, 4)
    )
    first, second = (4 * two - one) / 3, (4 * four - two) / 3
    found: np.ndarray = (16 * second - first) / 15
    return found


def chain_ms() -> float:
    """Milliseconds of differences of six links, by the wall."""
    data = cf.Model.from_mjcf(pendulum(6)).make_data()
    data.qvel[:] = 1.0
    config = cf.DerivativeConfig(method="fd")
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        data.transition_derivatives(config)
        times.append(time.perf_counter() - begin)
    return 1e3 * min(times)


def table_of(rows: Sequence[dict[str, Any]]) -> Table:
    """What was measured."""
    heads = [f"{method}{side}" for method in ("MuJoCo", *METHODS) for side in ("", " 2")]
    table = Table(
        "state", "dofs", "contacts", "step us", *heads,
        title="A and B, in MuJoCo's steps: to one side, and (2) to both",
    )  # fmt: skip
    for row in rows:
        numbers = [*row["theirs"], *(x for method in METHODS for x in row["steps"][method])]
        cells = [f"{x:.1f}" for x in (row["step_us"], *numbers)]
        table.add_row(row["name"], str(row["nv"]), str(row["contacts"]), *cells)
    return table


def measure_all(console: Console) -> dict[str, Any]:
    """Everything that this machine has, as plain numbers."""
    sources = {crowd.name: crowd.source for crowd in subjects()[0]}
    states = [state for state in STATES if state[1] in sources]
    rows = [
        asdict(measure(name, sources[model], key, before))
        for name, model, key, before in track(states, "derivatives", console=console)
    ]
    missing = sorted({state[1] for state in STATES} - set(sources))
    return {"rows": rows, "missing": missing, "chain_ms": chain_ms()}


def main() -> int:
    """Measure, print, write; 1 if a criterion is missed."""
    console = Screen()
    found = measure_all(console)
    console.print(table_of(found["rows"]))
    for name in found["missing"]:
        console.print(f"[yellow]not measured[/]: {name}, which this machine lacks")
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results |= {"machine": machine(), "derivatives": found}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all_met(derivative_criteria(found), console) else 1


if __name__ == "__main__":
    raise SystemExit(main())
