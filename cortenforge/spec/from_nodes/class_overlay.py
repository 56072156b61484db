"""An element with the values of its default class."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cortenforge.grammar.attributes import merge_with_inherited
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Rule, Value
from cortenforge.spec.element import Element


def element_over_class(
    node: Node, rule: Rule, given: Mapping[str, Value], inherited: Mapping[str, Value]
) -> Element:
    """The element of a node: its own values over those of its default class."""
    values, defaults = merge_with_inherited(rule, given, inherited)
    element = Element(node.tag, node.where, values, defaults, fallback=rule.fallback)
    for name, value in given.items():
        # only a list that was completed is another object than the one that was given
        if values[name] is not value and isinstance(value, np.ndarray):
            element.partial[name] = len(value)
    return element
