"""Which vertices are near geoms: places, normals and depths, friction, filters."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cortenforge as cf
from tests.soft.scenes import patch, points, world

RADIUS = 0.01
ASSETS = """<asset>
  <mesh name="cube" vertex="-.1 -.15 -.2 .1 -.15 -.2 -.1 .15 -.2 .1 .15 -.2
                            -.1 -.15 .2 .1 -.15 .2 -.1 .15 .2 .1 .15 .2"/>
  <mesh name="ball" builtin="sphere" params="4" scale=".2 .2 .2"/>
  <hfield name="ramp" nrow="5" ncol="5" size=".5 .5 .4 .2"
          elevation="0 1 2 3 4 0 1 2 3 4 0 1 2 3 4 0 1 2 3 4 0 1 2 3 4"/>
</asset>"""
SHAPES = {
    "plane": 'type="plane" size="0 0 .1"',
    "sphere": 'type="sphere" size=".2"',
    "capsule": 'type="capsule" size=".1 .15"',
    "ellipsoid": 'type="ellipsoid" size=".1 .15 .25"',
    "cylinder": 'type="cylinder" size=".15 .2"',
    "box": 'type="box" size=".1 .15 .2"',
    "mesh": 'type="mesh" mesh="cube"',
    "hfield": 'type="hfield" hfield="ramp"',
    "sdf": 'type="sdf" mesh="ball"',
}
#: distances in the octree of a ball of facets are interpolated
ROUGH = {"sdf": 4e-3}


def box_distance(p, half=(0.1, 0.15, 0.2)):
    over = np.abs(p) - half
    return np.linalg.norm(np.maximum(over, 0), axis=1) + np.minimum(over.max(axis=1), 0)


def cylinder_distance(p):
    flat = np.stack([np.linalg.norm(p[:, :2], axis=1), p[:, 2]], axis=1)
    over = np.abs(flat) - (0.15, 0.2)
    return np.linalg.norm(np.maximum(over, 0), axis=1) + np.minimum(over.max(axis=1), 0)


def capsule_distance(p):
    axis = np.zeros_like(p)
    axis[:, 2] = np.clip(p[:, 2], -0.15, 0.15)
    return np.linalg.norm(p - axis, axis=1) - 0.1


def ellipsoid_distance(p):
    """The nearest point is q = a^2 p / (a^2 + t) with |q / a| = 1, found by bisection."""
    size = np.array([0.1, 0.15, 0.25])
    low = np.full(len(p), -(size.min() ** 2))
    high = np.full(len(p), 1.0)
    for _ in range(100):
        middle = 0.5 * (low + high)
        over = ((size * p / (size**2 + middle[:, None])) ** 2).sum(axis=1) > 1
        low, high = np.where(over, middle, low), np.where(over, high, middle)
    nearest = size**2 * p / (size**2 + high[:, None])
    outside = np.sign(np.linalg.norm(p / size, axis=1) - 1)
    return outside * np.linalg.norm(p - nearest, axis=1)


DISTANCES = {
    "plane": lambda p: p[:, 2],
    "sphere": lambda p: np.linalg.norm(p, axis=1) - 0.2,
    "capsule": capsule_distance,
    "ellipsoid": ellipsoid_distance,
    "cylinder": cylinder_distance,
    "box": box_distance,
    "mesh": box_distance,
    "hfield": lambda p: (p[:, 2] - 0.2 - 0.4 * p[:, 0]) / math.hypot(1, 0.4),
    "sdf": lambda p: np.linalg.norm(p, axis=1) - 0.2,
}
#: vertices of meshes are single numbers
EXACT = dict.fromkeys(DISTANCES, 1e-9) | {"mesh": 1e-8} | ROUGH


def around(shape: str) -> tuple[cf.Data, np.ndarray]:
    """A world with a turned geom and vertices scattered about its surface; their distances."""
    rng = np.random.default_rng(5)
    body = '<body pos=".3 -.2 .5" euler="20 -35 50"><freejoint/><geom size=".05" mass="1"'
    geom = f'<geom name="g" {SHAPES[shape]} pos=".3 .1 .2" euler="-30 60 10" mass="1"/>'
    if shape in ("plane", "hfield"):
        geom = f'<geom name="g" {SHAPES[shape]} pos=".3 .1 .2" euler="-30 60 10"/>'
        body = f'{geom}<body pos="9 9 9"><freejoint/><geom size=".05"/></body>'
    else:
        body = f'{body} pos="5 5 5"/>{geom}</body>'
    data = world(points(np.zeros((60, 3))), inside=body, beside=ASSETS)
    data.forward()
    number = data.model.id_of("geom", "g")
    local = rng.uniform(-0.45, 0.45, (8000, 3))
    local = local[np.abs(DISTANCES[shape](local)) < 2 * RADIUS][:60]
    turn = data.geom_xmat[number].reshape(3, 3)
    data.softvert_pos[:] = data.geom_xpos[number] + local @ turn.T
    return data, DISTANCES[shape](local)


@pytest.mark.parametrize("shape", SHAPES)
def test_normals_and_depths(shape):
    """11-AC7, 11-S3, 11-AC11: normals are from geom to vertex, depth is radius less distance.

    Every type of geom counts; a vertex that moves along its normal by its depth is out.
    """
    data, distance = around(shape)
    data.forward()
    count, number = data.nsoftcon, data.model.id_of("geom", "g")
    listed = data.softcon_vert[:count]
    assert set(np.flatnonzero(distance < RADIUS)) <= set(listed.tolist())
    assert (distance < RADIUS).sum() > 20
    assert (data.softcon_geom[:count] == number).all()
    depth, normal = data.softcon_depth[:count], data.softcon_normal[:count]
    assert depth == pytest.approx(RADIUS - distance[listed], abs=EXACT[shape])
    assert np.linalg.norm(normal, axis=1) == pytest.approx(1, abs=1e-12)
    # from the nearest point to the vertex, where it is outside
    away = data.softvert_pos[listed] - data.softcon_pos[:count]
    assert (away * normal).sum(axis=1) == pytest.approx(RADIUS - depth, abs=1e-12)
    assert away == pytest.approx(normal * (RADIUS - depth)[:, None], abs=1e-12)
    assert data.softvert_colliding[listed[depth > 0]].all()
    inside = depth > 0
    data.softvert_pos[listed[inside]] += normal[inside] * depth[inside, None]
    data.forward()
    assert data.softcon_depth[: data.nsoftcon].max() < ROUGH.get(shape, 1e-9)


def test_vertices_on_the_axis_are_pushed_somewhere():
    """Where all directions are as good as each other one is taken."""
    for shape in ("sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh"):
        data = world(
            points(np.zeros((2, 3)), radius=0.3), inside=f"<geom {SHAPES[shape]}/>", beside=ASSETS
        )
        data.softvert_pos[1] = (0, 0, 1e-300)
        data.softvert_pos[0] = 0
        data.forward()
        assert data.nsoftcon == 2
        assert np.linalg.norm(data.softcon_normal[:2], axis=1) == pytest.approx(1)
        data.step(10)
        assert np.isfinite(data.softvert_pos).all()


@pytest.mark.parametrize(
    ("one", "other", "both"), [(0.5, 0.8, 0.6324555320336759), (0.9, 0.1, 0.3), (0.25, 1, 0.5),
                               (0.0, 1, 0.0), (0.6, 0.6, 0.6)],
)  # fmt: skip
def test_friction_is_the_geometric_mean(one, other, both):
    """11-AC8, 11-AC3, 11-AC11: of the material's and the geom's, not MuJoCo's maximum."""
    floor = f'<geom type="plane" size="1 1 .1" friction="{other}"/>'
    data = world(patch(0.0, friction=one), inside=floor)
    data.forward()
    assert data.softcon_friction[:4] == pytest.approx([both] * 4, rel=1e-14)


