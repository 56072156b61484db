"""Worlds in lockstep against worlds alone: every bit of every field, wherever a world stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import cortenforge as cf
from benchmarks.contact import subjects
from benchmarks.lockstep import NAMES
from conformance.cases import Case, driven_cases, load_model, pulled_cases, smooth_cases
from cortenforge.compare import random_state
from cortenforge.enums import Integrator
from cortenforge.fields import DATA_FIELDS, bindable
from cortenforge.kernel.language.layout import LANES

__all__ = ["Lockstep", "compare_lanes", "lane_cases", "robot_cases"]

#: steps after which worlds are compared; the last of them are those that a sweep asks for
CHECKPOINTS = (1, 10, 100)
#: every fourth model is integrated by Runge-Kutta
RK4_EVERY = 4
#: every fifth world starts at rest in the reference position, and one more somewhere else
REST_EVERY = 5
#: mismatches that are described; of one broken kernel there are thousands
EXAMPLES = 20
#: all but counts of warnings: those of a step that is taken again with more room are counted again
#: in lanes, while a world alone forgets those before it
DERIVED = tuple(f.name for f in bindable(DATA_FIELDS) if not f.name.startswith("warning_"))

#: worlds of a large batch, which some models have, and of those that others have
CROWD, THOUSAND_EVERY, FEWER = 1000, 8, 100

#: everything that is known of one world: field -> numbers
World = dict[str, np.ndarray]
#: a batch: which worlds are in it, in which order, and how many threads step them
Shape = tuple[list[int], int]


@dataclass
class Lockstep:
    """What a sweep over models found."""

    title: str
    steps: int
    crowded: bool = False  # batches of up to a thousand worlds, too
    models: int = 0
    touching: int = 0  # models in which something touched
    worlds: int = 0
    failed_worlds: int = 0  # worlds whose numbers explode: they have to stop at the same step
    comparisons: int = 0  # fields of worlds that were compared
    numbers: int = 0
    integrators: dict[str, int] = field(default_factory=dict)
    mismatches: int = 0
    examples: list[str] = field(default_factory=list)  # the first mismatches, in words

    @property
    def ok(self) -> bool:
        return not self.mismatches

    def fail(self, text: str) -> None:
        """Count a mismatch."""
        self.mismatches += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(text)

    def compare(self, place: str, name: str, expected: np.ndarray, lanes: np.ndarray) -> None:
        """Hold one field of worlds, a row each, against that of the same alone, bit by bit."""
        self.comparisons += len(expected)
        self.numbers += expected.size
        # as integers, so that -0 is not 0, and nan is itself
        differs = expected.view(np.uint64) != lanes.view(np.uint64)
        for world in np.flatnonzero(differs.any(axis=1)).tolist():
            at = int(np.flatnonzero(differs[world])[0])
            values = f"{lanes[world, at].item()!r} in lanes, {expected[world, at].item()!r} alone"
            self.fail(f"{place}, place {world}: {name} number {at}: {values}")

    def expect(self, place: str, expected: object, found: object) -> None:
        """Hold what went wrong in two worlds against each other."""
        self.comparisons += 1
        if expected != found:
            self.fail(f"{place}: {found!r} in lanes, {expected!r} alone")

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"lanes": LANES, "ok": self.ok}


def lane_cases(first: int, count: int) -> Iterator[Case]:
    """Random models without contact, with actuators and tendons or without, some for RK4."""
    for seed in range(first, first + count):
        integrator = "RK4" if seed % RK4_EVERY == RK4_EVERY - 1 else "Euler"
        yield from smooth_cases(seed, 1, integrator)
        yield from driven_cases(seed, 1, integrator)
        yield from pulled_cases(seed, 1, integrator)


def robot_cases() -> list[Case]:
    """Robots whose speed in contact is measured, as far as this machine has them."""
    found = [crowd for crowd in subjects()[0] if crowd.name in NAMES]
    return [Case(crowd.name, crowd.source, i) for i, crowd in enumerate(found)]


def compare_lanes(
    cases: Iterable[Case],
    steps: int,
    title: str = "random models",
    *,
    foreign: bool = False,
    crowded: int = 0,
) -> Lockstep:
    """Step worlds of every model alone and in batches of several shapes.

    Foreign models may need what is not there yet: those are left out. Crowded: batches of up to
    a thousand worlds, too, until something has touched in so many models.
    """
    found = Lockstep(title, steps, crowded > 0)
    for case in cases:
        if crowded and found.touching >= crowded:
            break
        try:
            _compare_model(case, found)
        except (cf.MjcfError, cf.UnsupportedFeature) as error:
            if not foreign:
                found.fail(f"{case.name}: {type(error).__name__}: {error}")
        except Exception as error:
            found.fail(f"{case.name}: {type(error).__name__}: {error}")
    return found


def _compare_model(case: Case, found: Lockstep) -> None:
    model = load_model(case)
    if lacking := model.supported():
        raise cf.UnsupportedFeature(lacking)
    integrator = Integrator(model.opt.integrator).name
    found.models += 1
    found.integrators[integrator] = found.integrators.get(integrator, 0) + 1
    rng = np.random.default_rng(case.seed)
    starts = _starts(model, LANES + case.seed % (LANES + 1), rng)
    found.worlds += len(starts)
    singles = [Single(model, start) for start in starts]
    shapes = (crowded if found.crowded else few)(len(starts), rng)
    batches = [Placed(model, starts, *shape) for shape in shapes]
    done, touched = 0, False
    for stop in (*(c for c in CHECKPOINTS if c < found.steps), found.steps):
        for world in singles:
            world.step(stop - done)
        for batch in batches:
            batch.step(stop - done)
            batch.compare(f"{case.name} ({integrator}), step {stop}", singles, found)
        touched = touched or any(world.data.ncon for world in singles)
        done = stop
    found.touching += touched
    found.failed_worlds += sum(bool(world.error) for world in singles)


def _starts(model: cf.Model, count: int, rng: np.random.Generator) -> list[np.ndarray]:
    """State vectors of worlds in different states: random ones, and some without motion.

    Where a single world skips what is zero, a world at rest among moving ones must not notice.
    """
    vectors = []
    for i in range(count):
        data = model.make_data()
        if i % REST_EVERY:
            random_state(model, rng).write(data)
            data.userdata[:] = rng.normal(size=data.userdata.shape)
        if i % REST_EVERY == 1:
            data.qvel[:] = 0.0
            data.qfrc_applied[:] = 0.0
            data.xfrc_applied[:] = 0.0
        vectors.append(data.get_state().vector.copy())
    return vectors


def few(count: int, rng: np.random.Generator) -> list[Shape]:
    """Batches to try, of a few worlds."""
    everyone = list(range(count))
    shuffled = [int(i) for i in rng.permutation(count)]
    some = shuffled[: 1 + count % (LANES - 1)]
    return [(everyone, 1), ([*shuffled, *everyone], 2), (some, 1)]


def crowded(count: int, rng: np.random.Generator) -> list[Shape]:
    """The same, and many worlds in any order, so that each has all kinds of neighbours."""
    most = CROWD if rng.integers(THOUSAND_EVERY) == 0 else FEWER
    sizes = (1 + int(rng.integers(FEWER)), most)
    drawn = [rng.integers(count, size=n).tolist() for n in sizes]
    return [*few(count, rng), (drawn[0], 1), (drawn[1], 2)]


# ---------------------------------------------------------------------- worlds


class Single:
    """A world by itself."""

    def __init__(self, model: cf.Model, start: np.ndarray) -> None:
        self.data = model.make_data()
        self.data.set_state(start)
        self.error: tuple[str, str, int] | None = None

    def step(self, count: int) -> None:
        try:
            self.data.step(count)
        except cf.StepError as error:
            self.error = _described(error)
        self.fields = self._read()

    def _read(self) -> World:
        state = {"state": self.data.get_state().vector}
        if self.error:
            return state
        # what no step works out, and batches do behind their last one
        self.data.interaction_forces()
        self.data.subtree_momentum()
        return state | {name: _flat(getattr(self.data, name)) for name in DERIVED}


class Placed:
    """Some of the worlds in one batch."""

    def __init__(
        self, model: cf.Model, starts: Sequence[np.ndarray], worlds: list[int], threads: int
    ) -> None:
        self.worlds = worlds
        self.batch = cf.BatchSim(model, len(worlds), threads=threads)
        self.batch.bind(*DERIVED)
        self.batch.set_states(np.array([starts[world] for world in worlds]))
        self.name = f"{len(worlds)} worlds on {threads} thread{'s' * (threads > 1)}"

    def step(self, count: int) -> None:
        self.errors = [error and _described(error) for error in self.batch.step_all(count)]
        self.states = self.batch.get_states()

    def compare(self, place: str, singles: Sequence[Single], found: Lockstep) -> None:
        here = f"{place}, {self.name}"
        for i, world in enumerate(self.worlds):
            found.expect(f"{here}, place {i}", singles[world].error, self.errors[i])
        states = np.array([single.fields["state"] for single in singles])
        found.compare(here, "state", states[self.worlds], self.states)
        # a world that has failed has no derived fields to speak of
        well = [i for i, world in enumerate(self.worlds) if not singles[world].error]
        if well:
            numbers = [self.worlds[i] for i in well]
            for name in DERIVED:
                alone = {world: singles[world].fields[name] for world in set(numbers)}
                expected = np.array([alone[world] for world in numbers])
                lanes = np.ascontiguousarray(getattr(self.batch, name)[well], np.float64)
                found.compare(here, name, expected, lanes.reshape(expected.shape))


def _flat(array: Any) -> np.ndarray:
    return np.ascontiguousarray(array, np.float64).reshape(-1)


def _described(error: cf.StepError) -> tuple[str, str, int]:
    # alone, an error explains itself on further lines
    return type(error).__name__, str(error).splitlines()[0], error.steps_done
