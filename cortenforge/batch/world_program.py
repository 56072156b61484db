"""Kernels of a task: they run inside the calls of a batch, on fields of their own besides Data's.

Own fields are one more part of lane memory, behind the fields of Data: their struct is that of the
group with further words, so units of the physics are the same code with and without a program.
"""

from __future__ import annotations

import functools
import keyword
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from cortenforge.batch.assign import copy_into
from cortenforge.batch.binding import REQUESTS
from cortenforge.batch.hooks import AFTER, BEFORE, HOOKS, OBSERVE, RESET, SUBSTEP
from cortenforge.batch.program import MODEL_LANES, lane_layout
from cortenforge.errors import ArgumentError, UnknownName
from cortenforge.fields import MODEL_LAYOUT
from cortenforge.kernel.language.decorator import Kernel, body_of
from cortenforge.kernel.language.layout import LANES_OF, Entry, StructLayout
from cortenforge.kernel.language.source import parameters
from cortenforge.kernel.language.subset import check
from cortenforge.kernel.load.link import Linker
from cortenforge.model.calls.step_count import is_integer
from cortenforge.step.engine import ENGINE, Engine
from cortenforge.suggest import no_such

Shape = tuple[int, ...]
#: of which random numbers are functions, and where the next draw is: in every program
DRAW_FIELDS = ("seed", "world", "episode", "draw")
#: numbers that are drawn anew, and are not kept between calls
DRAWN_FIELDS = ("uniform", "normal")
#: what the places of kernels are called
PLACES = {BEFORE: "before", SUBSTEP: "substep", AFTER: "after", RESET: "reset", OBSERVE: "observe"}
#: numbers of a world that a program can have
MOST_NUMBERS = 10**6


class WorldProgram:
    """Kernels that a batch runs for each world, and what each world keeps for them.

    state:    fields of the worlds' own, by name, with their shapes: reals, zero at first, `d.name`
              in kernels and `batch.world_state["name"]` outside.
    before:   kernel `(m, d)` at the start of a call of steps.
    substep:  after each step of such a call.
    after:    after the last one.
    reset:    in `batch.restart_where`: the world has its initial state and is not evaluated yet.
    observe:  at the end of calls of steps, of forward evaluations and of restarts.
    requests: fields that no step computes and kernels read, such as `cfrc_ext`.
    uniforms, normals: how many random numbers are drawn before `reset`, as `d.uniform[k]` in 0 .. 1
              and `d.normal[k]`; with `step_`, before `before`.

    Kernels are lane-safe. A draw is a function of the seed (`batch.seed`), the number of the world
    in its batch, its episode and the number of the draw in the episode, and of nothing else.

    >>> @kernel(lanes=True)
    ... def reward(m, d):
    ...     d.reward = (d.qpos[0] - d.last_x) / m.opt_timestep
    ...     d.last_x = d.qpos[0]
    >>> program = cf.WorldProgram(state={"last_x": (), "reward": ()}, after=reward)
    >>> batch = cf.BatchSim(model, 256, program=program)
    >>> errors = batch.step_all()
    >>> batch.world_state["reward"]
    """

    def __init__(
        self,
        *,
        state: Mapping[str, int | Sequence[int]] | None = None,
        before: Kernel | None = None,
        substep: Kernel | None = None,
        after: Kernel | None = None,
        reset: Kernel | None = None,
        observe: Kernel | None = None,
        requests: Iterable[str] = (),
        uniforms: int = 0,
        normals: int = 0,
        step_uniforms: int = 0,
        step_normals: int = 0,
    ) -> None:
        given = {BEFORE: before, SUBSTEP: substep, AFTER: after, RESET: reset, OBSERVE: observe}
        self.state = {name: _checked_shape(name, shape) for name, shape in (state or {}).items()}
        self.counts = {
            "uniforms": uniforms,
            "normals": normals,
            "step_uniforms": step_uniforms,
            "step_normals": step_normals,
        }
        for name, count in self.counts.items():
            if not is_integer(count) or not 0 <= count <= MOST_NUMBERS:
                raise ArgumentError(f"{name}: expected a whole number, got {count!r}"[:300])
        self.requests = tuple(sorted({_request(name) for name in requests}))
        self.kernels = {hook: kernel for hook, kernel in given.items() if kernel is not None}
        _check_names(self.state)
        structs = {"m": MODEL_LAYOUT, "d": self.layout(ENGINE)}
        for hook, kernel in self.kernels.items():
            _check_kernel(PLACES[hook], kernel, structs)

    @property
    def kept(self) -> dict[str, Shape]:
        """Fields that worlds keep between calls: what draws depend on, and the program's own."""
        return {**dict.fromkeys(DRAW_FIELDS, ()), **self.state}

    @property
    def fields(self) -> dict[str, Shape]:
        """All fields of the program, with those that are drawn."""
        longest = {
            name: max(self.counts[f"{name}s"], self.counts[f"step_{name}s"])
            for name in DRAWN_FIELDS
        }
        return {**self.kept, **{name: (length,) for name, length in longest.items()}}

    @property
    def hooks(self) -> dict[int, Kernel]:
        """The program's units, by the numbers of their places."""
        return {hook: _unit(HOOKS.kernels[hook], kernel) for hook, kernel in self.kernels.items()}

    def bits(self, *hooks: int) -> int:
        """Those of some places that have a kernel, as bits.

        hooks: numbers of places.
        """
        return sum(1 << hook for hook in hooks if hook in self.kernels)

    @functools.cache  # noqa: B019 - lives as long as the program, and programs are few
    def layout(self, engine: Engine) -> StructLayout:
        """The Data of eight worlds of an `engine`, with the program's fields behind it."""
        base = lane_layout(engine)
        assert base.of_one is not None
        taken = [name for name in self.fields if name in {*base.entries, *base.of_one.entries}]
        if taken:
            raise ArgumentError(
                f"state: Data has a field {taken[0]!r} already; choose another name"
            )
        first = max(base.words, base.of_one.words)
        own = [
            Entry(name, "real", shape[1:], not shape, first + k, access=LANES_OF)
            for k, (name, shape) in enumerate(self.fields.items())
        ]
        made = StructLayout(f"{base.name}Program", [*base.entries.values(), *own], constant=False)
        made.of_one = base.of_one
        return made

    @functools.cache  # noqa: B019 - the same
    def linked(self, base: Linker, engine: Engine, expanded: bool) -> Linker:
        """A variant of a linker of the same structs that calls the program's units.

        base:     the linker of an `engine`.
        expanded: whether worlds have Model fields of their own.
        """
        linker = Linker(MODEL_LANES if expanded else MODEL_LAYOUT, self.layout(engine))
        given = {HOOKS.kernels[hook].name: linker.function(k) for hook, k in self.hooks.items()}
        return base.variant((self, expanded), {}, given)


