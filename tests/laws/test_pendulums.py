"""Pendulums, single and double: their energy, and how fast errors vanish with the step.

Energy is measured against that of the swing, from the lowest point up: the zero of a potential is
arbitrary, and a share of a large number would say little.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.special import ellipj

import cortenforge as cf
from cortenforge.compare import load_reference, mujoco_module

from .mechanics import GRAVITY, total_energy

MASS, CENTRE, MOMENT = 1.0, 0.5, 0.27  # the moment is about the hinge
#: of small swings, rad/s
FREQUENCY = np.sqrt(MASS * GRAVITY * CENTRE / MOMENT)
FLAG = '<flag energy="enable"/>'


def pendulum(timestep: float, integrator: str) -> str:
    own = MOMENT - MASS * CENTRE**2
    return (
        f'<mujoco><option timestep="{timestep!r}" integrator="{integrator}">{FLAG}</option>'
        f'<worldbody><body><joint axis="0 1 0"/><inertial pos="0 0 {-CENTRE}" mass="{MASS}"'
        f' diaginertia="{own} {own} 0.001"/></body></worldbody></mujoco>'
    )


def double_pendulum(timestep: float) -> str:
    link = (
        '<joint axis="0 1 0"/><inertial pos="0 0 -0.5" mass="1" diaginertia="0.083 0.083 0.001"/>'
    )
    return (
        f'<mujoco><option timestep="{timestep!r}">{FLAG}</option><worldbody><body>{link}'
        f'<body pos="0 0 -1">{link}</body></body></worldbody></mujoco>'
    )


def run(xml: str, start: list[float], seconds: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions, velocities and energies at every step; the energy is zero at the lowest point."""
    data = cf.Model.from_mjcf(xml).make_data()
    lowest = total_energy(data)
    data.qpos[:] = start
    rows = []
    for _ in range(round(seconds / data.model.opt.timestep) + 1):
        rows.append((*data.qpos, *data.qvel, total_energy(data) - lowest))
        data.step()
    table, nq = np.array(rows), len(start)
    return table[:, :nq], table[:, nq:-1], table[:, -1]


def energies_of_mujoco(xml: str, start: list[float], steps: int) -> np.ndarray:
    """The same energies from the other engine."""
    mujoco = mujoco_module()
    model = load_reference(xml)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    lowest, values = data.energy.sum(), []
    data.qpos[:] = start
    for _ in range(steps):
        mujoco.mj_forward(model, data)
        values.append(data.energy.sum() - lowest)
        mujoco.mj_step(model, data)
    return np.array(values)


# ---------------------------------------------------------------------- Euler


@pytest.mark.parametrize("start", [0.1, 0.3, 1.0, 3.0])
def test_euler_keeps_the_energy_of_a_pendulum(start):
    """002-C4: 10 s at 240 Hz, no drift of 0.1% of the swing's energy, at any amplitude.

    Within a period the energy of any first-order method ripples: by half the step times the
    frequency, 0.9% here, in MuJoCo as well. What semi-implicit Euler keeps is the energy less
    half a step's work of gravity; that one stays within 0.1% at every single step. The energy
    itself has the same highest and lowest value in the last seconds as in the first.
    """
    h = 1 / 240
    xml = pendulum(h, "Euler")
    angle, rate, energy = run(xml, [start], 10.0)
    work = h * rate[:, 0] * MASS * GRAVITY * CENTRE * np.sin(angle[:, 0])
    kept = energy - work / 2
    assert np.abs(kept / kept[0] - 1).max() < 1e-3

    period = 960  # steps: longer than any of these periods
    for bound in (np.max, np.min):
        assert abs(bound(energy[-period:]) - bound(energy[:period])) < 1e-5 * energy[0]
    ripple = np.abs(energy / energy[0] - 1).max()
    assert ripple < 1.02 * h * FREQUENCY / 2
    np.testing.assert_allclose(energy, energies_of_mujoco(xml, [start], len(energy)), atol=1e-9)


def drift(energy: np.ndarray, timestep: float) -> float:
    """Change of the mean energy from the first 2.5 s to the last, as a share of the swing's."""
    window = round(2.5 / timestep)
    return float(abs(energy[-window:].mean() - energy[:window].mean()) / energy[0])


