"""What motion keeps: energy and momentum."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import cortenforge as cf

from .mechanics import THREE_LINKS, total_energy


def pendulum(timestep: float, integrator: str) -> str:
    return (
        f'<mujoco><option timestep="{timestep!r}" integrator="{integrator}">'
        '<flag energy="enable"/></option><worldbody><body><joint axis="0 1 0"/>'
        '<inertial pos="0 0 -0.5" mass="1" diaginertia="0.02 0.02 0.001"/>'
        "</body></worldbody></mujoco>"
    )


def energies(xml: str, start: float, steps: int) -> np.ndarray:
    data = cf.Model.from_mjcf(xml).make_data()
    data.qpos[0] = start
    values = [total_energy(data)]
    for _ in range(steps):
        data.step()
        values.append(total_energy(data))
    return np.array(values)


def test_euler_keeps_the_energy_of_a_pendulum():
    """10 s at 240 Hz: never 0.1% away from the start on a swing of 0.3 rad."""
    energy = energies(pendulum(1 / 240, "Euler"), 0.3, 2400)
    assert np.abs(energy / energy[0] - 1).max() < 1e-3


def test_euler_does_not_drift_on_a_wide_swing():
    """At 1 rad the energy ripples within a period, as symplectic Euler's must, but stays put."""
    energy = energies(pendulum(1 / 240, "Euler"), 1.0, 2400)
    second = 480  # more than a period
    for bound in (np.max, np.min):
        assert abs(bound(energy[-second:]) - bound(energy[:second])) < 1e-3 * abs(energy[0])


def test_rk4_keeps_the_energy_of_a_pendulum():
    """1000 steps of 1 ms: a relative drift below 1e-10."""
    energy = energies(pendulum(0.001, "RK4"), 1.0, 1000)
    assert np.abs(energy / energy[0] - 1).max() < 1e-10


def final_state(timestep: float) -> np.ndarray:
    """A swinging three-link arm after half a second of RK4."""
    xml = THREE_LINKS.xml().replace(
        "<option>", f'<option timestep="{timestep!r}" integrator="RK4">'
    )
    data = cf.Model.from_mjcf(xml).make_data()
    data.qpos[:], data.qvel[:] = (0.3, -0.5, 0.8), (1.0, -0.5, 0.3)
    data.step(round(0.5 / timestep))
    return np.concatenate([data.qpos, data.qvel])


def test_rk4_is_of_fourth_order():
    """Halving the step divides the error by nearly 16."""
    exact = final_state(0.5 / 4096)
    errors = [np.abs(final_state(0.5 / n) - exact).max() for n in (64, 128, 256)]
    for coarse, fine in pairwise(errors):
        assert 14 < coarse / fine < 18


FLOATING = """
<mujoco>
  <option timestep="0.001" integrator="RK4" gravity="0 0 0"/>
  <default><geom type="capsule" size="0.05" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="trunk"><freejoint/><geom type="box" size="0.2 0.1 0.15"/>
      <body pos="0.2 0 0">
        <joint type="ball" stiffness="2" damping="0.1"/><geom fromto="0 0 0 0.4 0 0"/>
        <body pos="0.4 0 0">
          <joint axis="0 1 0" damping="0.05 0.1"/><geom fromto="0 0 0 0.3 0 0"/>
        </body>
      </body>
      <body pos="-0.2 0 0">
        <joint type="slide" axis="1 0 0" stiffness="30"/><geom fromto="0 0 0 0 0.3 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def floating() -> cf.Data:
    """A chain afloat, with springs and dampers inside, and everything moving."""
    data = cf.Model.from_mjcf(FLOATING).make_data()
    data.qvel[:] = np.random.default_rng(3).normal(size=data.model.nv)
    return data


def momentum(data: cf.Data) -> np.ndarray:
    data.forward()
    data.subtree_momentum()
    linear = data.model.body_subtreemass[1] * data.subtree_linvel[1]
    return np.concatenate([linear, data.subtree_angmom[1]])


def test_inner_forces_do_not_change_momentum(floating):
    """1000 steps: linear momentum, and angular momentum about the centre, stay."""
    before = momentum(floating)
    floating.step(1000)
    np.testing.assert_allclose(momentum(floating), before, atol=1e-9)


def test_centre_of_mass_moves_straight(floating):
    momentum(floating)
    start, velocity = floating.subtree_com[1].copy(), floating.subtree_linvel[1].copy()
    floating.step(500)
    floating.forward()
    np.testing.assert_allclose(floating.subtree_com[1], start + 0.5 * velocity, atol=1e-9)


def test_dampers_only_take_energy():
    """Without gravity, a damped chain loses kinetic energy at every step."""
    xml = FLOATING.replace('gravity="0 0 0"/>', 'gravity="0 0 0"><flag energy="enable"/></option>')
    data = cf.Model.from_mjcf(xml).make_data()
    data.qvel[:] = np.random.default_rng(4).normal(size=data.model.nv)
    values = []
    for _ in range(50):
        values.append(total_energy(data))
        data.step(10)
    assert np.all(np.diff(values) < 0)
