"""`python -m benchmarks.step`: steps a second against MuJoCo, calls, start-up, memory, batches,
collisions, contact, derivatives, the viewer, deformables, a GPU, loads.

Prints tables, writes `benchmarks/results.json` and pictures: `speed.png`, `throughput.png`,
`collision.png` and `deformables_speed.png` in `docs/images`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import mujoco
from rich.console import Console
from rich.progress import track

from benchmarks import (
    batch,
    contact,
    deformables,
    derivatives,
    gpu,
    integrators,
    load,
    lockstep,
    small_calls,
    viewer,
)
from benchmarks.allocation import allocations
from benchmarks.collision import measure_all
from benchmarks.criteria import all_met, criteria
from benchmarks.machine import RESULTS, ROOT, machine
from benchmarks.race import call_overhead, race
from benchmarks.start import start_times
from benchmarks.subjects import INTEGRATORS, missing_subjects, subjects
from benchmarks.tables import tables
from cortenforge.cli.screen import Screen

__all__ = ["main", "measure"]

FIGURE = ROOT / "docs" / "images" / "speed.png"


def measure(rounds: int, *, starts: bool, console: Console) -> dict[str, Any]:
    """Everything, as plain numbers."""
    field = subjects()
    runs = [
        (subject, integrator)
        for integrator in INTEGRATORS
        for subject in field
        if integrator in subject.integrators
    ]
    races = [
        asdict(race(subject, integrator, rounds))
        for subject, integrator in track(runs, "racing MuJoCo", console=console)
    ]
    results = {
        "machine": machine(),
        "mujoco": mujoco.__version__,
        "rounds": rounds,
        "races": races,
        "missing": missing_subjects(),
        "calls": [asdict(call_overhead(subject)) for subject in field if subject.most is None],
        "allocations": [asdict(allocations(subject)) for subject in field if subject.most is None],
        "small_calls": small_calls.measure(),
        "batch": batch.measure(rounds, console),
        "collision": measure_all(console),
        "contact": contact.measure_all(console),
        "contact_batch": lockstep.measure_all(console),
        "integrators": integrators.measure_all(console),
        "derivatives": derivatives.measure_all(console),
        "viewer": viewer.measure(),
        "deformables": deformables.measure(),
        "gpu": gpu.measure(),
        "loads": load.measure(console),
    }
    if starts:
        with console.status("starting fresh processes, one with an empty cache"):
            results["starts"] = [asdict(start) for start in start_times()]
    return results


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write; exit status 1 when a criterion is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.step", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="rounds of 4 starts a model")
    parser.add_argument("--no-start", dest="starts", action="store_false", help="skip start-up")
    parser.add_argument("--no-write", dest="write", action="store_false", help="only print")
    options = parser.parse_args(arguments)
    console = Screen()
    results = measure(options.rounds, starts=options.starts, console=console)
    for table in tables(results):
        console.print(table)
    for name in results["missing"]:
        console.print(f"[yellow]not raced[/]: {name}, which CORTENFORGE_MENAGERIE would have")
    for part in ("collision", "contact"):
        for name in results[part]["missing"]:
            console.print(f"[yellow]not measured[/]: {part} of {name}, which this machine lacks")
    console.print(lockstep.table_of(results["contact_batch"]["rows"]))
    for table in integrators.tables(results["integrators"]):
        console.print(table)
    for name in results["integrators"]["missing"]:
        console.print(f"[yellow]not measured[/]: implicitfast on {name}, which this machine lacks")
    for name in results["contact_batch"]["missing"]:
        console.print(f"[yellow]not measured[/]: worlds of {name}, which this machine lacks")
    console.print(small_calls.table_of(results["small_calls"]))
    console.print(viewer.table_of(results["viewer"]))
    for table in deformables.tables(results["deformables"]):
        console.print(table)
    console.print(load.table_of([load.LoadTime(**row) for row in results["loads"]["rows"]]))
    for name in results["loads"]["missing"]:
        console.print(f"[yellow]not measured[/]: loads of {name}, which this machine lacks")
    console.print(derivatives.table_of(results["derivatives"]["rows"]))
    for name in results["derivatives"]["missing"]:
        console.print(f"[yellow]not measured[/]: derivatives of {name}, which this machine lacks")
    if options.write:
        from benchmarks.figure import draw
        from benchmarks.growth import FIGURE as GROWTH
        from benchmarks.growth import draw as draw_growth
        from benchmarks.throughput import draw as draw_throughput

        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        FIGURE.parent.mkdir(parents=True, exist_ok=True)
        draw(results, FIGURE)
        draw_throughput(results, batch.FIGURE)
        draw_growth(results)
        deformables.draw(results)
        for path in (RESULTS, FIGURE, batch.FIGURE, GROWTH, deformables.FIGURE):
            console.print(f"wrote {path.relative_to(ROOT)}")
    return 0 if all_met(criteria(results), console) else 1


if __name__ == "__main__":
    raise SystemExit(main())
