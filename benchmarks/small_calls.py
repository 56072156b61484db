"""Small calls that programs make beside steps, taking turns with MuJoCo's: resets, copies, queries.

The least time of many repeats, in microseconds. Run alone: `python -m benchmarks.small_calls`.
"""

from __future__ import annotations

import copy
import importlib.util
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from rich.table import Table

import cortenforge as cf
from cortenforge.cli.screen import Screen
from cortenforge.compare import load_reference
from cortenforge.enums import Integrator, Solver
from cortenforge.model.internals import read_state, write_state

__all__ = ["measure", "table_of"]

#: steps before the calls, so that there are contacts and lists have grown
STEPS = 200
#: worlds of a batch that is reset, and of one that takes longer calls
WORLDS, FEW = 256, 64
SIGNATURE = int(mujoco.mjtState.mjSTATE_INTEGRATION)


@dataclass(frozen=True)
class SmallCall:
    """One call in both engines, and the time that it may take here."""

    model: str
    call: str
    ours_us: float
    theirs_us: float
    most_us: float


def _subjects() -> dict[str, Path]:
    """The bundled humanoid, and Gymnasium's where it is installed."""
    found = {"humanoid (bundled)": cf.models.find("humanoid")}
    spec = importlib.util.find_spec("gymnasium")
    if spec is not None and spec.origin is not None:
        file = Path(spec.origin).parent / "envs" / "mujoco" / "assets" / "humanoid.xml"
        if file.exists():
            found["humanoid (Gymnasium)"] = file
    return found


Turn = tuple[float, Callable[[], Any], Callable[[], Any]]


def _turns(path: Path) -> dict[str, Turn]:
    """Calls by name: microseconds at most, ours, MuJoCo's."""
    model, reference = cf.Model.from_mjcf(path), load_reference(path)
    data, theirs = model.make_data(), mujoco.MjData(reference)
    data.step(STEPS)
    mujoco.mj_step(reference, theirs, STEPS)
    state = np.zeros(mujoco.mj_stateSize(reference, SIGNATURE))
    jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    full = np.zeros((model.nv, model.nv))
    return {
        "jac_body": (
            1.2,
            lambda: data.jac_body(2),
            lambda: mujoco.mj_jacBody(reference, theirs, jacp, jacr, 2),
        ),
        "full_M": (1.5, data.full_M, lambda: mujoco.mj_fullM(reference, theirs, full)),
        "contact.geom": (1.0, lambda: data.contact.geom, lambda: theirs.contact.geom),
        "interaction_forces": (
            0.9,
            data.interaction_forces,
            lambda: mujoco.mj_rnePostConstraint(reference, theirs),
        ),
        "read_state": (
            2.0,
            lambda: read_state(data, SIGNATURE, state),
            lambda: mujoco.mj_getState(reference, theirs, state, SIGNATURE),
        ),
        "write_state": (
            2.0,
            lambda: write_state(data, SIGNATURE, state),
            lambda: mujoco.mj_setState(reference, theirs, state, SIGNATURE),
        ),
        "make_data": (600.0, model.make_data, lambda: mujoco.MjData(reference)),
        "copy": (600.0, data.copy, lambda: copy.copy(theirs)),
        # last, since it leaves no contacts
        "reset": (5.0, data.reset, lambda: mujoco.mj_resetData(reference, theirs)),
    }


def _batch_turns(path: Path) -> dict[str, Turn]:
    """Calls of batches, beside the same for one world of MuJoCo's after another."""
    model, reference = cf.Model.from_mjcf(path), load_reference(path)
    for opt in (model.opt, reference.opt):
        opt.solver, opt.integrator = int(Solver.PGS), int(Integrator.RK4)
    batch, theirs = cf.BatchSim(model, WORLDS, threads=1), mujoco.MjData(reference)
    one, every = np.arange(WORLDS) == 7, np.ones(WORLDS, bool)
    some = cf.BatchSim(model, FEW, threads=1)
    worlds = [mujoco.MjData(reference) for _ in range(FEW)]
    some.expand("body_mass")
    some.parameters["body_mass"][:, 1:] *= np.linspace(0.9, 1.1, FEW)[:, None]

    def reset_each() -> None:
        for _ in range(WORLDS):
            mujoco.mj_resetData(reference, theirs)

    def step_each() -> None:
        for data in worlds:
            mujoco.mj_step(reference, data)

    def set_each() -> None:
        for _ in range(FEW):
            mujoco.mj_setConst(reference, theirs)

    return {
        f"reset_where, 1 of {WORLDS}": (
            3.0,
            lambda: batch.reset_where(one),
            lambda: mujoco.mj_resetData(reference, theirs),
        ),
        f"reset_where, all {WORLDS}": (0.5 * WORLDS, lambda: batch.reset_where(every), reset_each),
        f"step with PGS and RK4, {FEW} worlds": (16.0 * FEW, some.step_all, step_each),
        f"set_const, {FEW} worlds": (122.0 * FEW, some.set_const, set_each),
    }


def _least_time(function: Callable[[], Any], calls: int) -> float:
    """Microseconds a call."""
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - start) / calls * 1e6


def measure(rounds: int = 40) -> list[dict[str, Any]]:
    """All calls of all models, the engines taking turns."""
    rows = []
    for name, path in _subjects().items():
        for call, (most, ours, theirs) in {**_turns(path), **_batch_turns(path)}.items():
            calls = 1 if most > 1000 else 20 if most > 100 else 500
            times = [(_least_time(ours, calls), _least_time(theirs, calls)) for _ in range(rounds)]
            best = np.min(times, axis=0).tolist()
            rows.append(asdict(SmallCall(name, call, *best, most)))
    return rows


def table_of(rows: list[dict[str, Any]]) -> Table:
    """The results as a table."""
    table = Table(title="small calls, in us", title_justify="left")
    for column in ("model", "call", "ours", "MuJoCo", "at most"):
        table.add_column(column, justify="left" if column in ("model", "call") else "right")
    for row in rows:
        numbers = (f"{row[key]:.2f}" for key in ("ours_us", "theirs_us"))
        table.add_row(row["model"], row["call"], *numbers, f"{row['most_us']:g}")
    return table


if __name__ == "__main__":
    Screen().print(table_of(measure()))
