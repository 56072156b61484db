"""Many static geoms: a tree finds what a list finds, in MuJoCo's order, also of edited ones."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import cortenforge as cf
from conformance.collision import crowd
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.enums import Enable
from cortenforge.model.changes import static_geoms
from tests.step.collision.test_stage import LISTED, assert_lanes_are_alone

SHAPES = {
    "sphere": 'type="sphere" size=".12"',
    "capsule": 'type="capsule" size=".06 .09"',
    "box": 'type="box" size=".12 .1 .08"',
    "cylinder": 'type="cylinder" size=".1 .08"',
    "ellipsoid": 'type="ellipsoid" size=".12 .1 .07"',
    "mesh": 'type="mesh" mesh="wedge"',
}
WEDGE = '<asset><mesh name="wedge" vertex="-.1 -.1 -.1  .1 -.1 -.1  0 .12 -.1  0 0 .12"/></asset>'


def numbers(values) -> str:
    return " ".join(f"{x:.4f}" for x in values)


def geom(rng, kinds, place, name="") -> str:
    """A geom with some of what decides with whom it touches."""
    traits = ("", "", 'margin=".03"', 'gap=".02"', 'contype="2" conaffinity="3"', 'contype="0"')
    return (
        f'<geom {SHAPES[kinds[rng.integers(len(kinds))]]} pos="{numbers(place)}" '
        f'euler="{numbers(rng.uniform(-180, 180, 3))}" {traits[rng.integers(len(traits))]} {name}/>'
    )


def cluttered(seed: int, count: int = 200, kinds: tuple[str, ...] = tuple(SHAPES)) -> str:
    """MJCF of static geoms in the world and in welded bodies, some behind bodies that move."""
    rng = np.random.default_rng([seed, 5])

    def place():
        return rng.uniform((-1, -1, 0), (1, 1, 0.4))

    def welded(n: int) -> str:
        inner = "".join(geom(rng, kinds, rng.uniform(-0.3, 0.3, 3)) for _ in range(4))
        nested = f'<body pos=".1 0 .1" euler="0 30 10">{geom(rng, kinds, (0, 0.1, 0))}</body>'
        turn = numbers(rng.uniform(-90, 90, 3))
        return f'<body name="w{n}" pos="{numbers(place())}" euler="{turn}">{inner}{nested}</body>'

    def moving(n: int) -> str:
        several = "".join(geom(rng, kinds, rng.uniform(-0.1, 0.1, 3)) for _ in range(n % 3))
        first = geom(rng, kinds, (0, 0, 0), f'name="m{n}"')
        return f'<body name="b{n}" pos="{numbers(place())}"><freejoint/>{first}{several}</body>'

    bodies = [welded(n) if n % 3 == 0 else moving(n) for n in range(24)]
    fixed = "".join(geom(rng, kinds, place(), f'name="s{n}"') for n in range(count))
    return f"""
    <mujoco>{WEDGE}<worldbody>
      <geom type="plane" size="3 3 .1"/>{fixed}
      <body name="hand" mocap="true" pos="0 0 .3">{geom(rng, kinds, (0, 0, 0))}</body>
      {"".join(bodies)}
    </worldbody><contact>
      <exclude body1="world" body2="b1"/><exclude body1="w3" body2="b2"/>
      <pair geom1="m4" geom2="s1" margin=".4" condim="1"/>
    </contact></mujoco>"""


def moved(model, seed):
    rng = np.random.default_rng(seed)
    return model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.15)


def contacts(data) -> list[bytes]:
    return [getattr(data, name)[: data.ncon].tobytes() for name in LISTED]


def collided(model, qpos):
    data = model.make_data()
    data.qpos[:] = qpos
    data.collide()
    return data


@pytest.fixture
def listing(monkeypatch):
    """Makes models whose static geoms are in the list of candidates with all others."""

    def load(text: str):
        with monkeypatch.context() as patched:
            patched.setattr(static_geoms, "MIN_TREE_GEOMS", 10**9)
            return cf.Model.from_mjcf(text)

    return load


@pytest.mark.parametrize("seed", range(8))
def test_a_tree_finds_what_a_list_finds(seed, listing):
    """Contacts to the last bit, in the same order."""
    model, listed = cf.Model.from_mjcf(cluttered(seed)), listing(cluttered(seed))
    assert len(model.static_geom) >= static_geoms.MIN_TREE_GEOMS > len(listed.static_geom) == 0
    for state in range(3):
        qpos = moved(model, state)
        data = collided(model, qpos)
        assert data.ncon > 20
        assert contacts(data) == contacts(collided(listed, qpos))


@pytest.mark.parametrize("seed", range(12))
def test_the_same_in_crowds_of_few(seed, listing, monkeypatch):
    """Masks, pairs of the description, flags, planes: whatever decides on pairs and their order."""
    listed = listing(crowd(seed))
    monkeypatch.setattr(static_geoms, "MIN_TREE_GEOMS", 1)
    model = cf.Model.from_mjcf(crowd(seed))
    assert len(model.static_geom) == 1 or not model.geom_contype[model.geom_bodyid == 0].any()
    for state in range(5):
        qpos = model.integrate_pos(
            model.qpos0, np.random.default_rng(state).normal(size=model.nv), 0.2
        )
        assert contacts(collided(model, qpos)) == contacts(collided(listed, qpos))


def assert_mujocos(model, reference, qpos):
    mujoco = mujoco_module()
    theirs = mujoco.MjData(reference)
    theirs.qpos[:] = qpos
    mujoco.mj_kinematics(reference, theirs)
    mujoco.mj_comPos(reference, theirs)
    mujoco.mj_collision(reference, theirs)
    data = collided(model, qpos)
    assert data.ncon == theirs.ncon > 0
    assert np.array_equal(data.contact.geom, theirs.contact.geom)
    assert np.allclose(data.contact.dist, theirs.contact.dist, rtol=0, atol=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_contacts_are_mujocos(seed):
    """The same pairs in the same order, of shapes whose contacts are exact in both."""
    text = cluttered(seed, 400, ("sphere", "capsule", "box"))
    model, reference = cf.Model.from_mjcf(text), load_reference(text)
    for state in range(3):
        assert_mujocos(model, reference, moved(model, state))


@pytest.mark.parametrize("seed", range(3))
def test_touching_geoms_are_mujocos(seed):
    """Shapes that search for their contacts: which geoms touch, deeper than both may err."""
    text = cluttered(seed, 300)
    model, reference = cf.Model.from_mjcf(text), load_reference(text)
    mujoco = mujoco_module()
    theirs = mujoco.MjData(reference)
    theirs.qpos[:] = moved(model, seed)
    mujoco.mj_forward(reference, theirs)
    data = collided(model, theirs.qpos)

    def pairs(contact):
        # tolerances of both searches are 1e-6: at a distance of about zero either may be right
        return {tuple(g) for g, x in zip(contact.geom, contact.dist, strict=True) if x < -1e-5}

    assert pairs(data.contact) == pairs(theirs.contact)
    assert len(pairs(data.contact)) > 20


@pytest.mark.parametrize(
    "edit",
    [
        lambda m: m.geom_pos.__setitem__(slice(5, 40), 0.9 * m.geom_pos[5:40]),
        lambda m: m.geom_quat.__setitem__(slice(5, 40), (0.6, 0.0, 0.8, 0.0)),
        lambda m: m.geom_size.__setitem__(slice(5, 40), 1.5 * m.geom_size[5:40]),
        lambda m: m.geom_margin.__setitem__(slice(5, 40), 0.08),
        lambda m: m.body_pos.__setitem__(m.id_of("body", "w3"), (0.0, 0.0, 0.2)),
        lambda m: m.body_quat.__setitem__(m.id_of("body", "w3"), (0.0, 0.6, 0.0, 0.8)),
        lambda m: m.geom_contype.__setitem__(slice(5, 40), 0),
        lambda m: setattr(m.opt, "disableflags", 1 << 14),
    ],
    ids=["pos", "quat", "size", "margin", "body", "turn", "masks", "flags"],
)
def test_edited_statics(edit, listing):
    """What is written into a loaded model counts from the next call on, in every Data of it."""
    text = cluttered(3, 300, ("sphere", "capsule", "box"))
    model, listed = cf.Model.from_mjcf(text), listing(text)
    qpos = moved(model, 1)
    data, other = collided(model, qpos), collided(model, qpos)
    before = contacts(data)
    edit(model)
    edit(listed)
    wanted = contacts(collided(listed, qpos))
    assert wanted != before or model.opt.disableflags
    for one in (data, other, data, model.make_data()):
        one.qpos[:] = qpos
        one.collide()
        assert contacts(one) == wanted


def test_what_does_not_change_is_not_placed_again():
    """A step costs what moves: places of static geoms stay from call to call."""
    model = cf.Model.from_mjcf(cluttered(0))
    data = collided(model, model.qpos0)
    geoms = model.static_geom
    data.geom_xpos[geoms] = 7.0
    data.collide()
    assert (data.geom_xpos[geoms] == 7.0).all()
    model.geom_pos[geoms[0], 0] += 0.1
    data.collide()
    assert (data.geom_xpos[geoms] != 7.0).any(axis=1).all()


def test_a_reset_world_finds_them_again(listing):
    """Reset, copied and new worlds all have places and tree."""
    text = cluttered(2)
    model, listed = cf.Model.from_mjcf(text), listing(text)
    data, wanted = collided(model, moved(model, 0)), contacts(collided(listed, moved(model, 0)))
    for world in (data.copy(), data):
        world.reset()
        world.qpos[:] = moved(model, 0)
        world.collide()
        assert contacts(world) == wanted
    assert contacts(data.copy()) == wanted


def test_a_mocap_body_is_not_static():
    """It goes where the program puts it."""
    model = cf.Model.from_mjcf(cluttered(1, 300, ("sphere",)))
    data = collided(model, model.qpos0)
    hand = int(np.flatnonzero(model.geom_bodyid == model.id_of("body", "hand"))[0])
    assert hand in model.moving_geom and hand not in model.static_geom
    model.geom_contype[hand] = model.geom_conaffinity[hand] = 1
    data.mocap_pos[0] = data.xpos[model.id_of("body", "b4")]
    data.collide()
    assert hand in data.contact_geom[: data.ncon]


@pytest.mark.parametrize("seed", range(2))
def test_lanes_have_the_bits_of_one_world(seed):
    """Lists of all worlds together, contacts of each world alone."""
    assert_lanes_are_alone(cf.Model.from_mjcf(cluttered(seed, kinds=("sphere", "capsule", "box"))))


def test_steps_of_batches_are_those_of_single_worlds():
    """Twenty steps of worlds in lockstep, more than a group, some of which fail."""
    model = cf.Model.from_mjcf(cluttered(4, kinds=("sphere", "capsule", "box")))
    batch = cf.BatchSim(model, 12, threads=2)
    for i in range(batch.n):
        batch.qpos[i] = moved(model, i)
    batch.qpos[5, 0] = np.nan
    worlds = [batch.env(i).copy() for i in range(batch.n)]
    errors = batch.step_all(20)
    assert [error is not None for error in errors] == [i == 5 for i in range(batch.n)]
    for i, data in enumerate(worlds):
        if i != 5:
            data.step(20)
            assert data.qpos.tobytes() == batch.qpos[i].tobytes(), i


def test_worlds_may_have_statics_at_places_of_their_own():
    """Fields of the model that each world has for itself, written again between steps."""
    model = cf.Model.from_mjcf(cluttered(6, kinds=("sphere", "capsule", "box")))
    batch = cf.BatchSim(model, 10, threads=1)
    batch.expand("geom_pos", "geom_margin", "body_pos")
    for i in range(batch.n):
        batch.qpos[i] = moved(model, 0)
    rng = np.random.default_rng(0)
    for _ in range(2):
        batch.parameters["geom_pos"][:] = model.geom_pos + rng.normal(
            size=(batch.n, model.ngeom, 3), scale=0.05
        )
        batch.parameters["geom_margin"][:] = rng.uniform(0, 0.05, (batch.n, 1))
        worlds = [batch.env(i).copy() for i in range(batch.n)]
        assert batch.step_all(3) == [None] * batch.n
        for i, data in enumerate(worlds):
            data.step(3)
            assert data.qpos.tobytes() == batch.qpos[i].tobytes(), i
        env = batch.env(0)
        env.collide()
        first = contacts(env)
        batch.parameters["geom_pos"][0] += 0.1
        env.collide()
        assert contacts(env) != first
        batch.parameters["geom_pos"][0] -= 0.1


@pytest.mark.parametrize("flag", [Enable.SLEEP, Enable.SPECULATIVE, Enable.OVERRIDE])
def test_flags_by_which_more_decides(flag, listing):
    """Sleepers are not searched for, fast geoms reach farther, margins are overridden."""
    text = cluttered(5, 300, ("sphere", "capsule", "box"))
    worlds = []
    for model in (cf.Model.from_mjcf(text), listing(text)):
        model.opt.enableflags = flag
        model.opt.o_margin = 0.03
        data = model.make_data()
        data.qpos[:] = moved(model, 0)
        data.qvel[:] = np.random.default_rng(0).normal(size=model.nv, scale=20.0)
        data.step(30)
        data.forward()
        worlds.append(data)
    assert worlds[0].qpos.tobytes() == worlds[1].qpos.tobytes()
    assert contacts(worlds[0]) == contacts(worlds[1])


def test_reports_count_them(listing):
    """As many pairs that could touch, that are near, and that do."""
    text = cluttered(7, 300)
    report = cf.Model.from_mjcf(text).make_data().collision_report()
    listed = listing(text).make_data().collision_report()
    assert (report.pairs, report.near, report.gjk, report.families) == (
        listed.pairs,
        listed.near,
        listed.gjk,
        listed.families,
    )


def test_a_filter_sees_them():
    """A user's filter is asked of static geoms as well, and takes away what it likes."""
    model = cf.Model.from_mjcf(cluttered(0))
    data = collided(model, model.qpos0)
    assert (model.geom_bodyid[data.contact_geom[: data.ncon]] == 0).any()
    model.callbacks.contactfilter = lambda m, _d, one, other: (
        (m.geom_bodyid[one] == 0) | (m.geom_bodyid[other] == 0)
    )
    data.collide()
    touching = (model.geom_bodyid[data.contact_geom[: data.ncon]] == 0).any(axis=1)
    assert data.ncon > 0 and touching.sum() <= 1  # the pair of the description passes all filters


HUNDRED_THOUSAND = """
import numpy as np
import cortenforge as cf

side = 317
cells = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
fixed = "".join(
    f'<geom type="box" size=".5 .5 .1" pos="{x} {y} 0"/>' for x, y in cells[:100_000]
)
balls = "".join(
    f'<body pos="{x} {y} .19"><freejoint/><geom size=".1"/></body>'
    for x, y in ((0, 0), (150.3, 80.7), (300.5, 310.5))
)
model = cf.Model.from_mjcf(f"<mujoco><worldbody>{fixed}{balls}</worldbody></mujoco>")
data = model.make_data()
data.step(5)
data.forward()
# the last ball lies on four corners
below = [0, 81 * side + 150, *(y * side + x for y in (310, 311) for x in (300, 301))]
assert sorted(data.contact.geom.min(axis=1).tolist()) == sorted(below)
"""


def test_a_hundred_thousand_load_and_step():
    """Written out, loaded and stepped: each ball touches the boxes that are below it.

    In a process of its own, since it takes a gigabyte.
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HUNDRED_THOUSAND], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
