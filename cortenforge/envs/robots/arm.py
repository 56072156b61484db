"""An arm that picks up a cube and brings it to a target, in the manner of MuJoCo Playground."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from cortenforge.envs.draws import Draws
from cortenforge.envs.environment import Environment
from cortenforge.envs.robots.base import load_robot
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.model import Model


@dataclass(kw_only=True)
class ArmPick(Environment):
    """The gripper reaches a cube, and the cube is brought to a target above the table.

    assets: folder of mujoco_menagerie, for Franka's Panda; by default the bundled arm.
    scale:  how far an action of one moves a control in a step, as a part of its range.
    """

    assets: str | None = None
    scale: float = 0.02
    spread: float = 0.08
    #: least and largest height of the target above where the cube lies
    heights: tuple[float, float] = (0.05, 0.25)

    name = "cortenforge/ArmPick-v0"
    #: site of the gripper, body of the cube, keyframe: of the bundled arm, and of Panda
    names: ClassVar[tuple[tuple[str, str, str], ...]] = (
        ("grip", "cube", "home"),
        ("gripper", "box", "home"),
    )
    max_episode_steps = 250
    fields = ("site_xpos", "xpos", "xmat")
    state = {"target": (3,)}

    def __post_init__(self) -> None:
        site, body, key = self.names[self.assets is not None]
        self._grip, self._cube = int(self.model.site(site).id), int(self.model.body(body).id)
        self._key = self.model.key(key)
        self._first = int(self.model.jnt_qposadr[self.model.body_jntadr[self._cube]])
        self._low, self._high = self.model.actuator_ctrlrange.T

    def load(self) -> Model:
        return load_robot("arm", self.assets, "franka_emika_panda/mjx_single_cube.xml")

    @cached_property
    def frame_skip(self) -> int:  # type: ignore[override]
        """Steps of physics for one action, 0.02 s."""
        return max(1, round(0.02 / float(self.model.opt.timestep)))

    def action_range(self) -> tuple[np.ndarray, np.ndarray]:
        return -np.ones(self.model.nu), np.ones(self.model.nu)

    def act(self, w: TaskWorlds) -> None:
        step = self.scale * (self._high - self._low)
        w.ctrl = np.clip(w.ctrl + step * w.action, self._low, self._high)

    def begin(self, w: TaskWorlds, draws: Draws) -> None:
        qpos, first = np.tile(self._key.qpos, (w.n, 1)), self._first
        qpos[:, first : first + 2] += draws.uniform(-self.spread, self.spread, 2)
        target = qpos[:, first : first + 3].copy()
        target[:, :2] += draws.uniform(-self.spread, self.spread, 2)
        target[:, 2] += draws.uniform(*self.heights)
        w.qpos, w.target = qpos, target
        w.ctrl = np.tile(self._key.ctrl, (w.n, 1))

    def vectors(self, w: TaskWorlds) -> tuple[np.ndarray, np.ndarray]:
        """From the gripper to the cube, and from there to the target."""
        cube = w.xpos[:, self._cube]
        return cube - w.site_xpos[:, self._grip], w.target - cube

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        to_cube, to_target = self.vectors(w)
        return {
            "qpos": w.qpos[:, : self._first],
            "qvel": w.qvel[:, : self._first],
            "ctrl": w.ctrl,
            "to_cube": to_cube,
            "to_target": to_target,
            "cube": w.xmat[:, self._cube],
        }

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        reach, bring = (1 - np.tanh(5 * np.linalg.norm(v, axis=1)) for v in self.vectors(w))
        # the cube counts once the gripper is at it
        return {"reward_reach": reach, "reward_bring": 4 * bring * (reach > 0.8)}

    def terminated(self, w: TaskWorlds) -> np.ndarray:
        lost: np.ndarray = w.xpos[:, self._cube, 2] < self._key.qpos[self._first + 2] - 0.1
        return lost
