"""Deformables that meet rigid bodies and each other: the scenes that they were asked for."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import cortenforge as cf
from tests.soft.scenes import GRAVITY, force_of, masses, world

INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast")


@functools.cache
def caught_ball() -> cf.Data:
    """A ball that fell half a metre onto a pinned sheet of rubber, at rest."""
    sheet = cf.Cloth.grid(21, 21, size=(0.6, 0.6), material="rubber", pinned="border")
    ball = '<body pos="0 0 .6"><freejoint/><geom size=".1" mass="1"/></body>'
    data = world(sheet, inside=ball, timestep=1 / 240, softsleep=0)
    data.step(20 * 240)
    return data


def test_a_ball_on_rubber_presses_with_its_weight():
    """11-AC1, 11-AC11, 000.9-AC1: a ball (0.1 m, 1 kg) dropped 0.5 m; asked for are 10%."""
    data = caught_ball()
    assert np.abs(data.qvel[:3]).max() < 0.01
    assert np.linalg.norm(force_of(data, 0)) == pytest.approx(GRAVITY, rel=0.01)
    assert data.qfrc_constraint[2] == pytest.approx(GRAVITY, rel=0.01)
    assert data.qpos[2] < 0.08


def test_a_ball_stays_on_rubber():
    """11-AC1, 11-AC11: no point of the sheet is 2 thicknesses inside.

    Vertices meet the ball, triangles do not: the middle of a cell of width h is h^2 / 4r deeper, so
    it takes cells of at most 3 cm.
    """
    data = caught_ball()
    thickness = 1e-3
    corners = data.softvert_pos[data.model.softface_vert]
    halves = (corners + np.roll(corners, 1, axis=1)).reshape(-1, 3) / 2
    for places in (data.softvert_pos, corners.mean(axis=1), halves):
        depth = 0.1 - np.linalg.norm(places - data.qpos[:3], axis=1)
        assert depth.max() < 2 * thickness
    assert data.softcon_depth[: data.nsoftcon].max() < 1e-5


@pytest.mark.parametrize("material", ["rope", "chain"])
@pytest.mark.parametrize("softsleep", [0.0, 1e-4])
def test_a_chain_over_an_edge_comes_to_rest(material, softsleep):
    """11-AC2, 11-AC11, 000.9-AC2: 10 segments, radius 0.01: below 1e-4 m/s within 500 steps.

    Steps are of 1/60 s. It holds with a damping of 5 / s and 7 segments on the box; presets have
    1 / s and less, and so damped a chain still swings after these 8 s, with up to 0.1 m/s.
    """
    chain = cf.CapsuleChain.line((-0.7, 0, 0.511), (0.3, 0, 0.511), 10, radius=0.01, damping=5,
                                 material=material)  # fmt: skip
    box = '<geom type="box" size=".6 .2 .25" pos="-.6 0 .25"/>'
    data = world(chain, inside=box, timestep=1 / 60, softsleep=softsleep)
    data.step(500)
    for _ in range(50):
        assert np.linalg.norm(data.softvert_vel, axis=1).max() < 1e-4
        data.step()
    # it hangs down over the edge, and lies on the box
    assert data.softvert_pos[-1, 2] < 0.35
    assert data.softvert_pos[:5, 2] == pytest.approx(0.51, abs=1e-5)
    # what contact pushed is still as long as it was, as far as 50 substeps resolve steel
    lengths = np.linalg.norm(np.diff(data.softvert_pos, axis=0), axis=1)
    assert lengths == pytest.approx([0.1] * 10, rel=1e-4)


@pytest.mark.parametrize("material", ["rope", "chain"])
def test_a_chain_with_a_presets_damping_still_swings(material):
    """11-AC2: after the same 500 steps there is a rest of its swing, below 0.1 m/s."""
    chain = cf.CapsuleChain.line(
        (-0.7, 0, 0.511), (0.3, 0, 0.511), 10, radius=0.01, material=material
    )
    box = '<geom type="box" size=".6 .2 .25" pos="-.6 0 .25"/>'
    data = world(chain, inside=box, timestep=1 / 60)
    data.step(500)
    speeds = []
    for _ in range(50):
        speeds.append(np.linalg.norm(data.softvert_vel, axis=1).max())
        data.step()
    assert 1e-3 < max(speeds) < 0.1


@pytest.fixture(scope="module")
def draped() -> cf.Data:
    """A square of cotton on a ball, after ten seconds."""
    sheet = cf.Cloth.grid(21, 21, size=(0.5, 0.5), material="cotton", pos=(0, 0, 0.21), damping=5)
    data = world(sheet, inside='<geom size=".2" friction="1"/>', timestep=1 / 60, softsleep=0)
    data.step(600)
    return data


def test_a_draped_cloth_touches_with_a_part(draped):
    """11-AC6, 11-AC11: 20 to 40% of its vertices are flagged, those near the ball."""
    data = draped.copy()
    assert 0.2 <= data.softvert_colliding.mean() <= 0.4
    near = np.linalg.norm(data.softvert_pos, axis=1) < 0.2 + 5e-4 + 1e-7
    assert np.array_equal(data.softvert_colliding != 0, near)
    data.softvert_pos[:, 2] += 1
    data.forward()
    assert not data.softvert_colliding.any()


def test_a_draped_cloth_does_not_jitter(draped):
    """000.9-AC6: it rests on the ball for ever, awake as well as asleep."""
    data = draped.copy()
    before = data.softvert_pos.copy()
    data.step(300)
    assert np.abs(data.softvert_pos - before).max() < 1e-8
    assert np.linalg.norm(data.softvert_vel, axis=1).max() < 1e-8
    weight = masses(data).sum() * GRAVITY
    assert force_of(data, 0) == pytest.approx([0, 0, weight], rel=1e-6, abs=1e-6)


def test_elements_hold_after_contact():
    """000.9-AC2, 11-S1: contact leaves triangles and tetrahedra as they are at rest."""
    sheet = cf.Cloth.grid(5, 5, size=(0.4, 0.4), material="cotton", pos=(0, 0, 0.05), damping=5)
    block = cf.SoftBody.box((2, 2, 2), (0.1, 0.1, 0.1), material="stiff", pos=(1, 0, 0.06))
    data = world(sheet, block, inside='<geom type="plane" size="1 1 .1"/>', softsleep=0)
    data.step(1500)
    edges = np.linalg.norm(np.diff(data.softvert_pos[:25].reshape(5, 5, 3), axis=0), axis=2)
    assert edges == pytest.approx(np.full((4, 5), 0.1), rel=1e-4)
    corners = data.deformable(1).positions[block.tets]
    volumes = np.linalg.det(corners[:, 1:] - corners[:, :1]) / 6
    # its weight presses it by rho g h / E at most
    assert volumes == pytest.approx(block.volumes(), rel=2 * 1000 * GRAVITY * 0.1 / 1e7)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_all_integrators_agree(integrator):
    """11-AC11, 11-S4: RK4 and the others; deformables move once a step, whatever the stages."""
    ball = '<body pos="0 0 .16"><freejoint/><geom size=".1" mass="1"/></body>'

    def fallen(name: str) -> cf.Data:
        sheet = cf.Cloth.grid(9, 9, size=(0.5, 0.5), material="rubber", pinned="border",
                              pos=(0, 0, 0.05))  # fmt: skip
        option = f'<option integrator="{name}" timestep="0.001"/>'
        data = world(sheet, inside=ball, beside=option)
        data.step(100)
        return data

    data, euler = fallen(integrator), fallen("Euler")
    assert data.softvert_colliding.any()
    assert data.time == pytest.approx(0.1)
    # Euler's method falls too far, by g h t / 2
    assert data.qpos[2] == pytest.approx(euler.qpos[2], abs=6e-4)
    assert data.softvert_pos == pytest.approx(euler.softvert_pos, abs=1e-3)


def test_pinned_vertices_never_move():
    """11-AC11: neither gravity, nor contact, nor a force moves them."""
    sheet = cf.Cloth.grid(5, 5, size=(0.4, 0.4), pinned="corners", pos=(0, 0, 0.09))
    ball = (
        '<geom size=".1" pos="-.2 -.2 0"/><body pos="0 0 .3"><freejoint/><geom size=".1"/></body>'
    )
    data = world(sheet, inside=ball)
    corners = sheet.select("corners")
    data.softvert_applied[corners] = (0, 0, 50)
    data.step(300)
    assert np.array_equal(data.softvert_pos[corners], sheet.vertices[corners])
    assert not data.softvert_vel[corners].any()
    assert not data.softvert_colliding[corners].any()
    assert np.abs(data.softvert_pos - sheet.vertices).max() > 0.01


def crowded_world(integrator: str = "Euler") -> cf.Data:
    """Two deformables that touch each other, geoms and a floor, one of them tied to a body."""
    rope = cf.CapsuleChain.line((0, 0, 0.6), (0.2, 0, 0.6), 6, material="rope", radius=0.01)
    rope.attach("first", site="tip")
    block = cf.SoftBody.box((2, 2, 2), (0.2, 0.2, 0.1), material="foam", pos=(0.1, 0, 0.1))
    sheet = cf.Cloth.grid(5, 5, size=(0.3, 0.3), material="cotton", pos=(0.1, 0, 0.25))
    inside = """<geom type="plane" size="1 1 .1"/>
      <body name="arm" pos="-.3 0 .6"><joint axis="0 1 0" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass=".3"
          contype="0" conaffinity="0"/>
        <site name="tip" pos=".3 0 0"/></body>
      <body pos=".1 .02 .45"><freejoint/><geom type="box" size=".05 .05 .05" mass=".3"/></body>"""
    beside = f'<option integrator="{integrator}" timestep="0.002"/>'
    return world(rope, block, sheet, inside=inside, beside=beside)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_copies_and_states_go_on_alike(integrator):
    """11-AC11, 11-S5: after copies, states and resets every bit is the same as without."""
    data = crowded_world(integrator)
    start = data.digest()
    data.step(150)
    assert data.nsoftcon > 0 and data.nsoftnear > 0
    assert np.abs(data.qfrc_soft).sum() > 0
    twin, state = data.copy(), data.get_state()
    other = data.model.make_data()
    data.step(100)
    twin.step(100)
    other.set_state(state)
    other.step(100)
    assert twin.digest() == data.digest() == other.digest()
    for name in ("softvert_pos", "softvert_vel", "softhold_anchor", "qpos", "qfrc_constraint"):
        assert np.array_equal(getattr(twin, name), getattr(data, name)), name
        assert np.array_equal(getattr(other, name), getattr(data, name)), name
    # copies own their vertices
    twin.softvert_pos[:] = 0
    assert other.digest() == data.digest()
    other.reset()
    assert other.digest() == start
    fresh = crowded_world(integrator)
    fresh.step(250)
    other.step(250)
    assert fresh.digest() == other.digest() == data.digest()


def test_reset_clears_what_contact_left():
    """11-AC11, 11-S5: velocities, forces and contacts; vertices are where they were registered."""
    data = crowded_world()
    data.step(200)
    data.softvert_applied[:] = 1
    data.reset()
    assert np.array_equal(data.softvert_pos, data.model.softvert_pos0[:-1])
    for name in ("softvert_vel", "softvert_applied", "softvert_colliding", "qfrc_soft",
                 "soft_wrench", "softhold_geom", "softhold_load", "soft_rigid"):  # fmt: skip
        assert not getattr(data, name).any(), name
    assert data.nsoftcon == 0


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_worlds_of_a_batch_are_single_worlds(integrator):
    """11-S5: with contacts, attachments and several bodies each lane has the bits of one world."""
    model = crowded_world(integrator).model
    batch = cf.BatchSim(model, 5)
    singles = [model.make_data() for _ in range(5)]
    for number, single in enumerate(singles):
        for data in (batch.env(number), single):
            data.qvel[0] = 0.5 * number
            data.softvert_vel[:, 0] = 0.3 * number
    assert batch.step_all(150) == [None] * 5
    for number, single in enumerate(singles):
        single.step(150)
        lane = batch.env(number)
        assert single.nsoftcon > 0
        assert lane.digest() == single.digest()
        lane.forward()
        single.forward()
        assert lane.nsoftcon == single.nsoftcon
        for name in ("qpos", "qvel", "softvert_pos", "softvert_vel", "softrod_quat", "qfrc_soft"):
            assert np.array_equal(getattr(lane, name), getattr(single, name)), (number, name)


def test_two_sheets_do_not_pass_through_each_other():
    """Vertices of deformables keep their distance, with friction."""
    lower = cf.Cloth.grid(9, 9, size=(0.4, 0.4), material="cotton", pinned="border")
    upper = cf.Cloth.grid(7, 7, size=(0.3, 0.3), material="cotton", pos=(0.01, 0.01, 0.06))
    data = world(lower, upper)
    data.step(1500)
    low, high = data.deformable(0).positions, data.deformable(1).positions
    apart = np.linalg.norm(low[:, None] - high[None], axis=2)
    near = lower.spacing + upper.spacing
    assert apart.min() > 0.9 * near
    assert high[:, 2].mean() > low[:, 2].min()
    assert np.abs(data.softvert_vel).max() < 0.05


def test_filters_let_them_pass():
    """contype and conaffinity count between deformables, too."""
    lower = cf.Cloth.grid(9, 9, size=(0.4, 0.4), pinned="border")
    upper = cf.Cloth.grid(7, 7, size=(0.3, 0.3), pos=(0.01, 0.01, 0.06), contype=2, conaffinity=2)
    data = world(lower, upper)
    data.step(500)
    assert data.deformable(1).positions[:, 2].max() < -1


def test_two_soft_balls_bounce_off():
    """A collision of two balls: they part, and momentum is kept."""
    one = cf.SoftBody.ball(0.1, cell=0.06, material="soft_rubber", pos=(-0.2, 0, 0))
    two = cf.SoftBody.ball(0.1, cell=0.06, material="soft_rubber", pos=(0.2, 0.02, 0))
    data = world(one, two, beside='<option gravity="0 0 0"/>')
    data.deformable(0).velocities[:] = (1, 0, 0)
    data.deformable(1).velocities[:] = (-1, 0, 0)
    mass = masses(data)
    before = mass @ data.softvert_vel
    for _ in range(200):
        data.step()
        assert mass @ data.softvert_vel == pytest.approx(before, abs=1e-11)
    assert data.deformable(0).velocities[:, 0].mean() < -0.2
    assert data.deformable(1).velocities[:, 0].mean() > 0.2
    assert data.deformable(0).positions[:, 0].max() < data.deformable(1).positions[:, 0].min() + 0.1


@pytest.mark.parametrize("selfcollide", [True, False])
def test_a_folded_sheet_touches_itself(selfcollide):
    """Half of a sheet is laid over the other half: it stays above, if it touches itself."""
    sheet = cf.Cloth.grid(13, 5, size=(0.6, 0.2), material="silk", selfcollide=selfcollide)
    data = world(sheet, inside='<geom type="plane" size="1 1 .1"/>')
    height = 2.2 * sheet.spacing
    along = sheet.vertices[:, 0]
    over = along > 1e-9
    data.softvert_pos[over, 0] = -along[over] + 0.02
    data.softvert_pos[over, 2] = height
    data.softvert_pos[:, 2] += 1e-3
    data.step(1500)
    top = data.softvert_pos[over & (along > 0.1)]
    bottom = data.softvert_pos[along < -0.1]
    gap = np.linalg.norm(top[:, None] - bottom[None], axis=2).min()
    assert (gap > 0.9 * 2 * sheet.spacing) == selfcollide
    assert np.isfinite(data.softvert_pos).all()
