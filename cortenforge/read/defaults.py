"""Default classes: named sets of attribute values that elements inherit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cortenforge.errors import Location, MjcfError
from cortenforge.read.assets import special_values
from cortenforge.read.attributes import check_children, overlay, read_attributes
from cortenforge.read.grammar import DEFAULT_RULES, RULES
from cortenforge.read.grammar_actuator import ACTUATORS
from cortenforge.read.numbers import did_you_mean
from cortenforge.read.xml import Node
from cortenforge.spec.element import Element, Value
from cortenforge.spec.shortcuts import ActuatorDefault, inherited

MAIN = "main"
# a class has one actuator, whichever elements it is written with
ACTUATOR = "actuator"
# what a class says, by the tag it says it about
ClassValues = dict[str, Mapping[str, Value]]


class DefaultClasses:
    """Every default class of a model, each with what it inherits already filled in."""

    def __init__(self, sections: Iterable[Node]) -> None:
        self._classes: dict[str, ClassValues] = {MAIN: {}}
        for section in sections:
            name = read_attributes(section, RULES["default"]).get("class", MAIN) or MAIN
            if name != MAIN:
                raise MjcfError(
                    "the top-level default class is 'main' and cannot be renamed",
                    section.where,
                    attribute="class",
                    got=name,
                    hint="put the class in a <default> inside this one",
                )
            self._read(section, self._classes[MAIN])

    def find(self, name: str, where: Location, attribute: str) -> str:
        """The class's name, when there is such a class."""
        if name not in self._classes:
            raise MjcfError(
                f"there is no default class '{name}'",
                where,
                attribute=attribute,
                got=name,
                hint=did_you_mean(name, list(self._classes)),
            )
        return name

    def values(self, name: str, tag: str) -> Mapping[str, Value]:
        """What a class says about elements of a tag."""
        return self._classes[name].get(tag, {})

    def actuator(self, name: str) -> ActuatorDefault | None:
        """The actuator of a class, None when no class around it has one."""
        return _actuator_of(self._classes[name])

    def _read(self, section: Node, values: ClassValues) -> None:
        """Fill in one class, then its nested classes, which start as copies of it."""
        check_children(section, RULES["default"])
        around = _actuator_of(values)
        for node in section.children:
            if node.tag in ACTUATORS:
                values[ACTUATOR] = self._actuator(node, _actuator_of(values), around)
            elif node.tag != "default":
                values[node.tag] = self._merged(node, values.get(node.tag, {}))
        for node in section.children:
            if node.tag == "default":
                self._read(node, self._add(node, values))

    def _merged(self, node: Node, inherited: Mapping[str, Value]) -> Mapping[str, Value]:
        rule = DEFAULT_RULES[node.tag]
        check_children(node, rule)
        given, kept = overlay(rule, read_attributes(node, rule), inherited)
        kept = special_values(node, given, kept)
        return {**kept, **given}

    def _actuator(
        self, node: Node, before: ActuatorDefault | None, around: ActuatorDefault | None
    ) -> ActuatorDefault:
        """The class's actuator after one more element; `around` is that of the class around."""
        rule = DEFAULT_RULES[node.tag]
        check_children(node, rule)
        start = inherited(node.tag, before)
        given, kept = overlay(rule, read_attributes(node, rule), start)
        element = Element(node.tag, node.where, given, kept, fallback=RULES[node.tag].fallback)
        return ActuatorDefault(element, around)

    def _add(self, node: Node, parent: ClassValues) -> ClassValues:
        name = read_attributes(node, RULES["default"]).get("class")
        if not isinstance(name, str) or not name:
            raise MjcfError("a nested default class needs a name", node.where, attribute="class")
        if name in self._classes:
            raise MjcfError(
                f"there is already a default class '{name}'",
                node.where,
                attribute="class",
                got=name,
            )
        self._classes[name] = dict(parent)
        return self._classes[name]


def _actuator_of(values: ClassValues) -> ActuatorDefault | None:
    found = values.get(ACTUATOR)
    return found if isinstance(found, ActuatorDefault) else None
