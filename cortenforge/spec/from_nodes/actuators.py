"""The actuator section, and the actuator of a default class."""

from __future__ import annotations

from collections.abc import Iterable

from cortenforge.grammar.attributes import check_children, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rules import RULES
from cortenforge.problems import each_valid
from cortenforge.spec.actuators.shortcuts import inherited_actuator_values
from cortenforge.spec.element import MAIN, Element
from cortenforge.spec.from_nodes.class_overlay import element_over_class
from cortenforge.spec.from_nodes.classes import DefaultClasses


def actuator_elements(sections: Iterable[Node], classes: DefaultClasses) -> list[Element]:
    """Elements of all actuators in document order, with values of their classes."""
    found: list[Element] = []
    for section in sections:
        read_attributes(section, RULES["actuator"])
        check_children(section, RULES["actuator"])
        found += each_valid(actuator_element, section.children, classes)
    return found


def actuator_element(node: Node, classes: DefaultClasses) -> Element:
    """The element of one actuator, with values of its class."""
    rule = RULES[node.tag]
    check_children(node, rule)
    given = read_attributes(node, rule)
    name = given.get("class")
    own_class = classes.find(name, node.where, "class") if isinstance(name, str) else MAIN
    return element_over_class(
        node, rule, given, inherited_actuator_values(node.tag, classes.actuator(own_class))
    )
