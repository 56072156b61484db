"""Hill muscles: activation, fibres at an angle, rigid and elastic tendons."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import cortenforge as cf
from cortenforge.muscles import PRESETS, HillMuscle
from cortenforge.step.actuation.hill_muscle import hill_force_velocity, invert_force_velocity

H = 0.002
VMAX, LMIN, LMAX, FVMAX, FPSTRAIN, DAMPING = 10.0, 0.5, 1.6, 1.4, 0.6, 0.1
MODEL = """
<mujoco>
  <option gravity="0 0 0" timestep="{timestep}" integrator="{integrator}">
    <flag contact="disable"/>
  </option>
  <worldbody><body><joint name="j" type="slide" axis="1 0 0"/><geom size=".1" mass="{mass}"/></body>
  </worldbody>
  <actuator><hillmuscle name="h" joint="j" {muscle}/></actuator>
</mujoco>"""


def slider(
    muscle: str, timestep: float = H, integrator: str = "Euler", mass: float = 2.0
) -> cf.Data:
    """A muscle between the world and a mass on a rail: its length is the joint's position."""
    text = MODEL.format(muscle=muscle, timestep=timestep, integrator=integrator, mass=mass)
    return cf.load_model(text).make_data()


def by_length(x: float) -> float:
    """MuJoCo's curve: parabolas through 0 at LMIN and LMAX and 1 at 1, in halves."""
    left, right = (LMIN + 1) / 2, (1 + LMAX) / 2
    if not LMIN <= x <= LMAX:
        return 0.0
    if x <= left:
        return 0.5 * ((x - LMIN) / (left - LMIN)) ** 2
    if x <= 1:
        return 1 - 0.5 * ((1 - x) / (1 - left)) ** 2
    if x <= right:
        return 1 - 0.5 * ((x - 1) / (right - 1)) ** 2
    return 0.5 * ((LMAX - x) / (LMAX - right)) ** 2


def by_speed(v: float) -> float:
    if v <= -1:
        return 0.0
    if v <= 0:
        return (1 + v) / (1 - 4 * v)
    return 1 + (FVMAX - 1) * v / (v + (FVMAX - 1) / 5)


def at_rest(x: float) -> float:
    e = (x - 1) / FPSTRAIN
    if e <= 0:
        return 0.0
    if e <= 1:
        return np.expm1(4 * e) / np.expm1(4)
    return 1 + 4 * np.exp(4) / np.expm1(4) * (e - 1)


def fibre(preset: HillMuscle, extent: float) -> tuple[float, float]:
    length = np.hypot(extent, preset.lopt * np.sin(preset.pennation))
    return length / preset.lopt, extent / max(length, 1e-15)


def rigid_force(preset: HillMuscle, length: float, velocity: float, act: float) -> float:
    x, cosine = fibre(preset, max(length - preset.slack, 0))
    v = velocity * cosine / (preset.lopt * VMAX)
    return -preset.fmax * (act * by_length(x) * by_speed(v) + at_rest(x)) * cosine


def tendon(strain: float, full: float) -> float:
    x = max(strain, 0.0) / full
    return (x**2 if x < 0.6 else 0.6 * (2 * x - 0.6)) / 0.84


@pytest.mark.parametrize("name", PRESETS)
def test_full_strength(name):
    """000.5-AC3: F_max cos(pennation) along the tendon, at full activation and the best length."""
    preset = PRESETS[name]
    data = slider(f'preset="{name}"')
    data.qpos[0] = preset.slack + preset.lopt * np.cos(preset.pennation)
    data.act[0] = 1
    data.forward()
    expected = -preset.fmax * np.cos(preset.pennation)
    assert data.actuator_force[0] == pytest.approx(expected, rel=1e-12)
    assert data.qfrc_actuator[0] == data.actuator_force[0]


