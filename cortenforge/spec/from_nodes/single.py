"""A single element, as a program adds or changes it, by the same rules as in a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cortenforge.grammar.attributes import check_children, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Rule, Value
from cortenforge.grammar.rules import DEFAULT_RULES, RULES
from cortenforge.grammar.tables import equality, sensor, tendon
from cortenforge.grammar.tables.soft import SOFTS
from cortenforge.spec.actuators.shortcuts import inherited_actuator_values
from cortenforge.spec.element import Element
from cortenforge.spec.from_nodes.actuators import actuator_element
from cortenforge.spec.from_nodes.assets import apply_asset_rules, asset_element, layer_element
from cortenforge.spec.from_nodes.class_overlay import element_over_class
from cortenforge.spec.from_nodes.classes import (
    DefaultClasses,
    class_member_element,
    default_class_element,
)
from cortenforge.spec.from_nodes.custom import custom_element, key_element, tuple_entry_element
from cortenforge.spec.from_nodes.deformables import deformable_element, pin_or_tie_element
from cortenforge.spec.from_nodes.sensors import sensor_element
from cortenforge.spec.from_nodes.skins import bone_element
from cortenforge.spec.from_nodes.tree import TreeContext, TreeHolder, subtree_element
from cortenforge.spec.from_nodes.wiring import (
    contact_element,
    equality_element,
    path_step_element,
    tendon_element,
)
from cortenforge.spec.references import surrounding_class

TREE_TAGS = ("worldbody", "body", "frame")
#: rules of elements whose tag means something else elsewhere, by what they are in
RULES_INSIDE: dict[str, Mapping[str, Rule]] = {
    "equality": equality.INSIDE,
    "sensor": sensor.SENSORS,
    "default": {**DEFAULT_RULES, "default": RULES["default"]},
    **tendon.PATH,
}
#: what default classes call the elements of a section
CLASS_TAGS = {"equality": "equality", "tendon": "tendon"}

WITH_CLASS: dict[str, Callable[[Node, DefaultClasses], Element]] = {
    "asset": asset_element,
    "contact": contact_element,
    "equality": equality_element,
    "tendon": tendon_element,
    "actuator": actuator_element,
    "deformable": deformable_element,
}
WITHOUT_CLASS: dict[str, Callable[[Node], Element]] = {
    "sensor": sensor_element,
    "custom": custom_element,
    "keyframe": key_element,
    "skin": bone_element,
    **dict.fromkeys(SOFTS, pin_or_tie_element),
    "tuple": tuple_entry_element,
    "material": layer_element,
    "spatial": lambda node: path_step_element(node, "spatial"),
    "fixed": lambda node: path_step_element(node, "fixed"),
    "default": lambda node: (
        default_class_element(node) if node.tag == "default" else class_member_element(node)
    ),
}


def element_rule(element: Element) -> Rule:
    """The grammar's row for an element where it is."""
    around = "" if element.parent is None else element.parent.tag
    return RULES_INSIDE.get(around, RULES)[element.tag]


def element_from_node(
    node: Node, parent: Element | None, classes: DefaultClasses, replaced: Element | None = None
) -> Element:
    """The element of a node as a child of `parent`; of a section if parent is None.

    replaced: the element whose place it takes, if any.
    """
    around = "" if parent is None else parent.tag
    if parent is not None and around in TREE_TAGS:
        return subtree_element(
            node, TreeContext(classes), surrounding_class(parent), _tree_holder(parent, replaced)
        )
    if around in WITH_CLASS:
        return WITH_CLASS[around](node, classes)
    if around in WITHOUT_CLASS:
        return WITHOUT_CLASS[around](node)
    rule = RULES[node.tag]
    check_children(node, rule)
    return element_over_class(node, rule, read_attributes(node, rule), {})


def check_child_allowed(node: Node, parent: Element) -> None:
    """Refuse a node that cannot stand in an element, or not once more."""
    rule = element_rule(parent)
    once = rule.children.get(node.tag) == "?"
    earlier = parent.children_of(node.tag) if once else ()
    others = [Node(one.tag, one.where, {}) for one in earlier]
    check_children(Node(parent.tag, parent.where, {}, [*others, node]), rule)


def reapply_class(element: Element, classes: DefaultClasses) -> None:
    """Merge an element with its default class again, after the class or its name changed."""
    around = "" if element.parent is None else element.parent.tag
    if around not in TREE_TAGS and around not in WITH_CLASS:
        return
    name = surrounding_class(element.parent)
    for attribute in ("class", "childclass"):
        given = element.attributes.get(attribute)
        if isinstance(given, str):
            name = classes.find(given, element.where, attribute)
    if around == "actuator":
        inherits: Mapping[str, Value] = inherited_actuator_values(
            element.tag, classes.actuator(name)
        )
    else:
        inherits = classes.values(name, CLASS_TAGS.get(around, element.tag))
    node = Node(element.tag, element.where, {})
    fresh = element_over_class(node, element_rule(element), element.own(), inherits)
    element.attributes, element.partial = fresh.attributes, fresh.partial
    element.defaults = apply_asset_rules(element, element.attributes, fresh.defaults)


def _tree_holder(parent: Element, replaced: Element | None) -> TreeHolder:
    """The body to which joints and inertia in an element belong."""
    body = parent
    while body.tag == "frame" and body.parent is not None:
        body = body.parent
    pending = list(body.children)
    while pending:
        one = pending.pop()
        if one.tag == "inertial" and one is not replaced:
            return TreeHolder(body.tag, one.where)
        if one.tag == "frame":
            pending += one.children
    return TreeHolder(body.tag)
