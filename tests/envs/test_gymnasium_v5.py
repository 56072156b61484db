"""Gymnasium's MuJoCo tasks, version 5, beside Gymnasium's own environments with real mujoco."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="environments need gymnasium")

from cortenforge import envs  # noqa: E402
from cortenforge.envs.gymnasium_v5 import TASKS  # noqa: E402
from cortenforge.errors import ArgumentError  # noqa: E402

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

N, STEPS = 4, 200
#: contacts of a capsule and a cylinder are found by iterations that end at ccd_tolerance, 1e-6
TOLERANCE = {"Pusher-v5": 1e-7}
#: other options than the defaults, so that each is seen to be used
OPTIONS: dict[str, dict[str, Any]] = {
    "Ant-v5": {
        "forward_reward_weight": 2.0,
        "ctrl_cost_weight": 0.1,
        "contact_cost_weight": 1e-2,
        "healthy_reward": 0.3,
        "main_body": "torso",
        "healthy_z_range": (0.4, 0.9),
        "contact_force_range": (-0.5, 0.6),
        "reset_noise_scale": 0.2,
        "exclude_current_positions_from_observation": False,
        "include_cfrc_ext_in_observation": False,
    },
    "HalfCheetah-v5": {"frame_skip": 3, "exclude_current_positions_from_observation": False},
    "Hopper-v5": {"healthy_state_range": (-2.0, 2.0), "terminate_when_unhealthy": False},
    "Humanoid-v5": {
        "include_cinert_in_observation": False,
        "include_cvel_in_observation": False,
        "contact_cost_range": (0.0, 0.1),
        "contact_cost_weight": 1e-3,
    },
    "HumanoidStandup-v5": {
        "impact_cost_range": (0.0, 0.5),
        "impact_cost_weight": 1e-3,
        "include_qfrc_actuator_in_observation": False,
        "include_cfrc_ext_in_observation": False,
    },
    "InvertedDoublePendulum-v5": {"healthy_reward": 3.0},
    "InvertedPendulum-v5": {"reset_noise_scale": 0.05},
    "Pusher-v5": {"reward_near_weight": 0.1, "reward_dist_weight": 2, "reward_control_weight": 3},
    "Reacher-v5": {"reward_dist_weight": 2, "reward_control_weight": 0.2},
    "Swimmer-v5": {
        "forward_reward_weight": 3.0,
        "exclude_current_positions_from_observation": False,
    },
    "Walker2d-v5": {"healthy_z_range": (1.0, 1.5), "healthy_angle_range": (-0.3, 0.4)},
}


def relative(ours: Any, theirs: Any) -> float:
    """Largest difference, relative to the largest number where that is above one."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape
    return float(np.abs(ours - theirs).max(initial=0) / max(1.0, np.abs(theirs).max(initial=0)))


def compare(name: str, options: dict[str, Any], steps: int) -> None:
    """Steps from the same states: real MuJoCo's is given to our worlds after each."""
    ours = envs.make(name, N, max_episode_steps=None, threads=1, **options)
    ours.max_episode_steps = None
    single = [gymnasium.make(name, **options).unwrapped for _ in range(N)]
    observations, infos = ours.reset(seed=3)
    for i, env in enumerate(single):
        observation, info = env.reset(seed=3 + i)
        assert relative(observations[i], observation) <= 1e-10
        assert all(relative(infos[key][i], value) <= 1e-10 for key, value in info.items())
    rng, tolerance = np.random.default_rng(1), TOLERANCE.get(name, 1e-10)
    batch, over = ours.batch, np.zeros(N, bool)
    for _ in range(steps):
        actions = rng.uniform(ours.action_space.low, ours.action_space.high).astype(np.float32)
        got, rewards, terminated, _, infos = ours.step(actions)
        for i, env in enumerate(single):
            if over[i]:
                # the same draws as our autoreset
                observation, info = env.reset()
                assert relative(got[i], observation) <= 1e-10
                over[i] = False
                continue
            observation, reward, over[i], _, info = env.step(actions[i])
            assert relative(got[i], observation) <= tolerance
            assert relative(rewards[i], reward) <= tolerance
            assert terminated[i] == over[i]
            for key, value in info.items():
                assert infos[f"_{key}"][i]
                assert infos[key].dtype == np.asarray(value).dtype
                assert relative(infos[key][i], value) <= tolerance, key
            batch.qpos[i], batch.qvel[i] = env.data.qpos, env.data.qvel
            batch.qacc_warmstart[i] = env.data.qacc_warmstart
    ours.close()


@pytest.mark.parametrize("name", sorted(TASKS))
def test_tasks_equal_gymnasium_with_mujoco(name: str) -> None:
    """Observations, rewards, infos, terminations and resets, 200 steps, to 1e-10."""
    compare(name, {}, STEPS)


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_options_equal_gymnasium_with_mujoco(name: str) -> None:
    """The same with other options."""
    compare(name, OPTIONS[name], 40)


def test_make_vec_gives_ours_once_installed() -> None:
    """Ids of Gymnasium's get an entry point for vectors; `gymnasium.make` stays."""
    try:
        envs.install()
        made = gymnasium.make_vec("Ant-v5", num_envs=4, reset_noise_scale=0.0)
        assert isinstance(made, envs.VectorEnvironment)
        assert made.num_envs == 4 and made.max_episode_steps == 1000
        assert made.task.reset_noise_scale == 0.0
        assert made.spec.id == "Ant-v5"
        assert type(gymnasium.make("Ant-v5").unwrapped).__name__ == "AntEnv"
        sync = gymnasium.make_vec("Ant-v5", num_envs=2, vectorization_mode="sync")
        assert isinstance(sync, gymnasium.vector.SyncVectorEnv)
        sync.close()
    finally:
        envs.uninstall()
    assert gymnasium.spec("Ant-v5").vector_entry_point is None
    assert not isinstance(gymnasium.make_vec("Ant-v5", num_envs=1), envs.VectorEnvironment)


def test_options_that_are_none_are_refused() -> None:
    """A misspelt option is an error with a suggestion, not ignored."""
    with pytest.raises(ArgumentError, match="healthy_reward"):
        envs.make("Ant-v5", 2, helthy_reward=1.0)
    with pytest.raises(KeyError, match="Ant-v5"):
        envs.make("Ant-v6", 2)
    with pytest.raises(ArgumentError, match="there is no file"):
        envs.make("Ant-v5", 2, xml_file="no_such.xml")
