"""`python -m benchmarks.rays`: rays of both engines by turns, in one process.

Many rays from one point in one call against `mj_multiRay`, and one ray a call against `mj_ray`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np

import cortenforge as cf
from conformance.rays import ASSETS, SHAPES
from cortenforge import models

__all__ = ["Ray", "race_rays", "scenes"]

ROUNDS = 15
MANY = 2000
SINGLE = 300


@dataclass(frozen=True)
class Ray:
    """Nanoseconds a ray of both engines; `ratio` above 1 means that we are faster."""

    scene: str
    how: str
    geoms: int
    ours_ns: float
    theirs_ns: float
    ratio: float


def scenes() -> dict[str, str]:
    """What rays are cast at, as MJCF."""
    rng = np.random.default_rng(0)
    shapes = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
    every = {name: _scattered(rng, [name], 1, 0.1) for name in SHAPES}
    return every | {
        "humanoid": models.find("humanoid_floating").read_text(),
        "50 primitives": _scattered(rng, shapes, 50, 3),
        "500 primitives": _scattered(rng, shapes, 500, 8),
        "100 meshes": _scattered(rng, ["mesh", "open mesh"], 100, 8),
        "terrain 200 x 200": _terrain(rng, 200),
    }


def _scattered(
    rng: np.random.Generator, names: list[str] | tuple[str, ...], n: int, wide: float
) -> str:
    bodies = []
    for k in range(n):
        pos, turn = rng.uniform(-wide, wide, 3), rng.uniform(-180, 180, 3)
        place = f'pos="{" ".join(map(str, pos))}" euler="{" ".join(map(str, turn))}"'
        bodies.append(f"<body {place}><geom {SHAPES[names[k % len(names)]]}/></body>")
    return f"<mujoco>{ASSETS}<worldbody>{''.join(bodies)}</worldbody></mujoco>"


def _terrain(rng: np.random.Generator, n: int) -> str:
    heights = " ".join(f"{x:.3f}" for x in rng.random(n * n))
    field = f'<hfield name="h" nrow="{n}" ncol="{n}" size="4 4 .5 .2" elevation="{heights}"/>'
    geom = '<geom type="hfield" hfield="h"/>'
    return f"<mujoco><asset>{field}</asset><worldbody>{geom}</worldbody></mujoco>"


def race_rays(name: str, text: str, rounds: int = ROUNDS) -> list[Ray]:
    """Time both engines on the same rays."""
    theirs = mujoco.MjModel.from_xml_string(text)
    their_data = mujoco.MjData(theirs)
    mujoco.mj_kinematics(theirs, their_data)
    mujoco.mj_comPos(theirs, their_data)
    data = cf.Model.from_mjcf(text).make_data()
    data.forward(smooth_only=True)
    rng = np.random.default_rng(1)
    pnt = np.array([2.0, 1.5, 1.2])
    aim = their_data.geom_xpos[rng.integers(theirs.ngeom, size=MANY)]
    vec = aim + 0.4 * rng.normal(size=(MANY, 3)) - pnt
    flat, geom, dist = vec.ravel().copy(), np.zeros(MANY, np.int32), np.zeros(MANY)
    first = geom[:1]

    def their_many() -> None:
        mujoco.mj_multiRay(theirs, their_data, pnt, flat, None, 1, -1, geom, dist, None, MANY, 1e10)

    def their_single() -> None:
        for k in range(SINGLE):
            mujoco.mj_ray(theirs, their_data, pnt, vec[k], None, 1, -1, first, None)

    def our_single() -> None:
        for k in range(SINGLE):
            data.ray(pnt, vec[k])

    ways = {
        "many": (lambda: data.multi_ray(pnt, vec), their_many, MANY),
        "single": (our_single, their_single, SINGLE),
    }
    return [
        _timed(name, how, theirs.ngeom, ours, other, count, rounds)
        for how, (ours, other, count) in ways.items()
    ]


def _timed(
    name: str,
    how: str,
    geoms: int,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    count: int,
    rounds: int,
) -> Ray:
    pairs = []
    for turn in range(rounds + 1):
        # who goes first changes, so that neither always finds the warmer machine
        order = (ours, theirs) if turn % 2 else (theirs, ours)
        taken = {}
        for call in order:
            start = time.perf_counter()
            call()
            taken[call] = time.perf_counter() - start
        pairs.append((taken[ours], taken[theirs]))
    mine, other = np.array(pairs[1:]).T / count * 1e9
    ratio = float(np.median(other / mine))
    return Ray(name, how, geoms, float(np.median(mine)), float(np.median(other)), ratio)


def main(arguments: list[str] | None = None) -> int:
    """A table of all scenes; how many of them are slower than MuJoCo's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args(arguments)
    slower = 0
    print("| scene | geoms | rays a call | CortenForge ns | MuJoCo ns | ratio |")
    print("|---|---:|---|---:|---:|---:|")
    for name, text in scenes().items():
        for ray in race_rays(name, text, chosen.rounds):
            slower += ray.ratio < 1
            print(
                f"| {ray.scene} | {ray.geoms} | {ray.how} | {ray.ours_ns:.0f} | "
                f"{ray.theirs_ns:.0f} | **{ray.ratio:.2f}** |"
            )
    return slower


if __name__ == "__main__":
    sys.exit(main())
