"""Nodes of a URDF file held against the tables, and a record of what is not used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from cortenforge.errors import Location, UrdfError, UrdfWarning
from cortenforge.grammar.attributes import read_attributes
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Rule, Value
from cortenforge.problems import give_warning
from cortenforge.read.urdf.grammar import RULES
from cortenforge.suggest import did_you_mean

# remarks beyond these are counted, not shown
MOST_REMARKS = 8


@dataclass
class UnusedNotes:
    """Notes on parts of a file that are not used, or that may not mean what was intended."""

    file: str
    unused: dict[str, list[Location]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def leave_out(self, what: str, where: Location) -> None:
        """Remember an element or attribute that is not used."""
        self.unused.setdefault(what, []).append(where)

    def remark(self, text: str, where: Location) -> None:
        """Remember something that may surprise."""
        self.remarks.append(f"line {where.line}: {text}")

    def warn(self) -> None:
        """One warning for the whole file, if there is anything to tell."""
        lines = []
        if self.unused:
            counts = (
                f"{what} ({len(places)}, line {places[0].line})"
                if len(places) == 1
                else f"{what} ({len(places)}, from line {places[0].line})"
                for what, places in self.unused.items()
            )
            lines.append("not used: " + ", ".join(counts))
        lines += self.remarks[:MOST_REMARKS]
        if len(self.remarks) > MOST_REMARKS:
            lines.append(f"and {len(self.remarks) - MOST_REMARKS} more remarks")
        if lines:
            give_warning(f"{self.file}: " + "\n  ".join(lines), UrdfWarning, stacklevel=4)


@dataclass
class UniqueNames:
    """Names of one kind of object; a second object of a name goes without."""

    kind: str
    notes: UnusedNotes
    taken: set[str] = field(default_factory=set)

    def take(self, name: str, where: Location) -> str:
        """The name, or nothing if another object has it."""
        if name in self.taken and name:
            self.notes.remark(
                f"another {self.kind} is called '{name}': this one has no name", where
            )
            return ""
        self.taken.add(name)
        return name


def typed_attributes(node: Node, notes: UnusedNotes, rule: Rule | None = None) -> dict[str, Value]:
    """Typed values of the attributes that are read, defaults filled in; others are noted."""
    rule = rule or RULES[node.tag]
    given = {name: text for name, text in node.attributes.items() if name in rule.attributes}
    for name in node.attributes.keys() - given.keys():
        hint = did_you_mean(name, list(rule.attributes))
        notes.leave_out(f"{node.tag}/{name}" + (f" ({hint})" if hint else ""), node.where)
    return {**rule.fallback, **read_attributes(Node(node.tag, node.where, given), rule)}


def note_unused_children(node: Node, notes: UnusedNotes) -> None:
    """Note the children that are not read."""
    known = RULES[node.tag].children
    for child in node.children:
        if child.tag not in known:
            notes.leave_out(child.tag, child.where)


def only_child(node: Node, tag: str) -> Node | None:
    """The child of a tag, of which there is at most one."""
    found = [one for one in node.children if one.tag == tag]
    if len(found) > 1:
        raise UrdfError(
            f"only one <{tag}> is allowed in <{node.tag}>; the first is at line "
            f"{found[0].where.line}",
            found[1].where,
        )
    return found[0] if found else None


def required_child(node: Node, tag: str) -> Node:
    """The child of a tag that must be there."""
    found = only_child(node, tag)
    if found is None:
        raise UrdfError(f"<{node.tag}> needs a <{tag}>", node.where)
    return found


def real_attribute(values: Mapping[str, Value], name: str, default: float = 0.0) -> float:
    """A real among an element's values."""
    value = values.get(name)
    return float(value) if isinstance(value, int | float) else default


def real_attributes(values: Mapping[str, Value], name: str) -> np.ndarray:
    """Several reals among an element's values."""
    return np.asarray(values[name], float)


def exact_text(*numbers: float) -> str:
    """Numbers as text from which the same numbers are read again."""
    return " ".join(repr(float(one)) for one in numbers)


def origin_pose(node: Node, notes: UnusedNotes) -> dict[str, Value]:
    """`xyz` and `rpy` of the origin in a node, zeros if it has none."""
    origin = only_child(node, "origin")
    return RULES["origin"].fallback if origin is None else typed_attributes(origin, notes)


def origin_attributes(node: Node, notes: UnusedNotes) -> dict[str, str]:
    """The origin in a node as MJCF's pos and euler."""
    origin = origin_pose(node, notes)
    return {
        "pos": exact_text(*real_attributes(origin, "xyz")),
        "euler": exact_text(*real_attributes(origin, "rpy")),
    }
