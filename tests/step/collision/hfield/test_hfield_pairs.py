"""Contacts of height fields: MuJoCo's, exact ones, and those of geoms that have sunk.

`python -m conformance.terrain` takes thousands of poses.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import cortenforge as cf
from conformance.collision import Both
from conformance.convex import ASSETS, GEOMS
from conformance.terrain import GAP, MARGIN, POSES, SIZE, Tally, compare, elevations, prisms, scene
from cortenforge.compare import load_reference, mujoco_module
from tests.step.collision.still import ENGINE

#: poses of each kind in a test
FEW = 8
LISTED = ("contact_dist", "contact_pos", "contact_frame", "contact_geom")


def text_of(geom, heights, size, place=""):
    """MJCF of a height field and a free geom."""
    rows = np.flipud(np.asarray(heights, float))
    numbers = " ".join(map(str, rows.ravel()))
    return (
        f"<mujoco><asset>{ASSETS}"
        f'<hfield name="field" nrow="{len(rows)}" ncol="{len(rows[0])}" '
        f'size="{" ".join(map(str, size))}" elevation="{numbers}"/></asset><worldbody>'
        f'<geom name="field" type="hfield" hfield="field" {place}/>'
        '<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        f'<geom name="geom" {geom}/></body></worldbody></mujoco>'
    )


def on_field(geom, heights, size=(1, 1, 1, 1), place=""):
    """A model with a height field and a free geom, and its data."""
    model = cf.Model.from_mjcf(text_of(geom, heights, size, place))
    return model, model.make_data()


def of_mujoco(text, qpos):
    """MuJoCo's contacts."""
    mujoco, reference = mujoco_module(), load_reference(text)
    theirs = mujoco.MjData(reference)
    theirs.qpos[:] = qpos
    mujoco.mj_forward(reference, theirs)
    return theirs.contact


def level(rows, columns):
    """A field that is level, at height zero, but for a corner."""
    heights = np.zeros((rows, columns))
    heights[0, 0] = 1
    return heights


def placed(data, pos, quat=(1, 0, 0, 0)):
    """Put the geom somewhere; the contacts."""
    data.qpos[:3], data.qpos[3:] = pos, quat
    data.collide()
    return data.contact


@pytest.mark.oracle
@pytest.mark.parametrize("kind", list(GEOMS))
def test_contacts_are_mujocos(kind):
    """6a-AC6, 6a-AC9: as many, as deep, in the same direction, in the same order, on a turned
    field with oblong cells; what differs is shown to be right."""
    found = Tally()
    for n, pose in enumerate(POSES):
        found.add(compare(kind, pose, FEW, margin=MARGIN * (n % 2), gap=GAP * (n % 2), seed=n))
    assert found.same >= 0.97
    assert not found.unproven
    assert len(found.dist) > 5 * FEW
    assert found.share("dist", 1e-6) >= 0.95
    assert found.share("normal", 1e-2) >= 0.95


def exact_depths(model, data, vertices):
    """Least depths of a polyhedron in all prisms that it is in, by the hull of their difference."""
    axes, origin = data.geom_xmat[0].reshape(3, 3), data.geom_xpos[0]
    matrix = data.geom_xmat[1].reshape(3, 3)
    body = (data.geom_xpos[1] + vertices @ matrix.T - origin) @ axes
    found = []
    low, high = body.min(axis=0), body.max(axis=0)
    for corners in prisms(model):
        if np.any(corners.max(axis=0) < low) or np.any(corners.min(axis=0) > high):
            continue
        hull = ConvexHull((corners[:, None] - body[None]).reshape(-1, 3))
        found.append(np.min(-hull.equations[:, 3]))
    depths = np.array(found)
    return -depths[depths > 0]


CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])


