"""The collision stage against `mj_collision`: `python -m benchmarks.collision [MODEL.xml ...]`.

Both engines have the same states in memory and take turns in one process; what a call from Python
costs is measured on a function that does nothing, and taken off. In lanes, the stage is what a step
with it takes longer than a step without.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import cortenforge as cf
from cortenforge.fields import CAPACITIES, DATA_FIELDS
from cortenforge.kernel import kernel
from cortenforge.step.collision.stage import collision
from cortenforge.step.engine import Engine
from cortenforge.step.forward import place, touch
from cortenforge.step.pipeline import keep_state, settle

__all__ = ["Measured", "main", "measure", "pile", "terrain"]

STATES, WORLDS, ROUNDS, REPEATS = 48, 64, 12, 10
#: how many times as fast as MuJoCo the stage must be: one world, and a world in lanes
TARGETS = {
    "humanoid": (4.0, 8.0),
    "ant": (3.0, 3.0),
    "half_cheetah": (3.0, 3.0),
    "terrain": (1.0, 1.0),
}


@kernel(lanes=True, unit=True)
def step_with_contacts(m, d):
    """Place everything and find contacts."""
    keep_state(m, d)
    touch(m, d)
    settle(m, d)


@kernel(lanes=True, unit=True)
def step_without_contacts(m, d):
    """Place everything."""
    keep_state(m, d)
    place(m, d)
    settle(m, d)


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

    @property
    def ratios(self) -> tuple[float, float]:
        return self.theirs_us / self.ours_us, self.theirs_us / self.lanes_us


def pile(count: int) -> str:
    """Spheres and capsules that fall on a plane."""
    rng = np.random.default_rng(0)
    side = 0.4 * np.sqrt(max(1.0, count / 50))
    kinds = ('type="sphere" size=".07"', 'type="capsule" size=".05 .06"')
    bodies = "".join(
        f'<body pos="{rng.uniform(-side, side):.3f} {rng.uniform(-side, side):.3f} '
        f'{rng.uniform(0.2, 3):.3f}"><freejoint/><geom {kinds[n % 2]}/></body>'
        for n in range(count)
    )
    return (
        '<mujoco><option timestep=".004"/><worldbody><geom type="plane" size="5 5 .1"/>'
        f"{bodies}</worldbody></mujoco>"
    )


def terrain(count: int = 20, grid: int = 100) -> str:
    """Boxes, capsules and meshes that fall on a rough height field."""
    rng = np.random.default_rng(0)
    heights = " ".join(f"{x:.3f}" for x in rng.uniform(0, 1, grid * grid))
    blob = rng.normal(size=(60, 3))
    blob *= 0.12 / np.linalg.norm(blob, axis=1, keepdims=True)
    vertices = " ".join(f"{x:.4f}" for x in blob.ravel())
    kinds = (
        'type="box" size=".1 .15 .08"',
        'type="capsule" size=".06 .15"',
        'type="mesh" mesh="m"',
    )
    places = rng.uniform((-2, -2, 0.3), (2, 2, 0.6), (count, 3))
    bodies = "".join(
        f'<body pos="{x:.3f} {y:.3f} {z:.3f}"><freejoint/><geom {kinds[n % 3]}/></body>'
        for n, (x, y, z) in enumerate(places)
    )
    return (
        f'<mujoco><option timestep=".004"/><asset><mesh name="m" vertex="{vertices}"/>'
        f'<hfield name="h" nrow="{grid}" ncol="{grid}" size="2.5 2.5 .1 .1" elevation="{heights}"/>'
        f'</asset><worldbody><geom type="hfield" hfield="h"/>{bodies}</worldbody></mujoco>'
    )


def measure(name: str, source: str) -> Measured:
    """Both engines on states of a model that moves under random controls."""
    model, reference = cf.Model.from_mjcf(source), _reference(source)
    # constraints are not there yet, and nothing here asks for them
    model.missing = 0
    places = _places(reference)
    ours, theirs = [_ours(model, qpos) for qpos in places], [_theirs(reference, q) for q in places]
    stage = ours[0]._function(collision)
    library = _library()
    mine = [(data._call.m, data._call.d) for data in ours]
    other = [(reference._address, data._address) for data in theirs]
    runs = np.array(
        [
            (_seconds(library.mj_version, other), _seconds(library.mj_collision, other),
             _seconds(stage, mine))
            for _ in range(ROUNDS)
        ]
    )  # fmt: skip
    empty, their_time, our_time = runs.min(axis=0) * 1e6
    return Measured(
        name,
        model.ngeom,
        len(model.candidate_geom),
        float(np.mean([data.ncon for data in theirs])),
        their_time - empty,
        our_time - empty,
        _lanes(model, places),
    )


def _reference(source: str) -> Any:
    if source.lstrip().startswith("<"):
        return mujoco.MjModel.from_xml_string(source)
    return mujoco.MjModel.from_xml_path(source)


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
    for function in (library.mj_version, library.mj_collision):
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    return library


def _seconds(function: Callable[..., Any], calls: Sequence[tuple[int, int]]) -> float:
    """Seconds a call."""
    start = time.perf_counter()
    for _ in range(REPEATS):
        for arguments in calls:
            function(*arguments)
    return (time.perf_counter() - start) / (REPEATS * len(calls))


def _lanes(model: cf.Model, places: list[np.ndarray]) -> float:
    """Microseconds a world in lanes."""
    batches = [cf.BatchSim(model, WORLDS, threads=1, engine=engine) for engine in (WITH, WITHOUT)]
    times = []
    for batch in batches:
        batch.qpos[:] = [places[i % len(places)] for i in range(WORLDS)]
        batch.step_all(1)
    for _ in range(ROUNDS):
        turn = []
        for batch in batches:
            start = time.perf_counter()
            batch.step_all(4 * REPEATS)
            turn.append((time.perf_counter() - start) / (4 * REPEATS * WORLDS))
        times.append(turn)
    least = np.min(times, axis=0) * 1e6
    return float(least[0] - least[1])


def main(arguments: Sequence[str]) -> int:
    """Measure, show a table; 1 if a target was missed."""
    subjects = {"pile 50": pile(50), "pile 200": pile(200), "terrain": terrain()}
    subjects |= {Path(path).stem: path for path in arguments}
    columns = ("model", "geoms", "pairs", "contacts", "MuJoCo us", "ours us", "lanes us")
    table = Table(*columns, "ratio", "ratio in lanes", title="collision stage against mj_collision")
    missed = []
    for name, source in subjects.items():
        row = measure(name, source)
        one, lanes = row.ratios
        numbers = (row.contacts, row.theirs_us, row.ours_us, row.lanes_us, one, lanes)
        table.add_row(name, str(row.geoms), str(row.candidates), *(f"{x:.2f}" for x in numbers))
        wanted = TARGETS.get(name, (0.0, 0.0))
        missed += [name] if one < wanted[0] or lanes < wanted[1] else []
    Console().print(table)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
