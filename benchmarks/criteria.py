"""What must be true of a measurement. `make bench` fails, and names what was missed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from benchmarks.crowds import SPEEDS as SPEEDS_OF_CROWDS

__all__ = [
    "PILE",
    "Criterion",
    "all_met",
    "batch_criteria",
    "collision_criteria",
    "contact_criteria",
    "criteria",
    "derivative_criteria",
    "integrator_criteria",
    "load_criteria",
    "lockstep_criteria",
    "viewer_criteria",
]

Results = dict[str, Any]

#: how many times as fast as MuJoCo a step by Euler must be
RATIOS = {
    "humanoid": 1.35,
    "damped chain 30": 1.4,
    "humanoid with sensors": 1.2,
    "shadow hand": 1.2,
    "100 muscles": 1.2,
    "700 muscles": 1.2,
}
#: kinds of adapters that are held to a speed, from so many worlds on
REAL_GPUS, MANY_WORLDS = ("DiscreteGPU", "IntegratedGPU"), 1024
#: steps a second by Euler, each with its name in the specification
SPEEDS = {"humanoid": ("002-P1", 10_000), "pendulum 1": ("002-P2", 100_000)}
#: seconds from an empty prompt to the first step of the humanoid, by state of the cache
STARTS = {"empty": 60.0, "full": 1.0}
#: how many times as fast as MuJoCo's whole steps in contact are, as a geometric mean
IN_CONTACT = 1.5
#: a model in contact that must be as fast and is no part of that mean
PILE = "200 boxes, one island"
#: steps of Euler's method that one of another integrator may cost: model, integrator, its name in
#: the specification, the most
COSTS = (
    ("humanoid", "implicitfast", "13-AC12", 1.5),
    ("humanoid", "implicit", "13-AC13", 3.0),
    ("pendulum 10", "rk4", "000.8-AC8", 4.5),
)
#: the part of a core's throughput that each core of a batch must give
SCALING = 0.7
#: how many times as fast as a world alone, and as MuJoCo's batches, humanoids in lockstep must be
LANES, BATCH = 1.5, 3.0
#: how many times as fast as MuJoCo's batches worlds in contact must be: each model, the mean of
#: all, and each if worlds differ in masses and friction
WORLDS_EACH, WORLDS_MEAN, WORLDS_THAT_DIFFER = 2.5, 3.0, 2.2
#: the part of a core that a viewer of one humanoid may take, and frames a second of a thousand
CORE, FRAMES = 0.25, 30.0
#: how many times as fast as MuJoCo's a cloth over a ball is, and by how much of it sags may differ
CLOTH, SAME_SAG = 5.0, 0.1
#: milliseconds of a first load in MuJoCo from which on loads are compared, and those of a small one
LARGE_LOAD, SMALL_LOAD = 20.0, 5.0
#: throughput of two threads over that of one, for worlds in contact
TWO_THREADS = 1.8


@dataclass(frozen=True)
class Criterion:
    """A number that was found, and the least or the most that it may be."""

    name: str
    found: float
    least: float | None = None
    most: float | None = None

    @property
    def met(self) -> bool:
        # written so that nan meets nothing
        above = self.least is None or self.found >= self.least
        below = self.most is None or self.found <= self.most
        return above and below

    def __str__(self) -> str:
        bounds = (("at least", self.least), ("at most", self.most))
        wanted = " and ".join(f"{word} {bound:,g}" for word, bound in bounds if bound is not None)
        return f"{self.name}: {self.found:,.4g}, wanted {wanted}"


def criteria(results: Results) -> list[Criterion]:
    """All that a whole measurement is held to."""
    found = [*_race_criteria(results["races"]), *_allocation_criteria(results["allocations"])]
    found += batch_criteria(results["batch"], results["machine"]["cores"])
    found += collision_criteria(results["collision"])
    found += contact_criteria(results["contact"])
    found += lockstep_criteria(results["contact_batch"]["rows"])
    found += integrator_criteria(results["integrators"])
    found += derivative_criteria(results["derivatives"])
    found += viewer_criteria(results["viewer"])
    found += deformable_criteria(results["deformables"])
    found += gpu_criteria(results["gpu"])
    found += load_criteria(results["loads"]["rows"])
    return [*found, *_start_criteria(results.get("starts", ()))]


def load_criteria(rows: list[Results]) -> list[Criterion]:
    """What loads are held to, the first one and those in a process that knows the model."""
    found = []
    for row in rows:
        model, first, again = row["model"], row["theirs_first"], row["theirs_again"]
        if first > LARGE_LOAD:
            ratio = row["ours_first"] / first
            found.append(Criterion(f"loading {model} first over MuJoCo's", ratio, most=1.0))
            ratio = row["ours_again"] / again
            found.append(Criterion(f"loading {model} again over MuJoCo's", ratio, most=1.0))
        else:
            found.append(Criterion(f"ms to load {model} again", row["ours_again"], most=SMALL_LOAD))
    return found


def deformable_criteria(found: Results) -> list[Criterion]:
    """What cloth is held to: MuJoCo's that hangs as far down, real time, and a straight line."""
    ours, *theirs = found["drapes"]
    fair = [row for row in theirs if abs(row["sag"] / ours["sag"] - 1) < SAME_SAG]
    best = min((row["seconds"] for row in fair), default=0.0)
    rows = found["growth"]
    each = [row["ms"] / row["vertices"] for row in rows]
    steep = each[-1] / each[0]
    frame = next((row["ms"] for row in rows if row["vertices"] == 10_000), math.inf)
    return [
        Criterion("speed of a cloth over MuJoCo's", best / ours["seconds"], least=CLOTH),
        Criterion("milliseconds a frame of 10,000 vertices", frame, most=1e3 / 60),
        Criterion("cost a vertex of the largest cloth over the smallest", steep, most=1.5),
    ]


