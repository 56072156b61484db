"""Surfaces and tubes that are handed over for a picture: sheets, cords, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import ObjType
from cortenforge.scene.surfaces_and_tubes import smooth_normals

from ..render.scenes import BALL, SHEET_SCENE, wavy_sheet, world_of

CAMERA = cf.Camera(lookat=(0, 0, 0.3), distance=2.5, azimuth=70, elevation=-30)


@pytest.fixture(scope="module")
def stage() -> tuple[cf.Data, cf.Renderer]:
    model, data = world_of(SHEET_SCENE)
    return data, cf.Renderer(model, width=120, height=90)


def seen(stage: tuple, *extra: cf.Surface | cf.Tubes, camera: cf.Camera = CAMERA) -> np.ndarray:
    """Pixels that show object 7, whatever its type."""
    data, renderer = stage
    owners: np.ndarray = renderer.render(data, camera, mode="segmentation", extra=extra)
    return owners[..., 0] == 7


def test_normals_of_a_wavy_sheet() -> None:
    """Smooth normals are those of the surface z = a sin(kx), within its facets."""
    vert, face = wavy_sheet(41)
    slope = 0.1 * 6 * np.cos(6 * vert[:, 0])
    exact = np.stack([-slope, 0 * slope, np.ones(len(vert))], 1)
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    for by_area in (False, True):
        inside = (np.abs(vert[:, :2]) < 0.49).all(1)
        found = smooth_normals(vert, face, by_area)
        assert np.abs(found - exact)[inside].max() < 0.02


def test_a_sheet_is_seen_from_both_sides(stage: tuple) -> None:
    vert, face = wavy_sheet(21)
    below = cf.Camera(lookat=(0, 0, 0.5), distance=1, azimuth=70, elevation=20)
    one = cf.Surface(vert, face, objid=7)
    both = cf.Surface(vert, face, objid=7, sheet=True)
    thick = cf.Surface(vert, face, objid=7, sheet=True, radius=0.02)
    assert seen(stage, one).sum() == pytest.approx(seen(stage, both).sum(), rel=0.05)
    assert not seen(stage, one, camera=below).any()
    assert seen(stage, both, camera=below).sum() > 1000
    assert seen(stage, thick).sum() > seen(stage, both).sum()


def test_both_sides_are_lighted_alike() -> None:
    """A headlight falls on the front and on the back of a sheet alike."""
    model, data = world_of(BALL)
    renderer = cf.Renderer(model, width=120, height=90)
    vert = np.array([[-1, 0, 1.0], [1, 0, 1], [1, 0, 3], [-1, 0, 3]])
    sheet = cf.Surface(vert, [[0, 1, 2], [0, 2, 3]], rgba=(1, 0, 0, 1), sheet=True)
    sides = [
        renderer.render(data, cf.Camera((0, 0, 2), 3, azimuth, 0), extra=[sheet])[45, 60]
        for azimuth in (90, -90)
    ]
    assert np.abs(sides[0].astype(int) - sides[1]).max() <= 1 and sides[0][0] > 60


def test_vertices_may_move_and_grow_in_number(stage: tuple) -> None:
    """Each picture shows what it is given; what came before leaves nothing behind."""
    data, renderer = stage
    empty = renderer.render(data, CAMERA)
    pictures = []
    for n, phase in ((5, 0.0), (60, 0.0), (60, 1.5), (5, 0.0)):
        vert, face = wavy_sheet(n, phase)
        pictures.append(renderer.render(data, CAMERA, extra=[cf.Surface(vert, face)]))
    assert (pictures[0] == pictures[3]).all() and (pictures[1] != pictures[2]).any()
    assert (renderer.render(data, CAMERA) == empty).all()


def test_a_sheet_casts_a_shadow(stage: tuple) -> None:
    data, renderer = stage
    vert, face = wavy_sheet(11)
    sheet = cf.Surface(vert, face, sheet=True, objid=7)
    bare = renderer.render(data, CAMERA).astype(int).sum(2)
    lit = renderer.render(data, CAMERA, extra=[sheet]).astype(int).sum(2)
    assert ((bare - lit > 60) & ~seen(stage, sheet)).sum() > 100


def test_a_cord_is_as_wide_as_its_radius(stage: tuple) -> None:
    """Tubes between balls: the area of a straight cord, and that its ends are round."""
    points = np.stack([np.linspace(-0.5, 0.5, 6), np.zeros(6), np.full(6, 0.5)], 1)
    edge = np.stack([np.arange(5), np.arange(1, 6)], 1)
    data, _ = stage
    stage = data, cf.Renderer(data.model, width=960, height=720)
    camera = cf.Camera((0, 0, 0.5), 2.5, 90, 0)
    focal = 360 / np.tan(np.radians(22.5)) / 2.5
    for balls, area in ((False, 0.1), (True, 0.1 + np.pi * 0.05**2)):
        cord = cf.Tubes(points, edge, 0.05, objid=7, balls=balls)
        assert seen(stage, cord, camera=camera).sum() == pytest.approx(area * focal**2, rel=0.03)


def test_textures_are_laid_on(stage: tuple) -> None:
    """By coordinates of the vertices, from above, where checks are small and grey, or not."""
    data, renderer = stage
    vert, face = wavy_sheet(11)
    number = data.model.names["material"].index("checks")
    counts = []
    for texcoord, textured in ((vert[:, :2] + 0.5, True), (None, True), (None, False)):
        sheet = cf.Surface(
            vert, face, matid=number, sheet=True, radius=0.01, texcoord=texcoord, textured=textured,
            objid=7,
        )  # fmt: skip
        red = renderer.render(data, CAMERA, extra=[sheet])[..., 0][seen(stage, sheet)]
        counts.append((float((red < 40).mean()), float(red.mean())))
    laid, above, plain = counts
    assert laid[0] > 0.2 and above[0] < 0.1 and plain[0] < 0.05
    assert plain[1] > 1.5 * above[1] and plain[1] > 1.5 * laid[1]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: cf.Surface(np.zeros((3, 2)), [[0, 1, 2]]), r"vert: expected an array of shape"),
        (lambda: cf.Surface(np.full((3, 3), np.nan), [[0, 1, 2]]), r"vert\[0\]: expected finite"),
        (lambda: cf.Surface(np.zeros((3, 3)), [[0, 1, 3]]), "face: expected indices from 0 to 2"),
        (lambda: cf.Surface(np.zeros((3, 3)), [[0, 1, -1]]), "face: expected indices from 0 to 2"),
        (lambda: cf.Surface(np.zeros((3, 3)), [[0, 1, 2]], texcoord=[[0, 0]]), "face_texcoord"),
        (lambda: cf.Tubes(np.zeros((3, 3)), [[0, 3]], 0.1), "edge: expected indices from 0 to 2"),
    ],
)
def test_wrong_arrays_are_refused(wrong: object, words: str) -> None:
    with pytest.raises(cf.ArgumentError, match=words):
        wrong()


def test_nothing_to_draw_is_no_error() -> None:
    """A surface without triangles, and a cord without points, are drawn as nothing."""
    model, data = world_of(BALL)
    renderer = cf.Renderer(model, width=40, height=30)
    none = np.zeros((0, 3))
    extra = [cf.Surface(none, none), cf.Tubes(none, np.zeros((0, 2)), 0.1)]
    plain = renderer.render(data, "front")
    assert (renderer.render(data, "front", extra=extra) == plain).all()


def test_owners_are_those_that_are_given(stage: tuple) -> None:
    data, renderer = stage
    vert, face = wavy_sheet(11)
    sheet = cf.Surface(vert, face, objtype=ObjType.FLEX, objid=7)
    owners = renderer.render(data, CAMERA, mode="segmentation", extra=[sheet])
    assert (owners == (7, ObjType.FLEX)).all(2).any()
