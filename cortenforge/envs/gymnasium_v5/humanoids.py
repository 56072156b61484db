"""Humanoid-v5 and HumanoidStandup-v5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cortenforge.envs.gymnasium_v5.base import MujocoTask, merged, planar_positions, squared
from cortenforge.envs.gymnasium_v5.planar import between
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.scene.camera import Camera

#: numbers of the free joint, which no actuator moves
FREE_DOFS = 6


@dataclass(kw_only=True)
class HumanoidTask(MujocoTask):
    """A humanoid that sees inertias, velocities and forces of its bodies."""

    reset_noise_scale: float = 1e-2
    ctrl_cost_weight: float = 0.1
    exclude_current_positions_from_observation: bool = True
    include_cinert_in_observation: bool = True
    include_cvel_in_observation: bool = True
    include_qfrc_actuator_in_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    max_episode_steps = 1000
    fields = (
        "xipos", "cinert", "cvel", "qfrc_actuator", "cfrc_ext", "ten_length", "ten_velocity",
    )  # fmt: skip

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        skip = 2 if self.exclude_current_positions_from_observation else 0
        seen = {"qpos": w.qpos[:, skip:], "qvel": w.qvel}
        if self.include_cinert_in_observation:
            seen["cinert"] = w.cinert[:, 1:]
        if self.include_cvel_in_observation:
            seen["cvel"] = w.cvel[:, 1:]
        if self.include_qfrc_actuator_in_observation:
            seen["qfrc_actuator"] = w.qfrc_actuator[:, FREE_DOFS:]
        if self.include_cfrc_ext_in_observation:
            seen["cfrc_ext"] = w.cfrc_ext[:, 1:]
        return seen


@dataclass(kw_only=True)
class Humanoid(HumanoidTask):
    """Walks forward, and ends where it falls."""

    name = "Humanoid-v5"
    xml_file: str = "humanoid.xml"
    forward_reward_weight: float = 1.25
    contact_cost_weight: float = 5e-7
    contact_cost_range: tuple[float, float] = (-np.inf, 10.0)
    healthy_reward: float = 5.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple[float, float] = (1.0, 2.0)

    state = {"xy": (2,), "velocity": (2,)}
    camera = Camera(track=1, distance=4.0, elevation=-20.0)

    def centre_of_mass(self, w: TaskWorlds) -> np.ndarray:
        """Of all bodies, in the plane."""
        mass = self.model.body_mass
        centre: np.ndarray = np.einsum("b,kbi->ki", mass, w.xipos[:, :, :2]) / mass.sum()
        return centre

    def before(self, w: TaskWorlds) -> None:
        w.xy = self.centre_of_mass(w)

    def after(self, w: TaskWorlds) -> None:
        w.velocity = (self.centre_of_mass(w) - w.xy) / self.dt

    def healthy(self, w: TaskWorlds) -> np.ndarray:
        """Where the torso is at a height between the limits."""
        return between(w.qpos[:, 2], self.healthy_z_range)

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        contact = self.contact_cost_weight * squared(w.cfrc_ext)
        return {
            "reward_survive": self.healthy(w) * float(self.healthy_reward),
            "reward_forward": self.forward_reward_weight * w.velocity[:, 0],
            "reward_ctrl": -(self.ctrl_cost_weight * squared(w.ctrl)),
            "reward_contact": -np.clip(contact, *self.contact_cost_range),
        }

    def terminated(self, w: TaskWorlds) -> np.ndarray:
        return ~self.healthy(w) & self.terminate_when_unhealthy

    def info(self, w: TaskWorlds, terms: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        velocity = {"x_velocity": w.velocity[:, 0], "y_velocity": w.velocity[:, 1]}
        return merged(self.begin_info(w), velocity, terms)

    def begin_info(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        tendons = {"tendon_length": w.ten_length, "tendon_velocity": w.ten_velocity}
        return merged(planar_positions(w), tendons)


@dataclass(kw_only=True)
class HumanoidStandup(HumanoidTask):
    """Stands up from lying on its back; never ends."""

    name = "HumanoidStandup-v5"
    xml_file: str = "humanoidstandup.xml"
    uph_cost_weight: float = 1
    impact_cost_weight: float = 0.5e-6
    impact_cost_range: tuple[float, float] = (-np.inf, 10.0)

    camera = Camera(track=1, distance=4.0)

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        impact = self.impact_cost_weight * squared(w.cfrc_ext)
        return {
            "reward_linup": w.qpos[:, 2] / self.model.opt.timestep,
            "reward_quadctrl": -(self.ctrl_cost_weight * squared(w.ctrl)),
            "reward_impact": -np.clip(impact, *self.impact_cost_range),
            "reward_alive": np.ones(w.n),
        }

    def info(self, w: TaskWorlds, terms: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        # Gymnasium rewards every step with one, and does not log it
        logged = {name: term for name, term in terms.items() if name != "reward_alive"}
        return merged(self.begin_info(w), logged)

    def begin_info(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {
            "x_position": w.qpos[:, 0],
            "y_position": w.qpos[:, 1],
            "z_distance_from_origin": w.qpos[:, 2] - self.model.qpos0[2],
            "tendon_length": w.ten_length,
            "tendon_velocity": w.ten_velocity,
        }
