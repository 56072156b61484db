"""A session: play, pause, perturb and rewind worlds. It is independent of browsers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import JointType
from cortenforge.errors import ArgumentError, CortenForgeError, ThreadError
from cortenforge.viewer.clock import Clock
from cortenforge.viewer.control_noise import ControlNoise
from cortenforge.viewer.perturbation import Perturbation
from cortenforge.viewer.state_history import StateHistory
from cortenforge.viewer.time_series import SeriesRecorder
from cortenforge.viewer.worlds import ShownWorlds

if TYPE_CHECKING:
    from cortenforge.model import Data

#: called before each step: sets controls, and may return numbers to plot
Control = Callable[["Data"], "float | Mapping[str, float] | None"]
#: seconds that steps may take in a frame
FRAME_BUDGET = 1.0 / 60.0
#: queued actions, at most; further ones are dropped
MAX_REQUESTS = 10_000


class Session:
    """Worlds with a clock, a perturbation and a history.

    Everything happens in `pump`, called by one thread; others queue actions with `queue_action`.
    """

    def __init__(
        self,
        world: ShownWorlds,
        *,
        speed: float = 1.0,
        control: Control | None = None,
        timer: Callable[[], float] = time.perf_counter,
        history: StateHistory | None = None,
        driven: bool = True,
    ) -> None:
        """A session of worlds.

        driven: whether the session takes the steps; if not, a program does, and asks `may_go_on`.
        """
        self.world, self.model, self.driven = world, world.model, driven
        self.clock = Clock(speed)
        self.perturbation = Perturbation(self.model)
        self.history = history or StateHistory()
        self.recorder = SeriesRecorder(self.model)
        self.control, self.noise = control, ControlNoise(self.model)
        #: message of the last error, or None
        self.problem: str | None = None
        #: steps since the start or the last reset
        self.steps = 0
        #: snapshot of the history that is shown, or None for the current state
        self.at: int | None = None
        #: incremented whenever the picture may have changed
        self.version = 0
        self._permits = 0
        self._timer = timer
        self._requests: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._pace = 0.0
        self._record_state()

    # queued actions ------------------------------------------------------------------------------

    def queue_action(self, action: Callable[[], None]) -> None:
        """Queue an action for the thread that calls `pump`."""
        if self._requests.qsize() < MAX_REQUESTS:
            self._requests.put(action)

    def pump(self) -> None:
        """Run queued actions, then take the steps that are due."""
        self.run_requests()
        if self.clock.paused and self.perturbation.active:
            self._try(self._place)
        elif self.driven and not self.clock.paused:
            self._try(self._advance)

    def run_requests(self) -> None:
        """Run queued actions; those that meet another thread at the world are queued again."""
        late: list[Callable[[], None]] = []
        while True:
            try:
                action = self._requests.get_nowait()
            except Empty:
                break
            if not self._try(action):
                late.append(action)
        for action in late:
            self.queue_action(action)

    def _try(self, action: Callable[[], None]) -> bool:
        """Run an action; an error pauses.  Returns False if another thread uses the world."""
        self.version += 1
        try:
            action()
        except ThreadError:
            return False
        except Exception as error:  # a user's callback may raise anything; the viewer goes on
            self.fail(error)
        return True

    def fail(self, error: Exception) -> None:
        """Pause, and store the message of an error with an explanation."""
        self.clock.pause()
        message = str(error)
        if not isinstance(error, CortenForgeError):
            message = f"{type(error).__name__}: {error}"
        try:
            explained = self.world.shown.explain()
        except ThreadError:
            explained = message
        self.problem = message if explained in message else f"{message}\n\n{explained}"

    # time --------------------------------------------------------------------------------

    def play(self) -> None:
        """Run from the state that is shown."""
        self._leave_history()
        self.problem = None
        self.clock.play(self._timer())

    def pause(self) -> None:
        """Pause."""
        self.clock.pause()

    def step(self, count: int = 1) -> None:
        """Pause, and take `count` steps."""
        self.clock.pause()
        self._leave_history()
        self.problem = None
        if not self.driven:
            self._permits += count
            return
        for _ in range(count):
            self._one_step()
        self._record_state()

    def reset(self, keyframe: int | None = None) -> None:
        """Reset, or to a keyframe; the history is kept."""
        self._leave_history()
        self.perturbation.release(self.world.inputs)
        self.problem = None
        self.world.reset(keyframe)
        self.steps = 0
        self.clock.restart(self._timer())
        self._record_state()

    def _advance(self) -> None:
        """Take the steps that are due, within the budget of a frame."""
        start = self._timer()
        dt = float(self.model.opt.timestep)
        owed = self.clock.due_seconds(start)
        wanted = math.inf if math.isinf(owed) else int(owed / dt + 1e-9)
        single = self.control is not None or self.perturbation.active or self.noise.active
        done = 0
        try:
            while done < wanted and self._timer() - start < FRAME_BUDGET:
                count = 1
                if single:
                    self._one_step()
                else:
                    count = int(min(wanted - done, self._chunk()))
                    self._some_steps(count)
                done += count
        finally:
            if done:
                self.clock.count_simulated(self._timer(), done * dt)
                self._record_state(sparingly=True)

    def _chunk(self) -> int:
        """Number of steps that take a fifth of a frame's budget."""
        return max(1, min(int(0.2 * FRAME_BUDGET / self._pace), 100_000)) if self._pace else 1

    def _some_steps(self, count: int) -> None:
        start = self._timer()
        self.world.step(count)
        self.steps += count
        pace = max((self._timer() - start) / count, 1e-9)
        self._pace = pace if not self._pace else 0.8 * self._pace + 0.2 * pace

    def _one_step(self) -> None:
        if self.perturbation.active:
            self.world.apply_perturbation(self.perturbation)
        if self.control is not None:
            self._record_numbers(self.control(self.world.inputs))
        if self.noise.active:
            self.noise.add(self.world.controls)
        self.world.step(1)
        self.steps += 1

    def _record_numbers(self, numbers: float | Mapping[str, float] | None) -> None:
        if numbers is not None:
            named = numbers if isinstance(numbers, Mapping) else {"reward": numbers}
            self.recorder.set_numbers(named)

    # history ----------------------------------------------------------------------------

    def moved(self, numbers: Mapping[str, float]) -> None:
        """Record the state after a program's own step, and numbers to plot."""
        before = self.history[len(self.history) - 1].time if len(self.history) else 0.0
        self.steps += 1
        self.version += 1
        self._record_numbers(numbers)
        self._record_state()
        self.clock.count_simulated(self._timer(), max(self.world.time - before, 0.0))

    def may_go_on(self) -> bool:
        """Whether the program that takes the steps may take the next one now."""
        if self.clock.paused:
            if not self._permits:
                return False
            self._permits -= 1
        elif self.clock.due_seconds(self._timer()) < 0.0:
            return False
        if self.perturbation.active:
            self.world.apply_perturbation(self.perturbation)
        return True

    def _record_state(self, *, sparingly: bool = False) -> None:
        """Add the state to the history; `sparingly` skips frames of large states."""
        newest = self.history[len(self.history) - 1].time if len(self.history) else -math.inf
        if not sparingly or self.world.time - newest >= self.history.interval:
            self.history.add(self.world.time, self.world.state(), self.steps)
        self.recorder.append_points(self.world.shown)

    def look_at(self, i: int) -> None:
        """Pause, and show a snapshot of the history."""
        if not 0 <= i < len(self.history):
            raise ArgumentError(f"history: no moment {i}; there are {len(self.history)}")
        self.clock.pause()
        self.problem = None
        self.at, self.steps = i, self.history[i].steps
        self.world.restore(self.history[i].state)

    def step_back(self, count: int = 1) -> None:
        """Pause, and show an earlier snapshot."""
        now = len(self.history) - 1 if self.at is None else self.at
        self.look_at(max(now - count, 0))

    def go_back(self, seconds: float = 1.0) -> None:
        """Pause, and return to some seconds ago; later snapshots are dropped."""
        self.look_at(self.history.before(self.world.time - seconds))
        self._leave_history()

    def _leave_history(self) -> None:
        """Make the shown snapshot the current state, and drop later ones."""
        if self.at is not None:
            self.history.drop_after(self.at)
            self.recorder.drop_after(self.history[self.at].time)
            self.at = None

    # perturbations and edits -------------------------------------------------------------

    def select(self, world: int) -> None:
        """Select another world."""
        self.perturbation.release(self.world.inputs)
        self.world.select(world)
        self.recorder.clear()

    def grab(self, world: int, body: int, point: Any, *, turning: bool = False) -> None:
        """Start a perturbation of a body at a point in the body's frame."""
        if world != self.world.selected:
            self.select(world)
        self._leave_history()
        self.world.update_shown()
        data = self.world.shown
        held = np.reshape(data.xmat[body], (3, 3)) @ np.asarray(point, float) + data.xpos[body]
        self.perturbation.grab(data, body, held, turning=turning)

    def release(self) -> None:
        """End the perturbation."""
        self.perturbation.release(self.world.inputs)

    def _place(self) -> None:
        """Apply the perturbation to poses while paused."""
        inputs, shown = self.world.inputs, self.world.shown
        if self.perturbation.apply_pose(shown, paused=True):
            for name in ("qpos", "mocap_pos", "mocap_quat"):
                getattr(inputs, name)[:] = getattr(shown, name)
            self.world.forward()

    def set_control(self, i: int, value: float) -> None:
        """Set a control of the selected world."""
        self.world.inputs.ctrl[i] = value

    def clear_controls(self) -> None:
        """Set all controls of all worlds to zero, and switch noise off."""
        self.noise.scale = 0.0
        self.world.controls[:] = 0.0

    def set_equality(self, i: int, active: bool) -> None:
        """Activate or deactivate an equality constraint of the selected world."""
        self._leave_history()
        self.world.inputs.eq_active[i] = active
        if self.clock.paused:
            self.world.forward()

    def set_joint(self, joint: int, value: float) -> None:
        """Set the position of a hinge or slide of the selected world, at zero velocity."""
        model, inputs = self.model, self.world.inputs
        if model.jnt_type[joint] not in (JointType.HINGE, JointType.SLIDE):
            raise ArgumentError(f"joint {joint}: only hinges and slides have a single position")
        self._leave_history()
        inputs.qpos[int(model.jnt_qposadr[joint])] = value
        inputs.qvel[int(model.jnt_dofadr[joint])] = 0.0
        self.world.forward()

    def check(self) -> None:
        """Raise ArgumentError if a body has a non-finite pose."""
        pos, quat = self.world.poses()
        bad = ~(np.isfinite(pos).all(2) & np.isfinite(quat).all(2))
        if bad.any():
            world, body = (int(n) for n in np.argwhere(bad)[0])
            name = self.model.name_of("body", body) or body
            where = f" of world {world}" if self.world.n > 1 else ""
            raise ArgumentError(
                f"body {name!r}{where} has a non-finite pose: pos={pos[world, body]}, "
                f"quat={quat[world, body]}"
            )