@pytest.mark.parametrize("half", [(0.1, 0.07, 0.12), (0.2, 0.1, 5e-4), (0.3, 3e-7, 3e-7)], ids=str)
def test_depths_are_the_least(half):
    """10, 6a-AC9, 6a-AC10: without a margin, of boxes, plates and needles; no prism is left out,
    also where a geom stands across the border of the field."""
    heights = elevations(np.random.default_rng(5))
    size = " ".join(map(str, half))
    model, data = on_field(
        f'type="box" size="{size}"', heights, SIZE, place='euler="20 -30 50" pos=".3 .2 .1"'
    )
    data.collide()
    axes, origin = data.geom_xmat[0].reshape(3, 3), data.geom_xpos[0].copy()
    rng = np.random.default_rng(6)
    total = 0
    for _ in range(8):
        local = np.append(rng.uniform(-1.05, 1.05, 2) * SIZE[:2], 0.0)
        inside = np.clip(local, -np.array(SIZE[:3]), SIZE[:3])
        local[2] = model.hfield_at("field", inside).height + 1e-3
        contacts = placed(data, origin + axes @ local, rng.normal(size=4))
        depths = exact_depths(model, data, CORNERS * half)
        assert len(contacts) == len(depths)
        np.testing.assert_allclose(contacts.dist, depths, atol=1e-9)
        total += len(depths)
    assert total > 10


@pytest.mark.oracle
def test_mujoco_ends_too_early_without_a_margin():
    """Why depths of boxes are held against exact ones: MuJoCo's are not those of any prism."""
    both = Both(scene("box", elevations(np.random.default_rng(0)), 0.0, 0.0))
    both.collide()
    both.data.qpos[:3] = both.theirs.qpos[:3] = both.data.geom_xpos[0] + (0.05, -0.02, 0.15)
    both.collide()
    depths = exact_depths(both.model, both.data, CORNERS * both.model.geom_size[1])
    np.testing.assert_allclose(both.data.contact.dist, depths, atol=1e-12)
    assert np.max(np.abs(both.theirs.contact.dist - depths)) > 1e-3


def test_places_of_contacts():
    """6a-AC3, 6a-AC4, 6a-AC5: elevations are at x = dx column - size_x, centred on the geom's
    place, and as high as the field says."""
    heights = np.zeros((11, 11))
    heights[7, 2] = 1
    _, data = on_field('size=".2"', heights, (5, 5, 1, 1), place='pos="1 2 3"')
    contacts = placed(data, (1 - 5 + 2, 2 - 5 + 7, 3 + 1.15))
    # six triangles meet in the peak
    np.testing.assert_allclose(contacts.dist, np.full(6, -0.05), atol=1e-12)
    np.testing.assert_allclose(contacts.frame[:, :3], np.tile((0, 0, 1.0), (6, 1)), atol=1e-9)
    surface = contacts.pos - 0.5 * contacts.dist[:, None] * contacts.frame[:, :3]
    np.testing.assert_allclose(surface, np.tile((-2, 4, 4), (6, 1)), atol=1e-12)
    assert not len(placed(data, (1 - 5 + 3.3, 2 - 5 + 7, 3 + 1.15)))


@pytest.mark.oracle
def test_a_sunk_box_is_pushed_up():
    """10, mujoco_warp #831: on a level field every contact is as deep as the box, and points up."""
    setting = ('type="box" size=".3 .2 .1"', level(41, 41), (1, 1, 1, 0.5))
    _, data = on_field(*setting)
    for depth in (0.11, 0.2, 0.35):
        contacts = placed(data, (0.213, 0.137, 0.1 - depth))
        assert len(contacts) > 100
        np.testing.assert_allclose(contacts.dist, -depth, atol=1e-9)
        np.testing.assert_allclose(contacts.frame[:, :3] @ (0, 0, 1), 1.0, atol=1e-9)
    assert np.min(of_mujoco(text_of(*setting), data.qpos).frame[:, 2]) < 0.1


def test_a_small_ball_is_not_sucked_in():
    """mujoco #2883: out through the surface, however near the base or a wall is."""
    _, data = on_field('size=".02"', level(11, 11), (1, 1, 0.1, 0.1))
    for depth in (0.021, 0.05, 0.09):
        contacts = placed(data, (0.31, 0.27, -depth))
        deepest = int(np.argmin(contacts.dist))
        assert contacts.dist[deepest] == pytest.approx(-depth - 0.02, abs=1e-6)
        assert contacts.frame[deepest, 2] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("kind", [*GEOMS, "plate"])
