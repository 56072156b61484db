"""`include`: another file's elements take the place of the element that names it."""

from __future__ import annotations

from collections import deque

from cortenforge.errors import MjcfError
from cortenforge.grammar.node import MAX_NESTING, TOO_DEEP, Node
from cortenforge.problems import mark_incomplete, raise_or_gather
from cortenforge.read.xml import parse_xml
from cortenforge.spec.files import Library, Source

MOST_FILES = 1000


def splice_includes(root: Node, main: Source, library: Library) -> None:
    """Replace every `include` below the root by the children of the included file's root.

    A file may be included once in a model; a second time is an error, and so is a loop.
    """
    included: dict[str, str] = {main.identity: main.label}
    pending: list[tuple[Node, int, tuple[str, ...]]] = [(root, 1, (main.label,))]
    while pending:
        node, depth, chain = pending.pop()
        if depth > MAX_NESTING:
            raise MjcfError(TOO_DEEP, node.where)
        waiting = deque((child, chain) for child in node.children)
        spliced: list[tuple[Node, tuple[str, ...]]] = []
        while waiting:
            child, child_chain = waiting.popleft()
            if child.tag != "include":
                spliced.append((child, child_chain))
                continue
            try:
                source = _included_source(child, library, included, child_chain)
                contents = _included_children(child, source)
            except MjcfError as problem:
                raise_or_gather(problem)
                mark_incomplete()
                continue
            longer = (*child_chain, source.label)
            waiting.extendleft((inner, longer) for inner in reversed(contents))
        node.children = [child for child, _ in spliced]
        pending.extend((child, depth + 1, chain) for child, chain in spliced)


def _included_source(
    node: Node, library: Library, included: dict[str, str], chain: tuple[str, ...]
) -> Source:
    """The file an `include` names, refused when the model already has it."""
    if node.children:
        raise MjcfError("include cannot have children", node.where)
    for name in node.attributes:
        if name != "file":
            raise MjcfError(
                f"include has no attribute '{name}'",
                node.where,
                attribute=name,
                got=node.attributes[name],
            )
    name = node.attributes.get("file", "")
    if not name:
        raise MjcfError("the required attribute 'file' is missing", node.where, attribute="file")
    source = library.find(name, node.folder, node.where)
    if source.identity in included:
        path = " -> ".join((*chain, source.label))
        kind = "include loop" if included[source.identity] in chain else "already included"
        raise MjcfError(
            f"{kind}: {path}",
            node.where,
            attribute="file",
            got=name,
            hint="a file can be included once in a model",
        )
    if len(included) >= MOST_FILES:
        raise MjcfError(f"more than {MOST_FILES} included files", node.where)
    included[source.identity] = source.label
    return source


def _included_children(node: Node, source: Source) -> list[Node]:
    """Children of the included document's root; the root itself is dropped, whatever its name."""
    children = parse_xml(source).children
    if not children:
        raise MjcfError(f"'{source.label}' has nothing to include", node.where)
    return children
