"""One element by itself, as a program adds or changes it, under the rules of a whole file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cortenforge.grammar.attributes import check_children, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Rule, Value
from cortenforge.grammar.rules import DEFAULT_RULES, RULES
from cortenforge.grammar.tables import equality, sensor, tendon
from cortenforge.grammar.tables.soft import SOFTS
from cortenforge.spec.actuators.shortcuts import inherited
from cortenforge.spec.element import Element
from cortenforge.spec.nodes.actuators import read_actuator
from cortenforge.spec.nodes.assets import read_asset, read_layer, special_values
from cortenforge.spec.nodes.classes import DefaultClasses, read_class, read_default
from cortenforge.spec.nodes.custom import read_datum, read_entry, read_key
from cortenforge.spec.nodes.resolved import resolved
from cortenforge.spec.nodes.sensors import read_sensor
from cortenforge.spec.nodes.skins import read_bone
from cortenforge.spec.nodes.softs import read_deformable, read_hold
from cortenforge.spec.nodes.tree import Holder, Known, read_element
from cortenforge.spec.nodes.wiring import read_contact, read_equality, read_step, read_tendon
from cortenforge.spec.references import class_around

TREE = ("worldbody", "body", "frame")
#: rules of elements whose tag means something else elsewhere, by what they are in
INSIDE: dict[str, Mapping[str, Rule]] = {
    "equality": equality.INSIDE,
    "sensor": sensor.SENSORS,
    "default": {**DEFAULT_RULES, "default": RULES["default"]},
    **tendon.PATH,
}
#: what default classes call the elements of a section
IN_CLASSES = {"equality": "equality", "tendon": "tendon"}

WITH_CLASS: dict[str, Callable[[Node, DefaultClasses], Element]] = {
    "asset": read_asset,
    "contact": read_contact,
    "equality": read_equality,
    "tendon": read_tendon,
    "actuator": read_actuator,
    "deformable": read_deformable,
}
WITHOUT_CLASS: dict[str, Callable[[Node], Element]] = {
    "sensor": read_sensor,
    "custom": read_datum,
    "keyframe": read_key,
    "skin": read_bone,
    **dict.fromkeys(SOFTS, read_hold),
    "tuple": read_entry,
    "material": read_layer,
    "spatial": lambda node: read_step(node, "spatial"),
    "fixed": lambda node: read_step(node, "fixed"),
    "default": lambda node: read_class(node) if node.tag == "default" else read_default(node),
}


def rule_of(element: Element) -> Rule:
    """The grammar's row for an element where it is."""
    around = "" if element.parent is None else element.parent.tag
    return INSIDE.get(around, RULES)[element.tag]


def read_one(
    node: Node, parent: Element | None, classes: DefaultClasses, replaced: Element | None = None
) -> Element:
    """The element of a node inside another element; a section when there is none around it.

    `replaced` is the element whose place it takes, if any.
    """
    around = "" if parent is None else parent.tag
    if parent is not None and around in TREE:
        return read_element(node, Known(classes), class_around(parent), _holder(parent, replaced))
    if around in WITH_CLASS:
        return WITH_CLASS[around](node, classes)
    if around in WITHOUT_CLASS:
        return WITHOUT_CLASS[around](node)
    rule = RULES[node.tag]
    check_children(node, rule)
    return resolved(node, rule, read_attributes(node, rule), {})


def check_place(node: Node, parent: Element) -> None:
    """Refuse a node that cannot stand in an element, or not once more."""
    rule = rule_of(parent)
    once = rule.children.get(node.tag) == "?"
    twins = parent.children_of(node.tag) if once else ()
    others = [Node(one.tag, one.where, {}) for one in twins]
    check_children(Node(parent.tag, parent.where, {}, [*others, node]), rule)


def lay_over_class(element: Element, classes: DefaultClasses) -> None:
    """Take the values of an element's class anew, after the class or its name changed."""
    around = "" if element.parent is None else element.parent.tag
    if around not in TREE and around not in WITH_CLASS:
        return
    name = class_around(element.parent)
    for attribute in ("class", "childclass"):
        given = element.attributes.get(attribute)
        if isinstance(given, str):
            name = classes.find(given, element.where, attribute)
    if around == "actuator":
        inherits: Mapping[str, Value] = inherited(element.tag, classes.actuator(name))
    else:
        inherits = classes.values(name, IN_CLASSES.get(around, element.tag))
    node = Node(element.tag, element.where, {})
    fresh = resolved(node, rule_of(element), element.own(), inherits)
    element.attributes, element.partial = fresh.attributes, fresh.partial
    element.defaults = special_values(element, element.attributes, fresh.defaults)


def _holder(parent: Element, replaced: Element | None) -> Holder:
    """What joints and inertia in an element belong to."""
    body = parent
    while body.tag == "frame" and body.parent is not None:
        body = body.parent
    pending = list(body.children)
    while pending:
        one = pending.pop()
        if one.tag == "inertial" and one is not replaced:
            return Holder(body.tag, one.where)
        if one.tag == "frame":
            pending += one.children
    return Holder(body.tag)
