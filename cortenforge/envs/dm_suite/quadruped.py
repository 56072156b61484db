"""quadruped: walks, runs, leaves a bowl, or brings a ball to a target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from cortenforge.enums import JointType, SensorType
from cortenforge.envs.dm_suite.base import (
    SuiteTask,
    into_frame,
    norm,
    turned_about_z,
    unit_quaternions,
)
from cortenforge.envs.dm_suite.pendulums import ZZ
from cortenforge.envs.dm_suite.tolerance import at_least, tolerance
from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.errors import ArgumentError
from cortenforge.spec import Spec

WALLS = ("wall_px", "wall_py", "wall_nx", "wall_ny")
#: step in which a body is lifted until it touches nothing, and the most of these
LIFT, MOST_LIFTS = 0.01, 10_000
#: of the terrain: least factor of a bump, and distance of bumps in metres
SMOOTHEST, BUMP = 0.15, 2


@dataclass(kw_only=True)
class Quadruped(SuiteTask):
    """Moves forward at a speed.

    floor: half the size of the floor; None as in the model.
    """

    move_speed: float = 0.5
    domain = "quadruped"
    control_timestep = 0.02
    fields = ("xpos", "xmat", "site_xpos", "sensordata")
    floor: float | None = 10.0
    has_ball = False
    has_terrain = False

    def edit(self, spec: Spec) -> None:
        if self.floor is not None:
            spec.geom("floor").size = [self.floor, self.floor, 0.5]
        if not self.has_ball:
            for wall in WALLS:
                spec.delete(spec.geom(wall))
            spec.delete(spec.body("ball"))
            spec.delete(spec.site("target"))
        if not self.has_terrain:
            spec.delete(spec.geom("terrain"))
            for sensor in [s for s in spec.sensors if s.tag == "rangefinder"]:
                spec.delete(sensor)

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        self.lift(w, np.zeros((w.n, 2)), unit_quaternions(draws))

    def lift(self, w: TaskWorlds, place: np.ndarray, orientation: np.ndarray) -> None:
        """Put the body down where it touches nothing, as low as that is possible."""
        height, pending = 0.0, np.arange(w.n)
        for _ in range(MOST_LIFTS):
            some = w.only(pending)
            qpos = np.array(some.qpos)
            qpos[:, :2], qpos[:, 2], qpos[:, 3:7] = place[pending], height, orientation[pending]
            some.qpos = qpos
            some.forward()
            pending = pending[some.ncon > 0]
            if not len(pending):
                return
            height += LIFT
        raise ArgumentError("no height was found at which the body touches nothing")

    def readings(self, w: TaskWorlds, *kinds: SensorType) -> np.ndarray:
        """Readings of sensors of some types, in the order of the model."""
        chosen = np.isin(self.model.sensor_type, [int(kind) for kind in kinds])
        columns = [
            np.arange(first, first + size)
            for first, size in zip(
                self.model.sensor_adr[chosen], self.model.sensor_dim[chosen], strict=True
            )
        ]
        return w.sensordata[:, np.concatenate(columns)]

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        hinges = self.model.jnt_type == JointType.HINGE
        angles = w.qpos[:, self.model.jnt_qposadr[hinges]]
        rates = w.qvel[:, self.model.jnt_dofadr[hinges]]
        forces = self.readings(w, SensorType.FORCE, SensorType.TORQUE)
        return {
            "egocentric_state": np.concatenate([angles, rates, w.act], axis=1),
            "torso_velocity": w.sensor("velocimeter"),
            "torso_upright": self.cosine(w),
            "imu": self.readings(w, SensorType.GYRO, SensorType.ACCELEROMETER),
            "force_torque": np.arcsinh(forces),
        }

    def cosine(self, w: TaskWorlds) -> np.ndarray:
        """Cosine of the torso's tilt."""
        return w.xmat[:, self.number("body", "torso"), ZZ]

    def upright(self, w: TaskWorlds, angle: float = 0.0) -> np.ndarray:
        """One where the tilt is less than an angle in degrees, zero upside down."""
        least = np.cos(np.deg2rad(angle))
        return at_least(self.cosine(w), least, margin=1 + least, at_margin=0, falloff="linear")

    def in_torso(self, w: TaskWorlds, point: np.ndarray) -> np.ndarray:
        """From the torso to a point, in its frame."""
        return into_frame(point - self.body(w, "torso"), self.frame(w, "torso"))

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        forward, speed = w.sensor("velocimeter")[:, 0], self.move_speed
        moving = at_least(forward, speed, margin=speed, at_margin=0.5, falloff="linear")
        return {"move": self.upright(w) * moving}


