"""`python -m benchmarks.soak`: a thousand humanoids for hours of training, watched for leaks.

Worlds fall and lie under random controls; some are reset at random between calls, and so is each
that fails. Prints resident memory, what failed and what was not finite; `--steps` shortens it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from rich.progress import Progress

import cortenforge as cf
from benchmarks.contact import subjects
from benchmarks.machine import RESULTS
from cortenforge.cli.screen import Screen

__all__ = ["Soak", "main", "soak"]

WORLDS, STEPS, STEPS_A_CALL = 1024, 200_000, 10
#: the chance that a world is reset between two calls: it lives 2,000 steps in the mean
RESET = 0.005
#: how often memory is read, and steps until all that grows with the first contacts has grown
EVERY, SETTLED = 2_000, 20_000


@dataclass
class Soak:
    """What came of it.

    megabytes: resident memory at every reading.
    growth:    the last reading over the first one after everything settled.
    unreported: worlds whose state was not finite and that no error named.
    """

    worlds: int
    steps: int = 0
    resets: int = 0
    errors: int = 0
    unreported: int = 0
    lost: int = 0
    seconds: float = 0.0
    megabytes: list[float] = field(default_factory=list)

    @property
    def growth(self) -> float:
        """Resident memory at the end over that after the beginning."""
        first = min(SETTLED // EVERY, len(self.megabytes) - 1)
        return self.megabytes[-1] / self.megabytes[first]

    @property
    def passed(self) -> bool:
        """No leak, nothing silent, nobody lost."""
        return self.growth < 1.01 and not self.unreported and not self.lost


def resident() -> float:
    """Megabytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def soak(steps: int, worlds: int, threads: int, progress: Progress) -> Soak:
    """Step, reset, and look."""
    (humanoid,) = (crowd for crowd in subjects()[0] if crowd.name == "humanoid")
    model = cf.Model.from_mjcf(humanoid.source)
    batch = cf.BatchSim(model, worlds, threads=threads)
    rng, result, began = np.random.default_rng(0), Soak(worlds), time.perf_counter()
    task = progress.add_task("soaking", total=steps)
    expected = np.zeros(worlds)
    while result.steps < steps:
        errors = batch.step_all(STEPS_A_CALL, ctrl=rng.uniform(-1, 1, (worlds, model.nu)))
        failed = np.array([error is not None for error in errors])
        expected[~failed] += STEPS_A_CALL * model.opt.timestep
        finite = np.isfinite(batch.qpos).all(1) & np.isfinite(batch.qvel).all(1)
        result.errors += int(failed.sum())
        result.unreported += int((~finite & ~failed).sum())
        # a world that stood still would have another time than its steps
        result.lost += int((abs(batch.time - expected) > 1e-6)[~failed].sum())
        chosen = (rng.random(worlds) < RESET) | failed
        batch.reset_where(chosen)
        expected[chosen] = 0
        result.resets += int(chosen.sum())
        result.steps += STEPS_A_CALL
        if result.steps % EVERY == 0:
            result.megabytes.append(resident())
            progress.update(task, completed=result.steps)
    result.seconds = time.perf_counter() - began
    return result


def main(arguments: Sequence[str]) -> int:
    """Soak, print, write; 1 if something leaked or was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--worlds", type=int, default=WORLDS)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    chosen = parser.parse_args(arguments)
    console = Screen()
    with Progress(console=console) as progress:
        result = soak(max(chosen.steps, EVERY), chosen.worlds, chosen.threads, progress)
    console.print(
        f"{result.worlds:,} worlds, {result.steps:,} steps each in {result.seconds:,.0f} s: "
        f"{result.resets:,} resets, {result.errors} errors, {result.unreported} not reported, "
        f"{result.lost} lost; memory {result.megabytes[0]:.0f} to {result.megabytes[-1]:.0f} MB, "
        f"{result.growth:.4f} of what it was once settled"
    )
    if chosen.steps >= STEPS and RESULTS.exists():
        results = json.loads(RESULTS.read_text())
        results["soak"] = asdict(result) | {"growth": result.growth}
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    return 0 if result.passed else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
