"""Contact, equality and tendon sections to elements, each with its default class resolved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cortenforge.errors import MjcfError
from cortenforge.grammar.attributes import check_children, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Rule
from cortenforge.grammar.tables import contact as grammar_contact
from cortenforge.grammar.tables import equality as grammar_equality
from cortenforge.grammar.tables import tendon as grammar_tendon
from cortenforge.problems import all_or_none, each_valid
from cortenforge.spec.element import MAIN, Element
from cortenforge.spec.from_nodes.class_overlay import element_over_class
from cortenforge.spec.from_nodes.classes import DefaultClasses

BODY_ENDS = ("body1", "body2", "anchor", "relpose")
SITE_ENDS = ("site1", "site2")


@dataclass
class WiringElements:
    """Elements of contacts, equalities and tendons, in document order."""

    contact: list[Element] = field(default_factory=list)
    equality: list[Element] = field(default_factory=list)
    tendon: list[Element] = field(default_factory=list)


def wiring_elements(sections: Mapping[str, list[Node]], classes: DefaultClasses) -> WiringElements:
    """All contact, equality and tendon sections."""
    contacts = _section_nodes(sections.get("contact", []), grammar_contact.CONTACT)
    equalities = _section_nodes(sections.get("equality", []), grammar_equality.EQUALITY)
    tendons = _section_nodes(sections.get("tendon", []), grammar_tendon.SECTION)
    return WiringElements(
        each_valid(contact_element, contacts, classes),
        each_valid(equality_element, equalities, classes),
        each_valid(tendon_element, tendons, classes),
    )


def _section_nodes(sections: Iterable[Node], rule: Rule) -> Iterable[Node]:
    for section in sections:
        read_attributes(section, rule)
        check_children(section, rule)
        yield from section.children


def _element_of_class(node: Node, rule: Rule, classes: DefaultClasses, kind: str) -> Element:
    """One element; `kind` is what default classes call it."""
    given = read_attributes(node, rule)
    name = given.get("class", MAIN)
    own_class = classes.find(name, node.where, "class") if isinstance(name, str) else MAIN
    return element_over_class(node, rule, given, classes.values(own_class, kind))


def contact_element(node: Node, classes: DefaultClasses) -> Element:
    """A pair of geoms to check, or of bodies to leave out."""
    rule = grammar_contact.RULES[node.tag]
    check_children(node, rule)
    return _element_of_class(node, rule, classes, node.tag)


def equality_element(node: Node, classes: DefaultClasses) -> Element:
    """An equality constraint."""
    rule = grammar_equality.INSIDE[node.tag]
    check_children(node, rule)
    element = _element_of_class(node, rule, classes, "equality")
    if node.tag in ("connect", "weld"):
        _check_equality_ends(element)
    return element


def tendon_element(node: Node, classes: DefaultClasses) -> Element:
    """A tendon; the steps of its path are children."""
    rule = grammar_tendon.RULES[node.tag]
    check_children(node, rule)
    tendon = _element_of_class(node, rule, classes, "tendon")
    # a fixed tendon is not drawn, and still has a width and a colour
    tendon.fallback = grammar_tendon.SPATIAL.fallback
    tendon.children = all_or_none(path_step_element, node.children, node.tag)
    return tendon


def path_step_element(node: Node, tendon: str) -> Element:
    """One step of the path of a tendon, "spatial" or "fixed"."""
    rule = grammar_tendon.PATH[tendon][node.tag]
    check_children(node, rule)
    return Element(node.tag, node.where, read_attributes(node, rule), fallback=rule.fallback)


def _check_equality_ends(element: Element) -> None:
    """Check that a connect or weld is between bodies or two sites, with all it needs."""
    bodies = [name for name in BODY_ENDS if name in element.attributes]
    sites = [name for name in SITE_ENDS if name in element.attributes]
    needed = ("body1", "anchor") if element.tag == "connect" else ("body1",)
    if bodies and sites:
        raise element.error(
            f"sites and bodies cannot be mixed: {' '.join(sites)} excludes {' '.join(bodies)}",
            bodies[0],
        )
    if len(sites) == 2 or all(name in bodies for name in needed):
        return
    missing = next(name for name in (SITE_ENDS if sites else needed) if not element.given(name))
    raise MjcfError(
        f"<{element.tag}> needs {' and '.join(needed)}, or site1 and site2",
        element.where,
        attribute=missing,
    )
