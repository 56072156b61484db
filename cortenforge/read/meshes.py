"""Meshes of the asset section, each with its default class resolved."""

from __future__ import annotations

from cortenforge.read.attributes import check_children, overlay, read_attributes
from cortenforge.read.defaults import MAIN, DefaultClasses
from cortenforge.read.grammar import RULES
from cortenforge.read.xml import Node
from cortenforge.spec.element import Element


def read_meshes(sections: list[Node], classes: DefaultClasses) -> list[Element]:
    """All meshes, in document order."""
    found: list[Element] = []
    tag, rule = "mesh", RULES["mesh"]
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
