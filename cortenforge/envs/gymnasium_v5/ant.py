"""Ant-v5: four legs that run along x."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cortenforge.envs.gymnasium_v5.base import MujocoTask, merged, planar_positions, squared
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.scene.camera import Camera


@dataclass(kw_only=True)
class Ant(MujocoTask):
    """Runs forward; contact forces are seen and cost."""

    name = "Ant-v5"
    xml_file: str = "ant.xml"
    forward_reward_weight: float = 1
    ctrl_cost_weight: float = 0.5
    contact_cost_weight: float = 5e-4
    healthy_reward: float = 1.0
    main_body: int | str = 1
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple[float, float] = (0.2, 1.0)
    contact_force_range: tuple[float, float] = (-1.0, 1.0)
    exclude_current_positions_from_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    normal_velocity = True
    max_episode_steps = 1000
    fields = ("xpos", "cfrc_ext")
    state = {"xy": (2,), "velocity": (2,)}
    camera = Camera(distance=4.0)

    def __post_init__(self) -> None:
        body = self.main_body
        self._body = self.model.body(body).id if isinstance(body, str) else body

    def before(self, w: TaskWorlds) -> None:
        w.xy = w.xpos[:, self._body, :2]

    def after(self, w: TaskWorlds) -> None:
        w.velocity = (w.xpos[:, self._body, :2] - w.xy) / self.dt

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        skip = 2 if self.exclude_current_positions_from_observation else 0
        seen = {"qpos": w.qpos[:, skip:], "qvel": w.qvel}
        if self.include_cfrc_ext_in_observation:
            seen["cfrc_ext"] = np.clip(w.cfrc_ext[:, 1:], *self.contact_force_range)
        return seen

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        contact = squared(np.clip(w.cfrc_ext, *self.contact_force_range))
        return {
            "reward_forward": w.velocity[:, 0] * self.forward_reward_weight,
            "reward_ctrl": -(self.ctrl_cost_weight * squared(w.action)),
            "reward_contact": -(self.contact_cost_weight * contact),
            "reward_survive": self.healthy(w) * float(self.healthy_reward),
        }

    def healthy(self, w: TaskWorlds) -> np.ndarray:
        """Where the torso is at a height between the limits, and everything is finite."""
        least, most = self.healthy_z_range
        z = w.qpos[:, 2]
        finite = np.isfinite(w.qpos).all(1) & np.isfinite(w.qvel).all(1)
        healthy: np.ndarray = finite & (least <= z) & (z <= most)
        return healthy

    def terminated(self, w: TaskWorlds) -> np.ndarray:
        return ~self.healthy(w) & self.terminate_when_unhealthy

    def info(self, w: TaskWorlds, terms: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        velocity = {"x_velocity": w.velocity[:, 0], "y_velocity": w.velocity[:, 1]}
        return merged(planar_positions(w), velocity, terms)

    def begin_info(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return planar_positions(w)