def test_the_way_up_leads_out(kind):
    """10: lifted by what its contacts say, a sunk geom is out of all prisms, and not before."""
    shapes = {**GEOMS, "plate": 'type="box" size=".2 .15 5e-4"'}
    heights = elevations(np.random.default_rng(2))
    model, data = on_field(shapes[kind], heights, SIZE)
    model.opt.ccd_iterations = 100
    rng = np.random.default_rng(3)
    for _ in range(6):
        place = np.append(rng.uniform(-0.8, 0.8, 2) * SIZE[:2], 0.0)
        place[2] = model.hfield_at("field", place).height - 10 ** rng.uniform(-3, -1)
        quat = rng.normal(size=4)
        placed(data, place, quat)
        # the centre of a mesh is not the place of its body
        place += place - data.geom_xpos[1]
        contacts = placed(data, place, quat)
        up = contacts.frame[:, 2]
        assert len(contacts) and np.all(up > 0)
        lift = np.max(-contacts.dist / up)
        for way, sign in ((lift + 1e-4, 1), (lift - 1e-4, -1)):
            data.qpos[2] = place[2] + way
            data.forward(smooth_only=True)
            assert sign * data.geom_distance("field", "geom").dist > 0


@pytest.mark.oracle
def test_more_than_fifty_prisms():
    """10: MuJoCo has the first fifty contacts; nothing is dropped here, and memory grows."""
    heights = np.random.default_rng(0).uniform(0.9, 1, (60, 60))
    setting = ('type="box" size=".3 .3 .1" gap="1e-9"', heights, (1, 1, 0.1, 0.2))
    model, data = on_field(*setting)
    contacts = placed(data, (0.01, 0.02, 0.182), (1, 0.01, 0.02, 0.3))
    theirs = of_mujoco(text_of(*setting), data.qpos)
    assert len(theirs) == 50 < len(contacts)
    np.testing.assert_allclose(contacts.dist[:50], theirs.dist, atol=1e-6)
    depths = exact_depths(model, data, CORNERS * (0.3, 0.3, 0.1))
    assert len(contacts) == len(depths)
    np.testing.assert_allclose(contacts.dist, depths, atol=1e-8)


def test_order_of_the_description_does_not_matter():
    """6a-AC13: the height field comes first, and normals leave it."""
    field = '<geom name="field" type="hfield" hfield="field" contype="3"/>'
    body = '<body pos=".1 .2 .05"><freejoint/><geom name="geom" size=".1"/></body>'
    asset = '<hfield name="field" nrow="2" ncol="2" size="1 1 1 1" elevation="0 0 0 0"/>'
    found = []
    for parts in (field + body, body + field):
        model = cf.Model.from_mjcf(
            f"<mujoco><asset>{asset}</asset><worldbody>{parts}</worldbody></mujoco>"
        )
        data = model.make_data()
        data.collide()
        names = [model.name_of("geom", int(g)) for g in data.contact.geom[0]]
        assert names == ["field", "geom"]
        assert data.contact.frame[0, :3] @ (0, 0, 1) > 0.9
        found.append(data.contact.dist.tobytes())
    assert found[0] == found[1]


def test_fields_and_planes_pass_through_each_other():
    """6a-AC11: as in MuJoCo, between two height fields, or one and a plane, nothing happens."""
    model = cf.Model.from_mjcf(
        '<mujoco><asset><hfield name="f" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 0 1"/>'
        '</asset><worldbody><geom type="hfield" hfield="f"/><geom type="plane" size="1 1 1"/>'
        '<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        '<geom type="hfield" hfield="f"/></body></worldbody></mujoco>'
    )
    assert len(model.candidate_geom) == 0
    data = model.make_data()
    data.collide()
    assert data.ncon == 0


NOWHERE = [
    ((np.nan, 0, 0), (1, 0, 0, 0)), ((np.inf, 0, 0), (1, 0, 0, 0)), ((1e308, 0, 0), (1, 0, 0, 0)),
    ((0, 0, 0), (np.nan, 0, 0, 0)), ((0, 0, 0), (1, 0, 0, 0)),
]  # fmt: skip


