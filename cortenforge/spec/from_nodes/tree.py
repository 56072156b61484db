"""The kinematic tree: nodes below worldbody to elements, each with its default class resolved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cortenforge.errors import Location, MjcfError
from cortenforge.grammar.attributes import check_children, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rules import RULES
from cortenforge.problems import attempt, each_valid
from cortenforge.spec.editing.attach import adopt_classes, attachment_namespace
from cortenforge.spec.element import MAIN, Element
from cortenforge.spec.from_nodes.class_overlay import element_over_class
from cortenforge.spec.from_nodes.classes import DefaultClasses
from cortenforge.spec.spec import Spec

JOINT_TAGS = ("joint", "freejoint")
HOLDER_KINDS = {"body": "body", "replicate": "replicate"}


@dataclass
class TreeHolder:
    """The owner of joints and inertia in a body and its frames: a body, or none."""

    kind: str
    inertial: Location | None = None


@dataclass
class TreeContext:
    """What elements of the tree can refer to: classes, and models to attach."""

    classes: DefaultClasses
    defaults: list[Element] = field(default_factory=list)
    models: Mapping[str, Spec] = field(default_factory=dict)


def tree_element(sections: Iterable[Node], known: TreeContext, where: Location) -> Element:
    """All worldbody sections as one element."""
    world = Element("worldbody", where, fallback=RULES["worldbody"].fallback)
    for section in sections:
        read_attributes(section, RULES["worldbody"])
        check_children(section, RULES["worldbody"])
        holder = TreeHolder("worldbody")
        world.children += each_valid(subtree_element, section.children, known, MAIN, holder)
    return world


def subtree_element(
    node: Node, known: TreeContext, inherited_class: str, holder: TreeHolder
) -> Element:
    """One element and all below it; inherited_class: childclass of the elements around it."""
    element, *inside = _tree_element_without_children(node, known, inherited_class, holder)
    # no recursion: documents may be deeper than Python's stack
    waiting = [(child, element, inside) for child in reversed(node.children)]
    while waiting:
        inner, parent, around = waiting.pop()
        made = attempt(_tree_element_without_children, inner, known, *around)
        if made is not None:
            parent.children.append(made[0])
            waiting += [(child, made[0], list(made[1:])) for child in reversed(inner.children)]
    return element


def _tree_element_without_children(
    node: Node, known: TreeContext, inherited_class: str, holder: TreeHolder
) -> tuple[Element, str, TreeHolder]:
    """An element without its children, and the class and holder that these have."""
    rule = RULES[node.tag]
    _check_holder(node, holder)
    check_children(node, rule)
    given = read_attributes(node, rule)
    own_class = inherited_class
    for attribute in ("class", "childclass"):
        name = given.get(attribute)
        if isinstance(name, str):
            own_class = known.classes.find(name, node.where, attribute)
    element = element_over_class(node, rule, given, known.classes.values(own_class, node.tag))
    if node.tag == "attach":
        _adopt_attached_classes(element, known)
    inner = holder if node.tag == "frame" else TreeHolder(HOLDER_KINDS.get(node.tag, ""))
    return element, own_class, inner


def _adopt_attached_classes(attach: Element, known: TreeContext) -> None:
    """Add the default classes of an attached model, for elements after the attachment."""
    child = known.models.get(str(attach["model"]))
    if child is not None:
        space = attachment_namespace(None, child, str(attach["prefix"]))
        adopt_classes(known.classes, known.defaults, child, space)


def _check_holder(node: Node, holder: TreeHolder) -> None:
    """Joints and inertia belong to bodies: not to the world, not to a replicate directly."""
    if node.tag not in (*JOINT_TAGS, "inertial"):
        return
    if holder.kind != "body":
        owner = "the world body" if holder.kind == "worldbody" else "replicate"
        raise MjcfError(
            f"{owner} cannot have a <{node.tag}>",
            node.where,
            hint=f"put the <{node.tag}> in a <body>",
        )
    if node.tag == "inertial":
        if holder.inertial is not None:
            raise MjcfError(
                f"this body already has an <inertial> at line {holder.inertial.line}", node.where
            )
        holder.inertial = node.where
