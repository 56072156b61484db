"""Deformables that are thrown, squeezed, turned inside out, or not numbers at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import cortenforge as cf
from tests.soft.scenes import masses, world

FLOOR = '<geom type="plane" size="3 3 .1"/>'
BLOCK = {"count": (2, 2, 2), "size": (0.1, 0.1, 0.1), "material": "gelatin", "pos": (0, 0, 0.3)}
BODIES = {
    "cloth": lambda: cf.Cloth.grid(4, 4, size=(0.2, 0.2), pos=(0, 0, 0.3)),
    "solid": lambda: cf.SoftBody.box(**BLOCK),
    "edges": lambda: cf.SoftBody.box(**BLOCK, model="edges"),
    "chain": lambda: cf.CapsuleChain.line((0, 0, 0.3), (0.3, 0, 0.3), 6),
}


def falling(kind: str, **options) -> cf.Data:
    return world(BODIES[kind](), inside=FLOOR, **options)


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("name", ["softvert_pos", "softvert_vel", "softvert_applied"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300])
def test_what_is_no_number_is_an_error(kind, name, value):
    """The error says which deformable it is, and the state is as it was before the step."""
    data = falling(kind)
    data.step(5)
    getattr(data, name)[2, 1] = value
    before = {key: getattr(data, key).copy() for key in ("softvert_pos", "softvert_vel")}
    with pytest.raises(cf.StepError, match="of deformables"):
        data.step()
    for key, array in before.items():
        assert np.array_equal(getattr(data, key), array, equal_nan=True), key
    # and a reset makes it good again
    data.reset()
    data.step(5)
    assert np.isfinite(data.softvert_pos).all()


def spoil(how: str, data: cf.Data) -> None:
    """Put vertices where nobody would."""
    at = data.softvert_pos
    if how == "one point":
        at[:] = (0, 0, 0.3)
    elif how == "flat":
        at[:, 2] = 0.3
    elif how == "mirrored":
        at[:, 0] *= -1
    elif how == "coincident":
        at[1] = at[0]
    elif how == "shuffled":
        at[:] = np.random.default_rng(0).permutation(at.copy())
    elif how == "one fast vertex":
        data.softvert_vel[3] = (0, 0, -1000)
    elif how == "one vertex aside":
        data.softvert_vel[3] = (1000, 0, 0)
    elif how == "all fast":
        data.softvert_vel[:] = (0, 0, -1000)


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize(
    "how",
    ["one point", "flat", "mirrored", "coincident", "shuffled", "one fast vertex",
     "one vertex aside", "all fast"],
)  # fmt: skip
@pytest.mark.parametrize("timestep", [0.002, 1 / 60])
def test_wild_states_stay_finite(kind, how, timestep):
    """Inverted, without volume, or at 1 km/s: numbers stay numbers, above the floor."""
    data = falling(kind, timestep=timestep)
    spoil(how, data)
    data.step(300)
    assert np.isfinite(data.softvert_pos).all()
    assert np.abs(data.softvert_vel).max() < 1000
    assert data.softvert_pos[:, 2].min() > -1e-3


@pytest.mark.parametrize("how", ["mirrored", "flat", "coincident"])
def test_an_inverted_solid_comes_back(how):
    """A soft body that is turned inside out finds its shape again; a tangle may stay one."""
    body = cf.SoftBody.box((2, 2, 2), (0.1, 0.1, 0.1), material="gelatin", damping=20)
    data = world(body, beside='<option gravity="0 0 0"/>', softsleep=0)
    spoil(how, data)
    # a plane is an equilibrium, though none that lasts
    data.softvert_pos[:] += 1e-4 * np.random.default_rng(1).normal(size=data.softvert_pos.shape)
    data.step(3000)
    corners = data.softvert_pos[body.tets]
    volumes = np.linalg.det(corners[:, 1:] - corners[:, :1]) / 6
    assert volumes == pytest.approx(body.volumes(), rel=0.02)


@pytest.mark.parametrize("timestep", [0.002, 1 / 60])
@pytest.mark.parametrize("body", [
    lambda: cf.Cloth.grid(5, 5, size=(0.3, 0.3), material="steel", thickness=1e-3, pos=(0, 0, 0.2)),
    lambda: cf.SoftBody.box((2, 2, 2), (0.1, 0.1, 0.1), material="steel", pos=(0, 0, 0.2)),
    lambda: cf.CapsuleChain.line((0, 0, 0.2), (0.5, 0, 0.2), 10, material="steel_cable"),
    lambda: cf.CapsuleChain.line((0, 0, 0.2), (0.5, 0, 0.2), 10, material="hair"),
], ids=["sheet", "block", "cable", "hair"])  # fmt: skip
def test_steel_at_a_sixtieth(body, timestep):
    """Far too stiff for the step: it falls, lies still, and keeps its shape."""
    data = world(body(), inside=FLOOR, timestep=timestep)
    rest = data.softvert_pos.copy()
    data.step(round(3 / timestep))
    assert np.isfinite(data.softvert_pos).all()
    assert np.abs(data.softvert_vel).max() < 0.1
    for numbers in data.model.softface_vert if len(data.model.softface_vert) else [(0, 1, 2)]:
        for one, other in ((0, 1), (1, 2)):
            a, b = numbers[one], numbers[other]
            length = np.linalg.norm(data.softvert_pos[a] - data.softvert_pos[b])
            assert length == pytest.approx(np.linalg.norm(rest[a] - rest[b]), rel=0.01)


@pytest.mark.parametrize("kind", ["solid", "cloth", "edges"])
def test_closing_jaws(kind):
    """Jaws that close to nothing squeeze a body between them: finite, whatever becomes of it."""
    jaws = "".join(
        f'<body pos="0 0 {0.3 + 0.12 * side}"><joint type="slide" axis="0 0 {-side}" damping="10"/>'
        '<geom type="box" size=".3 .3 .05" mass="1"/></body>'
        for side in (1, -1)
    )
    data = world(BODIES[kind](), inside=jaws, beside='<option gravity="0 0 0"/>')
    data.qfrc_applied[:] = 500
    for _ in range(20):
        data.step(50)
        assert np.isfinite(data.softvert_pos).all()
        assert np.isfinite(data.qpos).all()
        assert np.abs(data.softvert_vel).max() < 1000


def test_closing_walls_without_give():
    """Moved walls (mocap) that pass through each other."""
    geom = '<geom type="box" size=".3 .3 .05"/>'
    walls = "".join(
        f'<body mocap="true" pos="0 0 {0.3 + 0.12 * side}">{geom}</body>' for side in (1, -1)
    )
    data = world(BODIES["solid"](), inside=walls)
    for part in np.linspace(0, 1, 400):
        data.mocap_pos[:, 2] = 0.3 + 0.12 * (1 - 1.2 * part), 0.3 - 0.12 * (1 - 1.2 * part)
        data.step()
    assert np.isfinite(data.softvert_pos).all()
    assert np.abs(data.softvert_vel).max() < 100


def test_a_ton_on_a_block():
    """A weight of a ton on a kilogram of rubber: it stands on it, or crushes it, and is finite."""
    block = cf.SoftBody.box((3, 3, 3), (0.1, 0.1, 0.1), material="soft_rubber", pos=(0, 0, 0.056))
    ton = """<body pos="0 0 .3"><freejoint/><geom type="box" size=".15 .15 .15" mass="1000"/>
      </body>"""
    data = world(block, inside=FLOOR + ton)
    data.step(1500)
    assert np.isfinite(data.softvert_pos).all()
    assert np.isfinite(data.qpos).all()
    assert np.abs(data.softvert_pos).max() < 5
    # no lower than on the floor
    assert data.qpos[2] > 0.14


def test_contacts_beyond_all_room_grow():
    """A big cloth at once on a floor: room for contacts grows, and nothing is lost."""
    data = world(cf.Cloth.grid(40, 40, size=(1, 1), pos=(0, 0, 4e-4)), inside=FLOOR)
    assert len(data.softcon_vert) < 1600
    data.step()
    assert data.nsoftcon == 1600
    assert len(data.softcon_vert) >= 1600
    assert np.unique(data.softcon_vert[:1600]).tolist() == list(range(1600))


def test_far_from_the_origin():
    """A kilometre away everything is as it is here, but for rounding."""
    near = world(cf.Cloth.grid(4, 4, size=(0.2, 0.2), pos=(0, 0, 0.05)), inside=FLOOR)
    far = world(cf.Cloth.grid(4, 4, size=(0.2, 0.2), pos=(1000, 0, 0.05)), inside=FLOOR)
    near.step(300)
    far.step(300)
    shift = np.array([1000, 0, 0])
    assert far.softvert_pos - shift == pytest.approx(near.softvert_pos, abs=1e-6)


PROGRAM = """
import json, sys
import cortenforge as cf
inside = '<geom type="plane" size="1 1 .1"/>'
inside += '<body pos="0 0 .12"><freejoint/><geom size=".05"/></body>'
model = cf.Model.from_mjcf(f"<mujoco><worldbody>{inside}</worldbody></mujoco>")
bodies = [
    cf.Cloth.grid(3, 3, size=(.1, .1), pos=(0, 0, .06), selfcollide=True),
    cf.SoftBody.box(1, (.1, .1, .05), pos=(0, 0, .03)),
    cf.SoftBody.box(1, (.1, .1, .05), pos=(.3, 0, .03), model="edges"),
    cf.CapsuleChain.line((.2, 0, .01), (.3, .1, .01), 3),
]
data = model.with_deformables(bodies).make_data()
data.model.opt.softsubsteps = 3
data.qvel[2] = -3
data.softvert_vel[:, 2] = -1
data.step(4)
names = ["qpos", "qvel", "softvert_pos", "softvert_vel", "softrod_quat", "qfrc_soft"]
print(json.dumps({name: getattr(data, name).tolist() for name in names}))
print(int(data.nsoftcon), "numba" in sys.modules)
"""


def test_plain_python_follows_the_compiled_engine():
    """A few steps of every kind of element, without Numba; equal but for fused multiply-adds."""

    def run(**more: str) -> tuple[dict, list[str]]:
        environment = {**os.environ, **more}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True,
            env=environment,
        )  # fmt: skip
        values, words = done.stdout.strip().splitlines()
        return json.loads(values), words.split()

    plain, words = run(NUMBA_DISABLE_JIT="1")
    assert words[1] == "False" and int(words[0]) > 8
    compiled, _ = run()
    for name, value in compiled.items():
        np.testing.assert_allclose(plain[name], value, rtol=1e-9, atol=1e-10, err_msg=name)


def test_masses_are_those_of_the_material():
    """Mass of a body is its volume times its density, wherever vertices are."""
    data = world(cf.Cloth.grid(6, 5, size=(0.4, 0.3), density=700, thickness=2e-3))
    assert masses(data).sum() == pytest.approx(0.4 * 0.3 * 2e-3 * 700, rel=1e-12)
