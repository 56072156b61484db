"""`python -m benchmarks.statics`: steps among many static geoms, both engines by turns.

Some dozens of bodies fall on a plane strewn with static geoms of five types. Both engines are in
one process and have the same states. A step is measured as most programs take it, one a call, and
many a call; loading is measured once, in seconds of the processor.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import mujoco
import numpy as np

import cortenforge as cf
from benchmarks.crowds import SIZES

__all__ = ["Scene", "main", "race", "strewn"]

COUNTS = (1000, 5000, 40_000, 100_000)
BODIES, ROUNDS, STEPS = 30, 40, 20
#: steps before the race, so that bodies have landed
LANDED = 150
#: how many times as fast as MuJoCo a step must be, by static geoms
LEAST = {5000: 1.0, 40_000: 1.0}


@dataclass(frozen=True)
class Scene:
    """Microseconds of a step, and seconds of loading; ratios above 1 mean that we are faster."""

    geoms: int
    contacts: int
    theirs_us: float
    ours_us: float
    ours_many_us: float
    ratio: float
    ratio_many: float
    theirs_load: float
    ours_load: float


def strewn(count: int, bodies: int = BODIES) -> str:
    """MJCF of so many static geoms, as close together however many, and bodies above them."""
    rng = np.random.default_rng(0)
    side = 0.25 * np.sqrt(count)

    def place(low: float, high: float) -> str:
        pos, turn = rng.uniform((-side, -side, low), (side, side, high)), rng.uniform(-180, 180, 3)
        numbers = (" ".join(f"{x:.3f}" for x in row) for row in (pos, turn))
        return 'pos="{}" euler="{}"'.format(*numbers)

    shapes = [f'type="{kind}" size="{size}"' for kind, size in SIZES.items()]
    fixed = "".join(f"<geom {shapes[n % 5]} {place(0.0, 0.3)}/>" for n in range(count))
    falling = "".join(
        f"<body {place(0.5, 1.0)}><freejoint/><geom {shapes[n % 3]}/></body>" for n in range(bodies)
    )
    plane = '<geom type="plane" size="5 5 .1"/>'
    return (
        f'<mujoco><option timestep=".004"/><worldbody>{plane}{fixed}{falling}</worldbody></mujoco>'
    )


def race(count: int, rounds: int = ROUNDS) -> Scene:
    """Both engines on one scene; the least of short turns, so that what else runs counts little."""
    text = strewn(count)
    reference, theirs_load = _loaded(mujoco.MjModel.from_xml_string, text)
    model, ours_load = _loaded(cf.Model.from_mjcf, text)
    theirs, ours = mujoco.MjData(reference), model.make_data()
    for _ in range(LANDED):
        mujoco.mj_step(reference, theirs)
    state = theirs.qpos.copy(), theirs.qvel.copy()
    ours.qpos[:], ours.qvel[:] = state
    ours.step(STEPS)
    contacts = int(theirs.ncon)

    def begin() -> None:
        for data in (theirs, ours):
            data.qpos[:], data.qvel[:] = state

    turns = (lambda: mujoco.mj_step(reference, theirs), ours.step, lambda: ours.step(STEPS))
    least = [np.inf] * len(turns)
    for _ in range(rounds):
        begin()
        for which, turn in enumerate(turns):
            least[which] = min(least[which], _seconds(turn))
    times = [1e6 * least[0], 1e6 * least[1], 1e6 * least[2] / STEPS]
    ratios = times[0] / times[1], times[0] / times[2]
    return Scene(count, contacts, *times, *ratios, theirs_load, ours_load)


def _loaded(load: Callable[[str], Any], text: str) -> tuple[Any, float]:
    start = time.process_time()
    return load(text), time.process_time() - start


def _seconds(turn: Callable[[], Any]) -> float:
    start = time.perf_counter()
    turn()
    return time.perf_counter() - start


def main(arguments: list[str] | None = None) -> int:
    """Print a table; 1 if a step is slower than it must be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=COUNTS, help="static geoms")
    # units are compiled with a model that is not measured
    cf.Model.from_mjcf(strewn(200)).make_data().step(STEPS)
    print(
        "| static geoms | contacts | MuJoCo us | one a call us | many a call us | ratios | load s |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|")
    missed = 0
    for count in parser.parse_args(arguments).counts:
        row = asdict(race(count))
        print(
            "| {geoms:,} | {contacts} | {theirs_us:.0f} | {ours_us:.0f} | {ours_many_us:.0f} | "
            "{ratio:.1f}, {ratio_many:.1f} | {ours_load:.2f} ({theirs_load:.2f}) |".format(**row),
            flush=True,
        )
        missed |= row["ratio"] < LEAST.get(count, 0.0)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
