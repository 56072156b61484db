"""XML to a tree of nodes that remember the file and line they were written on.

Documents with a document type are refused before parsing, so there are no entities to expand and
nothing to fetch; size and depth are limited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from cortenforge.errors import Location, MjcfError
from cortenforge.grammar.node import MAX_NESTING, TOO_DEEP, Node
from cortenforge.problems import give_warning
from cortenforge.spec.files import Source

BOM = b"\xef\xbb\xbf"
CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
BLANK = b" \t\r\n"
# the beginning of an element, or something that may hold one that is none; what does not end goes
# on to the end of the file, so that nothing is looked at twice
TAG_OR_SKIPPED = re.compile(
    rb"<!--(?:.*?-->|.*)|<!\[CDATA\[(?:.*?\]\]>|.*)|<\?(?:.*?\?>|.*)|<(?![/!?])", re.DOTALL
)
# lxml finds a value, and a prefix, by going through all of them
MOST_ATTRIBUTES = 1000
MOST_NAMESPACES = 100


# line and column of an element
Start = tuple[int, int]


def parse_xml(source: Source, *, loose: bool = False) -> Node:
    """Root node of a document, or an error with the line at which the document is broken.

    Other languages than MJCF are `loose`: they have text between tags, which is left out, and
    namespaces, whose prefixes stay part of the names.
    """
    data = _checked_document(source)
    # huge_tree lifts libxml2's depth limit of 256, which a long chain of bodies exceeds; what it
    # protects against is kept out by the file size, the ban on document types and DEEPEST
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        dtd_validation=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        strip_cdata=False,
        huge_tree=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as problem:
        line = (problem.lineno or 1) + source.line - 1
        raise MjcfError(_parser_message(str(problem.msg)), Location(source.label, line)) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise _no_doctype(source, 1)
    return _node_tree(root, source, _element_starts(data, source.line), loose=loose)


def root_location(source: Source) -> Location:
    """Tag and line of the first element, whether or not the document can be parsed."""
    for match in TAG_OR_SKIPPED.finditer(source.data):
        if match[0] == b"<":
            name = re.match(rb"[^\s/>]*", source.data[match.end() :])
            tag = "" if name is None else name[0].decode("utf-8", "replace")
            line = source.data.count(b"\n", 0, match.start()) + source.line
            return Location(source.label, line, tag)
    return Location(source.label, source.line)


def _parser_message(problem: str) -> str:
    """The parser's complaint without the place, which the error carries itself."""
    if problem.startswith("Excessive depth"):
        return TOO_DEEP
    return "broken XML: " + re.sub(r", line \d+, column \d+.*$", "", problem)


def _checked_document(source: Source) -> bytes:
    """The document without byte order mark, checked to be UTF-8 text without a document type."""
    data = source.data.removeprefix(BOM)
    if not data.strip(BLANK):
        raise MjcfError("the document is empty", Location(source.label, source.line))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + source.line
        raise MjcfError("the document is not UTF-8 text", Location(source.label, line)) from None
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + source.line
        raise MjcfError("broken XML: a NUL character", Location(source.label, line))
    _refuse_doctype(data, source)
    return data


def _refuse_doctype(data: bytes, source: Source) -> None:
    """Walk over what may precede the root element and refuse a document type there."""
    at = 0
    while True:
        while at < len(data) and data[at] in BLANK:
            at += 1
        if data.startswith(b"<!DOCTYPE", at):
            raise _no_doctype(source, data[:at].count(b"\n") + source.line)
        if data.startswith(b"<?", at):
            end = data.find(b"?>", at)
        elif data.startswith(b"<!--", at):
            end = data.find(b"-->", at)
        else:
            return
        if end < 0:
            return
        at = end + 2 + data.startswith(b"-->", end)


def _no_doctype(source: Source, line: int) -> MjcfError:
    return MjcfError(
        "document types (DTD) and entities are not allowed", Location(source.label, line, "DOCTYPE")
    )


