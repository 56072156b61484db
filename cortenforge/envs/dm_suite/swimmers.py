"""fish and swimmer: bodies in a fluid that swim to a target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.envs.dm_suite.base import (
    SuiteTask,
    hide,
    into_frame,
    norm,
    random_joints,
    unit_quaternions,
)
from cortenforge.envs.dm_suite.pendulums import ZZ
from cortenforge.envs.dm_suite.tolerance import tolerance
from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.spec import Spec

FISH_JOINTS = (
    "tail1", "tail_twist", "tail2", "finright_roll", "finright_pitch", "finleft_roll",
    "finleft_pitch",
)  # fmt: skip
#: readings of a body's velocimeter and gyro that are not zero in a plane
PLANAR_VELOCITY = [0, 1, 5]


@dataclass(kw_only=True)
class Fish(SuiteTask):
    """Stays upright, or swims to a target as well."""

    time_limit: float = 40.0
    swimming: bool = False
    domain = "fish"
    control_timestep = 0.04
    fields = ("xmat", "geom_xpos", "geom_xmat", "sensordata")
    expand = ("geom_pos",)

    def edit(self, spec: Spec) -> None:
        if not self.swimming:
            hide(spec.geom("target"))

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        qpos, (columns, _) = np.array(w.qpos), self.joint_columns(*FISH_JOINTS)
        qpos[:, 3:7] = unit_quaternions(draws)
        qpos[:, columns] = draws.uniform(-0.2, 0.2, len(columns))
        w.qpos = qpos
        if self.swimming:
            places, target = np.array(w.geom_pos), self.number("geom", "target")
            places[:, target, :2] = draws.uniform(-0.4, 0.4, 2)
            places[:, target, 2] = draws.uniform(0.1, 0.3)
            w.geom_pos = places

    def to_target(self, w: TaskWorlds) -> np.ndarray:
        """From the mouth to the target, in the frame of the mouth."""
        frame = w.geom_xmat[:, self.number("geom", "mouth")].reshape(-1, 3, 3)
        return into_frame(self.geom(w, "target") - self.geom(w, "mouth"), frame)

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        columns, _ = self.joint_columns(*FISH_JOINTS)
        seen = {"joint_angles": w.qpos[:, columns], "upright": self.upright(w)}
        if self.swimming:
            seen["target"] = self.to_target(w)
        return {**seen, "velocity": w.qvel}

    def upright(self, w: TaskWorlds) -> np.ndarray:
        """Cosine of the torso's tilt."""
        return w.xmat[:, self.number("body", "torso"), ZZ]

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        if not self.swimming:
            return {"upright": tolerance(self.upright(w), 1, margin=1)}
        sizes = [self.model.geom_size[self.number("geom", n), 0] for n in ("mouth", "target")]
        there = tolerance(norm(self.to_target(w)), 0, sum(sizes), margin=2 * sum(sizes))
        return {"in_target": 7 * there / 8, "upright": 0.5 * (self.upright(w) + 1) / 8}


@dataclass(kw_only=True)
class Swimmer(SuiteTask):
    """A chain of links that swims to a target with its nose.

    links: their number, at least 3.
    """

    time_limit: float = 30.0
    links: int = 6
    domain = "swimmer"
    control_timestep = 0.03
    fields = ("xmat", "geom_xpos", "sensordata")
    expand = ("geom_pos", "light_pos")

    def edit(self, spec: Spec) -> None:
        parent, limit = spec.body("head"), 360.0 / self.links
        for k in range(self.links - 1):
            parent = parent.add_body(name=f"segment_{k}", pos=[0, 0.1, 0])
            parent.add_geom(name=f"visual_{k}", class_="visual")
            parent.add_geom(name=f"inertial_{k}", class_="inertial")
            parent.add_site(name=f"site_{k}")
            parent.add_joint(name=f"joint_{k}", range=[-limit, limit])
            spec.add_actuator("motor", name=f"motor_{k}", joint=f"joint_{k}")
            spec.add_sensor("velocimeter", name=f"velocimeter_{k}", site=f"site_{k}")
            spec.add_sensor("gyro", name=f"gyro_{k}", site=f"site_{k}")
        for name in ("tracking1", "tracking2"):
            camera = spec.camera(name)
            camera.pos = np.asarray(camera.pos) * self.links / 6

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        w.qpos = random_joints(self.model, w.qpos, draws)
        # one target in five is close
        reach = np.where(draws.uniform(0, 1) < 0.2, 0.3, 2.0)[:, None]
        place = reach * draws.uniform(-1, 1, 2)
        geoms, lights = np.array(w.geom_pos), np.array(w.light_pos)
        geoms[:, self.number("geom", "target"), :2] = place
        lights[:, self.number("light", "target_light"), :2] = place
        w.geom_pos, w.light_pos = geoms, lights

    def to_target(self, w: TaskWorlds) -> np.ndarray:
        """From the nose to the target, in the frame of the head and its plane."""
        away = self.geom(w, "target") - self.geom(w, "nose")
        return into_frame(away, self.frame(w, "head"))[:, :2]

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        # behind four vectors of the head and the target, six readings for each link
        local = w.sensordata[:, 12:].reshape(w.n, -1, 6)
        return {
            "joints": w.qpos[:, 3:],
            "to_target": self.to_target(w),
            "body_velocities": local[:, :, PLANAR_VELOCITY],
        }

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        size = self.model.geom_size[self.number("geom", "target"), 0]
        distance = norm(self.to_target(w))
        return {"near": tolerance(distance, 0, size, margin=5 * size, falloff="long_tail")}
