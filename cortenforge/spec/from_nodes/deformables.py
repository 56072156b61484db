"""Deformables, from the sections that MuJoCo has for flexible bodies and skins."""

from __future__ import annotations

from cortenforge.errors import MjcfError
from cortenforge.grammar.attributes import check_children, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rules import RULES
from cortenforge.grammar.tables.soft import CHOICES, SOFTS
from cortenforge.problems import all_or_none, each_valid
from cortenforge.spec.element import MAIN, Element
from cortenforge.spec.from_nodes.class_overlay import element_over_class
from cortenforge.spec.from_nodes.classes import DefaultClasses
from cortenforge.spec.from_nodes.skins import skin_element


def soft_elements(sections: list[Node], classes: DefaultClasses) -> list[Element]:
    """All deformables, whose sections were checked already."""
    nodes = [node for section in sections for node in section.children if node.tag in SOFTS]
    return each_valid(soft_element, nodes, classes)


def deformable_element(node: Node, classes: DefaultClasses) -> Element:
    """A skin or a deformable."""
    return skin_element(node) if node.tag == "skin" else soft_element(node, classes)


def soft_element(node: Node, classes: DefaultClasses) -> Element:
    """One deformable; what is pinned and tied of it are children."""
    rule = RULES[node.tag]
    check_children(node, rule)
    given = read_attributes(node, rule)
    name = given.get("class", MAIN)
    own_class = classes.find(name, node.where, "class") if isinstance(name, str) else MAIN
    element = element_over_class(node, rule, given, classes.values(own_class, node.tag))
    element.children = all_or_none(pin_or_tie_element, node.children)
    return element


def pin_or_tie_element(node: Node) -> Element:
    """Vertices that are pinned, or tied to a body or a site."""
    rule = RULES[node.tag]
    check_children(node, rule)
    given = read_attributes(node, rule)
    if not any(name in given for name in CHOICES.split()):
        raise MjcfError(f"<{node.tag}> needs one of {', '.join(CHOICES.split())}", node.where)
    if node.tag == "tie" and not (given.get("body") or given.get("site")):
        raise MjcfError("<tie> needs a body or a site", node.where)
    return Element(node.tag, node.where, given, fallback=rule.fallback)
