"""Environments on one core, by turns with EnvPool and with Gymnasium's own on MuJoCo.

python -m benchmarks.environments

Observations, rewards and resets are included. Times are those of the processor, of all threads, and
the least of several rounds. Prints a table and adds the numbers to `benchmarks/results.json`;
EnvPool and Gymnasium are left out with a sentence where they cannot be had.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.machine import RESULTS

__all__ = ["FASTER", "Measured", "measure"]

#: how many times as fast as EnvPool each task must be
FASTER = {"HalfCheetah-v5": 5.0, "Ant-v5": 5.5, "Humanoid-v5": 5.0}
#: the most of a step that may be spent outside of physics
SHARE = 0.1
WORLDS, ROUNDS = 256, 7
#: environments of Gymnasium, whose time is proportional to their number
SINGLE = 16
#: steps before the first round, so that worlds are in all parts of their episodes
WARM = 60
#: seconds of a turn
TURN = 0.15


@dataclass
class Measured:
    """Microseconds of the processor for a step of one world, and the part outside of physics."""

    task: str
    ours: float
    share: float
    envpool: float | None
    gymnasium: float | None


class Turn:
    """Steps of one vector environment, and the least time of a step of one world."""

    def __init__(self, step: Callable[[Any], Any], actions: np.ndarray) -> None:
        self.step, self.actions, self.n = step, actions, actions.shape[1]
        self.least, self._next = float("inf"), 0
        for _ in range(WARM):
            self._one()

    def _one(self) -> None:
        self.step(self.actions[self._next % len(self.actions)])
        self._next += 1

    def take(self) -> None:
        """Step for some time."""
        start, count = time.process_time(), 0
        while time.process_time() - start < TURN:
            self._one()
            count += 1
        self.least = min(self.least, (time.process_time() - start) / count / self.n)


class Physics:
    """Time of the processor in the steps of physics of a runner."""

    def __init__(self, runner: Any) -> None:
        self.spent, inner = 0.0, runner._advance

        def timed(where: Any) -> None:
            start = time.process_time()
            inner(where)
            self.spent += time.process_time() - start

        runner._advance = timed


def measure(task: str, rounds: int = ROUNDS) -> Measured:
    """One task, by turns."""
    from cortenforge import envs

    ours = envs.make(task, WORLDS, threads=1)
    ours.reset(seed=0)
    space = ours.single_action_space
    rng = np.random.default_rng(0)
    actions = rng.uniform(space.low, space.high, (16, WORLDS, *space.shape)).astype(np.float32)
    turns = {"ours": Turn(ours.step, actions)}
    others = {"envpool": envpool_turn, "gymnasium": gymnasium_turn}
    for name, make in others.items():
        if importlib.util.find_spec(name if name == "envpool" else "mujoco") is not None:
            turns[name] = make(task, actions)
    for _ in range(rounds):
        for turn in turns.values():
            turn.take()
    times = {name: 1e6 * turn.least for name, turn in turns.items()}
    share = outside_physics(ours, turns["ours"])
    return Measured(task, times["ours"], share, times.get("envpool"), times.get("gymnasium"))


def outside_physics(ours: Any, turn: Turn) -> float:
    """Part of a step that is spent on observations, rewards, resets and infos: the least seen."""
    physics, least = Physics(ours.runner), 1.0
    for _ in range(5):
        physics.spent, start = 0.0, time.process_time()
        turn.take()
        least = min(least, 1 - physics.spent / (time.process_time() - start))
    return least


def envpool_turn(task: str, actions: np.ndarray) -> Turn:
    """EnvPool with one thread; as fast as it is without other threads, and as many environments."""
    import envpool

    pool = envpool.make_gymnasium(task, num_envs=WORLDS, num_threads=1, seed=0)
    pool.reset()
    return Turn(pool.step, actions.astype(pool.action_space.dtype))


def gymnasium_turn(task: str, actions: np.ndarray) -> Turn:
    """Gymnasium's own, one after another."""
    import gymnasium

    sync = gymnasium.make_vec(task, num_envs=SINGLE, vectorization_mode="sync")
    sync.reset(seed=0)
    return Turn(sync.step, actions[:, :SINGLE])


def kernels_and_arrays(rounds: int = ROUNDS) -> tuple[float, float]:
    """Microseconds of a step of the tutorial's task with kernels, and with arrays."""
    from cortenforge import envs

    turns = []
    for name in ("PaddleKernels", "Paddle"):
        vector = envs.make(f"cortenforge/{name}-v0", WORLDS, threads=1)
        vector.reset(seed=0)
        space = vector.single_action_space
        rng = np.random.default_rng(0)
        turns.append(Turn(vector.step, rng.uniform(space.low, space.high, (16, WORLDS, 3))))
    for _ in range(rounds):
        for turn in turns:
            turn.take()
    return 1e6 * turns[0].least, 1e6 * turns[1].least


def main(argv: list[str] | None = None) -> int:
    """Measure, print and keep the numbers; 1 if a task is too slow."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.environments")
    parser.add_argument("tasks", nargs="*", default=list(FASTER))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args(argv)
    console = Console()
    if importlib.util.find_spec("gymnasium") is None:
        console.print("environments are not measured: gymnasium is not installed")
        return 0
    if importlib.util.find_spec("envpool") is None:
        console.print("EnvPool is left out: it is not installed")
    found = [measure(task, arguments.rounds) for task in arguments.tasks]
    kernels, arrays = kernels_and_arrays(arguments.rounds)
    console.print(table(found))
    console.print(f"a task with kernels {kernels:.2f} us, with arrays {arrays:.2f} us")
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    results["environments"] = {
        "tasks": [asdict(one) for one in found],
        "kernels_us": kernels,
        "arrays_us": arrays,
    }
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    slow = [one.task for one in found if not fast_enough(one)]
    if kernels > arrays:
        slow.append("kernels are slower than arrays")
    if slow:
        console.print(f"too slow: {', '.join(slow)}")
    return int(bool(slow))


def fast_enough(one: Measured) -> bool:
    """Whether a task is as fast as it must be."""
    fast = one.envpool is None or one.envpool >= FASTER.get(one.task, 0.0) * one.ours
    return fast and one.share <= SHARE


def table(found: list[Measured]) -> Table:
    """What was measured."""
    made = Table("task", "us a step", "outside physics", "EnvPool", "Gymnasium", "times EnvPool")
    for one in found:
        pool = "" if one.envpool is None else f"{one.envpool:.1f}"
        single = "" if one.gymnasium is None else f"{one.gymnasium:.1f}"
        times = "" if one.envpool is None else f"{one.envpool / one.ours:.2f}"
        share = f"{100 * one.share:.0f}%"
        made.add_row(one.task, f"{one.ours:.2f}", share, pool, single, times)
    return made


if __name__ == "__main__":
    sys.exit(main())
