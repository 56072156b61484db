"""`python -m benchmarks.contact`: whole steps of models in contact, against MuJoCo.

Both engines take turns in one process, from states of one simulation under random controls, with
the options of the model; models with implicit integrators run with Euler in both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import cortenforge as cf
from benchmarks.crowds import Crowd, missing_crowds, pile, robots
from benchmarks.subjects import menagerie_file
from cortenforge.compare import load_reference
from cortenforge.enums import Integrator

__all__ = ["Contact", "main", "measure", "steps_in_contact"]

#: states along the simulation, repetitions of a turn, seconds of a turn, about
STATES, REPEATS, TURN = 12, 5, 3e-3
KEPT = ("qpos", "qvel", "qacc_warmstart", "act")
#: steps between states
APART = 100
#: no model may be slower than MuJoCo; the geometric mean of all must be this
EACH, MEAN = 1.0, 1.5
#: in the Menagerie, on a floor
SCENES = {
    "anymal": "anybotics_anymal_c/scene.xml",
    "H1": "unitree_h1/scene.xml",
    "G1 on a floor": "unitree_g1/scene.xml",
    "shadow hand on a floor": "shadow_hand/scene_right.xml",
}


@dataclass(frozen=True)
class Contact:
    """Microseconds a step, contacts and rows, means of all states."""

    name: str
    nv: int
    contacts: float
    rows: float
    theirs_us: float
    ours_us: float

    @property
    def ratio(self) -> float:
        """Above 1 we are faster."""
        return self.theirs_us / self.ours_us


def steps_in_contact() -> list[Crowd]:
    """What this machine has of the models that are measured."""
    found = [Crowd(name, file) for name, file in robots().items() if file is not None]
    scenes = {name: menagerie_file(path) for name, path in SCENES.items()}
    found += [Crowd(name, file) for name, file in scenes.items() if file is not None]
    return [*found, Crowd("50 mixed primitives", pile(50, ("sphere", "capsule", "box")))]


def _best(turn: Callable[[], None], again: Callable[[], None]) -> float:
    """Least time of a turn, each from the same state."""
    times = []
    for _ in range(REPEATS):
        again()
        start = time.perf_counter()
        turn()
        times.append(time.perf_counter() - start)
    return min(times)


def _restore(data: Any, kept: Sequence[np.ndarray]) -> None:
    for name, values in zip(KEPT, kept, strict=True):
        getattr(data, name)[:] = values


def measure(crowd: Crowd) -> Contact:
    """One model in both engines."""
    model, reference = cf.Model.from_mjcf(crowd.source), load_reference(crowd.source)
    if model.opt.integrator > Integrator.RK4:
        model.opt.integrator = reference.opt.integrator = int(Integrator.EULER)
    data, theirs = model.make_data(), mujoco.MjData(reference)
    if reference.nkey:
        mujoco.mj_resetDataKeyframe(reference, theirs, 0)
    rng = np.random.default_rng(0)
    mujoco.mj_step(reference, theirs, APART)
    start = time.perf_counter()
    mujoco.mj_step(reference, theirs, 10)
    steps = int(np.clip(TURN / ((time.perf_counter() - start) / 10), 5, APART))
    found = []
    for _ in range(STATES):
        theirs.ctrl[:] = data.ctrl[:] = 0.3 * rng.normal(size=reference.nu)
        kept = [np.array(getattr(theirs, name)) for name in KEPT]
        data.time = theirs.time
        ours = _best(lambda: data.step(steps), lambda kept=kept: _restore(data, kept))
        other = _best(
            lambda: mujoco.mj_step(reference, theirs, steps),
            lambda kept=kept: _restore(theirs, kept),
        )
        found.append((other / steps, ours / steps, theirs.ncon, theirs.nefc))
        mujoco.mj_step(reference, theirs, APART)
    slow, fast, contacts, rows = np.mean(found, axis=0)
    return Contact(crowd.name, model.nv, contacts, rows, 1e6 * slow, 1e6 * fast)


def main(arguments: Sequence[str] = ()) -> int:
    """Measure, print a table; 1 if a model is slower, or all of them are not as fast as asked."""
    console = Console()
    field = steps_in_contact()
    results = [measure(crowd) for crowd in track(field, "racing MuJoCo", console=console)]
    table = Table("model", "dofs", "contacts", "rows", "MuJoCo us", "ours us", "ratio")
    for row in results:
        numbers = (row.contacts, row.rows, row.theirs_us, row.ours_us)
        ratio = f"{row.ratio:.2f}"
        table.add_row(row.name, str(row.nv), *(f"{x:.1f}" for x in numbers), ratio)
    console.print(table)
    mean = float(np.exp(np.mean([np.log(row.ratio) for row in results])))
    console.print(f"geometric mean {mean:.2f}, least {min(row.ratio for row in results):.2f}")
    for name in missing_crowds():
        console.print(f"[yellow]not measured[/]: {name}, which this machine lacks")
    return int(mean < MEAN or any(row.ratio < EACH for row in results))


if __name__ == "__main__":
    raise SystemExit(main())
