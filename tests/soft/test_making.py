"""Deformables made of grids, boxes, balls, lines, meshes and files; and what is refused."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import trimesh

import cortenforge as cf

TRIANGLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]])
TET = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])


def test_grid():
    """nx by ny vertices about the origin, with alternating diagonals."""
    cloth = cf.Cloth.grid(4, 3, size=(3, 2))
    assert cloth.vertices.shape == (12, 3)
    assert cloth.areas() == pytest.approx(np.full(12, 0.5))
    assert np.abs(cloth.vertices).max(axis=0).tolist() == [1.5, 1.0, 0.0]
    normals = np.cross(*(cloth.vertices[cloth.faces[:, i]] - cloth.vertices[cloth.faces[:, 0]]
                         for i in (1, 2)))  # fmt: skip
    assert (normals[:, 2] > 0).all()
    valence = np.bincount(cloth.faces.ravel())
    assert valence[1 * 3 + 1] == 8


def test_box():
    """Cells of five tetrahedra that fill the box and fit together."""
    body = cf.SoftBody.box((3, 2, 1), (0.3, 0.4, 0.5))
    assert body.vertices.shape == (24, 3)
    assert len(body.tets) == 30
    assert (body.volumes() > 0).all()
    assert body.volumes().sum() == pytest.approx(0.06)
    surface = trimesh.Trimesh(body.vertices, body.faces, process=False)
    assert surface.is_watertight
    assert surface.volume == pytest.approx(0.06)


@pytest.mark.parametrize("radii", [0.1, (0.1, 0.2, 0.05)])
def test_ball(radii):
    """Vertices of the surface are on it; volumes are positive and nearly the ball's."""
    body = cf.SoftBody.ball(radii, cell=0.02)
    axes = np.broadcast_to(radii, 3)
    outside = np.unique(body.faces)
    assert np.linalg.norm(body.vertices[outside] / axes, axis=1) == pytest.approx(1, abs=1e-9)
    assert body.volumes().sum() == pytest.approx(4 / 3 * np.pi * np.prod(axes), rel=0.04)
    assert trimesh.Trimesh(body.vertices, body.faces, process=False).is_watertight


def test_line_and_points():
    chain = cf.CapsuleChain.line((0, 0, 1), (2, 0, 1), 4)
    assert chain.lengths() == pytest.approx([0.5] * 4)
    bent = cf.CapsuleChain([[0, 0, 0], [1, 0, 0], [1, 1, 0]], radius=0.02)
    assert len(bent.cells) == 2
    assert bent.radius == 0.02


@pytest.mark.parametrize(
    "shape",
    [
        trimesh.creation.icosphere(2, 0.1),
        trimesh.creation.box((0.1, 0.2, 0.3)),
        trimesh.creation.torus(0.1, 0.04),
        trimesh.creation.capsule(0.2, 0.05),
    ],
    ids=["sphere", "box", "torus", "capsule"],
)
def test_filled_surfaces(shape):
    """The filler keeps the volume, closes the surface, and makes no bad tetrahedra."""
    body = cf.SoftBody.from_mesh(shape, cell=0.02)
    assert body.volumes().sum() == pytest.approx(shape.volume, rel=0.06)
    assert trimesh.Trimesh(body.vertices, body.faces, process=False).is_watertight
    corners = body.vertices[body.tets]
    longest = np.linalg.norm(corners[:, None] - corners[:, :, None], axis=3).max(axis=(1, 2))
    assert (6 * body.volumes() / longest**3).min() > 0.05


def test_a_surface_of_thin_triangles_takes_little_memory():
    """Segments are cut by the triangles around them in batches; all at once took 1.1 GB."""
    shape = trimesh.creation.capsule(0.2, 0.05)
    tracemalloc.start()
    try:
        cf.SoftBody.from_mesh(shape, cell=0.02)
        assert tracemalloc.get_traced_memory()[1] < 200e6
    finally:
        tracemalloc.stop()


def test_two_surfaces_one_in_the_other():
    """What faces inwards is a hollow."""
    outer, inner = trimesh.creation.box((0.4,) * 3), trimesh.creation.box((0.2,) * 3)
    inner.invert()
    both = trimesh.util.concatenate([outer, inner])
    body = cf.SoftBody.from_mesh(both, cell=0.05)
    assert body.volumes().sum() == pytest.approx(0.064 - 0.008, rel=0.08)


def test_files(tmp_path):
    """A surface comes from a file of a mesh, made larger if asked for."""
    path = tmp_path / "ball.stl"
    trimesh.creation.icosphere(1, 1.0).export(path)
    cloth = cf.Cloth.from_mesh(path, scale=0.1)
    assert np.linalg.norm(cloth.vertices, axis=1) == pytest.approx(0.1, rel=1e-6)
    body = cf.SoftBody.from_mesh(str(path), scale=(0.1, 0.1, 0.2))
    assert np.ptp(body.vertices, axis=0) == pytest.approx([0.2, 0.2, 0.4], rel=0.05)
    pair = cf.Cloth.from_mesh((TRIANGLE, [[0, 1, 2]]))
    assert pair.areas() == pytest.approx(0.5)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(cf.SoftError, match="cannot be read"):
        cf.Cloth.from_mesh(tmp_path / "nothing.stl")
    (tmp_path / "bad.obj").write_text("v 0 0\n")
    with pytest.raises(cf.SoftError, match=r"bad\.obj"):
        cf.Cloth.from_mesh(tmp_path / "bad.obj")
    with pytest.raises(cf.SoftError, match="expected a mesh"):
        cf.Cloth.from_mesh(3)


