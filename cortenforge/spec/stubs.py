"""Type stubs for attributes of elements, made from the grammar."""

from __future__ import annotations

import keyword
from collections.abc import Iterator

from cortenforge.grammar.rule import Attribute, Kind
from cortenforge.grammar.rules import RULES
from cortenforge.spec.from_nodes.single import RULES_INSIDE

STUB_HEADER = '''"""Made from the grammar by `python -m cortenforge.spec.stubs`; do not edit."""

from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", covariant=True)

class Item(Generic[T]):
    """An attribute that is read as a type, and takes numbers, words, lists and arrays."""

    def __get__(self, element: object, kind: type | None = None) -> T: ...
    def __set__(self, element: object, value: Any) -> None: ...
    def __delete__(self, element: object) -> None: ...

class ElementAttributes:
    """Attributes that elements of MJCF can have."""

'''
#: what is said of every element by the class itself
OWN_METHODS = ("name",)
SCALAR_TYPES = {
    Kind.REAL: "float",
    Kind.SINGLE: "float",
    Kind.INTEGER: "int",
    Kind.BYTES: "int",
    Kind.BOOLEAN: "bool",
    Kind.KEYWORD: "str",
    Kind.KEYWORDS: "str",
    Kind.TEXT: "str",
}
#: so many elements are named that have an attribute
SHOWN_VALUES = 4
ARRAY_TYPES = {Kind.INTEGER: "NDArray[np.int64]"}


def attribute_annotation(attribute: Attribute) -> str:
    """The Python type of an attribute that somebody gives."""
    if attribute.kind in (Kind.REAL, Kind.SINGLE, Kind.INTEGER) and not attribute.scalar:
        return ARRAY_TYPES.get(attribute.kind, "NDArray[np.float64]")
    return SCALAR_TYPES[attribute.kind]


def _attributes() -> Iterator[tuple[str, Attribute]]:
    """Every attribute of every element, with the tag that has it."""
    for rules in (RULES, *RULES_INSIDE.values()):
        for tag, rule in rules.items():
            yield from ((tag, attribute) for attribute in rule.attributes.values())


def attribute_stub() -> str:
    """Text of `spec/declared.pyi`."""
    kinds: dict[str, set[str]] = {}
    tags: dict[str, set[str]] = {}
    for tag, attribute in _attributes():
        kinds.setdefault(attribute.name, set()).add(attribute_annotation(attribute))
        tags.setdefault(attribute.name, set()).add(tag)
        if attribute.default is None:
            kinds[attribute.name].add("None")
    lines = []
    for name in sorted(set(kinds) - set(OWN_METHODS)):
        # None comes last, as people write it
        kind = " | ".join(sorted(kinds[name], key=lambda one: (one == "None", one)))
        shown = sorted(tags[name])
        of = ", ".join(f"<{tag}>" for tag in shown[:SHOWN_VALUES])
        of += " and others" if len(shown) > SHOWN_VALUES else ""
        lines += [f"    {name}{'_' * keyword.iskeyword(name)}: Item[{kind}]", f'    """Of {of}."""']
    return STUB_HEADER + "\n".join(lines) + "\n"


if __name__ == "__main__":
    from pathlib import Path

    (Path(__file__).parent / "declared.pyi").write_text(attribute_stub())
