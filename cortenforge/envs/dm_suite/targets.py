"""ball_in_cup, finger, point_mass and reacher: something is brought to a target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.envs.dm_suite.base import SuiteTask, hide, norm, random_joints, set_radius
from cortenforge.envs.dm_suite.tolerance import small_control, tolerance
from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.spec import Spec

PLANE = [0, 2]


@dataclass(kw_only=True)
class BallInCup(SuiteTask):
    """A ball on a string is to be caught in a cup."""

    domain = "ball_in_cup"
    control_timestep = 0.02
    fields = ("xpos", "site_xpos")

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        qpos = np.array(w.qpos)
        (x, z), _ = self.joint_columns("ball_x", "ball_z")
        qpos[:, x], qpos[:, z] = draws.uniform(-0.2, 0.2), draws.uniform(0.2, 0.5)
        w.qpos = qpos

    def acceptable(self, w: TaskWorlds) -> np.ndarray:
        return w.ncon == 0

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {"position": w.qpos, "velocity": w.qvel}

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        room = self.model.site_size[self.number("site", "target"), PLANE]
        room = room - self.model.geom_size[self.number("geom", "ball"), 0]
        away = np.abs(self.site(w, "target") - self.body(w, "ball"))[:, PLANE]
        return {"caught": (away < room).all(axis=1).astype(float)}


@dataclass(kw_only=True)
class Finger(SuiteTask):
    """A finger spins a body about a hinge, or turns it to a target.

    target_size: radius of the target; zero to spin.
    """

    target_size: float = 0.0
    domain = "finger"
    control_timestep = 0.02
    fields = ("sensordata", "xanchor")
    expand = ("site_pos",)
    spin_velocity = 15.0

    def edit(self, spec: Spec) -> None:
        if self.target_size:
            set_radius(spec.site("target"), self.target_size)
        else:
            spec.joint("hinge").damping = 0.03
            for name in ("target", "tip"):
                hide(spec.site(name))

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        if self.target_size:
            angle = draws.uniform(-np.pi, np.pi)
            places, target = np.array(w.site_pos), self.number("site", "target")
            radius = self.model.geom_size[self.number("geom", "cap1")].sum()
            hinge = w.xanchor[:, self.number("joint", "hinge")]
            places[:, target, 0] = hinge[:, 0] + radius * np.sin(angle)
            places[:, target, 2] = hinge[:, 2] + radius * np.cos(angle)
            w.site_pos = places
        w.qpos = random_joints(self.model, w.qpos, draws)

    def acceptable(self, w: TaskWorlds) -> np.ndarray:
        return w.ncon == 0

    def relative(self, w: TaskWorlds, name: str) -> np.ndarray:
        """From the spinner's hinge to what a sensor sees, in the plane."""
        return (w.sensor(name) - w.sensor("spinner"))[:, PLANE]

    def target_distance(self, w: TaskWorlds) -> np.ndarray:
        """From the tip to the target's surface; negative within."""
        return norm(self.relative(w, "target") - self.relative(w, "tip")) - self.target_size

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        angles = self.sensors(w, "proximal", "distal")
        seen = {
            "position": np.concatenate([angles, self.relative(w, "tip")], axis=1),
            "velocity": self.sensors(w, "proximal_velocity", "distal_velocity", "hinge_velocity"),
            "touch": np.log1p(self.sensors(w, "touchtop", "touchbottom")),
        }
        if self.target_size:
            seen["target_position"] = self.relative(w, "target")
            seen["dist_to_target"] = self.target_distance(w)
        return seen

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        if self.target_size:
            return {"turn": (self.target_distance(w) <= 0).astype(float)}
        spin = w.sensor("hinge_velocity")[:, 0]
        return {"spin": (spin <= -self.spin_velocity).astype(float)}


@dataclass(kw_only=True)
class PointMass(SuiteTask):
    """A mass in a plane is brought to the middle; in the hard task along random directions."""

    random_directions: bool = False
    domain = "point_mass"
    fields = ("geom_xpos",)
    expand = ("wrap_prm",)

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        w.qpos = random_joints(self.model, w.qpos, draws)
        if self.random_directions:
            gains = np.array(w.wrap_prm)
            gains[:, :4] = draws.each(two_directions)
            w.wrap_prm = gains

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {"position": w.qpos, "velocity": w.qvel}

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        size = self.model.geom_size[self.number("geom", "target"), 0]
        distance = norm(self.geom(w, "target") - self.geom(w, "pointmass"))
        near = tolerance(distance, 0, size, margin=size)
        return {"near": near * small_control(w.ctrl)}


def two_directions(generator: np.random.Generator) -> np.ndarray:
    """Two unit vectors in the plane that are not nearly parallel."""
    while True:
        pair = generator.standard_normal((2, 2))
        pair /= np.linalg.norm(pair, axis=1, keepdims=True)
        if abs(pair[0] @ pair[1]) <= 0.9:
            return pair.ravel()


@dataclass(kw_only=True)
class Reacher(SuiteTask):
    """The tip of two links is to be in the target."""

    target_size: float = 0.05
    domain = "reacher"
    fields = ("geom_xpos",)
    expand = ("geom_pos",)

    def edit(self, spec: Spec) -> None:
        set_radius(spec.geom("target"), self.target_size)

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        w.qpos = random_joints(self.model, w.qpos, draws)
        angle, radius = draws.uniform(0, 2 * np.pi), draws.uniform(0.05, 0.2)
        places, target = np.array(w.geom_pos), self.number("geom", "target")
        places[:, target, 0], places[:, target, 1] = radius * np.sin(angle), radius * np.cos(angle)
        w.geom_pos = places

    def to_target(self, w: TaskWorlds) -> np.ndarray:
        """From the finger to the target, in the plane."""
        return (self.geom(w, "target") - self.geom(w, "finger"))[:, :2]

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {"position": w.qpos, "to_target": self.to_target(w), "velocity": w.qvel}

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        sizes = [self.model.geom_size[self.number("geom", n), 0] for n in ("target", "finger")]
        return {"reach": tolerance(norm(self.to_target(w)), 0, sum(sizes))}
