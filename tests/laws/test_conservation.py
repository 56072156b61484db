"""What motion keeps: energy and momentum."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import cortenforge as cf

from .mechanics import THREE_LINKS, total_energy


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
    """000.8-AC1: halving the step divides the error of a three-link arm by nearly 16."""
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
