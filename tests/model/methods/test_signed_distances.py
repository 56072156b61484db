"""Signed distances and heights at points."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cortenforge as cf
from conformance.rays import ASSETS
from cortenforge.errors import ArgumentError, ShapeError

XML = f"""<mujoco>{ASSETS}<worldbody>
  <geom name="ring" type="sdf" mesh="field" pos="1 0 0"/>
  <geom name="ground" type="hfield" hfield="hills" pos="0 1 0"/>
  <geom name="whole" type="mesh" mesh="torus"/><geom name="ball" size="1"/>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def model():
    return cf.Model.from_mjcf(XML)


@pytest.fixture(scope="module")
def ball():
    """A sphere of radius one as a mesh with signed distances."""
    return cf.Model.from_mjcf(
        """<mujoco><asset><mesh name="m" builtin="sphere" params="4"/></asset>
        <worldbody><geom name="g" type="sdf" mesh="m"/></worldbody></mujoco>"""
    )


def reference(model: cf.Model, mesh: int, point: np.ndarray) -> float:
    """The distance as the octree's arrays have it, worked out by hand."""
    root = int(model.mesh_octadr[mesh])
    centre, half = model.oct_aabb[root, :3], model.oct_aabb[root, 3:]
    over = np.maximum(np.abs(point - centre) - half, 0)
    shift = np.sign(point - centre) * np.where(np.abs(point - centre) >= half, over + 1e-6, 0)
    inside, node = point - shift, root
    while model.oct_child[node, 0] >= 0:
        which = (inside >= model.oct_aabb[node, :3]) @ [1, 2, 4]
        node = root + int(model.oct_child[node, which])
    centre, half = model.oct_aabb[node, :3], model.oct_aabb[node, 3:]
    x, y, z = (inside - centre + half) / (2 * half)
    weights = [
        (x if k & 1 else 1 - x) * (y if k & 2 else 1 - y) * (z if k & 4 else 1 - z)
        for k in range(8)
    ]
    return float(np.dot(weights, model.oct_coeff[node]) + np.linalg.norm(over))


def test_distances_are_those_of_the_octree(model):
    """6b-S1: points are asked for directly; gradients are those of the distances."""
    points = np.random.default_rng(0).normal(size=(200, 3)) * 0.5
    found = model.sdf_at("ring", points)
    assert found.distance.shape == (200,) and found.gradient.shape == (200, 3)
    mesh = model.geom_dataid[model.id_of("geom", "ring")]
    expected = [reference(model, mesh, point) for point in points]
    np.testing.assert_allclose(found.distance, expected, atol=1e-12)
    assert np.any(found.distance < 0) and np.any(found.distance > 0.3)
    step = 1e-6
    for k in range(3):
        moved = np.eye(3)[k] * step
        change = model.sdf_at("field", points + moved).distance
        change -= model.sdf_at("field", points - moved).distance
        # a border between cells, where the slope jumps, is rarely between the two
        right = np.abs(change / (2 * step) - found.gradient[:, k]) < 1e-6
        assert right.mean() > 0.98


def test_distances_from_a_ball(ball):
    """Near the surface they are those from a ball, as far as triangles and cells are fine."""
    rng = np.random.default_rng(1)
    points = rng.normal(size=(300, 3))
    points *= rng.uniform(0.8, 1.5, size=(300, 1)) / np.linalg.norm(points, axis=1, keepdims=True)
    radius = np.linalg.norm(points, axis=1)
    distance, gradient = ball.sdf_at("m", points)
    assert np.abs(distance - (radius - 1)).max() < 0.08
    along = np.einsum("ij,ij->i", gradient, points / radius[:, None])
    assert np.median(along) > 0.95


def test_names_numbers_and_shapes(model):
    """A geom by name or number, a mesh by name; points of any shape."""
    point = np.array([0.1, 0.2, 0.3])
    by_geom = model.sdf_at("ring", point)
    assert by_geom.distance.shape == () and by_geom.gradient.shape == (3,)
    for key in (0, "field"):
        assert model.sdf_at(key, point).distance == by_geom.distance
    grid = model.sdf_at("ring", np.zeros((2, 0, 3)))
    assert grid.distance.shape == (2, 0) and grid.gradient.shape == (2, 0, 3)
    block = model.sdf_at("ring", np.tile(point, (2, 4, 1)))
    assert np.all(block.distance == by_geom.distance)
    assert model.hfield_at("hills", [0, 0]).height == model.hfield_at("ground", [0, 0, 9]).height


