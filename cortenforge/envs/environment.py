"""Tasks: what an agent does, sees and is rewarded for, for all worlds of a batch at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.envs.draws import Draws
from cortenforge.envs.worlds import TaskWorlds
from cortenforge.model import Model


class Task:
    """What tasks have in common, whether they are written with arrays or with kernels."""

    #: name in errors and logs; that of the class by default
    name: ClassVar[str] = ""
    #: steps of physics for one action
    frame_skip: int = 1
    #: length of an episode, after which it is truncated
    max_episode_steps: int | None = None
    #: derived fields that the task reads, as for `BatchSim.bind`
    fields: ClassVar[tuple[str, ...]] = ()
    #: what `render` looks through by default: a camera of the model, or a Camera
    camera: Any = None

    def load(self) -> Model:
        """The model."""
        raise NotImplementedError(f"{type(self).__name__}.load: return the task's Model")

    def action_range(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the largest actions; by default the range of the controls."""
        low, high = self.model.actuator_ctrlrange.T
        limited = self.model.actuator_ctrllimited.astype(bool)
        return np.where(limited, low, -np.inf), np.where(limited, high, np.inf)

    def randomize(self, batch: BatchSim, seed: int) -> None:
        """Called when the worlds are made: let their models differ, by `batch.randomize`."""

    @cached_property
    def model(self) -> Model:
        """The model that `load` gave."""
        return self.load()

    @property
    def dt(self) -> float:
        """Time between two actions."""
        return float(self.model.opt.timestep) * self.frame_skip

    @property
    def title(self) -> str:
        """Name in errors and logs."""
        return self.name or type(self).__name__


class Environment(Task):
    """A task for many worlds of one model, written with arrays whose first axis is the world.

    Only `load` and `observe` are needed; everything else has a default. Functions get the worlds
    `w` that they are asked about, all or some: `w.qpos` is `(k, nq)`, and assigning to it writes
    it. Read and assign whole arrays, `w.qpos = start`; one element of one world is not assigned.

    >>> class Cheetah(Environment):
    ...     frame_skip = 5
    ...     state = {"x": ()}
    ...
    ...     def load(self):
    ...         return cf.Model.from_mjcf("half_cheetah.xml")
    ...
    ...     def before(self, w):
    ...         w.x = w.qpos[:, 0]
    ...
    ...     def observe(self, w):
    ...         return {"position": w.qpos[:, 1:], "velocity": w.qvel}
    ...
    ...     def reward(self, w):
    ...         return {"forward": (w.qpos[:, 0] - w.x) / self.dt}
    """

    #: fields of the model that differ between worlds, as for `BatchSim.expand`
    expand: ClassVar[tuple[str, ...]] = ()
    #: arrays that the task keeps for each world, by name, with the shape for one world
    state: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    #: "generators": one of NumPy for each world, as Gymnasium's environments have; "counters":
    #: numbers that are functions of seed, world, episode and draw, as kernels have them
    randomness: str = "generators"
    #: whether derived fields of positions and velocities are those of the end of a step, as
    #: dm_control has them, and not of its last evaluation, as `Data.step` leaves them
    settled: bool = False
    #: whether the first state of an episode is evaluated without actuators, as dm_control does
    begins_unactuated: bool = False

    def observe(self, w: TaskWorlds) -> Mapping[str, np.ndarray]:
        """What the agent sees: named columns `(k, ...)`, which are flattened side by side."""
        raise NotImplementedError(f"{type(self).__name__}.observe: return named arrays (k, ...)")

    def before(self, w: TaskWorlds) -> None:
        """Called before each step: remember what rewards need, in fields of `state`."""

    def act(self, w: TaskWorlds) -> None:
        """Turn actions into controls."""
        w.ctrl = w.action

    def after(self, w: TaskWorlds) -> None:
        """Called after each step, before it is rewarded: update fields of `state`."""

    def reward(self, w: TaskWorlds) -> Mapping[str, np.ndarray]:
        """Named terms of the reward, `(k,)` each; the reward is their sum."""
        return {}

    def terminated(self, w: TaskWorlds) -> np.ndarray:
        """Where the task has ended, `(k,)`."""
        return np.zeros(w.n, bool)

    def info(self, w: TaskWorlds, terms: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """What is logged of a step; by default the terms of the reward."""
        return dict(terms)

    def begin(self, w: TaskWorlds, draws: Draws) -> None:
        """Called where an episode begins, in the model's initial state: randomise it."""

    def acceptable(self, w: TaskWorlds) -> np.ndarray:
        """Where a first state can stay, `(k,)`; where not, `begin` is called again."""
        return np.ones(w.n, bool)

    def begun(self, w: TaskWorlds) -> None:
        """Called once derived fields of the first state are known, before it is observed."""

    def begin_info(self, w: TaskWorlds) -> dict[str, np.ndarray]:
        """What is logged where an episode begins."""
        return {}
