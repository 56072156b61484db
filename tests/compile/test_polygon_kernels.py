"""Outlines of coplanar faces; `test_order` compares those of hulls with MuJoCo."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compile.mesh import polygon_kernels
from cortenforge.compile.mesh.hash_order import order_of_hashes
from cortenforge.compile.mesh.polygon_kernels import polygon_outlines

pytestmark = pytest.mark.usefixtures("small_runs_plainly")

# (groups of faces, outlines)
GROUPS = {
    "none": ([], []),
    "a triangle": ([[(4, 2, 7)]], [[4, 2, 7]]),
    "two of a square": ([[(0, 1, 2), (0, 2, 3)]], [[0, 1, 2, 3]]),
    "an edge of the first is inside": ([[(0, 1, 2), (1, 0, 3)]], [[1, 2, 0, 3]]),
    "a fan around a vertex": (
        [[(9, 0, 1), (9, 1, 2), (9, 2, 3), (9, 3, 0)]],
        [[0, 1, 2, 3]],
    ),
    "two apart in a group": ([[(0, 1, 2), (3, 4, 5)]], [[0, 1, 2], [3, 4, 5]]),
    "joined by a later face": (
        [[(0, 1, 2), (3, 4, 5), (2, 1, 4), (2, 4, 3)]],
        [[0, 1, 4, 5, 3, 2]],
    ),
    "the same vertices in two groups": ([[(0, 1, 2)], [(0, 1, 2)]], [[0, 1, 2], [0, 1, 2]]),
    "a face and its back leave nothing": ([[(0, 1, 2), (0, 2, 1)]], []),
}


def outlines(groups, nvert=10):
    counts = np.array([len(group) for group in groups], int)
    face = np.array([face for group in groups for face in group], int).reshape(-1, 3)
    vertex, corners = polygon_outlines(face, np.cumsum(counts) - counts, counts, nvert)
    return [part.tolist() for part in np.split(vertex, np.cumsum(corners)[:-1])] if groups else []


@pytest.mark.parametrize("label", GROUPS)
@pytest.mark.parametrize("most", [0, 1000])
def test_outlines(monkeypatch, label, most) -> None:
    """Compiled, and as plain Python."""
    monkeypatch.setattr(polygon_kernels, "MAX_PLAIN_FACES", most)
    groups, expected = GROUPS[label]
    assert [one for one in outlines(groups) if one] == expected


def test_a_grid_has_one_outline() -> None:
    """All faces of a square of 30 by 30 cells, in any order."""
    n = 31
    corner = np.arange(n * n).reshape(n, n)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]
    face = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    np.random.default_rng(3).shuffle(face)
    (found,) = outlines([face.tolist()], n * n)
    border = {*corner[0], *corner[-1], *corner[:, 0], *corner[:, -1]}
    assert set(found) == border
    assert len(found) == len(border) == 4 * (n - 1)
    steps = np.abs(np.diff([*found, found[0]]))
    assert np.isin(steps, (1, n)).all()


def test_compiled_and_plain_polygons_are_the_same(monkeypatch) -> None:
    """Random faces share edges in every way: once, twice, more often."""
    random = np.random.default_rng(5)
    groups = [random.permuted(random.choice(8, (k, 1)) + np.arange(3), axis=1) for k in (1, 5, 40)]
    groups = [group.tolist() for group in groups]
    codes = random.integers(0, 2**63, 300).astype(np.uint64)
    fast = outlines(groups), order_of_hashes(codes).tolist()
    monkeypatch.setattr(polygon_kernels, "MAX_PLAIN_FACES", 1000)
    assert fast == (outlines(groups), order_of_hashes(codes).tolist())
