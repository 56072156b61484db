"""Signed distance fields against every type and each other: exact distances, normals, order.

`python -m conformance.fields` takes thousands of poses, and compares with MuJoCo's.
"""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.fields import KINDS, exact_distance, scene, tossed
from cortenforge.enums import GeomType
from cortenforge.step.collision.families import PAIR_UNITS
from cortenforge.step.collision.sdf.sdf_pairs import mesh_sdf, sdf_pair
from tests.step.collision.test_stage import ENGINE, assert_same, lanes_of

RADIUS = 0.2
BALL = 0.1
#: a ball on a grid of 1 cm: what interpolation leaves of it
CELL = 0.01
ROUGH = CELL**2 / RADIUS
OTHERS = {
    "plane": '<geom name="o" type="plane" size="1 1 1"/>',
    "sphere": '<geom name="o" type="sphere" size=".3" pos="0 0 -.3"/>',
    "capsule": '<geom name="o" type="capsule" size=".1 .3" pos="0 0 -.4"/>',
    "ellipsoid": '<geom name="o" type="ellipsoid" size=".3 .2 .1" pos="0 0 -.1"/>',
    "cylinder": '<geom name="o" type="cylinder" size=".3 .1" pos="0 0 -.1"/>',
    "box": '<geom name="o" type="box" size=".3 .3 .1" pos="0 0 -.1"/>',
    "mesh": '<geom name="o" type="mesh" mesh="block" pos="0 0 -.1"/>',
    "hfield": '<geom name="o" type="hfield" hfield="ground"/>',
    "sdf": '<geom name="o" type="sdf" size=".3 .3 .3" pos="0 0 -.2"/>',
}
ASSETS = """<asset>
  <mesh name="block" vertex="-.3 -.3 -.1 .3 -.3 -.1 -.3 .3 -.1 .3 .3 -.1
                             -.3 -.3 .1 .3 -.3 .1 -.3 .3 .1 .3 .3 .1"/>
  <hfield name="ground" nrow="3" ncol="3" size=".4 .5 .05 .1" />
</asset>"""


