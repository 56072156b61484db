"""Names of the tree's objects to their ids, for everything that refers to them."""

from __future__ import annotations

from cortenforge.compile.pack.tree import Tree
from cortenforge.spec import Element
from cortenforge.spec.attribute import no_such


class Lookup:
    """Finds objects by kind and name."""

    def __init__(self, tree: Tree) -> None:
        self.objects: dict[str, list] = {
            "body": tree.bodies,
            "joint": tree.joints,
            "geom": tree.geoms,
            "site": tree.sites,
        }
        self._ids = {
            kind: {one.name: i for i, one in enumerate(listed) if one.name}
            for kind, listed in self.objects.items()
        }

    def add(self, kind: str, names: list[str]) -> None:
        """Objects of another kind, by name in the order of their ids."""
        self._ids[kind] = {name: i for i, name in enumerate(names) if name}

    def find(self, element: Element, attribute: str, kind: str) -> int:
        """Id of the object that an attribute names."""
        ids, name = self._ids.get(kind, {}), str(element[attribute])
        if name not in ids:
            raise no_such(element, attribute, kind, ids)
        return ids[name]

    def bodyid(self, kind: str, objid: int) -> int:
        """Body of a joint, geom or site."""
        return int(self.objects[kind][objid].bodyid)
