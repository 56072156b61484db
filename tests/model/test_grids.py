"""Grids of signed distances given to geoms: layout, bounds, files, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import SdfShape
from cortenforge.errors import ArgumentError, MjcfError, ShapeError
from tests.step.collision.sdf.test_sdf_pairs import ball_grid

TEXT = """<mujoco><worldbody>
  <geom name="f" type="sdf" pos="1 2 3" euler="10 20 30"/><geom name="g" type="sdf"/>
  <body><freejoint/><geom name="b" size=".1"/></body></worldbody></mujoco>"""


def test_layout():
    """6b-S1: one cell size, values in the order Z-Y-X, any origin; queries at points."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(4, 3, 5))
    origin = np.array((0.3, -2.0, 7.0))
    model = cf.load_model(TEXT)
    model.set_sdf("f", cf.Grid(values, 0.5, origin))
    k, j, i = 2, 1, 3
    found = model.sdf_at("f", origin + 0.5 * np.array((i, j, k)))
    assert found.distance == pytest.approx(values[k, j, i], abs=1e-12)
    between = model.sdf_at("f", origin + 0.5 * np.array((i, j, k + 0.25)))
    assert between.distance == pytest.approx(
        0.75 * values[k, j, i] + 0.25 * values[k + 1, j, i], abs=1e-12
    )
    assert between.gradient[2] == pytest.approx(2 * (values[k + 1, j, i] - values[k, j, i]))
    # outside, the distance from the box is added, and the gradient leads away from it
    outside = model.sdf_at("f", origin - (3, 0, 4))
    assert outside.distance == pytest.approx(values[0, 0, 0] + 5, abs=1e-12)
    np.testing.assert_allclose(outside.gradient[[0, 2]], (-0.6, -0.8))


def test_gradients_are_differences():
    """Inside and outside of the grid, with a cubic cell."""
    model = cf.load_model(TEXT)
    model.set_sdf("f", ball_grid())
    points = np.random.default_rng(1).uniform(-0.4, 0.4, (200, 3))
    found = model.sdf_at("f", points)
    step = 1e-7
    for axis in range(3):
        moved = np.eye(3)[axis] * step
        change = model.sdf_at("f", points + moved).distance
        change = (change - model.sdf_at("f", points - moved).distance) / (2 * step)
        np.testing.assert_allclose(found.gradient[:, axis], change, atol=1e-6)


def test_bounds():
    """6b-AC3, 6b-AC4: box and sphere around a geom are those of its grid."""
    model = cf.load_model(TEXT)
    model.set_sdf("f", cf.Grid(np.ones((3, 5, 7)), 0.1, (-0.3, -0.2, -0.1)))
    np.testing.assert_allclose(model.geom("f").size, (0.3, 0.2, 0.1))
    np.testing.assert_allclose(model.geom("f").aabb, (0, 0, 0, 0.3, 0.2, 0.1), atol=1e-15)
    assert model.geom("f").rbound == pytest.approx(np.sqrt(0.14))
    # a grid beside the origin has a box that reaches it
    model.set_sdf("f", cf.Grid(np.ones((3, 5, 7)), 0.1, (1, 0, 0)))
    np.testing.assert_allclose(model.geom("f").aabb, (1.3, 0.2, 0.1, 0.3, 0.2, 0.1))
    np.testing.assert_allclose(model.geom("f").size, (1.6, 0.4, 0.2))


def test_several_grids():
    """Grids of other geoms stay as they are; what was given is given back."""
    model = cf.load_model(TEXT)
    one, two, three = ball_grid(), ball_grid(0.1), ball_grid(0.05, 0.005)
    model.set_sdf("f", one)
    model.set_sdf("g", two)
    assert (model.sdf_grid("f"), model.sdf_grid("g")) == (one, two)
    model.set_sdf("f", three)
    assert (model.sdf_grid("f"), model.sdf_grid("g")) == (three, two)
    assert model.sdf_grid("b") is None