@pytest.mark.parametrize("name", PRESETS)
def test_force_of_a_rigid_tendon(name):
    """000.5-S1: (a f_l f_v + f_p) F_max cos(pennation), at lengths and velocities of all kinds."""
    preset, rng = PRESETS[name], np.random.default_rng(5)
    data = slider(f'preset="{name}" minact="0"')
    for _ in range(200):
        data.qpos[0] = preset.slack + preset.lopt * rng.uniform(-0.2, 2.2)
        data.qvel[0] = 15 * preset.lopt * rng.uniform(-1, 1)
        data.act[0] = rng.uniform()
        data.forward()
        force = rigid_force(preset, data.qpos[0], data.qvel[0], data.act[0])
        assert data.actuator_force[0] == pytest.approx(force, rel=1e-10, abs=1e-9)


def test_force_follows_activation():
    """000.5-AC2: no active force without activation, more with more of it, never a push."""
    preset = PRESETS["gastrocnemius"]
    data = slider('preset="gastrocnemius" minact="0"')
    for extent in (0.7, 0.9, 1.0):
        data.qpos[0] = preset.slack + extent * preset.lopt * np.cos(preset.pennation)
        forces = []
        for act in np.linspace(0, 1, 11):
            data.act[0] = act
            data.forward()
            forces.append(data.actuator_force[0])
        assert forces[0] == 0
        assert np.all(np.diff(forces) < 0)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_activation(integrator):
    """000.5-AC1: da/dt = (u - a) / tau, with u within 0 and 1, step by step."""
    data = slider('preset="soleus" timeconst="0.02 0.05" minact="0.03"', integrator=integrator)
    data.act[0] = 0.5
    for control in (1.0, 7.0, 0.2, -3.0, 0.6, 0.0):
        before, data.ctrl[0] = data.act[0], control
        data.forward()
        u = min(max(control, 0), 1)
        tau = 0.02 if u > before else 0.05
        assert data.act_dot[0] == pytest.approx((u - before) / tau, rel=1e-14)
        data.step()
        part = {"Euler": H / tau, "RK4": -np.expm1(-H / tau)}[integrator]
        after = before + part * (u - before)
        assert data.act[0] == pytest.approx(after, rel=1e-13 if integrator == "Euler" else 1e-6)


def test_up_is_faster_than_down():
    """000.5-AC4: the usual time constants are 15 ms up and 60 ms down."""
    data = slider('preset="soleus"')
    data.ctrl[0] = 1
    while data.act[0] < 0.5:
        data.step()
    rise = data.time
    data.act[0], data.ctrl[0] = 1, 0
    while data.act[0] > 0.5:
        data.step()
    assert data.time - rise > 3 * rise
    assert (data.model.actuator_dynprm[0, :2] >= 0.01).all()
    assert (data.model.actuator_dynprm[0, :2] <= 0.08).all()


def test_least_activation():
    """000.5-S1: activation stays between its lower bound and 1, at any step."""
    for timestep in (0.001, 0.2):
        data = slider('preset="soleus" minact="0.05"', timestep=timestep)
        for control in (1.0, 0.0, 1.0, 0.0):
            data.ctrl[0] = control
            data.step(1000)
            assert data.act[0] == pytest.approx(control or 0.05, abs=1e-9)


def test_other_dynamics_are_as_before():
    """000.5-AC5: actuators beside a Hill muscle do what they did."""
    others = (
        '<general joint="o" dyntype="filter" dynprm="0.03"/><motor joint="o"/>'
        '<general joint="o" dyntype="integrator"/><muscle joint="o" lengthrange="0 1"/>'
    )
    text = MODEL.format(timestep=H, integrator="Euler", mass=2, muscle='preset="biceps"').replace(
        "</worldbody>",
        '<body pos="0 9 0"><joint name="o" type="slide"/><geom size=".1"/></body></worldbody>',
    )
    mixed = cf.load_model(text.replace("</actuator>", others + "</actuator>")).make_data()
    start, end = text.index("<hillmuscle"), text.index("</actuator>")
    alone = cf.load_model(text[:start] + others + text[end:]).make_data()
    mixed.ctrl[:] = [0.7, 0.4, 0.3, 0.2, 0.9]
    alone.ctrl[:] = mixed.ctrl[1:]
    mixed.step(100)
    alone.step(100)
    assert np.array_equal(mixed.act[1:], alone.act)
    assert np.array_equal(mixed.actuator_force[1:], alone.actuator_force)
    assert mixed.qpos[1] == alone.qpos[1]


