"""Welding of points, against NumPy's unique rows."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compile.mesh import weld_kernels
from cortenforge.compile.mesh.weld_kernels import merge_vertices, number_rows

pytestmark = pytest.mark.usefixtures("small_runs_plainly")


def points(kind):
    random = np.random.default_rng(2)
    made = {
        "none": np.zeros((0, 3)),
        "all alike": np.ones((50, 3)),
        "all different": random.normal(size=(300, 3)),
        "a grid": random.integers(0, 4, (500, 3)) / 4,
        "powers of two": 2.0 ** random.integers(-30, 30, (400, 3)),
        "large": random.integers(-3, 3, (200, 3)) * 1e38,
    }
    return made[kind].astype(np.float32)


@pytest.mark.parametrize(
    "kind", ["none", "all alike", "all different", "a grid", "powers of two", "large"]
)
@pytest.mark.parametrize("most", [0, 1000])
def test_points_are_numbered_by_first_appearance(monkeypatch, kind, most) -> None:
    """Compiled, and as plain Python."""
    monkeypatch.setattr(weld_kernels, "MAX_PLAIN_ROWS", most)
    given = points(kind)
    vert, index = merge_vertices(given)
    assert np.array_equal(vert[index], given)
    assert len(vert) == len(np.unique(given, axis=0))
    _, first = np.unique(index, return_index=True)
    assert np.array_equal(first, np.sort(first))


@pytest.mark.parametrize("most", [0, 1000])
def test_zeros_of_different_signs_differ(monkeypatch, most) -> None:
    """Bits are compared, not numbers."""
    monkeypatch.setattr(weld_kernels, "MAX_PLAIN_ROWS", most)
    _, index = merge_vertices(np.array([[0, 1, 2], [-0.0, 1, 2], [0, 1, 2]], np.float32))
    assert index.tolist() == [0, 1, 0]


@pytest.mark.parametrize("kind", [np.float64, np.int64, np.int32])
@pytest.mark.parametrize("width", [1, 2, 4])
def test_rows_of_any_numbers(kind, width) -> None:
    """First appearances, and the number of each row."""
    rows = np.random.default_rng(width).integers(-1, 2, (300, width)).astype(kind)
    first, index = number_rows(rows)
    assert np.array_equal(rows[first][index], rows)
    assert len(first) == len(np.unique(rows, axis=0))
    assert np.array_equal(first, np.sort(first))
    assert np.array_equal(index[first], np.arange(len(first)))
