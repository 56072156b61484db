"""`python -m benchmarks.batch`: many humanoids at once, against one at a time and against MuJoCo.

They fall on a floor and lie there, with motors, limits and sensors. Worlds in lockstep take turns
with a single world, with `mujoco.batch.Batch` and with `mujoco.rollout`, from the same states, by
the wall clock. Updates the part `batch` of `benchmarks/results.json` and draws
`docs/images/throughput.png`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any

import mujoco
import numpy as np
from rich.console import Console

import cortenforge as cf
from benchmarks.criteria import all_met, batch_criteria
from benchmarks.engines import Engines, Run, Sample, states_along
from benchmarks.machine import RESULTS, ROOT, Neighbours, machine
from benchmarks.subjects import falling_humanoid
from cortenforge.cli.screen import Screen
from cortenforge.compare import load_reference
from cortenforge.fields import DATA_FIELDS, bindable
from cortenforge.kernel.language.layout import LANES

__all__ = ["main", "measure"]

FIGURE = ROOT / "docs" / "images" / "throughput.png"
#: worlds and steps a call of the races
WORLDS, STEPS = 1024, 10
THREADS = (1, 2)
SIZES = (1, 16, 64, 256, 1024, 4096)
#: states of a fall, and steps between them
FALL, APART = 64, 15
#: a turn of few worlds repeats its call until it has taken this many steps
STEPS_A_TURN = 4096
#: cores that other programs may use in a round, and tries a round to find a quiet moment
QUIET, PATIENCE = 0.1, 3
ALONE, OURS, THEIRS, ROLLOUT = "data.step", "BatchSim", "mujoco.batch", "mujoco.rollout"

#: puts an engine back to the start, runs it, and returns the seconds of a step of a world
Turn = Callable[[], float]
#: engine, threads, worlds
Key = tuple[str, int, int]


class Stage(Engines):
    """The humanoid in both engines, and the states that every run starts from."""

    def __init__(self, worlds: int) -> None:
        text = falling_humanoid()
        model, reference = cf.Model.from_mjcf(text), load_reference(text)
        falls = Sample(-(-worlds // FALL), FALL, 0.5, APART, posed=False, seed=3)
        start, _, rng = states_along(reference, falls)
        # in no order of time
        order = rng.permutation(len(start["qpos"]))[:worlds]
        super().__init__(model, reference, {name: rows[order] for name, rows in start.items()})

    def alone(self) -> Run:
        """One world by itself, always in the processor's cache; it begins as each of some."""
        data, calls = self.model.make_data(), itertools.count()

        def reset() -> None:
            data.reset()
            row = next(calls) * APART % WORLDS
            for name, values in self.start.items():
                getattr(data, name)[:] = values[row]

        return Run(reset, lambda: data.step(STEPS))


