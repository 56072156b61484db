"""The custom section: numeric arrays, texts and tuples that a model carries for its users."""

from __future__ import annotations

import numpy as np

from cortenforge.errors import MjcfError
from cortenforge.grammar.attributes import check_children, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import read_only_array
from cortenforge.grammar.rules import RULES
from cortenforge.grammar.tables.option import MOST_NUMERIC
from cortenforge.problems import all_or_none, each_valid
from cortenforge.spec.element import Element

CustomElements = tuple[list[Element], list[Element], list[Element]]


def custom_elements(sections: list[Node]) -> CustomElements:
    """Numerics, texts and tuples of all custom sections, each in document order."""
    found: dict[str, list[Element]] = {"numeric": [], "text": [], "tuple": []}
    for section in sections:
        read_attributes(section, RULES["custom"])
        check_children(section, RULES["custom"])
        for element in each_valid(custom_element, section.children):
            found[element.tag].append(element)
    return found["numeric"], found["text"], found["tuple"]


def custom_element(node: Node) -> Element:
    """One numeric, text or tuple."""
    check_children(node, RULES[node.tag])
    return {"numeric": _numeric_element, "text": _text_element, "tuple": _tuple_element}[node.tag](
        node
    )


def key_element(node: Node) -> Element:
    """One keyframe."""
    rule = RULES["key"]
    check_children(node, rule)
    return Element(node.tag, node.where, read_attributes(node, rule), fallback=rule.fallback)


def tuple_entry_element(node: Node) -> Element:
    """One object of a tuple."""
    rule = RULES["element"]
    check_children(node, rule)
    return Element(node.tag, node.where, read_attributes(node, rule), fallback=rule.fallback)


def _numeric_element(node: Node) -> Element:
    """An array; `size` is always there, `data` may be shorter and is padded with zeros later."""
    values = read_attributes(node, RULES["numeric"])
    data = values.setdefault("data", read_only_array(()))
    count = len(data) if isinstance(data, np.ndarray) else 0
    size = values.setdefault("size", count)
    if size == 0:
        raise MjcfError(
            "a numeric needs a size or data",
            node.where,
            attribute="data",
            got=node.attributes.get("data"),
        )
    if not isinstance(size, int) or count > size:
        raise MjcfError(
            f"data has {count} numbers, more than size {size}",
            node.where,
            attribute="size",
            got=size,
        )
    if size > MOST_NUMERIC:
        raise MjcfError(f"more than {MOST_NUMERIC} numbers", node.where, attribute="data")
    return Element("numeric", node.where, values)


def _text_element(node: Node) -> Element:
    """A text, from its attribute or from a CDATA section."""
    values = read_attributes(node, RULES["text"])
    if node.cdata is not None:
        if "data" in values:
            raise MjcfError(
                "text is given both as attribute and as CDATA",
                node.where,
                attribute="data",
                got=values["data"],
            )
        values["data"] = node.cdata
    if not values.get("data"):
        raise MjcfError("the text is empty", node.where, attribute="data", got=values.get("data"))
    return Element("text", node.where, values)


def _tuple_element(node: Node) -> Element:
    """A list of objects; its elements are children."""
    values = read_attributes(node, RULES["tuple"])
    if not node.children:
        raise MjcfError("the tuple is empty", node.where)
    found = Element("tuple", node.where, values)
    found.children = all_or_none(tuple_entry_element, node.children)
    return found
