"""Rows of the grammar: attributes and rules, and short constructors for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cached_property
from typing import Any

import numpy as np

#: what an attribute can be; None for one that nobody gives
Value = str | bool | int | float | np.ndarray | None


class Kind(Enum):
    """How the text of an attribute is read."""

    REAL = auto()
    SINGLE = auto()  # a real that MuJoCo stores in single precision
    INTEGER = auto()
    BOOLEAN = auto()
    KEYWORD = auto()
    KEYWORDS = auto()  # several keywords, each at most once
    TEXT = auto()
    BYTES = auto()  # a byte count with an optional suffix K, M, G, T, P, E


NUMBERS = (Kind.REAL, Kind.SINGLE, Kind.INTEGER)


@dataclass(frozen=True)
class Attribute:
    """One attribute: kind, allowed values, default.

    `least` and `most` bound how many values it takes (None: any number); `minimum`, `maximum` and
    `positive` bound each value.  `unbounded` reals may be as large as a double can be; all others
    stay within a limit that keeps later products finite.
    """

    name: str
    kind: Kind
    least: int = 1
    most: int | None = 1
    default: Value = None
    keywords: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    required: bool = False
    minimum: float | None = None
    maximum: float | None = None
    positive: bool = False
    unbounded: bool = False
    in_defaults: bool = True

    @property
    def scalar(self) -> bool:
        return self.least == 1 and self.most == 1

    @property
    def partial(self) -> bool:
        """True when fewer values than the full length may be given; the rest is inherited."""
        return self.most is not None and self.least < self.most


@dataclass(frozen=True)
class Rule:
    """One element: its attributes and children, and those that are not supported.

    `children` maps a tag to how often it may occur: "?" at most once, "*" any number.  `exclusive`
    lists groups of attributes of which at most one may be given.  `instead` maps names that other
    engines have to a hint at what does the same here.
    """

    tag: str
    attributes: dict[str, Attribute] = field(default_factory=dict)
    children: dict[str, str] = field(default_factory=dict)
    exclusive: tuple[tuple[str, ...], ...] = ()
    later_attributes: frozenset[str] = frozenset()
    later_children: frozenset[str] = frozenset()
    removed_children: frozenset[str] = frozenset()
    instead: dict[str, str] = field(default_factory=dict)

    @cached_property
    def fallback(self) -> dict[str, Value]:
        """The grammar's default of every attribute that has one."""
        return {a.name: a.default for a in self.attributes.values() if a.default is not None}

    def as_default(self) -> Rule:
        """The same element inside a default class: no name, no class, no references."""
        kept = {
            a.name: replace(a, required=False) for a in self.attributes.values() if a.in_defaults
        }
        return replace(
            self,
            attributes=kept,
            children={},
            later_children=frozenset(),
            removed_children=frozenset(),
        )


def rule(
    tag: str,
    *attributes: Attribute | Iterable[Attribute],
    children: str = "",
    exclusive: Iterable[str] = (),
    later: str = "",
    later_children: str = "",
    removed_children: str = "",
    instead: dict[str, str] | None = None,
) -> Rule:
    """Build a rule from a row of text: `children="body* inertial?"`."""
    flat: list[Attribute] = []
    for entry in attributes:
        flat.extend([entry] if isinstance(entry, Attribute) else entry)
    return Rule(
        tag,
        {a.name: a for a in flat},
        {child[:-1]: child[-1] for child in children.split()},
        tuple(tuple(group.split()) for group in exclusive),
        frozenset(later.split()),
        frozenset(later_children.split()),
        frozenset(removed_children.split()),
        instead or {},
    )


def split_words(text: str) -> tuple[str, ...]:
    """The words of a row of text."""
    return tuple(text.split())


def read_only_array(values: Iterable[float], dtype: type = float) -> np.ndarray:
    """A read-only array: values are shared between elements."""
    array: np.ndarray = np.array(tuple(values), dtype=dtype)
    array.setflags(write=False)
    return array


def real(name: str, default: float | None = None, **options: Any) -> Attribute:
    """One real number."""
    return Attribute(name, Kind.REAL, default=default, **options)


def single(name: str, default: float | None = None, **options: Any) -> Attribute:
    """One real number that MuJoCo keeps in single precision."""
    return Attribute(name, Kind.SINGLE, default=default, **options)


def integer(name: str, default: int | None = None, **options: Any) -> Attribute:
    """One integer."""
    return Attribute(name, Kind.INTEGER, default=default, **options)


def reals(
    name: str, count: int, default: Iterable[float] | None = None, **options: Any
) -> Attribute:
    """Exactly `count` real numbers."""
    value = None if default is None else read_only_array(default)
    return Attribute(name, Kind.REAL, count, count, value, **options)


def singles(
    name: str, count: int, default: Iterable[float] | None = None, **options: Any
) -> Attribute:
    """Exactly `count` real numbers that MuJoCo keeps in single precision."""
    value = None if default is None else read_only_array(default)
    return Attribute(name, Kind.SINGLE, count, count, value, **options)


def reals_up_to(name: str, default: Iterable[float]) -> Attribute:
    """One or more reals, at most as many as the default has; the missing tail is inherited."""
    value = read_only_array(default)
    return Attribute(name, Kind.REAL, 1, len(value), value)


def any_reals(name: str, **options: Any) -> Attribute:
    """Any number of reals."""
    return Attribute(name, Kind.REAL, 0, None, **options)


def integers(
    name: str, count: int | None, default: Iterable[int] | None = None, **options: Any
) -> Attribute:
    """Exactly `count` integers, or any number of them."""
    value = None if default is None else read_only_array(default, int)
    return Attribute(name, Kind.INTEGER, count or 0, count, value, **options)


def boolean(name: str, default: bool = False) -> Attribute:
    """ "true" or "false"."""
    return Attribute(name, Kind.BOOLEAN, default=default)


def keyword(
    name: str, keywords: str, default: str | None = None, later: str = "", **options: Any
) -> Attribute:
    """One of a list of words; `later` words exist in MuJoCo and are not supported yet."""
    return Attribute(
        name,
        Kind.KEYWORD,
        default=default,
        keywords=split_words(keywords),
        later=split_words(later),
        **options,
    )


def text(name: str, default: str | None = None, **options: Any) -> Attribute:
    """Any text: a name, a reference, a folder."""
    return Attribute(name, Kind.TEXT, default=default, **options)


def own_name() -> Attribute:
    """The element's own name, which a default class cannot give."""
    return text("name", in_defaults=False)


def own_class() -> Attribute:
    """The default class an element asks for, which a default class cannot give."""
    return text("class", in_defaults=False)