@pytest.mark.parametrize("gear", [-0.04, 0.03])
def test_on_a_hinge(gear):
    """A moment arm and an offset make a muscle of a joint: its torque is arm times force."""
    preset = PRESETS["biceps"]
    offset = preset.slack + preset.lopt
    text = MODEL.format(
        timestep=H,
        integrator="Euler",
        mass=2,
        muscle=f'preset="biceps" gear="{gear}" offset="{offset}"',
    ).replace('type="slide"', 'type="hinge"')
    data = cf.load_model(text).make_data()
    data.qpos[0], data.qvel[0], data.act[0] = 0.4, 1.5, 0.8
    data.forward()
    force = rigid_force(preset, offset + 0.4 * gear, 1.5 * gear, 0.8)
    assert data.qfrc_actuator[0] == pytest.approx(gear * force, rel=1e-12)


def settled(data: cf.Data, length: float, act: float, steps: int = 4000) -> float:
    """Force of a muscle that is held at a length and an activation."""
    data.ctrl[0] = act
    for _ in range(steps):
        data.qpos[0], data.qvel[0], data.act[1] = length, 0, act
        data.step()
    data.qpos[0], data.qvel[0] = length, 0
    data.forward()
    return data.actuator_force[0]


@pytest.mark.parametrize("full", [0.03, 0.06])
@pytest.mark.parametrize("name", PRESETS)
def test_elastic_tendon_settles_in_balance(name, full):
    """Fibres and tendon pull alike in the end: the strain is that of a static balance."""
    preset = PRESETS[name]
    data = slider(f'preset="{name}" strain="{full}" minact="0"')
    for extent, act in ((1.0, 1.0), (0.9, 0.4), (1.3, 0.0), (1.4, 0.7)):
        length = preset.slack + preset.lopt * extent

        def balance(strain, length=length, act=act):
            x, cosine = fibre(preset, length - preset.slack * (1 + strain))
            return tendon(strain, full) - (act * by_length(x) + at_rest(x)) * cosine

        strain = brentq(balance, 0, min(4 * full, (extent - 0.05) * preset.lopt / preset.slack))
        force = settled(data, length, act)
        assert data.act[0] == pytest.approx(strain, rel=1e-8, abs=1e-12)
        assert force == pytest.approx(-preset.fmax * tendon(strain, full), rel=1e-7, abs=1e-9)


def test_elastic_tendon_moves_as_its_equation():
    """Against an accurate solution of the damped balance; errors are of the order of the step."""
    preset, full, act = PRESETS["soleus"], 0.049, 0.6
    length = preset.slack + preset.lopt

    def rate(_time, state):
        x, cosine = fibre(preset, length - preset.slack * (1 + state[0]))

        def balance(v):
            inside = act * by_length(x) * by_speed(v) + at_rest(x) + DAMPING * v
            return inside * cosine - tendon(state[0], full)

        v = brentq(balance, -50, 50, xtol=1e-14)
        return [-preset.lopt * VMAX * v / cosine / preset.slack]

    exact = solve_ivp(rate, (0, 0.02), [0.0], method="Radau", rtol=1e-9, atol=1e-12).y[0, -1]
    errors = []
    for timestep in (1e-3, 5e-4, 2.5e-4):
        data = slider(f'preset="soleus" strain="{full}"', timestep=timestep)
        data.ctrl[0] = act
        for _ in range(round(0.02 / timestep)):
            data.qpos[0], data.qvel[0], data.act[1] = length, 0, act
            data.step()
        errors.append(abs(data.act[0] - exact))
    assert errors[0] < 1e-3
    assert errors[0] / errors[1] == pytest.approx(2, rel=0.15)
    assert errors[1] / errors[2] == pytest.approx(2, rel=0.15)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("timestep", [0.0005, 0.01, 0.05])
