"""Reacher-v5 and Pusher-v5: arms with a target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.gymnasium_v5.base import MujocoTask, squared
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.scene.camera import Camera

#: range of the first velocities
SLOW = 0.005


@dataclass(kw_only=True)
class Reacher(MujocoTask):
    """Two links in a plane; the fingertip is to reach a target."""

    name = "Reacher-v5"
    xml_file: str = "reacher.xml"
    frame_skip: int = 2
    reward_dist_weight: float = 1
    reward_control_weight: float = 1
    max_episode_steps = 50
    fields = ("xpos",)
    camera = Camera(track=0)

    def __post_init__(self) -> None:
        self._fingertip = self.model.body("fingertip").id
        self._target = self.model.body("target").id

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        nq, nv = self.model.nq, self.model.nv
        qpos = draws.uniform(-0.1, 0.1, nq) + w.qpos
        qpos[:, -2:] = draws.each(target_in_reach)
        qvel = draws.uniform(-SLOW, SLOW, nv)
        qvel[:, -2:] = 0
        w.qpos, w.qvel = qpos, qvel

    def to_target(self, w: TaskWorlds) -> np.ndarray:
        """From the target to the fingertip."""
        vector: np.ndarray = w.xpos[:, self._fingertip] - w.xpos[:, self._target]
        return vector

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        angles = w.qpos[:, :2]
        return {
            "cosines": np.cos(angles),
            "sines": np.sin(angles),
            "target": w.qpos[:, 2:],
            "qvel": w.qvel[:, :2],
            "to_target": self.to_target(w)[:, :2],
        }

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        distance = np.linalg.norm(self.to_target(w), axis=1)
        return {
            "reward_dist": -distance * self.reward_dist_weight,
            "reward_ctrl": -squared(w.action) * self.reward_control_weight,
        }


def target_in_reach(generator: np.random.Generator) -> np.ndarray:
    """A place that is drawn again until it is within 0.2 of the root."""
    while True:
        goal = generator.uniform(low=-0.2, high=0.2, size=2)
        if np.linalg.norm(goal) < 0.2:
            return goal


@dataclass(kw_only=True)
class Pusher(MujocoTask):
    """An arm with seven joints is to push a cylinder to a goal."""

    name = "Pusher-v5"
    xml_file: str = "pusher_v5.xml"
    reward_near_weight: float = 0.5
    reward_dist_weight: float = 1
    reward_control_weight: float = 0.1
    max_episode_steps = 100
    fields = ("xpos",)
    camera = Camera(distance=4.0)

    def __post_init__(self) -> None:
        names = ("tips_arm", "object", "goal")
        self._tips, self._object, self._goal = (self.model.body(name).id for name in names)

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        qpos = np.array(w.qpos)
        qpos[:, -4:-2] = draws.each(cylinder_away_from_goal)
        qpos[:, -2:] = 0
        qvel = draws.uniform(-SLOW, SLOW, self.model.nv)
        qvel[:, -4:] = 0
        w.qpos, w.qvel = qpos, qvel

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {
            "qpos": w.qpos[:, :7],
            "qvel": w.qvel[:, :7],
            "tips_arm": w.xpos[:, self._tips],
            "object": w.xpos[:, self._object],
            "goal": w.xpos[:, self._goal],
        }

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        thing = w.xpos[:, self._object]
        near = np.linalg.norm(thing - w.xpos[:, self._tips], axis=1)
        far = np.linalg.norm(thing - w.xpos[:, self._goal], axis=1)
        return {
            "reward_dist": -far * self.reward_dist_weight,
            "reward_ctrl": -squared(w.action) * self.reward_control_weight,
            "reward_near": -near * self.reward_near_weight,
        }


def cylinder_away_from_goal(generator: np.random.Generator) -> np.ndarray:
    """A place that is drawn again until it is more than 0.17 away from the goal."""
    while True:
        x = generator.uniform(low=-0.3, high=0, size=1)
        y = generator.uniform(low=-0.2, high=0.2, size=1)
        place = np.concatenate([x, y])
        if np.linalg.norm(place) > 0.17:
            return place
