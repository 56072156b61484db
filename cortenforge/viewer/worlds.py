"""The worlds of a session: a single one, or all of a batch, of which one is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.errors import ArgumentError, StepError
from cortenforge.viewer.perturbation import Perturbation

if TYPE_CHECKING:
    from cortenforge.batch import BatchSim
    from cortenforge.model import Data, Model

#: fields of the model that meshes depend on, and that may differ between worlds
MESH_FIELDS_OF_WORLDS = ("geom_size", "geom_pos", "geom_quat", "site_size", "site_pos", "site_quat")

BodyPoses = tuple[np.ndarray, np.ndarray]


class SingleWorld:
    """A single world.  shown: the Data that is drawn.  inputs: the Data that takes inputs."""

    n = 1
    selected = 0

    def __init__(self, data: Data) -> None:
        self.model: Model = data.model
        self.shown = self.inputs = data

    @property
    def time(self) -> float:
        """Time of the selected world."""
        return float(self.inputs.time)

    @property
    def controls(self) -> np.ndarray:
        """Controls `(n, nu)` of all worlds."""
        return self.inputs.ctrl[None]

    def select(self, world: int) -> None:
        """Select world 0, the only one."""
        if world != 0:
            raise ArgumentError(f"world: expected 0, the only one, got {world}")

    def step(self, count: int) -> None:
        """Take steps.  Raises the error of a step that fails."""
        self.shown.step(count)

    def apply_perturbation(self, perturbation: Perturbation) -> None:
        """Apply a perturbation before a step."""
        perturbation.apply_pose(self.shown, paused=False)
        perturbation.apply_force(self.shown)

    def forward(self) -> None:
        """Compute derived fields of a changed state."""
        self.shown.forward()

    def update_shown(self) -> None:
        """Update `shown`, which always is."""

    def poses(self) -> BodyPoses:
        """Positions `(n, nbody, 3)` and orientations `(n, nbody, 4)` of all bodies."""
        return self.shown.xpos[None], self.shown.xquat[None]

    def state(self) -> np.ndarray:
        """The full state."""
        return self.shown.get_state().vector

    def restore(self, state: np.ndarray) -> None:
        """Set a state."""
        self.shown.set_state(state)
        self.forward()

    def reset(self, keyframe: int | None = None) -> None:
        """Reset, or to a keyframe."""
        if keyframe is None:
            self.shown.reset()
        else:
            self.shown.reset_to_keyframe(keyframe)
        self.forward()


class BatchWorlds:
    """All worlds of a batch; the selected one is copied and evaluated for drawing."""

    def __init__(self, batch: BatchSim) -> None:
        if batch.n < 1:
            raise ArgumentError("batch: no world in it; it needs at least one")
        for name in set(MESH_FIELDS_OF_WORLDS) & set(batch.parameters):
            raise ArgumentError(f"worlds have their own {name}: the viewer does not support it yet")
        self.model: Model = batch.model
        self.batch, self.n = batch, batch.n
        batch.bind("xpos", "xquat")
        batch.forward_all()
        self._poses = np.array(batch.xpos), np.array(batch.xquat)
        self.select(0)

    @property
    def time(self) -> float:
        """Time of the selected world."""
        return float(self.inputs.time)

    @property
    def controls(self) -> np.ndarray:
        """Controls `(n, nu)` of all worlds."""
        return np.asarray(self.batch.ctrl)

    def select(self, world: int) -> None:
        """Select a world."""
        self.selected = int(world)
        self.inputs = self.batch.env(self.selected)
        self.shown = self.inputs.copy()
        self.update_shown()

    def step(self, count: int) -> None:
        """Take steps.  Raises the error of the first world that fails, and selects it."""
        errors = self.batch.step_all(count)
        failed = [i for i, error in enumerate(errors) if error is not None]
        if failed:
            self.selected = failed[0]
            self.inputs = self.batch.env(self.selected)
            self.shown = self.inputs.copy()
            raise errors[failed[0]] or StepError("a world failed")

    def apply_perturbation(self, perturbation: Perturbation) -> None:
        """Apply a perturbation to the selected world before a step."""
        self.update_shown()
        if perturbation.apply_pose(self.shown, paused=False):
            self.inputs.mocap_pos[:] = self.shown.mocap_pos
            self.inputs.mocap_quat[:] = self.shown.mocap_quat
        perturbation.apply_force(self.shown)
        self.inputs.xfrc_applied[perturbation.body] = self.shown.xfrc_applied[perturbation.body]

    def forward(self) -> None:
        """Compute derived fields of changed states."""
        self.batch.forward_all()
        self.update_shown()

    def update_shown(self) -> None:
        """Copy the selected world to `shown`, and evaluate it."""
        self.shown.set_state(self.inputs.get_state())
        self.shown.forward()

    def poses(self) -> BodyPoses:
        """Poses of all bodies; a world with non-finite poses keeps its last ones."""
        for kept, new in zip(self._poses, (self.batch.xpos, self.batch.xquat), strict=True):
            fine = np.isfinite(new).all((1, 2)) & new.any((1, 2))
            kept[fine] = new[fine]
        return self._poses

    def state(self) -> np.ndarray:
        """The full states of all worlds."""
        return self.batch.get_states()

    def restore(self, state: np.ndarray) -> None:
        """Set the states of all worlds."""
        self.batch.set_states(state)
        self.forward()

    def reset(self, keyframe: int | None = None) -> None:
        """Reset all worlds, or to a keyframe."""
        if keyframe is None:
            self.batch.reset_all()
        else:
            start = self.model.make_data()
            start.reset_to_keyframe(keyframe)
            self.batch.reset_where(np.ones(self.n, bool), start.get_state())
        self.forward()


ShownWorlds = SingleWorld | BatchWorlds
