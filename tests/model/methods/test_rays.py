"""Rays as people cast them, against MuJoCo and against what geometry says."""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys

import mujoco
import numpy as np
import pytest

import cortenforge as cf
from conformance.rays import SHAPES, Rays, compare_rays, random_rays, ray_model, their_hits
from cortenforge.errors import ArgumentError, ShapeError

FEW = 400
ALL = "".join(
    f'<geom {geom} pos="{0.3 * k} {k % 3} {0.1 * k}"/>' for k, geom in enumerate(SHAPES.values())
)


def at_rest(text: str) -> cf.Data:
    data = cf.Model.from_mjcf(text).make_data()
    data.forward(smooth_only=True)
    return data


def theirs_at_rest(text: str) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("name", SHAPES)
def test_every_type_of_geom(name):
    """002-M6: distance, geom and normal are those of mj_ray; `conformance.rays` casts more."""
    number = list(SHAPES).index(name)
    rays = random_rays(np.random.default_rng([1, number]), FEW)
    found = compare_rays(ray_model(f"<geom {SHAPES[name]}/>"), rays)
    assert found.hits > 5 and found.agrees, found


def test_nearest_of_many():
    """Among geoms of all types the nearest one is met, alone or with others in one call."""
    text = ray_model(ALL)
    rays = random_rays(np.random.default_rng(2), FEW)
    assert compare_rays(text, rays).agrees
    data = at_rest(text)
    together = data.multi_ray(rays.pnt, rays.vec, normal=True)
    for i in range(FEW):
        dist, geom, normal = data.ray(rays.pnt[i], rays.vec[i], normal=True)
        assert (dist, geom) == (together.dist[i], together.geomid[i])
        assert np.array_equal(normal, together.normal[i])
    assert together.dist.shape == together.geomid.shape == (FEW,)
    origin = data.multi_ray(rays.pnt[0], rays.vec)
    assert origin.normal is None
    alone = [data.ray(rays.pnt[0], vec).dist for vec in rays.vec]
    assert origin.dist.tolist() == alone


