"""Check attributes and children of a node against its rule; merge values with inherited ones."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cortenforge.errors import Location, MjcfError
from cortenforge.grammar.attribute_values import parse_value
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Rule, Value, read_only_array
from cortenforge.grammar.rules import LATER_SECTIONS, possible_parents
from cortenforge.grammar.tables.body import ORIENTATIONS
from cortenforge.grammar.unsupported import removed_element_error, unsupported_element_error
from cortenforge.problems import attempt, raise_or_gather
from cortenforge.suggest import did_you_mean

EULER_LETTERS = frozenset("xyzXYZ")


def read_attributes(node: Node, rule: Rule) -> dict[str, Value]:
    """Typed values of the attributes that a node itself has."""
    given: dict[str, Value] = {}
    for name, text in node.attributes.items():
        attribute = rule.attributes.get(name)
        try:
            if attribute is None:
                raise _attribute_error(node, rule, name, text)
            value = parse_value(attribute, text, node.where)
        except MjcfError as problem:
            raise_or_gather(problem)
            continue
        if value is not None:
            given[name] = value
    attempt(_check_exclusive, node, rule, given)
    attempt(_check_element, node, given)
    _check_required(node, rule, given)
    return given


def check_children(node: Node, rule: Rule) -> None:
    """Refuse children that the rule does not allow, and repeated ones that must be unique."""
    seen: dict[str, Location] = {}
    refused: list[Node] = []
    for child in node.children:
        occurrence = rule.children.get(child.tag)
        if occurrence is None:
            raise_or_gather(_child_error(child, rule), left_out=child.names())
            refused.append(child)
        elif occurrence == "?" and child.tag in seen:
            message = f"only one <{child.tag}> is allowed in <{node.tag}>; the first is at line "
            problem = MjcfError(f"{message}{seen[child.tag].line}", child.where)
            raise_or_gather(problem, left_out=child.names())
            refused.append(child)
        seen[child.tag] = child.where
    if refused:
        node.children = [child for child in node.children if child not in refused]


def refuse_unsupported_section(node: Node) -> None:
    """A section that is not supported yet is refused at its first element; empty, it is allowed."""
    for name, text in node.attributes.items():
        raise_or_gather(_unknown_attribute(node, [], name, text))
    for child in node.children:
        known = LATER_SECTIONS[node.tag]
        problem = unsupported_element_error(child, node.tag)
        if child.tag not in known:
            problem = _unknown_element(child, node.tag, list(known))
        raise_or_gather(problem, left_out=child.names())


def merge_with_inherited(
    rule: Rule, given: Mapping[str, Value], inherited: Mapping[str, Value]
) -> tuple[dict[str, Value], Mapping[str, Value]]:
    """(values of a node, completed from inherited ones; inherited values that still count).

    A list that may be given in part keeps the inherited tail, as MuJoCo writes the given numbers
    over the inherited ones.  An orientation replaces an inherited one in any notation.
    """
    completed = dict(given)
    for name, value in given.items():
        if not rule.attributes[name].partial:
            continue
        base = inherited.get(name, rule.attributes[name].default)
        if isinstance(base, np.ndarray) and isinstance(value, np.ndarray):
            full = base.copy()
            full[: len(value)] = value
            full.setflags(write=False)
            completed[name] = full
    if any(name in given for name in ORIENTATIONS):
        inherited = {k: v for k, v in inherited.items() if k not in ORIENTATIONS}
    return completed, inherited


def _check_required(node: Node, rule: Rule, given: Mapping[str, Value]) -> None:
    for attribute in rule.attributes.values():
        if attribute.required and attribute.name not in given:
            raise MjcfError(
                f"the required attribute '{attribute.name}' is missing",
                node.where,
                attribute=attribute.name,
                got=node.attributes.get(attribute.name),
            )


def _check_exclusive(node: Node, rule: Rule, given: Mapping[str, Value]) -> None:
    for group in rule.exclusive:
        present = [name for name in group if name in given]
        # orientations exclude one another, and inertial's fullinertia excludes them all
        if len(present) > 1:
            raise MjcfError(
                f"only one of {', '.join(group)} can be given, found {' and '.join(present)}",
                node.where,
                attribute=present[1],
                got=node.attributes[present[1]],
            )


def _check_element(node: Node, given: dict[str, Value]) -> None:
    """Checks that belong to single attributes and that a table row does not express."""
    quat = given.get("quat")
    if isinstance(quat, np.ndarray) and not quat.any():
        raise MjcfError(
            "a zero quaternion has no orientation",
            node.where,
            attribute="quat",
            got=node.attributes["quat"],
        )
    if given.get("coordinate") == "global":
        raise MjcfError(
            "global coordinates are no longer part of MJCF",
            node.where,
            attribute="coordinate",
            got="global",
        )
    sequence = given.get("eulerseq")
    if isinstance(sequence, str) and (len(sequence) != 3 or not EULER_LETTERS.issuperset(sequence)):
        raise MjcfError(
            "expected three of the letters x, y, z, X, Y, Z",
            node.where,
            attribute="eulerseq",
            got=sequence,
        )
    # one folder for all assets, which the narrower attributes of the same element replace
    if node.tag == "compiler" and "assetdir" in given:
        for folder in ("meshdir", "texturedir"):
            given.setdefault(folder, given["assetdir"])
    # one rest length of a tendon's spring stands for both ends of its slack
    length = given.get("springlength")
    if isinstance(length, np.ndarray) and len(length) == 1:
        given["springlength"] = read_only_array((length[0], length[0]))
    # the older way to write a light's type
    if node.tag == "light" and "directional" in given:
        given["type"] = "directional" if given.pop("directional") else "spot"


def _attribute_error(node: Node, rule: Rule, name: str, text: str) -> MjcfError:
    if name in rule.later_attributes:
        return MjcfError(
            f"{node.tag}/{name} is not supported yet", node.where, attribute=name, got=text
        )
    return _unknown_attribute(node, list(rule.attributes), name, text, rule.instead.get(name))


def _unknown_attribute(
    node: Node, known: list[str], name: str, text: str, hint: str | None = None
) -> MjcfError:
    message = f"<{node.tag}> has no attribute '{name}'"
    if not known:
        message = f"<{node.tag}> has no attributes"
    hint = hint or did_you_mean(name, known)
    return MjcfError(message, node.where, attribute=name, got=text, hint=hint)


def _child_error(child: Node, rule: Rule) -> MjcfError:
    if child.tag in rule.later_children:
        return unsupported_element_error(child, rule.tag)
    if child.tag in rule.removed_children:
        return removed_element_error(child)
    return _unknown_element(child, rule.tag, [*rule.children, *rule.later_children])


def _unknown_element(child: Node, parent: str, known: list[str]) -> MjcfError:
    places = possible_parents(child.tag)
    if places:
        hint = "it belongs in " + " or ".join(f"<{place}>" for place in places[:4])
        return MjcfError(f"<{child.tag}> cannot be in <{parent}>", child.where, hint=hint)
    return MjcfError(
        f"unknown element <{child.tag}> in <{parent}>",
        child.where,
        hint=did_you_mean(child.tag, known),
    )
