"""What the tasks of dm_control's suite have in common.

Models are read from the dm_control package where it is installed; its programs are not used.
Derived fields are those of the end of a step: positions and velocities are evaluated once more, and
readings that depend on accelerations are of the last step, as with dm_control's Physics.
"""

from __future__ import annotations

import importlib.util
import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from cortenforge.enums import JointType
from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.environment import Environment
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.errors import ArgumentError
from cortenforge.model import Model
from cortenforge.spec import Element, Spec

PACKAGE = "dm_control"


def suite_folder() -> Path:
    """Where dm_control keeps the suite's models."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise ArgumentError(
            "models of dm_control's suite come with its package: pip install dm_control"
        )
    return Path(next(iter(found.submodule_search_locations))) / "suite"


@dataclass(kw_only=True)
class SuiteTask(Environment):
    """A task on one of the suite's models.

    time_limit: length of an episode, in seconds.
    """

    time_limit: float = 20.0

    #: name of the model's file
    domain: ClassVar[str] = ""
    #: time between two actions; None for one step of physics
    control_timestep: ClassVar[float | None] = None
    settled = True
    begins_unactuated = True

    def load(self) -> Model:
        """The model of the domain, changed for the task."""
        spec = Spec.from_mjcf(suite_folder() / f"{self.domain}.xml")
        self.edit(spec)
        return spec.compile()

    def edit(self, spec: Spec) -> None:
        """Change the model's description."""

    @cached_property
    def frame_skip(self) -> int:  # type: ignore[override]
        """Steps of physics for one action."""
        step = float(self.model.opt.timestep)
        return round((self.control_timestep or step) / step)

    @cached_property
    def max_episode_steps(self) -> int | None:  # type: ignore[override]
        """Number of actions that the time limit allows."""
        steps = self.time_limit / self.dt
        return math.ceil(steps) if math.isfinite(steps) else None

    @cached_property
    def _numbers(self) -> dict[tuple[str, str], int]:
        return {}

    def number(self, kind: str, name: str) -> int:
        """Number of an object of the model."""
        found = self._numbers.get((kind, name))
        if found is None:
            found = int(getattr(self.model, kind)(name).id)
            self._numbers[kind, name] = found
        return found

    def body(self, w: TaskWorlds, name: str) -> np.ndarray:
        """Position of a body, (k, 3)."""
        return w.xpos[:, self.number("body", name)]

    def site(self, w: TaskWorlds, name: str) -> np.ndarray:
        """Position of a site, (k, 3)."""
        return w.site_xpos[:, self.number("site", name)]

    def geom(self, w: TaskWorlds, name: str) -> np.ndarray:
        """Position of a geom, (k, 3)."""
        return w.geom_xpos[:, self.number("geom", name)]

    def frame(self, w: TaskWorlds, name: str) -> np.ndarray:
        """Orientation of a body, (k, 3, 3)."""
        return w.xmat[:, self.number("body", name)].reshape(-1, 3, 3)

    def position(self, w: TaskWorlds, joint: str) -> np.ndarray:
        """Position of a joint with one, (k,)."""
        return w.qpos[:, int(self.model.joint(joint).qposadr[0])]

    def sensors(self, w: TaskWorlds, *names: str) -> np.ndarray:
        """Readings of several sensors, side by side."""
        return np.concatenate([w.sensor(name) for name in names], axis=1)

    def joint_columns(self, *names: str) -> tuple[list[int], list[int]]:
        """Columns of joints with one position each in qpos, and in qvel."""
        joints = [self.model.joint(name) for name in names]
        return [int(j.qposadr[0]) for j in joints], [int(j.dofadr[0]) for j in joints]


def hide(element: Element) -> None:
    """Make an element of a model invisible."""
    element.rgba = [*np.asarray(element.rgba)[:3], 0.0]


def set_radius(element: Element, radius: float) -> None:
    """Change the first size of an element of a model."""
    element.size = [radius, *np.asarray(element.size)[1:]]


def into_frame(vectors: np.ndarray, frame: np.ndarray) -> np.ndarray:
    """Components (k, 3) or (k, m, 3) of vectors along the axes of a frame (k, 3, 3)."""
    if vectors.ndim == 2:
        return np.einsum("ki,kij->kj", vectors, frame)
    return np.einsum("kmi,kij->kmj", vectors, frame)


def norm(vectors: np.ndarray) -> np.ndarray:
    """Lengths of vectors, (k,)."""
    length: np.ndarray = np.linalg.norm(vectors, axis=1)
    return length


def unit_quaternions(draws: GeneratorDraws) -> np.ndarray:
    """Orientations that are drawn uniformly, (k, 4)."""
    drawn = draws.normal(4)
    unit: np.ndarray = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return unit


def turned_about_z(angle: np.ndarray) -> np.ndarray:
    """Quaternions of rotations about the vertical, (k, 4)."""
    zero = np.zeros_like(angle)
    return np.stack([np.cos(angle / 2), zero, zero, np.sin(angle / 2)], axis=1)


def random_joints(model: Model, qpos: np.ndarray, draws: GeneratorDraws) -> np.ndarray:
    """Positions (k, nq) where joints with limits are drawn between these, and rotations freely."""
    drawn = np.array(qpos)
    for j in range(model.njnt):
        kind, first = model.jnt_type[j], int(model.jnt_qposadr[j])
        low, high = model.jnt_range[j]
        limited = bool(model.jnt_limited[j])
        if kind in (JointType.HINGE, JointType.SLIDE) and limited:
            drawn[:, first] = draws.uniform(low, high)
        elif kind == JointType.HINGE:
            drawn[:, first] = draws.uniform(-np.pi, np.pi)
        elif kind == JointType.BALL and limited:
            drawn[:, first : first + 4] = _turned_at_most(high, draws)
        elif kind == JointType.BALL:
            drawn[:, first : first + 4] = unit_quaternions(draws)
        elif kind == JointType.FREE:
            # of the positive orthant only, as the suite draws it
            quat = draws.uniform(0.0, 1.0, 4)
            drawn[:, first + 3 : first + 7] = quat / np.linalg.norm(quat, axis=1, keepdims=True)
    return drawn


def _turned_at_most(limit: float, draws: GeneratorDraws) -> np.ndarray:
    """Rotations about random axes by less than an angle, (k, 4)."""
    axis = draws.normal(3)
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    half = draws.uniform(0.0, limit) / 2
    return np.concatenate([np.cos(half)[:, None], np.sin(half)[:, None] * axis], axis=1)
