"""The glossary says where things are, and is right."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))
import build_glossary  # noqa: E402

TEXT = build_glossary.PAGE.read_text(encoding="utf-8")
TERMS = build_glossary.terms(TEXT)
#: words that carry no meaning of their own
SMALL = {"a", "an", "of", "the", "by", "to", "and", "s", "step"}


def words(text: str) -> set[str]:
    """Words of a text in lower case, without plural endings."""
    plain = "".join(c if c.isalnum() else " " for c in text.lower())
    return {word.removesuffix("s") for word in plain.split()}


def test_the_table_of_functions_is_current() -> None:
    """docs/glossary.md lists MuJoCo's functions as the docstrings name them: make docs."""
    assert build_glossary.page(TEXT) == TEXT
    assert sum(1 for _ in build_glossary.functions()) > 200


def test_mirrored_functions_are_found() -> None:
    """Names are read from sentences, also over lines and in lists."""
    text = "Cost.  Mirrors mj_sensorPos,\n    mj_sensorVel and mj_sensorAcc. Mirrors getimpedance."
    found = list(build_glossary.mirrored(text))
    assert found[:3] == ["mj_sensorPos", "mj_sensorVel", "mj_sensorAcc"]


def test_there_are_enough_terms() -> None:
    """An engineer finds the usual things."""
    assert len(TERMS) >= 25


@pytest.mark.parametrize(("term", "place"), TERMS, ids=[term for term, _ in TERMS])
def test_a_term_stands_in_its_file(term: str, place: str) -> None:
    """Each term of a row stands in the file's name or in its header."""
    file = ROOT / place
    header = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    known = words(file.stem) | words(header)
    for part in term.split(","):
        missing = words(part) - SMALL - known
        assert not missing, f"{place} says nothing of {missing}"
