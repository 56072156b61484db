"""Octrees of meshes: signed distances at the corners of cells, finer near the surface.

A cell is split in eight while a triangle overlaps it, at most six times; then cells are split until
neighbours differ by one level (2:1 balance). Hanging corners, inside an edge or face of a coarser
neighbour, are interpolated from its corners, so that distances are continuous.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.compile.mesh.inertia import row_dots
from cortenforge.compile.mesh.mesh_distance import signed_distances

DEEPEST = 6
MARGIN = 1.1
NEAR = 1e-9
# pairs of a cell and a triangle that are tested at once
PAIR_CHUNK = 2**17
BITS = np.array([(slot & 1, slot >> 1 & 1, slot >> 2) for slot in range(8)])
DIRECTIONS = [(axis, side) for axis in range(3) for side in (0, 1)]
Arrays = dict[str, np.ndarray]


@dataclass
class Cells:
    """Cells in order of creation: level, children, integer place on their level, corners."""

    level: np.ndarray
    child: np.ndarray
    place: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def divide(self, cells: np.ndarray) -> np.ndarray:
        """Split cells in eight; returns the new ones."""
        start = len(self.level)
        made = np.arange(start, start + 8 * len(cells))
        self.child[cells] = made.reshape(-1, 8)
        parent, bits = np.repeat(cells, 8), np.tile(BITS, (len(cells), 1))
        low, high = self.low[parent], self.high[parent]
        middle = (high + low) / 2
        self.level = np.append(self.level, self.level[parent] + 1)
        self.child = np.concatenate([self.child, np.full((len(made), 8), -1)])
        self.place = np.concatenate([self.place, 2 * self.place[parent] + bits])
        self.low = np.concatenate([self.low, np.where(bits == 1, middle, low)])
        self.high = np.concatenate([self.high, np.where(bits == 1, high, middle)])
        return made

    @property
    def leaves(self) -> np.ndarray:
        """Cells that are not split."""
        return np.flatnonzero(self.child[:, 0] < 0)

    def neighbours(self, cells: np.ndarray, axis: int, side: int) -> np.ndarray:
        """The leaf on one side of each cell, or -1 at the border.

        Of finer leaves there, one near the centre of the common face.
        """
        level, place = self.level[cells], self.place[cells].copy()
        place[:, axis] += 1 if side else -1
        inside = (place[:, axis] >= 0) & (place[:, axis] < 2**level)
        found = np.zeros(len(cells), np.int64)
        for step in range(int(self.level.max())):
            down = level - step - 1
            bits = np.where(
                down[:, None] >= 0,
                place >> np.maximum(down, 0)[:, None] & 1,
                np.where(down == -1, 0, 1)[:, None],
            )
            bits[:, axis] = np.where(down >= 0, bits[:, axis], 1 - side)
            slot = bits @ (1, 2, 4)
            below = self.child[found, slot]
            found = np.where(below < 0, found, below)
        return np.where(inside, found, -1)


def octree(vert: np.ndarray, face: np.ndarray, tree: Arrays) -> Arrays:
    """Nodes of the octree of a mesh that has a bounding volume hierarchy."""
    cells = _refine_cells(vert, face)
    _balance(cells)
    corner = 2 * cells.place[:, None, :] + 2 * BITS
    corner <<= (int(cells.level.max()) - cells.level)[:, None, None]
    size = 2 ** (int(cells.level.max()) + 1) + 1
    key = (corner[..., 2] * size + corner[..., 1]) * size + corner[..., 0]
    _, first, ids = np.unique(key.ravel(), return_index=True, return_inverse=True)
    ids = ids.reshape(-1, 8)
    points = np.where(BITS == 1, cells.high[:, None, :], cells.low[:, None, :]).reshape(-1, 3)[
        first
    ]
    hung = _hanging_corners(cells, ids, points)
    value = np.zeros(len(points))
    own = np.ones(len(points), bool)
    own[hung[0]] = False
    value[own] = signed_distances(points[own], vert, face, tree)
    _interpolate_hanging(value, hung, cells.level[first // 8])
    return {
        "oct_depth": cells.level.astype(np.int32),
        "oct_child": cells.child.astype(np.int32),
        "oct_aabb": np.hstack([(cells.low + cells.high) / 2, (cells.high - cells.low) / 2]),
        "oct_coeff": value[ids],
    }


def _refine_cells(vert: np.ndarray, face: np.ndarray) -> Cells:
    """Split the cells that triangles overlap, level by level."""
    low, high = vert.min(axis=0), vert.max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2
    cells = Cells(
        np.zeros(1, np.int64),
        np.full((1, 8), -1),
        np.zeros((1, 3), np.int64),
        (middle - MARGIN * half)[None],
        (middle + MARGIN * half)[None],
    )
    corners = vert[face]
    cell, triangle = np.zeros(len(face), np.int64), np.arange(len(face))
    for _ in range(DEEPEST):
        touched = np.concatenate(
            [
                _triangles_overlap_boxes(
                    corners[triangle[i : i + PAIR_CHUNK]], cells, cell[i : i + PAIR_CHUNK]
                )
                for i in range(0, len(cell), PAIR_CHUNK)
            ]
        )
        cell, triangle = cell[touched], triangle[touched]
        cut, count = np.unique(cell, return_counts=True)
        if not len(cut):
            break
        made = cells.divide(cut).reshape(-1, 8)
        # each child is tested against all triangles of its parent
        start = np.cumsum(count) - count
        owner = np.repeat(np.arange(len(cut)), 8 * count)
        within = np.arange(len(owner)) - np.repeat(8 * start, 8 * count)
        cell = made[owner, within // count[owner]]
        triangle = triangle[start[owner] + within % count[owner]]
    return cells


def _triangles_overlap_boxes(corners: np.ndarray, cells: Cells, cell: np.ndarray) -> np.ndarray:
    """Whether triangles overlap boxes: separating axis test (Schwarz and Seidel 2010)."""
    low, high = cells.low[cell], cells.high[cell]
    below = (corners < low[:, None]).all(axis=1).any(axis=1)
    above = (corners > high[:, None]).all(axis=1).any(axis=1)
    found: np.ndarray = ~(below | above)
    edge = np.roll(corners, -1, axis=1) - corners
    normal = np.cross(edge[:, 0], edge[:, 1])
    size = high - low
    critical = np.where(normal > 0, size, 0.0)
    first = corners[:, 0]
    base = row_dots(normal, low)
    one = base + row_dots(normal, critical - first)
    two = base + row_dots(normal, size - critical - first)
    found &= ~(one * two > 0)
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        sign = np.where(normal[:, a] >= 0, 1.0, -1.0)
        for i in range(3):
            x, y = -edge[:, i, c] * sign, edge[:, i, b] * sign
            offset = -(x * corners[:, i, b] + y * corners[:, i, c])
            offset = offset + np.maximum(0, size[:, b] * x) + np.maximum(0, size[:, c] * y)
            found &= ~((x * low[:, b] + y * low[:, c]) + offset < 0)
    return found


def _balance(cells: Cells) -> None:
    """Split leaves two levels coarser than a neighbour, until none is left."""
    while True:
        leaves = cells.leaves
        level = cells.level
        coarse = []
        for axis, side in DIRECTIONS:
            beside = cells.neighbours(leaves, axis, side)
            there = np.where(beside < 0, level[leaves], level[beside])
            pick = np.where(there > level[leaves] + 1, leaves, -1)
            coarse.append(np.where(level[leaves] > there + 1, beside, pick))
        wanted = np.stack(coarse, axis=1).ravel()
        wanted = wanted[wanted >= 0]
        if not len(wanted):
            return
        _, first = np.unique(wanted, return_index=True)
        cells.divide(wanted[np.sort(first)])


def _hanging_corners(
    cells: Cells, ids: np.ndarray, points: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hanging corners: (corner, corners it is interpolated from, how many)."""
    leaves = cells.leaves
    rows = []
    for turn, (axis, side) in enumerate(DIRECTIONS):
        beside = cells.neighbours(leaves, axis, side)
        finer = (beside >= 0) & (cells.level[beside] < cells.level[leaves])
        for i in range(4):
            slot = (side << axis) | (i & 1) << (axis + 1) % 3 | (i >> 1) << (axis + 2) % 3
            rank = (leaves[finer] * 6 + turn) * 4 + i
            rows.append(np.stack([rank, ids[leaves[finer], slot], beside[finer]], axis=1))
    found = np.concatenate(rows)
    found = found[np.argsort(found[:, 0])]
    corner, beside = found[:, 1], found[:, 2]
    lowest = np.abs(points[corner] - cells.low[beside]) < NEAR
    highest = np.abs(points[corner] - cells.high[beside]) < NEAR
    planes = (lowest | highest).sum(axis=1)
    kept = np.flatnonzero((planes == 1) | (planes == 2))
    kept = kept[np.unique(corner[kept], return_index=True)[1]]
    corner, beside, highest = corner[kept], beside[kept], highest[kept]
    free = ~(lowest[kept] | highest)
    two = free.sum(axis=1) == 2
    # of two free axes, the one behind the fixed one varies fastest
    fixed = np.argmin(free, axis=1)
    fast = np.where(two, (fixed + 1) % 3, np.argmax(free, axis=1))
    slow = (fixed + 2) % 3
    base = (highest & ~free) @ (1, 2, 4)
    slots = np.stack([base + ((j & 1) << fast) + ((j >> 1) << slow) for j in range(4)], axis=1)
    count = np.where(two, 4, 2)
    return (
        corner,
        np.where(np.arange(4) < count[:, None], ids[beside[:, None], slots & 7], -1),
        count,
    )


def _interpolate_hanging(
    value: np.ndarray, hung: tuple[np.ndarray, np.ndarray, np.ndarray], level: np.ndarray
) -> None:
    """Interpolate hanging corners, coarser levels first: finer ones may depend on them."""
    corner, parents, count = hung
    for depth in np.unique(level[corner]):
        mine = level[corner] == depth
        total = np.zeros(int(mine.sum()))
        for k in range(4):
            total += np.where(k < count[mine], value[parents[mine, k]], 0.0)
        value[corner[mine]] = total / count[mine]
