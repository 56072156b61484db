"""What is played: one world, or all worlds of a batch, of which one is in hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.errors import ArgumentError, StepError
from cortenforge.viewer.hand import Hand

if TYPE_CHECKING:
    from cortenforge.batch import BatchSim
    from cortenforge.model import Data, Model

#: numbers of the model that meshes are made of, and that worlds may have for themselves
DRAWN = ("geom_size", "geom_pos", "geom_quat", "site_size", "site_pos", "site_quat")

Poses = tuple[np.ndarray, np.ndarray]


class One:
    """A world by itself. `shown` is what is drawn, `inputs` what takes controls and forces."""

    n = 1
    selected = 0

    def __init__(self, data: Data) -> None:
        self.model: Model = data.model
        self.shown = self.inputs = data

    @property
    def time(self) -> float:
        """Of the world in hand."""
        return float(self.inputs.time)

    @property
    def controls(self) -> np.ndarray:
        """Controls `(n, nu)` of all worlds."""
        return self.inputs.ctrl[None]

    def select(self, world: int) -> None:
        """There is one only."""
        if world != 0:
            raise ArgumentError(f"world: there is no world {world}")

    def step(self, count: int) -> None:
        """Go on. Raises what goes wrong."""
        self.shown.step(count)

    def hold(self, hand: Hand) -> None:
        """Let a hand pull before a step."""
        hand.place(self.shown, paused=False)
        hand.push(self.shown)

    def work_out(self) -> None:
        """Derived fields for a state that somebody changed."""
        self.shown.forward()

    def look(self) -> None:
        """Bring what is shown up to date; it is."""

    def poses(self) -> Poses:
        """Positions `(n, nbody, 3)` and orientations `(n, nbody, 4)` of all bodies."""
        return self.shown.xpos[None], self.shown.xquat[None]

    def state(self) -> np.ndarray:
        """Everything that the future depends on."""
        return self.shown.get_state().vector

    def restore(self, state: np.ndarray) -> None:
        """Go back to a state."""
        self.shown.set_state(state)
        self.work_out()

    def reset(self, keyframe: int | None = None) -> None:
        """Begin again, or at a keyframe."""
        if keyframe is None:
            self.shown.reset()
        else:
            self.shown.reset_to_keyframe(keyframe)
        self.work_out()


class Crowd:
    """All worlds of a batch. What is drawn of the one in hand is worked out in a twin of it."""

    def __init__(self, batch: BatchSim) -> None:
        if batch.n < 1:
            raise ArgumentError("batch: there is no world in it to look at")
        for name in set(DRAWN) & set(batch.parameters):
            raise ArgumentError(f"worlds have their own {name}, which the viewer cannot show yet")
        self.model: Model = batch.model
        self.batch, self.n = batch, batch.n
        batch.bind("xpos", "xquat")
        batch.forward_all()
        self._poses = np.array(batch.xpos), np.array(batch.xquat)
        self.select(0)

    @property
    def time(self) -> float:
        """Of the world in hand."""
        return float(self.inputs.time)

    @property
    def controls(self) -> np.ndarray:
        """Controls `(n, nu)` of all worlds."""
        return np.asarray(self.batch.ctrl)

    def select(self, world: int) -> None:
        """Take a world in hand."""
        self.selected = int(world)
        self.inputs = self.batch.env(self.selected)
        self.shown = self.inputs.copy()
        self.look()

    def step(self, count: int) -> None:
        """Go on. Raises what goes wrong in the first world that fails, and takes it in hand."""
        errors = self.batch.step_all(count)
        failed = [i for i, error in enumerate(errors) if error is not None]
        if failed:
            self.selected = failed[0]
            self.inputs = self.batch.env(self.selected)
            self.shown = self.inputs.copy()
            raise errors[failed[0]] or StepError("a world failed")

    def hold(self, hand: Hand) -> None:
        """Let a hand pull at the world in hand before a step."""
        self.look()
        if hand.place(self.shown, paused=False):
            self.inputs.mocap_pos[:] = self.shown.mocap_pos
            self.inputs.mocap_quat[:] = self.shown.mocap_quat
        hand.push(self.shown)
        self.inputs.xfrc_applied[hand.body] = self.shown.xfrc_applied[hand.body]

    def work_out(self) -> None:
        """Derived fields for states that somebody changed."""
        self.batch.forward_all()
        self.look()

    def look(self) -> None:
        """Bring the twin of the world in hand up to date."""
        self.shown.set_state(self.inputs.get_state())
        self.shown.forward()

    def poses(self) -> Poses:
        """Positions and orientations of all bodies; a world that failed stays where it was."""
        for kept, new in zip(self._poses, (self.batch.xpos, self.batch.xquat), strict=True):
            fine = np.isfinite(new).all((1, 2)) & new.any((1, 2))
            kept[fine] = new[fine]
        return self._poses

    def state(self) -> np.ndarray:
        """Everything that the future of all worlds depends on."""
        return self.batch.get_states()

    def restore(self, state: np.ndarray) -> None:
        """Go back to states of all worlds."""
        self.batch.set_states(state)
        self.work_out()

    def reset(self, keyframe: int | None = None) -> None:
        """Begin again in all worlds, or at a keyframe."""
        if keyframe is None:
            self.batch.reset_all()
        else:
            start = self.model.make_data()
            start.reset_to_keyframe(keyframe)
            self.batch.reset_where(np.ones(self.n, bool), start.get_state())
        self.work_out()


World = One | Crowd