def is_finite(data):
    """Whether all contacts are numbers, with normals of length one."""
    contacts = data.contact
    lengths = np.linalg.norm(contacts.frame.reshape(-1, 9)[:, :3], axis=1)
    return (
        np.all(np.isfinite(contacts.dist))
        and np.all(np.isfinite(contacts.pos))
        and np.allclose(lengths, 1.0, atol=1e-9)
    )


@pytest.mark.filterwarnings("ignore::cortenforge.StepWarning")
@pytest.mark.parametrize("kind", list(GEOMS))
def test_any_pose_and_any_field_has_an_answer(kind):
    """10: poses that are no numbers, level fields, cells and elevations of nothing: it ends, and no
    contact is nan."""
    model, data = on_field(GEOMS[kind], np.ones((4, 5)), (1, 1, 0.1, 0.1))
    for pos, quat in NOWHERE:
        placed(data, pos, quat)
        assert is_finite(data)
    assert data.ncon > 0
    keep = model.hfield_size.copy()
    for shrunk in ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 0), (0, 0, 0, 0), (1e-12, 1e-12, 1, 1)):
        model.hfield_size[:] = keep * shrunk
        for place in ((0, 0, 0), (0.01, 0.02, 0.05), (0.001, 0, -0.05)):
            placed(data, place)
            assert is_finite(data)
    model.hfield_size[:] = keep
    model.hfield_data[7] = np.nan
    placed(data, (0, 0, 0.01))
    assert is_finite(data)


def test_nothing_is_remembered():
    """10: from another pose and back, every bit is the same."""
    data = cf.Model.from_mjcf(
        scene("blob", elevations(np.random.default_rng(0)), 0.01, 0.0)
    ).make_data()
    data.collide()
    origin, rng = data.geom_xpos[0].copy(), np.random.default_rng(3)
    poses = [(origin + rng.normal(size=3) * 0.1, rng.normal(size=4)) for _ in range(8)]

    def found(pose):
        contacts = placed(data, *pose)
        return contacts.dist.tobytes() + contacts.pos.tobytes() + contacts.frame.tobytes()

    first = [found(pose) for pose in poses]
    assert [found(pose) for pose in reversed(poses)] == first[::-1]
    assert len(set(first)) > 4


def test_elevations_may_change():
    """What is written into a loaded model counts at once."""
    model, data = on_field('size=".1"', np.zeros((3, 3)), (1, 1, 1, 1))
    assert not len(placed(data, (0, 0, 0.5)))
    model.hfield_data[:] = 0.45
    contacts = placed(data, (0.1, 0.05, 0.5))
    assert np.min(contacts.dist) == pytest.approx(-0.05, abs=1e-7)


def test_lanes_have_the_contacts_of_single_worlds():
    """10: each lane grows for itself, and one that is nowhere changes nothing."""
    heights = elevations(np.random.default_rng(0))
    numbers = " ".join(f"{x:.4f}" for x in heights.ravel())
    bodies = "".join(
        f'<body pos="{0.25 * n - 0.9} 0 .15"><freejoint/><geom {shape} margin=".01"/></body>'
        for n, shape in enumerate(GEOMS.values())
    )
    size = " ".join(map(str, SIZE))
    model = cf.Model.from_mjcf(
        f"<mujoco><asset>{ASSETS}"
        f'<hfield name="f" nrow="9" ncol="13" size="{size}" elevation="{numbers}"/></asset>'
        '<worldbody><geom type="hfield" hfield="f"/><geom type="plane" size="1 1 1"/>'
        f"{bodies}</worldbody></mujoco>"
    )
    batch = cf.BatchSim(model, 8, threads=1, engine=ENGINE)
    rng = np.random.default_rng(1)
    for i in range(8):
        batch.qpos[i] = model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.08)
    batch.qpos[5] = np.nan
    model._store.assign("missing", 0)
    batch.step_all(1)
    (memory,) = batch._memory
    counts = memory.lanes("ncon").tolist()
    assert sum(counts) > 200
    for i, count in enumerate(counts):
        data = batch.env(i)
        data.collide()
        assert data.ncon == count
        for name in LISTED:
            own = memory.worlds[i].arrays[name][:count]
            assert own.tobytes() == getattr(data, name)[:count].tobytes(), (i, name)
