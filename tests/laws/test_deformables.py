"""Deformables follow the laws of their materials: strings, beams, bars, volumes, momenta."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cortenforge as cf
from tests.soft.scenes import masses, world

from .mechanics import GRAVITY

WEIGHTLESS = '<option gravity="0 0 0"/>'


@pytest.mark.parametrize("segments", [20, 40])
def test_a_hanging_chain_is_a_catenary(segments):
    """z = a cosh(x / a) with 2 a sinh(span / 2a) = length, to 1% of the sag; it is 0.2%."""
    length, span = 1.0, 0.6
    part = np.linspace(0, 1, segments + 1)
    depth = math.sqrt(length**2 - span**2) * np.minimum(part, 1 - part)
    points = np.stack([span * (part - 0.5), 0 * part, -depth], axis=1)
    chain = cf.CapsuleChain(points, material="chain", bending=0, damping=10, pinned="ends")
    data = world(chain, timestep=1 / 60, softsleep=0)
    data.step(300)
    low, high = 0.05, 5.0
    for _ in range(100):
        a = 0.5 * (low + high)
        low, high = (a, high) if 2 * a * math.sinh(span / 2 / a) > length else (low, a)
    x, _, z = data.softvert_pos.T
    sag = a * (math.cosh(span / 2 / a) - 1)
    assert np.abs(a * np.cosh(x / a) - a * math.cosh(span / 2 / a) - z).max() < 0.005 * sag


def tip_of_a_strip(cells: int) -> float:
    """How far the end of a clamped strip hangs down, as a part of what beam theory says."""
    length, young, thickness, density = 0.3, 5e9, 2e-3, 1000.0
    edge = length / cells
    strip = cf.Cloth.grid(cells + 2, 5, size=(length + edge, 4 * edge), young=young, poisson=0.3,
                          density=density, thickness=thickness, damping=10)  # fmt: skip
    # the slope is held by the first two columns
    strip.pin(strip.rest[:, 0] < strip.rest[:, 0].min() + 1.5 * edge)
    data = world(strip, timestep=0.002, softsubsteps=100, softsleep=0)
    data.step(600)
    load = density * thickness * GRAVITY
    theory = load * length**4 / (8 * young * thickness**3 / 12)
    return -float(data.softvert_pos[strip.select("right"), 2].mean()) / theory


def test_a_clamped_strip_sags_like_a_beam():
    """w l^4 / 8 E I, to 5%, whatever the mesh; two meshes agree by less than that."""
    coarse, fine = tip_of_a_strip(12), tip_of_a_strip(24)
    assert coarse == pytest.approx(1, rel=0.05)
    assert fine == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize("poisson", [0.3, 0.45])
@pytest.mark.parametrize("cells", [(12, 2, 2), (18, 3, 3)])
def test_a_stretched_bar(cells, poisson):
    """Its middle follows E A to 2%, and Poisson's ratio to 5%."""
    size, young, strain = (0.6, 0.1, 0.1), 1e5, 0.004
    bar = cf.SoftBody.box(cells, size, young=young, poisson=poisson, density=1000, damping=20,
                          pinned="left")  # fmt: skip
    data = world(bar, beside=WEIGHTLESS, softsleep=0)
    rest, end = bar.vertices, bar.select("right")
    # each vertex of the end has a part of its area
    parts = np.where(np.abs(rest[end, 1:]) > 0.05 - 1e-9, 0.5, 1.0).prod(axis=1)
    force = young * 0.1 * 0.1 * strain
    data.softvert_applied[end, 0] = force * parts / parts.sum()
    data.step(1000)
    middle = np.abs(rest[:, 0]) < 0.15 + 1e-9
    slopes = [np.polyfit(rest[middle, i], data.softvert_pos[middle, i], 1)[0] - 1 for i in range(3)]
    assert slopes[0] == pytest.approx(strain, rel=0.02)
    assert -(slopes[1] + slopes[2]) / 2 / slopes[0] == pytest.approx(poisson, rel=0.05)


