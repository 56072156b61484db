"""Three simulations with contact: bodies that fall and come to rest."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cortenforge.cli.warmup import compile_uncached
from cortenforge.model import Data, Model
from cortenforge.models import find
from cortenforge.spec import Spec

Array = NDArray[np.float64]

#: half of the width of the pile's bin [m]
BIN_HALF_WIDTH = 0.5
RUST, SAND, STEEL = [0.72, 0.33, 0.13, 1], [0.88, 0.64, 0.35, 1], [0.4, 0.42, 0.45, 1]


@dataclass(frozen=True)
class Fall:
    """A finished simulation, with positions at some times.

    deepest: the deepest contact in the end [m];  speed: of the fastest dof in the end;
    contacts: the most there were at once;  elapsed: how long it took [s].
    """

    title: str
    model: Model
    time: Array
    qpos: Array
    deepest: float
    speed: float
    contacts: int
    elapsed: float

    @property
    def seconds(self) -> float:
        return float(self.time[-1])


def humanoid() -> Fall:
    """The humanoid without control: it stands for a moment, and falls."""
    data = Model.from_mjcf(find("humanoid")).make_data()
    data.reset_to_keyframe("stand")
    data.qvel[0] = 0.3
    return _record_fall("humanoid falls", data, seconds=10.0, samples=400)


def stack() -> Fall:
    """Balls dropped on one another, which stay so by rolling friction."""
    spec = Spec()
    spec.worldbody.add_geom(type="plane", size=[0, 0, 0.1])
    for k, colour in enumerate((RUST, STEEL, SAND)):
        ball = spec.worldbody.add_body(pos=[0, 0, 0.1 + 0.22 * k])
        ball.add_freejoint()
        ball.add_geom(size=0.1, condim=6, friction=[1, 0.005, 0.3], rgba=colour)
    return _record_fall("three balls stack", spec.compile().make_data(), seconds=10.0, samples=100)


def pile() -> Fall:
    """Boxes, balls and capsules fall into a narrow bin and form a heap."""
    rng = np.random.default_rng(3)
    spec = Spec()
    walls = (
        ([0, 0, 0], [0, 0, 1]),
        ([-BIN_HALF_WIDTH, 0, 0], [1, 0, 0]),
        ([BIN_HALF_WIDTH, 0, 0], [-1, 0, 0]),
        ([0, -0.11, 0], [0, 1, 0]),
        ([0, 0.11, 0], [0, -1, 0]),
    )
    for pos, zaxis in walls:
        spec.worldbody.add_geom(type="plane", size=[0, 0, 0.1], pos=pos, zaxis=zaxis)
    shapes: tuple[dict[str, Any], ...] = (
        {"type": "box", "size": [0.11, 0.09, 0.07], "rgba": RUST},
        {"type": "sphere", "size": 0.085, "rgba": SAND},
        {"type": "capsule", "size": [0.055, 0.1], "euler": [0, 90, 0], "rgba": STEEL},
    )
    for k in range(27):
        x = rng.uniform(-0.05, 0.05) + 0.4 * (k % 2 - 0.5)
        body = spec.worldbody.add_body(pos=[x, 0, 0.15 + 0.24 * (k // 2)])
        body.add_freejoint()
        body.add_geom(density=300, condim=6, friction=[1, 0.02, 0.02], **shapes[k % 3])
    return _record_fall("a pile settles", spec.compile().make_data(), seconds=8.0, samples=100)


def _record_fall(title: str, data: Data, *, seconds: float, samples: int) -> Fall:
    """Simulate, and record positions, depth, speed and contacts."""
    model = data.model
    compile_uncached(model)
    every = round(seconds / samples / model.opt.timestep)
    times, qpos = np.empty(samples + 1), np.empty((samples + 1, model.nq))
    contacts, elapsed = 0, 0.0
    for index in range(samples + 1):
        data.forward()
        times[index], qpos[index] = data.time, data.qpos
        contacts = max(contacts, data.ncon)
        if index < samples:
            start = time.perf_counter()
            data.step(every)
            elapsed += time.perf_counter() - start
    deepest, speed = -float(data.contact_dist[: data.ncon].min()), float(np.abs(data.qvel).max())
    return Fall(title, model, times, qpos, deepest, speed, contacts, elapsed)
