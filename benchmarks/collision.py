"""`python -m benchmarks.collision`: the collision stage against `mj_collision`.

Both engines have the same states in memory and take turns in one process; what a call from Python
costs is measured on a function that does nothing, and taken off. In lanes, the stage is what a step
with it takes longer than a step without. Names of models choose some of them.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from rich.console import Console

import cortenforge as cf
from benchmarks.criteria import all_met, collision_criteria
from benchmarks.crowds import Crowd, crowds, missing_crowds, scattered
from benchmarks.tables import collision_tables
from cortenforge.compare import load_reference
from cortenforge.fields import CAPACITIES, DATA_FIELDS
from cortenforge.kernel import kernel
from cortenforge.step.collision.stage import collision
from cortenforge.step.engine import Engine
from cortenforge.step.forward import forward_collision, forward_kinematics
from cortenforge.step.pipeline import restore_if_failed, store_state

__all__ = ["Grown", "Measured", "grow", "main", "measure", "measure_all"]

Calls = Sequence[tuple[int, int]]

STATES, ROUNDS = 48, 100
#: groups of worlds in lockstep, worlds of each, and steps of a turn at most
GROUPS, WORLDS, STEPS = 6, 8, 16
#: seconds of a turn, about
TURN = 2e-4
#: bodies of which the cost is measured, and states of them
COUNTS = (20, 50, 100, 200, 500, 1000, 2000)
FEW = 4


@kernel(lanes=True, unit=True)
def step_with_contacts(m, d):
    """Place everything and find contacts."""
    store_state(m, d)
    forward_collision(m, d)
    restore_if_failed(m, d)


@kernel(lanes=True, unit=True)
def step_without_contacts(m, d):
    """Place everything."""
    store_state(m, d)
    forward_kinematics(m, d)
    restore_if_failed(m, d)


WITH = Engine("WithContacts", DATA_FIELDS, CAPACITIES, step=step_with_contacts)
WITHOUT = Engine("WithoutContacts", DATA_FIELDS, CAPACITIES, step=step_without_contacts)


@dataclass(frozen=True)
class Measured:
    """Microseconds that the stage takes, of both engines and of a world in lanes."""

    name: str
    geoms: int
    candidates: int
    contacts: float
    theirs_us: float
    ours_us: float
    lanes_us: float
    ratio: float
    ratio_in_lanes: float


@dataclass(frozen=True)
class Grown:
    """The same of bodies that are scattered about, for one world."""

    bodies: int
    contacts: float
    theirs_us: float
    ours_us: float


def measure(crowd: Crowd) -> Measured:
    """Both engines on states of a model that moves under random controls."""
    model, reference = cf.Model.from_mjcf(crowd.source), load_reference(crowd.source)
    # constraints are not there yet, and nothing here asks for them
    model._store.assign("missing", 0)
    places = _places(reference)
    theirs_us, ours_us, contacts = _race(model, reference, places)
    lanes_us = _lanes(model, places)
    ratios = theirs_us / ours_us, theirs_us / lanes_us
    pairs = len(model.candidate_geom)
    return Measured(crowd.name, model.ngeom, pairs, contacts, theirs_us, ours_us, lanes_us, *ratios)


def grow(bodies: int) -> Grown:
    """Both engines on so many bodies."""
    text = scattered(bodies)
    model, reference = cf.Model.from_mjcf(text), load_reference(text)
    model._store.assign("missing", 0)
    rng = np.random.default_rng(bodies)
    places = [model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.02) for _ in range(FEW)]
    theirs_us, ours_us, contacts = _race(model, reference, places)
    return Grown(bodies, contacts, theirs_us, ours_us)


def _race(model: cf.Model, reference: Any, places: list[np.ndarray]) -> tuple[float, float, float]:
    """Microseconds of both engines, and contacts."""
    ours, theirs = [_ours(model, qpos) for qpos in places], [_theirs(reference, q) for q in places]
    stage, library = ours[0]._function(collision), _library()
    mine = [(data._call.m, data._call.d) for data in ours]
    other = [(reference._address, data._address) for data in theirs]
    empty, their_time, our_time = _least(
        [(library.mj_version, other), (library.mj_collision, other), (stage, mine)]
    )
    contacts = float(np.mean([data.ncon for data in theirs]))
    return their_time - empty, our_time - empty, contacts


def _places(reference: Any) -> list[np.ndarray]:
    data, rng = mujoco.MjData(reference), np.random.default_rng(0)
    found = []
    for _ in range(STATES):
        for _ in range(10):
            data.ctrl[:] = rng.uniform(-0.4, 0.4, reference.nu)
            mujoco.mj_step(reference, data)
        found.append(data.qpos.copy())
    return found


def _ours(model: cf.Model, qpos: np.ndarray) -> cf.Data:
    data = model.make_data()
    data.qpos[:] = qpos
    data.collide()
    return data


def _theirs(reference: Any, qpos: np.ndarray) -> Any:
    data = mujoco.MjData(reference)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(reference, data)
    mujoco.mj_comPos(reference, data)
    mujoco.mj_collision(reference, data)
    return data


def _library() -> Any:
    """MuJoCo's own library, so that both engines are called in the same way."""
    (path,) = Path(mujoco.__path__[0]).glob("libmujoco.*")
    library = ctypes.CDLL(str(path))
    named = (library.mj_makeConstraint, library.mj_referenceConstraint)
    for function in (library.mj_version, library.mj_collision, *named):
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    return library


