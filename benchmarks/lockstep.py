"""`python -m benchmarks.lockstep`: batches of models in contact, against MuJoCo's.

Worlds begin at states along simulations under random controls. BatchSim takes turns with
`mujoco.batch` and with `mujoco.rollout` in one process; one thread is timed on the processor's
clock, two by the wall. Models with implicit integrators run with Euler in both. Names of models
choose some of them. Updates the part `contact_batch` of `benchmarks/results.json`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import cortenforge as cf
from benchmarks.contact import subjects
from benchmarks.criteria import all_met, lockstep_criteria
from benchmarks.crowds import Crowd
from benchmarks.engines import Engines, Run, Sample, states_along
from benchmarks.machine import RESULTS, machine
from cortenforge.cli.screen import Screen
from cortenforge.compare import load_reference
from cortenforge.enums import Integrator

__all__ = ["InLockstep", "main", "measure", "measure_all", "table_of"]

#: what is measured, of the models that a machine has
NAMES = (
    "humanoid",
    "ant",
    "half-cheetah",
    "anymal",
    "G1",
    "shadow hand",
)
#: worlds, the simulations from which their states are, steps a call, turns of each engine
WORLDS, RUNS, STEPS, ROUNDS = 256, 16, 10, 10
#: how often each world is there when threads are compared: to wake one takes 70 us
TIMES = 4
#: steps before the first state of a simulation, and after it
BEFORE, AFTER = 100, 1200


#: seconds that a call takes, from the start of all worlds
Turn = Callable[[], float]


@dataclass(frozen=True)
class InLockstep:
    """Microseconds a step of a world on one thread, and how many times as fast as MuJoCo.

    theirs_us: of the faster of `mujoco.batch` and `mujoco.rollout`.
    expanded:  the ratio of worlds that differ in masses and friction, which MuJoCo's do not.
    two:       throughput of two threads over that of one, of four times as many worlds.
    """

    name: str
    nv: int
    contacts: float
    rows: float
    ours_us: float
    theirs_us: float
    ratio: float
    one_step: float
    expanded: float
    two: float


class Worlds(Engines):
    """The same states and controls for all engines, of a model that moves."""

    def __init__(self, crowd: Crowd) -> None:
        model, reference = cf.Model.from_mjcf(crowd.source), load_reference(crowd.source)
        if model.opt.integrator > Integrator.RK4:
            model.opt.integrator = reference.opt.integrator = int(Integrator.EULER)
        each = WORLDS // RUNS
        start, sizes, _ = states_along(reference, Sample(RUNS, each, 0.1, AFTER // each, BEFORE))
        super().__init__(model, reference, start)
        self.contacts, self.rows = np.mean(sizes, axis=0)


def timed(run: Run, clock: Callable[[], float] = time.thread_time) -> Turn:
    """Seconds of a call from the start."""

    def turn() -> float:
        run.reset()
        begin = clock()
        run.run()
        return clock() - begin

    return turn


def _least(turns: Sequence[Turn]) -> list[float]:
    """The least time of each, taking turns; the first one compiles what is cold."""
    times = [[turn() for turn in turns] for _ in range(ROUNDS + 1)]
    return np.min(times[1:], axis=0).tolist()


def measure(crowd: Crowd) -> InLockstep:
    """One model in both engines."""
    worlds = Worlds(crowd)
    mine, differing, batch, rollout = _least(
        [
            timed(worlds.ours(WORLDS, 1, STEPS)),
            timed(worlds.ours(WORLDS, 1, STEPS, expanded=True)),
            timed(worlds.their_batch(WORLDS, 1, STEPS)),
            timed(worlds.their_rollout(WORLDS, 1, STEPS)),
        ]
    )
    single, batch_single, rollout_single = _least(
        [
            timed(run(WORLDS, 1, 1))
            for run in (worlds.ours, worlds.their_batch, worlds.their_rollout)
        ]
    )
    many = TIMES * WORLDS
    one, two = _least(
        [
            timed(worlds.ours(many, 1, STEPS)),
            timed(worlds.ours(many, 2, STEPS), time.perf_counter),
        ]
    )
    theirs = min(batch, rollout)
    us = 1e6 / (WORLDS * STEPS)
    return InLockstep(
        crowd.name,
        int(worlds.model.nv),
        float(worlds.contacts),
        float(worlds.rows),
        us * mine,
        us * theirs,
        theirs / mine,
        min(batch_single, rollout_single) / single,
        theirs / differing,
        one / two,
    )


def table_of(rows: Sequence[dict[str, Any]]) -> Table:
    """What was measured."""
    table = Table(
        "model", "dofs", "contacts", "rows", "MuJoCo us", "ours us", "ratio", "1 step a call",
        "expanded", "two threads",
        title=f"{WORLDS} worlds in contact, {STEPS} steps a call, one thread",
    )  # fmt: skip
    for row in rows:
        numbers = [row[key] for key in ("contacts", "rows", "theirs_us", "ours_us")]
        ratios = [row[key] for key in ("ratio", "one_step", "expanded", "two")]
        cells = [*(f"{x:.1f}" for x in numbers), *(f"{x:.2f}" for x in ratios)]
        table.add_row(row["name"], str(row["nv"]), *cells)
    return table


def measure_all(console: Console, chosen: Sequence[str] = NAMES) -> dict[str, Any]:
    """Everything that this machine has, as plain numbers."""
    found = [crowd for crowd in subjects()[0] if crowd.name in chosen]
    rows = [asdict(measure(crowd)) for crowd in track(found, "worlds in contact", console=console)]
    missing = [name for name in chosen if name not in {crowd.name for crowd in found}]
    return {"worlds": WORLDS, "rows": rows, "missing": missing}


def main(arguments: Sequence[str] = ()) -> int:
    """Measure, print, write; 1 if a criterion is missed."""
    console = Screen()
    found = measure_all(console, tuple(arguments) or NAMES)
    console.print(table_of(found["rows"]))
    for name in found["missing"]:
        console.print(f"[yellow]not measured[/]: {name}, which this machine lacks")
    if not arguments:
        results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        results |= {"machine": machine(), "contact_batch": found}
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all_met(lockstep_criteria(found["rows"]), console) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
