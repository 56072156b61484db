"""Write the tables of docs/glossary.md that follow from the sources.

python docs/build_glossary.py            write the page
python docs/build_glossary.py --check    exit 1 if the page is not what would be written

The table of MuJoCo's functions is made of the docstrings of kernels and functions that say
`Mirrors mj_xxx`. The table of terms is written by hand: a term and the file that implements it. A
test holds that the term stands in the file's name or in its header.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "glossary.md"
BEGIN, END = "<!-- mirrors -->\n", "<!-- /mirrors -->\n"
#: functions of MuJoCo's C sources, static ones included
NAME = r"(?:mj[a-z]*_\w+|mjcb_\w+|[a-z]+[A-Z_]\w+|multicontact|gjk|epa\w*|addedMass\w*)"
SENTENCE = re.compile(rf"Mirrors ((?:{NAME}(?:,? and |, )?)+)")
ROW = re.compile(r"^\| (.+?) \| `(cortenforge/\S+?)` \|$", re.MULTILINE)


def mirrored(text: str) -> Iterator[str]:
    """Names of MuJoCo's functions that a docstring says it mirrors."""
    for sentence in SENTENCE.findall(" ".join(text.split())):
        yield from re.findall(NAME, sentence)


def functions() -> Iterator[tuple[str, str, str]]:
    """MuJoCo's function, the file and the function here; of a whole module, no function."""
    for file in sorted((ROOT / "cortenforge").rglob("*.py")):
        place = file.relative_to(ROOT).as_posix()
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
                name = "" if isinstance(node, ast.Module) else node.name
                for found in mirrored(ast.get_docstring(node) or ""):
                    yield found, place, name


def table() -> str:
    """One row for each of MuJoCo's functions: where it is here."""
    rows: dict[str, dict[str, list[str]]] = {}
    for found, place, name in functions():
        names = rows.setdefault(found, {}).setdefault(place, [])
        if name and name not in names:
            names.append(name)
    lines = ["| MuJoCo | file | functions |", "| --- | --- | --- |"]
    for found in sorted(rows, key=str.lower):
        for place, names in sorted(rows[found].items()):
            shown = ", ".join(f"`{name}`" for name in names)
            lines.append(f"| `{found}` | `{place}` | {shown} |")
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """The page with its generated table."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table() + END + after


def terms(text: str) -> list[tuple[str, str]]:
    """Terms written by hand, and the file each of them is in."""
    return ROW.findall(text.partition(BEGIN)[0])


def main() -> int:
    """Write or check the page."""
    text = PAGE.read_text(encoding="utf-8")
    made = page(text)
    if "--check" in sys.argv:
        return int(made != text)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