def ball_grid(radius: float = RADIUS, cell: float = CELL, off: float = 0.0) -> cf.Grid:
    """Distances from a ball around the geom's origin, on a box that is not centred there."""
    count = int(np.ceil((radius + 3 * cell) / cell)) * 2 + 1
    origin = np.array((-1.0, -1.0, -1.0)) * cell * (count // 2) + off
    axis = [origin[i] + cell * np.arange(count + i) for i in range(3)]
    z, y, x = np.meshgrid(axis[2], axis[1], axis[0], indexing="ij")
    return cf.Grid(np.sqrt(x**2 + y**2 + z**2) - radius, cell, origin)


def ball_above(kind: str, height: float, *, first: bool = False, more: str = "") -> cf.Data:
    """A field in the shape of a ball at a height above the top of another geom, at z = 0."""
    other = OTHERS[kind]
    body = (
        f'<body pos="0 0 {height + RADIUS}"><freejoint/>'
        f'<geom name="f" type="sdf" size=".2 .2 .2" {more}/></body>'
    )
    around = (body, f"<body>{other}</body>") if first else (f"<body>{other}</body>", body)
    model = cf.load_model(f"<mujoco>{ASSETS}<worldbody>{''.join(around)}</worldbody></mujoco>")
    model.set_sdf("f", ball_grid(off=0.003))
    if kind == "sdf":
        model.set_sdf("o", ball_grid())
    data = model.make_data()
    data.collide()
    return data


@pytest.mark.parametrize("first", [False, True], ids=["other first", "field first"])
@pytest.mark.parametrize("kind", OTHERS)
def test_every_type(kind, first):
    """6b-AC1, 6b-AC5, 6b-AC6, 6b-S2: depth, point and normal of a field against each type.

    The normal leads from the first geom of the contact to the second, in either order of bodies.
    """
    data = ball_above(kind, -0.02, first=first)
    model = data.model
    assert len(data.contact) >= 1
    best = data.contact[int(np.argmin(data.contact.dist))]
    assert best.dist == pytest.approx(-0.02, abs=2 * ROUGH)
    np.testing.assert_allclose(best.pos, (0, 0, -0.01), atol=0.02)
    types = model.geom_type[best.geom]
    assert types[0] <= types[1]
    up = 1.0 if best.geom[1] == model.geom("f").id else -1.0
    np.testing.assert_allclose(best.frame[:3], (0, 0, up), atol=0.06)


@pytest.mark.parametrize("kind", OTHERS)
def test_apart(kind):
    """Contacts begin at the margin, where MuJoCo's fields have none."""
    assert len(ball_above(kind, 0.02).contact) == 0
    data = ball_above(kind, 0.02, more='margin=".03"')
    assert min(data.contact.dist) == pytest.approx(0.02, abs=2 * ROUGH)


@pytest.mark.parametrize("kind", KINDS)
def test_exact_distances(kind):
    """A ring against each type, and against another ring: the distance is known exactly."""
    model = cf.load_model(scene(kind, margin=0.05))
    data = model.make_data()
    errors = []
    for _pose in tossed(data, np.random.default_rng(3), poses=25):
        errors.append(min(data.contact.dist) - exact_distance(data))
    assert np.max(np.abs(errors)) < 2e-4
    # where ten steps end, most are there; vertices of meshes are in single precision
    assert np.quantile(np.abs(errors), 0.8) < (1e-7 if kind == "mesh" else 1e-9)
    # nothing is deeper than it is
    assert min(errors) > (-1e-7 if kind == "mesh" else -1e-9)


def test_plane_normal():
    """6b-S2, 6b-AC6: with a plane, the normal is exactly the plane's."""
    data = ball_above("plane", -0.02)
    assert data.contact.frame[:, :3].tolist() == [[0, 0, 1]] * len(data.contact)


@pytest.mark.oracle
def test_meshes_on_planes_are_mujocos():
    """A field of a mesh rests on a plane as the mesh's hull does."""
    mujoco = pytest.importorskip("mujoco")
    text = f"""<mujoco>{ASSETS}<worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .095"><freejoint/><geom type="sdf" mesh="block"/></body>
      </worldbody></mujoco>"""
    data = cf.load_model(text).make_data()
    reference = mujoco.MjModel.from_xml_string(text)
    theirs = mujoco.MjData(reference)
    for turn in ((1, 0, 0, 0), (1, 0.01, 0.02, 0)):
        data.qpos[3:] = theirs.qpos[3:] = np.array(turn) / np.linalg.norm(turn)
        data.collide()
        mujoco.mj_kinematics(reference, theirs)
        mujoco.mj_collision(reference, theirs)
        assert len(data.contact) == theirs.ncon >= 2
        for name in ("dist", "pos", "frame"):
            ours, other = getattr(data.contact, name), getattr(theirs.contact, name)
            np.testing.assert_allclose(ours, other, atol=1e-9)


def test_fields_come_first():
    """6b-AC7: pairs with a field are the field's, also with meshes, height fields and planes."""
    for kind in GeomType:
        unit = mesh_sdf if kind == GeomType.MESH else sdf_pair
        assert PAIR_UNITS[kind, GeomType.SDF] is unit


def test_height_fields_are_centred():
    """6b-AC10: a field touches a height field's slope where it is, in its centred frame."""
    slope = " ".join(str(v) for v in np.tile([0, 0.5, 1], (3, 1)).ravel())
    text = f"""<mujoco><asset>
      <hfield name="ground" nrow="3" ncol="3" size="1 .5 .4 .1" elevation="{slope}"/></asset>
      <worldbody><geom type="hfield" hfield="ground" pos="3 0 0"/>
      <body pos="3.5 0 {{z}}"><freejoint/><geom name="f" type="sdf"/>
      <inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/></body></worldbody></mujoco>"""
    normal = np.array((-0.2, 0, 1)) / np.hypot(0.2, 1)
    # the ground is at 0.3 there; the ball is 0.01 deep along the normal
    model = cf.load_model(text.format(z=0.3 + (RADIUS - 0.01) / normal[2]))
    model.set_sdf("f", ball_grid())
    data = model.make_data()
    data.collide()
    best = data.contact[int(np.argmin(data.contact.dist))]
    assert best.dist == pytest.approx(-0.01, abs=2 * ROUGH)
    np.testing.assert_allclose(best.frame[:3], normal, atol=0.02)


def test_without_data():
    """6b-AC2, 6b-AC11: a field that was never given touches nothing, and is no error."""
    model = cf.load_model(
        '<mujoco><worldbody><geom name="f" type="sdf"/><body><freejoint/><geom name="b" size=".1"/>'
        "</body></worldbody></mujoco>"
    )
    data = model.make_data()
    data.collide()
    assert len(data.contact) == 0 and model.sdf_grid("f") is None
    with pytest.raises(cf.ArgumentError, match="set_sdf"):
        model.sdf_at("f", [0, 0, 0])
    model.set_sdf("f", ball_grid())
    data.collide()
    assert len(data.contact) == 1


BAD = {
    "coincident": (ball_grid(), 0.0),
    "nan": (ball_grid(), np.nan),
    "far away": (ball_grid(), 1e12),
    "all outside": (cf.Grid(np.ones((3, 3, 3)), 0.1, (-0.1, -0.1, -0.1)), 0.0),
    "all inside": (cf.Grid(-np.ones((3, 3, 3)), 0.1, (-0.1, -0.1, -0.1)), 0.0),
    "flat": (cf.Grid(np.zeros((2, 2, 2)), 1e-9), 0.0),
    "huge": (cf.Grid(np.full((2, 2, 2), -1e9), 1e6), 0.0),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("kind", ["sphere", "box", "plane", "sdf", "mesh", "hfield"])
def test_degenerate(kind, case):
    """Fields without a surface, poses that are none: it ends, and every number is finite."""
    grid, z = BAD[case]
    data = ball_above(kind, -0.02)
    model = data.model
    model.set_sdf("f", grid)
    data.qpos[2] = z
    data.collide()
    assert len(data.contact) <= 50
    for name in ("dist", "pos", "frame"):
        assert np.isfinite(getattr(data.contact, name)).all()


def test_options():
    """Starts and steps are those of the options; without starts there is nothing."""
    data = ball_above("box", -0.02)
    data.model.opt.sdf_iterations = 0
    deepest = min(data.contact.dist)
    data.collide()
    assert min(data.contact.dist) > deepest  # starts stay where they are
    data.model.opt.sdf_initpoints = 0
    data.collide()
    assert len(data.contact) == 0


def test_several_walls():
    """A ball in a corner between two fields of one body: a contact with each."""
    model = cf.load_model(
        '<mujoco><asset><mesh name="t" sdf="torus" sdfparams=".5 .1"/></asset><worldbody>'
        '<geom type="sdf" mesh="t"/><body pos="0 0 .2"><freejoint/>'
        '<geom type="box" size=".6 .05 .12"/></body></worldbody></mujoco>'
    )
    data = model.make_data()
    data.collide()
    assert (data.contact.pos[:, 0] > 0.4).any() and (data.contact.pos[:, 0] < -0.4).any()
    np.testing.assert_allclose(min(data.contact.dist), -0.02, atol=1e-9)


def test_lanes_give_the_bits_of_one_world():
    """Eight worlds in lockstep have the contacts of each alone, bit by bit."""
    model = cf.load_model(scene("box", margin=0.02))
    batch = cf.BatchSim(model, 8, threads=1, engine=ENGINE)
    rng = np.random.default_rng(5)
    for i in range(8):
        turn = rng.normal(size=4)
        batch.qpos[i] = np.r_[rng.uniform(-0.3, 0.3, 3), turn / np.linalg.norm(turn)]
    model._store.assign("missing", 0)
    assert batch.step_all(1) == [None] * 8
    found = lanes_of(batch)
    assert sum(len(own["contact_dist"]) for own in found) > 8
    for i in range(8):
        data = batch.env(i)
        data.collide()
        assert_same(found[i], data, i)