def test_places():
    """pos, quat and euler, in degrees."""
    turned = cf.Cloth.grid(2, 2, size=(2, 2), pos=(0, 0, 1), euler=(0, 90, 0))
    other = cf.Cloth.grid(2, 2, size=(2, 2), pos=(0, 0, 1), quat=(2**-0.5, 0, 2**-0.5, 0))
    assert turned.vertices == pytest.approx(other.vertices)
    assert np.ptp(turned.vertices, axis=0) == pytest.approx([0, 2, 2], abs=1e-12)
    with pytest.raises(cf.SoftError, match="only one of quat and euler"):
        cf.Cloth.grid(2, 2, quat=(1, 0, 0, 0), euler=(0, 0, 0))
    with pytest.raises(cf.SoftError, match="zero quaternion"):
        cf.Cloth.grid(2, 2, quat=(0, 0, 0, 0))


@pytest.mark.parametrize(
    ("choice", "numbers"),
    [
        (3, [3]),
        (-1, [8]),
        ([0, 2, 2], [0, 2]),
        (np.arange(9) > 6, [7, 8]),
        ("left", [0, 1, 2]),
        ("right", [6, 7, 8]),
        ("front", [0, 3, 6]),
        ("back", [2, 5, 8]),
        ("top", list(range(9))),
        ("corners", [0, 2, 6, 8]),
        ("border", [0, 1, 2, 3, 5, 6, 7, 8]),
        ("ends", [0, 8]),
        ("all", list(range(9))),
        (["left", "right"], [0, 1, 2, 6, 7, 8]),
        ([[-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]], [4]),
        (lambda points: points[:, 0] + points[:, 1] > 0.9, [8]),
    ],
    ids=lambda value: "function" if callable(value) else str(value),
)
def test_choices_of_vertices(choice, numbers):
    """Numbers, masks, words, boxes and tests, in the deformable's own frame."""
    cloth = cf.Cloth.grid(3, 3, pos=(5, 5, 5), euler=(90, 0, 30))
    assert cloth.select(choice).tolist() == numbers
    assert cf.Cloth.grid(3, 3, pinned=choice).pins.tolist() == numbers


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (9, "there is no vertex 9"),
        ("leftt", "did you mean 'left'"),
        (1.5, "expected numbers of vertices"),
        ([[0, 0, 0], [0.1, 0.1, 0.1]][::-1], "selects no vertex"),
        (lambda points: points, "expected a mask"),
        (np.ones(3, bool), "expected a mask"),
    ],
    ids=lambda value: "function" if callable(value) else str(value),
)
def test_choices_that_mean_nothing(choice, words):
    with pytest.raises(cf.SoftError, match=words):
        cf.Cloth.grid(3, 3).pin(choice)


def _cloth(vertices, faces):
    return cf.Cloth(vertices, faces)


def _solid(vertices, tets):
    return cf.SoftBody(vertices, tets)


@pytest.mark.parametrize(
    ("make", "points", "cells", "words"),
    [
        (_cloth, TRIANGLE * np.nan, [[0, 1, 2]], "is not finite"),
        (_cloth, TRIANGLE * 1e9, [[0, 1, 2]], "farther than"),
        (_cloth, TRIANGLE[:, :2], [[0, 1, 2]], r"shape \(n, 3\)"),
        (_cloth, [["a"]], [[0, 1, 2]], "expected numbers"),
        (_cloth, np.zeros((0, 3)), [[0, 1, 2]], "no vertices"),
        (_cloth, TRIANGLE, [[0, 1, 3]], "there are 3, from 0 on"),
        (_cloth, TRIANGLE, [[0, 1, -1]], "there are 3, from 0 on"),
        (_cloth, TRIANGLE, [[0, 1, 1]], "has a vertex twice"),
        (_cloth, TRIANGLE, [[0.0, 1.0, 2.0]], "expected integers"),
        (_cloth, TRIANGLE, [[0, 1]], r"shape \(n, 3\)"),
        (_cloth, TRIANGLE, [[0, 1], [0]], "rows of one length"),
        (_cloth, TRIANGLE, np.zeros((0, 3), int), r"shape \(n, 3\)"),
        (_cloth, TRIANGLE, [[0, 1, 2], [2, 1, 0]], "is a duplicate"),
        (_cloth, [*TRIANGLE, [5, 5, 5]], [[0, 1, 2]], "vertex 3 is not used"),
        (_cloth, [*TRIANGLE, [0, 0, 0]], [[0, 1, 2], [3, 1, 2]], "0 and 3 are at the same place"),
        (_cloth, [[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]], "triangle 0 has no area"),
        (_cloth, [[0, 0, 0], [1, 0, 0], [0.5, 1e-5, 0]], [[0, 1, 2]], "triangle 0 is a needle"),
        (_cloth, TET, [[0, 1, 2], [0, 1, 3], [1, 0, 2]], "is a duplicate"),
        (_solid, TET * [1, 1, 0], [[0, 1, 2, 3]], "at the same place"),
        (_solid, [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2, 3]], "has no volume"),
        (_solid, [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1e-5]], [[0, 1, 2, 3]], "is flat"),
        (_solid, TET, [[0, 1, 2, 4]], "there are 4, from 0 on"),
        (_solid, TET, [[0, 1, 2, 3], [1, 0, 2, 3]], "is a duplicate"),
        (_solid, [*TET, [3, 3, 3]], [[0, 1, 2, 3]], "vertex 4 is not used"),
    ],
)
def test_bad_meshes_are_refused(make, points, cells, words):
    """Bad indices, coincident vertices, needles, zero areas and volumes, NaN."""
    with pytest.raises(cf.SoftError, match=words):
        make(np.array(points) if not isinstance(points, list) else points, cells)


