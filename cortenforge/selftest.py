"""Checks of an installation against stored numbers, without MuJoCo: `cortenforge selftest`.

python -m cortenforge.selftest --write    compute the numbers anew, after a deliberate change

The numbers of rigid models agree with MuJoCo's, which a test of the repository holds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import cortenforge as cf

NUMBERS = Path(__file__).with_name("selftest.json")
RIGID = ("pendulum", "double_pendulum", "chain30", "tumbling_box", "cartpole", "arm", "ant",
         "quadruped", "humanoid")  # fmt: skip
STEPS = 20
#: of the largest number of an array, at least 1: another C library may round differently
TOLERANCE = 1e-8
#: of a colour between 0 and 255
COLOUR = 1.0


@dataclass(frozen=True)
class Outcome:
    """One check: what it compared, and how far the numbers are apart; None if it raised."""

    name: str
    error: float | None
    passed: bool
    message: str = ""


def kicked(name: str) -> cf.Data:
    """A bundled model at its first keyframe, in motion, with controls."""
    model = cf.load_model(cf.models.find(name))
    data = model.make_data()
    if model.nkey:
        data.reset_to_keyframe(0)
    data.qvel[:] += 0.1 * np.sin(1.0 + np.arange(model.nv))
    data.ctrl[:] += 0.1
    return data


def trajectory(name: str) -> dict[str, np.ndarray]:
    """Positions and velocities after some steps."""
    data = kicked(name)
    data.step(STEPS)
    return {"qpos": data.qpos.copy(), "qvel": data.qvel.copy()}


def derivatives() -> dict[str, np.ndarray]:
    """Columns of A and B of a step, summed up."""
    found = kicked("humanoid").transition_derivatives()
    return {"A": found.A.sum(axis=0), "B": found.B.sum(axis=0)}


def batch() -> dict[str, np.ndarray]:
    """Differences of worlds in a batch from the same worlds alone: zeros, to the last bit."""
    single = kicked("ant")
    worlds = cf.BatchSim(single.model, 9)
    worlds.set_states([single.get_state()] * worlds.n)
    worlds.qvel[:] *= 1 + 0.01 * np.arange(worlds.n)[:, None]
    states = worlds.get_states()
    worlds.step_all(STEPS)
    apart = []
    for i in range(worlds.n):
        single.set_state(states[i])
        single.step(STEPS)
        apart.append(np.abs(worlds.qpos[i] - single.qpos).max())
    return {"difference": np.array(apart)}


def cloth() -> dict[str, np.ndarray]:
    """Vertices of a cloth that falls on a ball, every 40th."""
    data = cf.load_model(cf.models.find("cloth")).make_data()
    data.step(STEPS)
    return {"positions": data.deformable(0).positions[::40].ravel()}


def picture() -> dict[str, np.ndarray]:
    """Colours of a small picture, averaged in blocks."""
    data = kicked("humanoid")
    data.forward()
    pixels = np.asarray(data.render(width=64, height=48), float)
    return {"colours": pixels.reshape(6, 8, 8, 8, 3).mean(axis=(1, 3)).ravel()}


def checks() -> dict[str, Callable[[], dict[str, np.ndarray]]]:
    """Every check by its name."""
    rigid = {f"steps of {name}": lambda name=name: trajectory(name) for name in RIGID}
    return {**rigid, "derivatives of humanoid": derivatives, "batch of ants": batch,
            "steps of a cloth": cloth, "picture of humanoid": picture}  # fmt: skip


def compared(name: str, found: dict[str, np.ndarray], wanted: dict[str, list[float]]) -> Outcome:
    """The largest difference of any array, relative to its tolerance."""
    worst, passed = 0.0, found.keys() == wanted.keys()
    for key, numbers in found.items():
        expected = np.array(wanted.get(key, []))
        if numbers.shape != expected.shape or not np.all(np.isfinite(numbers)):
            return Outcome(name, None, False, f"{key} has other numbers than expected")
        scale = 1.0 if key == "colours" else max(1.0, float(np.abs(expected).max(initial=0)))
        error = float(np.abs(numbers - expected).max(initial=0)) / scale
        limits = {"colours": COLOUR, "difference": 0.0}
        worst, passed = max(worst, error), passed and error <= limits.get(key, TOLERANCE)
    return Outcome(name, worst, passed)


def run() -> Iterator[Outcome]:
    """Run the checks one by one."""
    stored: dict[str, dict[str, list[float]]] = json.loads(NUMBERS.read_text(encoding="utf-8"))
    for name, check in checks().items():
        try:
            yield compared(name, check(), stored[name])
        except (cf.CortenForgeError, KeyError) as error:
            yield Outcome(name, None, False, str(error))


def write() -> None:
    """Store the numbers of this installation."""
    found: dict[str, Any] = {
        name: {key: numbers.tolist() for key, numbers in check().items()}
        for name, check in checks().items()
    }
    NUMBERS.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        outcomes = list(run())
        for outcome in outcomes:
            print(outcome)
        sys.exit(not all(outcome.passed for outcome in outcomes))
