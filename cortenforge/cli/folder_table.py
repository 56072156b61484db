"""Model files in a folder: which there are, of which format, and what they describe."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from cortenforge.cli.options import MODEL_FILES
from cortenforge.errors import MjcfError

if TYPE_CHECKING:
    from cortenforge.grammar.node import Node

__all__ = ["list_models"]

#: rows of a listing, and how deep it goes: a home folder is no folder of models
MAX_ROWS = 200
MAX_DEPTH = 4


def list_models(folder: Path) -> tuple[Table, int]:
    """A line for each model in a folder and in those below it; how many there are beside."""
    table = Table(header_style="bold")
    table.add_column("file", overflow="fold")
    for column in ("format", "name"):
        table.add_column(column)
    for column in ("bodies", "joints", "actuators"):
        table.add_column(column, justify="right")
    left = 0
    for path in _files(folder, 0):
        row = _row(path)
        if row is None:
            continue
        if table.row_count == MAX_ROWS:
            left += 1
        else:
            table.add_row(escape(str(path)), *map(escape, row))
    return table, left


def _files(folder: Path, depth: int) -> Iterator[Path]:
    """Files that may be models, those of the folder itself first; links to folders are left."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except PermissionError:
        return
    seen = [entry for entry in entries if not entry.name.startswith(".")]
    for entry in seen:
        if entry.is_file() and entry.name.lower().endswith(MODEL_FILES):
            yield Path(entry.path)
    for entry in seen:
        if depth < MAX_DEPTH and entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path), depth + 1)


def _row(path: Path) -> list[str] | None:
    """Format, name and counts as they stand in the file; None for what is no model by itself."""
    from cortenforge.read.document import open_model
    from cortenforge.read.xml import parse_xml

    try:
        root = parse_xml(open_model(path, sandbox=False), loose=True)
    except MjcfError as error:
        return [f"cannot be read: {error.message}", "", "", "", ""]
    if root.tag == "robot":
        counts = [_count([root], "link"), _count([root], "joint"), 0]
        return ["URDF", root.attributes.get("name", ""), *map(str, counts)]
    if root.tag != "mujoco":
        return None
    worlds = [node for node in root.children if node.tag == "worldbody"]
    drives = sum(len(node.children) for node in root.children if node.tag == "actuator")
    counts = [_count(worlds, "body"), _count(worlds, "joint", "freejoint"), drives]
    more = "+" if _count([root], "include", "attach", "replicate") else ""
    return ["MJCF", root.attributes.get("model", ""), *(f"{count}{more}" for count in counts)]


def _count(nodes: list[Node], *tags: str) -> int:
    """How many elements below some are called like this."""
    count, waiting = 0, list(nodes)
    while waiting:
        children = waiting.pop().children
        count += sum(node.tag in tags for node in children)
        waiting += children
    return count
