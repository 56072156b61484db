"""The three simulations of the demo, and what each of them ought to conserve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cortenforge.cli.trajectory import Trajectory, record, sample_count
from cortenforge.cli.warmup import compile_uncached
from cortenforge.enums import Integrator
from cortenforge.model import Data, Model
from cortenforge.models import find

Array = NDArray[np.float64]


class Run(Protocol):
    """A finished simulation."""

    @property
    def title(self) -> str: ...
    @property
    def seconds(self) -> float: ...
    def conserved(self) -> dict[str, float]:
        """Largest drift of each conserved quantity."""


def _started(name: str, keyframe: str, integrator: Integrator) -> tuple[Model, Data]:
    model = Model.from_mjcf(find(name))
    model.opt.integrator = int(integrator)
    compile_uncached(model)
    data = model.make_data()
    data.reset_to_keyframe(keyframe)
    return model, data


def _drift(values: Array) -> float:
    """Largest distance from the start."""
    return float(np.abs(values - values[0]).max())


def _relative_drift(vectors: Array) -> float:
    """The same, over the length of the vector at the start."""
    return _drift(vectors) / float(np.linalg.norm(vectors[0]))


@dataclass(frozen=True)
class DoublePendulum:
    """Ten seconds of chaos without friction, by both integrators; the tip as (x, z)."""

    euler: Trajectory
    rk4: Trajectory
    tip: Array
    title: str = "double pendulum"
    seconds: float = 10.0

    @classmethod
    def run(cls) -> DoublePendulum:
        euler, _ = cls._swing(Integrator.EULER)
        return cls(euler, *cls._swing(Integrator.RK4))

    @classmethod
    def _swing(cls, integrator: Integrator) -> tuple[Trajectory, Array]:
        model, data = _started("double_pendulum", "raised", integrator)
        count = sample_count(cls.seconds, float(model.opt.timestep))
        tip = np.empty((count, 2))

        def record_sample(index: int) -> None:
            tip[index] = data.site("tip").xpos[[0, 2]]

        return record(model, data, Trajectory.allocate(model, count), on_sample=record_sample), tip

    def conserved(self) -> dict[str, float]:
        return {
            "energy, Euler, relative": self.energy_error(self.euler).max(),
            "energy, RK4, relative": self.energy_error(self.rk4).max(),
        }

    @staticmethod
    def energy_error(trajectory: Trajectory) -> Array:
        """Distance of the energy from its start, over the largest kinetic energy."""
        total = trajectory.total_energy
        error: Array = np.abs(total - total[0]) / trajectory.energy[:, 1].max()
        return error


@dataclass(frozen=True)
class TumblingBox:
    """A box spun about its middle axis, without gravity: it flips again and again."""

    trajectory: Trajectory
    momentum: Array
    title: str = "tumbling box"
    seconds: float = 10.0

    @classmethod
    def run(cls) -> TumblingBox:
        model, data = _started("tumbling_box", "middle_axis", Integrator.RK4)
        count = sample_count(cls.seconds, float(model.opt.timestep))
        momentum = np.empty((count, 3))

        def record_sample(index: int) -> None:
            data.subtree_momentum()
            momentum[index] = data.subtree_angmom[0]

        trajectory = Trajectory.allocate(model, count)
        return cls(record(model, data, trajectory, on_sample=record_sample), momentum)

    def conserved(self) -> dict[str, float]:
        total = self.trajectory.total_energy
        norm = np.linalg.norm(self.trajectory.qpos[:, 3:7], axis=1)
        return {
            "energy, relative": _drift(total) / total[0],
            "angular momentum, relative": _relative_drift(self.momentum),
            "quaternion norm": _drift(norm),
        }


@dataclass(frozen=True)
class Somersault:
    """The humanoid in flight; its centre of mass draws a parabola whatever the limbs do."""

    model: Model
    time: Array
    qpos: Array
    com: Array
    momentum: Array
    title: str = "humanoid somersault"
    seconds: float = 1.0

    @classmethod
    def run(cls) -> Somersault:
        model, data = _started("humanoid_floating", "somersault", Integrator.RK4)
        model.opt.timestep = 0.001
        count = sample_count(cls.seconds, float(model.opt.timestep))
        run = cls(
            model,
            np.empty(count),
            np.empty((count, model.nq)),
            np.empty((count, 3)),
            np.empty((count, 3)),
        )

        def record_sample(index: int) -> None:
            run.time[index] = data.time
            run.qpos[index] = data.qpos
            run.com[index] = data.subtree_com[0]
            data.subtree_momentum()
            run.momentum[index] = data.subtree_angmom[0]

        record(model, data, Trajectory.allocate(model, count), on_sample=record_sample)
        return run

    def parabola(self) -> Array:
        """Where the centre of mass should be, by the start, the end and gravity alone."""
        t = self.time[:, None]
        end = self.time[-1]
        fall = 0.5 * np.asarray(self.model.opt.gravity)
        speed = (self.com[-1] - self.com[0]) / end - fall * end
        path: Array = self.com[0] + speed * t + fall * t**2
        return path

    def conserved(self) -> dict[str, float]:
        return {
            "centre of mass path [m]": float(np.abs(self.com - self.parabola()).max()),
            "angular momentum, relative": _relative_drift(self.momentum),
        }
