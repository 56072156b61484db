"""Hashes of trajectories: whether a change of the sources changed any bit of a result.

    python -m conformance.digests before.json               # before the change
    python -m conformance.digests after.json --against before.json

Each model is stepped alone by every integrator in turn, in lanes, and differentiated; scenes with
deformables are stepped alone and in lanes. Hashes are those of one processor: compare two runs of
one machine.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import track

import cortenforge as cf
from conformance.cases import driven_cases, load_model, pulled_cases, random_cases
from cortenforge import models
from cortenforge.fields import DATA_FIELDS, bindable
from cortenforge.soft import Deformable

BUNDLED = ("humanoid", "ant", "quadruped", "arm", "cartpole", "cloth", "double_pendulum", "chain30")
#: seeds of random models of each kind: contacts and constraints, actuators, tendons
SEEDS = 6
INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast", "discrete")
STEPS, WORLDS, APART = 60, 11, 5
#: every field of Data that both forms of a world have
FIELDS = tuple(f.name for f in bindable(DATA_FIELDS) if not f.name.startswith("warning_"))

Scene = tuple[str, Callable[[], cf.Model]]


def scenes() -> Iterator[Scene]:
    """Models by name, made when they are needed."""
    for name in BUNDLED:
        yield name, partial(cf.Model.from_mjcf, models.find(name))
    for kind, cases in (
        ("random", random_cases),
        ("driven", driven_cases),
        ("pulled", pulled_cases),
    ):
        for case in cases(0, SEEDS):
            yield f"{kind} {case.name}", partial(load_model, case)
    for name, body in deformables():
        yield name, partial(resting_on_box, body)


def deformables() -> Iterable[tuple[str, Deformable]]:
    """One of each kind, in the air above a box."""
    yield "sheet", cf.Cloth.grid(12, 12, size=(0.6, 0.6), pos=(0, 0, 0.5), material="cotton")
    yield (
        "soft ball",
        cf.SoftBody.ball(0.12, 0.06, pos=(0, 0, 0.4), material="rubber"),
    )
    line = np.linspace((-0.4, 0, 0.4), (0.4, 0, 0.4), 20)
    yield "rope", cf.CapsuleChain(line, radius=0.01, material="rope")


def resting_on_box(body: Deformable) -> cf.Model:
    """A box that can move, and a deformable that falls on it."""
    text = """<mujoco><worldbody><geom type="plane" size="2 2 .1"/>
      <body pos="0 0 .15"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    </worldbody></mujoco>"""
    return cf.Model.from_mjcf(text).with_deformables([body])


def hash_of(arrays: Iterable[np.ndarray | None]) -> str:
    """One hash of all bits of arrays, in order."""
    content = hashlib.sha256()
    for array in arrays:
        if array is not None:
            content.update(np.ascontiguousarray(array).tobytes())
    return content.hexdigest()[:16]


def alone(model: cf.Model, integrator: str) -> str:
    """Steps of one world under random controls; a step that fails ends them."""
    model.opt.integrator = integrator
    data, rng = model.make_data(), np.random.default_rng(1)
    data.qvel[:] = rng.normal(size=model.nv) * 0.1
    seen: list[np.ndarray] = []
    for _ in range(STEPS // APART):
        data.ctrl[:] = rng.uniform(-1, 1, model.nu)
        try:
            data.step(APART)
        except cf.StepError as error:
            return f"{hash_of(seen)} {type(error).__name__}"
        seen += [np.array(getattr(data, name)) for name in FIELDS]
    return hash_of(seen)


def in_lanes(model: cf.Model) -> str:
    """Steps of several worlds; those that fail stay where they are."""
    batch, rng = cf.BatchSim(model, WORLDS), np.random.default_rng(2)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape) * 0.1
    seen: list[np.ndarray] = []
    for _ in range(STEPS // APART):
        batch.ctrl[:] = rng.uniform(-1, 1, batch.ctrl.shape)
        batch.step_all(APART)
        seen += [np.array(batch.qpos), np.array(batch.qvel), np.array(batch.act)]
        if model.nsoftvert:
            seen += [batch.env(world).deformable(0).positions for world in range(WORLDS)]
    return hash_of(seen)


def derivatives(model: cf.Model) -> str:
    """A, B, C, D after some steps."""
    data = model.make_data()
    data.step(20)
    found = data.transition_derivatives()
    return hash_of([found.A, found.B, found.C, found.D])


def attempt(compute: Callable[..., str], *given: Any) -> str:
    """A hash, or the name of the error that is there instead of one."""
    try:
        return compute(*given)
    except cf.CortenForgeError as error:
        return type(error).__name__


def measure() -> dict[str, str]:
    """All hashes, by model and what was computed."""
    found: dict[str, str] = {}
    for name, make in track(list(scenes()), "hashing", transient=True):
        model = make()
        for integrator in INTEGRATORS:
            found[f"{name}, {integrator}"] = attempt(alone, model, integrator)
        for last in ("Euler", "implicitfast"):
            model.opt.integrator = last
            found[f"{name}, lanes, {last}"] = attempt(in_lanes, model)
            found[f"{name}, derivatives, {last}"] = attempt(derivatives, model)
    return found


def main() -> None:
    """Write hashes, and compare them with earlier ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    parser.add_argument("--against", type=Path, help="hashes that were written before")
    options = parser.parse_args()
    found = measure()
    options.out.write_text(json.dumps(found, indent=1) + "\n")
    if options.against is None:
        print(f"{len(found)} hashes")
        return
    before = json.loads(options.against.read_text())
    differing = sorted(key for key in before | found if before.get(key) != found.get(key))
    print(*differing, f"{len(differing)} of {len(before)} hashes differ", sep="\n")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()
