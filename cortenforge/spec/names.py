"""Names of a description's objects: lookup and uniqueness."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortenforge.errors import ArgumentError
from cortenforge.spec.element import Element
from cortenforge.spec.references import element_kind, element_name
from cortenforge.suggest import no_such

if TYPE_CHECKING:
    from cortenforge.spec.spec import Spec

WORLD_BODY = "world"


class ObjectNames:
    """Every named object of a description, by kind and name; built on first use."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._known: dict[tuple[str, str], Element] | None = None

    @property
    def known(self) -> dict[tuple[str, str], Element]:
        """Objects by kind and name."""
        if self._known is None:
            self._known = {("body", WORLD_BODY): self._spec.worldbody}
            for section in self._spec.sections():
                for element in section.walk():
                    self.add(element)
        return self._known

    def find(self, kind: str, name: str) -> Element:
        """The object of a kind with a name."""
        if not isinstance(name, str):
            raise ArgumentError(f"{kind}: expected a name, got {name!r}")
        found = self.known.get((kind, name))
        if found is not None:
            return found
        raise KeyError(no_such(kind, name, (one for its, one in self.known if its == kind)))

    def check_free(self, element: Element) -> None:
        """Refuse a new element whose name another object of its kind has."""
        kind, name = element_kind(element), element_name(element)
        first = self.known.get((kind, name)) if name else None
        if first is not None:
            place = "the world body" if first is self._spec.worldbody else str(first.where)
            raise element.error(f"the {kind} name '{name}' is already taken by {place}", "name")

    def add(self, element: Element) -> None:
        """Take note of a new element."""
        name = element_name(element)
        if name and self._known is not None:
            self._known.setdefault((element_kind(element), name), element)

    def forget(self) -> None:
        """Drop the stored names, after elements were deleted or renamed."""
        self._known = None