def test_euler_keeps_the_energy_of_a_double_pendulum():
    """002-S1: 10 s at 240 Hz from 0.3 rad: a drift below 1% of the swing's energy.

    Velocities couple the two links, and the coupling is taken at the old velocity: unlike that of
    one link this energy does drift, in MuJoCo by the same amount.
    """
    h = 1 / 240
    xml = double_pendulum(h)
    _, _, energy = run(xml, [0.3, 0.3], 10.0)
    assert drift(energy, h) < 0.01
    theirs = energies_of_mujoco(xml, [0.3, 0.3], len(energy))
    np.testing.assert_allclose(energy, theirs, atol=1e-9)


def test_a_wide_swing_of_a_double_pendulum_drifts():
    """002-S1: from 1 rad the same 10 s change the energy by 5.3%, in MuJoCo as here."""
    h = 1 / 240
    _, _, energy = run(double_pendulum(h), [1.0, 0.0], 10.0)
    theirs = energies_of_mujoco(double_pendulum(h), [1.0, 0.0], len(energy))
    assert drift(energy, h) == pytest.approx(0.053, abs=5e-4)

    np.testing.assert_allclose(energy, theirs, atol=1e-8)


def test_drift_of_a_double_pendulum_is_of_first_order():
    """002-S1: on a wide swing the drift is larger, and half as large with half the step."""
    drifts = [drift(run(double_pendulum(h), [1.0, 0.0], 10.0)[2], h) for h in (0.002, 0.001)]
    assert 1.8 < drifts[0] / drifts[1] < 2.3
    assert drifts[1] < 0.015


# ---------------------------------------------------------------------- order of convergence


def exact_angle(start: float, time: float) -> float:
    """A pendulum let go at an angle, by elliptic functions."""
    k = np.sin(start / 2)
    _, cn, dn, _ = ellipj(FREQUENCY * time, k * k)
    return float(2 * np.arcsin(k * cn / dn))


def angle_at(timestep: float, integrator: str, start: float, steps: int) -> float:
    data = cf.Model.from_mjcf(pendulum(timestep, integrator)).make_data()
    data.qpos[0] = start
    data.step(steps)
    return float(data.qpos[0])


@pytest.mark.parametrize(("integrator", "low", "high"), [("Euler", 1.9, 2.1), ("RK4", 15, 17)])
@pytest.mark.parametrize("start", [0.5, 1.0])
def test_order_on_an_analytic_pendulum(integrator, low, high, start):
    """000.8-AC2: halving the step halves Euler's error after 1 s, and divides RK4's by 16."""
    errors = [
        abs(angle_at(h, integrator, start, round(1 / h)) - exact_angle(start, 1.0))
        for h in (0.01, 0.005, 0.0025)
    ]
    for coarse, fine in pairwise(errors):
        assert low < coarse / fine < high


def test_integrators_meet_at_small_steps():
    """000.8-AC3: ten steps of 10 us: Euler and RK4 within 1e-8, and not the same."""
    apart = abs(angle_at(1e-5, "Euler", 1.0, 10) - angle_at(1e-5, "RK4", 1.0, 10))
    assert 0 < apart < 1e-8


# ---------------------------------------------------------------------- RK4's energy


def test_rk4_keeps_the_energy_of_a_pendulum():
    """000.8-AC4: 1000 steps of 1 ms never lead 1e-10 of the swing's energy away."""
    _, _, energy = run(pendulum(0.001, "RK4"), [1.0], 1.0)
    assert np.abs(energy / energy[0] - 1).max() < 1e-10


def test_drift_of_rk4_is_of_fifth_order():
    """000.8-AC4: on a small swing, halving the step divides RK4's drift by about 32."""
    ends = []
    for h in (0.004, 0.002, 0.001):
        _, _, energy = run(pendulum(h, "RK4"), [0.3], 4.0)
        ends.append(abs(energy[-1] - energy[0]))
    for coarse, fine in pairwise(ends):
        assert 28 < coarse / fine < 64
