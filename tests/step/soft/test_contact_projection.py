"""Contact of vertices with geoms: how they are pushed out, held by friction, and let go."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cortenforge as cf
from tests.soft.scenes import GRAVITY, force_of, masses, patch, touching, world

FLOOR = '<geom type="plane" size="1 1 .1" friction="{friction}"/>'
WEIGHTLESS = '<option gravity="0 0 0"/>'


def sunk(depth: float, constant: float, ratio: float, steps: int, **options) -> cf.Data:
    """A sheet inside of a floor, without gravity, after some steps of one substep."""
    data = world(patch(5e-4 - depth), inside=FLOOR.format(friction=0), beside=WEIGHTLESS,
                 softsubsteps=1, **options)  # fmt: skip
    data.model.soft_solref[0] = (constant, ratio)
    data.step(steps)
    return data


def test_depth_is_mended_in_one_substep():
    """11-AC4, 11-AC11: at compliance 0 a vertex 0.01 deep comes out by 0.01, along the normal."""
    data = sunk(0.01, 0.0, 1.0, 1)
    assert data.softcon_depth[:4] == pytest.approx([0.01] * 4, rel=1e-12)
    moved = data.softvert_pos - data.model.softvert_pos0[:-1]
    assert moved == pytest.approx(np.tile([0, 0, 0.01], (4, 1)), abs=1e-15)
    # the force that does so, and the velocity that is left of it
    h = data.model.opt.timestep
    assert data.softvert_vel[:, 2] == pytest.approx([0.01 / h] * 4, rel=1e-12)
    assert data.softcon_force[:4, 2] == pytest.approx(masses(data) * 0.01 / h**2, rel=1e-12)


@pytest.mark.parametrize(("constant", "ratio"), [(0.02, 1.0), (0.005, 1.0), (0.1, 0.3)])
@pytest.mark.parametrize("timestep", [0.002, 1 / 60])
def test_compliance_mends_a_part(constant, ratio, timestep):
    """11-AC4, 11-S1: by 0.01 / (1 + alpha~), where alpha~ is 2 tc dr / h."""
    data = sunk(0.01, constant, ratio, 1, timestep=timestep)
    part = 1 / (1 + 2 * constant * ratio / timestep)
    assert data.softvert_pos[:, 2] == pytest.approx(5e-4 - 0.01 * (1 - part), abs=1e-14)


def test_nothing_inside_gets_deeper():
    """Under its weight a sheet that is inside comes out, and never sinks in."""
    data = world(patch(5e-4 - 0.01, solref=(0.2, 1)), inside=FLOOR.format(friction=0),
                 softsleep=0)  # fmt: skip
    before = data.softvert_pos[:, 2].max()
    for _ in range(2000):
        data.step()
        assert data.softvert_pos[:, 2].min() > before - 1e-12
        before = data.softvert_pos[:, 2].max()
    assert data.softcon_depth[0] < 1e-5
    assert force_of(data, 0)[2] == pytest.approx(masses(data).sum() * GRAVITY, rel=1e-6)


def test_no_adhesion():
    """11-AC4: what leaves is not held back, and what is near and outside feels nothing."""
    data = world(patch(5e-4), inside=FLOOR.format(friction=1), beside=WEIGHTLESS, softsleep=0)
    data.step()
    assert data.nsoftcon == 4
    assert not data.softcon_force[:4].any()
    data = world(patch(5e-4), inside=FLOOR.format(friction=1), softsleep=0)
    data.step(200)
    assert len(touching(data)) == 4
    data.model.opt.gravity[:] = 0
    data.softvert_vel[:] = (0.3, 0, 0.5)
    data.step(10)
    h = data.model.opt.timestep
    assert data.softvert_pos[:, 2] == pytest.approx(5e-4 + 0.5 * 10 * h, abs=1e-9)
    assert not data.softvert_colliding.any()


def test_flags_are_set_and_cleared():
    """11-AC6: vertices in contact are flagged, in this step and not in the next."""
    data = world(patch(0.02), inside=FLOOR.format(friction=1), softsleep=0)
    assert not data.softvert_colliding.any()
    data.step(10)
    assert not data.softvert_colliding.any()
    data.step(190)
    assert data.softvert_colliding.all()
    data.softvert_pos[:2, 2] += 0.001
    data.softvert_pos[2:, 2] += 1.0
    data.softvert_pos[:2, 2] += 1.0
    data.step()
    assert not data.softvert_colliding.any()


def slope(degrees: float, friction: float, **settings) -> cf.Data:
    """A free sheet on a tilted plane; the geometric mean of both sides is the friction."""
    floor = f'<geom type="plane" size="9 9 .1" euler="0 {degrees} 0" friction="{friction}"/>'
    half = math.radians(degrees)
    place = (5e-4 * math.sin(half), 0, 5e-4 * math.cos(half))
    sheet = patch(0, pos=place, euler=(0, degrees, 0), friction=friction, **settings)
    return world(sheet, inside=floor, softsleep=0)


@pytest.mark.parametrize(("degrees", "friction"), [(10, 0.3), (25, 0.5), (40, 0.9)])
def test_it_sticks(degrees, friction):
    """11-AC3: below the angle of friction a sheet stays where it is, for ever."""
    assert math.tan(math.radians(degrees)) < friction
    data = slope(degrees, friction)
    data.step(500)
    before = data.softvert_pos.copy()
    data.step(1000)
    assert np.abs(data.softvert_pos - before).max() < 1e-9
    weight = masses(data).sum() * GRAVITY
    assert force_of(data, 0) == pytest.approx([0, 0, weight], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("degrees", "friction"), [(20, 0.3), (35, 0.5), (30, 0.0), (60, 0.9)])
def test_it_slides(degrees, friction):
    """11-AC3: above it slides, as fast as Coulomb's law says."""
    data = slope(degrees, friction)
    angle = math.radians(degrees)
    down = np.array([math.cos(angle), 0, -math.sin(angle)])
    data.step(100)
    before = (data.softvert_vel @ down).mean()
    data.step(250)
    gained = ((data.softvert_vel @ down).mean() - before) / 0.5
    expected = GRAVITY * (math.sin(angle) - friction * math.cos(angle))
    assert gained == pytest.approx(expected, rel=2e-3)
    # no faster than the plane lets it: it stays on it
    assert np.abs(data.softcon_depth[:4]).max() < 1e-5


def test_attached_vertices_follow_bodies_and_sites():
    """A moving body takes vertices along, at the places where they were, also as it turns."""
    arm = """<body name="arm" pos="0 0 1"><joint name="turn" axis="0 1 0" damping="1"/>
      <geom type="box" size=".3 .05 .05" mass="2" contype="0" conaffinity="0"/>
      <site name="tip" pos=".3 0 0" euler="30 0 0"/></body>"""
    rope = cf.CapsuleChain.line((0.3, 0, 1), (0.3, 0, 0.5), 10).attach("first", site="tip")
    sheet = cf.Cloth.grid(4, 4, size=(0.1, 0.1), pos=(-0.3, 0, 1)).attach("left", body="arm")
    data = world(rope, sheet, inside=arm)
    data.qvel[0] = 3
    for _ in range(100):
        data.step(5)
        data.forward()
        assert data.softvert_pos[0] == pytest.approx(data.site("tip").xpos, abs=2e-3)
        turn = data.xmat[1].reshape(3, 3)
        held = data.xpos[1] + (sheet.vertices[:4] - (0, 0, 1)) @ turn.T
        assert data.softvert_pos[11:15] == pytest.approx(held, abs=2e-3)
    assert np.ptp(data.qpos) == 0
    assert abs(data.qvel[0]) < 3
