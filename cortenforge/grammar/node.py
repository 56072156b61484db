"""Nodes: elements with attributes as text, before they are parsed by the grammar."""

from __future__ import annotations

from dataclasses import dataclass, field

from cortenforge.errors import Location

# MuJoCo's XML library stops at nearly the same depth
MAX_NESTING = 500
TOO_DEEP = f"elements are nested deeper than {MAX_NESTING} levels"


@dataclass(eq=False)
class Node:
    """One XML element: untyped attributes, place, children in document order."""

    tag: str
    where: Location
    attributes: dict[str, str]
    children: list[Node] = field(default_factory=list)
    cdata: str | None = None
    folder: str = ""

    def names(self) -> list[str]:
        """What others may call this node and those below it: names and default classes."""
        found: list[str] = []
        waiting = [self]
        while waiting:
            node = waiting.pop()
            found += [node.attributes[key] for key in ("name", "class") if key in node.attributes]
            waiting += node.children
        return found
