"""Steps of Gymnasium's environments: `record FILE` with one mujoco, `compare FILE` with another."""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import mujoco
import numpy as np

STEPS = 50
RTOL = 1e-10
WHOLE = int(mujoco.mjtState.mjSTATE_INTEGRATION)


def environments() -> list[str]:
    """Names of all of Gymnasium's environments with MuJoCo, in their last version."""
    return sorted(
        name
        for name, spec in gymnasium.registry.items()
        if "gymnasium.envs.mujoco" in str(spec.entry_point) and name.endswith("v5")
    )


def state_of(env: Any) -> np.ndarray:
    """State and inputs of an environment's data."""
    state = np.zeros(mujoco.mj_stateSize(env.model, WHOLE))
    mujoco.mj_getState(env.model, env.data, state, WHOLE)
    return state


def steps(name: str, states: np.ndarray | None) -> dict[str, np.ndarray]:
    """States before each step, and what the step gives; states: to start each step from."""
    env = gymnasium.make(name)
    env.action_space.seed(0)
    env.reset(seed=0)
    rows: dict[str, list[Any]] = {"state": [], "observation": [], "reward": [], "ended": []}
    for number in range(STEPS):
        inner = env.unwrapped
        if states is not None:
            mujoco.mj_setState(inner.model, inner.data, states[number], WHOLE)
        rows["state"].append(state_of(inner))
        observation, reward, ended, stopped, _ = env.step(env.action_space.sample())
        rows["observation"].append(observation)
        rows["reward"].append(reward)
        rows["ended"].append(ended)
        if ended or stopped:
            env.reset()
    env.close()
    return {f"{name}.{key}": np.array(values) for key, values in rows.items()}


def main(verb: str, path: str) -> None:
    if verb == "record":
        np.savez(path, **{k: v for name in environments() for k, v in steps(name, None).items()})
        return
    recorded = np.load(path)
    for name in environments():
        for key, values in steps(name, recorded[f"{name}.state"]).items():
            wanted = recorded[key]
            scale = np.maximum(1.0, np.abs(wanted.astype(float)))
            error = np.max(np.abs(values.astype(float) - wanted) / scale)
            assert error <= RTOL, (key, error)


if __name__ == "__main__":
    main(*sys.argv[1:])
