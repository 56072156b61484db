"""Items of a browser's scene, and what changed in them since the last frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cortenforge.viewer.meshes import Mesh

#: arrays of an instanced mesh that can change from frame to frame
ARRAYS = ("pos", "wxyz", "scale", "rgb", "opacity")


@dataclass
class Group:
    """Instances of one mesh.

    pos, wxyz: `(n, 3)` and `(n, 4)`; scale: `(n, 3)` or None; rgb: bytes `(n, 3)`;
    opacity: `(n,)`, or None if all are opaque.
    bodies, worlds: body and world of each instance; empty if they cannot be dragged.
    """

    mesh: Mesh
    pos: np.ndarray
    wxyz: np.ndarray
    rgb: np.ndarray
    scale: np.ndarray | None = None
    opacity: np.ndarray | None = None
    bodies: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    worlds: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    shadow: bool = True

    def __post_init__(self) -> None:
        """Convert to the types that are sent."""
        for name in ("pos", "wxyz", "scale", "opacity"):
            value = getattr(self, name)
            if value is not None:
                setattr(self, name, np.ascontiguousarray(value, np.float32))

    def __len__(self) -> int:
        return len(self.pos)


@dataclass
class Soft:
    """A mesh whose vertices change from frame to frame: a skin or a deformable."""

    vert: np.ndarray
    face: np.ndarray
    rgb: tuple[int, int, int]
    opacity: float | None = None
    both_sides: bool = False


@dataclass
class Label:
    """Text at a position."""

    text: str
    pos: np.ndarray


@dataclass
class Lines:
    """Line segments `(n, 2, 3)` of one colour."""

    points: np.ndarray
    rgb: tuple[int, int, int]


Item = Group | Soft | Label | Lines


@dataclass
class Frame:
    """All items by name, and the offset of the whole scene."""

    items: dict[str, Item]
    offset: np.ndarray


@dataclass(frozen=True)
class Change:
    """One change to send.  kind: "add", "set", "hide", "show" or "remove"."""

    kind: str
    name: str
    what: str = ""
    value: Any = None


def changes(old: dict[str, Item], new: dict[str, Item]) -> Iterator[Change]:
    """Changes that turn the items `old` of a browser into `new`.

    An empty instanced mesh is hidden and not removed, since it is likely to return.
    """
    for name in old.keys() - new.keys():
        yield Change("remove", name)
    for name, item in new.items():
        before = old.get(name)
        if before is None or not _same_kind(before, item):
            if before is not None:
                yield Change("remove", name)
            yield Change("add", name, value=item)
        else:
            yield from _differences(name, before, item)


def _same_kind(old: Item, new: Item) -> bool:
    """Whether `old` can become `new` by changes of its arrays."""
    if isinstance(old, Group) and isinstance(new, Group):
        clear = (old.opacity is None) == (new.opacity is None) or not len(new)
        return clear and old.mesh.key == new.mesh.key
    if isinstance(old, Soft) and isinstance(new, Soft):
        return old.opacity == new.opacity and np.array_equal(old.face, new.face)
    if isinstance(old, Label) and isinstance(new, Label):
        return True
    return isinstance(old, Lines) and isinstance(new, Lines) and old.rgb == new.rgb


def _differences(name: str, old: Item, new: Item) -> Iterator[Change]:
    if isinstance(old, Group) and isinstance(new, Group):
        yield from _of_groups(name, old, new)
    elif isinstance(old, Soft) and isinstance(new, Soft):
        if not np.array_equal(old.vert, new.vert):
            yield Change("set", name, "vert", new.vert)
        if old.rgb != new.rgb:
            yield Change("set", name, "rgb", new.rgb)
    elif isinstance(old, Label) and isinstance(new, Label):
        if old.text != new.text:
            yield Change("set", name, "text", new.text)
        if not np.array_equal(old.pos, new.pos):
            yield Change("set", name, "pos", new.pos)
    elif isinstance(old, Lines) and isinstance(new, Lines):
        same = np.array_equal(old.points, new.points)
        yield from () if same else (Change("set", name, "points", new.points),)


def _of_groups(name: str, old: Group, new: Group) -> Iterator[Change]:
    if not len(new):
        if len(old):
            yield Change("hide", name)
        return
    for what in ARRAYS:
        value, before = getattr(new, what), getattr(old, what)
        if value is not None and (not len(old) or not np.array_equal(before, value)):
            yield Change("set", name, what, value)
    if not len(old):
        yield Change("show", name)
