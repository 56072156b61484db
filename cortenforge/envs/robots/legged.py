"""Legged robots that track a commanded velocity: a quadruped and a humanoid.

In the manner of the joystick tasks of MuJoCo Playground: the command is a horizontal velocity and a
rate of turning in the frame of the trunk; actions move the controls away from those of a pose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from cortenforge.envs.draws import Draws
from cortenforge.envs.environment import Environment
from cortenforge.envs.robots.base import gaussian, into_body, load_robot
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.model import Model

#: numbers of the free joint in qpos and in qvel
FREE_QPOS, FREE_DOFS = 7, 6


@dataclass(kw_only=True)
class VelocityTracking(Environment):
    """Moves as it is told, upright and smoothly.

    assets:  folder of mujoco_menagerie, for its robot; by default the bundled one.
    fastest: the largest commands along x and y [m/s], and about z [rad/s].
    scale:   how far actions of one move the controls.
    """

    assets: str | None = None
    fastest: tuple[float, float, float] = (1.0, 0.5, 1.0)
    scale: float = 0.3
    width: float = 0.25
    rate_cost: float = 0.01
    reset_noise_scale: float = 0.05

    #: name of the bundled model, and of menagerie's file
    bundled: ClassVar[str] = ""
    file: ClassVar[str] = ""
    #: the trunk, and the keyframe in which an episode begins: here and there
    trunk: ClassVar[tuple[str, str]] = ("", "")
    pose: ClassVar[tuple[str, str]] = ("stand", "home")
    control_timestep: ClassVar[float] = 0.02
    max_episode_steps = 1000
    fields = ("xmat",)

    def __post_init__(self) -> None:
        key = self.model.key(self.pose[self.assets is not None])
        self._qpos, self._ctrl = np.array(key.qpos), np.array(key.ctrl)
        self._trunk = int(self.model.body(self.trunk[self.assets is not None]).id)

    def load(self) -> Model:
        return load_robot(self.bundled, self.assets, self.file)

    @property
    def state(self) -> Mapping[str, tuple[int, ...]]:  # type: ignore[override]
        """The command, and the last action and its change."""
        return {"command": (3,), "last": (self.model.nu,), "change": ()}

    @cached_property
    def frame_skip(self) -> int:  # type: ignore[override]
        """Steps of physics for one action."""
        return max(1, round(self.control_timestep / float(self.model.opt.timestep)))

    def action_range(self) -> tuple[np.ndarray, np.ndarray]:
        return -np.ones(self.model.nu), np.ones(self.model.nu)

    def act(self, w: TaskWorlds) -> None:
        w.ctrl = self._ctrl + self.scale * w.action

    def begin(self, w: TaskWorlds, draws: Draws) -> None:
        noise = self.reset_noise_scale
        qpos = np.tile(self._qpos, (w.n, 1))
        qpos[:, FREE_QPOS:] += draws.uniform(-noise, noise, self.model.nq - FREE_QPOS)
        w.qpos, w.qvel = qpos, draws.uniform(-noise, noise, self.model.nv)
        w.ctrl = self._ctrl
        w.command = np.asarray(self.fastest) * draws.uniform(-1.0, 1.0, 3)

    def after(self, w: TaskWorlds) -> None:
        w.change = np.square(w.action - w.last).sum(axis=1)
        w.last = w.action

    def frame(self, w: TaskWorlds) -> np.ndarray:
        """Orientation of the trunk, (k, 9)."""
        return w.xmat[:, self._trunk]

    def velocity(self, w: TaskWorlds) -> np.ndarray:
        """Velocity of the trunk in its frame."""
        return into_body(w.qvel[:, :3], self.frame(w))

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {
            "velocity": self.velocity(w),
            "gyro": w.qvel[:, 3:FREE_DOFS],
            "up": self.frame(w)[:, FREE_DOFS:],
            "joints": w.qpos[:, FREE_QPOS:] - self._qpos[FREE_QPOS:],
            "rates": w.qvel[:, FREE_DOFS:],
            "last": w.last,
            "command": w.command,
        }

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        velocity, up = self.velocity(w), self.frame(w)[:, FREE_DOFS:]
        return {
            "reward_velocity": gaussian(w.command[:, :2] - velocity[:, :2], self.width),
            "reward_turning": 0.5 * gaussian(w.command[:, 2:] - w.qvel[:, 5:6], self.width),
            "reward_bounce": -0.5 * np.square(velocity[:, 2]),
            "reward_tilt": -np.square(up[:, :2]).sum(axis=1),
            "reward_rate": -self.rate_cost * w.change,
        }

    def terminated(self, w: TaskWorlds) -> np.ndarray:
        fallen: np.ndarray = self.frame(w)[:, 8] < 0.5
        return fallen


@dataclass(kw_only=True)
class QuadrupedVelocity(VelocityTracking):
    """A quadruped; with `assets`, Unitree's Go1."""

    name = "cortenforge/QuadrupedVelocity-v0"
    bundled = "quadruped"
    file = "unitree_go1/scene.xml"
    trunk = ("trunk", "trunk")

    @property
    def camera(self) -> str | None:
        """That of the bundled model."""
        return "track" if self.assets is None else None


@dataclass(kw_only=True)
class HumanoidWalk(VelocityTracking):
    """A humanoid that walks; with `assets`, Unitree's G1. It ends where it falls."""

    name = "cortenforge/HumanoidWalk-v0"
    bundled = "humanoid"
    file = "unitree_g1/scene.xml"
    trunk = ("torso", "pelvis")
    pose = ("stand", "stand")
    #: motors of the bundled humanoid take torques, relative to their largest
    scale: float = 0.6
    fastest: tuple[float, float, float] = (1.0, 0.0, 0.0)
    #: fraction of the first height of the trunk below which it has fallen
    lowest: float = 0.6
    reset_noise_scale: float = 0.01

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {**super().reward(w), "reward_alive": np.ones(w.n)}

    def terminated(self, w: TaskWorlds) -> np.ndarray:
        return super().terminated(w) | (w.qpos[:, 2] < self.lowest * self._qpos[2])
