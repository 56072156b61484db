"""Distances of geoms: against MuJoCo, and where MuJoCo is wrong, against what is known."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.convex import ASSETS, CORNERS, GEOMS
from conformance.terrain import prisms
from cortenforge.compare import load_reference, mujoco_module

ALL = {"plane": 'type="plane" size="1 1 1"', **GEOMS}
SCENE = (
    f"<mujoco><asset>{ASSETS}</asset><worldbody>"
    f'<geom name="plane" {ALL["plane"]} quat="1 .2 .3 .1" pos="0 0 -.1"/>'
    + "".join(
        f'<body><freejoint/><geom name="{name}{k}" {shape}/></body>'
        for k in (0, 1)
        for name, shape in GEOMS.items()
    )
    + "</worldbody></mujoco>"
)
#: MuJoCo's routine for capsules and boxes does not know how deep a capsule's axis is in a box
WRONG = {("box", "capsule")}


MASS = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


def places(one, other, extra=""):
    """A model with two geoms, and its data."""
    model = cf.Model.from_mjcf(
        f"<mujoco><asset>{ASSETS}{extra}</asset><worldbody>"
        f'<body><freejoint/>{MASS}<geom name="one" {one}/></body>'
        f'<body><freejoint/>{MASS}<geom name="other" {other}/></body></worldbody></mujoco>'
    )
    return model, model.make_data()


def placed(data, pos, quat=(1, 0, 0, 0)):
    """Put the second geom somewhere; the distance."""
    data.qpos[7:10], data.qpos[10:14] = pos, quat
    data.forward(smooth_only=True)
    return data.geom_distance("one", "other")


@pytest.mark.oracle
def test_distances_are_mujocos():
    """10: between all types, apart and deep, with the points."""
    model, reference = cf.Model.from_mjcf(SCENE), load_reference(SCENE)
    data, mujoco = model.make_data(), mujoco_module()
    theirs = mujoco.MjData(reference)
    rng = np.random.default_rng(0)
    deep = 0
    for _ in range(6):
        data.qpos[:] = theirs.qpos[:] = rng.normal(size=model.nq) * 0.2
        data.forward(smooth_only=True)
        mujoco.mj_kinematics(reference, theirs)
        for i in range(model.ngeom):
            for j in range(model.ngeom):
                kinds = tuple(sorted(reference.geom(g).name.rstrip("01") for g in (i, j)))
                if i == j or kinds in WRONG:
                    continue
                points = np.zeros(6)
                dist = mujoco.mj_geomDistance(reference, theirs, i, j, 5.0, points)
                ours = data.geom_distance(i, j, distmax=5.0)
                # MuJoCo's iterations run out where deep and smooth
                assert ours.dist == pytest.approx(dist, abs=1e-9 if dist > 0 else 1e-4)
                if dist > 0:
                    np.testing.assert_allclose(ours.points.ravel(), points, atol=1e-5)
                deep += dist < 0
                between = np.linalg.norm(ours.points[1] - ours.points[0])
                assert between == pytest.approx(abs(ours.dist), abs=1e-12)
    assert deep > 100


def test_beyond_distmax():
    """Then it is the answer, and there are no points."""
    _, data = places(GEOMS["box"], GEOMS["blob"])
    assert placed(data, (3.0, 0, 0)).dist > 2.5
    found = data.geom_distance("one", "other", distmax=0.5)
    assert found.dist == 0.5 and not found.points.any()


def test_order_decides_which_point_is_first():
    """Whatever the types are."""
    _, data = places(GEOMS["blob"], GEOMS["sphere"])
    found = placed(data, (1.0, 0.1, 0))
    back = data.geom_distance("other", "one")
    assert back.dist == found.dist
    assert np.array_equal(back.points, found.points[::-1])
    assert np.linalg.norm(found.points[1] - data.geom_xpos[1]) == pytest.approx(0.08)


def test_names_and_types_are_checked():
    _, data = places(GEOMS["blob"], GEOMS["sphere"])
    with pytest.raises(KeyError, match="nobody"):
        data.geom_distance("one", "nobody")
    model = cf.Model.from_mjcf(
        '<mujoco><asset><hfield name="x" nrow="3" ncol="3" size="1 1 1 1"/></asset><worldbody>'
        '<geom name="a" type="hfield" hfield="x"/><geom name="b" type="plane" size="1 1 1"/>'
        "</worldbody></mujoco>"
    )
    with pytest.raises(cf.errors.ArgumentError, match="plane and hfield"):
        model.make_data().geom_distance("a", "b")


def test_height_fields():
    """10: that of the nearest prism, apart and deep; MuJoCo 4.0.0 has that of some prism."""
    rng = np.random.default_rng(0)
    rows = rng.uniform(0, 1, (4, 5))
    numbers = " ".join(f"{x:.6f}" for x in np.flipud(rows).ravel())
    field = f'<hfield name="f" nrow="4" ncol="5" size=".5 .3 .2 .1" elevation="{numbers}"/>'
    still = '<geom name="field" type="hfield" hfield="f"/>'
    moving = "".join(
        f'<body><freejoint/>{MASS}<geom name="{name}" {shape}/></body>'
        for name, shape in GEOMS.items()
    )
    start = f"<mujoco><asset>{ASSETS}{field}"
    alone = cf.Model.from_mjcf(f"{start}</asset><worldbody>{still}{moving}</worldbody></mujoco>")
    columns = [" ".join(map(str, corners.ravel())) for corners in prisms(alone)]
    assets = "".join(f'<mesh name="p{n}" vertex="{text}"/>' for n, text in enumerate(columns))
    parts = "".join(f'<geom name="p{n}" type="mesh" mesh="p{n}"/>' for n in range(len(columns)))
    model = cf.Model.from_mjcf(
        f"{start}{assets}</asset><worldbody>{still}{parts}{moving}</worldbody></mujoco>"
    )
    data = model.make_data()
    signs = set()
    for _ in range(4):
        for place in data.qpos.reshape(-1, 7):
            place[:3], place[3:] = (
                rng.uniform((-0.7, -0.5, 0.1), (0.7, 0.5, 0.5)),
                rng.normal(size=4),
            )
        data.forward(smooth_only=True)
        for name in GEOMS:
            found = data.geom_distance(name, "field")
            centre = data.geom(name).xpos
            least = min(data.geom_distance(name, f"p{n}").dist for n in range(len(columns)))
            height = model.hfield_at("field", centre).height
            if not -0.1 < centre[2] < height:
                assert found.dist == pytest.approx(least, abs=2e-6)
            between = np.linalg.norm(found.points[1] - found.points[0])
            assert between == pytest.approx(abs(found.dist), abs=1e-9)
            signs.add(bool(found.dist > 0))
            near = data.geom_distance(name, "field", distmax=found.dist - 0.01)
            assert near.dist == found.dist - 0.01 and not near.points.any()
    assert signs == {True, False}


def test_a_ball_wholly_inside_a_box():
    """10, mujoco #2206: out by the nearest side, by the way there and the radius."""
    _, data = places('type="box" size=".5 .6 .7"', 'size=".1"')
    found = placed(data, (0.3, 0.1, -0.1))
    assert found.dist == pytest.approx(-0.3, abs=1e-12)
    np.testing.assert_allclose(found.points, [(0.5, 0.1, -0.1), (0.2, 0.1, -0.1)], atol=1e-12)


