"""Contacts of convex pairs against MuJoCo's; `python -m conformance.convex` takes thousands."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import cortenforge as cf
from conformance.convex import ASSETS, GEOMS, PAIRS, POSES, compare_pair, scene
from conformance.proof import fault, shape_of
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.fields import CAPACITIES
from cortenforge.fields.data_contact import NCONMAX
from cortenforge.fields.data_convex import NPOLYGONMAX, NPOLYTOPEMAX
from tests.step.collision.still import ENGINE

MANY = 60
#: in three of four poses contacts are those of MuJoCo to the last digits
SMOOTH = {"sphere", "capsule", "ellipsoid", "cylinder"}

LISTED = ("contact_dist", "contact_pos", "contact_frame", "contact_geom")
HEAP = (
    f"<mujoco><asset>{ASSETS}</asset><worldbody>"
    + "".join(
        f'<body><freejoint/><geom {shape} margin=".01"/></body>'
        for shape in GEOMS.values()
        for _ in range(2)
    )
    + "</worldbody></mujoco>"
)


@pytest.mark.oracle
@pytest.mark.parametrize("pose", POSES[:3])
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_contacts_are_mujocos(pair, pose):
    """10: as many, as deep, in the same direction, in the same places; what differs is proven."""
    found = compare_pair(pair, pose, MANY)
    assert found.unproven == []
    assert found.same >= 0.97
    assert found.share("dist", 1e-6) >= 0.9
    assert found.share("normal", 1e-2) >= 0.95
    assert found.share("pos", 1e-6 if not SMOOTH & set(pair) else 1e-4) >= 0.9


@pytest.mark.oracle
@pytest.mark.parametrize("pose", POSES[:3])
@pytest.mark.parametrize("pair", [p for p in PAIRS if "ellipsoid" not in p], ids="-".join)
def test_contacts_within_a_margin(pair, pose):
    """Apart, and sides next to each other as soon as they are near enough."""
    found = compare_pair(pair, pose, 40, margin=0.02, seed=1)
    assert found.unproven == []
    assert found.same >= 0.95
    assert found.share("dist", 1e-6) >= (0.9 if "cylinder" not in pair else 0.6)


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore:the distance of geoms")
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_contacts_of_concentric_geoms(pair):
    """10: along many directions as deep: the answer is another, and the least all the same."""
    found = compare_pair(pair, "concentric", 40, seed=2)
    # a prism leaves another by a side or by an edge between two, which is as short a way
    assert found.same >= 0.7
    assert found.unproven == []


def test_proofs_can_fail():
    """10: contacts that are too deep, too shallow, off a surface or along another way."""
    data = cf.Model.from_mjcf(scene(("ellipsoid", "box"))).make_data()
    data.qpos[:3] = (0.05, 0.11, 0.0)
    data.collide()
    shapes = [shape_of(data.model, data, g) for g in range(2)]
    (contact,) = data.contact
    hints = np.eye(3)

    def faulty(dist=0.0, pos=(0, 0, 0), turn=0.0):
        normal = contact.frame[:3] + turn * contact.frame[3:6]
        given = np.rec.fromarrays(
            (
                np.array([contact.dist + dist]),
                np.array([contact.pos + pos]),
                np.concatenate((normal / np.linalg.norm(normal), np.zeros(6)))[None],
            ),
            dtype=[("dist", float), ("pos", float, 3), ("frame", float, 9)],
        )
        return fault(*shapes, given, hints)

    assert faulty() == ""
    assert "off the surfaces" in faulty(pos=1e-5 * contact.frame[:3])
    assert "off the surfaces" in faulty(dist=1e-5) and "off the surfaces" in faulty(dist=-1e-5)
    assert faulty(turn=0.01) != ""


@pytest.mark.oracle
@pytest.mark.parametrize("pair", [("cylinder", "box"), ("cube", "prism"), ("capsule", "blob")])
def test_one_contact_without_multiccd(pair):
    """As the flag of MuJoCo says."""
    text = scene(pair, flags='multiccd="disable"')
    data, reference = cf.Model.from_mjcf(text).make_data(), load_reference(text)
    theirs = mujoco_module().MjData(reference)
    rng = np.random.default_rng(2)
    for _ in range(40):
        data.qpos[:3] = theirs.qpos[:3] = rng.normal(size=3) * 0.06
        data.qpos[3:7] = theirs.qpos[3:7] = rng.normal(size=4)
        data.qpos[10:14] = theirs.qpos[10:14] = rng.normal(size=4)
        data.collide()
        mujoco_module().mj_kinematics(reference, theirs)
        mujoco_module().mj_collision(reference, theirs)
        assert data.ncon == theirs.ncon <= 1
        if data.ncon:
            assert abs(data.contact.dist[0] - theirs.contact.dist[0]) < 1e-5


def test_contacts_stay_where_geoms_do():
    """10: nothing is remembered: from another pose and back, every bit is the same."""
    data = cf.Model.from_mjcf(scene(("cylinder", "blob"))).make_data()
    rng = np.random.default_rng(3)
    poses = [np.concatenate((rng.normal(size=3) * 0.05, rng.normal(size=4))) for _ in range(10)]

    def found(pose):
        data.qpos[:7] = pose
        data.collide()
        count = data.ncon
        return data.contact_dist[:count].tobytes() + data.contact_pos[:count].tobytes()

    first = [found(pose) for pose in poses]
    assert [found(pose) for pose in reversed(poses)] == first[::-1]
    assert len(set(first)) > 5


def test_capacities_have_their_places():
    """What kernels ask for by number is what Data lets grow."""
    names = list(CAPACITIES)
    assert [names[k] for k in (NCONMAX, NPOLYTOPEMAX, NPOLYGONMAX)] == [
        "nconmax",
        "npolytopemax",
        "npolygonmax",
    ]


def test_sizes_may_change():
    """Sizes of a loaded model take effect, also where boxes decide that geoms are apart."""
    model = cf.Model.from_mjcf(scene(("cylinder", "cylinder")))
    data = model.make_data()
    data.qpos[:3] = (0.3, 0.0, 0.0)
    data.collide()
    assert data.ncon == 0
    model.geom_size[:, 0] = 0.2
    data.collide()
    assert data.ncon > 0
    assert np.min(data.contact.dist) == pytest.approx(-0.1, abs=1e-6)


NOWHERE = [(np.nan, 0, 0), (np.inf, 0, 0), (1e308, 0, 0), (0, 0, 0)]


@pytest.mark.parametrize("kind", list(GEOMS))
@pytest.mark.parametrize("place", NOWHERE, ids=str)
def test_any_pose_has_an_answer(kind, place):
    """10: coincident centres, poses that are no numbers: it ends, and no contact is nan."""
    for other in GEOMS:
        data = cf.Model.from_mjcf(scene((kind, other))).make_data()
        data.qpos[:3] = place
        if data.model.strangers == 0:
            data.collide()
            assert np.all(np.isfinite(data.contact_dist[: data.ncon]))
            assert np.all(np.isfinite(data.contact_pos[: data.ncon]))
            lengths = np.linalg.norm(data.contact_frame[: data.ncon, :3], axis=1)
            np.testing.assert_allclose(lengths, 1.0, atol=1e-9)
            assert data.ncon > 0 or any(place)


@pytest.mark.parametrize("size", ["0 0 0", "1e-12 1e-12 1e-12", "0 .1 .1", ".1 0 0", "1e-6 1 1"])
@pytest.mark.parametrize("kind", ["ellipsoid", "cylinder", "box"])
def test_sizes_of_nothing(kind, size):
    """10: geoms that have shrunk to a point, a line or a plane, where others are."""
    model = cf.Model.from_mjcf(
        f'<mujoco><asset>{ASSETS}</asset><worldbody><body><freejoint/><geom type="{kind}" '
        f'size=".1 .1 .1"/></body><body><freejoint/><geom {GEOMS["blob"]}/></body>'
        f"<body><freejoint/><geom {GEOMS['ellipsoid']}/></body></worldbody></mujoco>"
    )
    model.geom_size[0] = [float(x) for x in size.split()]
    data = model.make_data()
    for x in (0.0, 0.01, 0.05):
        data.qpos[:3] = (x, 0.001, 0.0)
        data.collide()
        assert np.all(np.isfinite(data.contact_dist[: data.ncon]))
        assert np.all(np.isfinite(data.contact_frame[: data.ncon]))


def test_iterations_that_run_out_are_told():
    """10: with the names of both geoms, and an answer all the same."""
    model = cf.Model.from_mjcf(
        '<mujoco><option ccd_iterations="6"/><worldbody>'
        '<body><freejoint/><geom name="egg" type="ellipsoid" size=".1 .2 .3"/></body>'
        '<body pos=".05 .1 .2"><freejoint/><geom name="tin" type="cylinder" size=".1 .2"/></body>'
        "</worldbody></mujoco>"
    )
    data = model.make_data()
    with pytest.warns(cf.StepWarning, match=r"'egg' and 'tin'.*ccd_iterations = 6"):
        data.collide()
    assert data.ncon == 1 and data.contact.dist[0] < 0
    model.opt.ccd_iterations = 50
    data.collide()
    assert data.ncon == 1


def test_libccd_is_not_silently_another():
    """Its answers are others than those of the native way: a warning, where it counts."""
    with pytest.warns(cf.StepWarning, match="libccd"):
        model = cf.Model.from_mjcf(scene(("cylinder", "box"), flags='nativeccd="disable"'))
    native = cf.Model.from_mjcf(scene(("cylinder", "box")))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cf.Model.from_mjcf(scene(("sphere", "box"), flags='nativeccd="disable"'))
        found = []
        for one in (model, native):
            data = one.make_data()
            data.qpos[:3] = (0.1, 0.0, 0.0)
            data.collide()
            found.append(data.contact.dist.tolist())
    assert found[0] == found[1] != []
    with pytest.warns(cf.StepWarning, match="libccd"):
        native.opt.disableflags = cf.enums.Disable.NATIVECCD
        native.make_data().collide()


@pytest.mark.parametrize("seed", range(3))
def test_lanes_have_the_contacts_of_single_worlds(seed):
    """10: each lane grows for itself, and one that is nowhere changes nothing."""
    model = cf.Model.from_mjcf(HEAP)
    batch = cf.BatchSim(model, 8, threads=1, engine=ENGINE)
    rng = np.random.default_rng(seed)
    for i in range(8):
        batch.qpos[i] = model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.12)
    if seed == 2:
        batch.qpos[5] = np.nan
    model._store.assign("missing", 0)
    batch.step_all(1)
    (memory,) = batch._memory
    counts = memory.lanes("ncon").tolist()
    assert sum(counts) > 100
    for i, count in enumerate(counts):
        data = batch.env(i)
        data.collide()
        assert data.ncon == count
        for name in LISTED:
            own = memory.worlds[i].arrays[name][:count]
            assert own.tobytes() == getattr(data, name)[:count].tobytes(), (i, name)
