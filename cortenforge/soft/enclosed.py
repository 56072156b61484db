"""What a closed surface of triangles encloses."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

#: columns and triangles that are looked at together
TOGETHER = 2_000_000
#: rays pass beside corners and edges by these parts of the whole size
ASIDE = (3.3e-8, 5.7e-8)


class Enclosed:
    """The inside of triangles (n, 3, 3), as often as they go around it."""

    def __init__(self, corners: np.ndarray) -> None:
        self.corners = corners
        self.low, self.high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        centres = corners.mean(axis=1)
        self._tree = cKDTree(centres)
        self._reach = float(np.linalg.norm(corners - centres[:, None], axis=2).max())

    def inside(self, points: np.ndarray) -> np.ndarray:
        """1 inside, -1 outside: the surface above a point faces up once more than down."""
        aside = np.array([*ASIDE, 0.0]) * float((self.high - self.low).max())
        columns, member = np.unique(np.round(points[:, :2], 12), axis=0, return_inverse=True)
        order = np.argsort(member.ravel(), kind="stable")
        starts = np.searchsorted(member.ravel()[order], np.arange(len(columns) + 1))
        side = np.full(len(points), -1.0)
        step = max(1, TOGETHER // len(self.corners))
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
        """Where upright lines meet triangles: line, height, and whether these face up or down."""
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
        """Where segments whose ends are on both sides first meet the surface."""
        reach = 0.5 * float(np.linalg.norm(b - a, axis=1).max(initial=0.0)) + self._reach
        near = self._tree.query_ball_point(0.5 * (a + b), reach * (1 + 1e-9))
        counts = np.array([len(one) for one in near], int)
        segment = np.repeat(np.arange(len(a)), counts)
        triangle = np.array([number for one in near for number in one], int)
        part = self._met(a[segment], (b - a)[segment], self.corners[triangle])
        first = np.full(len(a), np.inf)
        np.minimum.at(first, segment, part)
        # a segment that slips between two triangles is cut in the middle
        first[~np.isfinite(first)] = 0.5
        found: np.ndarray = a + first[:, None] * (b - a)
        return found

    @staticmethod
    def _met(start: np.ndarray, step: np.ndarray, corners: np.ndarray) -> np.ndarray:
        """How far along each segment its triangle is; infinite if it is not met."""
        u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        across = np.cross(step, v)
        volume = (u * across).sum(axis=1)
        away = start - corners[:, 0]
        turned = np.cross(away, u)
        slack = 1e-9
        with np.errstate(divide="ignore", invalid="ignore"):
            one = (away * across).sum(axis=1) / volume
            other = (step * turned).sum(axis=1) / volume
            part = (v * turned).sum(axis=1) / volume
            met = (one >= -slack) & (other >= -slack) & (one + other <= 1 + slack)
            met &= (part >= 0) & (part <= 1)
        return np.where(met, part, np.inf)