def _node_tree(
    root: etree._Element, source: Source, starts: Iterator[Start], *, loose: bool
) -> Node:
    """Copy lxml's tree into nodes, without recursion: documents may be deep."""
    made: dict[etree._Element, tuple[Node, int]] = {}
    for element, start in zip(root.iter("*"), starts, strict=True):
        node, depth = (_loose_node if loose else _strict_node)(element, source, start), 1
        parent = element.getparent()
        if parent is not None:
            above, depth_above = made[parent]
            above.children.append(node)
            depth = depth_above + 1
        if depth > MAX_NESTING:
            raise MjcfError(TOO_DEEP, node.where)
        made[element] = node, depth
    return made[root][0]


def _element_starts(data: bytes, line: int) -> Iterator[Start]:
    """Where each element begins, in document order; lxml knows on which line its tag ends."""
    counted, newline = 0, -1
    for match in TAG_OR_SKIPPED.finditer(data):
        if match[0] == b"<":
            line += data.count(b"\n", counted, match.start())
            newline = max(newline, data.rfind(b"\n", counted, match.start()))
            counted = match.start()
            yield line, counted - newline


def _strict_node(element: etree._Element, source: Source, start: Start) -> Node:
    name = element.attrib.get("name", "")
    tag = str(element.tag)
    where = _element_location(source, start, tag.rpartition("}")[2], str(name))
    _check_attributes(element, where)
    if "}" in tag or element.nsmap or any("}" in str(key) for key in element.attrib):
        raise MjcfError("XML namespaces are not part of MJCF", where)
    cdata = _loose_text(element, where)
    attributes = {str(key): str(value) for key, value in element.attrib.items()}
    return Node(tag, where, attributes, cdata=cdata, folder=source.folder)


def _check_attributes(element: etree._Element, where: Location) -> None:
    count = len(element.attrib)
    if count > MOST_ATTRIBUTES:
        raise MjcfError(f"{count} attributes; at most {MOST_ATTRIBUTES} are read", where)


def _loose_node(element: etree._Element, source: Source, start: Start) -> Node:
    """A node of a document with text and namespaces."""
    local = str(element.tag).rpartition("}")[2]
    tag = f"{element.prefix}:{local}" if element.prefix else local
    where = _element_location(source, start, tag, str(element.attrib.get("name", "")))
    _check_attributes(element, where)
    prefixes = _prefixes(element, where)
    attributes = {_prefixed(str(key), prefixes): str(v) for key, v in element.attrib.items()}
    return Node(tag, where, attributes, folder=source.folder)


def _prefixes(element: etree._Element, where: Location) -> dict[str, str]:
    """By which prefixes the namespaces of an element's attributes are known."""
    if not any("}" in str(key) for key in element.attrib):
        return {}
    spaces = element.nsmap
    if len(spaces) > MOST_NAMESPACES:
        raise MjcfError(f"{len(spaces)} namespaces; at most {MOST_NAMESPACES} are read", where)
    return {address: prefix for prefix, address in reversed(spaces.items()) if prefix}


def _element_location(source: Source, start: Start, tag: str, name: str) -> Location:
    line, column = start
    return Location(source.label, line, tag, name, column=column)


def _prefixed(name: str, prefixes: dict[str, str]) -> str:
    """A name as it was written: `{http://www.ros.org/wiki/xacro}if` is `xacro:if`."""
    address, _, local = name.rpartition("}")
    prefix = prefixes.get(address[1:])
    return f"{prefix}:{local}" if prefix else local


def _loose_text(element: etree._Element, where: Location) -> str | None:
    """CDATA of an element, if any; other text between tags is a slip of the pen that changes
    nothing: public models have some, so it is only warned of.
    """
    pieces = [element.text, *(child.tail for child in element)]
    loose = "".join(piece for piece in pieces if piece).strip()
    if not loose:
        return None
    if element.tag == "text" and not len(element):
        sections = CDATA.findall(etree.tostring(element, encoding="unicode", with_tail=False))
        if len(sections) == 1 and loose == sections[0].strip():
            return str(sections[0])
    give_warning(
        f"{where}: text '{loose[:40]}' between the tags means nothing: MJCF keeps everything in "
        "attributes",
    )
    return None