BAD = [
    ("sdf_at", "torus", [0, 0, 0], ArgumentError, "no signed distances"),
    ("sdf_at", "whole", [0, 0, 0], ArgumentError, "type sdf"),
    ("sdf_at", "nothing", [0, 0, 0], KeyError, "nothing"),
    ("sdf_at", 99, [0, 0, 0], IndexError, "99"),
    ("sdf_at", "ring", [0, 0], ShapeError, "points"),
    ("sdf_at", "ring", 3.0, ShapeError, "points"),
    ("sdf_at", "ring", [[0, 0, 0], [0, math.nan, 0]], ArgumentError, r"points\[1\]"),
    ("hfield_at", "ring", [0, 0], ArgumentError, "hfield"),
    ("hfield_at", "ground", [0, 0, 0, 0], ShapeError, "points"),
    ("hfield_at", "ground", [["a", "b"]], ShapeError, "points"),
    ("hfield_at", "ground", [math.inf, 0], ArgumentError, "must be finite"),
]


@pytest.mark.parametrize(("query", "key", "points", "error", "words"), BAD)
def test_what_cannot_be_asked(model, query, key, points, error, words):
    """Errors say what was wrong, with the point's place."""
    with pytest.raises(error, match=words):
        getattr(model, query)(key, points)


def test_places_of_elevations(model):
    """6a-AC3, 6a-AC5: elevations are at x = dx column - size_x, dx = 2 size_x / (ncol - 1), and
    likewise in y; the height there is the elevation times size_z."""
    field = cf.Model.from_mjcf(
        """<mujoco><asset><hfield name="h" nrow="3" ncol="11" size="5 2 3 .1" elevation="
        0 1 2 3 4 5 6 7 8 9 10  5 5 5 5 5 5 5 5 5 5 5  10 9 8 7 6 5 4 3 2 1 0"/></asset>
        <worldbody><geom name="g" type="hfield" hfield="h"/></worldbody></mujoco>"""
    )
    x, y = np.linspace(-5, 5, 11), np.array([-2.0, 0, 2])
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    height, _ = field.hfield_at("g", grid)
    stored = field.hfield_data.reshape(3, 11)
    np.testing.assert_allclose(height, 3 * stored, atol=1e-6)
    for column in range(11):
        assert x[column] == pytest.approx(2 * 5 / 10 * column - 5)
    size, rows = model.hfield_size[0], (int(model.hfield_nrow[0]), int(model.hfield_ncol[0]))
    x, y = (np.linspace(-s, s, n) for s, n in zip(size[:2], rows[::-1], strict=True))
    height, _ = model.hfield_at("hills", np.stack(np.meshgrid(x, y), axis=-1))
    np.testing.assert_allclose(height, size[2] * model.hfield_data.reshape(rows), atol=1e-6)


def test_heights_between_elevations(model):
    """6a-S2: on triangles whose common side runs from low to high x and y; the normal is theirs.
    A point is as far from the surface as a ray along the normal goes."""
    rng = np.random.default_rng(2)
    points = rng.uniform(-1, 1, size=(100, 2)) * [1, 0.7]
    height, normal = model.hfield_at("hills", points)
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1)
    assert np.all(normal[:, 2] > 0)
    data = model.make_data()
    data.forward(smooth_only=True)
    above = np.column_stack([points, np.full(100, 3.0)]) + model.geom_pos[1]
    hits = data.multi_ray(above, np.tile([0, 0, -1.0], (100, 1)), normal=True)
    ground = hits.geomid == 1
    assert ground.mean() > 0.3
    np.testing.assert_allclose(height[ground], 3 - hits.dist[ground], atol=1e-12)
    np.testing.assert_allclose(normal[ground], hits.normal[ground], atol=1e-12)
    near = np.column_stack([points, height + 0.01]) + model.geom_pos[1]
    across = data.multi_ray(near, -normal, normal=True)
    # where the foot of the perpendicular is on the same triangle
    same = (across.geomid == 1) & np.isclose(across.normal, normal, atol=1e-9).all(axis=1)
    assert same.mean() > 0.3 and normal[same, 2].min() < 0.9
    np.testing.assert_allclose(across.dist[same], 0.01 * normal[same, 2], atol=1e-12)


def test_beside_a_field_is_nothing(model):
    """Not a number, rather than some height."""
    height, normal = model.hfield_at("hills", [[1.0, 0.7], [1.01, 0], [0, -0.71]])
    assert np.isfinite(height[0]) and np.isnan(height[1:]).all() and np.isnan(normal[1:]).all()


def test_edited_elevations_are_read():
    """A field that was changed in the loaded model is as it is now."""
    own = cf.Model.from_mjcf(XML)
    own.hfield_data[:] = 0.5
    height, normal = own.hfield_at("ground", [0.2, 0.3])
    assert height == 0.5 * own.hfield_size[0, 2] and normal.tolist() == [0, 0, 1]