def _least(turns: Sequence[tuple[Callable[..., Any], Calls]]) -> list[float]:
    """Microseconds a call of some functions that take turns, on a part of their calls at a time.

    The least of many short turns: what else a machine does then counts for little.
    """
    count = len(turns[0][1])
    longest = max(_seconds(function, calls) for function, calls in turns) / count
    part = min(count, max(1, int(TURN / longest)))
    starts = range(0, count, part)
    least = np.full((len(turns), len(starts)), np.inf)
    for _ in range(ROUNDS):
        for turn, start in enumerate(starts):
            for which, (function, calls) in enumerate(turns):
                taken = _seconds(function, calls[start : start + part])
                least[which, turn] = min(least[which, turn], taken)
    return [float(x) for x in 1e6 * least.sum(axis=1) / count]


def _seconds(function: Callable[..., Any], calls: Calls) -> float:
    """Seconds that some calls take."""
    start = time.perf_counter()
    for arguments in calls:
        function(*arguments)
    return time.perf_counter() - start


def _lanes(model: cf.Model, places: list[np.ndarray]) -> float:
    """Microseconds a world in lanes: one group of worlds at a time, so that turns are short."""
    groups = [places[start::GROUPS][:WORLDS] for start in range(GROUPS)]
    return float(np.mean([_group(model, group) for group in groups]))


def _group(model: cf.Model, places: list[np.ndarray]) -> float:
    """The same of one group."""
    count = len(places)
    batches = [cf.BatchSim(model, count, threads=1, engine=engine) for engine in (WITH, WITHOUT)]
    for batch in batches:
        batch.qpos[:] = places
        batch.step_all(1)
    start = time.perf_counter()
    batches[0].step_all(1)
    steps = max(1, min(STEPS, int(TURN / (time.perf_counter() - start))))
    least = [np.inf, np.inf]
    for _ in range(ROUNDS):
        for which, batch in enumerate(batches):
            start = time.perf_counter()
            batch.step_all(steps)
            least[which] = min(least[which], time.perf_counter() - start)
    return float(least[0] - least[1]) * 1e6 / (steps * count)


def measure_all(console: Console, names: Sequence[str] = ()) -> dict[str, Any]:
    """Everything, or the models of these names, as plain numbers."""
    chosen = [crowd for crowd in crowds() if not names or crowd.name in names]
    with console.status("collision against mj_collision"):
        stages = [asdict(measure(crowd)) for crowd in chosen]
        growth = [] if names else [asdict(grow(bodies)) for bodies in COUNTS]
    return {"stages": stages, "growth": growth, "missing": [] if names else missing_crowds()}


def main(arguments: Sequence[str]) -> int:
    """Measure, show tables; 1 if a target was missed."""
    console = Console()
    results = measure_all(console, arguments)
    for table in collision_tables(results):
        console.print(table)
    for name in results["missing"]:
        console.print(f"[yellow]not measured[/]: {name}, which this machine lacks")
    return 0 if all_met(collision_criteria(results), console) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
