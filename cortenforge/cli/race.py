"""Speed of a model against MuJoCo's: both engines take turns in one process, from equal starts.

    ratio = median over turns of MuJoCo's time / our time

so that above 1 means faster. Times are those of the processor, whatever else the machine does, and
the engine that begins a turn changes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import Integrator
from cortenforge.errors import CortenForgeError

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: values of fields at the start of a turn
Start = dict[str, np.ndarray]
#: resets an engine to a start, steps it so many times, and returns the seconds that steps took
Turn = Callable[[Start, int], float]

#: fields of a start that the caller gives, beside positions and velocities
START_FIELDS = ("act", "ctrl", "mocap_pos", "mocap_quat")
#: seconds of a turn: long against the resolution of the clock and the cost of a call
TURN_SECONDS = 0.02
#: turns, at least
MIN_TURNS = 3


@dataclass(frozen=True)
class Race:
    """Times of turns.

    steps:          steps of a turn.
    our_seconds:    seconds a step in each turn;  their_seconds: MuJoCo's, empty without it.
    mujoco_version: None without MuJoCo;  alone: why it did not take part.
    """

    steps: int
    our_seconds: np.ndarray
    their_seconds: np.ndarray
    mujoco_version: str | None = None
    alone: str = ""

    @property
    def turns(self) -> int:
        """Number of turns."""
        return len(self.our_seconds)

    @property
    def ours(self) -> float:
        """Our seconds a step, the median."""
        return float(np.median(self.our_seconds))

    @property
    def theirs(self) -> float | None:
        """MuJoCo's seconds a step, the median."""
        return float(np.median(self.their_seconds)) if len(self.their_seconds) else None

    @property
    def ratio(self) -> float | None:
        """How many times MuJoCo's speed ours is: the median over turns."""
        if not len(self.their_seconds):
            return None
        return float(np.median(self.their_seconds / self.our_seconds))


def race(path: Path, model: Model, *, seconds: float = 1.0, start: Data | None = None) -> Race:
    """Step the model for about `seconds` with each engine.

    Without a start, both begin at the first keyframe, or at rest, without controls.
    """
    starts, turns = [_start(model, start)], max(MIN_TURNS, round(seconds / TURN_SECONDS))
    ours = our_turn(model)
    steps = steps_of_turn(ours, starts[0])
    try:
        mujoco, reference = reference_of(path, model)
    except CortenForgeError as error:
        return Race(steps, *time_turns([ours], starts, steps, turns), alone=first_line(error))
    engines = [ours, their_turn(mujoco, reference)]
    return Race(steps, *time_turns(engines, starts, steps, turns), mujoco.__version__)


def reference_of(path: Path, model: Model) -> tuple[Any, Any]:
    """MuJoCo's module and its model of a file, with options that may have been changed since.

    Raises CortenForgeError where it is not installed or does not take the model.
    """
    from cortenforge.compare.oracle import load_reference, mujoco_module

    mujoco = mujoco_module()
    if int(model.opt.integrator) == Integrator.IMPLICITSPRINGDAMPER:
        raise CortenForgeError("MuJoCo has no integrator like implicitspringdamper")
    reference = load_reference(path)
    reference.opt.integrator = int(model.opt.integrator)
    reference.opt.enableflags = int(model.opt.enableflags)
    reference.opt.timestep = float(model.opt.timestep)
    return mujoco, reference


def first_line(error: Exception) -> str:
    """First line of an error's message."""
    return str(error).partition("\n")[0]


def _start(model: Model, given: Data | None) -> Start:
    """The given state, the first keyframe, or rest; with small random velocities."""
    data = model.make_data() if given is None else given
    if model.nkey and given is None:
        data.reset_to_keyframe(0)
    names = ("qpos", "qvel") if given is None else ("qpos", "qvel", *START_FIELDS)
    start = {name: getattr(data, name).copy() for name in names}
    start["qvel"] += np.random.default_rng(1).normal(scale=0.1, size=model.nv)
    return start


def our_turn(model: Model) -> Turn:
    """Turns of this engine."""
    data = model.make_data()
    return _turn(data, data.reset, data.step)


def their_turn(mujoco: Any, reference: Any) -> Turn:
    """Turns of MuJoCo."""
    data = mujoco.MjData(reference)
    return _turn(
        data,
        lambda: mujoco.mj_resetData(reference, data),
        lambda steps: mujoco.mj_step(reference, data, steps),
    )


def _turn(data: Any, reset: Callable[[], object], step: Callable[[int], object]) -> Turn:
    def turn(start: Start, steps: int) -> float:
        reset()
        # fields have the same names in both engines
        for name, values in start.items():
            getattr(data, name)[:] = values
        begin = time.process_time()
        step(steps)
        return time.process_time() - begin

    return turn


def steps_of_turn(turn: Turn, start: Start) -> int:
    """Steps of a turn of `TURN_SECONDS`."""
    turn(start, 1)  # compiles
    steps = 10
    while (elapsed := turn(start, steps)) < TURN_SECONDS / 4:
        steps *= 2
    return max(1, round(steps * TURN_SECONDS / elapsed))


def time_turns(
    engines: Sequence[Turn], starts: Sequence[Start], steps: int, turns: int
) -> tuple[np.ndarray, np.ndarray]:
    """Seconds a step of the first engine and of the second in each turn, from starts in order."""

    def timed(engine: Turn) -> Callable[[int], float]:
        return lambda turn: engine(starts[turn % len(starts)], steps) / steps

    return take_turns([timed(engine) for engine in engines], turns)


def take_turns(
    engines: Sequence[Callable[[int], float]], turns: int
) -> tuple[np.ndarray, np.ndarray]:
    """Call one or two engines by turns, with the number of the turn, after an untimed first turn.

    Returns what the first and what the second returned; none for an engine that is missing.
    """
    times = np.empty((turns, len(engines)))
    for engine in engines:
        engine(0)
    for turn in range(turns):
        # the one that begins changes, so that neither always finds the warmer machine
        for place in range(len(engines)):
            k = (turn + place) % len(engines)
            times[turn, k] = engines[k](turn)
    return times[:, 0], times[:, 1:].reshape(-1)
