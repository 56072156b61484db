"""The custom section: numeric arrays, texts and tuples that a model carries for its users."""

from __future__ import annotations

import numpy as np

from cortenforge.errors import MjcfError
from cortenforge.grammar.attributes import check_children, read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import fixed
from cortenforge.grammar.rules import RULES
from cortenforge.grammar.tables.option import MOST_NUMERIC
from cortenforge.problems import each, whole
from cortenforge.spec.element import Element

Customs = tuple[list[Element], list[Element], list[Element]]


def read_custom(sections: list[Node]) -> Customs:
    """Numerics, texts and tuples of all custom sections, each in document order."""
    found: dict[str, list[Element]] = {"numeric": [], "text": [], "tuple": []}
    for section in sections:
        read_attributes(section, RULES["custom"])
        check_children(section, RULES["custom"])
        for element in each(read_datum, section.children):
            found[element.tag].append(element)
    return found["numeric"], found["text"], found["tuple"]


def read_datum(node: Node) -> Element:
    """One numeric, text or tuple."""
    check_children(node, RULES[node.tag])
    return {"numeric": _numeric, "text": _text, "tuple": _tuple}[node.tag](node)


def read_key(node: Node) -> Element:
    """One keyframe."""
    rule = RULES["key"]
    check_children(node, rule)
    return Element(node.tag, node.where, read_attributes(node, rule), fallback=rule.fallback)


def read_entry(node: Node) -> Element:
    """One object of a tuple."""
    rule = RULES["element"]
    check_children(node, rule)
    return Element(node.tag, node.where, read_attributes(node, rule), fallback=rule.fallback)


def _numeric(node: Node) -> Element:
    """An array; `size` is always there, `data` may be shorter and is padded with zeros later."""
    values = read_attributes(node, RULES["numeric"])
    data = values.setdefault("data", fixed(()))
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


def _text(node: Node) -> Element:
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


def _tuple(node: Node) -> Element:
    """A list of objects; its elements are children."""
    values = read_attributes(node, RULES["tuple"])
    if not node.children:
        raise MjcfError("the tuple is empty", node.where)
    found = Element("tuple", node.where, values)
    found.children = whole(read_entry, node.children)
    return found