@dataclass(kw_only=True)
class QuadrupedEscape(Quadruped):
    """Leaves a bowl of random terrain."""

    floor: float | None = 40.0
    has_terrain = True
    expand = ("hfield_data",)

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        rows, size = int(self.model.hfield_nrow[0]), 2 * self.model.hfield_size[0, 0]
        w.hfield_data = draws.each(lambda generator: bowl(generator, rows, size).ravel())
        super().begin(w, draws)

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        distance = self.readings(w, SensorType.RANGEFINDER)
        return {
            **super().observe(w),
            "origin": self.in_torso(w, np.zeros(3)),
            "rangefinder": np.where(distance == -1.0, 1.0, np.tanh(distance)),
        }

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        size, distance = self.model.hfield_size[0, 0], norm(self.site(w, "workspace"))
        away = at_least(distance, size, margin=size, at_margin=0, falloff="linear")
        return {"escape": self.upright(w, 20.0) * away}


def bowl(generator: np.random.Generator, rows: int, size: float) -> np.ndarray:
    """Heights of a bowl with a rim of cosine shape, times random smooth bumps."""
    line = np.linspace(-1, 1, rows)
    radius = np.clip(np.hypot(line[:, None], line), 0.04, 1)
    count = int(size / BUMP)
    bumps = generator.uniform(SMOOTHEST, 1, (count, count))
    return (0.5 - np.cos(2 * np.pi * radius) / 2) * ndimage.zoom(bumps, rows / count)


@dataclass(kw_only=True)
class QuadrupedFetch(Quadruped):
    """Brings a ball to the target in the middle."""

    floor: float | None = None
    has_ball = True

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        spread = 0.9 * self.model.geom_size[self.number("geom", "floor"), 0]
        azimuth = draws.uniform(0, 2 * np.pi)
        self.lift(w, draws.uniform(-spread, spread, 2), turned_about_z(azimuth))
        qpos, qvel = np.array(w.qpos), np.array(w.qvel)
        ball, dof = self._ball
        qpos[:, ball : ball + 2], qpos[:, ball + 2] = draws.uniform(-spread, spread, 2), 2.0
        qvel[:, dof : dof + 2] = 5 * draws.normal(2)
        w.qpos, w.qvel = qpos, qvel

    @property
    def _ball(self) -> tuple[int, int]:
        joint = self.model.joint("ball_root")
        return int(joint.qposadr[0]), int(joint.dofadr[0])

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        _, dof = self._ball
        velocity, spin = w.qvel[:, dof : dof + 3], w.qvel[:, dof + 3 : dof + 6]
        place = self.body(w, "ball") - self.body(w, "torso")
        state = np.stack([place, velocity - w.qvel[:, :3], spin], axis=1)
        return {
            **super().observe(w),
            "ball_state": into_frame(state, self.frame(w, "torso")),
            "target_position": self.in_torso(w, self.site(w, "target")),
        }

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        model, ball = self.model, self.body(w, "ball")
        arena = model.geom_size[self.number("geom", "floor"), 0] * np.sqrt(2)
        reach = model.site_size[self.number("site", "workspace"), 0]
        reach += model.geom_size[self.number("geom", "ball"), 0]
        target = model.site_size[self.number("site", "target"), 0]
        options = {"margin": arena, "at_margin": 0.0, "falloff": "linear"}
        near = tolerance(norm((self.site(w, "workspace") - ball)[:, :2]), 0, reach, **options)
        home = tolerance(norm((self.site(w, "target") - ball)[:, :2]), 0, target, **options)
        return {"fetch": self.upright(w) * near * (0.5 + 0.5 * home)}