def gpu_criteria(found: Results) -> list[Criterion]:
    """What worlds on a GPU are held to, where there is a real one."""
    if found["kind"] not in REAL_GPUS:
        return []
    return [
        Criterion(
            f"10-AC2, speed of {row['worlds']:,} worlds on {found['adapter']} over the CPU's",
            row["cpu"] / row["gpu"],
            least=1.0,
        )
        for row in found["rows"]
        if row["worlds"] >= MANY_WORLDS
    ]


def viewer_criteria(rows: list[Results]) -> list[Criterion]:
    """What being looked at may cost: one humanoid, and a thousand."""
    one, many = rows
    return [
        Criterion("part of a core that a viewer of one humanoid takes", one["core"], most=CORE),
        Criterion("frames a second of a thousand humanoids", 1e3 / many["ms"], least=FRAMES),
    ]


def _race_criteria(races: list[Results]) -> Iterator[Criterion]:
    euler = {run["subject"]: run for run in races if run["integrator"] == "Euler"}
    for subject, (number, speed) in SPEEDS.items():
        found = 1e6 / euler[subject]["ours_us_median"]
        yield Criterion(f"{number}, steps a second of {subject}", found, least=speed)
    for subject, ratio in RATIOS.items():
        if subject in euler:  # a machine may lack the model, and says so
            found = euler[subject]["ratio"]
            yield Criterion(f"speed of {subject} over MuJoCo's", found, least=ratio)
    for run in races:
        name = f"13-AC11, speed of {run['subject']} by {run['integrator']} over MuJoCo's"
        yield Criterion(name, run["ratio"], least=1.0)


def _allocation_criteria(rows: list[Results]) -> Iterator[Criterion]:
    for row in rows:
        taken = row["python_growth"] + row["python_peak"] + row["numba_allocations"]
        yield Criterion(f"memory taken by steps of {row['subject']}", taken, most=0)


def _start_criteria(starts: Iterable[Results]) -> Iterator[Criterion]:
    for row in starts:
        name = f"seconds to the first step, cache {row['cache']}"
        yield Criterion(name, row["whole"], most=STARTS[row["cache"]])