SEEN = """<mujoco><asset><material name="glass" rgba="1 1 1 0"/></asset><worldbody>
  <geom type="plane" size="5 5 .1" group="1"/>
  <body name="fixed" pos="0 0 .2"><geom type="box" size=".1 .1 .1" group="2"/></body>
  <body name="moving" pos="0 0 1"><freejoint/><geom size=".1" group="3"/>
    <geom size=".2" rgba="1 0 0 0"/><geom size=".3" material="glass" rgba="1 1 1 1"/>
    <geom size=".05" pos="0 0 .4" group="9"/></body>
  <body name="guided" pos="0 0 3" mocap="true"><geom size=".1" group="-3"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("static", [True, False])
@pytest.mark.parametrize("body", ["world", "fixed", "moving", "guided", None])
def test_what_is_seen(static, body):
    """Groups (beyond the last one and below the first count as these), fixed geoms, a body left
    out, and invisible geoms are as in mj_ray; a mocap body is not fixed to the world."""
    data, (model, theirs) = at_rest(SEEN), theirs_at_rest(SEEN)
    number = -1 if body is None else data.model.id_of("body", body)
    rays = Rays(np.array([[0.0, 0, 5]]), np.array([[0.0, 0, -1]]))
    for bits in range(64):
        group = np.array([bits >> k & 1 for k in range(6)], np.uint8)
        dist, geom, normal = their_hits(model, theirs, rays, group, static, number)
        for key in (number, body) if body else (number,):
            ours = data.ray(rays.pnt[0], rays.vec[0], group, static, key, normal=True)
            assert ours.geomid == geom[0] and ours.dist == pytest.approx(dist[0], abs=1e-12)
            np.testing.assert_allclose(ours.normal, normal[0], atol=1e-12)
            many = data.multi_ray(rays.pnt[0], rays.vec, group.tolist(), static, key)
            assert (many.dist[0], many.geomid[0]) == ours[:2]


def test_nothing_is_met():
    """Distance and geom are -1, the normal is zero; a plane is seen from its front alone."""
    data = at_rest(SEEN)
    assert data.ray([0, 0, 9], [0, 0, 1], normal=True)[:2] == (-1.0, -1)
    assert data.ray([0, 0, 9], [0, 0, 1], normal=True).normal.tolist() == [0, 0, 0]
    assert data.ray([3, 3, -1], [0, 0, 1]).geomid == -1
    assert data.ray([3, 3, 1], [0, 0, -1]) == (1.0, 0, None)
    assert data.ray([3, 3, 1], [1, 0, 0]).geomid == -1
    empty = data.multi_ray([0, 0, 0], np.zeros((0, 3)), normal=True)
    assert empty.dist.shape == empty.geomid.shape == (0,) and empty.normal.shape == (0, 3)
    void = cf.Model.from_mjcf("<mujoco/>").make_data()
    assert void.ray([0, 0, 0], [1, 0, 0]) == (-1.0, -1, None)


def test_from_inside_and_along_the_surface():
    """From inside, the far side is met, with its outward normal; what is touched is met."""
    data = at_rest('<mujoco><worldbody><geom size="2"/></worldbody></mujoco>')
    assert data.ray([0, 0, 0], [0, 0, 4], normal=True).dist == 0.5
    assert data.ray([0, 0, 0], [0, 0, 4], normal=True).normal.tolist() == [0, 0, 1]
    assert data.ray([2, 0, -3], [0, 0, 1]).dist == pytest.approx(3, abs=1e-7)
    assert data.ray([2 + 1e-9, 0, -3], [0, 0, 1]).geomid == -1
    assert data.ray([2, 0, 0], [1, 0, 0]).dist == 0
    box = at_rest('<mujoco><worldbody><geom type="box" size="1 1 1"/></worldbody></mujoco>')
    assert box.ray([-3, 1, 0], [1, 0, 0]).dist == 2
    assert box.ray([-3, 1 + 1e-12, 0], [1, 0, 0]).geomid == -1
    assert box.ray([-2, -2, -2], [1, 1, 1]).dist == pytest.approx(1)


def test_lengths_of_directions_do_not_matter():
    """Distances are in lengths of the direction, be it a nanometre or a light year."""
    data = at_rest(ray_model(ALL))
    rays = random_rays(np.random.default_rng(3), 100)
    plain = data.multi_ray(rays.pnt, rays.vec)
    for scale in (1e-12, 1e9, 1e16):
        scaled = data.multi_ray(rays.pnt, rays.vec * scale)
        assert np.array_equal(scaled.geomid, plain.geomid)
        hit = plain.geomid >= 0
        np.testing.assert_allclose(scaled.dist[hit] * scale, plain.dist[hit], rtol=1e-12)


def test_no_ray_passes_between_triangles():
    """Rays through corners and edges of closed meshes and height fields meet them."""
    ball = '<asset><mesh name="ball" builtin="sphere" params="2"/></asset>'
    placed = '<geom type="mesh" mesh="ball" euler="20 30 40"/>'
    data = at_rest(f"<mujoco>{ball}<worldbody>{placed}</worldbody></mujoco>")
    model, turn = data.model, data.geom_xmat[0].reshape(3, 3)
    vert = model.mesh_vert[: model.mesh_vertnum[0]].astype(float)
    face = model.mesh_face[: model.mesh_facenum[0]]
    middles = (vert[face] + np.roll(vert[face], 1, axis=1)).reshape(-1, 3) / 2
    for points in (vert, middles):
        aim = points @ turn.T + data.geom_xpos[0]
        start = data.geom_xpos[0] + 3 * (aim - data.geom_xpos[0])
        assert np.all(data.multi_ray(start, aim - start).dist <= 1 + 1e-9)
    field = at_rest(ray_model(f"<geom {SHAPES['hfield']}/>"))
    turn = field.geom_xmat[0].reshape(3, 3)
    x, y = (np.linspace(-s, s, n)[1:-1] for s, n in ((1, 17), (0.7, 23)))
    grid = np.stack(np.meshgrid(x, y, [2.0], indexing="ij"), axis=-1).reshape(-1, 3)
    down = field.multi_ray(grid @ turn.T + field.geom_xpos[0], np.tile(-turn[:, 2], (len(grid), 1)))
    height = field.model.hfield_at(0, grid).height
    np.testing.assert_allclose(2 - down.dist, height, atol=1e-12)


def test_terrain_of_many_cells():
    """A field of 120 by 160 cells, seen at flat angles, where rays cross many of them."""
    rng = np.random.default_rng(4)
    heights = " ".join(f"{x:.4f}" for x in rng.random(120 * 160))
    text = f"""<mujoco><asset><hfield name="h" nrow="120" ncol="160" size="4 3 .2 .1"
      elevation="{heights}"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody>
      </mujoco>"""
    start = rng.uniform(-1, 1, size=(200, 3)) * [6, 5, 0.6]
    aim = rng.uniform(-1, 1, size=(200, 3)) * [4, 3, 0.3]
    found = compare_rays(text, Rays(start, aim - start))
    assert found.hits > 100 and found.agrees, found


def test_edits_of_a_loaded_model_are_seen():
    """Sizes, colours and elevations are read as they are when a ray is cast."""
    data = at_rest(SEEN)
    model = data.model
    model.geom_size[2, 0] = 0.5
    assert data.ray([0, 0, 2], [0, 0, -1]).dist == pytest.approx(0.5)
    model.geom_rgba[2, 3] = 0
    assert data.ray([0, 0, 2], [0, 0, -1]).geomid == 5
    model.mat_rgba[0, 3] = 1
    assert data.ray([0, 0, 1.32], [0, 0, -1]).geomid == 4
    field = at_rest(ray_model(f"<geom {SHAPES['hfield']}/>"))
    before = field.ray(field.geom_xpos[0] + [0, 0, 3], [0, 0, -1]).dist
    field.model.hfield_data[:] = 1.0
    assert field.ray(field.geom_xpos[0] + [0, 0, 3], [0, 0, -1]).dist < before


def test_cutoff():
    """What is farther away is not seen, whatever the direction's length."""
    data = at_rest('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
    ways = np.array([[0, 0, 1.0], [0, 0, 0.25]])
    for cutoff, expected in ((1.9, [-1, -1]), (2.1, [2, 8]), (math.inf, [2, 8])):
        assert data.multi_ray([0, 0, -3], ways, cutoff=cutoff).dist.tolist() == expected


BAD = [
    (([0, 0, 0], [0, 0, 0]), ArgumentError, "the length of a direction"),
    (([0, 0, 0], [1e-16, 0, 0]), ArgumentError, "the length of a direction"),
    (([0, 0, 0], [math.nan, 0, 1]), ArgumentError, "must be finite"),
    (([0, math.inf, 0], [0, 0, 1]), ArgumentError, "must be finite"),
    (([0, 0], [0, 0, 1]), ShapeError, "pnt"),
    (([0, 0, 0], [[0, 0, 1]]), ShapeError, "vec"),
    (([0, 0, 0], "up!"), ShapeError, "vec"),
    (([0, 0, 0], [1j, 0, 0]), ShapeError, "vec"),
    (([0, 0, 0], [0, 0, 1], [1, 1]), ShapeError, "geomgroup"),
    (([0, 0, 0], [0, 0, 1], None, True, "nobody"), KeyError, "nobody"),
    (([0, 0, 0], [0, 0, 1], None, True, 99), IndexError, "99"),
    (([0, 0, 0], [0, 0, 1], None, True, 1.5), ArgumentError, "body"),
]


@pytest.mark.parametrize(("given", "error", "words"), BAD)
def test_what_is_no_ray(given, error, words):
    """A ray that is none is an error that says why, alone and among others."""
    data = at_rest(SEEN)
    with pytest.raises(error, match=words):
        data.ray(*given)
    if error is ArgumentError and len(given) == 2:
        good = np.array([[0, 0, 1.0], *given[1:]])
        with pytest.raises(ArgumentError, match=r"\[1\]"):
            data.multi_ray(np.array([[0, 0, 0.0], given[0]]), good)
    # what follows is right again
    assert data.ray([0, 0, 9], [0, 0, 1]).geomid == -1


@pytest.mark.parametrize(
    ("pnt", "vec", "cutoff", "error"),
    [
        ([0, 0, 0], [0, 0, 1], 1.0, ShapeError),
        ([0, 0, 0], np.zeros((2, 4)), 1.0, ShapeError),
        (np.zeros((3, 3)), np.ones((2, 3)), 1.0, ShapeError),
        ([0, 0, 0], np.ones((2, 3)), 0.0, ArgumentError),
        ([0, 0, 0], np.ones((2, 3)), math.nan, ArgumentError),
    ],
)
def test_what_are_no_rays(pnt, vec, cutoff, error):
    """Shapes and lengths that cannot be are errors."""
    with pytest.raises(error):
        at_rest(SEEN).multi_ray(pnt, vec, cutoff=cutoff)


def test_places_that_are_not_numbers_are_not_met():
    """A pose of a Data that was spoilt by hand is passed by, not met or waited for."""
    rays = random_rays(np.random.default_rng(5), 50)
    for name in ("geom_xpos", "geom_xmat"):
        data = at_rest(ray_model(ALL))
        getattr(data, name)[:] = math.nan
        assert np.all(data.multi_ray(rays.pnt, rays.vec).geomid == -1)


def test_worlds_with_their_own_sizes():
    """A Data of a batch whose sizes are its own casts its rays at these."""
    model = cf.Model.from_mjcf('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
    batch = cf.BatchSim(model, 3)
    batch.expand("geom_size")
    batch.parameters["geom_size"][:, 0, 0] = [0.5, 1.0, 2.0]
    worlds = [batch.env(i) for i in range(3)]
    for world in worlds:
        world.forward(smooth_only=True)
    assert [world.ray([0, 0, 9], [0, 0, -1]).dist for world in worlds] == [8.5, 8, 7]


PLAIN = """
import pickle, sys
import numpy as np
from conformance.rays import random_rays
with open(sys.argv[1], "rb") as file:
    data = pickle.load(file).make_data()
data.forward(smooth_only=True)
rays = random_rays(np.random.default_rng(6), 40)
np.savez(sys.argv[2], *data.multi_ray(rays.pnt, rays.vec, normal=True))
"""


def test_plain_python_has_the_same_answers(tmp_path):
    """The kernels as Python functions meet the same geoms, to rounding of fused products.

    The model is handed over, since its octree would take 20 s in Python.
    """
    ours = at_rest(ray_model(ALL))
    file = tmp_path / "model"
    file.write_bytes(pickle.dumps(ours.model))
    subprocess.run(
        [sys.executable, "-c", PLAIN, str(file), str(tmp_path / "hits.npz")],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=True,
    )
    with np.load(tmp_path / "hits.npz") as kept:
        dist, geomid, normal = kept.values()
    rays = random_rays(np.random.default_rng(6), 40)
    hits = ours.multi_ray(rays.pnt, rays.vec, normal=True)
    assert np.array_equal(hits.geomid, geomid) and (geomid >= 0).any()
    np.testing.assert_allclose(hits.dist, dist, atol=1e-9)
    np.testing.assert_allclose(hits.normal, normal, atol=1e-9)
