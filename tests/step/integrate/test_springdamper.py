"""Our own `implicitspringdamper`: springs and dampers of joints at the end of the step."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Enable, Integrator
from cortenforge.errors import CholeskyFailed
from tests.laws.mechanics import dense_inertia
from tests.step.integrate.scenes import MODELS
from tests.step.stages import states

SPRING = """<mujoco><option integrator="implicitspringdamper" timestep="{}" gravity="0 0 0"><flag
energy="enable"/></option><worldbody><body><joint type="slide" axis="0 0 1" stiffness="{}"
damping="{}"/><geom size=".1" mass="2"/></body></worldbody></mujoco>"""


@MODELS
def test_matrix_is_solved(source):
    """13-AC3: (M + hD + h^2 K) v+ = M v + h f - hK(q - q_ref), with K and D on the diagonal.

    Springs and dampers of tendons, drag and friction are in f; a spring of three dofs is equally
    stiff all around, and its force is that of q as it is.
    """
    for both in states(source):
        model, data = both.model, both.data
        model.opt.integrator = int(Integrator.IMPLICITSPRINGDAMPER)
        h, before = model.opt.timestep, data.qvel.copy()
        data.forward()
        inertia = dense_inertia(model, data)
        data.step()
        damping = np.zeros(model.nv)
        for i in range(model.nv):
            poly, speed = model.dof_dampingpoly[i], abs(before[i])
            damping[i] = model.dof_damping[i] + 2 * poly[0] * speed + 3 * poly[1] * speed**2
        if model.opt.disableflags & int(cf.enums.Disable.DAMPER):
            damping[:] = 0
        stiffness = data.efm_ck / h
        matrix = inertia + np.diag(h * damping + h * h * stiffness)
        force = data.qfrc_smooth + data.qfrc_constraint
        # springs and dampers are taken out of f and put in at the end of the step
        at_the_end = force + damping * before
        expected = np.linalg.solve(matrix, inertia @ before + h * at_the_end)
        size = max(1.0, np.abs(expected).max(initial=0))
        np.testing.assert_allclose(data.qvel, expected, atol=1e-10 * size)


@pytest.mark.parametrize("joint", ["slide", "ball", "free"])
def test_stiffness_is_that_of_the_spring(joint):
    """How the force along a shift changes with it, by differences."""
    text = f"""<mujoco><worldbody><body><joint type="{joint}" stiffness="30 4 5"/><geom type="box"
    size=".1 .2 .3" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""
    model = cf.Model.from_mjcf(text)
    model.opt.integrator = int(Integrator.IMPLICITSPRINGDAMPER)
    data = model.make_data()
    axis = np.zeros(model.nv)
    axis[:1] = 1.0
    forces = []
    for x in (0.3 - 1e-6, 0.3 + 1e-6):
        data.qpos[:] = model.integrate_pos(model.qpos0, axis, x)
        data.forward()
        forces.append(data.qfrc_spring[0])
    data.qpos[:] = model.integrate_pos(model.qpos0, axis, 0.3)
    data.step()
    slope = (forces[0] - forces[1]) / 2e-6
    assert data.efm_ck[0] == pytest.approx(model.opt.timestep * slope, rel=1e-6)


@pytest.mark.parametrize("step", [0.0001, 0.01, 1.0])
@pytest.mark.parametrize("damping", [0.0, 3.0])
def test_stiff_springs_are_stable(step, damping):
    """Stiffness 1e8, at any step: energy never grows."""
    data = cf.Model.from_mjcf(SPRING.format(step, 1e8, damping)).make_data()
    data.qpos[:] = 0.01
    data.forward()
    last = data.energy.sum()
    for _ in range(500):
        data.step()
        data.forward()
        assert data.energy.sum() <= last * (1 + 1e-12)
        last = data.energy.sum()


def test_implicit_euler_of_an_oscillator():
    """The recurrence of one spring and damper, in closed form."""
    k, c, m, h = 50.0, 0.7, 2.0, 0.01
    data = cf.Model.from_mjcf(SPRING.format(h, k, c)).make_data()
    data.qpos[:], data.qvel[:] = 0.4, -1.0
    x, v = 0.4, -1.0
    for _ in range(100):
        v = (m * v - h * k * x) / (m + h * c + h * h * k)
        x += h * v
        data.step()
        assert data.qpos[0] == pytest.approx(x, abs=1e-13)
        assert data.qvel[0] == pytest.approx(v, abs=1e-13)


