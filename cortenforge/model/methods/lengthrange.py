"""Length ranges of actuators: given, from limits, or by simulation.  Mirrors mj_setLengthRange.

A world is pushed along the moment arms J of an actuator in both directions until its length
settles, with damping that decays velocities:

    qfrc_applied = s J',   s so that |M^-1 qfrc_applied| = accel and |qfrc_applied| <= maxforce
    qvel *= exp(-timestep / timeconst)                      after each step

The range is from the shortest to the longest length in the last `interval` seconds. Actuators are
simulated one by one, by as many threads as there are cores; the result does not depend on it.
See MuJoCo: XML reference, "compiler/lengthrange".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import Bias, Disable, Gain, Transmission
from cortenforge.errors import ArgumentError, ModelError, StepError, UnsupportedFeature
from cortenforge.kernel.load.cores import usable_cores
from cortenforge.math.ldl import CLAMPED_INVERSE
from cortenforge.model.access.views import object_id
from cortenforge.model.calls.progress_bar import DelayedProgressBar
from cortenforge.step import run

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

Range = tuple[float, float]

#: flags that the compiler disables for the simulation
DISABLED_FLAGS = (
    Disable.FRICTIONLOSS
    | Disable.CONTACT
    | Disable.SPRING
    | Disable.DAMPER
    | Disable.GRAVITY
    | Disable.ACTUATION
)
#: gain and bias types that a mode covers
MODE_TYPES = {
    "none": frozenset[str](),
    "muscle": frozenset({"MUSCLE"}),
    "muscleuser": frozenset({"MUSCLE", "USER"}),
    "all": frozenset({*Gain.__members__, *Bias.__members__}),
}
JOINT_TRANSMISSIONS = (Transmission.JOINT, Transmission.JOINTINPARENT)
MIN_TIMECONST = 0.01
#: steps of a slice, after which progress is shown
SLICE_STEPS = 64
#: MuJoCo would need days for more
MAX_RANGE_STEPS = 1e9


@dataclass(frozen=True)
class LengthRangeOptions:
    """How length ranges are computed: MuJoCo's mjLROpt, `compiler/lengthrange` in MJCF.

    mode:        which actuators: "none", "muscle", "muscleuser" or "all".
    useexisting: keep ranges that are given.
    uselimit:    use the limits of the joint or tendon, if it has any.
    accel:       norm of the acceleration by the applied force.
    maxforce:    largest norm of the applied force; 0 for any.
    timeconst:   velocities decay with this time constant, in seconds, 0.01 at least.
    timestep:    of the simulation; 0 for the model's.
    inttotal:    duration, in seconds.
    interval:    the last part of it, in which lengths are recorded, in seconds.
    tolrange:    largest change of the length in this interval, as a share of the range.
    """

    mode: str = "muscle"
    useexisting: bool = True
    uselimit: bool = False
    accel: float = 20.0
    maxforce: float = 0.0
    timeconst: float = 1.0
    timestep: float = 0.01
    inttotal: float = 10.0
    interval: float = 2.0
    tolrange: float = 0.05

    def __post_init__(self) -> None:
        if self.mode not in MODE_TYPES:
            raise ArgumentError(f"mode: expected one of {', '.join(MODE_TYPES)}, got {self.mode!r}")


class NoRangeError(ModelError):
    """The simulation of the length range of an actuator failed."""

    def __init__(self, name: str, actuator: int, why: str) -> None:
        super().__init__(f"actuator {name or actuator}: the simulation of its length range {why}")
        self.actuator, self.why = actuator, why


def set_length_range(
    model: Model, actuator: str | int | None, options: LengthRangeOptions, *, everything: bool
) -> None:
    """Set ranges of one or all actuators of a model; nothing is changed if one fails."""
    asked = range(model.nactuator)
    if actuator is not None:
        number = object_id(model, "actuator", actuator)
        asked = range(number, number + 1)
    arrays = model._store.arrays
    found, unknown = ranges_without_simulation(arrays, asked, options)
    if unknown:
        with _temporary_options(
            model, simulation_options(model.opt, options, everything=everything)
        ):
            found |= simulated_ranges(model, unknown, options, in_place=everything)
    for number, ends in found.items():
        model.actuator_lengthrange[model.actuator_outadr[number]] = ends


def ranges_without_simulation(
    arrays: Mapping[str, np.ndarray], actuators: Iterable[int], options: LengthRangeOptions
) -> tuple[dict[int, Range], list[int]]:
    """(ranges from limits, by actuator; actuators that need a simulation)."""
    found, unknown = {}, []
    for i in actuators:
        low, high = arrays["actuator_lengthrange"][arrays["actuator_outadr"][i]]
        if not _mode_covers(options.mode, arrays, i) or (options.useexisting and low < high):
            continue
        limits = _target_limits(arrays, i) if options.uselimit else None
        if limits is None:
            unknown.append(i)
        else:
            found[i] = limits
    return found, unknown


def _mode_covers(mode: str, arrays: Mapping[str, np.ndarray], i: int) -> bool:
    """Whether a mode covers the type of an actuator."""
    gain, bias = Gain(arrays["actuator_gaintype"][i]), Bias(arrays["actuator_biastype"][i])
    return not MODE_TYPES[mode].isdisjoint((gain.name, bias.name))


def _target_limits(arrays: Mapping[str, np.ndarray], i: int) -> Range | None:
    """The limits of the joint or tendon that an actuator acts on, if it has any."""
    target, kind = int(arrays["actuator_trnid"][i, 0]), int(arrays["actuator_trntype"][i])
    if kind not in (*JOINT_TRANSMISSIONS, Transmission.TENDON):
        return None
    prefix = "jnt" if kind in JOINT_TRANSMISSIONS else "tendon"
    if not arrays[f"{prefix}_limited"][target]:
        return None
    low, high = arrays[f"{prefix}_range"][target].tolist()
    return low, high


def simulation_options(
    opt: Any, options: LengthRangeOptions, *, everything: bool
) -> dict[str, Any]:
    """Options that change for the simulation, from those of the model.

    everything: keep the model's flags, so that all forces act; sensors are always disabled.
    """
    flags = int(opt.disableflags) if everything else int(DISABLED_FLAGS)
    changed: dict[str, Any] = {"disableflags": flags | int(Disable.SENSOR)}
    if not everything:
        changed["enableflags"] = 0
    if options.timestep > 0:
        changed["timestep"] = options.timestep
    return changed


@contextmanager
def _temporary_options(model: Model, changed: Mapping[str, Any]) -> Iterator[None]:
    before = {name: getattr(model.opt, name) for name in changed}
    try:
        for name, value in changed.items():
            setattr(model.opt, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(model.opt, name, value)


def simulated_ranges(
    model: Model, actuators: list[int], options: LengthRangeOptions, *, in_place: bool = False
) -> dict[int, Range]:
    """Length ranges by simulation, with the options that the model has now.

    in_place: set the first end in the model while the second is searched, since the force of a
    muscle follows from it; actuators are then searched one by one.

    Raises NoRangeError for the first actuator that fails, and UnsupportedFeature if the model
    cannot be stepped.
    """
    steps = options.inttotal / float(model.opt.timestep)
    if not steps <= MAX_RANGE_STEPS:
        name = model.name_of("actuator", actuators[0])
        raise NoRangeError(name, actuators[0], f"would take {steps:g} steps in each direction")
    missing = model.supported()
    if missing:
        raise UnsupportedFeature(missing)
    with DelayedProgressBar("Length ranges", 2 * steps * len(actuators)) as bar:
        return _RangeSearch(model, options, bar, in_place=in_place).all_ends(actuators)


class _RangeSearch:
    """Simulation of the ranges of some actuators, by threads with a world each."""

    def __init__(
        self,
        model: Model,
        options: LengthRangeOptions,
        bar: DelayedProgressBar,
        *,
        in_place: bool,
    ) -> None:
        self.model, self.options, self.bar, self.in_place = model, options, bar, in_place
        self._worlds: SimpleQueue[Data] = SimpleQueue()
        self._stopped = Event()

    def all_ends(self, actuators: list[int]) -> dict[int, Range]:
        """Ranges by actuator."""
        workers = 1 if self.in_place else min(len(actuators), usable_cores())
        worlds = [self.model.make_data() for _ in range(workers)]
        # compiled once, before there are threads
        worlds[0]._function(run.run_range)
        for world in worlds:
            self._worlds.put(world)
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(workers) as pool:
            try:
                return dict(zip(actuators, pool.map(self._ends, actuators), strict=True))
            finally:
                # an error, or an interrupt: the others need not go on
                self._stopped.set()

    def _ends(self, actuator: int) -> Range:
        """The range of one actuator; raises if the length does not settle."""
        with self.model._gate.helping():
            return self._ends_of(actuator)

    def _ends_of(self, actuator: int) -> Range:
        world = self._worlds.get()
        own = self.model.actuator_lengthrange[self.model.actuator_outadr[actuator]]
        before = own[0]
        try:
            left = self._side(world, actuator, -1.0)
            if self.in_place:
                own[0] = left[0]
            right = self._side(world, actuator, 1.0)
            sides, low, high = (left, right), left[0], right[1]
            if not low < high:
                raise self._failed(world, actuator, f"gives no range: from {low:g} to {high:g}")
            for shortest, longest in sides:
                if longest - shortest > self.options.tolrange * (high - low):
                    raise self._failed(
                        world,
                        actuator,
                        f"did not settle: it still moves from {shortest:g} to {longest:g}, and the "
                        f"range is from {low:g} to {high:g}",
                    )
            return low, high
        finally:
            if self.in_place:
                own[0] = before
            self._worlds.put(world)

    def _side(self, world: Data, actuator: int, sign: float) -> Range:
        """Shortest and longest recorded length when pushed in one direction (sign)."""
        options = self.options
        world.reset()
        world._store.assign("range_output", self.model.actuator_outadr[actuator])
        world.range_accel = sign * options.accel
        world.range_maxforce = options.maxforce
        decay = float(self.model.opt.timestep) / max(MIN_TIMECONST, options.timeconst)
        world.range_slowing = math.exp(-decay)
        world.range_end = options.inttotal
        world.range_start = options.inttotal - options.interval
        try:
            while world.time < options.inttotal and not self._stopped.is_set():
                self.bar.advance(world._run_slice(run.run_range, SLICE_STEPS))
        except StepError as error:
            why = f"diverged: {str(error).splitlines()[0]}"
            raise self._failed(world, actuator, why) from error
        return world.range_low, world.range_high

    def _failed(self, world: Data, actuator: int, why: str) -> NoRangeError:
        if np.any(world.qLDiagInv > CLAMPED_INVERSE):
            why += "; the inertia matrix is singular"
        return NoRangeError(self.model.name_of("actuator", actuator), actuator, why)
