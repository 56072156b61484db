"""Rows of constraints against MuJoCo's: `python -m benchmarks.rows MODEL.xml ...`.

Both engines have the same states and contacts in memory and take turns in one process; what a call
from Python costs is measured on a function that does nothing, and taken off.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import cortenforge as cf
from benchmarks.collision import _library, _seconds
from benchmarks.stages import nothing
from conformance.rows import evaluate
from cortenforge.compare import load_reference
from cortenforge.step.constraint.reference_acceleration import reference_constraint
from cortenforge.step.constraint.stage import make_constraint

STATES, ROUNDS = 48, 30


def measure(source: str, cone: int) -> tuple[float, ...]:
    """Rows a state; microseconds of positions and of velocities, MuJoCo's and ours."""
    model, theirs = cf.Model.from_mjcf(source), load_reference(source)
    model.opt.cone = theirs.opt.cone = cone
    states = _states(theirs)
    ours, others = [], []
    for qpos, qvel in states:
        data, other = model.make_data(), mujoco.MjData(theirs)
        data.qpos[:] = other.qpos[:] = qpos
        data.qvel[:] = other.qvel[:] = qvel
        evaluate(data, theirs, other)
        ours.append(data)
        others.append(other)
    library = _library()
    mine = [(data._call.m, data._call.d) for data in ours]
    same = [(theirs._address, data._address) for data in others]
    make, refer = ours[0]._function(make_constraint), ours[0]._function(reference_constraint)
    turns = (
        (library.mj_version, same),
        (ours[0]._function(nothing), mine),
        (library.mj_makeConstraint, same),
        (make, mine),
        (library.mj_referenceConstraint, same),
        (refer, mine),
    )
    least = np.min([[_seconds(*turn) for turn in turns] for _ in range(ROUNDS)], axis=0) * 1e6
    rows = float(np.mean([data.nefc for data in ours]))
    empty, our_empty, *times = least
    return (rows, *(np.array(times) - [empty, our_empty, empty, our_empty]))


def _states(theirs: mujoco.MjModel) -> list[tuple[np.ndarray, np.ndarray]]:
    """States of a model that moves under random controls."""
    data, rng = mujoco.MjData(theirs), np.random.default_rng(0)
    found = []
    for _ in range(STATES):
        for _ in range(10):
            data.ctrl[:] = rng.uniform(-0.4, 0.4, theirs.nu)
            mujoco.mj_step(theirs, data)
        found.append((data.qpos.copy(), data.qvel.copy()))
    return found


def main(arguments: Sequence[str]) -> int:
    """Measure models, and show a table."""
    table = Table(
        "model", "cone", "rows", "make: MuJoCo us", "ours", "reference: MuJoCo us", "ours", "ratio"
    )
    for path in arguments:
        for cone, name in enumerate(("pyramidal", "elliptic")):
            rows, make, our_make, refer, our_refer = measure(path, cone)
            numbers = (rows, make, our_make, refer, our_refer)
            ratio = (make + refer) / (our_make + our_refer)
            table.add_row(Path(path).stem, name, *(f"{x:.2f}" for x in numbers), f"{ratio:.2f}")
    Console(width=140).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
