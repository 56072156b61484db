"""Tasks of robots: what is rewarded, where they begin and end, and models of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="environments need gymnasium")

from cortenforge import envs, models  # noqa: E402
from cortenforge.errors import ArgumentError  # noqa: E402

N = 4
NAMES = ("QuadrupedVelocity", "HumanoidWalk", "ArmPick")


def made(name: str, **options: Any) -> Any:
    """A task that has been reset."""
    vector = envs.make(f"cortenforge/{name}-v0", N, threads=1, **options)
    vector.reset(seed=0)
    return vector


@pytest.mark.parametrize("name", NAMES)
def test_robots_hold_their_pose_without_actions(name: str) -> None:
    """Servos carry them for half a second; rewards are the sums of their terms."""
    vector = made(name)
    still = np.zeros(vector.action_space.shape, np.float32)
    for _ in range(25):
        observations, rewards, terminated, _, infos = vector.step(still)
        terms = [values for key, values in infos.items() if key.startswith("reward")]
        np.testing.assert_allclose(rewards, np.sum(terms, axis=0), rtol=1e-12)
    assert not terminated.any() and np.isfinite(observations).all()
    assert observations.shape == (N, vector.single_observation_space.shape[0])


def test_velocity_is_seen_and_rewarded_in_the_frame_of_the_trunk() -> None:
    """A robot that faces y and moves along y moves forward."""
    vector = made("QuadrupedVelocity")
    task, w, batch = vector.task, vector.runner.all, vector.batch
    batch.qpos[:, 3:7] = [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
    batch.qvel[:] = 0
    batch.qvel[:, 1] = 0.8
    w.forward()
    w.command = [0.8, 0.0, 0.0]
    seen = vector.observation_columns
    np.testing.assert_allclose(task.velocity(w), [[0.8, 0, 0]] * N, atol=1e-12)
    np.testing.assert_allclose(vector.runner._observed(w)[:, seen["velocity"]][:, 0], 0.8)
    assert np.allclose(task.reward(w)["reward_velocity"], 1.0)
    w.command = [-0.8, 0.0, 0.0]
    assert (task.reward(w)["reward_velocity"] < 0.01).all()


def test_a_robot_that_lies_has_fallen() -> None:
    """On its side, or too low."""
    vector = made("HumanoidWalk")
    vector.batch.qpos[1, 3:7] = [np.sqrt(0.5), np.sqrt(0.5), 0, 0]
    vector.batch.qpos[2, 2] *= 0.5
    vector.runner.all.forward()
    assert vector.task.terminated(vector.runner.all).tolist() == [False, True, True, False]


def test_a_cube_at_the_target_in_the_hand_is_rewarded_most() -> None:
    """Near the gripper alone counts less; a cube on the floor ends the episode."""
    vector = made("ArmPick")
    task, w, first = vector.task, vector.runner.all, vector.task._first
    grip = w.site_xpos[:, task._grip].copy()
    vector.batch.qpos[:2, first : first + 3] = grip[:2]
    vector.batch.qpos[3, first : first + 3] = [1.5, 1.5, 0.03]
    w.target = np.where(np.arange(N)[:, None] == 0, grip, grip + np.array([0, 0, 0.3]))
    w.forward()
    total = np.sum(list(task.reward(w).values()), axis=0)
    assert total[0] == pytest.approx(5.0) and total[0] > total[1] > total[2] > total[3]
    assert task.terminated(w).tolist() == [False, False, False, True]


@pytest.mark.parametrize("name", NAMES)
def test_assets_that_are_not_there_are_named(name: str, tmp_path: Path) -> None:
    """With what they are; nothing is downloaded."""
    with pytest.raises(ArgumentError, match="mujoco_menagerie"):
        envs.make(f"cortenforge/{name}-v0", N, assets=str(tmp_path))


def test_assets_are_loaded_from_the_folder_of_menagerie(tmp_path: Path) -> None:
    """A file where menagerie has Go1, with its keyframe."""
    folder = tmp_path / "unitree_go1"
    folder.mkdir()
    text = models.find("quadruped").read_text(encoding="utf-8")
    text = text.replace('key name="stand"', 'key name="home"').replace('timestep="0.004"', "")
    (folder / "scene.xml").write_text(text, encoding="utf-8")
    vector = made("QuadrupedVelocity", assets=str(tmp_path))
    assert vector.task.frame_skip == 10
    assert not vector.step(np.zeros((N, 12), np.float32))[2].any()


@pytest.mark.parametrize(
    "mode, shape, kind", [("rgb", (24, 32, 3), np.uint8), ("depth", (24, 32), np.float32)]
)
def test_pixels_are_observations(mode: str, shape: tuple[int, ...], kind: Any) -> None:
    """Pictures of each world, also of those that have ended."""
    pixels = {"camera": "track", "width": 32, "height": 24, "mode": mode}
    vector = made(
        "QuadrupedVelocity", pixels=pixels, autoreset_mode="SameStep", max_episode_steps=2
    )
    assert vector.single_observation_space.shape == shape
    first, _ = vector.reset(seed=0)
    assert first.shape == (N, *shape) and first.dtype == kind and first.std() > 0
    assert all(vector.single_observation_space.contains(one) for one in first)
    np.testing.assert_array_equal(
        first, vector.batch.render("track", width=32, height=24, mode=mode).astype(kind)
    )
    actions = np.ones(vector.action_space.shape, np.float32)
    vector.step(actions)
    seen, _, _, truncated, infos = vector.step(actions)
    assert truncated.all()
    assert infos["final_obs"][0].shape == shape
    assert not np.array_equal(infos["final_obs"][0], seen[0])


def test_render_gives_a_picture_of_each_world() -> None:
    """As rgb arrays, depths, or both."""
    for mode, count in (("rgb_array", 3), ("depth_array", 2)):
        frames = made("QuadrupedVelocity", render_mode=mode, width=32, height=24).render()
        assert len(frames) == N and all(frame.ndim == count for frame in frames)
    colours, depths = made("ArmPick", render_mode="rgbd_tuple", width=32, height=24).render()[0]
    assert colours.shape == (24, 32, 3) and depths.shape == (24, 32)
