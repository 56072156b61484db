"""Fill the column of tests in docs/criteria.md from the docstrings of the tests.

python docs/build_criteria.py            write the page
python docs/build_criteria.py --check    exit 1 if the page is not what would be written

A test covers a criterion if its docstring names it, a benchmark if its list of limits does. To add
a criterion, add a row to the page with its name and what must hold; this script writes the third
column.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

PAGE = Path(__file__).with_name("criteria.md")
TESTS = Path(__file__).parents[1] / "tests"
#: the limits of `make bench`
BENCHMARKS = Path(__file__).parents[1] / "benchmarks" / "criteria.py"
#: 002-C4, 000.8-AC2, 6a-AC12, 10b
NAME = re.compile(r"\b(?:(?:\d{3}(?:\.\d+)?|\d{1,2}[a-z]?)-(?:AC|[A-Z])\d+|10[b-f])\b")
ROW = re.compile(r"^\| (\S+) \| (.*?) \|(.*)\|$")


def tests_by_criterion(folder: Path = TESTS) -> dict[str, list[str]]:
    """Tests whose docstrings name a criterion, as laws/test_rotation.py::test_symmetric_top."""
    found: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                place = f"{file.relative_to(folder).as_posix()}::{node.name}"
                for name in dict.fromkeys(NAME.findall(ast.get_docstring(node) or "")):
                    found.setdefault(name, []).append(place)
    return found


def benchmarked(file: Path = BENCHMARKS) -> set[str]:
    """Criteria that a benchmark measures, and names if they are missed."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.update(NAME.findall(node.value))
    return found


def criteria(text: str) -> dict[str, str]:
    """Names and sentences of the page's rows."""
    rows = (ROW.match(line) for line in text.splitlines())
    return {row[1]: row[2] for row in rows if row and NAME.fullmatch(row[1])}


def page(text: str, tests: dict[str, list[str]], measured: set[str]) -> str:
    """The page with its third column filled in."""
    lines = []
    for line in text.splitlines():
        row = ROW.match(line)
        if row and NAME.fullmatch(row[1]):
            places = [*tests.get(row[1], []), *(["make bench"] if row[1] in measured else [])]
            shown = "<br>".join(f"`{place}`" for place in places)
            line = f"| {row[1]} | {row[2]} | {shown} |"
        lines.append(line)
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write or check the page."""
    text = PAGE.read_text(encoding="utf-8")
    made = page(text, tests_by_criterion(), benchmarked())
    if "--check" in sys.argv:
        return int(made != text)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
