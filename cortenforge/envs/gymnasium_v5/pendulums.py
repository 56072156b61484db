"""InvertedPendulum-v5 and InvertedDoublePendulum-v5: poles on a cart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.envs.gymnasium_v5.base import MujocoTask
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.scene.camera import Camera

#: angle of the pole at which it has fallen
FALLEN = 0.2
#: limit of velocities and forces that are seen
MOST_SEEN = 10


@dataclass(kw_only=True)
class InvertedPendulum(MujocoTask):
    """Keeps one pole upright."""

    name = "InvertedPendulum-v5"
    xml_file: str = "inverted_pendulum.xml"
    frame_skip: int = 2
    reset_noise_scale: float = 0.01
    max_episode_steps = 1000
    camera = Camera(track=0, distance=2.04)

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {"qpos": w.qpos, "qvel": w.qvel}

    def terminated(self, w: TaskWorlds) -> np.ndarray:
        finite = np.isfinite(w.qpos).all(1) & np.isfinite(w.qvel).all(1)
        ended: np.ndarray = ~finite | (np.abs(w.qpos[:, 1]) > FALLEN)
        return ended

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {"reward_survive": (~self.terminated(w)).astype(np.int64)}


@dataclass(kw_only=True)
class InvertedDoublePendulum(MujocoTask):
    """Keeps two poles upright, one on the other."""

    name = "InvertedDoublePendulum-v5"
    xml_file: str = "inverted_double_pendulum.xml"
    healthy_reward: float = 10.0
    normal_velocity = True
    max_episode_steps = 1000
    fields = ("site_xpos", "qfrc_constraint")
    camera = Camera(track=0, distance=4.1225)

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        angles = w.qpos[:, 1:]
        return {
            "cart": w.qpos[:, :1],
            "sines": np.sin(angles),
            "cosines": np.cos(angles),
            "qvel": np.clip(w.qvel, -MOST_SEEN, MOST_SEEN),
            "qfrc_constraint": np.clip(w.qfrc_constraint[:, :1], -MOST_SEEN, MOST_SEEN),
        }

    def terminated(self, w: TaskWorlds) -> np.ndarray:
        fallen: np.ndarray = w.site_xpos[:, 0, 2] <= 1
        return fallen

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        x, y = w.site_xpos[:, 0, 0], w.site_xpos[:, 0, 2]
        first, second = w.qvel[:, 1], w.qvel[:, 2]
        return {
            "reward_survive": self.healthy_reward * ~self.terminated(w),
            "distance_penalty": -(0.01 * x**2 + (y - 2) ** 2),
            "velocity_penalty": -(1e-3 * first**2 + 5e-3 * second**2),
        }
