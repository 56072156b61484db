"""Typed reads of an element's attributes.

Defaults are in the grammar.  A `default` here is for attributes without one, for which not to be
given has a meaning of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from cortenforge.errors import MjcfError
from cortenforge.grammar.rules import RULES
from cortenforge.grammar.tables.body import ORIENTATIONS
from cortenforge.spec.element import Element
from cortenforge.spec.rotation import Vector, vector
from cortenforge.suggest import did_you_mean

Code = TypeVar("Code", bound=int)


def number(element: Element, name: str, default: float = 0.0) -> float:
    """A real attribute."""
    value = element[name]
    return default if value is None else float(value)


def integer(element: Element, name: str) -> int:
    """An integer attribute."""
    value = element[name]
    return 0 if value is None else int(value)


def flag(element: Element, name: str, *, default: bool = False) -> bool:
    """A yes-or-no attribute."""
    value = element[name]
    if value is None:
        return default
    return value == "true" if isinstance(value, str) else bool(value)


def keyword(element: Element, name: str, default: str = "") -> str:
    """A keyword attribute; booleans of three-way attributes come back as words."""
    value = element[name]
    if value is None:
        return default
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return str(value)


def numbers(element: Element, name: str, default: tuple[float, ...] = ()) -> tuple[float, ...]:
    """A list of fixed length: fewer given numbers replace only the first ones.

    MuJoCo writes what is given over what the default class left there, so `size="0.4"` under a
    class with `size="0.1 0.2 0.3"` means 0.4 0.2 0.3.
    """
    result: tuple[Any, ...] = ()
    for layer in (element.attributes, element.defaults, element.fallback):
        given = layer.get(name)
        if given is not None:
            row = given.tolist() if isinstance(given, np.ndarray) else [given]
            result += tuple(row[len(result) :])
    return result + default[len(result) :]


def vector3(element: Element, name: str) -> Vector:
    """A list of three numbers."""
    return vector(numbers(element, name))


def grammar_default(tag: str, name: str) -> Any:
    """Default of an attribute in the grammar; lists as tuples."""
    value = RULES[tag].fallback[name]
    return tuple(value.tolist()) if isinstance(value, np.ndarray) else value


def number_list(element: Element, name: str) -> tuple[float, ...]:
    """A list of any length, empty when it is not given."""
    value = element[name]
    return () if value is None else tuple(np.atleast_1d(value).tolist())


def unknown_reference(
    element: Element, attribute: str, kind: str, known: Iterable[str]
) -> MjcfError:
    """The error for an attribute that refers to an unknown object."""
    hint = did_you_mean(str(element[attribute]), [name for name in known if name])
    return element.error(f"there is no {kind} of this name", attribute, hint)


def keyword_code(element: Element, name: str, words: Mapping[str, Code]) -> Code:
    """The number that stands for a keyword."""
    word = keyword(element, name)
    if word not in words:
        raise element.error(f"not supported yet: expected one of {', '.join(words)}", name)
    return words[word]


def orientation_attribute(element: Element) -> str | None:
    """The orientation attribute that is used: the element's own, or that of its class."""
    for layer in (element.attributes, element.defaults):
        forms = [name for name in layer if name in ORIENTATIONS]
        if layer is element.attributes and len(forms) > 1:
            raise element.error("only one orientation may be given", forms[1])
        if forms:
            return forms[-1]
    return None