def test_pinned_vertices_touch_nothing():
    """11-S3, 11-AC11: they are left out; free ones beside them are not."""
    floor = '<geom type="plane" size="1 1 .1"/>'
    data = world(patch(0.0, pinned=[0, 2]), inside=floor)
    data.forward()
    assert data.softcon_vert[: data.nsoftcon].tolist() == [1, 3]
    assert data.softvert_colliding.tolist() == [0, 1, 0, 1]


def test_planes_have_no_end():
    """11-S3: a plane is met wherever the vertex is, and only from above."""
    data = world(patch(0.0), inside='<geom type="plane" size=".1 .1 .1"/>')
    data.softvert_pos[:, 0] += 1000
    data.forward()
    assert data.softvert_colliding.all()
    assert data.softcon_pos[:4, 0] == pytest.approx(data.softvert_pos[:, 0])
    data.softvert_pos[:, 2] = 5
    data.forward()
    assert data.nsoftcon == 0
    assert not data.softvert_colliding.any()


@pytest.mark.parametrize(
    ("soft", "geom", "meet"),
    [((1, 1), (1, 1), True), ((1, 0), (0, 1), True), ((0, 1), (1, 0), True),
     ((1, 1), (2, 2), False), ((1, 0), (1, 0), False), ((4, 0), (0, 6), True)],
)  # fmt: skip
def test_filters(soft, geom, meet):
    """contype and conaffinity as between geoms."""
    floor = f'<geom type="plane" size="1 1 .1" contype="{geom[0]}" conaffinity="{geom[1]}"/>'
    data = world(patch(0.0, contype=soft[0], conaffinity=soft[1]), inside=floor)
    data.forward()
    assert (data.nsoftcon > 0) == meet


def test_contacts_can_be_switched_off():
    """By the flag of all contacts."""
    floor = '<geom type="plane" size="1 1 .1"/>'
    off = '<option><flag contact="disable"/></option>'
    data = world(patch(0.0), inside=floor, beside=off)
    data.step(50)
    assert data.nsoftcon == 0
    assert data.softvert_pos[:, 2] == pytest.approx(-0.5 * 9.81 * 0.1**2, rel=0.03)


def test_fast_vertices_are_seen_before_they_arrive():
    """What may touch within the step is listed, whoever moves."""
    floor = '<geom type="plane" size="1 1 .1"/>'
    data = world(patch(0.5), inside=floor, timestep=0.01)
    data.softvert_vel[:, 2] = -100
    data.step()
    assert data.nsoftcon == 4
    assert (data.softvert_pos[:, 2] > 0).all()
    ball = '<body pos="0 0 .5"><freejoint/><geom size=".1" mass="1"/></body>'
    data = world(patch(0.0, pinned=0), inside=ball, timestep=0.01)
    data.qvel[2] = -100
    data.forward()
    assert data.nsoftcon == 3
