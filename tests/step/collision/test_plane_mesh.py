"""Planes and meshes, beyond what `test_families` holds against MuJoCo."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.convex import ASSETS, GEOMS
from cortenforge.compare import load_reference, mujoco_module

BASE = """
<mujoco><asset>{asset}</asset><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .1"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<geom type="mesh" mesh="mesh" {more}/></body></worldbody></mujoco>
"""
#: a pyramid with a square base, its faces as they are
PYRAMID = (
    '<mesh name="mesh" vertex="-.1 -.1 0 .1 -.1 0 .1 .1 0 -.1 .1 0 0 0 .2" '
    'face="0 2 1 0 3 2 0 1 4 1 2 4 2 3 4 3 0 4"/>'
)


def ring(count):
    """A disk of so many corners, as a mesh."""
    angle = np.arange(count) * 2 * np.pi / count
    points = [(0.2 * np.cos(a), 0.2 * np.sin(a), z) for a in angle for z in (-0.1, 0.1)]
    numbers = " ".join(f"{x:.9f}" for x in np.ravel(points))
    return f'<mesh name="mesh" vertex="{numbers}"/>'


@pytest.mark.parametrize("count", [3, 4, 5, 16, 100])
def test_a_flat_side_rests_on_its_corners(count):
    """10: as many as it has, or four that are far apart."""
    data = cf.Model.from_mjcf(BASE.format(asset=ring(count), more="")).make_data()
    data.qpos[2] = 0.099
    data.collide()
    assert data.ncon == min(count, 4)
    np.testing.assert_allclose(data.contact.dist, -0.001, atol=1e-7)
    np.testing.assert_allclose(np.linalg.norm(data.contact.pos[:, :2], axis=1), 0.2, atol=1e-7)
    one, two, three = (data.contact.pos[k, :2] for k in range(3))
    turn = (two - one)[0] * (three - one)[1] - (two - one)[1] * (three - one)[0]
    assert abs(turn) > 0.02


@pytest.mark.oracle
def test_meshes_without_hulls():
    """A mesh that was not made to collide has no sides: its lowest vertex counts, as in MuJoCo."""
    text = BASE.format(asset=PYRAMID, more='contype="0" conaffinity="0"')
    model, reference = cf.Model.from_mjcf(text), load_reference(text)
    assert model.mesh_graphadr[0] == -1
    for one in (model, reference):
        for name in ("geom_contype", "geom_conaffinity", "body_contype", "body_conaffinity"):
            getattr(one, name)[:] = 1
    data, mujoco = model.make_data(), mujoco_module()
    theirs = mujoco.MjData(reference)
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(50):
        data.qpos[2], data.qpos[3:] = rng.uniform(0.0, 0.15), rng.normal(size=4)
        data.collide()
        theirs.qpos[:] = data.qpos
        mujoco.mj_kinematics(reference, theirs)
        mujoco.mj_collision(reference, theirs)
        assert data.ncon == theirs.ncon <= 1
        np.testing.assert_allclose(data.contact.dist, theirs.contact.dist, atol=1e-12)
        np.testing.assert_allclose(
            data.contact.pos, np.reshape(theirs.contact.pos, (-1, 3)), atol=1e-12
        )
        found += data.ncon
    assert found > 10


@pytest.mark.parametrize("kind", ["blob", "cube", "prism"])
def test_any_pose_has_an_answer(kind):
    """10: poses that are no numbers have no contacts, and none is nan."""
    data = cf.Model.from_mjcf(
        f'<mujoco><asset>{ASSETS}</asset><worldbody><geom type="plane" size="1 1 1"/>'
        f"<body><freejoint/><geom {GEOMS[kind]}/></body></worldbody></mujoco>"
    ).make_data()
    for place, quat in (
        ((np.nan, 0, 0), (1, 0, 0, 0)),
        ((0, 0, np.inf), (1, 0, 0, 0)),
        ((0, 0, -1e308), (1, 0, 0, 0)),
        ((0, 0, 0), (np.nan, 0, 0, 0)),
        ((0, 0, 0), (1, 0, 0, 0)),
    ):
        data.qpos[:3], data.qpos[3:] = place, quat
        data.collide()
        assert np.all(np.isfinite(data.contact.dist)) and np.all(np.isfinite(data.contact.pos))
    assert data.ncon > 0
