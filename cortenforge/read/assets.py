"""The asset section: elements of one tag, each with its default class resolved."""

from __future__ import annotations

from cortenforge.read.attributes import check_children, overlay, read_attributes
from cortenforge.read.defaults import MAIN, DefaultClasses
from cortenforge.read.grammar import RULES
from cortenforge.read.xml import Node
from cortenforge.spec.element import Element


def read_assets(sections: list[Node], classes: DefaultClasses, tag: str) -> list[Element]:
    """All assets of a tag, in document order."""
    found: list[Element] = []
    rule = RULES[tag]
    for section in sections:
        read_attributes(section, RULES["asset"])
        check_children(section, RULES["asset"])
        for node in section.children:
            if node.tag != tag:
                continue
            check_children(node, rule)
            given = read_attributes(node, rule)
            name = given.get("class", MAIN)
            own = classes.find(str(name), node.where, "class")
            values, defaults = overlay(rule, given, classes.values(own, tag))
            found.append(Element(tag, node.where, values, defaults, fallback=rule.fallback))
    return found
