"""Poses in which engines are known to have failed, held against what is true."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.convex import ASSETS, CORNERS, GEOMS
from tests.model.methods.test_geom_distance import NEEDLE, PLATE, places


def turned(angle, axis):
    """A rotation about an axis."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.concatenate(([np.cos(angle / 2)], np.sin(angle / 2) * axis))


def contacts(data, pos, quat=(1, 0, 0, 0)):
    """Contacts with the second body somewhere."""
    data.qpos[7:10], data.qpos[10:14] = pos, quat
    data.collide()
    return data.contact


def overlap(data, normal):
    """How far two boxes reach into each other along a direction."""
    sizes, axes = data.model.geom_size, data.geom_xmat.reshape(-1, 3, 3)
    reach = sum(np.abs(normal @ axes[g]) @ sizes[g] for g in (0, 1))
    return reach - normal @ (data.geom_xpos[1] - data.geom_xpos[0])


def test_boxes_side_by_side_have_no_phantom_contact():
    """10, mujoco #3476: equal boxes, flush or almost; nothing is deeper than they overlap."""
    shape = 'type="box" size=".0355 .0355 .02"'
    _, data = places(shape, shape)
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(400):
        depth = 10 ** rng.uniform(-9, -3) * rng.choice([0, 1, 1, 1])
        tilt = 10 ** rng.uniform(-16, -3) * rng.choice([0, 1])
        shift = rng.choice([0.0, 1e-9, 0.01, 0.03], 2)
        pos = (shift[0], 0.071 - depth, shift[1])
        for contact in contacts(data, pos, turned(tilt, rng.normal(size=3))):
            most = overlap(data, contact.frame[:3])
            assert -contact.dist <= most + 1e-12 and most < 0.002
            found += 1
    assert found > 800


@pytest.mark.parametrize("kind", ["box", "mesh"])
def test_thin_plates_deep_in_each_other(kind):
    """10: out by the thickness, however little they are apart from being the same."""
    shape = 'type="box" size=".5 .4 .0005"' if kind == "box" else 'type="mesh" mesh="plate"'
    _, data = places(shape, shape, f'<mesh name="plate" vertex="{PLATE}"/>')
    for shift in (1e-7, 1e-5, 1e-4, 5e-4):
        found = contacts(data, (0.1, 0.05, shift))
        assert len(found) >= 4
        np.testing.assert_allclose(found.dist, shift - 0.001, atol=1e-9)
        np.testing.assert_allclose(np.abs(found.frame[:, 2]), 1.0, atol=1e-9)


@pytest.mark.parametrize("angle", [0.0, 1e-16, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3])
def test_nearly_parallel_capsules(angle):
    """10: as near as the nearest points of their axes, whatever the angle."""
    _, data = places('type="capsule" size=".1 .5"', 'type="capsule" size=".1 .5"')
    for height in (0.0, 0.3, 0.9):
        for axis in ((1, 0, 0), (0, 1, 0), (1, 1, 0)):
            found = contacts(data, (0.19, 0.0, height), turned(angle, axis))
            true = data.geom_distance("one", "other").dist
            assert len(found) and found.dist.min() == pytest.approx(true, abs=1e-9)


@pytest.mark.parametrize("pair", [("blob", "prism"), ("cube", "box"), ("cylinder", "blob")])
def test_a_kilometre_from_the_origin(pair):
    """10: the same contacts, as far as places have digits there."""
    _, data = places(*(GEOMS[kind] for kind in pair))
    far, rng = np.array([1000.0, -700.0, 300.0]), np.random.default_rng(5)
    compared = 0
    for _ in range(20):
        pos, quat = rng.normal(size=3) * 0.05, rng.normal(size=4)
        data.qpos[:3] = 0
        near = contacts(data, pos, quat)
        dist, place = near.dist.copy(), near.pos.copy()
        data.qpos[:3] = far
        there = contacts(data, far + pos, quat)
        assert len(there) == len(dist)
        np.testing.assert_allclose(there.dist, dist, atol=1e-9)
        np.testing.assert_allclose(there.pos - far, place, atol=1e-6)
        compared += len(dist)
    assert compared > 20


@pytest.mark.parametrize("kind", ["box", "mesh"])
def test_needles(kind):
    """10: a million times as long as thick, crossing: one contact, its depth with four digits."""
    shape = 'type="box" size="1 1e-6 1e-6"' if kind == "box" else 'type="mesh" mesh="needle"'
    _, data = places(shape, shape, f'<mesh name="needle" vertex="{NEEDLE}"/>')
    for tilt in (0.3, 1.0, np.pi / 2):
        for depth in (1e-6, 1e-7):
            found = contacts(data, (0.2, 0.1, 2e-6 - depth), turned(tilt, (0, 0, 1)))
            assert len(found) and found.dist.min() == pytest.approx(-depth, abs=1e-10)


def sheet(thick):
    """MJCF of a mesh so thick, and a geom of every kind."""
    corners = " ".join(f"{x:.12f}" for x in (CORNERS * (0.3, 0.2, 0.5 * thick)).ravel())
    bodies = "".join(f"<body><freejoint/><geom {shape}/></body>" for shape in GEOMS.values())
    return (
        f'<mujoco><asset>{ASSETS}<mesh name="sheet" inertia="shell" vertex="{corners}"/></asset>'
        f'<worldbody><geom type="mesh" mesh="sheet"/>{bodies}</worldbody></mujoco>'
    )


def test_flat_hulls():
    """10: a mesh without thickness is refused; an almost flat one touches what goes through it."""
    with pytest.raises(cf.errors.MjcfError, match="the mesh is flat"):
        cf.Model.from_mjcf(sheet(0.0))
    model = cf.Model.from_mjcf(sheet(1e-7))
    data = model.make_data()
    for height in (0.0, 1e-9, 0.01):
        data.qpos[2::7] = height
        data.collide()
        assert data.ncon and np.isfinite(data.contact.dist).all()
        assert np.isfinite(data.contact.frame).all()
        touched = set(data.contact.geom[(data.contact.geom == 0).any(axis=1)].ravel().tolist())
        assert touched == set(range(model.ngeom))