def _turn(run: Run, steps: int) -> Turn:
    """Time a run of so many steps, again and again from the start while it is short."""
    calls = max(1, STEPS_A_TURN // (2 * steps))

    def turn() -> float:
        spent = 0.0
        for _ in range(calls):
            run.reset()
            begin = time.perf_counter()
            run.run()
            spent += time.perf_counter() - begin
        return spent / (calls * steps)

    turn()  # compiles and touches what is cold
    return turn


class Rounds:
    """Engines take turns, round after round; who begins changes.

    Rounds in which other programs took some of the cores are made again, within limits.
    """

    def __init__(self, turns: dict[Key, Turn], wanted: int) -> None:
        order, neighbours = list(turns), Neighbours()
        calm: list[dict[Key, float]] = []
        disturbed: list[dict[Key, float]] = []
        while len(calm) < wanted and len(calm) + len(disturbed) < PATIENCE * wanted:
            neighbours.cores()
            spent = {key: turns[key]() * 1e6 for key in order}
            (calm if neighbours.cores() < QUIET else disturbed).append(spent)
            order = [*order[1:], order[0]]
        kept = [*calm, *disturbed][:wanted]
        #: microseconds a step of every engine in every round
        self.times = {key: np.array([spent[key] for spent in kept]) for key in turns}
        self.disturbed = wanted - len(calm)


def _ratio(slow: np.ndarray, fast: np.ndarray) -> float:
    """How many times as fast, as the median over rounds."""
    return float(np.median(slow / fast))


# ---------------------------------------------------------------------- what is measured


def measure(rounds: int, console: Console) -> dict[str, Any]:
    """Everything about batches, as plain numbers."""
    stage = Stage(max(SIZES))
    with console.status("batches of humanoids, by turns with MuJoCo"):
        race = Rounds(_entrants(stage, STEPS), rounds)
        single = Rounds(_entrants(stage, 1), rounds)
        sweep = Rounds(_sizes(stage), max(3, rounds // 3))
    disturbed = sum(part.disturbed for part in (race, single, sweep))
    if disturbed:
        console.print(f"[yellow]other programs disturbed {disturbed} rounds[/]: run again")
    return {
        "model": "humanoid",
        "nv": int(stage.model.nv),
        "lanes": LANES,
        "worlds": WORLDS,
        "steps": STEPS,
        "rounds": rounds,
        "disturbed": disturbed,
        **_ratios(race.times),
        "one_step_a_call": _one_step(single.times),
        "throughput": [
            {"engine": key[0], "threads": key[1], "n": key[2], "steps_per_second": speed}
            for key, speed in _speeds(sweep.times).items()
        ],
        "memory": _memory(stage.model),
    }


def _entrants(stage: Stage, steps: int) -> dict[Key, Turn]:
    """All engines with one thread and with two."""
    turns: dict[Key, Turn] = {(ALONE, 1, 1): _turn(stage.alone(), STEPS)}
    makes = {OURS: stage.ours, THEIRS: stage.their_batch, ROLLOUT: stage.their_rollout}
    for threads in THREADS:
        for engine, make in makes.items():
            turns[engine, threads, WORLDS] = _turn(make(WORLDS, threads, steps), WORLDS * steps)
    return turns


def _sizes(stage: Stage) -> dict[Key, Turn]:
    """Both engines' batches with each number of worlds."""
    turns: dict[Key, Turn] = {}
    for n in SIZES:
        for threads in THREADS:
            turns[OURS, threads, n] = _turn(stage.ours(n, threads, STEPS), n * STEPS)
            turns[THEIRS, threads, n] = _turn(stage.their_batch(n, threads, STEPS), n * STEPS)
    return turns


def _speeds(times: dict[Key, np.ndarray]) -> dict[Key, float]:
    return {key: 1e6 / float(np.median(spent)) for key, spent in times.items()}


def _ratios(times: dict[Key, np.ndarray]) -> dict[str, Any]:
    ours = {threads: times[OURS, threads, WORLDS] for threads in THREADS}
    return {
        "races": [
            {
                "engine": engine,
                "threads": threads,
                "us": float(np.median(spent)),
                "ratio": _ratio(spent, ours[threads]),
            }
            for (engine, threads, _), spent in times.items()
        ],
        "lanes_over_scalar": _ratio(times[ALONE, 1, 1], ours[1]),
        "two_threads_over_one": _ratio(ours[1], ours[2]),
    }


def _one_step(times: dict[Key, np.ndarray]) -> list[dict[str, Any]]:
    """A call for each step, as a controller needs it."""
    return [
        {
            "threads": threads,
            "ours_us": float(np.median(times[OURS, threads, WORLDS])),
            "theirs_us": float(np.median(times[THEIRS, threads, WORLDS])),
            "ratio": _ratio(times[THEIRS, threads, WORLDS], times[OURS, threads, WORLDS]),
        }
        for threads in THREADS
    ]


def _memory(model: cf.Model) -> dict[str, int]:
    """Bytes of the largest batch: as it counts them itself, and as Python traces them."""
    n, threads = max(SIZES), max(THREADS)
    tracemalloc.start()
    try:
        batch = cf.BatchSim(model, n, threads=threads)
        batch.step_all()
        total, _ = tracemalloc.get_traced_memory()
        bare = batch.bytes_per_world
        batch.bind(*(field.name for field in bindable(DATA_FIELDS)))
        batch.step_all()
        everything, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return {
        "n": n,
        "threads": threads,
        "bytes_per_world": bare,
        "bytes_per_world_all_fields": batch.bytes_per_world,
        "bytes_total": total,
        "bytes_total_all_fields": everything,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write; exit status 1 when a criterion is missed."""
    from benchmarks.tables import batch_tables
    from benchmarks.throughput import draw

    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="turns of each engine")
    parser.add_argument("--no-write", dest="write", action="store_false", help="only print")
    options = parser.parse_args(arguments)
    console = Screen()
    batch = measure(options.rounds, console)
    for table in batch_tables(batch):
        console.print(table)
    if options.write:
        results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        results |= {"machine": machine(), "mujoco": mujoco.__version__, "batch": batch}
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        draw(results, FIGURE)
        console.print(f"wrote {RESULTS.relative_to(ROOT)} and {FIGURE.relative_to(ROOT)}")
    return 0 if all_met(batch_criteria(batch, machine()["cores"]), console) else 1


if __name__ == "__main__":
    raise SystemExit(main())
