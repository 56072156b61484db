"""Faces with more than three corners to triangles, cut as MuJoCo's OBJ reader cuts them."""

from __future__ import annotations

import numpy as np

EPSILON = np.finfo(np.float32).eps


def split_faces(index: np.ndarray, counts: np.ndarray, vert: np.ndarray) -> np.ndarray:
    """Positions in `index` of the corners of triangles; faces of two corners are left out."""
    if np.all(counts == 3):
        return np.arange(len(index))
    start = np.cumsum(counts) - counts
    cut: dict[int, np.ndarray] = {}
    made = np.maximum(counts - 2, 0)
    for face in np.flatnonzero(counts > 4):
        corners = index[start[face] : start[face] + counts[face]]
        cut[int(face)] = start[face] + _clipped(vert[corners])
        made[face] = len(cut[int(face)])
    result = np.zeros((int(made.sum()), 3), np.int64)
    place = np.cumsum(made) - made
    threes = np.flatnonzero(counts == 3)
    result[place[threes]] = start[threes, None] + np.arange(3)
    fours = np.flatnonzero(counts == 4)
    if len(fours):
        first, second = _halves(vert[index[start[fours, None] + np.arange(4)]])
        result[place[fours]] = start[fours, None] + first
        result[place[fours] + 1] = start[fours, None] + second
    for number, triangles in cut.items():
        result[place[number] : place[number] + len(triangles)] = triangles
    return result.ravel()


def _halves(quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two triangles of each quad, cut along its shorter diagonal."""
    a, b = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    shorter = a[:, 0] * a[:, 0] + a[:, 1] * a[:, 1] + a[:, 2] * a[:, 2] < (
        b[:, 0] * b[:, 0] + b[:, 1] * b[:, 1] + b[:, 2] * b[:, 2]
    )
    first = np.where(shorter[:, None], [0, 1, 2], [0, 1, 3])
    second = np.where(shorter[:, None], [0, 2, 3], [1, 2, 3])
    return first, second


def _clipped(points: np.ndarray) -> np.ndarray:
    """Ears of a polygon cut off one by one, in the plane that shows its first corner best."""
    axes = _plane(points)
    flat = points[:, axes]
    left = list(range(len(points)))
    triangles: list[list[int]] = []
    guess, tries, before = 0, len(left), len(left)
    while len(left) > 3 and tries > 0:
        count = len(left)
        if guess >= count:
            guess -= count
        if before != count:
            before = tries = count
        else:
            tries -= 1
        ear = [left[(guess + k) % count] for k in range(3)]
        others = [left[(guess + k) % count] for k in range(3, count)]
        if _is_ear(flat[ear], flat[others]):
            triangles.append(ear)
            del left[(guess + 1) % count]
        else:
            guess += 1
    if len(left) == 3:
        triangles.append(left)
    return np.array(triangles, np.int64).reshape(-1, 3)


def _plane(points: np.ndarray) -> list[int]:
    count = len(points)
    for k in range(count):
        a, b, c = points[k], points[(k + 1) % count], points[(k + 2) % count]
        x, y, z = np.abs(np.cross(b - a, c - b))
        if max(x, y, z) > EPSILON:
            if x > y and x > z:
                return [1, 2]
            return [0, 1] if z > x and z > y else [0, 2]
    return [1, 2]


def _is_ear(ear: np.ndarray, others: np.ndarray) -> bool:
    """True for a corner that points outwards and has no other corner inside."""
    (ax, ay), (bx, by), (cx, cy) = ear
    turn = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
    if turn * ((ax * by - ay * bx) * np.float32(0.5)) < 0:
        return False
    return not any(_inside(ear, x, y) for x, y in others)


def _inside(polygon: np.ndarray, x: float, y: float) -> bool:
    odd = False
    for i in range(3):
        (ax, ay), (bx, by) = polygon[i], polygon[i - 1]
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd
