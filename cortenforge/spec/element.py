"""Elements of a model description, and the description as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.errors import Location, MjcfError

if TYPE_CHECKING:
    from cortenforge.read.files import Library

Value = str | bool | int | float | np.ndarray | None


@dataclass(eq=False)
class Element:
    """One element of a model: typed attributes, place in its file, children in document order.

    A value is looked up in three layers: what the element says, what its default class says,
    what the grammar says.  `element["pos"]` is None when no layer has an answer.
    """

    tag: str
    where: Location
    attributes: dict[str, Value] = field(default_factory=dict)
    defaults: Mapping[str, Value] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    fallback: Mapping[str, Value] = field(default_factory=dict, repr=False)

    def __getitem__(self, name: str) -> Value:
        for layer in (self.attributes, self.defaults, self.fallback):
            if name in layer:
                return layer[name]
        return None

    def given(self, name: str) -> bool:
        """True when the element or its default class gives the attribute."""
        return name in self.attributes or name in self.defaults

    @property
    def name(self) -> str:
        """The element's name, empty when it has none."""
        name = self.attributes.get("name", "")
        return name if isinstance(name, str) else ""

    def children_of(self, *tags: str) -> Iterator[Element]:
        """Direct children with one of the tags, in document order."""
        return (child for child in self.children if child.tag in tags)

    def walk(self) -> Iterator[Element]:
        """This element and everything below it, in document order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def error(
        self, message: str, attribute: str | None = None, hint: str | None = None
    ) -> MjcfError:
        """An error at this element's place; the offending value is quoted from the attribute."""
        got = None if attribute is None else self[attribute]
        if isinstance(got, np.ndarray):
            got = " ".join(f"{number:g}" for number in got)
        elif isinstance(got, bool):
            got = str(got).lower()
        return MjcfError(message, self.where, attribute=attribute, got=got, hint=hint)


@dataclass
class Spec:
    """A model as its file describes it: sections merged, includes and replicas expanded."""

    modelname: str
    file: str
    compiler: Element
    option: Element
    flag: Element
    size: Element
    statistic: Element
    visual: dict[str, Element]
    numerics: list[Element]
    texts: list[Element]
    tuples: list[Element]
    keys: list[Element]
    worldbody: Element
    textures: list[Element] = field(default_factory=list)
    materials: list[Element] = field(default_factory=list)
    hfields: list[Element] = field(default_factory=list)
    meshes: list[Element] = field(default_factory=list)
    library: Library | None = None  # where files of assets come from
    sensors: list[Element] = field(default_factory=list)
    contact: list[Element] = field(default_factory=list)
    equality: list[Element] = field(default_factory=list)
    tendon: list[Element] = field(default_factory=list)
    actuators: list[Element] = field(default_factory=list)
