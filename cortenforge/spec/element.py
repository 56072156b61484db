"""Elements of a model description."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import Location, MjcfError
from cortenforge.grammar.rule import Attribute, Value
from cortenforge.spec.declared import ElementAttributes
from cortenforge.spec.element_methods import ElementMethods
from cortenforge.suggest import unknown_attribute

if TYPE_CHECKING:
    from cortenforge.spec.editing.keyframes import AttachedKeyframe
    from cortenforge.spec.files import Library
    from cortenforge.spec.spec import Spec

#: the tag of default classes, and the name of the outermost one
CLASS = "default"
MAIN = "main"


@dataclass(frozen=True, eq=False)
class Origin:
    """The model that an attached element was written in: its settings, and where its files are."""

    compiler: Element
    library: Library


@dataclass(eq=False, repr=False)
class Element(ElementMethods, ElementAttributes):
    """One element of a model: typed attributes, place in its file, children in document order.

    A value is looked up in three layers: what the element says, what its default class says,
    what the grammar says.  `element["pos"]` is None when no layer has an answer.  `element.pos` is
    the same, to be read, assigned to and deleted; arrays are for reading.

    Lists that the element gives in part are completed from its class in `attributes`; `partial`
    tells how many numbers are its own.  `home` is what the element is in: another element, or the
    description itself.  `origin` is None unless the element was attached from another model; then
    that model's compiler settings apply to it.  `moments` are values that keyframes of attached
    models have for it, by the name of the keyframe, each with the element's place in it.
    """

    tag: str
    where: Location
    attributes: dict[str, Value] = field(default_factory=dict)
    defaults: Mapping[str, Value] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    fallback: Mapping[str, Value] = field(default_factory=dict)
    partial: dict[str, int] = field(default_factory=dict)
    home: Element | Spec | None = None
    origin: Origin | None = None
    moments: dict[str, tuple[AttachedKeyframe, int]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        for layer in (self.attributes, self.defaults, self.fallback):
            if name in layer:
                return layer[name]
        return None

    def __getattr__(self, name: str) -> Any:
        """An attribute of MJCF, the same as its item; `class_` for the one that is Python's."""
        known = {} if name.startswith("_") else self._known()
        if name.removesuffix("_") not in known:
            raise unknown_attribute(f"<{self.__dict__.get('tag')}>", name, self._listed(known))
        return self[name.removesuffix("_")]

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ELEMENT_SLOTS:
            self.__dict__[name] = value
        elif name in PROPERTIES:
            object.__setattr__(self, name, value)
        else:
            self.set(**{name: value})

    def __delattr__(self, name: str) -> None:
        del self[name]

    def __dir__(self) -> list[str]:
        return self._listed(self._known())

    def _known(self) -> Mapping[str, Attribute]:
        """Attributes that MJCF has for an element of this tag, where it is."""
        from cortenforge.spec.from_nodes.single import element_rule  # rules of places need elements

        return element_rule(self).attributes

    def _listed(self, known: Iterable[str]) -> list[str]:
        named = (f"{name}_" if keyword.iskeyword(name) else name for name in known)
        return sorted({*object.__dir__(self), *named})

    def given(self, name: str) -> bool:
        """True when the element or its default class gives the attribute."""
        return name in self.attributes or name in self.defaults

    def own(self) -> dict[str, Value]:
        """What the element itself gives: lists without the numbers of its class."""
        values: dict[str, Value] = {}
        for name, value in self.attributes.items():
            if value is None or "/" in name:  # textures by role are children of a material, too
                continue
            if isinstance(value, np.ndarray) and name in self.partial:
                value = value[: self.partial[name]]
            values[name] = value
        return values

    @property
    def name(self) -> str:
        """The element's name, empty when it has none."""
        name = self.attributes.get("name", "")
        return name if isinstance(name, str) else ""

    @name.setter
    def name(self, name: str) -> None:
        self.set(name=name)

    def rename(self, name: str) -> None:
        """Another name, also where errors say where they are."""
        self.attributes["name"] = name
        self.where = replace(self.where, name=name)

    @property
    def parent(self) -> Element | None:
        """The element around this one: for a geom its body or frame, for a sensor its section."""
        return self.home if isinstance(self.home, Element) else None

    @property
    def spec(self) -> Spec | None:
        """The description that the element belongs to; None when it was taken out."""
        home = self.home
        while isinstance(home, Element):
            home = home.home
        return home

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

    def copy(self) -> Element:
        """The element and everything below it, once more; the copy belongs to no description."""
        whole = self._twin()
        # no recursion: models may be deeper than Python's stack
        waiting = [(self, whole)]
        while waiting:
            element, copied = waiting.pop()
            for child in element.children:
                inner = child._twin()
                inner.home = copied
                copied.children.append(inner)
                waiting.append((child, inner))
        return whole

    def __copy__(self) -> Element:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Element:
        from cortenforge.spec.pickling import deep_copy_of_element

        return deep_copy_of_element(self, memo)

    def __reduce__(self) -> Any:
        from cortenforge.spec.pickling import reduce_element

        return reduce_element(self)

    def _twin(self) -> Element:
        """A copy without what is below."""
        copied = Element.__new__(Element)
        # at once: fields that are set one by one are looked up one by one
        copied.__dict__.update(
            self.__dict__,
            attributes=dict(self.attributes),
            partial=dict(self.partial),
            moments=dict(self.moments),
            children=[],
            home=None,
        )
        return copied

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

    def __repr__(self) -> str:
        from cortenforge.spec.attribute_text import attribute_texts

        texts = (f' {name}="{text}"' for name, text in attribute_texts(self).items())
        shown = "".join(texts)
        place = f"{self.where.file}:{self.where.line}" if self.where.line else self.where.file
        return f"<{self.tag}{shown if len(shown) < 200 else shown[:200] + '...'}> at {place}"


#: attributes that are the element's own, and not MJCF's
ELEMENT_SLOTS = frozenset(one.name for one in fields(Element))
PROPERTIES = frozenset(name for name, one in vars(Element).items() if isinstance(one, property))
