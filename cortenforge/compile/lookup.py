"""Lookup of ids of objects by kind and name."""

from __future__ import annotations

from collections.abc import Sequence

from cortenforge.compile.pack.tree import NumberedTree
from cortenforge.compile.records import Body, BodyPart
from cortenforge.spec import Element
from cortenforge.spec.attribute import unknown_reference


class Lookup:
    """Finds objects by kind and name."""

    def __init__(self, tree: NumberedTree) -> None:
        self.tree = tree
        self._parts: dict[str, Sequence[BodyPart]] = {
            "joint": tree.joints,
            "geom": tree.geoms,
            "site": tree.sites,
        }
        named: dict[str, Sequence[Body | BodyPart]] = {"body": tree.bodies, **self._parts}
        self._ids = {
            kind: {one.name: i for i, one in enumerate(listed) if one.name}
            for kind, listed in named.items()
        }

    def add(self, kind: str, names: list[str]) -> None:
        """Objects of another kind, by name in the order of their ids."""
        self._ids[kind] = {name: i for i, name in enumerate(names) if name}

    def find(self, element: Element, attribute: str, kind: str) -> int:
        """Id of the object that an attribute names."""
        ids, name = self._ids.get(kind, {}), str(element[attribute])
        if name not in ids:
            raise unknown_reference(element, attribute, kind, ids)
        return ids[name]

    def bodyid(self, kind: str, objid: int) -> int:
        """Body of a joint, geom or site."""
        return self._parts[kind][objid].bodyid
