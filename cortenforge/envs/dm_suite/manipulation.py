"""manipulator and stacker: a planar arm with a hand brings things to a target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cortenforge.envs.dm_suite.base import SuiteTask, norm
from cortenforge.envs.dm_suite.pendulums import XX, ZX
from cortenforge.envs.dm_suite.tolerance import at_least, tolerance
from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.spec import Spec

ARM = (
    "arm_root", "arm_shoulder", "arm_elbow", "arm_wrist", "finger", "fingertip", "thumb",
    "thumbtip",
)  # fmt: skip
#: all things of the manipulator's model; a task needs two or three of them
PROPS = ("ball", "target_ball", "cup", "peg", "target_peg", "slot")
#: distance at which something is close
CLOSE = 0.01
#: chances that the object begins in the hand, and in the target
IN_HAND, IN_TARGET = 0.1, 0.1
PLANE, TURNED_ABOUT_Y = [0, 2], [0, 2]


@dataclass(kw_only=True)
class ArmTask(SuiteTask):
    """What both have in common."""

    time_limit: float = 10.0
    control_timestep = 0.01
    fields: ClassVar[tuple[str, ...]] = (
        "xpos", "xquat", "site_xpos", "site_xmat", "sensordata",
    )  # fmt: skip
    expand: ClassVar[tuple[str, ...]] = ("body_pos", "body_quat")

    def random_arm(self, w: TaskWorlds, draws: GeneratorDraws) -> np.ndarray:
        """Positions with the arm at random, finger and thumb alike."""
        qpos, (columns, _) = np.array(w.qpos), self.joint_columns(*ARM)
        joints = [self.number("joint", name) for name in ARM]
        limited = self.model.jnt_limited[joints].astype(bool)
        low, high = self.model.jnt_range[joints].T
        low, high = np.where(limited, low, -np.pi), np.where(limited, high, np.pi)
        qpos[:, columns] = draws.uniform(low, high, len(ARM))
        qpos[:, columns[ARM.index("finger")]] = qpos[:, columns[ARM.index("thumb")]]
        return qpos

    def acceptable(self, w: TaskWorlds) -> np.ndarray:
        return w.ncon == 0

    def pose(self, w: TaskWorlds, *names: str) -> np.ndarray:
        """Place and orientation of bodies in the plane, (k, bodies, 4)."""
        numbers = [self.number("body", name) for name in names]
        turned = w.xquat[:, numbers][:, :, TURNED_ABOUT_Y]
        return np.concatenate([w.xpos[:, numbers][:, :, PLANE], turned], axis=2)

    def arm(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        """What is seen of the arm."""
        columns, dofs = self.joint_columns(*ARM)
        angles = w.qpos[:, columns]
        return {
            "arm_pos": np.stack([np.sin(angles), np.cos(angles)], axis=2),
            "arm_vel": w.qvel[:, dofs],
            "touch": np.log1p(w.sensordata),
        }

    def distance(self, w: TaskWorlds, one: str, other: str) -> np.ndarray:
        """Between two sites."""
        return norm(self.site(w, one) - self.site(w, other))


@dataclass(kw_only=True)
class Manipulator(ArmTask):
    """Brings a ball or a peg to a target, or puts it into a cup or a slot."""

    peg: bool = False
    insert: bool = False
    domain = "manipulator"

    def __post_init__(self) -> None:
        self.object = "peg" if self.peg else "ball"
        self.target = f"target_{self.object}"
        self.receptacle = "slot" if self.peg else "cup"

    def edit(self, spec: Spec) -> None:
        kept = {self.object, self.target, *([self.receptacle] if self.insert else [])}
        for prop in PROPS:
            if prop not in kept:
                spec.delete(spec.body(prop))

    @property
    def object_joints(self) -> tuple[str, ...]:
        """Joints of the object, in the order of the suite."""
        return tuple(f"{self.object}_{axis}" for axis in "xzy")

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        qpos = self.random_arm(w, draws)
        x, z = draws.uniform(-0.4, 0.4), draws.uniform(0.1, 0.4)
        angle = draws.uniform(-1, 1) * (np.pi / 3 if self.insert else np.pi)
        self.place(w, self.target, x, z, angle)
        if self.insert:
            self.place(w, self.receptacle, x, z, angle)
        kind = draws.uniform(0, 1)
        in_hand, free = kind < IN_HAND, kind >= IN_HAND + IN_TARGET
        w.qpos = qpos
        thing = np.stack([x, z, angle], axis=1)
        random = np.stack(
            [draws.uniform(-0.5, 0.5), draws.uniform(0, 0.7), draws.uniform(0, 2 * np.pi)], axis=1
        )
        thing = np.where(free[:, None], random, thing)
        if in_hand.any():
            w.forward()
            thing = np.where(in_hand[:, None], self.grasped(w), thing)
        columns, dofs = self.joint_columns(*self.object_joints)
        qpos[:, columns] = thing
        qvel = np.zeros((w.n, self.model.nv))
        qvel[:, dofs[0]] = np.where(free, draws.uniform(-5, 5), 0.0)
        w.qpos, w.qvel = qpos, qvel

    def grasped(self, w: TaskWorlds) -> np.ndarray:
        """Place (x, z) and angle of an object in the hand."""
        axes = w.site_xmat[:, self.number("site", "grasp")]
        angle = np.pi - np.arctan2(axes[:, ZX], axes[:, XX])
        return np.concatenate([self.site(w, "grasp")[:, PLANE], angle[:, None]], axis=1)

    def place(self, w: TaskWorlds, name: str, x: Any, z: Any, angle: Any) -> None:
        """Put a body that does not move somewhere else in the plane."""
        number = self.number("body", name)
        places, turns = np.array(w.body_pos), np.array(w.body_quat)
        places[:, number, 0], places[:, number, 2] = x, z
        turns[:, number, 0], turns[:, number, 2] = np.cos(angle / 2), np.sin(angle / 2)
        w.body_pos, w.body_quat = places, turns

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        return {
            **self.arm(w),
            "hand_pos": self.pose(w, "hand"),
            "object_pos": self.pose(w, self.object),
            "object_vel": w.qvel[:, self.joint_columns(*self.object_joints)[1]],
            "target_pos": self.pose(w, self.target),
        }

    def near(self, w: TaskWorlds, one: str, other: str) -> np.ndarray:
        """One where two sites are close."""
        return tolerance(self.distance(w, one, other), 0, CLOSE, margin=2 * CLOSE)

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        if not self.peg:
            return {"bring": self.near(w, "ball", "target_ball")}
        grasp = self.near(w, "peg_grasp", "grasp") + self.near(w, "peg_pinch", "pinch")
        bring = self.near(w, "peg", "target_peg") + self.near(w, "target_peg_tip", "peg_tip")
        return {"bring": np.maximum(bring / 2, grasp / 2 / 3)}


@dataclass(kw_only=True)
class Stacker(ArmTask):
    """Puts a box at the height of a stack, and moves the hand away.

    boxes: their number, at most 4.
    """

    boxes: int = 2
    domain = "stacker"
    expand = ("body_pos",)

    def edit(self, spec: Spec) -> None:
        for k in range(self.boxes, 4):
            spec.delete(spec.body(f"box{k}"))

    @property
    def names(self) -> list[str]:
        """Names of the boxes."""
        return [f"box{k}" for k in range(self.boxes)]

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        qpos = self.random_arm(w, draws)
        half = self.model.geom_size[self.number("geom", "target"), 0]
        level = draws.each(lambda generator: generator.integers(self.boxes))
        places, target = np.array(w.body_pos), self.number("body", "target")
        places[:, target, 2], places[:, target, 0] = (
            half * (2 * level + 1),
            draws.uniform(-0.37, 0.37),
        )
        w.body_pos = places
        for name in self.names:
            (x, z, y), _ = self.joint_columns(f"{name}_x", f"{name}_z", f"{name}_y")
            qpos[:, x], qpos[:, z] = draws.uniform(0.1, 0.3), draws.uniform(0, 0.7)
            qpos[:, y] = draws.uniform(0, 2 * np.pi)
        w.qpos = qpos

    def observe(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        joints = [f"{name}_{axis}" for name in self.names for axis in "xyz"]
        return {
            **self.arm(w),
            "hand_pos": self.pose(w, "hand"),
            "box_pos": self.pose(w, *self.names),
            "box_vel": w.qvel[:, self.joint_columns(*joints)[1]],
            "target_pos": self.body(w, "target")[:, PLANE],
        }

    def reward(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        half = self.model.geom_size[self.number("geom", "target"), 0]
        nearest = np.min([self.distance(w, name, "target") for name in self.names], axis=0)
        away = at_least(self.distance(w, "grasp", "target"), 0.1, margin=CLOSE)
        return {"stack": tolerance(nearest, margin=2 * half) * away}
