"""Round geoms by Newton's method: the largest gap of all directions, points on both surfaces."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import cortenforge as cf

SIZES = {
    "sphere": (0.08, 0, 0),
    "capsule": (0.05, 0.1, 0),
    "ellipsoid": (0.1, 0.06, 0.14),
    "cylinder": (0.09, 0.1, 0),
}
PAIRS = (
    ("sphere", "ellipsoid"),
    ("capsule", "ellipsoid"),
    ("capsule", "cylinder"),
    ("ellipsoid", "ellipsoid"),
)


def world(one, other, margin=0.2):
    """Two free geoms, of which one contact is asked for."""
    bodies = "".join(
        f'<body><freejoint/><geom type="{kind}" size="{" ".join(map(str, SIZES[kind]))}" '
        f'margin="{margin / 2}"/></body>'
        for kind in (one, other)
    )
    options = '<option><flag multiccd="disable"/></option>'
    text = f"<mujoco>{options}<worldbody>{bodies}</worldbody></mujoco>"
    return cf.Model.from_mjcf(text).make_data()


def ends(data, g, ways):
    """How far a geom reaches in directions (n, 3), by what is known of its shape."""
    local = ways @ data.geom_xmat[g].reshape(3, 3)
    size, kind = data.model.geom_size[g], data.model.geom_type[g] - 2
    across = np.linalg.norm(local[:, :2], axis=1)
    reach = (
        lambda: np.full(len(ways), size[0]),
        lambda: size[0] + size[1] * np.abs(local[:, 2]),
        lambda: np.linalg.norm(local * size, axis=1),
        lambda: size[0] * across + size[1] * np.abs(local[:, 2]),
    )[kind]()
    return ways @ data.geom_xpos[g] + reach


def gaps(data, ways):
    """From where the first geom ends to where the second begins, along directions."""
    return -ends(data, 1, -ways) - ends(data, 0, ways)


def around(way, rng):
    """Directions everywhere, and crowded around one."""
    ways = rng.normal(size=(4000, 3))
    near = way + 10 ** rng.uniform(-6, 0, (4000, 1)) * rng.normal(size=(4000, 3))
    ways = np.concatenate((ways, near))
    return ways / np.linalg.norm(ways, axis=1, keepdims=True)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_no_direction_has_a_larger_gap(pair):
    """10: apart, touching, shallow and deep; EPA's tolerance is 1e-6 where cores overlap."""
    data, rng = world(*pair), np.random.default_rng(3)
    data.model.opt.ccd_iterations = 200
    seen = 0
    for _ in range(150):
        data.qpos[:] = rng.normal(size=14) * np.tile((0.1, 0.1, 0.1, 1, 1, 1, 1), 2)
        data.collide()
        if data.ncon:
            contact = data.contact[0]
            way = np.array(contact.frame[:3])
            exact = 1e-8 if contact.dist > -0.02 else 2e-6
            assert contact.dist == pytest.approx(gaps(data, way[None])[0], abs=exact)
            assert contact.dist > gaps(data, around(way, rng)).max() - exact
            seen += 1
    assert seen > 80


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_what_has_no_shape_gives_numbers(pair):
    """10: sizes of zero, needles, plates, the same centre, a kilometre away; and in no time."""
    data, rng = world(*pair), np.random.default_rng(5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.errors.StepWarning)
        for _ in range(60):
            for g in range(2):
                data.model.geom_size[g] = 10 ** rng.uniform(-6, 1, 3) * (rng.random(3) > 0.1)
            for at in (0, 7):
                far = rng.choice([0, 1e-12, 0.1, 1000])
                data.qpos[at : at + 3] = far * rng.normal(size=3)
                turned = rng.normal(size=4) if rng.random() < 0.6 else (1, 0, 0, 0)
                data.qpos[at + 3 : at + 7] = turned
            data.collide()
            for name in ("dist", "pos", "frame"):
                assert np.isfinite(getattr(data.contact, name)).all()


def test_ellipsoids_that_are_too_deep_are_left_to_epa():
    """A needle through a plate: no ball rolls in there, and the depth is the least all the same."""
    data, rng = world("ellipsoid", "ellipsoid", margin=0), np.random.default_rng(1)
    data.model.geom_size[:] = ((0.4, 0.01, 0.01), (0.3, 0.3, 0.02))
    data.model.opt.ccd_iterations = 500
    for _ in range(20):
        data.qpos[:3] = rng.normal(size=3) * 0.005
        data.qpos[3:7] = rng.normal(size=4)
        data.collide()
        assert data.ncon == 1
        way = np.array(data.contact[0].frame[:3])
        assert data.contact[0].dist > gaps(data, around(way, rng)).max() - 2e-6
