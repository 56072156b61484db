"""dog: stands, walks, trots, runs, and fetches a ball."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from cortenforge.enums import JointType
from cortenforge.envs.dm_suite.base import (
    SuiteTask,
    into_frame,
    norm,
    suite_folder,
    turned_about_z,
)
from cortenforge.envs.dm_suite.pendulums import ZX, ZY, ZZ
from cortenforge.envs.dm_suite.tolerance import at_least, tolerance
from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.spec import Spec

#: tilt up to which the dog is upright
UPRIGHT = np.cos(np.deg2rad(30))
#: fraction of the height in the model's pose at which it stands
STANDING = 0.9
BALL = ("wall_px", "wall_nx", "wall_py", "wall_ny")


@dataclass(kw_only=True)
class Dog(SuiteTask):
    """Stands upright with its weight on its feet, and moves forward at a speed."""

    time_limit: float = 15.0
    move_speed: float = 0.0
    domain = "dog"
    control_timestep = 0.015
    fields: ClassVar[tuple[str, ...]] = ("xpos", "xmat", "sensordata")
    floor = 15.0
    has_ball = False

    def edit(self, spec: Spec) -> None:
        for file in (suite_folder() / "dog_assets").iterdir():
            spec.assets[file.name] = file.read_bytes()
        spec.geom("floor").size = [self.floor, self.floor, 0.1]
        if not self.has_ball:
            spec.delete(spec.body("ball"))
            for camera in ("ball", "head"):
                spec.delete(spec.camera(camera))
            for geom in ("target", *BALL):
                spec.delete(spec.geom(geom))

    @cached_property
    def stand_heights(self) -> np.ndarray:
        """Of torso and pelvis, at which the dog stands."""
        data = self.model.make_data()
        data.forward()
        numbers = [self.number("body", name) for name in ("torso", "pelvis")]
        heights: np.ndarray = STANDING * data.xpos[numbers, 2]
        return heights

    @cached_property
    def weight(self) -> float:
        """Of the dog, in newtons."""
        mass = self.model.body_subtreemass[self.number("body", "torso")]
        return float(-self.model.opt.gravity[2] * mass)

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        qpos, qvel = np.array(w.qpos), np.zeros((w.n, self.model.nv))
        qpos[:, 3:7] = turned_about_z(draws.uniform(0, 2 * np.pi))
        qvel[:, [0, 1, 5]] = 2 * draws.normal(3)
        low, high = self.model.actuator_ctrlrange.T
        w.qpos, w.qvel, w.act = qpos, qvel, draws.uniform(low, high, self.model.na)

    def heights(self, w: TaskWorlds) -> np.ndarray:
        """Of torso and pelvis."""
        return np.stack([self.body(w, name)[:, 2] for name in ("torso", "pelvis")], axis=1)

    def vertical(self, w: TaskWorlds) -> np.ndarray:
        """The vertical in the frames of skull, torso and pelvis, (k, 3, 3)."""
        numbers = [self.number("body", name) for name in ("skull", "torso", "pelvis")]
        return w.xmat[:, numbers][:, :, [ZX, ZY, ZZ]]

    def velocity(self, w: TaskWorlds) -> np.ndarray:
        """Of the centre of mass, in the frame of the torso."""
        return into_frame(w.sensor("torso_linvel"), self.frame(w, "torso"))

    def touch(self, w: TaskWorlds) -> np.ndarray:
        """Forces on the feet."""
        return self.sensors(w, "palm_L", "palm_R", "sole_L", "sole_R")

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        hinges = self.model.jnt_type == JointType.HINGE
        return {
            "joint_angles": w.qpos[:, self.model.jnt_qposadr[hinges]],
            "joint_velocites": w.qvel[:, self.model.jnt_dofadr[hinges]],
            "torso_pelvis_height": self.heights(w),
            "z_projection": self.vertical(w),
            "torso_com_velocity": self.velocity(w),
            "inertial_sensors": self.sensors(w, "accelerometer", "velocimeter", "gyro"),
            "foot_forces": self.sensors(w, "foot_L", "foot_R", "hand_L", "hand_R"),
            "touch_sensors": self.touch(w),
            "actuator_state": w.act,
        }

    def standing(self, w: TaskWorlds) -> np.ndarray:
        """Product of what is rewarded in all tasks."""
        high = at_least(self.heights(w), self.stand_heights, margin=self.stand_heights)
        tilt = self.vertical(w)[:, :, 2]
        upright = at_least(tilt, UPRIGHT, margin=UPRIGHT + 1, at_margin=0, falloff="linear")
        weight = self.weight
        touch = self.touch(w).sum(axis=1)
        touch = at_least(touch, weight, margin=weight, at_margin=0.9, falloff="linear")
        product: np.ndarray = high.prod(axis=1) * upright.prod(axis=1) * touch
        return product

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        standing, speed = self.standing(w), self.move_speed
        if speed == 0:
            return {"stand": standing}
        forward = self.velocity(w)[:, 0]
        moving = tolerance(
            forward, speed, 2 * speed, margin=max(1.0, speed), at_margin=0, falloff="linear"
        )
        return {"move": standing * (4 * moving + 1) / 5}


@dataclass(kw_only=True)
class DogFetch(Dog):
    """Stands, takes a ball and brings it to the target."""

    fields = (*Dog.fields, "site_xpos", "site_xmat", "geom_xpos", "cvel", "subtree_com")
    floor = 10.0
    has_ball = True

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        super().begin(w, draws)
        joint = self.model.joint("ball_root")
        first, dof = int(joint.qposadr[0]), int(joint.dofadr[0])
        azimuth = draws.uniform(0, 2 * np.pi)
        outward = np.stack([np.sin(azimuth), np.cos(azimuth)], axis=1)
        gravity = -self.model.opt.gravity[2]
        qpos, qvel = np.array(w.qpos), np.array(w.qvel)
        radius = 0.75 * self.model.geom_size[self.number("geom", "floor"), 0]
        qpos[:, first : first + 2], qpos[:, first + 2] = radius * outward, 0.05
        # thrown towards the middle, up to three metres high
        qvel[:, dof + 2] = np.sqrt(2 * gravity * draws.uniform(0, 3))
        aside = 0.05 * draws.normal(2)
        qvel[:, dof : dof + 2] = draws.uniform(0, 5)[:, None] * (aside - outward)
        w.qpos, w.qvel = qpos, qvel

    def velocity_at(self, w: TaskWorlds, body: int, point: np.ndarray) -> np.ndarray:
        """Velocity of the point of a body that is at a place, in world axes."""
        spatial = w.cvel[:, body]
        arm = point - w.subtree_com[:, self.model.body_rootid[body]]
        return spatial[:, 3:] + np.cross(spatial[:, :3], arm)

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        head, ball = self.site(w, "head"), self.geom(w, "ball")
        frame = w.site_xmat[:, self.number("site", "head")].reshape(-1, 3, 3)
        bodies = (
            self.model.site_bodyid[self.number("site", "head")],
            self.model.geom_bodyid[self.number("geom", "ball")],
        )
        relative = self.velocity_at(w, bodies[1], ball) - self.velocity_at(w, bodies[0], head)
        state = np.stack([ball - head, relative], axis=1)
        return {
            **super().observe(w),
            "ball_state": into_frame(state, frame),
            "target_position": into_frame(self.geom(w, "target") - head, frame),
        }

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        model, ball = self.model, self.geom(w, "ball")
        bites = [norm(ball - self.site(w, f"{jaw}_bite")) for jaw in ("upper", "lower")]
        size = model.site_size[self.number("site", "upper_bite"), 0]
        reach = tolerance(0.5 * sum(bites), 0, size, margin=2, falloff="reciprocal")
        target = model.geom_size[self.number("geom", "target"), 0]
        distance = norm(ball - self.geom(w, "target"))
        arena = model.geom_size[self.number("geom", "floor"), 0]
        home = tolerance(distance, 0, target, margin=arena, falloff="reciprocal")
        # the ball may be dropped where it has been brought
        reached = np.where(distance < 2 * target, 1.0, (6 * reach + 1) / 7)
        return {"fetch": self.standing(w) * reached * (home + 1) / 2}
