"""HalfCheetah-v5, Hopper-v5, Walker2d-v5 and Swimmer-v5: bodies in a plane that move along x."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cortenforge.envs.gymnasium_v5.base import MujocoTask, merged, planar_positions, squared
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.scene.camera import Camera

#: limit of velocities that hoppers and walkers see
FASTEST_SEEN = 10


@dataclass(kw_only=True)
class PlanarRunner(MujocoTask):
    """Moves along x, rewarded for its velocity and for small actions."""

    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 0.1
    exclude_current_positions_from_observation: bool = True
    #: columns of the position that can be left out
    hidden = 1

    max_episode_steps = 1000
    state = {"x": (), "x_velocity": ()}

    def before(self, w: TaskWorlds) -> None:
        w.x = w.qpos[:, 0]

    def after(self, w: TaskWorlds) -> None:
        w.x_velocity = (w.qpos[:, 0] - w.x) / self.dt

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        skip = self.hidden if self.exclude_current_positions_from_observation else 0
        return {"qpos": w.qpos[:, skip:], "qvel": w.qvel}

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {
            "reward_forward": self.forward_reward_weight * w.x_velocity,
            "reward_ctrl": -(self.ctrl_cost_weight * squared(w.action)),
        }

    def info(self, w: TaskWorlds, terms: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return merged(self.begin_info(w), {"x_velocity": w.x_velocity}, terms)

    def begin_info(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {"x_position": w.qpos[:, 0]}


@dataclass(kw_only=True)
class HalfCheetah(PlanarRunner):
    """Two legs on a flat body; never ends."""

    name = "HalfCheetah-v5"
    xml_file: str = "half_cheetah.xml"
    normal_velocity = True
    camera = Camera(distance=4.0)


@dataclass(kw_only=True)
class Swimmer(PlanarRunner):
    """A chain of three links in a viscous fluid; never ends."""

    name = "Swimmer-v5"
    xml_file: str = "swimmer.xml"
    frame_skip: int = 4
    ctrl_cost_weight: float = 1e-4
    hidden = 2
    state = {"xy": (2,), "velocity": (2,), "x_velocity": ()}

    def before(self, w: TaskWorlds) -> None:
        w.xy = w.qpos[:, :2]

    def after(self, w: TaskWorlds) -> None:
        w.velocity = (w.qpos[:, :2] - w.xy) / self.dt
        w.x_velocity = w.velocity[:, 0]

    def info(self, w: TaskWorlds, terms: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return merged(super().info(w, terms), {"y_velocity": w.velocity[:, 1]})

    def begin_info(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return planar_positions(w)


@dataclass(kw_only=True)
class UprightRunner(PlanarRunner):
    """A runner that ends where it is too low, or too far from upright."""

    frame_skip: int = 4
    ctrl_cost_weight: float = 1e-3
    healthy_reward: float = 1.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple[float, float] = (0.8, 2.0)
    healthy_angle_range: tuple[float, float] = (-1.0, 1.0)
    reset_noise_scale: float = 5e-3
    #: in its reset noise, velocities are uniform, too
    normal_velocity = False

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        seen = super().observe(w)
        return {**seen, "qvel": np.clip(w.qvel, -FASTEST_SEEN, FASTEST_SEEN)}

    def healthy(self, w: TaskWorlds) -> np.ndarray:
        """Where height and angle of the torso are between the limits."""
        z, angle = w.qpos[:, 1], w.qpos[:, 2]
        return between(z, self.healthy_z_range) & between(angle, self.healthy_angle_range)

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {
            **super().reward(w),
            "reward_survive": self.healthy(w) * float(self.healthy_reward),
        }

    def terminated(self, w: TaskWorlds) -> np.ndarray:
        return ~self.healthy(w) & self.terminate_when_unhealthy

    def begin_info(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        height = w.qpos[:, 1] - self.model.qpos0[1]
        return {"x_position": w.qpos[:, 0], "z_distance_from_origin": height}


@dataclass(kw_only=True)
class Walker2d(UprightRunner):
    """Two legs in a plane."""

    name = "Walker2d-v5"
    xml_file: str = "walker2d_v5.xml"
    camera = Camera(track=2, distance=4.0, elevation=-20.0)


@dataclass(kw_only=True)
class Hopper(UprightRunner):
    """One leg in a plane."""

    name = "Hopper-v5"
    xml_file: str = "hopper.xml"
    healthy_state_range: tuple[float, float] = (-100.0, 100.0)
    healthy_z_range: tuple[float, float] = (0.7, float("inf"))
    healthy_angle_range: tuple[float, float] = (-0.2, 0.2)
    camera = Camera(track=2, distance=3.0, elevation=-20.0)

    def healthy(self, w: TaskWorlds) -> np.ndarray:
        """The same, where also all positions and velocities are between limits."""
        limits = self.healthy_state_range
        inside = between(w.qpos[:, 2:], limits).all(1) & between(w.qvel, limits).all(1)
        healthy: np.ndarray = super().healthy(w) & inside
        return healthy


def between(values: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    """Where values are between two limits."""
    inside: np.ndarray = (limits[0] < values) & (values < limits[1])
    return inside
