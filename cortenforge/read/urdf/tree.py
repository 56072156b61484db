"""The tree that the joints of a file make of its links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cortenforge.errors import UrdfError
from cortenforge.grammar.node import MAX_NESTING, TOO_DEEP, Node
from cortenforge.read.urdf.joints import WORLD_LINK, joint_links
from cortenforge.read.urdf.nodes import UnusedNotes


@dataclass
class LinkTree:
    """Links by number in document order: the joint above each, and the links below it."""

    links: list[Node]
    above: list[Node | None] = field(default_factory=list)
    below: list[list[int]] = field(default_factory=list)

    @property
    def roots(self) -> list[int]:
        """Links without a parent; they are fixed to the world."""
        return [number for number, joint in enumerate(self.above) if joint is None]

    def downwards(self) -> Iterator[tuple[int, int | None]]:
        """Every link that a root leads to, with its parent: parents first, depth first."""
        pending: list[tuple[int, int | None]] = [(root, None) for root in reversed(self.roots)]
        while pending:
            number, parent = pending.pop()
            yield number, parent
            pending.extend((one, number) for one in reversed(self.below[number]))


def link_tree(root: Node, notes: UnusedNotes) -> LinkTree:
    """Read which joint connects which links, and check that it is a tree."""
    links = [node for node in root.children if node.tag == "link"]
    numbers = _link_numbers(links)
    tree = LinkTree(links, [None] * len(links), [[] for _ in links])
    for joint in root.children:
        if joint.tag != "joint":
            continue
        parent, lower = joint_links(joint, numbers, notes)
        first = tree.above[lower]
        if first is not None:
            raise UrdfError(
                f"the link '{_link_name(links[lower])}' already has a parent, by the joint at line "
                f"{first.where.line}",
                joint.where,
            )
        tree.above[lower] = joint
        tree.below[parent].append(lower)
    _check_link_tree(tree)
    if len(tree.roots) > 1:
        named = ", ".join(f"'{_link_name(links[number])}'" for number in tree.roots[:5])
        more = ", ..." if len(tree.roots) > 5 else ""
        notes.remark(
            f"{len(tree.roots)} links have no parent and are all fixed to the world: {named}{more}",
            links[tree.roots[1]].where,
        )
    return tree


def _link_name(link: Node) -> str:
    return link.attributes.get("name", "")


def _link_numbers(links: list[Node]) -> dict[str, int]:
    """Links by name, which each needs for itself."""
    numbers: dict[str, int] = {}
    for number, link in enumerate(links):
        name = link.attributes.get("name")
        if name is None:
            raise UrdfError(
                "the required attribute 'name' is missing", link.where, attribute="name"
            )
        if name in numbers:
            raise UrdfError(
                f"the link at line {links[numbers[name]].where.line} has the same name",
                link.where,
                attribute="name",
                got=name,
            )
        numbers[name] = number
    return numbers


def _check_link_tree(tree: LinkTree) -> None:
    """Refuse rings of links, chains that are too long, and a world that hangs on something."""
    depth: dict[int, int] = {}
    for number, parent in tree.downwards():
        depth[number] = 1 if parent is None else depth[parent] + 1
        if depth[number] > MAX_NESTING - 2:
            raise UrdfError(TOO_DEEP, tree.links[number].where)
    for number, joint in enumerate(tree.above):
        if joint is None:
            continue
        if number not in depth:
            raise UrdfError(
                f"a ring of joints: the link '{_link_name(tree.links[number])}' is its own "
                "ancestor",
                joint.where,
            )
        if _link_name(tree.links[number]) == WORLD_LINK:
            raise UrdfError("the link 'world' cannot be the child of a joint", joint.where)
