"""Passes over triangles: known meshes, and the same bits as plain Python and compiled."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from cortenforge.compile.mesh import surface_kernels
from cortenforge.compile.mesh.surface_kernels import (
    AREA,
    CENTRE,
    INNER,
    PRODUCTS,
    VOLUME,
    face_leaves,
    surface_sums,
    vertex_normal_sums,
)

pytestmark = pytest.mark.usefixtures("small_runs_plainly")

SIZE = np.array([2.0, 3.0, 5.0])
CORNERS = np.array(list(itertools.product((0.0, 1.0), repeat=3))) * SIZE + 7.0
# outward, two triangles a side
BOX = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
        *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
    ]
)
AREAS = 2 * (SIZE[0] * SIZE[1] + SIZE[1] * SIZE[2] + SIZE[2] * SIZE[0])


@pytest.mark.parametrize("legacy", [False, True])
def test_a_box_has_its_volume_centre_and_inertia(legacy) -> None:
    sums = surface_sums(BOX, CORNERS, BOX, shell=False, legacy=legacy)
    volume = SIZE.prod()
    np.testing.assert_allclose(sums[[AREA, VOLUME, INNER]], [AREAS, volume, volume], rtol=1e-13)
    np.testing.assert_allclose(sums[CENTRE:INNER], 7.0 + SIZE / 2, rtol=1e-13)
    squares, mixed = sums[PRODUCTS : PRODUCTS + 3], sums[PRODUCTS + 3 :]
    np.testing.assert_allclose(squares, volume * SIZE**2 / 12, rtol=1e-12)
    np.testing.assert_allclose(mixed, 0.0, atol=1e-12 * volume)


def test_a_shell_has_areas() -> None:
    """Of a cube of edge 1, the integral of x^2: 2 / 4 on sides across x, 4 / 12 on the others."""
    cube = (CORNERS - 7.0) / SIZE
    sums = surface_sums(BOX, cube, BOX, shell=True, legacy=False)
    np.testing.assert_allclose(sums[[AREA, VOLUME, INNER]], 6.0, rtol=1e-14)
    np.testing.assert_allclose(sums[PRODUCTS : PRODUCTS + 3], 2 / 4 + 4 / 12, rtol=1e-13)


def test_the_solid_counts_for_the_volume_only() -> None:
    half = surface_sums(BOX[:6], CORNERS, BOX, shell=False, legacy=False)
    whole = surface_sums(BOX, CORNERS, BOX, shell=False, legacy=False)
    assert half[AREA] < whole[AREA]
    np.testing.assert_allclose(half[VOLUME:], whole[VOLUME:], rtol=1e-12, atol=1e-12)


def test_normals_of_a_box() -> None:
    """Twice the areas of triangles at a corner; a side is sharp far from the direction of all."""
    total, sharp = vertex_normal_sums(BOX, CORNERS, smooth=False)
    assert total.dtype == np.float32
    away = np.abs(total) / np.linalg.norm(total, axis=1)[:, None] < 0.8
    assert 0 < np.sum(~away) < away.size
    assert np.array_equal(sharp, np.where(away, total, 0))
    sides = np.array([SIZE[1] * SIZE[2], SIZE[2] * SIZE[0], SIZE[0] * SIZE[1]])
    assert np.isin(np.abs(total) / sides, (1, 2)).all()
    outward = np.sign(CORNERS - CORNERS.mean(axis=0))
    assert np.array_equal(np.sign(total), outward)
    smooth, none = vertex_normal_sums(BOX, CORNERS, smooth=True)
    assert np.array_equal(smooth, total)
    assert not none.any()


def test_leaves_are_boxes_and_circumscribed_centres() -> None:
    """The circle around a triangle with a right angle has its centre on the longest edge."""
    triangle = np.array([[0.0, 0, 0], [4, 0, 0], [0, 2, 0], [1, 1, 1], [5, 1, 1], [1, 3, 1]])
    place, low, high = face_leaves(triangle, np.array([[0, 1, 2], [3, 4, 5]]))
    np.testing.assert_allclose(place.T, [[2, 1, 0], [3, 2, 1]], rtol=1e-14, atol=1e-14)
    assert low.tolist() == [[0, 0, 0], [1, 1, 1]]
    assert high.tolist() == [[4, 2, 0], [5, 3, 1]]


def test_compiled_and_plain_passes_are_the_same(monkeypatch) -> None:
    """Few faces are passed in Python, many by compiled code: the same kernels."""
    random = np.random.default_rng(1)
    vert, face = random.normal(size=(40, 3)), random.integers(0, 40, (90, 3))

    def passes() -> list[np.ndarray]:
        kinds = [(False, False), (True, False), (False, True)]
        sums = [surface_sums(face, vert, face, shell=s, legacy=g) for s, g in kinds]
        normals = vertex_normal_sums(face, vert, smooth=False)
        return [*sums, *normals, *face_leaves(vert, face), *face_leaves(vert, face[:5])]

    fast = passes()
    monkeypatch.setattr(surface_kernels, "MAX_PLAIN_FACES", 1000)
    for one, other in zip(fast, passes(), strict=True):
        assert one.tobytes() == other.tobytes() or np.array_equal(one, other, equal_nan=True)