def test_files_keep_grids():
    """6b-AC2: what a description has been given is written, read and compiled as set_sdf has it."""
    grid = ball_grid(0.1, 0.02)
    model = cf.load_model(TEXT)
    model.set_sdf("f", grid)
    spec = cf.Spec.from_mjcf(TEXT)
    spec.set_sdf("f", model.sdf_grid("f"))
    written = spec.to_xml()
    again = cf.load_model(written)
    assert cf.Spec.from_mjcf(written).to_xml() == written
    for name in ("geom_size", "geom_aabb", "geom_rbound", "geom_sdf", "geom_gridorigin"):
        np.testing.assert_array_equal(getattr(again, name), getattr(model, name))
    assert again.sdf_grid("f") == grid and again.hash == spec.compile().hash
    assert again.hash != cf.load_model(TEXT).hash


def test_mass():
    """A body has the mass, centre and inertia of what is inside its grid."""
    spec = cf.Spec.from_mjcf(
        '<mujoco><worldbody><body><freejoint/><geom name="f" type="sdf"/></body>'
        "</worldbody></mujoco>"
    )
    grid = ball_grid(0.2, 0.01)
    x, y, z = grid.origin
    moved = cf.Grid(grid.distance, grid.cell, (x + 0.3, y, z))
    spec.set_sdf("f", moved)
    model = spec.compile()
    mass = 1000 * 4 / 3 * np.pi * 0.2**3
    assert model.body_mass[1] == pytest.approx(mass, rel=2e-3)
    np.testing.assert_allclose(model.body_ipos[1], (0.3, 0, 0), atol=1e-6)
    np.testing.assert_allclose(model.body_inertia[1], 0.4 * mass * 0.04, rtol=5e-3)
    np.testing.assert_array_equal(model.geom_pos[0], 0)


BAD_GRIDS = [
    ((np.ones((2, 2)), 0.1), ShapeError, "nz, ny, nx"),
    ((np.ones((2, 1, 2)), 0.1), ShapeError, "at least 2"),
    (([[[1, 2], [3]]], 0.1), ShapeError, "different lengths"),
    ((np.full((2, 2, 2), np.nan), 0.1), ArgumentError, "finite"),
    ((np.full((2, 2, 2), "a"), 0.1), ArgumentError, "numbers"),
    ((np.ones((2, 2, 2)), 0), ArgumentError, "positive"),
    ((np.ones((2, 2, 2)), np.inf), ArgumentError, "positive"),
    ((np.ones((2, 2, 2)), (1, 1, 1)), ArgumentError, "one positive"),
    ((np.ones((2, 2, 2)), 1, (0, 0)), ShapeError, "3 numbers"),
    ((np.ones((2, 2, 2)), 1, (0, 0, np.inf)), ArgumentError, "finite"),
    ((np.zeros((257, 256, 256), np.int8), 1), ShapeError, "at most"),
]


@pytest.mark.parametrize(("given", "error", "message"), BAD_GRIDS)
def test_bad_grids(given, error, message):
    with pytest.raises(error, match=message):
        cf.Grid(*given)


def test_bad_use():
    """Only geoms of type sdf have grids, and grids are what is given."""
    model = cf.load_model(TEXT)
    with pytest.raises(ArgumentError, match="is a sphere"):
        model.set_sdf("b", ball_grid())
    with pytest.raises(ArgumentError, match=r"expected a cortenforge\.Grid"):
        model.set_sdf("f", np.ones((2, 2, 2)))
    with pytest.raises(KeyError, match="nothing"):
        model.set_sdf("nothing", ball_grid())


