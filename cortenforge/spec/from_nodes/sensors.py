"""The sensor section: each sensor checked against its rule."""

from __future__ import annotations

from collections.abc import Mapping

from cortenforge.errors import MjcfError
from cortenforge.grammar.attributes import check_children, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Rule, Value
from cortenforge.grammar.tables.sensor import NEEDED, RULES, SENSORS, TOGETHER
from cortenforge.problems import each_valid
from cortenforge.spec.element import Element
from cortenforge.spec.from_nodes.class_overlay import element_over_class


def sensor_elements(sections: list[Node]) -> list[Element]:
    """Sensors of all sensor sections, in document order."""
    found: list[Element] = []
    for section in sections:
        read_attributes(section, RULES["sensor"])
        check_children(section, RULES["sensor"])
        found += each_valid(sensor_element, section.children)
    return found


def sensor_element(node: Node) -> Element:
    """The element of one sensor."""
    rule = SENSORS[node.tag]
    check_children(node, rule)
    given = read_attributes(node, rule)
    _check_needed_attributes(node, given)
    _check_data_order(node, rule, given)
    return element_over_class(node, rule, given, {})


def _check_needed_attributes(node: Node, given: Mapping[str, Value]) -> None:
    """One attribute of each needed group is there; pairs are there together."""
    for group in NEEDED[node.tag]:
        if not any(name in given for name in group):
            raise MjcfError(f"one of {', '.join(group)} is missing", node.where, attribute=group[0])
    pair = TOGETHER.get(node.tag, ())
    missing = [name for name in pair if name not in given]
    if len(missing) == 1:
        raise MjcfError(
            f"{' and '.join(pair)} are given together or not at all",
            node.where,
            attribute=missing[0],
        )


def _check_data_order(node: Node, rule: Rule, given: Mapping[str, Value]) -> None:
    """Data fields stand in the order in which they are reported."""
    data = given.get("data")
    if not isinstance(data, str):
        return
    order = rule.attributes["data"].keywords
    places = [order.index(word) for word in data.split()]
    if places != sorted(places):
        raise MjcfError(
            f"the fields must be in this order: {', '.join(order)}",
            node.where,
            attribute="data",
            got=data,
        )
