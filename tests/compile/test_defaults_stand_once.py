"""What an attribute is when nobody gives it, the grammar says, and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from cortenforge.grammar.rules import RULES
from cortenforge.grammar.tables import equality, sensor, tendon

PACKAGE = Path(__file__).parents[2] / "cortenforge"
#: where the default is among the arguments of a function that reads an attribute
READERS = {"number": 2, "integer": 2, "flag": 2, "keyword": 2, "numbers": 2, "keyword_code": 3}
TABLES = (RULES, sensor.SENSORS, equality.INSIDE, *tendon.PATH.values())

FILES = [
    file
    for folder in ("compile", "spec", "write")
    for file in sorted((PACKAGE / folder).rglob("*.py"))
]


def has_default(name: str) -> bool:
    """True when every element that can have an attribute has a default for it."""
    rules = (rule for table in TABLES for rule in table.values() if name in rule.attributes)
    values = [rule.attributes[name].default for rule in rules]
    return bool(values) and all(value is not None for value in values)


def is_worked_out(default: ast.expr) -> bool:
    """True for what is taken from elsewhere, as `usual("general", "gear")` is."""
    kinds = (ast.Call, ast.Attribute, ast.Subscript)
    return any(isinstance(inner, kinds) for inner in ast.walk(default))


def second_defaults(tree: ast.AST) -> Iterator[str]:
    """Calls that give a default for an attribute that has one already."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        place = READERS.get(node.func.id)
        if place is None or len(node.args) < 2:
            continue
        given = [*node.args[place:], *(one.value for one in node.keywords)]
        name = node.args[1]
        known = isinstance(name, ast.Constant) and has_default(str(name.value))
        if given and known and not is_worked_out(given[0]):
            yield ast.unparse(node)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_defaults_stand_once(file: Path) -> None:
    """No reader of an attribute repeats the default that the grammar has for it."""
    assert list(second_defaults(ast.parse(file.read_text(encoding="utf-8")))) == []
