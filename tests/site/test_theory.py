"""The pages of theory name the files that implement them, and these files name the pages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(file for file in (ROOT / "docs" / "theory").glob("*.md") if file.stem != "index")
LINK = re.compile(r"\]\((\.\./\.\./cortenforge/[\w/]+\.py)\)")


def sections(page: Path) -> dict[str, str]:
    """Text of each section by its title."""
    parts = re.split(r"^## (.*)\n", page.read_text(encoding="utf-8"), flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_sections_name_their_files(page: Path) -> None:
    """Every section has a link to the source of what it says."""
    found = sections(page)
    assert len(found) >= 3
    for title, text in found.items():
        assert LINK.search(text), f"{page.name}, {title}: no file"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_files_name_the_page(page: Path) -> None:
    """The header of each file leads back."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        file = (page.parent / target).resolve()
        header = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        assert f"docs/theory/{page.name}" in header, file
