"""Items of a browser's scene, and what changed in them since the last frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cortenforge.viewer.meshes import Mesh

#: arrays of an instanced mesh that can change from frame to frame
INSTANCE_ARRAYS = ("pos", "wxyz", "scale", "rgb", "opacity")


@dataclass
class InstancedMesh:
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
class MovingMesh:
    """A mesh whose vertices change from frame to frame: a skin or a deformable."""

    vert: np.ndarray
    face: np.ndarray
    rgb: tuple[int, int, int]
    opacity: float | None = None
    both_sides: bool = False


@dataclass
class LabelItem:
    """Text at a position."""

    text: str
    pos: np.ndarray


@dataclass
class LineItem:
    """Line segments `(n, 2, 3)` of one colour."""

    points: np.ndarray
    rgb: tuple[int, int, int]


SceneItem = InstancedMesh | MovingMesh | LabelItem | LineItem


@dataclass
class SceneFrame:
    """All items by name, and the offset of the whole scene."""

    items: dict[str, SceneItem]
    offset: np.ndarray


@dataclass(frozen=True)
class SceneChange:
    """One change to send.  kind: "add", "set", "hide", "show" or "remove"."""

    kind: str
    name: str
    what: str = ""
    value: Any = None


def scene_changes(old: dict[str, SceneItem], new: dict[str, SceneItem]) -> Iterator[SceneChange]:
    """Changes that turn the items `old` of a browser into `new`.

    An empty instanced mesh is hidden and not removed, since it is likely to return.
    """
    for name in old.keys() - new.keys():
        yield SceneChange("remove", name)
    for name, item in new.items():
        before = old.get(name)
        if before is None or not _same_kind(before, item):
            if before is not None:
                yield SceneChange("remove", name)
            yield SceneChange("add", name, value=item)
        else:
            yield from _differences(name, before, item)


def _same_kind(old: SceneItem, new: SceneItem) -> bool:
    """Whether `old` can become `new` by changes of its arrays."""
    if isinstance(old, InstancedMesh) and isinstance(new, InstancedMesh):
        clear = (old.opacity is None) == (new.opacity is None) or not len(new)
        return clear and old.mesh.key == new.mesh.key
    if isinstance(old, MovingMesh) and isinstance(new, MovingMesh):
        return old.opacity == new.opacity and np.array_equal(old.face, new.face)
    if isinstance(old, LabelItem) and isinstance(new, LabelItem):
        return True
    return isinstance(old, LineItem) and isinstance(new, LineItem) and old.rgb == new.rgb


def _differences(name: str, old: SceneItem, new: SceneItem) -> Iterator[SceneChange]:
    if isinstance(old, InstancedMesh) and isinstance(new, InstancedMesh):
        yield from _instance_differences(name, old, new)
    elif isinstance(old, MovingMesh) and isinstance(new, MovingMesh):
        if not np.array_equal(old.vert, new.vert):
            yield SceneChange("set", name, "vert", new.vert)
        if old.rgb != new.rgb:
            yield SceneChange("set", name, "rgb", new.rgb)
    elif isinstance(old, LabelItem) and isinstance(new, LabelItem):
        if old.text != new.text:
            yield SceneChange("set", name, "text", new.text)
        if not np.array_equal(old.pos, new.pos):
            yield SceneChange("set", name, "pos", new.pos)
    elif isinstance(old, LineItem) and isinstance(new, LineItem):
        same = np.array_equal(old.points, new.points)
        yield from () if same else (SceneChange("set", name, "points", new.points),)


def _instance_differences(
    name: str, old: InstancedMesh, new: InstancedMesh
) -> Iterator[SceneChange]:
    if not len(new):
        if len(old):
            yield SceneChange("hide", name)
        return
    for what in INSTANCE_ARRAYS:
        value, before = getattr(new, what), getattr(old, what)
        if value is not None and (not len(old) or not np.array_equal(before, value)):
            yield SceneChange("set", name, what, value)
    if not len(old):
        yield SceneChange("show", name)
