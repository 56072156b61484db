"""Inside and surface of a closed mesh of triangles: rays upwards, and segments through it."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

#: pairs of columns and triangles that are tested at once
BATCH_PAIRS = 2_000_000
#: pairs of segments and triangles that are tested at once, about half a kilobyte each
SEGMENT_PAIRS = 200_000
#: offset of rays in x and y, relative to the extent, so that they miss corners and edges
RAY_OFFSET = (3.3e-8, 5.7e-8)


class ClosedSurface:
    """The solid inside triangles (n, 3, 3), by how often they wind around a point."""

    def __init__(self, corners: np.ndarray) -> None:
        self.corners = corners
        self.low, self.high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        centres = corners.mean(axis=1)
        self._tree = cKDTree(centres)
        self._reach = float(np.linalg.norm(corners - centres[:, None], axis=2).max())

    def inside(self, points: np.ndarray) -> np.ndarray:
        """1 inside, -1 outside; inside, triangles above facing up and down do not balance."""
        aside = np.array([*RAY_OFFSET, 0.0]) * float((self.high - self.low).max())
        columns, member = np.unique(np.round(points[:, :2], 12), axis=0, return_inverse=True)
        order = np.argsort(member.ravel(), kind="stable")
        starts = np.searchsorted(member.ravel()[order], np.arange(len(columns) + 1))
        side = np.full(len(points), -1.0)
        step = max(1, BATCH_PAIRS // len(self.corners))
        for first in range(0, len(columns), step):
            some = columns[first : first + step] + aside[:2]
            column, height, facing = self._above(some)
            ends = np.searchsorted(column, np.arange(len(some) + 1))
            for i in np.flatnonzero(np.diff(ends)).tolist():
                rows = order[starts[first + i] : starts[first + i + 1]]
                hits = slice(ends[i], ends[i + 1])
                above = height[hits][None] > points[rows, 2][:, None]
                side[rows[np.abs((above * facing[hits]).sum(axis=1)) > 0.5]] = 1.0
        return side

    def _above(self, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(line, height, sign) where upright lines meet triangles; sign: 1 facing up, -1 down."""
        a, b, c = (self.corners[:, i, :2] for i in range(3))
        double = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
        x, y = columns[:, :1], columns[:, 1:]
        parts = [
            (x - p[:, 0]) * (q - p)[:, 1] - (y - p[:, 1]) * (q - p)[:, 0]
            for p, q in ((b, c), (c, a), (a, b))
        ]
        low, high = np.minimum.reduce(parts), np.maximum.reduce(parts)
        line, triangle = np.nonzero(((low > 0) | (high < 0)) & (double != 0))
        weights = np.stack([part[line, triangle] for part in parts], axis=1)
        weights /= weights.sum(axis=1, keepdims=True)
        height = (weights * self.corners[triangle, :, 2]).sum(axis=1)
        return line, height, np.sign(double[triangle])

    def crossings(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """First point of the surface on segments whose ends are on different sides, (n, 3)."""
        reach = 0.5 * float(np.linalg.norm(b - a, axis=1).max(initial=0.0)) + self._reach
        middle = 0.5 * (a + b)
        counts = self._tree.query_ball_point(middle, reach * (1 + 1e-9), return_length=True)
        first = np.full(len(a), np.inf)
        batch = np.cumsum(counts) // SEGMENT_PAIRS
        for some in np.split(np.arange(len(a)), np.flatnonzero(np.diff(batch)) + 1):
            near = self._tree.query_ball_point(middle[some], reach * (1 + 1e-9))
            segment = np.repeat(some, counts[some])
            triangle = np.array([number for one in near for number in one], int)
            part = self._met(a[segment], (b - a)[segment], self.corners[triangle])
            np.minimum.at(first, segment, part)
        # a segment that passes between two triangles by rounding is cut in the middle
        first[~np.isfinite(first)] = 0.5
        found: np.ndarray = a + first[:, None] * (b - a)
        return found

    @staticmethod
    def _met(start: np.ndarray, step: np.ndarray, corners: np.ndarray) -> np.ndarray:
        """Where a segment meets its triangle (0 to 1), else inf.  After Moeller and Trumbore."""
        u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        p = np.cross(step, v)
        determinant = (u * p).sum(axis=1)
        offset = start - corners[:, 0]
        q = np.cross(offset, u)
        tolerance = 1e-9
        with np.errstate(divide="ignore", invalid="ignore"):
            u_coord = (offset * p).sum(axis=1) / determinant
            v_coord = (step * q).sum(axis=1) / determinant
            fraction = (v * q).sum(axis=1) / determinant
            hit = (
                (u_coord >= -tolerance)
                & (v_coord >= -tolerance)
                & (u_coord + v_coord <= 1 + tolerance)
            )
            hit &= (fraction >= 0) & (fraction <= 1)
        return np.where(hit, fraction, np.inf)
