"""Problems of a model: the first one is raised, or all are gathered for `validate`; warnings.

Reading and compiling work on independent things one by one. Normally the first error is raised.
While problems are gathered, an error is recorded, the thing is left out, and the work goes on with
the others. Errors that only follow from a recorded one are dropped.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from cortenforge.errors import Location, MjcfError, MjcfWarning

Result = TypeVar("Result")
#: file, line, column and tag: replicas of an element have one place
SourcePlace = tuple[str, int, int, str]
#: attributes of records that are made from another element
MADE_FROM = ("mesh", "fitted", "hfield")


class Problems:
    """Recorded errors, and the elements and names that they affect."""

    def __init__(self) -> None:
        self.errors: list[MjcfError] = []
        self.incomplete = False
        self._flawed: set[SourcePlace] = set()
        self._closed: set[SourcePlace] = set()
        self._said: set[tuple[Any, ...]] = set()
        self._doubtful: set[str] = set()

    def note(self, problem: MjcfError) -> None:
        """Record a problem, unless it follows from a recorded one."""
        place = _source_place(problem.where)
        # the same attribute of the same element, or of another replica of it
        keys = {(id(problem.where), problem.attribute), (place, problem.attribute, problem.got)}
        known = bool(keys & self._said)
        refers = problem.attribute != "name" and str(problem.got) in self._doubtful
        self._flawed.add(place)
        if problem.where.name:
            self._doubtful.add(problem.where.name)
        if not refers and place not in self._closed and not known:
            self._said |= keys
            self.errors.append(problem)

    def leave_out(self, names: Iterable[str]) -> None:
        """Record names of things that were left out, to which the model may still refer."""
        self._doubtful.update(names)

    def close(self) -> None:
        """Ignore further problems of elements that have one."""
        self._closed = set(self._flawed)

    def follows(self, problem: Exception, thing: Any) -> bool:
        """True if a problem of a thing follows from one of its parts or of its sources."""
        own = {_source_place(where) for where in _own_location(thing)}
        if isinstance(problem, MjcfError) and _source_place(problem.where) not in own:
            return False
        if not any(_source_place(where) in self._flawed for where in _part_locations(thing)):
            return False
        self._flawed |= own
        return True


_gathered: ContextVar[Problems | None] = ContextVar("gathered", default=None)


#: a warning: its category and its text
Warned = tuple[type[Warning], str]
_recorded: ContextVar[list[Warned] | None] = ContextVar("recorded", default=None)


@contextmanager
def recording_warnings() -> Iterator[list[Warned]]:
    """Context in which warnings of models are recorded, besides being given."""
    recorded: list[Warned] = []
    token = _recorded.set(recorded)
    try:
        yield recorded
    finally:
        _recorded.reset(token)


def give_warning(text: str, category: type[Warning] = MjcfWarning, *, stacklevel: int = 2) -> None:
    """Give a warning of a model that is read or compiled."""
    recorded = _recorded.get()
    if recorded is not None:
        recorded.append((category, text))
    warnings.warn(text, category, stacklevel=stacklevel + 1)


class _StopError(Exception):
    """Stops the work: recorded errors make the rest meaningless."""


@contextmanager
def gather_problems() -> Iterator[Problems]:
    """Record problems instead of raising them; the work inside may end early."""
    problems = Problems()
    token = _gathered.set(problems)
    try:
        yield problems
    except MjcfError as problem:
        problems.note(problem)
    except _StopError:
        pass
    except Exception:
        # with parts left out, the rest may not hold together any more
        if not problems.errors:
            raise
    finally:
        _gathered.reset(token)


def raise_or_gather(problem: MjcfError, *, left_out: Iterable[str] = ()) -> None:
    """Raise a problem, or record it; left_out: names of things that are left out with it."""
    problems = _gathered.get()
    if problems is None:
        raise problem
    problems.leave_out(left_out)
    problems.note(problem)


def attempt(function: Callable[..., Result], thing: Any, *rest: Any) -> Result | None:
    """function(thing, *rest); None on an error while problems are gathered."""
    try:
        return function(thing, *rest)
    except Exception as problem:
        problems = _gathered.get()
        if problems is None or isinstance(problem, _StopError):
            raise
        # what goes wrong with something that has a wrong part follows from that part
        if not problems.follows(problem, thing):
            if not isinstance(problem, MjcfError):
                raise
            problems.note(problem)
        problems.leave_out(thing.names() if hasattr(thing, "names") else ())
        return None


def each_valid(function: Callable[..., Result], things: Iterable[Any], *rest: Any) -> list[Result]:
    """Results of function for each thing, without those with recorded errors."""
    results = []
    for thing in things:
        result = attempt(function, thing, *rest)
        if result is not None:
            results.append(result)
    return results


def all_or_none(function: Callable[..., Result], things: Iterable[Any], *rest: Any) -> list[Result]:
    """Results of function for all things; if one fails, all errors are reported and it raises."""
    results, refusal = [], None
    for thing in things:
        try:
            results.append(function(thing, *rest))
        except MjcfError as problem:
            raise_or_gather(problem)
            refusal = problem
    if refusal is not None:
        raise refusal
    return results


def stop_if_problems() -> None:
    """Stop if errors were recorded: what comes next needs the whole model."""
    problems = _gathered.get()
    if problems is not None and problems.errors:
        raise _StopError


def mark_incomplete() -> None:
    """Record that a part of the description could not be read: what it defines is unknown."""
    problems = _gathered.get()
    if problems is not None:
        problems.incomplete = True


def finish_reading() -> None:
    """End of reading: stop if a part could not be read."""
    problems = _gathered.get()
    if problems is not None:
        problems.close()
        if problems.incomplete:
            raise _StopError


def _part_locations(thing: Any) -> Iterator[Location]:
    """Locations of the parts of a thing, and of the elements that it is made from."""
    for part in (thing, *getattr(thing, "geoms", ())):
        for name in MADE_FROM:
            yield from _own_location(getattr(part, name, None))
    element = getattr(thing, "element", thing)
    if hasattr(element, "walk"):
        yield from (inner.where for child in element.children for inner in child.walk())


def _own_location(thing: Any) -> Iterator[Location]:
    where = getattr(getattr(thing, "element", thing), "where", None)
    if where is not None:
        yield where


def _source_place(where: Location) -> SourcePlace:
    return where.file, where.line, where.column, where.element
