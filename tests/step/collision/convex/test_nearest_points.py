"""Directions in which pairs were apart are remembered, and nothing that is found depends on it."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf

KINDS = {"cylinder": ".1 .12", "ellipsoid": ".14 .1 .08", "box": ".1 .08 .12", "mesh": ""}
FOUND = ("contact_dist", "contact_pos", "contact_frame", "contact_geom")


@pytest.fixture(scope="module")
def model():
    """Three convex geoms of each kind; the mesh has enough vertices to be climbed."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(60, 3))
    points *= 0.12 / np.linalg.norm(points, axis=1, keepdims=True)
    mesh = f'<mesh name="stone" vertex="{" ".join(f"{x:.5f}" for x in points.ravel())}"/>'
    bodies = "".join(
        f'<body><freejoint/><geom type="{kind}" margin=".01" '
        + ('mesh="stone"/>' if kind == "mesh" else f'size="{size}"/>')
        + "</body>"
        for kind, size in KINDS.items()
        for _ in range(3)
    )
    return cf.Model.from_mjcf(
        f"<mujoco><asset>{mesh}</asset><worldbody>{bodies}</worldbody></mujoco>"
    )


def contacts(data: cf.Data) -> bytes:
    return b"".join(getattr(data, name)[: data.ncon].tobytes() for name in FOUND)


def test_contacts_do_not_depend_on_the_past(model):
    """A Data that has seen other places finds what a fresh one finds, bit by bit."""
    rng = np.random.default_rng(1)
    used, met = model.make_data(), 0
    pose = rng.normal(scale=0.2, size=model.nv)
    for step in range(300):
        # small moves, as in a simulation, and now and then another place altogether
        move = rng.normal(scale=0.02 if step % 20 else 0.3, size=model.nv)
        pose = 0.97 * pose + move
        qpos = model.integrate_pos(model.qpos0, pose, 1.0)
        fresh = model.make_data()
        used.qpos[:] = fresh.qpos[:] = qpos
        used.collide(), fresh.collide()
        assert used.ncon == fresh.ncon
        assert contacts(used) == contacts(fresh)
        met += used.ncon
    assert met > 300


def test_what_is_remembered_is_used(model):
    """Pairs that are apart leave a direction behind, which is kept when they are asked again."""
    data = model.make_data()
    pose = np.random.default_rng(2).normal(scale=0.25, size=model.nv)
    data.qpos[:] = model.integrate_pos(model.qpos0, pose, 1.0)
    data.collide()
    kept = data._store.arrays["apart_axis"].copy()
    assert np.count_nonzero(np.linalg.norm(kept, axis=-1)) >= 3
    data.collide()
    np.testing.assert_array_equal(data._store.arrays["apart_axis"], kept)
