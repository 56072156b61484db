"""`python -m benchmarks.gpu`: worlds on a GPU against as many on the CPU.

Triple pendulums, ten steps a call, the best of five. Only a real GPU is held to anything: a driver
that runs shaders on the CPU is there for tests. Updates the part `gpu` of
`benchmarks/results.json`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from typing import Any

from rich.table import Table

import cortenforge as cf
from benchmarks.criteria import all_met, gpu_criteria
from benchmarks.machine import RESULTS
from cortenforge.cli.screen import Screen
from cortenforge.gpu import GpuSimContext

__all__ = ["main", "measure"]

SIZES = (64, 256, 1024, 4096)
STEPS, TRIES = 10, 5


def measure(sizes: Sequence[int] = SIZES) -> dict[str, Any]:
    """Seconds of ten steps of so many worlds, on each; no rows where there is no adapter."""
    context = GpuSimContext.get()
    if context is None:
        return {"adapter": "", "kind": "none", "rows": []}
    model = cf.models.n_link_pendulum(3, length=1.0, mass=0.1)
    rows = [
        {
            "worlds": n,
            "gpu": _best_seconds(cf.GpuBatchSim(model, n)),
            "cpu": _best_seconds(cf.BatchSim(model, n)),
        }
        for n in sizes
    ]
    info = context.adapter_info
    return {"adapter": info["device"], "kind": info["adapter_type"], "rows": rows}


def _best_seconds(batch: cf.BatchSim | cf.GpuBatchSim) -> float:
    # the first call makes shaders and starts threads
    batch.step_all(STEPS)
    found = []
    for _ in range(TRIES):
        start = time.perf_counter()
        batch.step_all(STEPS)
        found.append(time.perf_counter() - start)
    return min(found)


def table(found: dict[str, Any]) -> Table:
    """The same for people."""
    made = Table(title=f"GPU: {found['adapter'] or 'no adapter'} ({found['kind']})")
    for column in ("worlds", "GPU, ms", "CPU, ms", "speed over the CPU's"):
        made.add_column(column, justify="right")
    for row in found["rows"]:
        times = (f"{1e3 * row[key]:.2f}" for key in ("gpu", "cpu"))
        made.add_row(f"{row['worlds']:,}", *times, f"{row['cpu'] / row['gpu']:.2f}")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write; exit status 1 when a criterion is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__)
    parser.add_argument("--no-write", dest="write", action="store_false", help="only print")
    options = parser.parse_args(arguments)
    console, found = Screen(), measure()
    console.print(table(found))
    if options.write:
        results = json.loads(RESULTS.read_text(encoding="utf-8"))
        RESULTS.write_text(json.dumps({**results, "gpu": found}, indent=1) + "\n", encoding="utf-8")
    return int(not all_met(gpu_criteria(found), console))


if __name__ == "__main__":
    raise SystemExit(main())
