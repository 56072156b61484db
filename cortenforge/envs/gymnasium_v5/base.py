"""What Gymnasium's MuJoCo tasks have in common.

The tasks are those of Gymnasium's `envs/mujoco/*_v5.py`, with the same options, numbers and draws;
models are read from Gymnasium's own package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import gymnasium
import numpy as np

from cortenforge.envs.draws import GeneratorDraws
from cortenforge.envs.environment import Environment
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.errors import ArgumentError
from cortenforge.model import Model

#: where Gymnasium keeps its models
ASSETS = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"


def model_path(file: str) -> Path:
    """The path of a model: beside Gymnasium's, or as it is written."""
    path = Path(file).expanduser()
    if not file.startswith((".", "/", "~")):
        path = ASSETS / file
    if not path.exists():
        raise ArgumentError(f"xml_file: there is no file {path}")
    return path


@dataclass(kw_only=True)
class MujocoTask(Environment):
    """A task on one of Gymnasium's models.

    xml_file:          a model of Gymnasium's, or the path of another.
    frame_skip:        steps of physics for one action.
    reset_noise_scale: of the first positions and velocities.
    """

    xml_file: str = ""
    frame_skip: int = 5
    reset_noise_scale: float = 0.1
    #: whether velocities begin with normal or with uniform noise
    normal_velocity = False

    def load(self) -> Model:
        """The model of `xml_file`."""
        return Model.from_mjcf(model_path(self.xml_file))

    def action_range(self) -> tuple[np.ndarray, np.ndarray]:
        """The range of the controls, limited or not."""
        low, high = self.model.actuator_ctrlrange.T
        return low, high

    def begin(self, w: TaskWorlds, draws: GeneratorDraws) -> None:  # type: ignore[override]
        """Positions with uniform noise, velocities with uniform or normal noise."""
        scale = self.reset_noise_scale
        w.qpos = w.qpos + draws.uniform(-scale, scale, self.model.nq)
        if self.normal_velocity:
            w.qvel = scale * draws.normal(self.model.nv)
        else:
            w.qvel = draws.uniform(-scale, scale, self.model.nv)

    def begun(self, w: TaskWorlds) -> None:
        """Gymnasium evaluates forces on bodies after steps only: they are zero at first."""
        if "cfrc_ext" in self.fields:
            w.cfrc_ext = 0.0


def squared(action: np.ndarray) -> np.ndarray:
    """Sum of squares of each world's numbers, in their own precision, as Gymnasium's."""
    total: np.ndarray = np.square(action).reshape(len(action), -1).sum(1)
    return total


def planar_distance(w: TaskWorlds) -> np.ndarray:
    """Distance of the root from the origin in the plane."""
    distance: np.ndarray = np.linalg.norm(w.qpos[:, :2], axis=1)
    return distance


def planar_positions(w: TaskWorlds) -> dict[str, np.ndarray]:
    """Position of the root in the plane, for infos."""
    return {
        "x_position": w.qpos[:, 0],
        "y_position": w.qpos[:, 1],
        "distance_from_origin": planar_distance(w),
    }


def merged(*infos: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Several infos as one."""
    return {key: value for info in infos for key, value in info.items()}