def test_volume_of_a_squeezed_body_stays():
    """At nu = 0.49 it changes by less than 1% while the height changes by a tenth."""
    block = cf.SoftBody.box((3, 3, 3), (0.1, 0.1, 0.1), young=1e5, poisson=0.49, density=1000,
                            damping=20, pos=(0, 0, 0.053), radius=0.003, friction=0.2)  # fmt: skip
    press = """<geom type="plane" size="1 1 .1"/><body pos="0 0 .13">
      <joint type="slide" axis="0 0 1" damping="30"/>
      <geom type="box" size=".1 .1 .02" mass="10"/></body>"""
    data = world(block, inside=press, softsleep=0)
    data.step(1000)
    corners = data.softvert_pos[block.tets]
    volume = np.linalg.det(corners[:, 1:] - corners[:, :1]).sum() / 6
    assert np.ptp(data.softvert_pos[:, 2]) < 0.092
    assert volume == pytest.approx(0.1**3, rel=0.01)


@pytest.mark.parametrize(
    "body",
    [
        lambda: cf.SoftBody.ball(0.1, cell=0.06, material="soft_rubber", drag=0),
        lambda: cf.SoftBody.ball(0.1, cell=0.06, material="gelatin", model="edges", drag=0),
        lambda: cf.Cloth.grid(5, 5, size=(0.3, 0.3), material="cotton", drag=0),
    ],
    ids=["solid", "edges", "cloth"],
)
def test_a_free_body_keeps_its_momenta(body):
    """Linear, and angular about its centre, to 1e-10, with damping and wild motion inside."""
    data = world(body(), beside=WEIGHTLESS, softsleep=0)
    mass = masses(data)

    def momenta() -> tuple[np.ndarray, np.ndarray]:
        middle, drift = (mass @ x / mass.sum() for x in (data.softvert_pos, data.softvert_vel))
        spin = np.cross(data.softvert_pos - middle, data.softvert_vel - drift)
        return mass @ data.softvert_vel, mass @ spin

    rng = np.random.default_rng(0)
    data.softvert_vel[:] = np.cross((1, 2, 3), data.softvert_pos) + np.array([1, 0, 0])
    data.softvert_vel[:] += 0.2 * rng.normal(size=data.softvert_vel.shape)
    linear, angular = momenta()
    for _ in range(300):
        data.step()
        now = momenta()
        assert now[0] == pytest.approx(linear, abs=1e-10)
        assert now[1] == pytest.approx(angular, abs=1e-10)


def test_a_chain_keeps_its_linear_momentum():
    """Of points; segments carry angular momentum of their own."""
    chain = cf.CapsuleChain.line((0, 0, 0), (0.5, 0.1, 0), 8, material="rope", drag=0)
    data = world(chain, beside=WEIGHTLESS, softsleep=0)
    mass = masses(data)
    data.softvert_vel[:] = np.random.default_rng(0).normal(size=data.softvert_vel.shape)
    before = mass @ data.softvert_vel
    data.step(300)
    assert mass @ data.softvert_vel == pytest.approx(before, abs=1e-10)


def slide_of_a_block(degrees: float) -> tuple[float, float]:
    """How far a block slides down a tilted sheet in half a second, and in the next."""
    angle, friction = math.radians(degrees), 0.5
    up = np.array([math.sin(angle), 0, math.cos(angle)])
    down = np.array([math.cos(angle), 0, -math.sin(angle)])
    sheet = cf.Cloth.grid(17, 17, size=(0.6, 0.6), young=1e6, poisson=0.3, density=300,
                          thickness=2e-3, damping=2, friction=friction, pinned="border",
                          pos=0.001 * up, euler=(0, degrees, 0), contype=3,
                          conaffinity=3)  # fmt: skip
    x, y, z = 0.0321 * up
    inside = f"""<geom type="plane" size="3 3 .1" euler="0 {degrees} 0" friction="1"/>
      <body pos="{x} {y} {z}" euler="0 {degrees} 0"><freejoint/>
        <geom type="box" size=".1 .1 .03" mass=".5" friction="{friction}" contype="2"
          conaffinity="2"/></body>"""
    data = world(sheet, inside=inside)
    places = [data.qpos[:3] @ down]
    for _ in range(2):
        data.step(250)
        places.append(data.qpos[:3] @ down)
    first, second = np.diff(places).tolist()
    return first, second


