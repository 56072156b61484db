"""A program that compares tasks of dm_control's suite with dm_control's own environments.

dm_control runs on `cortenforge.mujoco`: the physics below is the same, and what is compared is what
tasks make of it. Before each step our worlds get the state of dm_control's environments.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

warnings.simplefilter("ignore")
N, STEPS, TOLERANCE = 3, 100, 1e-12
#: fields of the model that tasks draw for each episode
DRAWN = (
    "geom_pos", "site_pos", "body_pos", "body_quat", "wrap_prm", "jnt_stiffness", "light_pos",
    "hfield_data",
)  # fmt: skip


def copy_world(batch: Any, i: int, physics: Any) -> None:
    """Give world i the state of a dm_control environment."""
    for name in ("qpos", "qvel", "act", "qacc_warmstart", "ctrl"):
        getattr(batch, name)[i] = getattr(physics.data, name)


def copy_parameters(batch: Any, i: int, physics: Any) -> None:
    """Give world i what the environment drew for its model."""
    for name, values in batch.parameters.items():
        assert name in DRAWN
        values[i] = np.reshape(getattr(physics.model, name), values[i].shape)


def check(ours: np.ndarray, columns: dict[str, slice], theirs: dict[str, Any], where: str) -> None:
    """Every named part of an observation, in the same order."""
    assert list(columns) == list(theirs), (where, list(columns), list(theirs))
    for name, values in theirs.items():
        expected, got = np.ravel(values), ours[columns[name]]
        assert expected.shape == got.shape, (where, name, expected.shape, got.shape)
        scale = max(1.0, np.abs(expected).max(initial=0))
        error = np.abs(expected - got).max(initial=0) / scale
        assert error <= TOLERANCE, (where, name, error)


def compare(name: str) -> None:
    """One task, N worlds."""
    from dm_control import suite

    from cortenforge import envs

    domain, task = name.split("-")
    single = [suite.load(domain, task, task_kwargs={"random": i}) for i in range(N)]
    vector = envs.make(f"dm_control/{name}-v0", N, threads=1)
    steps = single[0]._step_limit
    assert vector.max_episode_steps == (int(np.ceil(steps)) if np.isfinite(steps) else None)
    vector.reset(seed=0)
    batch, runner, columns = vector.batch, vector.runner, vector.observation_columns
    spec = single[0].action_spec()
    # dm_control writes 1e10 for controls without limits
    lowest = np.where(spec.minimum <= -1e10, -np.inf, spec.minimum)
    assert np.array_equal(vector.single_action_space.low, lowest.astype(np.float32))
    first = [env.reset() for env in single]
    for i, env in enumerate(single):
        copy_world(batch, i, env.physics)
        copy_parameters(batch, i, env.physics)
    runner.all.forward()
    seen = runner._observed(runner.all)
    for i, step in enumerate(first):
        check(seen[i], columns, step.observation, f"{name}: reset")
    rng, rewarded = np.random.default_rng(0), 0.0
    for k in range(STEPS):
        low, high = np.maximum(spec.minimum, -1), np.minimum(spec.maximum, 1)
        actions = rng.uniform(low, high, (N, *spec.shape))
        for i, env in enumerate(single):
            copy_world(batch, i, env.physics)
        observations, rewards, terminated, _, _ = vector.step(actions)
        assert not terminated.any()
        for i, env in enumerate(single):
            step = env.step(actions[i])
            check(observations[i], columns, step.observation, f"{name}: step {k}")
            error = abs(rewards[i] - step.reward)
            assert error <= TOLERANCE * max(1, abs(step.reward)), (name, k, error)
            rewarded = max(rewarded, abs(float(step.reward)))
    print(f"{name}: equal, largest reward {rewarded:.3g}", flush=True)


if __name__ == "__main__":
    import cortenforge.mujoco

    cortenforge.mujoco.install()
    for given in sys.argv[1:]:
        compare(given)
