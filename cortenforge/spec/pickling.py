"""Descriptions as pickles and deep copies hold them: rows of elements, without nesting.

Elements refer to each other in circles, and may be nested deeper than Python's stack.
"""

from __future__ import annotations

import copy
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from cortenforge.spec.element import Element, Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortenforge.spec.spec import Spec

#: what an element refers to other elements by
SHARED_LINKS = ("children", "home", "origin", "moments")


class ElementRows:
    """Elements, origins and moments that can be reached from some elements, by numbers."""

    def __init__(self, roots: list[Element]) -> None:
        self.elements: list[Element] = []
        self._numbers: dict[int, int] = {}
        self.origins: list[Origin] = []
        self.moments: list[Any] = []
        self._known: dict[int, int] = {}
        waiting = list(reversed(roots))
        while waiting:
            element = waiting.pop()
            if id(element) not in self._numbers:
                self._numbers[id(element)] = len(self.elements)
                self.elements.append(element)
                waiting.extend(reversed([*element.children, *self._aside(element)]))

    def number(self, element: Any) -> int:
        """The number of an element; -1 for a description, and for what is outside."""
        return self._numbers.get(id(element), -1)

    def _aside(self, element: Element) -> Iterator[Element]:
        """Elements of other models that an attached one keeps."""
        if element.origin is not None and id(element.origin) not in self._known:
            self._known[id(element.origin)] = len(self.origins)
            self.origins.append(element.origin)
            yield element.origin.compiler
        for moment, _ in element.moments.values():
            if id(moment) not in self._known:
                self._known[id(moment)] = len(self.moments)
                self.moments.append(moment)
                for part in (getattr(moment, one.name) for one in fields(moment)):
                    yield from part if isinstance(part, list) else [part]

    def state(self) -> dict[str, Any]:
        """All of it as lists of values and numbers."""
        return {
            "elements": [self._row(element) for element in self.elements],
            "origins": [(self.number(one.compiler), one.library) for one in self.origins],
            "moments": [
                (type(one), {f.name: self._part(getattr(one, f.name)) for f in fields(one)})
                for one in self.moments
            ],
        }

    def _part(self, part: Any) -> Any:
        if isinstance(part, list):
            return [self.number(element) for element in part]
        return self.number(part)

    def _row(self, element: Element) -> tuple[dict[str, Any], list[int], int, int, dict[str, Any]]:
        own = {name: value for name, value in vars(element).items() if name not in SHARED_LINKS}
        origin = -1 if element.origin is None else self._known[id(element.origin)]
        moments = {k: (self._known[id(m)], place) for k, (m, place) in element.moments.items()}
        children = [self.number(child) for child in element.children]
        return own, children, self.number(element.home), origin, moments


def elements_of(state: dict[str, Any]) -> list[Element]:
    """The elements of rows, linked to each other as they were."""
    made = [Element.__new__(Element) for _ in state["elements"]]
    origins = [Origin(made[compiler], library) for compiler, library in state["origins"]]
    moments = [
        kind(**{name: _linked(part, made) for name, part in parts.items()})
        for kind, parts in state["moments"]
    ]
    for element, (own, children, home, origin, kept) in zip(made, state["elements"], strict=True):
        element.__dict__.update(
            own,
            children=[made[child] for child in children],
            home=None if home < 0 else made[home],
            origin=None if origin < 0 else origins[origin],
            moments={name: (moments[moment], place) for name, (moment, place) in kept.items()},
        )
    return made


def _linked(part: Any, made: list[Element]) -> Any:
    return [made[one] for one in part] if isinstance(part, list) else made[part]


def _roots(spec: Spec) -> list[Element]:
    """Elements of a description that are in no other one, in the order of its parts."""
    found: list[Element] = []
    for part in (getattr(spec, one.name) for one in fields(spec) if one.init):
        if isinstance(part, Element):
            found.append(part)
        elif isinstance(part, (list, dict)):
            found += part.values() if isinstance(part, dict) else part
    return found


def spec_state(spec: Spec) -> dict[str, Any]:
    """A description as a pickle has it."""
    rows = ElementRows(_roots(spec))
    parts: dict[str, Any] = {}
    for name, value in ((f.name, getattr(spec, f.name)) for f in fields(spec) if f.init):
        if isinstance(value, Element):
            parts[name] = rows.number(value)
        elif isinstance(value, list):
            parts[name] = [rows.number(element) for element in value]
        elif isinstance(value, dict):
            parts[name] = {key: rows.number(element) for key, element in value.items()}
        elif name != "classes":  # what default sections come to
            parts[name] = value
    library = replace(spec.library, assets=dict(spec.library.assets))
    return {"rows": rows.state(), "parts": parts | {"library": library}}


def restore_spec(spec: Spec, state: dict[str, Any]) -> None:
    """Make a description of what `spec_state` gave."""
    from cortenforge.spec.from_nodes.classes import DefaultClasses
    from cortenforge.spec.spec import Visual

    made = elements_of(state["rows"])
    parts: dict[str, Any] = {}
    for name, part in state["parts"].items():
        if isinstance(part, int):
            parts[name] = made[part]
        elif isinstance(part, list):
            parts[name] = [made[number] for number in part]
        elif isinstance(part, dict):
            parts[name] = Visual({key: made[number] for key, number in part.items()})
        else:
            parts[name] = part
    type(spec).__init__(spec, **parts, classes=DefaultClasses(parts["defaults"]))


def reduce_element(element: Element) -> tuple[Any, tuple[Any, int]]:
    """How an element by itself is pickled: with the description, or the elements, around it."""
    if element.spec is not None:
        return _of_spec, (element.spec, ElementRows(_roots(element.spec)).number(element))
    top = element
    while top.parent is not None:
        top = top.parent
    rows = ElementRows([top])
    return _of_rows, (rows.state(), rows.number(element))


def _of_spec(spec: Spec, number: int) -> Element:
    return ElementRows(_roots(spec)).elements[number]


def _of_rows(state: dict[str, Any], number: int) -> Element:
    return elements_of(state)[number]


def deep_copy(spec: Spec, memo: dict[int, Any]) -> Spec:
    """A copy whose elements take the place of the original's wherever these are copied, too."""
    copied = spec.copy()
    memo[id(spec)] = copied
    for one, other in zip(_roots(spec), _roots(copied), strict=True):
        pairs = zip(one.walk(), other.walk(), strict=True)
        memo.update((id(element), its) for element, its in pairs)
    return copied


def deep_copy_of_element(element: Element, memo: dict[int, Any]) -> Element:
    """An element of a copied description; one that belongs to none is copied alone."""
    if element.spec is None:
        memo[id(element)] = element.copy()
    else:
        copy.deepcopy(element.spec, memo)
    found: Element = memo[id(element)]
    return found
