"""humanoid and humanoid_CMU: they stand, walk and run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cortenforge.envs.dm_suite.base import SuiteTask, into_frame, norm, random_joints
from cortenforge.envs.dm_suite.pendulums import ZX, ZY, ZZ
from cortenforge.envs.dm_suite.tolerance import at_least, small_control, tolerance
from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.worlds import TaskWorlds

#: height of the head of a humanoid that stands
STAND_HEIGHT = 1.4


@dataclass(kw_only=True)
class Humanoid(SuiteTask):
    """Stands, or moves in any direction at a speed.

    pure_state: observe positions and velocities only.
    """

    time_limit: float = 25.0
    move_speed: float = 0.0
    pure_state: bool = False
    domain = "humanoid"
    control_timestep = 0.025
    fields = ("xpos", "xmat", "sensordata")
    torso: ClassVar[str] = "torso"
    limbs: ClassVar[tuple[str, ...]] = ("left_hand", "left_foot", "right_hand", "right_foot")
    #: component of the torso's orientation that is one where it is upright
    up: ClassVar[int] = ZZ

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        w.qpos = random_joints(self.model, w.qpos, draws)

    def acceptable(self, w: TaskWorlds) -> np.ndarray:
        return w.ncon == 0

    def velocity(self, w: TaskWorlds) -> np.ndarray:
        """Velocity of the centre of mass."""
        return w.sensor(f"{self.torso}_subtreelinvel")

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        if self.pure_state:
            return {"position": w.qpos, "velocity": w.qvel}
        numbers = [self.number("body", name) for name in self.limbs]
        limbs = w.xpos[:, numbers] - self.body(w, self.torso)[:, None]
        return {
            "joint_angles": w.qpos[:, 7:],
            "head_height": self.body(w, "head")[:, 2],
            "extremities": into_frame(limbs, self.frame(w, self.torso)),
            "torso_vertical": w.xmat[:, self.number("body", self.torso)][:, [ZX, ZY, ZZ]],
            "com_velocity": self.velocity(w),
            "velocity": w.qvel,
        }

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        head, upright = self.body(w, "head")[:, 2], w.xmat[:, self.number("body", self.torso)]
        standing = at_least(head, STAND_HEIGHT, margin=STAND_HEIGHT / 4)
        standing = standing * at_least(
            upright[:, self.up], 0.9, margin=1.9, at_margin=0, falloff="linear"
        )
        standing = standing * small_control(w.ctrl)
        plane = self.velocity(w)[:, :2]
        if self.move_speed == 0:
            return {"stand": standing * tolerance(plane, margin=2).mean(axis=1)}
        speed = self.move_speed
        moving = at_least(norm(plane), speed, margin=speed, at_margin=0, falloff="linear")
        return {"move": standing * (5 * moving + 1) / 6}


@dataclass(kw_only=True)
class HumanoidCMU(Humanoid):
    """The same with the body of the CMU motion capture data."""

    time_limit: float = 20.0
    domain = "humanoid_CMU"
    control_timestep = 0.02
    torso = "thorax"
    limbs = ("lhand", "lfoot", "rhand", "rfoot")
    up = ZY
