"""`python -m benchmarks.contact`: whole steps of models in contact, against MuJoCo.

Both engines take turns in one process, from states of one simulation under random controls, with
the options of the model; models with implicit integrators run with Euler in both. Names of models
choose some of them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import mujoco
import numpy as np
from rich.console import Console
from rich.progress import track

import cortenforge as cf
from benchmarks.criteria import PILE, all_met, contact_criteria
from benchmarks.crowds import Crowd, pile, robots, shaft
from benchmarks.stages import stage_times
from benchmarks.subjects import menagerie_file
from benchmarks.tables import contact_tables
from cortenforge.compare import load_reference
from cortenforge.enums import Integrator

__all__ = ["Contact", "main", "measure", "measure_all", "subjects"]

#: states along the simulation, repetitions of a turn, seconds of a turn, about
STATES, REPEATS, TURN = 12, 9, 3e-3
KEPT = ("qpos", "qvel", "qacc_warmstart", "act")
#: steps between states, and before the first one
APART, BEFORE = 100, {PILE: 400}
#: beside those that collisions are measured on
ALONE = ("humanoid", "ant", "half-cheetah", "cube 3x3x3", "22 humanoids")
#: in the Menagerie, on a floor
SCENES = {
    "anymal": "anybotics_anymal_c/scene.xml",
    "H1": "unitree_h1/scene.xml",
    "G1": "unitree_g1/scene.xml",
    "shadow hand": "shadow_hand/scene_right.xml",
}


@dataclass(frozen=True)
class Contact:
    """Means over all states: what there was to do, microseconds a step, stages of ours.

    `iterations` are those of all islands, `largest` the dofs of the largest island of all states.
    """

    name: str
    nv: int
    largest: int
    contacts: float
    rows: float
    iterations: float
    their_iterations: float
    theirs_us: float
    ours_us: float
    ratio: float
    stages: dict[str, float]


@dataclass(frozen=True)
class Turn:
    """One state: seconds a step, and what there was to do."""

    theirs: float
    ours: float
    largest: int
    counts: tuple[float, ...]
    stages: dict[str, float]


def subjects() -> tuple[list[Crowd], list[str]]:
    """Models that are measured, and names of those that this machine lacks."""
    found = robots()
    files = {name: found[name] for name in ALONE}
    files |= {name: menagerie_file(path) for name, path in SCENES.items()}
    here = [Crowd(name, file) for name, file in files.items() if file is not None]
    here.append(Crowd("50 bodies", pile(50, ("sphere", "capsule", "box"))))
    here.append(Crowd(PILE, shaft(200)))
    return here, [name for name, file in files.items() if file is None]


def measure(crowd: Crowd, integrator: Integrator = Integrator.EULER) -> Contact:
    """One model in both engines, by this integrator unless the model asks for RK4."""
    turns = list(_turns(crowd, integrator))
    theirs, ours = (1e6 * float(np.mean([getattr(t, side) for t in turns])) for side in SIDES)
    counts = (float(x) for x in np.mean([turn.counts for turn in turns], axis=0))
    names = turns[0].stages
    stages = {name: float(np.mean([turn.stages[name] for turn in turns])) for name in names}
    nv, largest = load_reference(crowd.source).nv, max(turn.largest for turn in turns)
    return Contact(crowd.name, nv, largest, *counts, theirs, ours, theirs / ours, stages)


SIDES = ("theirs", "ours")


def _turns(crowd: Crowd, integrator: Integrator) -> Iterator[Turn]:
    model, reference = cf.Model.from_mjcf(crowd.source), load_reference(crowd.source)
    if model.opt.integrator != Integrator.RK4:
        model.opt.integrator = reference.opt.integrator = int(integrator)
    data, theirs = model.make_data(), mujoco.MjData(reference)
    if reference.nkey:
        mujoco.mj_resetDataKeyframe(reference, theirs, 0)
    rng = np.random.default_rng(0)
    mujoco.mj_step(reference, theirs, BEFORE.get(crowd.name, APART))
    steps = _steps_a_turn(reference, theirs)
    for _ in range(STATES):
        theirs.ctrl[:] = data.ctrl[:] = 0.3 * rng.normal(size=reference.nu)
        yield _turn(data, reference, theirs, steps)
        mujoco.mj_step(reference, theirs, APART)


def _steps_a_turn(reference: Any, theirs: Any) -> int:
    start = time.perf_counter()
    mujoco.mj_step(reference, theirs, 10)
    return int(np.clip(TURN / ((time.perf_counter() - start) / 10), 2, APART))


def _turn(data: cf.Data, reference: Any, theirs: Any, steps: int) -> Turn:
    """Both engines by turns, each from the same state; the least time of each."""
    kept = [np.array(getattr(theirs, name)) for name in KEPT]
    data.time = theirs.time

    def again() -> None:
        for side in (theirs, data):
            for name, values in zip(KEPT, kept, strict=True):
                getattr(side, name)[:] = values

    again()
    stages = stage_times(data, again)
    again()
    data.forward()
    mujoco.mj_forward(reference, theirs)
    ours = sum(data.solver_niter[: data.nisland])
    counts = (data.ncon, data.nefc, ours, sum(theirs.solver_niter[: theirs.nisland]))
    largest = int(max(data.island_nv[: data.nisland], default=0))
    runs = (lambda: mujoco.mj_step(reference, theirs, steps), lambda: data.step(steps))
    least = [np.inf, np.inf]
    for _ in range(REPEATS):
        again()
        for side, run in enumerate(runs):
            least[side] = min(least[side], _seconds(run))
    again()
    return Turn(least[0] / steps, least[1] / steps, largest, counts, stages)


def _seconds(run: Callable[[], None]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def measure_all(console: Console, names: Sequence[str] = ()) -> dict[str, Any]:
    """Everything, or the models of these names, as plain numbers."""
    here, missing = subjects()
    chosen = [crowd for crowd in here if not names or crowd.name in names]
    watched = track(chosen, "steps in contact against MuJoCo", console=console)
    return {"models": [asdict(measure(crowd)) for crowd in watched], "missing": missing}


def main(arguments: Sequence[str]) -> int:
    """Measure, show tables; 1 if a target was missed."""
    console = Console(width=110)
    results = measure_all(console, arguments)
    for table in contact_tables(results):
        console.print(table)
    for name in results["missing"]:
        console.print(f"[yellow]not measured[/]: {name}, which this machine lacks")
    return 0 if all_met(contact_criteria(results), console) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
