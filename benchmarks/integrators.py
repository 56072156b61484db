"""`python -m benchmarks.integrators`: what integrators cost, against MuJoCo's and against Euler.

Robots that ask for `implicitfast` step by it, on their floors, in turns with MuJoCo. The humanoid
and a pendulum of ten links take the same steps by every integrator, in turns, from the same states.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import cortenforge as cf
from benchmarks.contact import measure
from benchmarks.criteria import all_met, integrator_criteria
from benchmarks.crowds import Crowd
from benchmarks.subjects import HUMANOID, menagerie_file, pendulum
from cortenforge.cli.screen import Screen
from cortenforge.enums import Integrator

__all__ = ["main", "measure_all"]

#: in the Menagerie; all of them ask for implicitfast
ROBOTS = {
    "H1": "unitree_h1/scene.xml",
    "G1": "unitree_g1/scene.xml",
    "panda": "franka_emika_panda/scene.xml",
    "shadow hand": "shadow_hand/scene_right.xml",
}
#: states from which steps are timed, steps of a turn, repetitions
STATES, STEPS, REPEATS = 8, 40, 9


def measure_all(console: Console) -> dict[str, Any]:
    """Everything, as plain numbers."""
    files = {name: menagerie_file(path) for name, path in ROBOTS.items()}
    here = [Crowd(name, file) for name, file in files.items() if file is not None]
    robots = [
        asdict(measure(crowd, Integrator.IMPLICITFAST))
        for crowd in track(here, "implicitfast against MuJoCo", console=console)
    ]
    return {
        "robots": robots,
        "costs": {"humanoid": costs(HUMANOID.read_text()), "pendulum 10": costs(pendulum(10))},
        "missing": [name for name, file in files.items() if file is None],
    }


def costs(text: str) -> dict[str, float]:
    """Microseconds a step of each integrator, from states of one simulation."""
    model = cf.Model.from_mjcf(text)
    starts = _starts(model)
    best = {kind.name.lower(): np.full(STATES, np.inf) for kind in Integrator}
    for _ in range(REPEATS):
        for kind in Integrator:
            model.opt.integrator = int(kind)
            data = model.make_data()
            data.step()
            for number, state in enumerate(starts):
                data.set_state(state)
                begin = time.thread_time()
                data.step(STEPS)
                found = (time.thread_time() - begin) / STEPS
                times = best[kind.name.lower()]
                times[number] = min(times[number], found)
    return {name: 1e6 * float(times.mean()) for name, times in best.items()}


def _starts(model: cf.Model) -> list[Any]:
    """States along a run that starts with a push."""
    data = model.make_data()
    data.qvel[:] = 0.3 * np.random.default_rng(0).normal(size=model.nv)
    found = []
    for _ in range(STATES):
        data.step(50)
        found.append(data.get_state())
    return found


def tables(results: dict[str, Any]) -> list[Table]:
    """What was found, for people."""
    robots = Table("robot", "dofs", "rows", "MuJoCo us", "ours us", "ratio", title="implicitfast")
    for row in results["robots"]:
        times = (f"{row[name]:.1f}" for name in ("rows", "theirs_us", "ours_us"))
        robots.add_row(row["name"], str(row["nv"]), *times, f"{row['ratio']:.2f}")
    shares = Table("model", *(kind.name.lower() for kind in Integrator), title="over Euler")
    for name, found in results["costs"].items():
        shares.add_row(name, *(f"{value / found['euler']:.2f}" for value in found.values()))
    return [robots, shares]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; exit status 1 when a criterion is missed."""
    console = Screen()
    results = measure_all(console)
    for table in tables(results):
        console.print(table)
    for name in results["missing"]:
        console.print(f"[yellow]not measured[/]: {name}, which this machine lacks")
    return 0 if all_met(integrator_criteria(results), console) else 1


if __name__ == "__main__":
    raise SystemExit(main())
