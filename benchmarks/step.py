"""`python -m benchmarks.step`: steps a second against MuJoCo, calls, start-up, allocations.

Prints tables, writes `benchmarks/results.json` and `docs/images/speed.png`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import mujoco
from rich.console import Console
from rich.progress import track

from .allocation import allocations
from .race import INTEGRATORS, call_overhead, race
from .start import start_times
from .subjects import subjects
from .tables import tables

__all__ = ["main", "measure"]

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).with_name("results.json")
FIGURE = ROOT / "docs" / "images" / "speed.png"


def measure(rounds: int, *, starts: bool, console: Console) -> dict[str, Any]:
    """Everything, as plain numbers."""
    field = subjects()
    runs = [(subject, integrator) for integrator in INTEGRATORS for subject in field]
    races = [
        asdict(race(subject, integrator, rounds))
        for subject, integrator in track(runs, "racing MuJoCo", console=console)
    ]
    results = {
        "machine": _machine(),
        "mujoco": mujoco.__version__,
        "rounds": rounds,
        "races": races,
        "calls": [asdict(call_overhead(subject)) for subject in field],
        "allocations": [asdict(allocations(subject)) for subject in field],
    }
    if starts:
        with console.status("starting fresh processes, one with an empty cache"):
            results["starts"] = [asdict(start) for start in start_times()]
    return results


def _machine() -> dict[str, Any]:
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write; exit status 1 when a race is lost or a step allocates."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.step", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="rounds of 4 starts a model")
    parser.add_argument("--no-start", dest="starts", action="store_false", help="skip start-up")
    parser.add_argument("--no-write", dest="write", action="store_false", help="only print")
    options = parser.parse_args(arguments)
    console = Console()
    results = measure(options.rounds, starts=options.starts, console=console)
    for table in tables(results):
        console.print(table)
    if options.write:
        from .figure import draw

        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        FIGURE.parent.mkdir(parents=True, exist_ok=True)
        draw(results, FIGURE)
        console.print(f"wrote {RESULTS.relative_to(ROOT)} and {FIGURE.relative_to(ROOT)}")
    won = all(run["ratio"] >= 1 for run in results["races"])
    frugal = not any(run["numba_allocations"] for run in results["allocations"])
    return 0 if won and frugal else 1


if __name__ == "__main__":
    raise SystemExit(main())