GRID = 'sdf="grid" sdfsize="2 2 2" sdfcell=".1" sdfdata="1 1 1 1 1 1 1 1"'
BAD_FILES = {
    "no size": ('type="sdf" sdf="grid"', "sdfsize"),
    "no cell": ('type="sdf" sdf="grid" sdfsize="2 2 2" sdfdata="1"', "sdfcell"),
    "few values": ('type="sdf" sdf="grid" sdfsize="2 2 2" sdfcell="1" sdfdata="1"', "sdfdata"),
    "thin": ('type="sdf" sdf="grid" sdfsize="2 1 2" sdfcell="1" sdfdata="1"', "sdfsize"),
    "no cells": (f'type="sdf" {GRID.replace(".1", "0")}', "sdfcell"),
    "a sphere": (f'size="1" {GRID}', "sdf"),
    "a mesh, too": (f'type="sdf" mesh="m" {GRID}', "mesh"),
    "parameters of nothing": ('type="sdf" mesh="m" sdfparams="1"', "sdfparams"),
    "no mesh": ('type="sdf" sdf="torus"', "mesh"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_files(case):
    """Mistakes in a file are said with the attribute."""
    attributes, attribute = BAD_FILES[case]
    with pytest.raises(MjcfError) as caught:
        cf.load_model(
            '<mujoco><asset><mesh name="m" builtin="sphere" params="1"/></asset>'
            f"<worldbody><geom {attributes}/></worldbody></mujoco>"
        )
    assert caught.value.attribute == attribute


def test_scaled_frames():
    """A grid in a frame that scales is as much larger."""
    model = cf.load_model(
        f'<mujoco><worldbody><frame scale="3"><geom name="f" type="sdf" {GRID}/></frame>'
        "</worldbody></mujoco>"
    )
    grid = model.sdf_grid("f")
    assert grid is not None and grid.cell == pytest.approx(0.3) and grid.distance[0, 0, 0] == 3


def test_primitive_shapes():
    """Distances from primitive shapes, exact inside and outside, and gradients as differences."""
    shapes = {
        "plane": 'type="plane" size="1 1 1"',
        "sphere": 'type="sphere" size=".3"',
        "capsule": 'type="capsule" size=".2 .3"',
        "ellipsoid": 'type="ellipsoid" size=".2 .3 .5"',
        "cylinder": 'type="cylinder" size=".2 .3"',
        "box": 'type="box" size=".2 .3 .5"',
    }
    geoms = "".join(f'<geom name="{name}" {text}/>' for name, text in shapes.items())
    model = cf.load_model(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
    points = np.random.default_rng(2).uniform(-0.7, 0.7, (300, 3))
    for name in shapes:
        found = model.sdf_at(name, points)
        np.testing.assert_allclose(np.linalg.norm(found.gradient, axis=1), 1, atol=1e-12)
        # the gradient leads to the nearest point of the surface
        surface = points - found.gradient * found.distance[:, None]
        np.testing.assert_allclose(model.sdf_at(name, surface).distance, 0, atol=1e-12)
    assert model.sdf_at("ellipsoid", [0, 0, 0]).distance == pytest.approx(-0.2)
    assert model.sdf_at("ellipsoid", [0, 0, 1.0]).distance == pytest.approx(0.5)


def test_height_fields():
    """Above and below a height field along the normal, beside it from its edge."""
    model = cf.load_model(
        '<mujoco><asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 .5" elevation="0 1 0 1"/>'
        '</asset><worldbody><geom name="h" type="hfield" hfield="h"/></worldbody></mujoco>'
    )
    low, high, beside, under = model.sdf_at(
        "h", [[0, 0, 0.25], [0, 0, 1], [-1.5, 0, -0.2], [0, 0, -0.8]]
    ).distance
    cosine = 2 / np.sqrt(5)
    assert (low, high) == pytest.approx((-0.25 * cosine, 0.5 * cosine))
    assert (beside, under) == pytest.approx((0.5, 0.3))


def test_kinds():
    """Numbers of distance functions are what kernels know them by."""
    assert SdfShape.MESH == 1 and SdfShape.BOWL > SdfShape.NUT