def test_three_triangles_at_an_edge_are_refused():
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1]]
    with pytest.raises(cf.SoftError, match="3 triangles share the edge"):
        cf.Cloth(points, [[0, 1, 2], [0, 1, 3], [0, 1, 4]])


def test_inverted_tetrahedra_are_turned():
    """Those that are inside out get a positive volume."""
    body = cf.SoftBody(TET, [[0, 2, 1, 3]])
    assert body.volumes() == pytest.approx([1 / 6])


def test_open_surfaces_cannot_be_filled():
    ball = trimesh.creation.icosphere(1)
    with pytest.raises(cf.SoftError, match="3 edges have one side only"):
        cf.SoftBody.from_mesh((ball.vertices, ball.faces[1:]))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: cf.Cloth.grid(1, 3), "nx: expected at least 2"),
        (lambda: cf.Cloth.grid(2.5, 3), "nx: expected an integer"),
        (lambda: cf.Cloth.grid(2, 2, size=(1, -1)), "size: expected positive"),
        (lambda: cf.Cloth.grid(2, 2, thickness=0), "thickness: expected a positive"),
        (lambda: cf.Cloth.grid(2, 2, bending=-1), "bending: expected no negative"),
        (lambda: cf.Cloth.grid(2, 2, radius=-1), "radius: expected a positive"),
        (lambda: cf.Cloth.grid(2, 2, drag=-1), "drag: expected no negative"),
        (lambda: cf.Cloth.grid(2, 2, solref=(0.02, -1)), "solref: expected no negative"),
        (lambda: cf.Cloth.grid(2, 2, contype=-1), "contype: expected at least 0"),
        (lambda: cf.Cloth.grid(2, 2, contype=2**31), "contype: expected at most 2147483647"),
        (lambda: cf.Cloth.grid(2, 2, rgba=(1, 1, 1)), "rgba: expected an array of shape"),
        (lambda: cf.Cloth.grid(2, 2, name=3), "name: expected a name"),
        (lambda: cf.Cloth.grid(2, 2, radus=1), "did you mean 'radius'"),
        (lambda: cf.Cloth.grid(10**5, 10**5), "vertices are too many"),
        (lambda: cf.SoftBody.box(10**4), "vertices are too many"),
        (lambda: cf.CapsuleChain.line((0, 0, 0), (1, 0, 0), 10**8), "vertices are too many"),
        (lambda: cf.SoftBody.box(0), "count: expected at least 1"),
        (lambda: cf.SoftBody.box((1, 2)), "count: expected one or three"),
        (lambda: cf.SoftBody.box(1, model="jelly"), "model: expected 'solid' or 'edges'"),
        (lambda: cf.SoftBody.box(1, model="edges", poisson=0.1), "poisson >= 0.25"),
        (lambda: cf.SoftBody.ball(0.1, cell=1e-5), "cells are too many"),
        (lambda: cf.CapsuleChain.line((0, 0, 0), (0, 0, 0), 3), "the same point"),
        (lambda: cf.CapsuleChain.line((0, 0, 0), (1, 0, 0), 0), "segments: expected at least 1"),
        (lambda: cf.CapsuleChain([[0, 0, 0]]), "at least two vertices"),
        (lambda: cf.Cloth.grid(2, 2).attach(0), "expected a body or a site"),
        (lambda: cf.Cloth.grid(2, 2).attach(0, body="a", site="b"), "expected a body or a site"),
        (lambda: cf.Cloth.grid(2, 2).attach([0, 1], site="b"), "cannot all be at one place"),
    ],
)
def test_bad_numbers_are_refused(make, words):
    with pytest.raises(cf.SoftError, match=words):
        make()
