"""cheetah, hopper and walker: bodies in a plane that stand and run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.envs.dm_suite.base import SuiteTask, random_joints
from cortenforge.envs.dm_suite.pendulums import XX, XZ, ZZ
from cortenforge.envs.dm_suite.tolerance import at_least, small_control, tolerance
from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.worlds import TaskWorlds

#: steps in which a cheetah that was put down comes to rest
REST = 200


@dataclass(kw_only=True)
class PlanarTask(SuiteTask):
    """A body in a plane, with a sensor of its velocity."""

    def speed(self, w: TaskWorlds) -> np.ndarray:
        """Horizontal velocity of the centre of mass."""
        return w.sensor("torso_subtreelinvel")[:, 0]

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        w.qpos = random_joints(self.model, w.qpos, draws)


@dataclass(kw_only=True)
class Cheetah(PlanarTask):
    """Runs at ten metres a second."""

    time_limit: float = 10.0
    domain = "cheetah"
    fields = ("sensordata",)
    top_speed = 10.0

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        limited = self.model.jnt_limited.astype(bool)
        low, high = self.model.jnt_range[limited].T
        qpos = np.array(w.qpos)
        qpos[:, limited] = draws.uniform(low, high, len(low))
        w.qpos = qpos
        w.step(REST)
        w.time = 0.0

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {"position": w.qpos[:, 1:], "velocity": w.qvel}

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        top = self.top_speed
        return {"run": at_least(self.speed(w), top, margin=top, at_margin=0, falloff="linear")}


@dataclass(kw_only=True)
class Hopper(PlanarTask):
    """One leg stands, or hops at two metres a second."""

    hopping: bool = False
    domain = "hopper"
    control_timestep = 0.02
    fields = ("xipos", "sensordata")
    hop_speed = 2.0

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        touch = np.log1p(self.sensors(w, "touch_toe", "touch_heel"))
        return {"position": w.qpos[:, 1:], "velocity": w.qvel, "touch": touch}

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        z = w.xipos[:, :, 2]
        height = z[:, self.number("body", "torso")] - z[:, self.number("body", "foot")]
        standing = tolerance(height, 0.6, 2)
        if not self.hopping:
            return {"stand": standing * small_control(w.ctrl)}
        top = self.hop_speed
        hopping = at_least(self.speed(w), top, margin=top / 2, at_margin=0.5, falloff="linear")
        return {"hop": standing * hopping}


@dataclass(kw_only=True)
class Walker(PlanarTask):
    """Two legs stand, walk or run."""

    time_limit: float = 25.0
    move_speed: float = 0.0
    domain = "walker"
    control_timestep = 0.025
    fields = ("xpos", "xmat", "sensordata")
    stand_height = 1.2

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {
            "orientations": w.xmat[:, 1:][:, :, [XX, XZ]],
            "height": self.body(w, "torso")[:, 2],
            "velocity": w.qvel,
        }

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        high = at_least(
            self.body(w, "torso")[:, 2], self.stand_height, margin=self.stand_height / 2
        )
        upright = (1 + w.xmat[:, self.number("body", "torso"), ZZ]) / 2
        standing = (3 * high + upright) / 4
        if self.move_speed == 0:
            return {"stand": standing}
        speed = self.move_speed
        moving = at_least(self.speed(w), speed, margin=speed / 2, at_margin=0.5, falloff="linear")
        return {"move": standing * (5 * moving + 1) / 6}
