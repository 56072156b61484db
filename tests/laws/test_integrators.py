"""Integrators where it is hard: nothing moves, no inertia, no damping, stiff springs, contacts."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.enums import Integrator
from cortenforge.errors import CholeskyFailed, LuSingular
from tests.laws.mechanics import dense_inertia

#: as MJCF has them
WORDS = ("Euler", "RK4", "implicit", "implicitfast", "discrete", "implicitspringdamper")
EVERY = pytest.mark.parametrize("word", WORDS)


@pytest.mark.parametrize(("word", "kind"), zip(WORDS, Integrator, strict=True))
def test_every_integrator_has_a_word(word, kind):
    """Each word of MJCF is the integrator of that number, read and written; those that MuJoCo has
    are its own."""
    text = f'<mujoco><option integrator="{word}"/></mujoco>'
    assert cf.Model.from_mjcf(text).opt.integrator == kind
    assert cf.Model.from_mjcf(cf.Spec.from_mjcf(text).to_xml()).opt.integrator == kind
    if kind != Integrator.IMPLICITSPRINGDAMPER:
        assert load_reference(text).opt.integrator == kind


@EVERY
def test_nothing_moves(word):
    """nv = 0: time passes."""
    text = f'<mujoco><option integrator="{word}"/><worldbody><geom size=".1"/></worldbody></mujoco>'
    data = cf.Model.from_mjcf(text).make_data()
    data.step(10)
    assert data.time == pytest.approx(0.02)
    batch = cf.BatchSim(data.model, 3)
    assert batch.step_all(2) == [None] * 3


@EVERY
def test_no_inertia_is_an_error_by_name(word):
    """000.1-S1: four slides in three dimensions; `forward` warns of it, with the joint's name.

    So does a step of Euler's method or of Runge-Kutta, as MuJoCo; an implicit one fails.
    """
    text = f"""<mujoco><option integrator="{word}"/><worldbody><body><joint name="x" type="slide"
    axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/><joint
    type="slide" axis="1 1 0"/><geom size=".05" mass="1"/></body></worldbody></mujoco>"""
    data = cf.Model.from_mjcf(text).make_data()
    state = data.get_state().vector.copy()
    with pytest.warns(cf.StepWarning, match="joint 'x'"):
        data.forward()
    if word in ("Euler", "RK4"):
        with pytest.warns(cf.StepWarning, match="joint 'x'"):
            data.step()
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.StepWarning)
        kind = LuSingular if word == "implicit" else CholeskyFailed
        with pytest.raises(kind, match=r"implicit step.*joint 'x'"):
            data.step()
    np.testing.assert_array_equal(data.get_state().vector, state)


PENDULUM = """<mujoco><option integrator="{}" timestep="0.001"><flag energy="enable"/></option>
<worldbody><body><joint axis="0 1 0"/><geom size=".1" pos="0 0 -.5" mass="1" contype="0"
conaffinity="0"/></body></worldbody></mujoco>"""


@EVERY
def test_undamped_swings_keep_their_energy(word):
    """Without damping, the first order of the step is all that is lost or won."""
    data = cf.Model.from_mjcf(PENDULUM.format(word)).make_data()
    data.qpos[:] = 1.0
    data.forward()
    start, lowest = data.energy.sum(), -9.81 * 0.5
    for _ in range(2000):
        data.step()
    data.forward()
    swing = start - lowest
    assert abs(data.energy.sum() - start) < 5e-3 * swing


STIFF = """<mujoco><option integrator="{}" timestep="0.01"/><worldbody><body><joint name="a"
axis="0 1 0" stiffness="1e8"/><geom size=".1" pos=".3 0 0" contype="0" conaffinity="0"/>
<body pos=".6 0 0"><joint axis="0 1 0" stiffness="1e8" damping="1"/><geom size=".1" pos=".3 0 0"
contype="0" conaffinity="0"/></body></body></worldbody></mujoco>"""


@EVERY
def test_springs_of_1e8(word):
    """Implicit in positions, they hold; others fail with a typed error, and never with nan."""
    data = cf.Model.from_mjcf(STIFF.format(word)).make_data()
    data.qvel[:] = 1.0, -1.0
    if word in ("discrete", "implicitspringdamper"):
        data.step(500)
        assert np.abs(data.qpos).max() < 1e-4 and np.abs(data.qvel).max() < 1e-3
    else:
        with pytest.raises(cf.StepError):
            data.step(500)
    assert np.isfinite(data.get_state().vector).all()


BALL = """<mujoco><option integrator="RK4" timestep="0.002"><flag energy="enable"/></option>
<worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 1"><freejoint/><geom size=".1" mass="1"/>
</body></worldbody></mujoco>"""


def test_a_ball_falls_on_a_floor():
    """000.8-AC5: RK4 finds the contact, lets nothing through, and the ball comes to rest."""
    data = cf.Model.from_mjcf(BALL).make_data()
    data.forward()
    start, heights, touched = data.energy.sum(), [], 0
    for _ in range(2500):
        data.step()
        touched += data.ncon > 0
        heights.append(data.qpos[2])
        assert data.energy.sum() <= start * (1 + 1e-3)
    assert touched > 500
    assert min(heights) > 0.05
    assert abs(data.qpos[2] - 0.1) < 1e-3 and np.abs(data.qvel).max() < 1e-6


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_contacts_in_every_stage_are_mujocos(cone):
    """000.8-AC5: a ball that slides and an arm at its limit, step by step."""
    text = BALL.replace("<option ", f'<option cone="{cone}" tolerance="0" iterations="100" ')
    arm = """<body pos="2 0 1"><joint axis="0 1 0" range="-10 10" damping=".1"/><geom size=".1"
    pos=".3 0 0"/></body></worldbody>"""
    text = text.replace("</worldbody>", arm).replace("0 0 1", "0 0 .11")
    model, reference = cf.Model.from_mjcf(text), load_reference(text)
    data, theirs = model.make_data(), mujoco_module().MjData(reference)
    data.qvel[:3] = theirs.qvel[:3] = 1.0, 0.5, -1.0
    for _ in range(200):
        data.step()
        mujoco_module().mj_step(reference, theirs)
        # each solve leaves what its solver's tolerance leaves
        np.testing.assert_allclose(data.qvel, theirs.qvel, atol=1e-7)
    assert theirs.ncon == 1 and theirs.nefc > 1


DAMPED = """<mujoco><option timestep="0.01" integrator="{}"/><worldbody><body><joint name="a"
axis="0 1 0" damping=".3"/><geom size=".05" pos="0 0 -.5" mass="1" contype="0" conaffinity="0"/>
<body pos="0 0 -.5"><joint name="b" axis="0 1 0" damping=".2"/><geom size=".05" pos="0 0 -.5"
mass="1" contype="0" conaffinity="0"/></body></body></worldbody><tendon><fixed damping="2"><joint
joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon></mujoco>"""


@pytest.mark.parametrize(
    ("word", "most"),
    [pytest.param("implicitfast", 1e-3, id="13-AC9"), pytest.param("implicit", 1e-5, id="13-AC10")],
)
def test_how_velocities_follow_from_velocities(word, most):
    """13-AC9, 13-AC10: I + h (M - hD)^-1 D against differences of a step, near rest.

    How the matrix changes with velocities is left out, which counts where accelerations are large.
    """
    model = cf.Model.from_mjcf(DAMPED.format(word))
    h, start, speed = model.opt.timestep, np.array([0.01, -0.02]), np.array([0.02, -0.01])

    def after(qvel: np.ndarray) -> np.ndarray:
        data = model.make_data()
        data.qpos[:], data.qvel[:] = start, qvel
        data.step()
        return data.qvel.copy()

    differences = np.column_stack(
        [(after(speed + e) - after(speed - e)) / 2e-5 for e in 1e-5 * np.eye(2)]
    )
    data = model.make_data()
    data.qpos[:], data.qvel[:] = start, speed
    data.step()
    slopes = np.zeros((2, 2))
    for i in range(2):
        row = slice(model.D_rowadr[i], model.D_rowadr[i] + model.D_rownnz[i])
        slopes[i, model.D_colind[row]] = data.qDeriv[row]
    inertia = dense_inertia(model, data)
    analytic = np.eye(2) + h * np.linalg.solve(inertia - h * slopes, slopes)
    assert np.abs(analytic - differences).max() < most
