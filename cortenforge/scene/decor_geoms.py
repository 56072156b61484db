"""Decorative geoms: capsules, arrows, frames, line segments and labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cortenforge.scene.camera import Lens
from cortenforge.scene.flags import DOUBLE_SIDED, UNLIT
from cortenforge.scene.instances import InstanceTable, instance_table, join_tables
from cortenforge.scene.shapes import CAPSULE_BOTTOM, CAPSULE_TOP, CONE, CYLINDER, TUBE
from cortenforge.scene.surfaces_and_tubes import ExtraItem, Surface, rotations_from_z

#: width of an arrow's head over that of its shaft
ARROW_HEAD_RATIO = 1.75
#: width of edges of boxes, in pixels
BOX_EDGE_PIXELS = 1.5
#: corners of a box, and pairs of them for its twelve edges
BOX_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
BOX_EDGES = np.array([(i, i | bit) for i in range(8) for bit in (1, 2, 4) if not i & bit])


@dataclass
class LineSegments:
    """Line segments between points `(n, 3)`, `pixels` wide, unlit."""

    start: np.ndarray
    end: np.ndarray
    pixels: float
    rgba: Any
    objtype: int = 0
    objid: int = -1

    def surface(self, lens: Lens) -> Surface:
        """The segments as strips that face the camera."""
        vert, face = line_strips(lens, self.start, self.end, self.pixels)
        return Surface(
            vert, face, self.rgba, flat=True, flags=DOUBLE_SIDED | UNLIT, objtype=self.objtype,
            objid=self.objid,
        )  # fmt: skip


@dataclass
class Decor:
    """A list of decorative geoms (mjCAT_DECOR) and tendons, with lines and labels.

    rows, tables: instances, one at a time and in columns.
    extra:    surfaces and tubes.
    segments: line segments.
    labels:   (position in the world, text).
    """

    rows: list[dict[str, Any]] = field(default_factory=list)
    tables: list[InstanceTable] = field(default_factory=list)
    extra: list[ExtraItem] = field(default_factory=list)
    segments: list[LineSegments] = field(default_factory=list)
    labels: list[tuple[Any, str]] = field(default_factory=list)

    def add(self, shape: int, pos: Any, mat: Any, scale: Any, rgba: Any, **more: Any) -> None:
        """Add an instance of a shape."""
        self.rows.append(
            {"shape": shape, "pos": pos, "mat": mat, "scale": scale, "rgba": rgba, **more}
        )

    def capsule(self, start: Any, end: Any, radius: float, rgba: Any, **more: Any) -> None:
        """Add a capsule between two points."""
        self.capsules(np.array([start]), np.array([end]), np.array([radius]), rgba=rgba, **more)

    def capsules(
        self, starts: np.ndarray, ends: np.ndarray, radius: np.ndarray, **more: Any
    ) -> None:
        """Add capsules between points `(n, 3)`: radius `(n,)`, other columns as given."""
        mat, length = rotations_from_z(ends - starts)
        middle, half = 0.5 * (starts + ends), 0.5 * length
        scale = np.stack([radius, radius, np.maximum(half, 1e-9)], 1)
        self.tables.append(
            instance_table(len(starts), shape=TUBE, pos=middle, mat=mat, scale=scale, **more)
        )
        for shape, sign in ((CAPSULE_TOP, 1.0), (CAPSULE_BOTTOM, -1.0)):
            at = middle + (sign * (half - radius))[:, None] * mat[:, :, 2]
            ball = instance_table(
                len(starts), shape=shape, pos=at, mat=mat, scale=radius[:, None], **more
            )
            self.tables.append(ball)

    def cylinder(self, start: Any, end: Any, radius: float, rgba: Any, **more: Any) -> None:
        """Add a cylinder between two points."""
        start, end = np.asarray(start, float), np.asarray(end, float)
        mat, length = rotations_from_z(end - start)
        scale = (radius, radius, max(0.5 * length, 1e-9))
        self.add(CYLINDER, 0.5 * (start + end), mat, scale, rgba, **more)

    def arrow(
        self,
        start: Any,
        end: Any,
        radius: float,
        rgba: Any,
        *,
        head: float = ARROW_HEAD_RATIO,
        **more: Any,
    ) -> None:
        """Add an arrow; its head is a third of its length, `head` times as wide as the shaft."""
        self.arrows(np.array([start]), np.array([end]), radius, head=head, rgba=rgba, **more)

    def arrows(
        self,
        starts: np.ndarray,
        ends: np.ndarray,
        radius: float,
        *,
        head: float = ARROW_HEAD_RATIO,
        **more: Any,
    ) -> None:
        """Add arrows between points `(n, 3)`, all of one width."""
        more = {"objid": -1, **more}
        mat, length = rotations_from_z(ends - starts)
        long = length >= 1e-9
        starts, mat = starts[long], mat[long]
        # as in MuJoCo, an arrow is half as long as its ends are apart: 2 units of shaft, 1 of head
        unit, axis = length[long] / 6.0, mat[:, :, 2]
        for shape, place, wide in ((CYLINDER, 1.0, radius), (CONE, 2.0, head * radius)):
            pos = starts + (place * unit)[:, None] * axis
            scale = np.stack([np.full(len(unit), wide), np.full(len(unit), wide), unit], 1)
            made = instance_table(len(unit), shape=shape, pos=pos, mat=mat, scale=scale, **more)
            self.tables.append(made)

    def double_arrow(self, start: Any, end: Any, radius: float, rgba: Any, **more: Any) -> None:
        """Add an arrow with heads on both sides of its start."""
        start, end = np.asarray(start, float), np.asarray(end, float)
        mat, length = rotations_from_z(end - start)
        if length < 1e-9:
            return
        unit, axis = length / 6.0, mat[:, 2]
        self.add(TUBE, start, mat, (radius, radius, 2.0 * unit), rgba, **more)
        wide = (ARROW_HEAD_RATIO * radius, ARROW_HEAD_RATIO * radius, unit)
        self.add(CONE, start + 2.0 * unit * axis, mat, wide, rgba, **more)
        turned = mat * np.array([1.0, -1.0, -1.0])
        self.add(CONE, start - 2.0 * unit * axis, turned, wide, rgba, **more)

    def frame(self, pos: Any, mat: np.ndarray, length: float, width: float) -> None:
        """Add the axes of a frame in red, green and blue."""
        for k in range(3):
            self.cylinder(pos, pos + length * mat[:, k], width, (*(0.9 * np.eye(3)[k]), 1.0))

    def lines(
        self, start: Any, end: Any, pixels: float, rgba: Any, objtype: int = 0, objid: int = -1
    ) -> None:
        """Add line segments between pairs of points."""
        ends = np.asarray(start, float), np.asarray(end, float)
        self.segments.append(LineSegments(*ends, pixels, rgba, objtype, objid))

    def boxes(
        self,
        pos: np.ndarray,
        mat: np.ndarray,
        half: np.ndarray,
        rgba: Any,
        objtype: int = 0,
        objid: int = -1,
    ) -> None:
        """Add edges of boxes; one item a box, since they may be transparent and are sorted."""
        for edges in box_edges(pos, mat, half):
            self.lines(edges[:, 0], edges[:, 1], BOX_EDGE_PIXELS, rgba, objtype, objid)

    def name(self, model: Any, kind: str, number: int, pos: Any) -> None:
        """Add a label with the name of an object, or its kind and number."""
        known = model.names.get(kind, [])
        own = known[number] if number < len(known) else ""
        self.labels.append((np.array(pos), own or f"{kind} {number}"))

    def instances(self) -> InstanceTable:
        """All instances as one table, without `extra` and `segments`."""
        made = instance_table(len(self.rows), objid=-1)
        for k, row in enumerate(self.rows):
            for name, value in row.items():
                made[name][k] = value
        return join_tables([made, *self.tables])


def box_edges(pos: np.ndarray, mat: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Edges `(n, 12, 2, 3)` of boxes: centres, rotation matrices and half sizes."""
    corners = pos[:, None] + np.einsum("nij,nkj->nki", mat, half[:, None] * BOX_CORNERS)
    return np.asarray(corners[:, BOX_EDGES])