def test_an_axis_deep_in_a_box():
    """A capsule across a box, which MuJoCo finds less deep than it is."""
    _, data = places('type="capsule" size=".05 .5"', 'type="box" size=".1 .3 .4"')
    found = placed(data, (0.02, 0, 0))
    assert found.dist == pytest.approx(-(0.1 - 0.02 + 0.05), abs=1e-12)


PLATE = " ".join(f"{x:.9f}" for x in (CORNERS * (0.5, 0.4, 0.0005)).ravel())
NEEDLE = " ".join(f"{x:.12f}" for x in (CORNERS * (1.0, 1e-6, 1e-6)).ravel())


def test_thin_plates_deep_in_each_other():
    """10: one thousandth thick, a hundredth of that apart from being the same."""
    plate = f'<mesh name="plate" vertex="{PLATE}"/>'
    shape = 'type="mesh" mesh="plate"'
    _, data = places(shape, shape, plate)
    thick = 0.001
    for shift in (0.0, 1e-5, 1e-4):
        found = placed(data, (0.1, 0.05, shift))
        assert found.dist == pytest.approx(shift - thick, abs=1e-9)


@pytest.mark.parametrize("tilt", [0.3, 1.0, np.pi / 2])
def test_needles(tilt):
    """10: a million times as long as thick, crossing; their depth has six good digits."""
    needle = f'<mesh name="needle" vertex="{NEEDLE}"/>'
    for shape in ('type="mesh" mesh="needle"', 'type="box" size="1 1e-6 1e-6"'):
        _, data = places(shape, shape, needle)
        turn = np.array([np.cos(tilt / 2), 0.0, 0.0, np.sin(tilt / 2)])
        for gap in (-1e-6, -1e-7, 1e-7, 1e-3):
            found = placed(data, (0.2, 0.1, 2e-6 + gap), turn)
            assert found.dist == pytest.approx(gap, abs=1e-12)


def test_a_kilometre_from_the_origin():
    """10: where two geoms are makes no difference to how far they are apart."""
    _, data = places(GEOMS["blob"], GEOMS["prism"])
    rng = np.random.default_rng(4)
    for _ in range(20):
        pos, quat = rng.normal(size=3) * 0.1, rng.normal(size=4)
        data.qpos[:3] = 0
        near = placed(data, pos, quat).dist
        data.qpos[:3] = (1000.0, -700.0, 300.0)
        assert placed(data, data.qpos[:3] + pos, quat).dist == pytest.approx(near, abs=1e-11)


def test_balls_in_one_place():
    """Two centres in one place: as deep as both radii, in some direction."""
    _, data = places('size=".1"', 'type="capsule" size=".2 .3"')
    found = placed(data, (0, 0, 0))
    assert found.dist == pytest.approx(-0.3)
    assert np.linalg.norm(found.points[1] - found.points[0]) == pytest.approx(0.3)
