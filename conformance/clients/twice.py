"""Gymnasium's environments with both modules: each step starts from MuJoCo's state.

    python -m conformance.clients.twice real out.npz     MuJoCo's episodes, recorded
    python -m conformance.clients.twice ours out.npz     the same with the module, compared

The second takes the recorded actions. After each step it takes over the recorded state, so that
each step is compared from the same one: observations and rewards relative to the largest of the
environment, and whether episodes end.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

#: largest relative difference of observations and rewards
BOUND = 1e-10


def environments(version: str) -> list[str]:
    """The names of Gymnasium's environments over MuJoCo that have a version."""
    import gymnasium as gym

    names = [n for n, s in gym.registry.items() if "gymnasium.envs.mujoco" in str(s.entry_point)]
    return sorted(name for name in names if name.endswith(tuple(version.split(","))))


def made(name: str, seed: int = 0) -> tuple[Any, np.ndarray]:
    """An environment, and its first observation."""
    import gymnasium as gym

    env = gym.make(name)
    env.action_space.seed(seed)
    return env, env.reset(seed=seed)[0]


def state_of(env: Any) -> np.ndarray:
    """The whole state of an environment."""
    import mujoco

    own, kind = env.unwrapped, mujoco.mjtState.mjSTATE_INTEGRATION.value
    found = np.zeros(mujoco.mj_stateSize(own.model, kind))
    mujoco.mj_getState(own.model, own.data, found, kind)
    return found


def set_state(env: Any, state: np.ndarray) -> None:
    """Set the whole state of an environment."""
    import mujoco

    own = env.unwrapped
    mujoco.mj_setState(own.model, own.data, state, mujoco.mjtState.mjSTATE_INTEGRATION.value)


def episode(name: str, steps: int, recorded: dict[str, np.ndarray] | None) -> dict[str, np.ndarray]:
    """Observations, rewards, ends and states of some steps; from recorded states, if given."""
    env, first = made(name)
    rows: dict[str, list[Any]] = {"obs": [first], "reward": [], "ended": [], "state": []}
    for t in range(steps):
        obs, reward, ended, truncated, _ = env.step(env.action_space.sample())
        rows["obs"].append(obs)
        rows["reward"].append(reward)
        rows["ended"].append(ended)
        rows["state"].append(state_of(env))
        if recorded is not None:
            set_state(env, recorded["state"][t])
            ended = bool(recorded["ended"][t])
        if ended or truncated:
            env.reset()
    env.close()
    return {key: np.array(values) for key, values in rows.items()}


def apart(mine: np.ndarray, other: np.ndarray) -> float:
    """The largest difference, relative to the largest entry."""
    return float(np.abs(mine - other).max() / max(1.0, float(np.abs(other).max())))


def compared(name: str, mine: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> dict:
    """How far two recordings are apart."""
    found = {key: apart(mine[key], other[key]) for key in ("obs", "reward", "state")}
    return {
        "task": name,
        **found,
        "same_ends": bool((mine["ended"] == other["ended"]).all()),
        "close": max(found["obs"], found["reward"]) <= BOUND,
    }


def results(mode: str, file: Path, version: str, steps: int) -> Iterator[dict]:
    """Record, or compare with what is recorded."""
    kept: dict[str, np.ndarray] = {} if mode == "real" else dict(np.load(file))
    names = environments(version)
    yield {"tasks": len(names)}
    for name in names:
        recorded = {k.split(":")[1]: a for k, a in kept.items() if k.startswith(f"{name}:")}
        try:
            own = episode(name, steps, recorded or None)
        except Exception as error:
            yield {"task": name, "failed": f"{type(error).__name__}: {error}"[:200]}
            continue
        if mode == "real":
            kept |= {f"{name}:{key}": array for key, array in own.items()}
        elif recorded:
            yield compared(name, own, recorded)
    if mode == "real":
        np.savez(file, **kept)


def main() -> None:
    """Run one of both modules."""
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=("real", "ours"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--version", default="v4,v5")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.mode == "ours":
        import cortenforge.mujoco

        cortenforge.mujoco.install()
    for found in results(given.mode, given.file, given.version, given.steps):
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