def line_strips(
    lens: Lens, start: np.ndarray, end: np.ndarray, pixels: float
) -> tuple[np.ndarray, np.ndarray]:
    """Strips along segments, `pixels` wide in the picture.  Returns (vertices, triangles)."""
    deep = [(p - lens.pos) @ lens.forward for p in (start, end)]
    near = lens.near if not lens.parallel else -np.inf
    seen = np.maximum(*deep) > near
    start, end, deep = start[seen], end[seen], [z[seen] for z in deep]
    # clipped at the near plane
    share = [np.clip((near - z) / np.where(o == z, 1.0, o - z), 0.0, 1.0) * (z < near)
             for z, o in (deep, deep[::-1])]  # fmt: skip
    ends = [start + share[0][:, None] * (end - start), end + share[1][:, None] * (start - end)]
    screen, away = [], []
    for p in ends:
        q = p @ lens.matrix.T + lens.offset
        z = np.ones(len(p)) if lens.parallel else np.maximum(q[:, 2], near)
        screen.append(q[:, :2] / z[:, None])
        away.append(z)
    x, y = (screen[1] - screen[0]).T
    length = np.maximum(np.hypot(x, y), 1e-12)
    across = np.outer(-y / length, lens.right / lens.focal[0])
    across -= np.outer(x / length, lens.up / lens.focal[1])
    sides = [0.5 * pixels * z[:, None] * across for z in away]
    corners = [ends[0] - sides[0], ends[0] + sides[0], ends[1] + sides[1], ends[1] - sides[1]]
    first = 4 * np.arange(len(start))[:, None]
    face = np.concatenate([first + np.array(half) for half in ((0, 1, 2), (0, 2, 3))])
    return np.stack(corners, 1).reshape(-1, 3), face
