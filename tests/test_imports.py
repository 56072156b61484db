"""Imports point one way: the graph of docs/architecture.md, held against the sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PACKAGE = "cortenforge"

Edge = tuple[str, str]


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(file): file for file in sorted((ROOT / PACKAGE).rglob("*.py"))}


#: parts whose folders and files are rooms of their own
DIVIDED = {"kernel", "step"}


def room_of(module: str) -> str:
    """The part of the package that a module is in; `kernel` and `step` are divided further."""
    parts = module.split(".")[1:]
    if not parts:
        return PACKAGE
    return ".".join(parts[:2]) if parts[0] in DIVIDED else parts[0]


def is_for_annotations(node: ast.AST) -> bool:
    test = node.test if isinstance(node, ast.If) else None
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def imported(node: ast.AST) -> Iterator[str]:
    """Modules of the package that a statement imports; inside functions it counts as well."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0 and node.module, "modules are named in full"
        whole = [f"{node.module}.{alias.name}" for alias in node.names]
        names = [name if name in FILES else node.module for name in whole]
    else:
        return
    yield from (name for name in names if name.split(".")[0] == PACKAGE)


@cache
def edges(*, annotations: bool) -> dict[Edge, str]:
    """Which room imports which, each with one place; for annotations only, or for use."""
    found: dict[Edge, str] = {}
    for module, file in FILES.items():
        tree = ast.parse(file.read_text(encoding="utf-8"))
        guarded = [node for node in ast.walk(tree) if is_for_annotations(node)]
        apart = {id(inner) for node in guarded for inner in ast.walk(node)}
        for node in ast.walk(tree):
            for name in imported(node) if (id(node) in apart) == annotations else ():
                edge = room_of(module), room_of(name)
                if edge[0] != edge[1]:
                    found.setdefault(edge, f"{module}, line {getattr(node, 'lineno', 0)}")
    return found


def declared(title: str) -> dict[str, list[str]]:
    """The rows of the block below a title of the page: a room, and the rooms that it imports.

    A row goes on in lines that begin with a space.
    """
    block = re.search(
        rf"^### {title}\n.*?```\n(.*?)```", PAGE.read_text(), re.MULTILINE | re.DOTALL
    )
    assert block, title
    lines = re.sub(r"\n +", " ", block[1]).splitlines()
    rows = [line.partition("←") for line in lines if line.strip()]
    table = {room.strip(): names.replace(",", " ").split() for room, _, names in rows}
    assert len(table) == len(rows), f"a room stands twice under {title}"
    return table


def as_edges(table: dict[str, list[str]]) -> set[Edge]:
    return {(room, name) for room, names in table.items() for name in names}


ORDER = declared("The graph")
NAMED = as_edges(declared("In annotations only"))


def test_every_room_is_on_the_page() -> None:
    """The page lists every part of the package, and nothing else."""
    assert set(ORDER) == {room_of(module) for module in FILES}


@pytest.mark.parametrize("room", ORDER)
def test_imports_are_declared(room: str) -> None:
    """A room imports what the page says that it imports: nothing more, nothing less."""
    every = edges(annotations=True) | edges(annotations=False)
    used = {edge: place for edge, place in every.items() if edge[0] == room}
    allowed = {edge for edge in as_edges(ORDER) | NAMED if edge[0] == room}
    more = {f"{edge[1]} ({place})" for edge, place in used.items() if edge not in allowed}
    assert not more, f"{room} imports {more}, which docs/architecture.md does not say"
    assert allowed <= set(used), f"{room} no longer imports {allowed - set(used)}"


def test_names_in_annotations_stay_there() -> None:
    """What goes against the direction for the sake of annotations is not used otherwise."""
    assert not NAMED & set(edges(annotations=False))


def test_imports_point_one_way() -> None:
    """A room imports rooms that stand above it on the page, so there is no ring."""
    above: set[str] = set()
    for room, names in ORDER.items():
        assert not set(names) - above, f"{room} imports {set(names) - above} from below"
        above.add(room)