@pytest.mark.parametrize("degrees", [15, 25])
def test_a_block_sticks_to_a_tilted_sheet(degrees):
    """11-AC3: below the angle of friction, arctan 0.5 = 26.6 degrees, it stays where it is."""
    first, second = slide_of_a_block(degrees)
    assert abs(first) < 1e-3
    assert abs(second) < 1e-9


@pytest.mark.parametrize("degrees", [28, 32])
def test_a_block_slides_down_a_tilted_sheet(degrees):
    """11-AC3: above it slides by g (sin - mu cos) t^2 / 2, with mu = 0.5 to 2%.

    It lands on the sheet before friction holds it.
    """
    first, second = slide_of_a_block(degrees)
    angle = math.radians(degrees)
    pull = first / (0.5 * 0.5**2)
    assert math.tan(angle) - pull / (GRAVITY * math.cos(angle)) == pytest.approx(0.5, rel=0.02)
    assert second > 2 * first


def sag_of_a_sheet(count: int, substeps: int, timestep: float = 1 / 60) -> float:
    """How far the lower edge of a sheet hangs below where it was; its upper edge is pinned."""
    sheet = cf.Cloth.grid(count, count, size=(1, 1), young=1e5, poisson=0.3, density=300,
                          thickness=1e-3, damping=5, euler=(90, 0, 0))  # fmt: skip
    sheet.pin("back")
    data = world(sheet, timestep=timestep, softsubsteps=substeps, softsleep=0)
    data.step(round(4 / timestep))
    return -0.5 - float(data.softvert_pos[sheet.select("front"), 2].mean())


def test_sag_of_a_sheet_does_not_depend_on_mesh_and_steps():
    """Half the step, twice the substeps or half the cells change it by less than 5%."""
    usual = sag_of_a_sheet(21, 20)
    assert usual == pytest.approx(300 * GRAVITY / 2 / 1e5, rel=0.05)
    for other in (sag_of_a_sheet(21, 20, 1 / 120), sag_of_a_sheet(21, 10), sag_of_a_sheet(11, 20),
                  sag_of_a_sheet(41, 20)):  # fmt: skip
        assert other == pytest.approx(usual, rel=0.05)


def sag_on_a_ball(count: int, substeps: int, timestep: float = 1 / 60) -> float:
    """How far a square hangs below the top of a ball, in the mean."""
    sheet = cf.Cloth.grid(count, count, size=(1.2, 1.2), material="cotton", young=1e5, damping=5,
                          pos=(0, 0, 0.31))  # fmt: skip
    data = world(sheet, inside='<geom size=".3" friction="1"/>', timestep=timestep,
                 softsubsteps=substeps, softsleep=0)  # fmt: skip
    data.step(round(3 / timestep))
    return 0.3 - float(data.softvert_pos[:, 2].mean())


def test_sag_on_a_ball_does_not_depend_on_mesh_and_steps():
    """The same for a sheet that is draped over a ball."""
    usual = sag_on_a_ball(21, 20)
    assert usual == pytest.approx(0.33, abs=0.03)
    for other in (sag_on_a_ball(21, 20, 1 / 120), sag_on_a_ball(21, 10), sag_on_a_ball(31, 20)):
        assert other == pytest.approx(usual, rel=0.05)


def test_a_falling_sheet_falls_like_a_stone():
    """Without a medium; with one it reaches the speed at which drag is its weight."""
    data = world(cf.Cloth.grid(5, 5, size=(0.3, 0.3), material="cotton"))
    data.step(250)
    assert data.softvert_vel[:, 2] == pytest.approx(-GRAVITY * 0.5, rel=1e-9)
    assert np.ptp(data.softvert_pos[:, 2]) < 1e-12
    sheet = cf.Cloth.grid(5, 5, size=(0.3, 0.3), material="leather", drag=1.2)
    data = world(sheet, beside='<option density="1.2"/>', softsleep=0)
    data.step(3000)
    # rho_air c v^2 / 2 = rho t g
    speed = math.sqrt(900 * 2e-3 * GRAVITY / (0.5 * 1.2 * 1.2))
    mean = masses(data) @ data.softvert_vel[:, 2] / masses(data).sum()
    assert mean == pytest.approx(-speed, rel=0.01)