def checked_program(program: Any) -> WorldProgram | None:
    """A program, or none."""
    if program is not None and not isinstance(program, WorldProgram):
        raise ArgumentError(f"program: expected a cf.WorldProgram, got {program!r}"[:300])
    return program


def _checked_shape(name: Any, given: Any) -> Shape:
    """A shape of a field: () or a number of numbers, or rows of some length."""
    shape = (given,) if is_integer(given) else tuple(given) if _is_sequence(given) else None
    fits = shape is not None and len(shape) <= 2 and all(is_integer(n) and n > 0 for n in shape)
    if shape is None or not fits or math.prod(shape) > MOST_NUMBERS:
        raise ArgumentError(
            f"state: {name!r}: expected a shape such as (), (3,) or (4, 3), got {given!r}"[:300]
        )
    return tuple(int(n) for n in shape)


def _is_sequence(given: Any) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str)


def _check_names(state: Mapping[str, Shape]) -> None:
    """Raise for names that kernels cannot have as attributes."""
    for name in state:
        plain = isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)
        if not plain or name.startswith("_") or name in (*DRAW_FIELDS, *DRAWN_FIELDS):
            raise ArgumentError(
                f"state: {name!r} cannot be the name of a field; {', '.join(DRAW_FIELDS)}, "
                f"{' and '.join(DRAWN_FIELDS)} are in every program"[:400]
            )


def _request(name: Any) -> int:
    if not isinstance(name, str) or name not in REQUESTS:
        raise ArgumentError(f"requests: expected some of {', '.join(REQUESTS)}, got {name!r}"[:300])
    return REQUESTS[name]


def _check_kernel(place: str, kernel: Any, structs: Mapping[str, StructLayout]) -> None:
    """Raise if a kernel cannot run in the calls of a batch."""
    if not isinstance(kernel, Kernel):
        raise ArgumentError(
            f"{place}: expected a kernel, a function with @kernel(lanes=True), got {kernel!r}"[:300]
        )
    if not kernel.lanes or kernel.entry or parameters(kernel) != ["m", "d"]:
        raise ArgumentError(
            f"{place}: expected a kernel (m, d) with @kernel(lanes=True), got {kernel.name} of "
            f"({', '.join(parameters(kernel))})"
        )
    for part in body_of(_unit(HOOKS.kernels[0], kernel)):
        check(part, structs)


def _unit(hook: Kernel, kernel: Kernel) -> Kernel:
    """A unit that runs a kernel at a place of a call."""
    text = kernel.function
    made = FunctionType(text.__code__, text.__globals__, text.__name__)
    made.__module__, made.__doc__ = text.__module__, text.__doc__
    return Kernel(made, lanes=True, unit=True, entry=False)


class WorldState(Mapping[str, np.ndarray]):
    """`(n, ...)` arrays of a program's own fields, by name; assignment copies into them."""

    def __init__(self, program: WorldProgram | None, n: int) -> None:
        kept = program.kept if program else {}
        self._arrays = {name: np.zeros((n, *shape)) for name, shape in kept.items()}
        if program:
            self._arrays["world"][:] = np.arange(n)
            self._arrays["episode"][:] = -1.0

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._arrays:
            raise UnknownName(no_such("field of the program", name, self._arrays))
        return self._arrays[name]

    def __setitem__(self, name: str, value: Any) -> None:
        copy_into(self[name], name, value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)