def batch_criteria(batch: Results, cores: int) -> list[Criterion]:
    """What batches are held to; they are measured with one thread and with two."""
    threads = min(2, cores)
    scaling = Criterion(
        "9-AC5, throughput of two threads over one's",
        batch["two_threads_over_one"],
        least=SCALING * threads,
    )
    lanes = Criterion(
        "speed in lockstep over a world's alone", batch["lanes_over_scalar"], least=LANES
    )
    races = [
        Criterion(f"speed over {race['engine']}'s, {race['threads']} threads", race["ratio"], BATCH)
        for race in batch["races"]
        if race["engine"].startswith("mujoco")
    ]
    return [scaling, lanes, *races]


def lockstep_criteria(rows: list[Results]) -> list[Criterion]:
    """What batches of models in contact are held to."""
    found = []
    for row in rows:
        name = f"speed of worlds of {row['name']} over MuJoCo's"
        found.append(Criterion(name, row["ratio"], least=WORLDS_EACH))
        found.append(Criterion(f"{name}, one step a call", row["one_step"], least=WORLDS_EACH))
        found.append(Criterion(f"{name}, that differ", row["expanded"], least=WORLDS_THAT_DIFFER))
        name = f"9-AC5, throughput of two threads over one's, {row['name']} in contact"
        found.append(Criterion(name, row["two"], least=TWO_THREADS))
    for key in ("ratio", "one_step") if rows else ():
        mean = math.exp(sum(math.log(row[key]) for row in rows) / len(rows))
        words = "" if key == "ratio" else ", one step a call"
        found.append(Criterion(f"the same, geometric mean{words}", mean, least=WORLDS_MEAN))
    return found


def derivative_criteria(derivatives: Results) -> list[Criterion]:
    """What derivatives of a step are held to: those of a humanoid, and differences of a chain."""
    found = [
        Criterion(f"A and B of {row['name']}, in MuJoCo's steps", row["steps"]["auto"][0], most=10)
        for row in derivatives["rows"]
        if row["name"].startswith("humanoid")
    ]
    name = "12-AC24, milliseconds of differences of six links"
    return [*found, Criterion(name, derivatives["chain_ms"], most=10)]


def collision_criteria(collision: Results) -> list[Criterion]:
    """What the collision stage is held to, as far as a machine has the models."""
    found = []
    for row in collision["stages"]:
        alone, lanes = SPEEDS_OF_CROWDS.get(row["name"], (1.0, 1.0))
        name = f"speed of collisions of {row['name']} over MuJoCo's"
        found.append(Criterion(name, row["ratio"], least=alone))
        found.append(Criterion(f"{name}, in lanes", row["ratio_in_lanes"], least=lanes))
    for row in collision["growth"]:
        name = f"speed of collisions of {row['bodies']:,} bodies over MuJoCo's"
        found.append(Criterion(name, row["theirs_us"] / row["ours_us"], least=1.0))
    return found


def contact_criteria(contact: Results) -> list[Criterion]:
    """What whole steps in contact are held to: none is slower, and all together are faster."""
    ratios = {row["name"]: row["ratio"] for row in contact["models"]}
    found = [
        Criterion(f"speed of {name} in contact over MuJoCo's", ratio, least=1.0)
        for name, ratio in ratios.items()
    ]
    counted = [math.log(ratio) for name, ratio in ratios.items() if name != PILE]
    if counted:
        mean = math.exp(sum(counted) / len(counted))
        found.append(Criterion("the same as a geometric mean", mean, least=IN_CONTACT))
    return found


def integrator_criteria(integrators: Results) -> list[Criterion]:
    """What implicit steps are held to: MuJoCo's speed, and so many of Euler's steps."""
    found = [
        Criterion(f"speed of {row['name']} by implicitfast over MuJoCo's", row["ratio"], least=1.0)
        for row in integrators["robots"]
    ]
    for model, kind, name, most in COSTS:
        times = integrators["costs"][model]
        share = times[kind] / times["euler"]
        found.append(Criterion(f"{name}: {kind} of the {model} over Euler", share, most=most))
    return found


def all_met(held: list[Criterion], console: Console) -> bool:
    """Whether all criteria are met; those that are not are printed."""
    missed = [criterion for criterion in held if not criterion.met]
    for criterion in missed:
        console.print(f"[red]missed[/] {criterion}")
    if not missed:
        console.print(f"[green]all {len(held)} criteria met[/]")
    return not missed
