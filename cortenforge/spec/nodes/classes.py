"""Default classes: named sets of attribute values that elements inherit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from cortenforge.errors import Location, MjcfError
from cortenforge.grammar.attributes import check_children, overlay, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Value
from cortenforge.grammar.rules import DEFAULT_RULES, RULES
from cortenforge.grammar.tables.actuator import ACTUATORS
from cortenforge.problems import attempt, report, whole
from cortenforge.spec.actuators.shortcuts import ActuatorDefault, inherited
from cortenforge.spec.element import MAIN, Element
from cortenforge.spec.nodes.assets import read_layer, special_values
from cortenforge.suggest import did_you_mean

if TYPE_CHECKING:
    from cortenforge.spec.spec import Spec

# a class has one actuator, whichever elements it is written with
ACTUATOR = "actuator"
# what a class says, by the tag it says it about
ClassValues = dict[str, Mapping[str, Value]]


def read_defaults(sections: Iterable[Node]) -> list[Element]:
    """Default sections as they are written, each value as its class gives it."""
    found = [read_class(node) for node in sections]
    for section in found:
        if section["class"] not in (None, "", MAIN):
            problem = section.error(
                "the top-level default class is 'main' and cannot be renamed",
                "class",
                hint="put the class in a <default> inside this one",
            )
            report(problem, left_out=[str(section["class"])])
    return found


def read_class(node: Node) -> Element:
    """A class with what it says, and the classes inside it."""
    section = _read_section(node)
    # no recursion: documents may be deeper than Python's stack
    waiting = [(child, section) for child in reversed(node.children)]
    while waiting:
        inner, around = waiting.pop()
        nested = inner.tag == "default"
        made = attempt(_read_section if nested else read_default, inner)
        if made is not None:
            around.children.append(made)
            waiting += [(child, made) for child in reversed(inner.children) if nested]
    return section


def _read_section(node: Node) -> Element:
    """A class without what is in it."""
    check_children(node, RULES["default"])
    return Element(node.tag, node.where, read_attributes(node, RULES["default"]))


def read_default(node: Node) -> Element:
    """What a class says about elements of a tag."""
    rule = DEFAULT_RULES[node.tag]
    check_children(node, rule)
    element = Element(node.tag, node.where, read_attributes(node, rule))
    element.children = whole(read_layer, node.children)
    return element


class DefaultClasses:
    """Every default class of a model, each with what it inherits already filled in."""

    def __init__(self, sections: Iterable[Element]) -> None:
        self._classes: dict[str, ClassValues] = {MAIN: {}}
        # models whose classes were added while a file is read, and the names these have now
        self.guests: dict[tuple[Spec, str, str], dict[str, str]] = {}
        for section in sections:
            self.extend(section)

    def extend(self, section: Element) -> None:
        """Add what a section says.  One with another name than `main` inherits nothing."""
        name = str(section["class"] or MAIN)
        self._read(section, self._classes.setdefault(name, {}))

    def __iter__(self) -> Iterator[str]:
        """Names of all classes."""
        return iter(self._classes)

    def find(self, name: str, where: Location, attribute: str) -> str:
        """The class's name, when there is such a class."""
        if name not in self._classes:
            problem = MjcfError(
                f"there is no default class '{name}'",
                where,
                attribute=attribute,
                got=name,
                hint=did_you_mean(name, list(self._classes)),
            )
            report(problem)
            return MAIN
        return name

    def values(self, name: str, tag: str) -> Mapping[str, Value]:
        """What a class says about elements of a tag."""
        return self._classes[name].get(tag, {})

    def actuator(self, name: str) -> ActuatorDefault | None:
        """The actuator of a class, None when no class around it has one."""
        return _actuator_of(self._classes[name])

    def _read(self, section: Element, values: ClassValues) -> None:
        """Fill in one class, then its nested classes, which start as copies of it."""
        self._fill(section, values)
        waiting = [(inner, values) for inner in _nested(section)]
        while waiting:
            inner, around = waiting.pop()
            own = attempt(self._enter, inner, around)
            if own is not None:
                waiting += [(one, own) for one in _nested(inner)]

    def _enter(self, section: Element, around: ClassValues) -> ClassValues:
        """A nested class without those inside it."""
        values = self._add(section, around)
        self._fill(section, values)
        return values

    def _fill(self, section: Element, values: ClassValues) -> None:
        """What a class says itself."""
        around = _actuator_of(values)
        for one in section.children:
            if one.tag in ACTUATORS:
                values[ACTUATOR] = self._actuator(one, _actuator_of(values), around)
            elif one.tag != "default":
                before = values.get(one.tag, {})
                values[one.tag] = attempt(self._merged, one, before) or before

    def _merged(self, one: Element, inherited: Mapping[str, Value]) -> Mapping[str, Value]:
        given, kept = overlay(DEFAULT_RULES[one.tag], one.attributes, inherited)
        kept = special_values(one, given, kept)
        return {**kept, **given}

    def _actuator(
        self, one: Element, before: ActuatorDefault | None, around: ActuatorDefault | None
    ) -> ActuatorDefault:
        """The class's actuator after one more element; `around` is that of the class around."""
        start = inherited(one.tag, before)
        given, kept = overlay(DEFAULT_RULES[one.tag], one.attributes, start)
        element = Element(one.tag, one.where, given, kept, fallback=RULES[one.tag].fallback)
        return ActuatorDefault(element, around)

    def _add(self, section: Element, parent: ClassValues) -> ClassValues:
        name = section["class"]
        if not isinstance(name, str) or not name:
            raise MjcfError("a nested default class needs a name", section.where, attribute="class")
        if name in self._classes:
            raise MjcfError(
                f"there is already a default class '{name}'",
                section.where,
                attribute="class",
                got=name,
            )
        self._classes[name] = dict(parent)
        return self._classes[name]


def _nested(section: Element) -> list[Element]:
    """Classes inside a class, the last one first."""
    return list(section.children_of("default"))[::-1]


def _actuator_of(values: ClassValues) -> ActuatorDefault | None:
    found = values.get(ACTUATOR)
    return found if isinstance(found, ActuatorDefault) else None