def test_stiff_tendons_stay_calm(timestep, integrator):
    """A tendon much shorter than its fibres, at steps much longer than it takes to settle."""
    muscle = 'fmax="100" lopt="0.1" slack="0.02" strain="0.02" minact="0"'
    # so heavy that it stays where it is within a step
    data = slider(muscle, timestep=timestep, integrator=integrator, mass=1e9)
    force = settled(data, 0.12, 1.0, steps=int(0.5 / timestep) + 50)
    reference = settled(slider(muscle), 0.12, 1.0)
    assert force == pytest.approx(reference, rel=1e-6)


def test_velocity_of_a_balance():
    """The closed form of the fibres' velocity undoes the curve that it comes from."""
    rng = np.random.default_rng(2)
    for _ in range(500):
        v, active, damping = rng.uniform(-3, 3), rng.uniform() ** 3, 10 ** rng.uniform(-3, 0)
        pull = active * hill_force_velocity(v, FVMAX) + damping * v
        assert invert_force_velocity(pull, active, damping, FVMAX) == pytest.approx(
            v, rel=1e-9, abs=1e-9
        )


@pytest.mark.parametrize("strain", [0, 0.04])
def test_lengths_beyond_reason_give_finite_forces(strain):
    """Shorter than its tendon, a muscle does not pull; torn apart, it pulls hard, and finitely."""
    data = slider(f'preset="soleus" strain="{strain}"')
    for length, velocity in ((-5.0, 30.0), (0.0, -30.0), (0.2499, 0.0), (40.0, 0.0), (1.0, 1e3)):
        data.reset()
        data.qpos[0], data.qvel[0], data.ctrl[0] = length, velocity, 1.0
        data.forward()
        assert np.isfinite(data.actuator_force[0]) and data.actuator_force[0] <= 0
        assert np.isfinite(data.act_dot).all()
        if length < 0.25:
            assert data.actuator_force[0] == 0


def test_a_force_range_and_a_group():
    data = slider('preset="soleus" forcerange="-50 0" group="2"')
    data.qpos[0], data.act[0] = 0.3, 1
    data.forward()
    assert data.actuator_force[0] == -50
    data.model.opt.disableactuator = 1 << 2
    data.forward()
    assert data.actuator_force[0] == 0


def test_a_rigid_tendon_stays_rigid():
    """The strain is an activation or is not: that cannot change in a loaded model."""
    data = slider('preset="soleus"')
    data.step()
    data.model.actuator_gainprm[0, 8] = 0.05
    with pytest.raises(cf.InvalidActuator, match="compile it again"):
        data.step()


@pytest.mark.parametrize("strain", [0, 0.05])
@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_lanes_have_the_bits_of_one_world(integrator, strain):
    muscle = f'preset="triceps" strain="{strain}"'
    model = slider(muscle, integrator=integrator).model
    rng = np.random.default_rng(3)
    batch = cf.BatchSim(model, 8)
    batch.qpos[:] = 0.143 + 0.134 * rng.uniform(0.3, 1.7, size=(8, 1))
    batch.qvel[:] = rng.normal(size=(8, 1))
    batch.ctrl[:] = rng.uniform(-0.2, 1.2, size=(8, 1))
    worlds = []
    for state, ctrl in zip(batch.get_states(), batch.ctrl.copy(), strict=True):
        data = model.make_data()
        data.set_state(state)
        data.ctrl[:] = ctrl
        data.step(40)
        worlds.append((data.qpos.copy(), data.act.copy()))
    assert batch.step_all(40) == [None] * 8
    for i, (qpos, act) in enumerate(worlds):
        assert np.array_equal(batch.qpos[i], qpos)
        assert np.array_equal(batch.act[i], act)
