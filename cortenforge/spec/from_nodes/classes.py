"""Default classes: named sets of attribute values that elements inherit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from cortenforge.errors import Location, MjcfError
from cortenforge.grammar.attributes import check_children, merge_with_inherited, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Value
from cortenforge.grammar.rules import DEFAULT_RULES, RULES
from cortenforge.grammar.tables.actuator import ACTUATORS
from cortenforge.problems import all_or_none, attempt, raise_or_gather
from cortenforge.spec.actuators.shortcuts import ActuatorDefault, inherited_actuator_values
from cortenforge.spec.element import MAIN, Element
from cortenforge.spec.from_nodes.assets import apply_asset_rules, layer_element
from cortenforge.suggest import did_you_mean

if TYPE_CHECKING:
    from cortenforge.spec.spec import Spec

# a class has one actuator, whichever elements it is written with
ACTUATOR_KEY = "actuator"
# values of a class, by the tag of the elements that inherit them
ClassValues = dict[str, Mapping[str, Value]]


def default_sections(sections: Iterable[Node]) -> list[Element]:
    """Elements of the default sections, without inheritance."""
    found = [default_class_element(node) for node in sections]
    for section in found:
        if section["class"] not in (None, "", MAIN):
            problem = section.error(
                "the top-level default class is 'main' and cannot be renamed",
                "class",
                hint="put the class in a <default> inside this one",
            )
            raise_or_gather(problem, left_out=[str(section["class"])])
    return found


def default_class_element(node: Node) -> Element:
    """A default class with its values, and the classes inside it."""
    section = _class_without_children(node)
    # no recursion: documents may be deeper than Python's stack
    waiting = [(child, section) for child in reversed(node.children)]
    while waiting:
        inner, around = waiting.pop()
        nested = inner.tag == "default"
        made = attempt(_class_without_children if nested else class_member_element, inner)
        if made is not None:
            around.children.append(made)
            waiting += [(child, made) for child in reversed(inner.children) if nested]
    return section


def _class_without_children(node: Node) -> Element:
    """A class without what is in it."""
    check_children(node, RULES["default"])
    return Element(node.tag, node.where, read_attributes(node, RULES["default"]))


def class_member_element(node: Node) -> Element:
    """The element of a class for elements of one tag."""
    rule = DEFAULT_RULES[node.tag]
    check_children(node, rule)
    element = Element(node.tag, node.where, read_attributes(node, rule))
    element.children = all_or_none(layer_element, node.children)
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
        """Add the classes of a section.  One with another name than `main` inherits nothing."""
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
            raise_or_gather(problem)
            return MAIN
        return name

    def values(self, name: str, tag: str) -> Mapping[str, Value]:
        """Values of a class for elements of a tag, inherited ones included."""
        return self._classes[name].get(tag, {})

    def actuator(self, name: str) -> ActuatorDefault | None:
        """The actuator of a class, None when no class around it has one."""
        return _class_actuator(self._classes[name])

    def _read(self, section: Element, values: ClassValues) -> None:
        """Fill in one class, then its nested classes, which start as copies of it."""
        self._fill(section, values)
        waiting = [(inner, values) for inner in _nested_classes(section)]
        while waiting:
            inner, around = waiting.pop()
            own = attempt(self._enter, inner, around)
            if own is not None:
                waiting += [(one, own) for one in _nested_classes(inner)]

    def _enter(self, section: Element, around: ClassValues) -> ClassValues:
        """A nested class without those inside it."""
        values = self._add(section, around)
        self._fill(section, values)
        return values

    def _fill(self, section: Element, values: ClassValues) -> None:
        """Merge the values of a class itself into the inherited ones."""
        around = _class_actuator(values)
        for one in section.children:
            if one.tag in ACTUATORS:
                values[ACTUATOR_KEY] = self._actuator(one, _class_actuator(values), around)
            elif one.tag != "default":
                before = values.get(one.tag, {})
                values[one.tag] = attempt(self._merged, one, before) or before

    def _merged(self, one: Element, inherited: Mapping[str, Value]) -> Mapping[str, Value]:
        given, kept = merge_with_inherited(DEFAULT_RULES[one.tag], one.attributes, inherited)
        kept = apply_asset_rules(one, given, kept)
        return {**kept, **given}

    def _actuator(
        self, one: Element, before: ActuatorDefault | None, around: ActuatorDefault | None
    ) -> ActuatorDefault:
        """The class's actuator after one more element; `around` is that of the class around."""
        start = inherited_actuator_values(one.tag, before)
        given, kept = merge_with_inherited(DEFAULT_RULES[one.tag], one.attributes, start)
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


def _nested_classes(section: Element) -> list[Element]:
    """Classes inside a class, the last one first."""
    return list(section.children_of("default"))[::-1]


def _class_actuator(values: ClassValues) -> ActuatorDefault | None:
    found = values.get(ACTUATOR_KEY)
    return found if isinstance(found, ActuatorDefault) else None
