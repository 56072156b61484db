"""Environments on the workers of a pool: the same numbers as in one vector environment."""

from __future__ import annotations

import os
import signal
from typing import Any

import numpy as np
import pytest

import cortenforge as cf

gymnasium = pytest.importorskip(
    "gymnasium", reason='needs Gymnasium: pip install "cortenforge[envs]"'
)
WORLDS = 20


def ants() -> Any:
    """A task with fields that are bound and with arrays of its own."""
    from cortenforge.envs.gymnasium_v5 import Ant

    return Ant(terminate_when_unhealthy=True)


def make_pool(task: Any, workers: int = 0) -> cf.ray.Pool:
    return cf.ray.Pool(task.model, WORLDS, workers=workers, shard=8, start_timeout=120)


def episodes(envs: Any, steps: int = 30, between: Any = None) -> list[np.ndarray]:
    """All that random actions lead to, with infos as arrays; between: called before each step."""
    rng = np.random.default_rng(3)
    observations, infos = envs.reset(seed=11)
    found = [observations, *arrays_of(infos)]
    for k in range(steps):
        if between is not None:
            between(k)
        *arrays, infos = envs.step(rng.uniform(-1, 1, envs.action_space.shape))
        found += [*arrays, *arrays_of(infos)]
    return found


def arrays_of(infos: dict[str, Any]) -> list[np.ndarray]:
    """Arrays of infos by name, with those of infos in infos."""
    found: list[np.ndarray] = []
    for name in sorted(infos):
        values = infos[name]
        if isinstance(values, dict):
            found += arrays_of(values)
        elif values.dtype == object:
            found += [np.asarray(value, float) for value in values if value is not None]
        else:
            found.append(values)
    return found


def assert_same_bits(found: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    assert sum(bool(one.any()) for one in wanted if one.dtype == bool) > 10
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_worlds_are_those_of_one_environment(mode: str) -> None:
    """Bit by bit, with seeds by world, episodes that end, and infos."""
    options = {"autoreset_mode": mode, "max_episode_steps": 12}
    one = cf.envs.VectorEnvironment(ants(), WORLDS, **options)
    with make_pool(ants()) as pool:
        envs = pool.as_vector_env(ants(), **options)
        assert envs.observation_space == one.observation_space
        assert envs.action_space == one.action_space
        assert envs.metadata["autoreset_mode"] == one.metadata["autoreset_mode"]
        assert_same_bits(episodes(envs), episodes(one))


def test_a_worker_begins_where_another_one_stopped() -> None:
    """Environments that are made anew between steps go on with the same bits."""
    with make_pool(ants()) as pool:
        wanted = episodes(pool.as_vector_env(ants(), max_episode_steps=12))
        envs = pool.as_vector_env(ants(), max_episode_steps=12)
        kept = pool._workers._worker._kept  # type: ignore[attr-defined]
        assert_same_bits(episodes(envs, between=lambda k: kept.clear()), wanted)


def test_episodes_go_on_without_a_seed() -> None:
    """A reset without a seed draws on; the first one draws seeds."""
    one = cf.envs.VectorEnvironment(ants(), WORLDS)
    with make_pool(ants()) as pool:
        envs = pool.as_vector_env(ants())
        for seed in (4, None, list(range(WORLDS))):
            np.testing.assert_array_equal(envs.reset(seed=seed)[0], one.reset(seed=seed)[0])
        fresh = pool.as_vector_env(ants()).reset()[0]
        assert len(np.unique(fresh[:, 0])) == WORLDS


def test_failures_are_warned_of_once() -> None:
    """In the program's process, with the world's error in the infos."""
    task = ants()
    task.reward = lambda w: 1 / 0  # type: ignore[method-assign]
    with make_pool(ants()) as pool:
        envs = pool.as_vector_env(task)
        envs.reset(seed=0)
        with pytest.raises(cf.TaskError, match=r"Ant-v5: world 0: .*ZeroDivisionError"):
            envs.step(np.zeros(envs.action_space.shape))


def test_misuse_is_refused() -> None:
    """Another model, options of one process, shapes, and steps before a reset."""
    from cortenforge.envs.gymnasium_v5 import Hopper

    with make_pool(ants()) as pool:
        with pytest.raises(cf.ArgumentError, match="Hopper-v5 has another model than the pool"):
            pool.as_vector_env(Hopper())
        with pytest.raises(cf.ArgumentError, match="threads: not an option"):
            pool.as_vector_env(ants(), threads=2)
        with pytest.raises(cf.ArgumentError, match="task: expected"):
            pool.as_vector_env("Ant-v5")  # type: ignore[arg-type]
        envs = pool.as_vector_env(ants())
        with pytest.raises(cf.ArgumentError, match="reset"):
            envs.step(np.zeros((WORLDS, 8)))
        envs.reset(seed=0)
        with pytest.raises(cf.ShapeError, match=r"actions: expected \(20, 8\)"):
            envs.step(np.zeros((3, 8)))


def test_a_lost_worker_changes_no_bits() -> None:
    """Killed between two steps; its environments are made again by another one."""
    ray = pytest.importorskip("ray", reason='needs Ray: pip install "cortenforge[ray]"')
    if not ray.is_initialized():
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        with make_pool(ants()) as pool:
            wanted = episodes(pool.as_vector_env(ants(), max_episode_steps=12), steps=16)
        with make_pool(ants(), workers=2) as pool:
            envs = pool.as_vector_env(ants(), max_episode_steps=12)
            processes = pool.map(lambda shard: os.getpid())

            def kill(step: int) -> None:
                if step == 9:
                    os.kill(processes[0], signal.SIGKILL)

            with pytest.warns(cf.WorkerWarning, match="computed again"):
                assert_same_bits(episodes(envs, steps=16, between=kill), wanted)
    finally:
        ray.shutdown()


def make_for_rllib(config: Any) -> Any:
    """What RLlib calls for an environment."""
    return cf.ray.Pool(ants().model, config["num_envs"], workers=2, shard=8).as_vector_env(ants())


def test_rllib_samples_from_it() -> None:
    """An EnvRunner collects whole episodes of all worlds."""
    ray = pytest.importorskip("ray", reason='needs Ray: pip install "cortenforge[ray]"')
    reason = "needs RLlib, with PyTorch, dm_tree and lz4"
    ppo = pytest.importorskip("ray.rllib.algorithms.ppo", reason=reason, exc_type=ImportError)
    runners = pytest.importorskip("ray.rllib.env.single_agent_env_runner", reason=reason)
    if not ray.is_initialized():
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        one = cf.envs.VectorEnvironment(ants(), 1)
        spaces = (one.single_observation_space, one.single_action_space)
        config = ppo.PPOConfig().environment(
            make_for_rllib, observation_space=spaces[0], action_space=spaces[1]
        )
        config = config.env_runners(
            num_env_runners=0,
            num_envs_per_env_runner=16,
            gym_env_vectorize_mode="vector_entry_point",
        )
        episodes = runners.SingleAgentEnvRunner(config=config).sample(
            num_timesteps=160, random_actions=True
        )
        assert len(episodes) >= 16 and sum(len(episode) for episode in episodes) >= 160
        seen = np.concatenate([episode.get_observations() for episode in episodes])
        assert seen.shape[1:] == spaces[0].shape and np.isfinite(seen).all()
    finally:
        ray.shutdown()
