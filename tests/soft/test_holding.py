"""Deformables carry and are carried, for a long time and without creeping."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from tests.soft.scenes import GRAVITY, force_of, masses, world

FLOOR = '<geom type="plane" size="3 3 .1"/>'
HAND = """<body name="hand" pos="0 0 .055"><joint name="lift" type="slide" axis="0 0 1"
    damping="10"/>
    <geom type="box" size=".02 .02 .01" pos="0 0 .14" mass=".5" contype="0" conaffinity="0"/>
    <body pos=".08 0 0"><joint name="left" type="slide" axis="-1 0 0" damping="5"/>
      <geom type="box" size=".01 .04 .04" mass=".1" friction="1"/></body>
    <body pos="-.08 0 0"><joint name="right" type="slide" axis="1 0 0" damping="5"/>
      <geom type="box" size=".01 .04 .04" mass=".1" friction="1"/></body></body>"""
MOTORS = """<actuator><position joint="lift" kp="2000" kv="100"/>
  <motor joint="left"/><motor joint="right"/></actuator>"""


def test_a_stack_rests_on_a_soft_block():
    """Five boxes, for ten seconds: nothing sinks, slides or leans."""
    block = cf.SoftBody.box((6, 6, 3), (0.3, 0.3, 0.15), young=2e5, poisson=0.4, density=1000,
                            damping=5, friction=0.8, pos=(0, 0, 0.081))  # fmt: skip
    boxes = "".join(
        f'<body pos="0 0 {0.22 + 0.101 * k}"><freejoint/>'
        '<geom type="box" size=".1 .1 .05" density="500"/></body>'
        for k in range(5)
    )
    data = world(block, inside=FLOOR + boxes, timestep=0.002)
    data.step(1500)
    settled = data.qpos.reshape(5, 7).copy()
    for _ in range(7):
        data.step(500)
        now = data.qpos.reshape(5, 7)
        assert np.abs(now[:, :3] - settled[:, :3]).max() < 1e-3
        assert np.abs(now[:, 4:6]).max() < 2e-3
        assert np.abs(data.qvel).max() < 0.01
    pressed = -sum(force_of(data, geom)[2] for geom in range(1, 6))
    assert pressed == pytest.approx(5 * 2 * GRAVITY, rel=0.01)


@pytest.mark.parametrize("integrator", ["implicitfast", "Euler", "RK4"])
def test_a_gripper_holds_a_soft_ball(integrator):
    """It is squeezed, lifted, and held for ten seconds without creeping out."""
    ball = cf.SoftBody.ball(0.05, cell=0.035, young=5e4, poisson=0.4, density=500, damping=5,
                            radius=0.003, friction=0.8, pos=(0, 0, 0.054))  # fmt: skip
    option = f'<option timestep="0.002" integrator="{integrator}"/>'
    data = world(ball, inside=FLOOR + HAND, beside=option + MOTORS, softsleep=0)
    mass = masses(data)
    data.ctrl[1:] = 8
    data.step(500)
    assert data.qpos[1] > 0.015
    for height in np.linspace(0, 0.15, 500):
        data.ctrl[0] = height
        data.step()
    data.step(500)
    before = mass @ data.softvert_pos / mass.sum()
    assert before[2] > 0.15
    data.step(5000)
    after = mass @ data.softvert_pos / mass.sum()
    assert after == pytest.approx(before, abs=1e-6)
    # friction of both jaws carries it
    carried = sum(force_of(data, geom)[2] for geom in (2, 3))
    assert carried == pytest.approx(mass.sum() * GRAVITY, rel=0.01)


def test_a_jelly_under_a_heavy_weight():
    """A weight of many times its own flattens it, and it comes back."""
    jelly = cf.SoftBody.box((3, 3, 3), (0.1, 0.1, 0.1), material="gelatin", damping=20,
                            pos=(0, 0, 0.056))  # fmt: skip
    weight = """<body pos="0 0 .2"><joint type="slide" axis="0 0 1" damping="50"/>
      <geom type="box" size=".1 .1 .05" mass="20"/></body>"""
    data = world(jelly, inside=FLOOR + weight, softsleep=0)
    data.step(1000)
    assert np.isfinite(data.softvert_pos).all()
    assert 0.005 < np.ptp(data.softvert_pos[:, 2]) < 0.06
    data.qpos[0] = 1
    data.qvel[0] = 0
    data.model.opt.gravity[:] = 0
    data.step(2000)
    sides = data.softvert_pos[jelly.tets][:, 1:] - data.softvert_pos[jelly.tets][:, :1]
    rest = jelly.rest[jelly.tets][:, 1:] - jelly.rest[jelly.tets][:, :1]
    assert np.linalg.norm(sides, axis=2) == pytest.approx(np.linalg.norm(rest, axis=2), rel=0.01)
    corners = data.softvert_pos[jelly.tets]
    assert (np.linalg.det(corners[:, 1:] - corners[:, :1]) > 0).all()


def test_a_rope_over_a_pulley_balances_two_weights():
    """Two equal weights on a rope over a fixed wheel stay; a heavier one goes down."""

    def after(heavy: float) -> np.ndarray:
        angle = np.linspace(0, np.pi, 21)
        arc = np.stack([-0.108 * np.cos(angle), 0 * angle, 0.108 * np.sin(angle)], axis=1)
        sides = np.linspace(-0.3, 0, 10)[:-1]
        left = np.stack([0 * sides - 0.108, 0 * sides, sides], axis=1)
        points = np.concatenate([left, arc, left[::-1] * (-1, 1, 1)])
        rope = cf.CapsuleChain(points, young=1e8, poisson=0.3, density=1000, bending=0,
                               radius=0.008, damping=10, friction=0.01)  # fmt: skip
        rope.attach("first", body="one").attach("last", body="two")
        weights = "".join(
            f'<body name="{name}" pos="{x} 0 -.3"><joint type="slide" axis="0 0 1"/>'
            f'<geom size=".02" mass="{mass}" contype="0" conaffinity="0"/></body>'
            for name, x, mass in (("one", -0.108, 1.0), ("two", 0.108, heavy))
        )
        wheel = '<geom type="cylinder" size=".1 .05" euler="90 0 0" friction="0.01"/>'
        data = world(rope, inside=wheel + weights)
        data.step(150)
        return data.qpos.copy()

    even = after(1.0)
    assert np.abs(even).max() < 5e-3
    one, two = after(1.5)
    # g (m2 - m1) / (m2 + m1 + rope) t^2 / 2, less a little friction
    expected = 0.5 * GRAVITY * 0.5 / (2.5 + 0.2) * 0.3**2
    assert one == pytest.approx(expected, rel=0.15)
    assert two == pytest.approx(-one, abs=5e-3)