def test_small_steps_come_to_the_analytic_solution():
    """Of first order: half the step, half the error."""
    k, m = 50.0, 2.0
    errors = []
    for h in (0.002, 0.001):
        data = cf.Model.from_mjcf(SPRING.format(h, k, 0)).make_data()
        data.qpos[:] = 0.4
        data.step(round(1 / h))
        errors.append(abs(data.qpos[0] - 0.4 * np.cos(np.sqrt(k / m))))
    assert 1.8 < errors[0] / errors[1] < 2.2


def test_tendons_stay_explicit():
    """12-AC23: their springs and dampers push, and have no part in the matrix."""
    text = """<mujoco><option integrator="implicitspringdamper"/><worldbody><body><joint name="j"
    axis="0 1 0" damping=".5"/><geom size=".1" pos=".3 0 0"/></body></worldbody><tendon><fixed
    stiffness="3" damping="{}"><joint joint="j" coef="1"/></fixed></tendon></mujoco>"""
    plain, damped = (cf.Model.from_mjcf(text.format(b)).make_data() for b in (0, 100))
    for data in (plain, damped):
        data.qvel[:] = 1.0
        data.step()
    np.testing.assert_array_equal(plain.qH, damped.qH)
    assert damped.qfrc_passive[0] == pytest.approx(plain.qfrc_passive[0] - 100)


def test_a_matrix_that_is_not_positive_is_an_error():
    """A spring that pushes, in a step too long for it; by name, and the state is as it was."""
    data = cf.Model.from_mjcf(SPRING.format(0.1, 0, 0).replace("<joint ", '<joint name="s" '))
    data.jnt_stiffness[:] = -1e4
    data = data.make_data()
    data.qpos[:] = 0.1
    state = data.get_state()
    with pytest.raises(CholeskyFailed, match=r"implicit step.*joint 's'"):
        data.step()
    np.testing.assert_array_equal(data.get_state().vector, state.vector)


def test_inverse_in_discrete_time():
    """Gives back what was applied."""
    model = cf.Model.from_mjcf(SPRING.format(0.01, 1e4, 3))
    model.opt.enableflags |= int(Enable.INVDISCRETE)
    data = model.make_data()
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = 0.1, -2.0, 7.0
    twin = data.copy()
    twin.step()
    data.forward()
    data.qacc[:] = (twin.qvel - data.qvel) / model.opt.timestep
    data.inverse()
    assert data.qfrc_inverse[0] == pytest.approx(7.0, abs=1e-9)


def test_lanes_have_the_bits_of_single_worlds():
    """Worlds in lockstep with their own springs."""
    model = cf.Model.from_mjcf(SPRING.format(0.01, 1e4, 3))
    batch, rng = cf.BatchSim(model, 11), np.random.default_rng(0)
    batch.expand("jnt_stiffness")
    batch.parameters["jnt_stiffness"][:] *= rng.uniform(0.5, 2, (11, 1))
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    stiffness, speeds = batch.parameters["jnt_stiffness"].copy(), batch.qvel.copy()
    assert batch.step_all(20) == [None] * 11
    for w in range(11):
        single = cf.Model.from_mjcf(SPRING.format(0.01, 1e4, 3))
        single.jnt_stiffness[:] = stiffness[w]
        data = single.make_data()
        data.qvel[:] = speeds[w]
        data.step(20)
        np.testing.assert_array_equal(batch.qvel[w], data.qvel)


def test_files_keep_it():
    """13-AC3: the word is read, and written again."""
    model = cf.Model.from_mjcf(SPRING.format(0.01, 1, 1))
    assert model.opt.integrator == Integrator.IMPLICITSPRINGDAMPER
    assert 'integrator="implicitspringdamper"' in cf.Spec.from_mjcf(SPRING.format(1, 1, 1)).to_xml()
